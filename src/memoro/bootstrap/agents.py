"""The hierarchy of AGENTS.md: from the global folder and from each folder down to the work.

The files are taken from the nearest one outwards, and no longer opened once the nearer ones have
filled the cap; nothing of them could stay.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from memoro.bootstrap.cutting import cut_note, fit, joined, size
from memoro.bootstrap.imports.expansion import Importing, expand
from memoro.bootstrap.loaded import (
    BlockText,
    Draft,
    Findings,
    Kind,
    Piece,
    Places,
    counted,
    entry,
    lost,
)
from memoro.bootstrap.personal import is_blank
from memoro.bootstrap.reading.source import (
    Reader,
    Source,
    Unusable,
    has_exact_name,
    is_below,
    named,
    read_exact,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

AGENTS = "AGENTS.md"
OVERRIDE = "AGENTS.override.md"
SHARED_NAMES = (AGENTS, "MEMORO.md", "CLAUDE.md")


class _Chosen(NamedTuple):
    source: Source
    kind: Kind


def load_agents(
    fallback_names: Sequence[str], cap: int, reader: Reader, findings: Findings
) -> BlockText:
    """Assemble the hierarchy: global first, then from the root down to the current folder.

    Everything counts towards the cap but the note on what was cut: the files' texts and imports,
    the comments that name them, and the blank lines between them.

    Args:
        fallback_names: further file names, used where a folder has none of ours.
        cap: the most bytes of UTF-8.
        reader: what to read with.
        findings: where warnings and left-out files go.
    """
    names = (OVERRIDE, *SHARED_NAMES, *_usable(fallback_names, findings))
    chosen: list[_Chosen] = []
    seen: dict[str, str] = {}
    room = cap
    for folder in reversed(list(_folders(findings.places))):
        if room > 0:
            here = _choose(folder, names, seen, reader, findings)
        else:
            here = _unopened(folder, names)
        room -= sum(size(each.source.text) for each in here)
        chosen[:0] = here
    return _assembled(_drafts(chosen, cap, reader, findings), cap, findings)


def companion(name: str) -> str:
    """The file that goes with a shared one, for what is not shared."""
    return f"{'AGENTS' if name == OVERRIDE else os.path.splitext(name)[0]}.local.md"


def _usable(names: Sequence[str], findings: Findings) -> Iterator[str]:
    for name in dict.fromkeys(names):
        if name in ("", ".", "..") or "/" in name or "\0" in name:
            findings.warn(f"bootstrap.fallback_names: {name!r} is not a file name; ignored")
        elif name not in (OVERRIDE, *SHARED_NAMES):
            yield name


def _folders(places: Places) -> Iterator[str]:
    if places.shared is not None:
        yield places.shared
    yield places.root
    if not is_below(places.cwd, places.root):
        return
    folder = places.root
    for name in os.path.relpath(places.cwd, places.root).split(os.sep):
        folder = os.path.join(folder, name)
        # Where a folder can't be entered, nothing below it can be opened either; without this
        # a path of ten thousand folders would be asked for each name in each of them.
        if name == "." or not os.access(folder, os.X_OK):
            return
        yield folder


def _choose(
    folder: str, names: Sequence[str], seen: dict[str, str], reader: Reader, findings: Findings
) -> list[_Chosen]:
    shared = _first_usable(folder, names, seen, reader, findings)
    if shared is None:
        return []
    name = os.path.basename(shared.path)
    chosen = [_Chosen(shared, _kind(name))]
    own = _usable_source(os.path.join(folder, companion(name)), seen, reader, findings)
    if own is not None:
        chosen.append(_Chosen(own, "companion"))
    return chosen


def _unopened(folder: str, names: Sequence[str]) -> list[_Chosen]:
    """The file that would come from this folder if there were room."""
    for name in names:
        path = os.path.join(folder, name)
        if os.path.isfile(path) and has_exact_name(path):
            length = os.path.getsize(path)
            return [_Chosen(Source(path, path, "", length, length), _kind(name))] if length else []
    return []


def _kind(name: str) -> Kind:
    return "override" if name == OVERRIDE else "shared"


def _first_usable(
    folder: str, names: Sequence[str], seen: dict[str, str], reader: Reader, findings: Findings
) -> Source | None:
    chosen: Source | None = None
    for name in names:
        path = os.path.join(folder, name)
        if chosen is None:
            chosen = _usable_source(path, seen, reader, findings)
        elif os.path.lexists(path) and has_exact_name(path):
            winner = os.path.basename(chosen.path)
            verb = "replaced by" if winner == OVERRIDE else "comes after"
            findings.skip(path, f"{verb} {winner} in the same folder")
    return chosen


def _usable_source(
    path: str, seen: dict[str, str], reader: Reader, findings: Findings
) -> Source | None:
    found = read_exact(path, reader)
    if found is None:
        return None
    if isinstance(found, Unusable):
        findings.warn(found.warning)
        findings.skip(path, found.why)
        return None
    if is_blank(found.text):
        findings.warn(*found.warnings)
        findings.skip(path, "blank")
        return None
    if found.real in seen:
        findings.skip(path, f"already loaded as {named(seen[found.real])}")
        return None
    seen[found.real] = path
    return found


def _drafts(chosen: Sequence[_Chosen], cap: int, reader: Reader, findings: Findings) -> list[Draft]:
    """Expand the chosen files, the nearest one first; those without room keep their lines."""
    drafts: list[Draft] = []
    present = frozenset(each.source.real for each in chosen)
    room = cap
    for source, kind in reversed(chosen):
        name = findings.name(source.path)
        plain = kind != "companion" and os.path.dirname(source.path) == findings.places.root
        head = "" if plain else f"<!-- {name} -->\n"
        if room > 0:
            file = Importing(source, source.text, name, AGENTS, kind, head, 0, present)
            draft = expand(file, reader, findings)
        else:
            draft = Draft(head, (Piece(0, source.text),), (entry(source, name, AGENTS, kind),))
        room -= size(draft.part.text)
        drafts.insert(0, draft)
    return drafts


def _assembled(drafts: Sequence[Draft], cap: int, findings: Findings) -> BlockText:
    kept = fit([draft.part for draft in drafts], cap)
    files = [counted(draft, part) for draft, part in zip(drafts, kept, strict=True)]
    text = joined([part.text for part in kept])
    gone = [each for draft, here in zip(drafts, files, strict=True) for each in lost(draft, here)]
    if gone:
        note = cut_note(cap, gone)
        findings.warn(f"{named(findings.places.cwd)}: its instructions were {note[5:-4]}")
        text = joined((text, note + "\n"))
    return BlockText(text, tuple(file for here in files for file in here))

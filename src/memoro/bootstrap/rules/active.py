"""Which rules are active: those without paths always, the others when a path in play matches."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from memoro.bootstrap.cutting import cut_note, fit, joined, size
from memoro.bootstrap.imports.expansion import Importing, expand
from memoro.bootstrap.loaded import BlockText, Findings, LoadedFile, Places, counted, lost
from memoro.bootstrap.personal import is_blank
from memoro.bootstrap.reading.source import (
    Reader,
    Source,
    Unusable,
    is_below,
    named,
    read_source,
)
from memoro.bootstrap.rules.frontmatter import Frontmatter, read_frontmatter
from memoro.bootstrap.rules.globs import matches, parse, relative_paths

if TYPE_CHECKING:
    from collections.abc import Sequence

ALWAYS = "rules"
SCOPED = "path rules"
_MOST_CAPS = 2
_MOST_NAMES = 10


class RuleTexts(NamedTuple):
    """The rules that always apply, and those that apply to the paths in play."""

    always: BlockText
    scoped: BlockText


class _Active(NamedTuple):
    text: str
    files: tuple[LoadedFile, ...]


def rule_folders(places: Places) -> list[str]:
    """The folders that rules are read from, in rising precedence; each once."""
    folders = [] if places.shared is None else [os.path.join(places.shared, "rules")]
    folders += [os.path.join(places.root, name, "rules") for name in (".claude", ".memoro")]
    return [
        folder
        for index, folder in enumerate(folders)
        if os.path.realpath(folder) not in map(os.path.realpath, folders[index + 1 :])
    ]


def load_rules(in_play: Sequence[str], cap: int, reader: Reader, findings: Findings) -> RuleTexts:
    """Read the rules and assemble the active ones: lower places first, then by name.

    One rule has at most `cap` bytes, all together twice as many; beyond that whole rules are
    left out, those of the lowest place first, with a note.

    Args:
        in_play: the paths that the turn speaks of or touches, absolute or from the current folder.
        cap: bytes of UTF-8.
        reader: what to read with.
        findings: where warnings and left-out files go.
    """
    places = findings.places
    paths = relative_paths(in_play, places.cwd, places.root, places.user_home)
    always: list[_Active] = []
    scoped: list[_Active] = []
    crowded_out: list[str] = []
    room = _MOST_CAPS * cap
    for path in reversed(_winners(findings)):
        source = _usable(path, reader, findings)
        header = None if source is None else _header(source, paths, findings)
        if source is None or header is None:
            continue
        rule = _active(source, header, cap, reader, findings)
        room -= size(rule.text)
        if room < 0:
            crowded_out.insert(0, findings.name(path))
            findings.skip(path, f"the rules have more than {_MOST_CAPS * cap:,} bytes")
            room = 0
            continue
        (always if header.patterns is None else scoped).insert(0, rule)
    note = _crowded_out(crowded_out, cap, findings)
    return RuleTexts(_block(always, note), _block(scoped, ""))


def _winners(findings: Findings) -> list[str]:
    """The paths of the rules that count, in their order."""
    by_name: dict[str, str] = {}
    for folder in reversed(rule_folders(findings.places)):
        for name in _names(folder, findings):
            path = os.path.join(folder, name)
            if name in by_name:
                findings.skip(path, f"the rule of the same name, {named(by_name[name])}, wins")
            else:
                by_name[name] = path
    order = {folder: index for index, folder in enumerate(rule_folders(findings.places))}
    return sorted(
        by_name.values(), key=lambda path: (order[os.path.dirname(path)], os.path.basename(path))
    )


def _names(folder: str, findings: Findings) -> list[str]:
    if not os.path.lexists(folder):
        return []
    real = os.path.realpath(folder)
    if not any(is_below(real, root) for root in findings.places.readable):
        why = "lies outside the workspace and the global folder"
    else:
        try:
            found = os.listdir(folder)
        except OSError as error:
            why = f"can't be listed: {error.strerror or 'unknown error'}"
        else:
            return sorted(name for name in found if is_rule_name(name))
    findings.warn(f"{named(folder)} {why}; no rules from there")
    findings.skip(folder, why)
    return []


def is_rule_name(name: str) -> bool:
    """Whether a file of this name in a rules folder is a rule."""
    return name.endswith(".md") and not name.startswith(".")


def _usable(path: str, reader: Reader, findings: Findings) -> Source | None:
    found = read_source(path, reader)
    if isinstance(found, Unusable):
        findings.warn(found.warning)
        findings.skip(path, found.why)
        return None
    if found is not None:
        findings.warn(*found.warnings)
    return found


def _header(source: Source, paths: Sequence[str], findings: Findings) -> Frontmatter | None:
    """The rule's header if the rule is active."""
    header = read_frontmatter(source.text)
    globs = parse(header.patterns or ())
    problem = header.problem
    if globs is None:
        problem = (1, "`paths` has too many alternatives")
    if problem is not None:
        line, why = problem
        findings.warn(f"{named(source.path)}:{line}: {why}; the rule is inactive")
        findings.skip(source.path, f"its header can't be understood: line {line}, {why}")
    elif is_blank(header.body):
        findings.skip(source.path, "blank")
    elif header.patterns is None or (globs and any(matches(globs, path) for path in paths)):
        return header
    else:
        findings.skip(source.path, f"no path in play matches {', '.join(header.patterns)}")
    return None


def _active(
    source: Source, header: Frontmatter, cap: int, reader: Reader, findings: Findings
) -> _Active:
    name = findings.name(source.path)
    limited = f" (for {findings.spelled(', '.join(header.patterns))})" if header.patterns else ""
    head = f"### Rule: {findings.spelled(os.path.basename(source.path))}{limited}\n\n"
    body = header.body.lstrip("\n")
    skipped = header.lines + len(header.body) - len(body)
    block = ALWAYS if header.patterns is None else SCOPED
    rule = Importing(source, body, name, block, "rule", head, skipped)
    draft = expand(rule, reader, findings)
    kept = fit([draft.part], cap)[0]
    files = counted(draft, kept)
    text = kept.text
    gone = lost(draft, files)
    if gone:
        note = cut_note(cap, gone)
        findings.warn(f"{named(source.path)}: {note[5:-4]}")
        text = joined((text, note + "\n"))
    own = files[0]._replace(patterns=header.patterns or ())
    return _Active(text, (own, *files[1:]))


def _crowded_out(names: Sequence[str], cap: int, findings: Findings) -> str:
    if not names:
        return ""
    shown = ", ".join(names[:_MOST_NAMES])
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    what = f"rules left out, beyond {_MOST_CAPS * cap:,} bytes in all: {shown}{more}"
    findings.warn(f"{named(findings.places.root)}: {what}")
    return f"<!-- {what} -->\n"


def _block(rules: Sequence[_Active], note: str) -> BlockText:
    text = joined((*(rule.text for rule in rules), note))
    return BlockText(text, tuple(file for rule in rules for file in rule.files))

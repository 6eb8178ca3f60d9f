"""Files of Markdown that were written for an assistant, or by one: points become facts, and prose
becomes notes."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from datetime import UTC, datetime

from memoro.interchange.formats import Clock, Imported
from memoro.interchange.memories.markdown import Block, blocks
from memoro.interchange.reading.files import Unread, changed_at, read_text
from memoro.interchange.reading.making import Found, Origin, fact, note
from memoro.memory.imported import LeftOut
from memoro.memory.records import Trust

_IMPORT = re.compile(r"@(?:import[ \t]+)?(\S+)")
_TITLE_BREAK = " › "
MAX_POINT_CHARACTERS = 2_000
"""What is longer is prose, whatever stands before it."""


def read_document(
    path: str, file: str, origin: Origin, clock: Clock, *, root: str | None = None, folder: str = ""
) -> Iterator[Imported]:
    """A file's points and prose. `folder` is what it speaks of, where that is one folder."""
    text = read_text(path, root=root)
    if isinstance(text, Unread):
        yield LeftOut(file, f"the file {text.why}")
        return
    yield from document(text, origin, time_of_file(path, clock), folder=folder)


def document(
    text: str,
    origin: Origin,
    at: datetime,
    *,
    first: int = 1,
    folder: str = "",
    name: str = "",
    category: str = "",
) -> Iterator[Imported]:
    """A text's points and prose; `name` is what it is called, its first line has that number."""
    for block in blocks(text, first):
        place = f"{origin.file}, line {block.line:,}"
        if block.kind == "point" and len(block.text) <= MAX_POINT_CHARACTERS:
            yield point(block, origin, at, folder=folder, category=category)
        else:
            prose, imports = _without_imports(block.text)
            for target in imports:
                yield LeftOut(place, f"it imports {target}, which is not followed: import it, too")
            if prose.strip():
                title = _TITLE_BREAK.join((name or origin.file, *block.headings))
                read = origin._replace(trust=Trust.READ)
                yield note(title, prose, at, read, place)


def point(
    block: Block, origin: Origin, at: datetime, *, folder: str = "", category: str = ""
) -> Imported:
    """A point of a list as a fact; its heading is a tag to find it by."""
    found = Found(
        block.text,
        at,
        category,
        tags_in(block.headings),
        path=folder,
        more={"heading": _TITLE_BREAK.join(block.headings)},
    )
    return fact(found, origin, f"{origin.file}, line {block.line:,}")


def tags_in(headings: tuple[str, ...]) -> list[str]:
    """The headings that something stands under as tags, without what decorates them."""
    plain = (re.sub(r"[*_`#\[\]]+", "", one).strip(" :.") for one in headings[-2:])
    return [one[:60] for one in plain if one]


def time_of_file(path: str, clock: Clock) -> datetime:
    """When a file was last changed: the time of what has none."""
    changed = changed_at(path)
    if changed is None or changed < 0:
        return clock.now
    return min(clock.now, datetime.fromtimestamp(min(changed, 4e9), UTC))


def _without_imports(prose: str) -> tuple[str, list[str]]:
    kept: list[str] = []
    imports: list[str] = []
    for line in prose.split("\n"):
        found = _IMPORT.fullmatch(line.strip())
        if found and ("/" in found[1] or "." in os.path.basename(found[1])):
            imports.append(found[1])
        else:
            kept.append(line)
    return "\n".join(kept).strip("\n"), imports

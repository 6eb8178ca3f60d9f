"""What the readers of all exports of conversations share: whose an export is, and what is in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Literal, NamedTuple

from memoro.interchange.archives.packages import (
    READ_ERRORS,
    Part,
    Source,
    part_of,
    sources,
    why_unread,
)
from memoro.interchange.archives.splitting import items
from memoro.interchange.reading.glimpse import HEAD_BYTES, Glimpse
from memoro.interchange.reading.json_text import Broken
from memoro.memory.imported import LeftOut

Tool = Literal["chatgpt", "claude"]

_MOST_LOOKED_AT = 20
_MOST_ODD = 1_000
"""So many values in a row that are no objects, and the file is something else."""
_NAME = r'(?<!\\)"(?:{})"\s*:\s*'
"""A name within JSON; one that is quoted in a text has a backslash before it."""
_SIGNS: tuple[tuple[Tool, Part, re.Pattern[str]], ...] = (
    ("chatgpt", "conversations", re.compile(_NAME.format("mapping") + r"\{")),
    ("claude", "conversations", re.compile(_NAME.format("chat_messages") + r"\[")),
    (
        "claude",
        "conversations",
        re.compile(_NAME.format("data_files") + r'\[\s*\{[^}]*"export_url"'),
    ),
    ("claude", "memories", re.compile(_NAME.format("conversations_memory|project_memories"))),
    ("claude", "memories", re.compile(_NAME.format("memory_files") + r"\[")),
    ("claude", "projects", re.compile(_NAME.format("is_starter_project|prompt_template"))),
    ("claude", "designs", re.compile(_NAME.format("contentBlocks") + r"\[")),
)


class Sign(NamedTuple):
    """Whose an export is, by what stands in it, and which part of it a file is."""

    tool: Tool
    part: Part


class Value(NamedTuple):
    """A value of an export and where it stands, for messages."""

    place: str
    value: object


def sign_of(seen: Glimpse) -> Sign | None:
    """Whose export a path is; None where it is none."""
    if not seen.is_folder and seen.outline.shape != "zip":
        return _sign_in(seen.text) if seen.outline.shape in ("array", "object", "lines") else None
    # A zip that is cut has no list of what is in it.
    if seen.names and not any(part_of(name) for name in seen.names):
        return None
    for source in islice(sources(seen.path), _MOST_LOOKED_AT):
        if isinstance(source, Source):
            found = _sign_in(_head(source))
            if found is not None:
                return found
    return None


def values(source: Source, word: str) -> Iterator[Value | LeftOut]:
    """The values of a file, each with its number; a file that can't be read to its end gives what
    was whole before, and says so. `word` is what one is called."""
    number = odd = 0
    try:
        for number, value, is_last in items(source.stream.read):
            place = f"{source.name}, {word} {number:,}"
            odd = 0 if isinstance(value, dict) else odd + 1
            if odd > _MOST_ODD:
                why = f"{_MOST_ODD:,} values in a row are no {word}; the rest is not read"
                yield LeftOut(place, why)
                return
            if isinstance(value, Broken):
                yield LeftOut(place, value.why)
            elif number == 1 and is_last and isinstance(value, dict):
                yield from _inner(Value(source.name, value), word)
            else:
                yield Value(place, value)
    except READ_ERRORS as error:
        yield LeftOut(f"{source.name}, after {word} {number:,}", why_unread(error))


def _inner(whole: Value, word: str) -> Iterator[Value]:
    """A file that is one object: a single value, or a list of them under a name."""
    assert isinstance(whole.value, dict)
    listed = whole.value.get("conversations")
    if not isinstance(listed, list):
        yield whole
        return
    for number, value in enumerate(listed, 1):
        yield Value(f"{whole.place}, {word} {number:,}", value)


def _sign_in(text: str) -> Sign | None:
    """What stands first decides: it is nearest to the outside."""
    found = [
        (match.start(), Sign(tool, part))
        for tool, part, pattern in _SIGNS
        if (match := pattern.search(text))
    ]
    return min(found)[1] if found else None


def _head(source: Source) -> str:
    try:
        return source.stream.read(HEAD_BYTES).decode("utf-8", "replace")
    except READ_ERRORS:
        return ""

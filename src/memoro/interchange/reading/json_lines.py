"""JSON Lines: a value a line, read as it comes, however long the file is."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from memoro.interchange.reading.files import MAX_JSON_BYTES, Unread, decoded, opened, read_text
from memoro.interchange.reading.json_text import Broken, parsed

MAX_LINE_BYTES = 8 * 1024 * 1024
MOST_BROKEN = 100
"""So many lines in a row that are no JSON, and the file is none."""

_WIDE = (b"\xff\xfe", b"\xfe\xff")


class Line(NamedTuple):
    """A line's number, counted from 1, and its value, or why it has none."""

    number: int
    value: object | Broken


def json_lines(
    path: str, root: str | None = None, most: int = MAX_LINE_BYTES
) -> Iterator[Line] | Unread:
    """The lines of a file that are not blank, each of at most so many bytes; or why it can't be
    read."""
    descriptor = opened(path, root)
    if isinstance(descriptor, Unread):
        return descriptor
    with os.fdopen(os.dup(descriptor), "rb") as looked_at:
        head = looked_at.read(2)
    if head in _WIDE:
        os.close(descriptor)
        text = read_text(path, MAX_JSON_BYTES, root)
        return text if isinstance(text, Unread) else _ended(_of_text(text))
    os.lseek(descriptor, 0, os.SEEK_SET)
    return _ended(_streamed(descriptor, most))


def _of_text(text: str) -> Iterator[Line]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield Line(number, parsed(line))


def _streamed(descriptor: int, most: int) -> Iterator[Line]:
    with os.fdopen(descriptor, "rb") as file:
        number = 0
        while raw := file.readline(most + 1):
            number += 1
            if len(raw) > most:
                _skip_line(file, raw)
                yield Line(number, Broken(0, f"it has more than {most:,} bytes"))
            elif raw.strip():
                text = decoded(raw)
                value = Broken(0, f"it {text.why}") if isinstance(text, Unread) else parsed(text)
                yield Line(number, value)


def _skip_line(file: BinaryIO, raw: bytes) -> None:
    while raw and not raw.endswith(b"\n"):
        raw = file.readline(MAX_LINE_BYTES)


def _ended(lines: Iterator[Line]) -> Iterator[Line]:
    """The lines, up to where it is plain that they are something else."""
    broken = 0
    for line in lines:
        broken = broken + 1 if isinstance(line.value, Broken) else 0
        yield line
        if broken == MOST_BROKEN:
            why = f"{MOST_BROKEN} lines in a row are no JSON; the rest is not read"
            yield Line(line.number + 1, Broken(0, why))
            return

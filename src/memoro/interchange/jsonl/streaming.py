"""The lines of an export as bytes, packed or not: one at a time, however long the file is."""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple, cast

from memoro.interchange.reading.files import (
    MAX_JSON_BYTES,
    Unread,
    opened,
    read_text,
    reason_of,
)

PACKED = b"\x1f\x8b"
"""How a gzip file begins."""
MAX_HEADER_BYTES = 65_536
MAX_LINE_BYTES = 256 * 1024 * 1024
MAX_OLD_LINE_BYTES = 1024 * 1024 * 1024
"""Of version 1 of the form, where a line may be a whole import."""

_WIDE = (b"\xff\xfe", b"\xfe\xff")
_MARK = b"\xef\xbb\xbf"
_CHUNK = 1024 * 1024


class RawLine(NamedTuple):
    """A line that is not blank: its number, counted from 1, and its UTF-8 bytes without what ends
    it, or why it can't be read."""

    number: int
    data: bytes
    why: str = ""


def raw_lines(path: str, most: int) -> Iterator[RawLine] | Unread:
    """The lines of a file, each of at most so many bytes; or why it can't be read. The last one
    says so where the file stops making sense."""
    descriptor = opened(path)
    if isinstance(descriptor, Unread):
        return descriptor
    file = os.fdopen(descriptor, "rb")
    head = file.read(2)
    if head in _WIDE:
        file.close()
        text = read_text(path, MAX_JSON_BYTES)
        return text if isinstance(text, Unread) else _of_text(text)
    file.seek(0)
    return _streamed(file, head == PACKED, most)


def _of_text(text: str) -> Iterator[RawLine]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield RawLine(number, line.encode(errors="surrogatepass"))


def _streamed(file: BinaryIO, packed: bool, most: int) -> Iterator[RawLine]:
    number = 0
    with file, _unpacked(file, packed) as lines:
        try:
            while raw := lines.readline(most + 1):
                number += 1
                if len(raw) > most:
                    _skip_line(lines, raw)
                    yield RawLine(number, b"", f"it has more than {most:,} bytes")
                elif raw.strip():
                    data = raw.removesuffix(b"\n").removesuffix(b"\r")
                    yield RawLine(number, data.removeprefix(_MARK) if number == 1 else data)
        except EOFError:
            yield RawLine(number + 1, b"", "the packed file ends in the middle")
        except (zlib.error, gzip.BadGzipFile) as error:
            yield RawLine(number + 1, b"", f"the packed file is damaged: {error}")
        except OSError as error:
            yield RawLine(number + 1, b"", f"it can't be read: {reason_of(error)}")


def _unpacked(file: BinaryIO, packed: bool) -> BinaryIO:
    return cast("BinaryIO", gzip.GzipFile(fileobj=file)) if packed else file


def _skip_line(file: BinaryIO, raw: bytes) -> None:
    while raw and not raw.endswith(b"\n"):
        raw = file.readline(_CHUNK)


def head_of(data: bytes) -> bytes:
    """The beginning of a file, unpacked."""
    if not data.startswith(PACKED):
        return data
    try:
        return zlib.decompressobj(wbits=31).decompress(data, MAX_HEADER_BYTES)
    except zlib.error:
        return b""

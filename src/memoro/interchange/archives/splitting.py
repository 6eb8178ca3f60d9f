"""The items of a JSON array of any size, one after the other, from a stream of bytes.

Memory holds one item and some hundred kilobytes beside it. An item that is no JSON costs just
itself where its end can still be found by its brackets; a stream that ends in the middle gives what
was whole before.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from memoro.interchange.reading.json_text import Broken

MOST_CHARACTERS = 64 * 1024 * 1024
"""Of one item; a larger one is passed over. The largest conversations that people report have 20
million."""

_CHUNK = 256 * 1024
_NEAR = 16
"""A fault so near to the end of what has been read may be none when more is read."""
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SPACE = re.compile(r"[ \t\r\n\ufeff]*")
_OUTSIDE = re.compile(r'["\[\]{},]')
_INSIDE = re.compile(r'["\\]')


def _nothing(_: str) -> None:
    """NaN and the infinities are no JSON, and no value."""


_DECODER = json.JSONDecoder(strict=False, parse_constant=_nothing)


class Item(NamedTuple):
    """An item's number, counted from 1, and its value or why it has none. `is_last` where nothing
    after it can be read."""

    number: int
    value: object | Broken
    is_last: bool = False


def items(read: Callable[[int], bytes]) -> Iterator[Item]:
    """The items of the array that a stream begins with; of any other stream its values, one after
    the other.

    Args:
        read: gives so many bytes of the stream, or fewer; none at its end. What it raises, this
            raises, too.
    """
    window = _Window(read)
    if window.next() == "[":
        window.at += 1
        yield from _items(window)
    else:
        yield from _values(window)


def _values(window: _Window) -> Iterator[Item]:
    if not window.next():
        yield Item(1, Broken(0, "the file is empty"), is_last=True)
        return
    number = 0
    while window.next():
        number += 1
        at, value = window.at, _value(window)
        is_lost = isinstance(value, Broken) and window.at == at
        yield Item(number, value, is_last=is_lost or not window.next())
        if is_lost:
            return


def _items(window: _Window) -> Iterator[Item]:
    number = 0
    while (char := window.next()) != "]":
        number += 1
        if not char:
            yield Item(number, window.cut(), is_last=True)
            return
        value = _value(window)
        char = window.next()
        is_lost = isinstance(value, Broken) and char not in (",", "]")
        yield Item(number, value, is_last=is_lost)
        if is_lost or char == "]":
            return
        if char == ",":
            window.at += 1
        elif char:
            yield Item(number + 1, Broken(window.at, _NO_JSON), is_last=True)
            return


_NO_JSON = "it is no JSON, and what comes after it can't be read"


class _Window:
    """The part of a stream that is looked at, as text, and the place in it."""

    def __init__(self, read: Callable[[int], bytes]) -> None:
        self._read = read
        self._bytes = 0
        first = read(_CHUNK)
        mark, encoding = next(
            ((mark, encoding) for mark, encoding in _MARKS if first.startswith(mark)),
            (b"", "utf-8"),
        )
        self._decoder = codecs.getincrementaldecoder(encoding)("replace")
        self.text = self._decoded(first.removeprefix(mark))
        self._bytes += len(mark)
        self.at = 0
        self.has_ended: bool = not first

    def more(self, size: int) -> bool:
        """Read on, and let go of what lies before the place; whether there was anything."""
        if self.has_ended:
            return False
        read = self._read(size)
        self.has_ended = not read
        self.text = self.text[self.at :] + self._decoded(read)
        self.at = 0
        return True

    def next(self) -> str:
        """The character after any space; "" at the end."""
        while True:
            found = _SPACE.match(self.text, self.at)
            self.at = found.end() if found else self.at
            if self.at < len(self.text):
                return self.text[self.at]
            if not self.more(_CHUNK):
                return ""

    def cut(self) -> Broken:
        """What is told where the stream ends in the middle."""
        return Broken(
            self._bytes,
            f"the file ends in the middle (after {self._bytes:,} bytes); this one and what came"
            " after it are missing",
        )

    def _decoded(self, read: bytes) -> str:
        self._bytes += len(read)
        return self._decoder.decode(read, final=not read)


def _value(window: _Window) -> object | Broken:
    """The value that begins at the place; where there is none, the place is behind what should have
    been one."""
    while True:
        left = len(window.text) - window.at
        try:
            value, end = _DECODER.raw_decode(window.text, window.at)
        except json.JSONDecodeError as error:
            if _is_certain(window, error):
                return _passed_over(window, "it is no valid JSON")
        except RecursionError:
            return _passed_over(window, "it is nested too deeply")
        except ValueError as error:
            return _passed_over(window, str(error))
        else:
            # A number at the end of what has been read may go on.
            if end < len(window.text) - _NEAR or (window.has_ended and not _is_open(window, end)):
                window.at = end
                return value
        if window.has_ended:
            return window.cut()
        if left > MOST_CHARACTERS:
            return _passed_over(window, f"it has more than {MOST_CHARACTERS:,} characters")
        # Twice as much each time: what is read again and again stays in proportion.
        window.more(max(_CHUNK, left))


def _is_open(window: _Window, end: int) -> bool:
    """Whether a value that ends where the stream does may have been cut: a number."""
    return end == len(window.text) and window.text[end - 1].isdecimal()


def _is_certain(window: _Window, error: json.JSONDecodeError) -> bool:
    """Whether more text can't mend a fault. A string without an end is placed at its beginning."""
    return error.pos < len(window.text) - _NEAR and not error.msg.startswith("Unterminated string")


def _passed_over(window: _Window, why: str) -> Broken:
    """Go to the end of the value that begins at the place, by its brackets alone."""
    depth, inside = 0, False
    while True:
        found = (_INSIDE if inside else _OUTSIDE).search(window.text, window.at)
        if found is None or found.end() == len(window.text):
            # What stands after a backslash has to be there, too.
            window.at = len(window.text) if found is None else found.start()
            if window.more(_CHUNK):
                continue
            if found is None:
                return window.cut()
        char = found[0]
        if char == "\\":
            window.at = found.end() + 1
            continue
        if not depth and not inside and char in ",]}":
            window.at = found.start()
            return Broken(window.at, why)
        window.at = found.end()
        if char == '"':
            inside = not inside
        elif not inside and char != ",":
            depth += 1 if char in "[{" else -1
            if not depth:
                return Broken(window.at, why)

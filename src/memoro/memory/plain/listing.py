"""A file of records as a list in JSON, one on each line: made, and taken apart again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from memoro.memory.records import shown

_SPACE = " \t\r\n"
_MOST_DIGITS = 400
"""Of a whole number; what has more is read as infinite, and refused with its record."""
_MARKS = ("<<<<<<<", "|||||||", "=======", ">>>>>>>")
"""Of a conflict, at the beginning of a line."""


class Element(NamedTuple):
    """One element of a list: the `line` that it begins on, its `value`, and how it is written.

    `twice` is a name that one of its objects has twice, "" where none has.
    """

    line: int
    value: object
    raw: str
    twice: str = ""


class Broken(NamedTuple):
    """Where a text stops being a list in JSON, and why; lines and columns count from 1."""

    line: int
    column: int
    what: str


def text_of(lines: Sequence[str]) -> str:
    """The file that has these lines of JSON."""
    return "[\n" + ",\n".join(lines) + "\n]\n" if lines else "[]\n"


def decoded(raw: bytes) -> str | Broken:
    """A file as text: UTF-8, or with a byte order mark, or what editors take for Unicode (UTF-16,
    UTF-32)."""
    try:
        return raw.decode(json.detect_encoding(raw))
    except UnicodeDecodeError as error:
        before = raw[: error.start]
        column = error.start - before.rfind(b"\n")
        return Broken(before.count(b"\n") + 1, column, f"it is not {error.encoding} text")


def listed(text: str) -> tuple[Element, ...] | Broken:
    """The elements of a list in JSON, or where it is broken. Nothing is guessed."""
    reading = _Reading(text)
    try:
        return tuple(reading.elements())
    except _BrokenError as error:
        return _conflicted(text, error.at)


def _conflicted(text: str, at: Broken) -> Broken:
    """The same; where git has left a conflict there, it says so."""
    mark = text.split("\n", at.line)[at.line - 1][: len(_MARKS[0])]
    if mark not in _MARKS:
        return at
    return Broken(at.line, 1, f"git has left a conflict there ({mark})")


class _BrokenError(ValueError):
    def __init__(self, at: Broken) -> None:
        super().__init__(at.what)
        self.at = at


class _Reading:
    """A list while it is gone through."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._twice = ""
        self._line = 1
        self._counted = 0
        """Up to where line ends have been counted."""
        self._decoder = json.JSONDecoder(object_pairs_hook=self._object, parse_int=_whole_number)

    def elements(self) -> list[Element]:
        """All of them.

        Raises:
            _BrokenError: the text is no list, or stops being one.
        """
        at = self._skip(0)
        if at == len(self._text):
            raise self._broken(at, "the file is empty; a list of nothing is []")
        if self._text[at] != "[":
            raise self._broken(at, "it has to be a list, which begins with [")
        at = self._skip(at + 1)
        found: list[Element] = []
        if self._text[at : at + 1] == "]":
            self._end(at)
            return found
        while True:
            element, at = self._element(at)
            found.append(element)
            at = self._skip(at)
            sign = self._text[at : at + 1]
            if sign == "]":
                self._end(at)
                return found
            if sign != ",":
                told = "a comma is missing" if sign else "the list has no end: ] is missing"
                raise self._broken(at, told)
            comma, at = at, self._skip(at + 1)
            if self._text[at : at + 1] == "]":
                raise self._broken(comma, "there is a comma too many before the end")

    def _element(self, at: int) -> tuple[Element, int]:
        self._twice = ""
        line = self._line_of(at)
        try:
            value, end = self._decoder.raw_decode(self._text, at)
        except json.JSONDecodeError as error:
            told = error.msg[:1].lower() + error.msg[1:]
            raise _BrokenError(Broken(error.lineno, error.colno, told)) from error
        except RecursionError as error:
            raise self._broken(at, "it is nested too deep") from error
        return Element(line, value, self._text[at:end], self._twice), end

    def _end(self, at: int) -> None:
        rest = self._skip(at + 1)
        if rest != len(self._text):
            raise self._broken(rest, "something stands behind the end of the list")

    def _skip(self, at: int) -> int:
        text, end = self._text, len(self._text)
        while at < end and text[at] in _SPACE:
            at += 1
        return at

    def _line_of(self, at: int) -> int:
        self._line += self._text.count("\n", self._counted, at)
        self._counted = at
        return self._line

    def _broken(self, at: int, what: str) -> _BrokenError:
        line = self._text.count("\n", 0, at) + 1
        return _BrokenError(Broken(line, at - self._text.rfind("\n", 0, at), what))

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) != len(pairs) and not self._twice:
            names = [name for name, _ in pairs]
            self._twice = next(shown(name) for name in names if names.count(name) > 1)
        return made


def _whole_number(digits: str) -> int | float:
    return int(digits) if len(digits) < _MOST_DIGITS else float("inf")

"""JSON piece by piece: what is whole is understood, also in a file that ends in the middle."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Generator, Iterator
from typing import NamedTuple

_SPACE = re.compile(r"[ \t\n\r\ufeff]*")


def _nothing(_: str) -> None:
    """NaN and the infinities are no JSON, and no value."""


_DECODER = json.JSONDecoder(strict=False, parse_constant=_nothing)


class Piece(NamedTuple):
    """A value, and where it begins: an item of the list `name` ("" for the outermost), or with
    `number` None the whole value of that name."""

    name: str
    number: int | None
    value: object
    at: int


class Broken(NamedTuple):
    """Where a text stops being JSON, and why."""

    at: int
    why: str


def pieces(text: str, lists: Collection[str] | None = None) -> Iterator[Piece | Broken]:
    """The items of a list, or the members of an object, one by one; at the first fault a `Broken`,
    and nothing after it.

    Args:
        text: the JSON.
        lists: the names whose lists are given item by item; None: all of them.
    """
    at = _skip(text, 0)
    try:
        if text.startswith("[", at):
            yield from _items(text, at, "")
        elif text.startswith("{", at):
            at = yield from _members(text, at, lists)
            yield from _rest(text, at)
        else:
            value, _ = _DECODER.raw_decode(text, at)
            yield Piece("", None, value, at)
    except _FaultError as fault:
        yield Broken(fault.at, fault.why)
    except RecursionError:
        yield Broken(at, "it is nested too deeply")
    except json.JSONDecodeError as error:
        yield Broken(error.pos, _why(text, error.pos, _is_cut(text, error)))
    except ValueError as error:
        yield Broken(at, str(error))


def parsed(text: str) -> object | Broken:
    """One whole value."""
    try:
        at = _skip(text, 0)
        value, end = _DECODER.raw_decode(text, at)
    except RecursionError:
        return Broken(0, "it is nested too deeply")
    except json.JSONDecodeError as error:
        where = f"is not valid JSON from column {error.pos + 1:,} on"
        why = "ends in the middle of its JSON" if _is_cut(text, error) else where
        return Broken(error.pos, f"it {why}")
    except ValueError as error:
        return Broken(0, str(error))
    if _skip(text, end) < len(text):
        return Broken(end, "something follows after the end of its JSON")
    return value


def place_of(text: str, at: int) -> str:
    """Where in a text an offset is."""
    line = text.count("\n", 0, at) + 1
    return f"line {line:,}, column {at - text.rfind(chr(10), 0, at):,}"


class _FaultError(Exception):
    def __init__(self, at: int, why: str) -> None:
        super().__init__(why)
        self.at = at
        self.why = why


def _items(text: str, at: int, name: str) -> Generator[Piece, None, int]:
    """The items of the list that begins here; returns where it ends."""
    at, number = _skip(text, at + 1), 0
    if text.startswith("]", at):
        return at + 1
    while True:
        value, end = _DECODER.raw_decode(text, at)
        yield Piece(name, number, value, at)
        at, number = _skip(text, end), number + 1
        if text.startswith("]", at):
            return at + 1
        at = _after(text, at, ",")


def _members(text: str, at: int, lists: Collection[str] | None) -> Generator[Piece, None, int]:
    at = _skip(text, at + 1)
    if text.startswith("}", at):
        return at + 1
    while True:
        if not text.startswith('"', at):
            raise _FaultError(at, _why(text, at))
        name, end = _DECODER.raw_decode(text, at)
        at = _after(text, _skip(text, end), ":")
        if text.startswith("[", at) and (lists is None or name in lists):
            at = yield from _items(text, at, str(name))
        else:
            value, end = _DECODER.raw_decode(text, at)
            yield Piece(str(name), None, value, at)
            at = end
        at = _skip(text, at)
        if text.startswith("}", at):
            return at + 1
        at = _after(text, at, ",")


def _rest(text: str, at: int) -> Iterator[Broken]:
    at = _skip(text, at)
    if at < len(text):
        yield Broken(at, "something follows after its end")


def _after(text: str, at: int, char: str) -> int:
    if not text.startswith(char, at):
        raise _FaultError(at, _why(text, at))
    return _skip(text, at + 1)


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _is_cut(text: str, error: json.JSONDecodeError) -> bool:
    # The place of a string without an end is where it begins.
    return error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string")


def _why(text: str, at: int, cut: bool = False) -> str:
    if cut or at >= len(text.rstrip()):
        return "the file ends in the middle; what comes after this is missing"
    return "it is not valid JSON from here on; what comes after this is not read"

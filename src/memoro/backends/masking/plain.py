"""A text as secrets are looked for in it: without what hides them, and with a way back.

Invisible characters are left out, full-width and styled letters and digits are plain ones, and a
placeholder is a single NUL, which no rule matches: what was masked is never looked at again.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Sequence

MASKED = "\0"

_HIDDEN = re.compile(
    r"\[secret: (?P<kind>[A-Za-z0-9& ]{1,64})\]"
    "|[\0-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff0-\ufffb\U000e0000-\U000e0fff]+"
)
# Rows of characters with line breaks between them, as a mail or a terminal wraps a long token.
_ROW = r"[A-Za-z0-9_+/=.:-]"
_BREAK = r"[ \t]{0,8}\r?\n[ \t>|]{0,8}"
_WRAPPED = re.compile(rf"(?<!{_ROW}){_ROW}{{8,512}}(?:{_BREAK}{_ROW}{{4,512}})+")
_ONE_BREAK = re.compile(_BREAK)
_DASHES = frozenset("‐‑‒–—―−")
_SURROGATES = range(0xD800, 0xE000)
_NOT_TEXT = "\ufffd"


class Plain(NamedTuple):
    """A text to be searched. Of each piece of it, `starts` has the place in `text`, `origins` that
    in the text which was given."""

    text: str
    starts: Sequence[int]
    origins: Sequence[int]

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """Where the characters from `start` up to `end` stand in the given text."""
        return self._origin(start), self._origin(end - 1) + 1

    def _origin(self, place: int) -> int:
        piece = bisect_right(self.starts, place) - 1
        return self.origins[piece] + place - self.starts[piece]


def plain(text: str, kinds: Container[str]) -> Plain:
    """The text as it is searched; `kinds` are those that a placeholder may name."""
    folded = text if text.isascii() else text.translate(_FOLDED)
    hidden = (
        (match.start(), match.end(), MASKED if match["kind"] else "")
        for match in _HIDDEN.finditer(folded)
        if match["kind"] is None or match["kind"] in kinds
    )
    return _replaced(folded, hidden)


def unwrapped(text: str) -> Iterator[Plain]:
    """The parts of the text in which a long token may be spread over lines, with these joined."""
    for match in _WRAPPED.finditer(text):
        breaks = ((found.start(), found.end(), "") for found in _ONE_BREAK.finditer(match[0]))
        joined = _replaced(match[0], breaks)
        yield joined._replace(origins=[match.start() + place for place in joined.origins])


def _replaced(text: str, parts: Iterable[tuple[int, int, str]]) -> Plain:
    """The text with each part, from a place up to another, as one character or none."""
    pieces: list[str] = []
    starts, origins = [0], [0]
    length = last = 0
    for start, end, instead in parts:
        pieces += text[last:start], instead
        length += start - last + len(instead)
        last = end
        if instead:
            starts.append(length - 1)
            origins.append(start)
        starts.append(length)
        origins.append(end)
    pieces.append(text[last:])
    return Plain("".join(pieces) if last else text, starts, origins)


class _Folding(dict[int, str]):
    """Code points to the ASCII character that they stand for, filled as they turn up."""

    def __missing__(self, code: int) -> str:
        self[code] = folded = _folded(code)
        return folded


def _folded(code: int) -> str:
    character = chr(code)
    if code in _SURROGATES:
        return _NOT_TEXT
    if character in _DASHES:
        return "-"
    simple = unicodedata.normalize("NFKC", character)
    return simple if len(simple) == 1 and simple.isascii() else character


_FOLDED = _Folding()

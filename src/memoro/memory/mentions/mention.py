"""A thing that a text names, and where in the text it does."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

TAKEN = "\x01"
"""Stands in a text for each character of what was found already; no word, no space."""

QUOTES = "`'\"“”‘’«»"


class Mention(NamedTuple):
    """`kind`, `what` and `subject` are as in `memoro.memory.claims.Claim`; the text from `start` to
    `end` is what names it."""

    kind: Literal["file", "branch", "version", "address"]
    what: str
    start: int
    end: int
    subject: str = ""


def without(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """The text, of the same length, with these parts taken."""
    parts: list[str] = []
    done = 0
    for start, end in sorted(spans):
        if end > done:
            begin = max(start, done)
            parts += (text[done:begin], TAKEN * (end - begin))
            done = end
    return "".join((*parts, text[done:]))

"""Where a text holds a secret, and of which kind; and signs that tell a secret from words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

# A segment of a name rather than of a secret: `staging`, `Publish`, `api03`, `2026`.
_PLAIN_SEGMENT = re.compile(r"(?:[a-z]{1,20}|[A-Z]{1,20}|[A-Z][a-z]{1,19})\d{0,4}|\d+")
_SEGMENT = re.compile(r"[A-Za-z0-9]+")
_REPEATED = re.compile(r"(.)\1{5,}", re.DOTALL)
_LONGEST_PREFIX = 16


class Span(NamedTuple):
    """A secret in the plain text: from `start` up to `end`, and what it is."""

    start: int
    end: int
    kind: str


def merged(spans: Iterable[Span]) -> list[Span]:
    """The spans in the order of the text, those that overlap as one; its kind is that of the
    span which was given first, so whoever knows best goes first."""
    ranked = sorted((span.start, span.end, rank, span.kind) for rank, span in enumerate(spans))
    joined: list[tuple[int, int, int, str]] = []
    for start, end, rank, kind in ranked:
        if joined and start < joined[-1][1]:
            last = joined.pop()
            best = min((last[2], last[3]), (rank, kind))
            joined.append((last[0], max(end, last[1]), *best))
        else:
            joined.append((start, end, rank, kind))
    return [Span(start, end, kind) for start, end, _, kind in joined]


def is_scrambled(text: str) -> bool:
    """Whether at least one segment between the signs is neither a word nor a number."""
    return any(not _PLAIN_SEGMENT.fullmatch(part) for part in _SEGMENT.findall(text))


def is_filling(text: str) -> bool:
    """Whether all but a prefix is the same character again and again: `ghp_xxxxxxxx…`."""
    rest = _REPEATED.sub("", text)
    return rest != text and len(rest) <= _LONGEST_PREFIX

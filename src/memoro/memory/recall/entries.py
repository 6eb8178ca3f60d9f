"""What the search index keeps of a text: the stems of its parts, how often they stand there, and
how long the part is.

A text is found by its parts, since in a long one the words of a question stand near each other
only by chance. Where a part is, and what the index says of a stem in it, are small integers, so
that a stem's places fit in a few bytes each.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from memoro.memory.recall.words import tokens

RECIPE = 1
"""Counts how entries are made: an index of an older recipe is made anew."""

PART_TOKENS = 160
"""A longer text is cut into equal parts of at most so many tokens (80 to 320 do alike)."""

MOST_PARTS = 16
"""A text of more parts than an address has room for gets longer ones instead."""

_MOST_OFTEN = 15
_BOUNDS = (15, 20, 27, 35, 45, 60, 75, 90, 105, 120, 135, 150, 165, 320, 640)
_MIDDLES = (12, 18, 24, 31, 40, 52, 68, 82, 98, 112, 128, 142, 158, 230, 460, 900)
"""Lengths of parts, in tokens, by the sixteen steps that a code tells apart."""

COUNTS = bytes(code >> 4 for code in range(256))
"""How often a stem stands in a part, by its code."""


class Entry(NamedTuple):
    """A text in the index: for each part its stems with their codes, and how many tokens it has."""

    parts: tuple[Mapping[str, int], ...]
    length: int


def entry(text: str) -> Entry:
    """What the index keeps of a text."""
    found = tokens(text)
    return Entry(tuple(_coded(part) for part in _cut(found)), len(found))


@lru_cache(maxsize=8)
def saturations(pivot: float, k1: float, b: float) -> Sequence[float]:
    """What each code is worth for a stem, as a factor: BM25's term weight with a fixed pivot for
    its average length, so that nothing shorter is rewarded and no score drifts as the store
    grows."""
    return [_saturation(code, pivot, k1, b) for code in range(256)]


def _saturation(code: int, pivot: float, k1: float, b: float) -> float:
    count, length = code >> 4, _MIDDLES[code & 15]
    norm = 1 - b + b * max(length, pivot) / pivot
    return (k1 + 1) * count / (count + k1 * norm)


def _cut(found: Sequence[str]) -> list[Sequence[str]]:
    number = min(MOST_PARTS, -(-len(found) // PART_TOKENS)) or 1
    size = -(-len(found) // number)
    return [found[start : start + size] for start in range(0, len(found), size or 1)]


def _coded(part: Sequence[str]) -> Mapping[str, int]:
    counts: dict[str, int] = {}
    get: Callable[[str, int], int] = counts.get
    for token in part:
        counts[token] = get(token, 0) + 1
    step = sum(len(part) > bound for bound in _BOUNDS)
    return {stem: min(count, _MOST_OFTEN) << 4 | step for stem, count in counts.items()}

"""Lists of words, as they are easiest to read and to add to."""

from __future__ import annotations


def listed(words: str) -> frozenset[str]:
    """The words of a text, which stand apart by spaces."""
    return frozenset(words.split())

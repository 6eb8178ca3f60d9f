"""Folding: one spelling for the same word in any case, with and without accents."""

from __future__ import annotations

import unicodedata

# Words that only their accent tells from another, common one.
_TOLD_BY_ACCENT = frozenset({"é", "está", "à", "às", "avó", "avô", "pôde", "pôr"})


def folded(word: str) -> str:
    """The word in lower case and without accents, as people type it in a hurry."""
    if word.isascii():
        return word.lower()
    lower = word.casefold()
    if lower in _TOLD_BY_ACCENT:
        return lower
    parts = unicodedata.normalize("NFD", lower)
    return unicodedata.normalize("NFC", "".join(c for c in parts if not "\u0300" <= c <= "\u036f"))

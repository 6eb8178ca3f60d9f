"""Text as words are compared."""

from __future__ import annotations

import unicodedata

UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
"""The scripts that put no spaces between words, for a class of a pattern."""


def folded(text: str) -> str:
    """A text without case, accents and differences of normal form."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return unicodedata.normalize("NFC", "".join(c for c in plain if not unicodedata.combining(c)))

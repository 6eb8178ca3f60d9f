"""Text as words are compared."""

from __future__ import annotations

import unicodedata


def folded(text: str) -> str:
    """A text without case, accents and differences of normal form."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return unicodedata.normalize("NFC", "".join(c for c in plain if not unicodedata.combining(c)))

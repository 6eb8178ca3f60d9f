"""The normal form of a statement, by which two are one and the same."""

from __future__ import annotations

import re
import unicodedata

_INVISIBLE_LETTERS = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
_VARIATION_SELECTORS = range(0xFE00, 0xFE10)
_SENTENCE_ENDS = " .,;:!?…。！？，；：、．"

# Upper and lower case are two files on most systems, and two pages on most servers. A slash inside
# of a word says nothing: "CI/CD" and "ci/cd" are one.
_PATH = re.compile(
    r"[\"'(\[<`]*(?:[a-z][a-z0-9+.-]{0,15}://\S|~?/\w|\.{1,2}/\w|[a-z]:\\|\\\\)", re.I
)


def normalised(text: str) -> str:
    """The form for identity: NFC, one case (paths and URLs keep theirs), single spaces, nothing
    invisible, and no punctuation at the end of the sentence."""
    visible = _folded(without_invisible(text))
    return visible.rstrip(_SENTENCE_ENDS) or visible


def without_invisible(text: str) -> str:
    """The text without zero-width and other format characters, in NFC."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", "".join(c for c in text if not _is_invisible(c)))


def _is_invisible(character: str) -> bool:
    return not character.isascii() and (
        unicodedata.category(character) == "Cf"
        or character in _INVISIBLE_LETTERS
        or ord(character) in _VARIATION_SELECTORS
    )


def _folded(text: str) -> str:
    words = text.split()
    if "/" not in text and "\\" not in text:
        return casefolded(" ".join(words))
    return " ".join(word if is_path(word) else casefolded(word) for word in words)


def is_path(word: str) -> bool:
    """Whether the word is written as a path or URL, whose case may matter."""
    return _PATH.match(word) is not None


def casefolded(text: str) -> str:
    """The text in one case and NFC; folding twice changes nothing more."""
    if text.isascii():
        return text.lower()
    # Folding can take a text out of NFC, and composing can make letters that fold again.
    for _ in range(3):
        folded = unicodedata.normalize("NFC", text.casefold())
        if folded == text:
            break
        text = folded
    return text

"""Hiding given values wherever a text repeats them, however they are spaced, cased or escaped."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

HIDDEN = "[sensitive]"

_WORD = re.compile(r"[^\W_]+")
_ASCII = re.compile(r"[a-zA-Z]+|[0-9]+")
_NUMBER = re.compile(r"(?<![0-9])[0-9]+(?:[.,'’ \u00a0\u2009\u202f][0-9]{3})*(?![0-9])")
_COUNTRY = re.compile(r"(?:\+|\b00)[0-9]{1,3}\b")
_YEAR = re.compile("(?:19|20)[0-9]{2}")
_SAYS_NOTHING = frozenset(
    {
        *("yes", "no", "none", "null", "true", "false", "on", "off", "both", "n/a", "na", "n", "y"),
        *("sim", "não", "nao", "nenhum", "nenhuma", "s"),
    }
)
"""Values that are half of all sentences, and tell nothing where they stand by themselves."""
_LEAST = 2
_MOST_WORDS = 400
"""Of a longer value, each stretch of so many words is looked for by itself."""

_SPACE = r"(?:\\(?:[nrtbf]|u[0-9a-fA-F]{4})|[\W_])"
"""What may stand between two words, also within JSON that is kept as a text."""
_BETWEEN = _SPACE + "{1,40}"
_BETWEEN_DIGITS = _SPACE + "{0,40}"
_IN_NUMBER = r"[.,'’ \u00a0\u2009\u202f_-]?"
_RUN_ON = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
"""Scripts that put no space between words."""
_LETTER = rf"[^\W\d_{_RUN_ON}]"


def hiding(values: Iterable[str]) -> Callable[[str], str]:
    """What puts `HIDDEN` in the place of these values in a text.

    A value stands by itself: "Ana" is not hidden in "Anatomy", nor 900 in 9000. Spaces and marks
    between its words, and within numbers, may be others; letters may be of either case, composed or
    not, or escaped as JSON does it. A long number of a value is hidden without the rest of it, too.
    Time is linear in the text.
    """
    found: dict[str, tuple[str, re.Pattern[str]]] = {}
    for value in values:
        for stretch in (*_stretches(value), *_numbers(value)):
            for spelled in (stretch, unicodedata.normalize("NFC", stretch)):
                pattern = re.compile(_pattern(spelled), re.IGNORECASE)
                found.setdefault(spelled.casefold(), (_anchor(spelled), pattern))
    # A longer value goes first: it may hold a shorter one.
    ordered = [found[one] for one in sorted(found, key=lambda one: (-len(one), one))]

    def hide(text: str) -> str:
        lowered = text.lower()
        for anchor, pattern in ordered:
            if anchor in lowered:
                text = pattern.sub(HIDDEN, text)
        return text

    return hide


def _anchor(value: str) -> str:
    """Letters that every spelling of a value has, in lower case: looking for these costs little."""
    found = _ASCII.findall(" ".join(_WORD.findall(value)))
    letters = [one if not one.isdigit() or len(one) < 4 else one[0] for one in found]
    return max(letters, key=len, default="").lower()


def is_hidden(value: str) -> bool:
    """Whether a value is looked for at all: not a single character, nor a bare yes or no."""
    return bool(_stretches(value))


def _stretches(value: str) -> list[str]:
    value = value.strip()
    if value.casefold() in _SAYS_NOTHING:
        return []
    words = _WORD.findall(value)
    if not _is_of_words(words):
        return [value] if len(value) >= _LEAST or not value.isascii() else []
    if len(words) <= _MOST_WORDS:
        return [value]
    return [
        " ".join(words[first : first + _MOST_WORDS]) for first in range(0, len(words), _MOST_WORDS)
    ]


def _numbers(value: str) -> list[str]:
    # A phone number is told with the country's number, or without it.
    spelled = [*_NUMBER.findall(value), *_NUMBER.findall(_COUNTRY.sub("", value))]
    found = ["".join(filter(str.isdigit, one)) for one in spelled]
    return [one for one in found if len(one) > 3 and not _YEAR.fullmatch(one)]


def _is_of_words(words: Sequence[str]) -> bool:
    return sum(map(len, words)) >= _LEAST or any(not one.isascii() for one in words)


def _pattern(value: str) -> str:
    words = _WORD.findall(value)
    if not _is_of_words(words):
        return "".join(map(_char, value))
    made = _word(words[0])
    for before, word in pairwise(words):
        digits = before[-1].isdigit() and word[0].isdigit()
        made += (_BETWEEN_DIGITS if digits else _BETWEEN) + _word(word)
    return _before(words[0][0]) + made + _after(words[-1][-1])


def _before(char: str) -> str:
    """What must not stand before a value that begins so; what JSON escapes may."""
    kind = _kin(char)
    return rf"(?:(?<!{kind})|(?<=\\[nrtbf])|(?<=\\u[0-9a-fA-F]{{4}}))" if kind else ""


def _after(char: str) -> str:
    """What must not stand behind a value that ends so."""
    kind = _kin(char)
    return rf"(?!{kind})" if kind else ""


def _kin(char: str) -> str:
    """The characters that would make one word, or number, with it."""
    if char.isdigit():
        return r"\d"
    return "" if re.match(f"[{_RUN_ON}]", char) else _LETTER


def _word(word: str) -> str:
    if word.isdigit() and word.isascii():
        return _IN_NUMBER.join(word) if len(word) > 3 else word
    return "".join(map(_char, word))


def _char(char: str) -> str:
    """A character as it may be spelled: composed or not, as it is or as JSON escapes it."""
    if char.isascii() and char.isalnum():
        return char
    spelled = [char, unicodedata.normalize("NFD", char)]
    cased = [*spelled, *(one.lower() for one in spelled), *(one.upper() for one in spelled)]
    escaped = [json.dumps(one)[1:-1] for one in cased]
    every = dict.fromkeys([*spelled, *escaped])
    return "(?:" + "|".join(map(re.escape, every)) + ")"

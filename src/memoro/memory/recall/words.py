"""Words as an index keeps them: folded, cut, and brought to one form.

Whatever the case, normal form and accents of a text, its words are the same. A script without
spaces has no words to cut, so its characters stand alone and in pairs.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise

from memoro.memory.recall.function_words import FUNCTION_WORDS, SPEECH_WORDS
from memoro.memory.recall.stemming import stem

MAX_WORD_CHARACTERS = 64
"""A longer run (a key, a picture as text) is cut into pieces of this length."""

_MAX_FIELDS = 4
"""Of a dotted number; more of them are no version, address or date, but a row of numbers."""
_YEAR_DIGITS = 4
_FOLDS_KEPT = 1 << 15
_MAX_SIGNS = 32


def surface(text: str) -> list[str]:
    """The folded words of a text in their order.

    A dotted number is there whole, then as far as each dot, then in its parts: `3.11.7`, `3.11`,
    `3`, `11`, `7`.
    """
    return _cut(text, _number)


def tokens(text: str) -> list[str]:
    """The words of `surface`, those of a spaced script brought to one form each."""
    return list(map(stem, _cut(text, _number)))


def query_terms(text: str) -> tuple[str, ...]:
    """What to look for: the distinct tokens of a question in their order, no function words.

    A dotted number is looked for whole and not by its parts. Where only function words were said,
    they are what was meant.
    """
    words = _cut(text, _sought_number)
    telling = [word for word in words if word not in FUNCTION_WORDS]
    return tuple(dict.fromkeys(map(stem, telling or words)))


def content_stems(text: str) -> tuple[str, ...]:
    """The stems that tell what a question is about: no words of speaking, and none at all where it
    has only function words."""
    words = _cut(text, _sought_number)
    return tuple(
        stem(word) for word in words if word not in FUNCTION_WORDS and word not in SPEECH_WORDS
    )


def has_content(text: str) -> bool:
    """Whether a text has any word but function words."""
    return any(word not in FUNCTION_WORDS for word in _cut(text, _sought_number))


def is_unspaced(text: str) -> bool:
    """Whether more than half of the letters belong to scripts without spaces."""
    if text.isascii():
        return False
    plain = _folded(text)
    return 2 * _letters("".join(re.findall(_UNSPACED, plain))) > _letters(plain)


def is_latin(text: str) -> bool:
    """Whether at least half of the letters are Latin; so they are where there are none."""
    if text.isascii():
        return True
    plain = _folded(text)
    return 2 * _letters("".join(re.findall(_LATIN, plain))) >= _letters(plain)


def _letters(text: str) -> int:
    return sum(map(str.isalpha, text))


# --- Folding ------------------------------------------------------------------------------------

_STRETCH = re.compile(r"[^\x00-\x7f]+")
_CLITIC = re.compile(r"'(?<=[^\W_]')(?:s|t|d|m|ll|re|ve)(?![^\W_])")
_SIGN = r"[^\w\s\x00-\x7f\u2460-\u24ff\u3200-\u33ff\U0001f100-\U0001f1ff]"  # but letters in circles
_LONG_TAIL = rf"({_SIGN}{{{_MAX_SIGNS}}}){_SIGN}+"
"""Signs and marks in a row, beyond what any writing needs: to sort many marks takes very long."""

_DROPPED = re.compile(
    "[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"  # Latin …
    "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"  # Hebrew points
    "\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed"
    "\u08ca-\u08e1\u08e3-\u08ff\u0711\u0730-\u074a"  # Arabic and Syriac vowels; the long stroke
    "\u00ad\u180b-\u180f\u200c-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]"  # unseen
)
_ALIKE = {
    **dict.fromkeys("\u2018\u2019\u201b\u02bc", "'"),
    **dict(zip("æœøłđðþħŧı", ("ae", "oe", "o", "l", "d", "d", "th", "h", "t", "i"), strict=True)),
    # Arabic, Persian and Urdu letters that people write one for another
    **dict.fromkeys("\u0671", "\u0627"),
    **dict.fromkeys("\u0649\u06cc", "\u064a"),
    **dict.fromkeys("\u0629\u06be\u06c1\u06c3\u06d5", "\u0647"),
    **dict.fromkeys("\u06a9", "\u0643"),
}
_KEPT_SIGNS = frozenset(" '.,")


class _Folding(dict[int, str | None]):
    """What stands for a character of a decomposed, case-folded text; filled as it is asked."""

    def __missing__(self, code: int) -> str | None:
        category = unicodedata.category(chr(code))
        plain = _plain(chr(code), category)
        if category[0] != "C":  # so that it can't outgrow the characters that there are
            self[code] = plain
        return plain


def _plain(character: str, category: str) -> str | None:
    if _DROPPED.match(character):
        return None
    if category == "Nd":
        return str(unicodedata.digit(character))
    if character in _KEPT_SIGNS or category[0] == "M" or character.isalnum():
        return _ALIKE.get(character, character)
    return _ALIKE.get(character, " ")


_FOLDING = _Folding()


def _folded(text: str) -> str:
    """The text in small plain letters; what is left outside ASCII are letters and their marks."""
    if not text.isascii():
        text = _STRETCH.sub(_fold, text)
    return text.lower()


def _fold(stretch: re.Match[str]) -> str:
    characters = stretch[0]
    if len(characters) <= _MAX_SIGNS:
        return _fold_short(characters)
    return _fold_any(re.sub(_LONG_TAIL, r"\1", characters))


def _fold_any(characters: str) -> str:
    # The ASCII around never composes with what comes of this, as marks on it are dropped.
    characters = unicodedata.normalize("NFKD", characters)
    characters = unicodedata.normalize("NFKD", characters.casefold())
    # Kana and Hangul are taken apart too, and what is left of them belongs together.
    return unicodedata.normalize("NFC", characters.translate(_FOLDING))


_fold_short = lru_cache(maxsize=_FOLDS_KEPT)(_fold_any)


# --- Cutting ------------------------------------------------------------------------------------

_Find = Callable[[str], list[str]]

_ASCII_WORD = re.compile(rf"[a-z0-9]{{1,{MAX_WORD_CHARACTERS}}}")
_FOLDED_WORD = re.compile(rf"[^\x00-/:-`{{-\x7f]{{1,{MAX_WORD_CHARACTERS}}}")
# The wide classes take milliseconds to compile, which no start shall cost: `re` does at first use.
_UNSPACED = (
    "["
    "\u0e00-\u0eff"  # Thai, Lao
    "\u1000-\u109f\ua9e0-\ua9ff\uaa60-\uaa7f\u1780-\u17ff"  # Myanmar, Khmer
    "\u1950-\u19df\u1a20-\u1aaf"  # Tai Le, New Tai Lue, Tai Tham
    "\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff"  # Hangul
    "\u3041-\u312f\u31a0-\u31bf\u31f0-\u31ff\U0001aff0-\U0001b16f"  # kana, Bopomofo
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U000323af]+"  # Han
)
_CLUSTER = re.compile(
    "(?s:.)[\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u102b-\u103e"
    "\u1056-\u1059\u17b4-\u17d3\u17dd\u3099\u309a]*"
)
"""A character with the vowel and tone marks on it."""
_LATIN = (
    "[a-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02af\u1d00-\u1dbf\u1e00-\u1eff\u2c60-\u2c7f"
    "\ua722-\ua7ff\uab30-\uab6f]+"
)


def _cut(text: str, read_number: Callable[[str, _Find], list[str]]) -> list[str]:
    text = _folded(text)
    find: _Find = _ASCII_WORD.findall
    if not text.isascii():
        find = _unspaced_too if re.search(_UNSPACED, text) else _FOLDED_WORD.findall
    if "'" in text:
        text = _CLITIC.sub("", text.replace("won't", "will"))
    if _HAS_DOTTED.search(text) is None:
        return find(text)
    return _around_numbers(text, find, read_number)


def _unspaced_too(text: str) -> list[str]:
    words: list[str] = []
    at = 0
    for run in re.finditer(_UNSPACED, text):
        words += _FOLDED_WORD.findall(text, at, run.start())
        characters = _CLUSTER.findall(run[0])
        words += characters
        words += map("".join, pairwise(characters))
        at = run.end()
    return words + _FOLDED_WORD.findall(text, at)


# --- Numbers ------------------------------------------------------------------------------------

_HAS_DOTTED = re.compile(r"[0-9][.,][0-9]")
_DOTTED = re.compile(r"[0-9](?<![0-9].)[0-9]*+(?:[.,][0-9]++)+")
_VERSION = re.compile(r"(?<![a-z0-9])v(?=[0-9])")
_THOUSANDS = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?")


def _around_numbers(
    text: str, find: _Find, read_number: Callable[[str, _Find], list[str]]
) -> list[str]:
    words: list[str] = []
    at = 0
    for number in _DOTTED.finditer(text):
        start = number.start()
        if _VERSION.match(text, start - 1):
            start -= 1
        words += find(text[at:start])
        words += read_number(text[start : number.end()], find)
        at = number.end()
    return words + find(text[at:])


def _number(number: str, find: _Find) -> list[str]:
    wholes = _wholes(number, find)
    told = set(wholes)
    return [*wholes, *(part for part in find(number) if part not in told)]


def _sought_number(number: str, find: _Find) -> list[str]:
    wholes = _wholes(number, find)
    # A date's year is said without its day and month too.
    return [*wholes, *(part for part in find(number) if len(part) == _YEAR_DIGITS)]


def _wholes(number: str, find: _Find) -> list[str]:
    number = number.removeprefix("v")
    if _THOUSANDS.fullmatch(number):
        number = number.replace(",", "")
    wholes: list[str] = []
    for piece in number.split(","):
        fields = piece.split(".")
        if len(fields) > _MAX_FIELDS or len(piece) > MAX_WORD_CHARACTERS:
            wholes += find(piece)
        else:
            wholes += (
                ".".join(fields[:to]) for to in range(len(fields), min(len(fields), 2) - 1, -1)
            )
    return wholes

"""One form for the forms of a word: English in the main, with little harm to its neighbours.

A stem is a key, no word of a dictionary: what counts is that `bake`, `baked` and `baking` meet.
"""

from __future__ import annotations

import re
from functools import lru_cache

from memoro.memory.recall.irregular import IRREGULAR

_STEMS_KEPT = 1 << 16
_SHORTEST_STEM = 3

_SHORT = re.compile(r"[^aeiou]*[aeiouy][^aeiouwxy]")
"""One short syllable, which an e at the end makes another word of: plan, plane; us, use."""
_VOWEL = re.compile(r"[aeiouy]")
_LONG_LL = re.compile(r"[aeiouy][^aeiouy]+[aeiouy]ll$")
_NUMBERED = re.compile(r"^([0-9]+)(?:st|nd|rd|th|s)$")
_ARABIC_ARTICLE = re.compile(r"^(?:[\u0648\u0628\u0643\u0641]?\u0627\u0644|\u0644\u0644)(?=\w{3})")


@lru_cache(maxsize=_STEMS_KEPT)
def stem(word: str) -> str:
    """The form that a folded word is filed under."""
    filed = IRREGULAR.get(word)
    if filed is not None:
        return _without_e(filed)
    if not word.isascii():
        return _ARABIC_ARTICLE.sub("", word)
    if not word.isalpha():
        return _NUMBERED.sub(r"\1", word)
    if len(word) <= _SHORTEST_STEM:
        return word
    singular = _singular(word)
    short = _without_e(IRREGULAR.get(singular) or _without_ending(singular))
    return short if len(short) >= _SHORTEST_STEM else word


def _singular(word: str) -> str:
    if not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word.removesuffix("x") if word.endswith("eaux") else word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("coes", "soes", "ioes")):  # Portuguese: reuniões, of reunião
        return word[:-3] + "ao"
    return word[:-1]


def _without_ending(word: str) -> str:
    if word.endswith("ied") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith("eed"):
        return word
    short = word.removesuffix("ing") if word.endswith("ing") else word.removesuffix("ed")
    if short == word or not _VOWEL.search(short):
        return word
    if len(short) > _SHORTEST_STEM and short[-1] == short[-2] and short[-1] not in "aefioulsz":
        return short[:-1]
    return short + "e" if _SHORT.fullmatch(short) else short


def _without_e(word: str) -> str:
    if word.endswith("ie") and len(word) > 4:
        return word[:-2] + "y"
    if word.endswith("e"):
        short = word[:-1]
        return word if len(short) < _SHORTEST_STEM or _SHORT.fullmatch(short) else short
    return word[:-1] if _LONG_LL.search(word) else word

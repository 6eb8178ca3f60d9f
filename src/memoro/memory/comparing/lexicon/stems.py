"""Light stemming: one form for singular and plural, and for the endings of English verbs."""

from __future__ import annotations

_VOWELS = frozenset("aeiouy")
_KEPT = ("ss", "us", "is", "as", "os", "eed", "aws")


def english_stem(word: str) -> str:
    """The word without plural and verb endings."""
    size = len(word)
    if size <= 3 or not word.isalpha():
        return word
    if word[-1] == "s":
        return _singular(word)
    if size > 5 and word.endswith("ing"):
        return _without(word, 3)
    if size > 4 and word.endswith("ed") and not word.endswith("eed"):
        return _without(word, 2)
    if size > 6 and word.endswith("ly"):
        return word[:-2]
    return word[:-1] if word[-1] == "e" and size > 4 else word


def _singular(word: str) -> str:
    if word.endswith(_KEPT):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "zes", "ches", "shes")):
        return word[:-2]
    return english_stem(word[:-1]) if word.endswith("es") and len(word) > 5 else word[:-1]


def _without(word: str, ending: int) -> str:
    stem = word[:-ending]
    if len(stem) < 3 or not _VOWELS & set(stem):
        return word
    if stem[-1] == stem[-2] and stem[-1] not in "lsz":
        return stem[:-1]
    return stem[:-1] if stem[-1] == "e" and len(stem) > 4 else stem


_PLURALS = (
    ("oes", "ao"), ("aes", "ao"), ("ais", "al"), ("eis", "el"), ("ois", "ol"), ("ns", "m"),
    ("res", "r"), ("zes", "z"), ("ses", "s"),
)  # fmt: skip


def portuguese_stem(word: str) -> str:
    """The word in the singular; gender is kept, as it tells names apart."""
    if len(word) <= 3 or word[-1] != "s" or not word.isalpha():
        return word
    for plural, singular in _PLURALS:
        if word.endswith(plural) and len(word) > len(plural) + 1:
            return word[: -len(plural)] + singular
    return word if word.endswith(("is", "us", "ss")) else word[:-1]

"""Values: what is the same in two of them, what came, what went."""

from __future__ import annotations

from typing import NamedTuple

from memoro.memory.comparing.lexicon.kinds import KINDS
from memoro.memory.comparing.lexicon.people import is_job
from memoro.memory.comparing.tokens.token import CODE, FIGURES, QUANTITY, TIME, VERSION, WORD
from memoro.memory.comparing.words.word import NAME, Word

_LONGEST_SHOWN = 40
_LONGEST_TYPO = 24
_SHORTEST_TYPO = 6
BOUNDS = frozenset({"min-bound", "max-bound", "time", "times", "vez", "次"})
"""Words that bound a figure: "or later", "at most"."""


class Difference(NamedTuple):
    """The words that only one side has, in their order, and those that both have."""

    gone: tuple[Word, ...]
    came: tuple[Word, ...]
    shared: frozenset[str]


def difference(known: tuple[Word, ...], new: tuple[Word, ...]) -> Difference:
    """What one value has and the other doesn't; a slip of the pen is no difference."""
    known_keys, new_keys = {word.key for word in known}, {word.key for word in new}
    gone = [word for word in known if word.key not in new_keys]
    came = [word for word in new if word.key not in known_keys]
    shared = known_keys & new_keys
    if gone and came:
        gone, came = _without_alike(gone, came)
        if len(gone) != len(came) and _spelled_out(gone) == _spelled_out(came):
            gone, came = [], []
    return Difference(tuple(gone), tuple(came), frozenset(shared))


def _without_alike(gone: list[Word], came: list[Word]) -> tuple[list[Word], list[Word]]:
    for one in gone:
        for other in came:
            if _alike(one, other):
                return (
                    [word for word in gone if word is not one],
                    [word for word in came if word is not other],
                )
    return gone, came


def _spelled_out(words: list[Word]) -> str:
    return " ".join(word.text for word in words)


def _alike(one: Word, other: Word) -> bool:
    """Whether two words are one: a date with and without its year, a word with a slip in it."""
    if one.kind == QUANTITY == other.kind:
        return _same_metres(one.key, other.key) or _same_metres(other.key, one.key)
    if one.kind == TIME == other.kind:
        return one.key.endswith(f"-{other.key}") or other.key.endswith(f"-{one.key}")
    return one.kind == WORD == other.kind and is_slip(one.text.lower(), other.text.lower())


def _same_metres(one: str, other: str) -> bool:
    """Whether "5 m" may mean the other: 5 metres, or 5 minutes."""
    number, _, unit = one.partition(" ")
    if unit != "m" or not number.isdigit() or len(number) > _LONGEST_TYPO:
        return False
    return other in (f"{number} metres", f"{int(number) * 60} time")


def is_slip(one: str, other: str) -> bool:
    """Whether one word is the other with a letter left out inside, or two letters swapped.

    Another first or last letter makes another word too often ("table", "tablet"), and so does
    another letter in its place ("affect", "effect").
    """
    if len(one) < len(other):
        one, other = other, one
    size = len(one)
    if size < _SHORTEST_TYPO or size > _LONGEST_TYPO or not one.isalpha() or not other.isalpha():
        return False
    if one in KINDS and other in KINDS:
        return False
    if one == other + other[-1]:
        # A last letter that should be doubled, and isn't.
        return True
    same = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), len(other))
    if size - len(other) == 1:
        return 0 < same < size - 1 and one[same + 1 :] == other[same:]
    swapped = size == len(other) and size > _SHORTEST_TYPO and 0 < same < size - 2
    return (
        swapped
        and one[same] == other[same + 1]
        and one[same + 1] == other[same]
        and one[same + 2 :] == other[same + 2 :]
    )


_DENYING = ("un", "in", "im", "ir", "dis", "non", "des", "não-")


def are_opposite(one: Word, other: Word) -> bool:
    """Whether one word is the other denied: "locked" and "unlocked", "ativado" and "desativado"."""
    first, second = sorted((one.text.lower(), other.text.lower()), key=len)
    return len(first) > 3 and second.removesuffix(first).rstrip("-") in _DENYING


def are_figures(words: tuple[Word, ...]) -> bool:
    """Whether the words are numbers, quantities or versions, perhaps with a bound."""
    found = [word for word in words if word.key not in BOUNDS]
    return bool(found) and all(word.kind in FIGURES for word in found)


def units(words: tuple[Word, ...]) -> frozenset[str]:
    """The units of the figures."""
    return frozenset(word.key.partition(" ")[2] for word in words if word.kind in FIGURES)


def are_times(words: tuple[Word, ...]) -> bool:
    """Whether the words are dates, weekdays or times of day."""
    return bool(words) and all(word.kind == TIME for word in words)


def are_names(words: tuple[Word, ...]) -> bool:
    """Whether the words are all written as names."""
    return bool(words) and all(
        word.kind in (NAME, CODE) or word.text[:1].isupper() for word in words
    )


def are_codes(words: tuple[Word, ...]) -> bool:
    """Whether the words are all paths, URLs or other identifiers."""
    return bool(words) and all(word.kind == CODE for word in words)


def kinds_among(words: tuple[Word, ...]) -> frozenset[str]:
    """The kinds of values that occur among the words."""
    found = {kind for word in words for kind in KINDS.get(word.key, ())}
    if any(is_job(word.key) for word in words):
        found.add("job")
    return frozenset(found)


def shown(words: tuple[Word, ...]) -> str:
    """The words as they were written, cut to what a person reads at a glance."""
    return cut(" ".join(word.text for word in words))


def cut(text: str) -> str:
    """A text of at most 40 visible characters."""
    text = "".join(character for character in text if character.isprintable())
    return text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN - 1]}…"


def versions(words: tuple[Word, ...]) -> bool:
    """Whether there is a version among the words."""
    return any(word.kind == VERSION for word in words)


def is_part_of_version(known: Word, new: Word) -> bool:
    """Whether a version says less than another: "16" of "16.2"."""
    return (
        known.kind in (VERSION, "number")
        and new.kind in (VERSION, "number")
        and known.key.startswith(f"{new.key}.")
    )

"""Patterns over words, such as `ha|faz <count> <unit> ?atras`, and finding all that fit at once.

A part of a pattern stands for one word: one of several (`ha|faz`), or one of a class that has a
value (`<count>`). A part with a question mark may be missing. All patterns are kept in one tree,
so that a word is looked at once and not once for each pattern.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Generic, NamedTuple, TypeVar

from memoro.memory.dates.grammar.lexicon import (
    CALENDAR_UNITS,
    DAYS_IN_WORDS,
    ENGLISH_MONTHS,
    MONTHS,
    NUMBERS,
    ONES,
    ORDINALS,
    ORDINALS_EN,
    PLURALS,
    SINGULARS,
    TENS,
    UNITS,
    WEEKDAYS,
)
from memoro.memory.dates.grammar.words import NTH, Word

T = TypeVar("T")
Words = Sequence[Word]
Values = tuple[int | None, ...]

FIRST_YEAR, LAST_YEAR = 1900, 2199
_LONGEST_COUNT = 3
_LAST_QUARTER = 4


def _compounds(ones: Mapping[str, int]) -> dict[str, int]:
    return {
        f"{ten}-{word}": tens + number
        for ten, tens in TENS.items()
        for word, number in ones.items()
        if number < 10
    }


_CLASSES: dict[str, Mapping[str, int]] = {
    "<count>": NUMBERS | _compounds(ONES),
    "<unit>": UNITS,
    "<one-unit>": SINGULARS,
    "<units>": PLURALS,
    "<calendar-unit>": CALENDAR_UNITS,
    "<month>": MONTHS,
    "<english-month>": {word: MONTHS[word] for word in ENGLISH_MONTHS},
    "<day>": ORDINALS_EN | DAYS_IN_WORDS | _compounds(ORDINALS_EN) | _compounds(ONES),
    "<ordinal>": ORDINALS_EN | _compounds(ORDINALS_EN),
    "<fourth>": {word: number for word, number in ORDINALS.items() if number <= _LAST_QUARTER},
    "<quarter>": {"q1": 1, "q2": 2, "q3": 3, "q4": 4},
    "<weekday>": WEEKDAYS,
}


def _read_classes() -> dict[str, dict[str, int]]:
    readings: dict[str, dict[str, int]] = {}
    for name, table in _CLASSES.items():
        for word, value in table.items():
            readings.setdefault(word, {})[name] = value
    return readings


_READINGS = _read_classes()


class Fit(NamedTuple, Generic[T]):
    """A pattern that words fit: what it stands for, the index after them, and their values."""

    meaning: T
    stop: int
    values: Values


class Patterns(Generic[T]):
    """Patterns, with what each of them stands for; in a tree, of which this is a node."""

    def __init__(self, patterns: Iterable[tuple[str, T]] = ()) -> None:
        self._ends: list[T] = []
        self._parts: dict[str, Patterns[T]] = {}
        self._words: dict[str, list[Patterns[T]]] = {}
        self._classes: dict[str, Patterns[T]] = {}
        for pattern, meaning in patterns:
            self._add(pattern.split(), meaning)

    def _add(self, parts: Sequence[str], meaning: T) -> None:
        if not parts:
            self._ends.append(meaning)
            return
        name = parts[0].removeprefix("?")
        if name != parts[0]:
            self._add(parts[1:], meaning)
        if name not in self._parts:
            node = self._parts[name] = Patterns[T]()
            if name.startswith("<"):
                self._classes[name] = node
            else:
                for word in name.split("|"):
                    self._words.setdefault(word, []).append(node)
        self._parts[name]._add(parts[1:], meaning)

    def fitting(self, words: Words, index: int) -> Sequence[Fit[T]]:
        """Every pattern that the words from an index on fit."""
        if index >= len(words) or not self._can_start(words[index].value):
            return ()
        found: list[Fit[T]] = []
        reached: list[tuple[Patterns[T], int, Values]] = [(self, index, ())]
        while reached:
            node, index, values = reached.pop()
            found += [Fit(meaning, index, values) for meaning in node._ends]
            if node._parts and index < len(words):
                word = words[index].value
                for after in node._words.get(word, ()):
                    reached.append((after, index + 1, values))
                for name, value in reading(word).items() if node._classes else ():
                    if name in node._classes:
                        reached.append((node._classes[name], index + 1, (*values, value)))
        return found

    def _can_start(self, word: str) -> bool:
        return word in self._words or not self._classes.keys().isdisjoint(reading(word))


def reading(word: str) -> Mapping[str, int]:
    """The classes that a word belongs to, and its value in each."""
    known = _READINGS.get(word)
    return _figure_reading(word) if known is None else known


@lru_cache(maxsize=512)
def _figure_reading(word: str) -> Mapping[str, int]:
    if word.endswith(NTH):
        number = int(word.removesuffix(NTH))
        nth = dict.fromkeys(("<day>", "<figure-day>", "<ordinal>", "<nth>"), number)
        return nth | ({"<fourth>": number} if 1 <= number <= _LAST_QUARTER else {})
    if not word.isascii() or not word.isdigit():
        return {}
    number = int(word)
    if len(word) > _LONGEST_COUNT:
        return {"<year>": number} if FIRST_YEAR <= number <= LAST_YEAR else {}
    counted = {"<count>": number} if number else {}
    return counted | (dict.fromkeys(("<day>", "<figure-day>"), number) if len(word) < 3 else {})


def at(words: Words, index: int) -> str:
    """The word at an index; nothing beyond the ends."""
    return words[index].value if 0 <= index < len(words) else ""

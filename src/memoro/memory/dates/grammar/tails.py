"""What may follow a date and narrows it down: its year, its week, the part of the day.

Each gives the values that it adds, and the index after it.
"""

from __future__ import annotations

from collections.abc import Callable

from memoro.memory.dates.grammar.lexicon import LAST_PT, PAST_PT, THIS_PT
from memoro.memory.dates.grammar.patterns import (
    Patterns,
    Values,
    Words,
    at,
    reading,
)
from memoro.memory.dates.grammar.words import OPAQUE

Tail = Callable[[Words, int], tuple[Values, int] | None]

_YEARS = Patterns[int](
    (
        ("last|previous year", -1),
        (f"ano {PAST_PT}", -1),
        (f"{LAST_PT} ano", -1),
        ("ano retrasado", -2),
        ("year before last", -2),
        ("this year", 0),
        (f"{THIS_PT} ano", 0),
    )
)
_WEEKS = Patterns[int](
    (
        ("last|previous week", 1),
        (f"semana {PAST_PT}", 1),
        (f"{LAST_PT} semana", 1),
        ("semana retrasada", 2),
        ("week before last", 2),
        ("this week", 0),
        (f"{THIS_PT} semana", 0),
    )
)
_PARTS_OF_DAY = Patterns[int](
    (
        ("morning|afternoon|evening|night", 0),
        ("de|a|da|pela manha|tarde|noite|madrugada", 0),
    )
)


def in_year(words: Words, index: int) -> tuple[Values, int]:
    """The year of a month or quarter, in four figures or from the current one; None: not named."""
    joint = at(words, index)
    # "Nov 20 23:59:59 2019" has a time before its year.
    after = index + 1 if joint in ("of", "de", "do", ",", "/", OPAQUE) else index
    year = reading(at(words, after)).get("<year>")
    if year is not None:
        return (year,), after + 1
    near = None if joint in (",", OPAQUE) else _first(_YEARS, words, after)
    return near or ((None,), index)


def in_week(words: Words, index: int) -> tuple[Values, int] | None:
    """The week of a weekday, in weeks before this one."""
    _, index = part_of_day(words, index)
    joined = at(words, index) in ("of", "da", "na", "de", "do")
    return _first(_WEEKS, words, index + joined)


def part_of_day(words: Words, index: int) -> tuple[Values, int]:
    """Morning, afternoon … which a window of days does not need."""
    part = _first(_PARTS_OF_DAY, words, index)
    return (), part[1] if part else index


def _first(patterns: Patterns[int], words: Words, index: int) -> tuple[Values, int] | None:
    fits = patterns.fitting(words, index)
    return ((fits[0].meaning,), fits[0].stop) if fits else None

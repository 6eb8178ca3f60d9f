"""Whether words that could be an expression of time are one where they stand.

Many are something else as well: "may" and "march" are verbs, "segunda" is an ordinal, 2025 a
number, "há 2 dias" "there are 2 days". Such words count where a preposition of time stands before
them, or where they stand alone: at the end of a clause, or before a word that can't be the thing
that they would otherwise describe ("the May release", "uma segunda opinião").
"""

from __future__ import annotations

from collections.abc import Callable

from memoro.memory.dates.certainty import names, numbers
from memoro.memory.dates.certainty.place import Place
from memoro.memory.dates.grammar.lexicon import UNITS, word_set
from memoro.memory.dates.grammar.matches import Match
from memoro.memory.dates.grammar.patterns import Words
from memoro.memory.dates.grammar.rules import Kind

_NOT_THIS_ONE = word_set(
    "by every each any some next toda todo todas todos cada proximo proxima proximos proximas"
    " qualquer"
)
"""Before an expression: it is a repeated or a future one, or a deadline."""


def is_certain(words: Words, match: Match, held: bool = False) -> bool:
    """Whether a match is an expression of time where it stands."""
    place = Place(words, match, held)
    if place.before() in _NOT_THIS_ONE or _is_ahead(place):
        return False
    # "3 days from today"
    if place.before() == "from" and place.before(2) in UNITS:
        return False
    return _CHECKS[match.kind](place)


def _is_ahead(place: Place) -> bool:
    """ "Friday next week", "sexta que vem"."""
    distance = place.after() in ("of", "do", "da", "de")
    one, other = place.after(distance), place.after(distance + 1)
    if one in UNITS:
        one, other = other, place.after(distance + 2)
    return one in ("next", "proximo", "proxima", "seguinte") or (one, other) == ("que", "vem")


def _certain(place: Place) -> bool:
    # "hoje em dia" is nowadays.
    return not (place.own == ["hoje"] and (place.after(), place.after(1)) == ("em", "dia"))


_CHECKS: dict[Kind, Callable[[Place], bool]] = {
    Kind.CERTAIN: _certain,
    Kind.AGO: numbers.ago,
    Kind.HA: numbers.ha,
    Kind.LAST: numbers.last,
    Kind.DAY: numbers.day,
    Kind.MONTH: names.month,
    Kind.NEAR_MONTH: names.near_month,
    Kind.QUARTER: numbers.quarter,
    Kind.YEAR: numbers.year,
    Kind.WEEKDAY: names.weekday,
    Kind.NEAR_WEEKDAY: names.near_weekday,
    Kind.WEEKEND: names.weekend,
    Kind.DAY_OF_MONTH: numbers.day_of_month,
    Kind.DAY_FIRST: numbers.day_first,
}

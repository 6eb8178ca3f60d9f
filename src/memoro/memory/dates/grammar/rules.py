"""The single expressions of time, as a table: pattern, what else it could be, and its meaning."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum, auto
from functools import partial
from typing import NamedTuple

from memoro.memory.dates.grammar import meanings
from memoro.memory.dates.grammar.lexicon import LAST_PT, PAST_PT, THIS_PT
from memoro.memory.dates.grammar.patterns import Patterns
from memoro.memory.dates.grammar.tails import Tail, in_week, in_year, part_of_day
from memoro.memory.dates.periods import Period


class Kind(Enum):
    """What else the words of an expression could mean, which `certainty` looks into."""

    CERTAIN = auto()
    AGO = auto()
    HA = auto()
    """ "há 3 dias" is "there are 3 days" as well."""
    LAST = auto()
    """ "last 3 days" may be the last ones of something else, and "last" a verb."""
    DAY = auto()
    """A day or days of a month, without a year."""
    MONTH = auto()
    NEAR_MONTH = auto()
    """A month that "last" or "this" stands with."""
    QUARTER = auto()
    YEAR = auto()
    WEEKDAY = auto()
    NEAR_WEEKDAY = auto()
    """A weekday that "last" or "this" stands with."""
    WEEKEND = auto()
    DAY_OF_MONTH = auto()
    DAY_FIRST = auto()


Meaning = Callable[..., Period | None]


class Rule(NamedTuple):
    """What a pattern is; `meaning` takes today, the pattern's values and those of the tail."""

    kind: Kind
    meaning: Meaning
    tail: Tail | None


_TAILS: dict[str, Tail] = {
    "<in-year>": in_year,
    "<in-week>": in_week,
    "<part-of-day>": part_of_day,
}
_THIS, _PAST, _LAST, _PAST_LAST = THIS_PT, PAST_PT, LAST_PT, f"{LAST_PT}|{PAST_PT}"
_TO = "to|through|-|–|and|a|ao|e|ate"
_OR = "or|to|ou|a|-|–|and|e"
_FIRST_EN_PT = "first|primeiro|primeira|primeiros|primeiras"
_LAST_EN_PT = f"last|ultimos|ultimas|{_LAST}"
_OF = "of|de|do|da|in"
_FEW = 3
_ABOUT = ("", "cerca de", "mais ou menos", "quase|aproximadamente|exatamente|apenas|so|ja|uns|umas")


def _rules(kind: Kind, meaning: Meaning, *patterns: str) -> Iterator[tuple[str, Rule]]:
    for pattern in patterns:
        *parts, last = pattern.split()
        tail = _TAILS.get(last)
        yield (" ".join(parts) if tail else pattern), Rule(kind, meaning, tail)


def _near_today() -> Iterator[tuple[str, Rule]]:
    """Days, units and weekends counted from today."""
    yield from _rules(
        Kind.CERTAIN,
        partial(meanings.days_back, 0),
        "today|hoje <part-of-day>",
        "tonight",
        "this morning|afternoon|evening",
        f"{_THIS} manha|tarde|noite",
    )
    yield from _rules(
        Kind.CERTAIN,
        partial(meanings.days_back, 1),
        "yesterday|ontem <part-of-day>",
        "last night",
        "noite passada",
    )
    yield from _rules(
        Kind.CERTAIN,
        partial(meanings.days_back, 2),
        "anteontem <part-of-day>",
        "antes de ontem",
        "day before yesterday",
    )
    yield from _rules(Kind.CERTAIN, partial(meanings.days_back, 3), "trasanteontem")
    yield from _rules(
        Kind.CERTAIN, partial(meanings.unit_back, 1), f"<calendar-unit> {_PAST}|anterior"
    )
    yield from _rules(
        Kind.LAST,
        partial(meanings.unit_back, 1),
        "last|previous <calendar-unit>",
        f"{_PAST_LAST} <calendar-unit>",
    )
    yield from _rules(
        Kind.CERTAIN,
        partial(meanings.unit_back, 2),
        "<calendar-unit> before last",
        "<calendar-unit> retrasado|retrasada",
    )
    yield from _rules(
        Kind.LAST,
        partial(meanings.unit_back, 0),
        f"this|current|{_THIS} <calendar-unit>",
        "<calendar-unit> atual|corrente",
        "corrente <calendar-unit>",
    )
    yield from _rules(
        Kind.CERTAIN,
        partial(meanings.weekend, 1),
        "last|past|previous weekend",
        f"fim|final de semana {_PAST}|anterior",
        f"{_PAST_LAST} fim|final de semana",
    )
    yield from _rules(
        Kind.CERTAIN,
        partial(meanings.weekend, 0),
        "this weekend",
        f"{_THIS} fim|final de semana",
    )
    yield from _rules(Kind.WEEKEND, partial(meanings.weekend, 1), "weekend", "fim|final de semana")


def _counted() -> Iterator[tuple[str, Rule]]:
    """So many units ago, and the last so many."""
    yield from _rules(Kind.AGO, meanings.ago, "<count> <unit> ago|back|atras")
    yield from _rules(Kind.AGO, meanings.nights_ago, "<count> nights|noites ago|atras")
    yield from _rules(
        Kind.AGO, meanings.between_ago, f"<count> {_OR} <count> <unit> ago|back|atras"
    )
    for about in _ABOUT:
        ha = f"ha|faz|fazem {about}"
        yield from _rules(Kind.HA, meanings.ago, f"{ha} <count> <unit> ?atras")
        yield from _rules(
            Kind.HA, meanings.between_ago, f"{ha} <count> {_OR} <count> <unit> ?atras"
        )
    yield from _rules(
        Kind.LAST,
        meanings.last_ones,
        "last|past|previous <count> <unit>",
        "ultimos|ultimas|passados|passadas <count> <unit>",
        "<count> ultimos|ultimas <units>",
    )
    yield from _rules(
        Kind.LAST, meanings.last_hours, "last|past|ultimas <count> hours|hour|horas|hora"
    )
    yield from _rules(Kind.LAST, partial(meanings.last_few, 1), "past <calendar-unit>")
    yield from _rules(Kind.LAST, partial(meanings.last_few, _FEW), "ultimos|ultimas <units>")


def _dates() -> Iterator[tuple[str, Rule]]:
    """Days of months, and parts of months and years."""
    yield from _rules(
        Kind.DAY,
        meanings.day,
        "<figure-day> <month> <in-year>",
        "?dia <day> of|de <month> <in-year>",
    )
    yield from _rules(
        Kind.DAY,
        meanings.month_day,
        "<english-month> <figure-day> <in-year>",
        "<english-month> ?the <ordinal> <in-year>",
    )
    yield from _rules(Kind.DAY, meanings.days, f"?dias <day> {_TO} <day> ?of|de <month> <in-year>")
    yield from _rules(
        Kind.DAY,
        meanings.month_days,
        f"<english-month> <figure-day> {_TO} <figure-day> <in-year>",
    )
    yield from _rules(
        Kind.DAY,
        meanings.dated_weekday,
        "<weekday> ?, ?the|dia <day> ?of|de <month> <in-year>",
    )
    yield from _rules(
        Kind.DAY, meanings.weekday_dated, "<weekday> ?, <english-month> <figure-day> <in-year>"
    )
    yield from _rules(Kind.DAY_OF_MONTH, meanings.day_of_month, "<nth>", "dia <day>")
    yield from _rules(Kind.DAY_OF_MONTH, meanings.days_of_month, f"dias <day> {_TO} <day>")
    for first, which in ((True, _FIRST_EN_PT), (False, _LAST_EN_PT)):
        yield from _rules(
            Kind.CERTAIN,
            partial(meanings.part_of_month, first, 1),
            f"{which} <one-unit> {_OF} <month> <in-year>",
        )
        yield from _rules(
            Kind.CERTAIN,
            partial(meanings.part_of_month, first, _FEW),
            f"{which} <units> {_OF} <month> <in-year>",
        )
        yield from _rules(
            Kind.CERTAIN,
            partial(meanings.parts_of_month, first),
            f"{which} <count> <unit> {_OF} <month> <in-year>",
        )
        yield from _rules(
            Kind.CERTAIN, partial(meanings.part_of_year, first), f"{which} <one-unit> {_OF} <year>"
        )
    yield from _rules(
        Kind.CERTAIN, meanings.nth_weekday, f"<fourth> <weekday> {_OF} <month> <in-year>"
    )
    yield from _rules(
        Kind.CERTAIN, meanings.last_weekday, f"last|{_LAST} <weekday> {_OF} <month> <in-year>"
    )


def _units() -> Iterator[tuple[str, Rule]]:
    """Months, quarters, years and weekdays by their names."""
    yield from _rules(Kind.MONTH, meanings.month, "<month> <in-year>")
    yield from _rules(
        Kind.NEAR_MONTH,
        meanings.last_month,
        "last <month>",
        f"<month> {_PAST_LAST}",
        f"{_PAST_LAST} <month>",
    )
    yield from _rules(Kind.NEAR_MONTH, meanings.this_month, f"this|{_THIS} <month>")
    yield from _rules(
        Kind.QUARTER,
        meanings.quarter,
        "<quarter> <in-year>",
        "<fourth> quarter|trimestre <in-year>",
    )
    yield from _rules(Kind.CERTAIN, meanings.year_quarter, "<year> <quarter>")
    yield from _rules(Kind.YEAR, meanings.year, "<year>")
    yield from _rules(Kind.CERTAIN, meanings.week, "week|semana <figure-day> <in-year>")
    yield from _rules(Kind.WEEKDAY, meanings.weekday, "<weekday> <part-of-day>")
    yield from _rules(
        Kind.NEAR_WEEKDAY,
        meanings.weekday,
        "last|past|previous <weekday> <part-of-day>",
        f"<weekday> {_PAST_LAST} <part-of-day>",
        f"{_PAST_LAST} <weekday> <part-of-day>",
    )
    yield from _rules(
        Kind.NEAR_WEEKDAY, meanings.this_weekday, f"this|{_THIS} <weekday> <part-of-day>"
    )
    yield from _rules(Kind.NEAR_WEEKDAY, meanings.weekday_of, "<weekday> <in-week>")
    yield from _rules(
        Kind.NEAR_WEEKDAY,
        partial(meanings.weekday_in, 1),
        "last week on <weekday>",
        "semana passada na|no <weekday>",
    )
    yield from _rules(
        Kind.NEAR_WEEKDAY,
        partial(meanings.weekday_in, 0),
        "this week on <weekday>",
        f"{_THIS} semana na|no <weekday>",
    )


RULES = Patterns((*_near_today(), *_counted(), *_dates(), *_units()))

"""Two expressions as one: from the first day to the last."""

from __future__ import annotations

from datetime import date, timedelta

from memoro.memory.dates.grammar.matches import Match, meant
from memoro.memory.dates.grammar.meanings import weekday
from memoro.memory.dates.grammar.rules import Kind
from memoro.memory.dates.periods import Period, Unit, hull, shifted

_DAY = timedelta(days=1)
_WEEK = timedelta(days=7)
_YEARLY = (Kind.MONTH, Kind.DAY, Kind.QUARTER)


def are_neighbours(one: Period, other: Period) -> bool:
    """Whether no day lies between two periods."""
    days = hull(one, other)
    return days.end - days.start <= (one.end - one.start) + (other.end - other.start) + _DAY


def joined(one: Match, other: Match) -> Period | None:
    """From the first of two periods to the last; what has no year of its own, or is a weekday,
    counts from the other one."""
    try:
        first, last = _anchored(one, other)
    except (ValueError, OverflowError):
        # At the ends of the calendar there is no next or last one.
        return None
    return hull(first, last) if first and last else None


def _anchored(one: Match, other: Match) -> tuple[Period | None, Period | None]:
    first, last = one.period, other.period
    if one.kind is not Kind.DAY_OF_MONTH and other.kind is Kind.DAY_OF_MONTH:
        return first, _again(other, first.start, Unit.MONTH)
    if _floats(one):
        return meant(one.meaning, last.end, one.values), last
    if _floats(other) and (one.kind in _YEARLY or last.end < first.start):
        return first, _again(other, first.start, Unit.YEAR)
    if first.start > last.end and one.meaning is weekday:
        return meant(one.meaning, last.start + _DAY, one.values), last
    if first.start > last.end and other.meaning is weekday:
        return first, meant(other.meaning, first.start + _WEEK, other.values)
    return first, last


def _again(one: Match, start: date, unit: Unit) -> Period | None:
    """What a match means at the first time that it comes from a day on, once in each unit."""
    return meant(one.meaning, shifted(start, unit, 1) - _DAY, one.values)


def _floats(one: Match) -> bool:
    """Whether a period has no year of its own, so that another one can give it."""
    return one.kind is Kind.DAY_OF_MONTH or (one.kind in _YEARLY and one.values[-1] is None)

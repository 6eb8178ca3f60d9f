"""Days, ISO weeks, months, quarters and years, and counting back in them."""

from __future__ import annotations

from datetime import date, timedelta
from enum import IntEnum
from typing import NamedTuple

_DAY = timedelta(days=1)


class Unit(IntEnum):
    """What time is counted in."""

    DAY = 0
    WEEK = 1
    MONTH = 2
    QUARTER = 3
    YEAR = 4


_MONTHS = {Unit.MONTH: 1, Unit.QUARTER: 3, Unit.YEAR: 12}
_DAYS = {Unit.DAY: 1, Unit.WEEK: 7}


class Period(NamedTuple):
    """Whole days, first and last inclusive."""

    start: date
    end: date


def week_of(day: date) -> tuple[date, date]:
    """The ISO week of a day, Monday to Sunday; cut where the calendar of `date` ends."""
    monday = day - timedelta(days=day.weekday())
    return monday, monday + min(timedelta(days=6), date.max - monday)


def month_of(year: int, month: int) -> Period:
    """A calendar month."""
    first = date(year, month, 1)
    if month == 12:
        return Period(first, date(year, 12, 31))
    return Period(first, date(year, month + 1, 1) - _DAY)


def single_day(year: int, month: int, number: int) -> Period | None:
    """A day by its numbers; None where no month has it."""
    try:
        only = date(year, month, number)
    except ValueError:
        return None
    return Period(only, only)


def unit_of(day: date, unit: Unit) -> Period:
    """The calendar unit that a day lies in."""
    if unit is Unit.WEEK:
        return Period(*week_of(day))
    if unit not in _MONTHS:
        return Period(day, day)
    length = _MONTHS[unit]
    first = (day.month - 1) // length * length + 1
    return Period(date(day.year, first, 1), month_of(day.year, first + length - 1).end)


def shifted(day: date, unit: Unit, count: int) -> date:
    """The day `count` units later (before, where negative); the last of its month where that
    month is too short for it."""
    if unit in _DAYS:
        return day + timedelta(days=_DAYS[unit] * count)
    year, month = divmod(day.year * 12 + day.month - 1 + _MONTHS[unit] * count, 12)
    return date(year, month + 1, min(day.day, month_of(year, month + 1).end.day))


def back(today: date, unit: Unit, count: int) -> Period:
    """The whole calendar unit that lies `count` units before the one of `today`."""
    return unit_of(shifted(today, unit, -count), unit)


def latest(today: date, unit: Unit, count: int) -> Period:
    """The last `count` units up to today, not rounded to the calendar."""
    return Period(shifted(today, unit, -count) + _DAY, today)


def weekday_before(today: date, weekday: int) -> date:
    """The latest Monday (0), Tuesday (1) … strictly before today."""
    return today - timedelta(days=(today.weekday() - weekday - 1) % 7 + 1)


def hull(one: Period, other: Period) -> Period:
    """The shortest period that holds both."""
    return Period(min(one.start, other.start), max(one.end, other.end))

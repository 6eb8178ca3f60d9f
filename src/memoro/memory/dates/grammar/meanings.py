"""What an expression's values mean, counted from a day.

A `year` is one in four figures, or in years from the current one (-1: last year), or None where
none is named: then the latest that does not lie ahead counts.
"""

from __future__ import annotations

from datetime import date, timedelta

from memoro.memory.dates.periods import (
    Period,
    Unit,
    back,
    hull,
    latest,
    month_of,
    shifted,
    single_day,
    unit_of,
    weekday_before,
)

_LEAP_CYCLE = 8
"""The most years from one 29 February to the next."""
_MONTHS_TO_LOOK_BACK = 2
_YEARS_AHEAD = 10
_HOURS_OF_A_DAY = 24


def days_back(count: int, today: date) -> Period:
    """Today, yesterday …"""
    return back(today, Unit.DAY, count)


def nights_ago(today: date, count: int) -> Period:
    """ "two nights ago"."""
    return back(today, Unit.DAY, count)


def ago(today: date, count: int, unit: int) -> Period:
    """ "3 weeks ago"."""
    return back(today, Unit(unit), count)


def between_ago(today: date, one: int, other: int, unit: int) -> Period:
    """ "2 or 3 weeks ago"."""
    return hull(ago(today, one, unit), ago(today, other, unit))


def unit_back(count: int, today: date, unit: int) -> Period:
    """ "last week", "this month"."""
    return back(today, Unit(unit), count)


def last_hours(today: date, count: int) -> Period:
    """ "the last 24 hours": they reach back into the days before."""
    return Period(today - timedelta(days=-(-count // _HOURS_OF_A_DAY)), today)


def last_few(count: int, today: date, unit: int) -> Period:
    """ "the past week", "os últimos dias"."""
    return latest(today, Unit(unit), count)


def last_ones(today: date, count: int, unit: int) -> Period:
    """ "the last 3 weeks"."""
    return latest(today, Unit(unit), count)


def weekend(weeks: int, today: date) -> Period:
    """Saturday and Sunday of the week that lies `weeks` weeks before this one."""
    monday = back(today, Unit.WEEK, weeks).start
    return Period(monday + timedelta(days=5), monday + timedelta(days=6))


def month(today: date, number: int, year: int | None = None) -> Period:
    """ "March", "March 2025", "March last year"."""
    if year is None:
        return month_of(today.year - (number > today.month), number)
    return month_of(_absolute(today, year), number)


def last_month(today: date, number: int) -> Period:
    """ "last March": the latest one that is over."""
    return month_of(today.year - (number >= today.month), number)


def this_month(today: date, number: int) -> Period:
    """ "this March"."""
    return month_of(today.year, number)


def day(today: date, number: int, month: int, year: int | None = None) -> Period | None:
    """ "3 March"; None where the month has no such day."""
    if year is not None:
        return single_day(_absolute(today, year), month, number)
    years = range(today.year, today.year - _LEAP_CYCLE - 1, -1)
    days = (found for one in years if (found := single_day(one, month, number)))
    return next((found for found in days if found.start <= today), None)


def month_day(today: date, month: int, number: int, year: int | None = None) -> Period | None:
    """ "March 3"."""
    return day(today, number, month, year)


def days(today: date, first: int, last: int, month: int, year: int | None = None) -> Period | None:
    """ "3 to 5 March"."""
    end = day(today, last, month, year)
    start = end and single_day(end.start.year, month, first)
    return hull(start, end) if start and end and start.start <= end.start else None


def month_days(
    today: date, month: int, first: int, last: int, year: int | None = None
) -> Period | None:
    """ "March 3 to 5"."""
    return days(today, first, last, month, year)


def dated_weekday(
    today: date, _weekday: int, number: int, month: int, year: int | None
) -> Period | None:
    """ "Friday, 3 March": the date says it all."""
    return day(today, number, month, year)


def weekday_dated(
    today: date, _weekday: int, month: int, number: int, year: int | None
) -> Period | None:
    """ "Friday, March 3"."""
    return day(today, number, month, year)


def day_of_month(today: date, number: int) -> Period | None:
    """ "the 3rd": the latest that does not lie ahead."""
    for count in range(_MONTHS_TO_LOOK_BACK + 1):
        before = back(today, Unit.MONTH, count).start
        found = single_day(before.year, before.month, number)
        if found and found.start <= today:
            return found
    return None


def days_of_month(today: date, first: int, last: int) -> Period | None:
    """ "dias 3 e 5"."""
    end = day_of_month(today, last)
    start = end and day_of_month(end.start, first)
    return start and end and hull(start, end)


def quarter(today: date, number: int, year: int | None = None) -> Period:
    """ "Q3", "Q3 2025"."""
    if year is None:
        year = today.year - (3 * number - 2 > today.month)
    return unit_of(date(_absolute(today, year), 3 * number, 1), Unit.QUARTER)


def year_quarter(today: date, year: int, number: int) -> Period:
    """ "2025 Q3"."""
    return quarter(today, number, year)


def year(today: date, number: int) -> Period | None:
    """ "2025"; a number far ahead of today is another thing."""
    if number > today.year + _YEARS_AHEAD:
        return None
    return unit_of(date(number, 1, 1), Unit.YEAR)


def week(today: date, number: int, year: int | None) -> Period | None:
    """ "week 20 of 2026", by ISO; without a year it may be any week 20."""
    if year is None:
        return None
    return unit_of(date.fromisocalendar(_absolute(today, year), number, 1), Unit.WEEK)


def weekday(today: date, number: int) -> Period:
    """ "Friday", "last Friday"."""
    found = weekday_before(today, number)
    return Period(found, found)


def this_weekday(today: date, number: int) -> Period:
    """ "this Friday"."""
    return weekday_of(today, number, 0)


def weekday_of(today: date, number: int, weeks: int) -> Period:
    """ "Friday last week"."""
    found = back(today, Unit.WEEK, weeks).start + timedelta(days=number)
    return Period(found, found)


def weekday_in(weeks: int, today: date, number: int) -> Period:
    """ "last week on Friday"."""
    return weekday_of(today, number, weeks)


def part_of_month(
    first: bool, count: int, today: date, unit: int, number: int, year: int | None
) -> Period | None:
    """ "first week of March": its first seven days; "last day of March", "last days of March"."""
    return _part(first, month(today, number, year), count, unit)


def parts_of_month(
    first: bool, today: date, count: int, unit: int, number: int, year: int | None
) -> Period | None:
    """ "last 3 days of March"."""
    return _part(first, month(today, number, year), count, unit)


def part_of_year(first: bool, today: date, unit: int, number: int) -> Period | None:
    """ "first quarter of 2025", "last month of 2025"."""
    whole = year(today, number)
    return whole and _part(first, whole, 1, unit)


def nth_weekday(
    today: date, nth: int, number: int, month_number: int, year: int | None
) -> Period | None:
    """ "the first Monday of March"."""
    whole = month(today, month_number, year)
    day = whole.start + timedelta(days=(number - whole.start.weekday()) % 7 + 7 * (nth - 1))
    return Period(day, day) if day <= whole.end else None


def last_weekday(today: date, number: int, month_number: int, year: int | None) -> Period:
    """ "the last Friday of March"."""
    day = weekday_before(month(today, month_number, year).end + timedelta(days=1), number)
    return Period(day, day)


def _absolute(today: date, year: int) -> int:
    return year if year > 0 else today.year + year


def _part(first: bool, whole: Period, count: int, unit: int) -> Period | None:
    length = Unit(unit)
    if first:
        part = Period(whole.start, shifted(whole.start, length, count) - timedelta(days=1))
    else:
        part = Period(shifted(whole.end + timedelta(days=1), length, -count), whole.end)
    return part if hull(part, whole) == whole else None

"""The days that a question names, and how well the day of a turn fits them.

People tell things after they happened more often than before, so a date reaches further ahead than
back.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from memoro.memory.dates.periods import Period, Unit

Reach = tuple[tuple[int, int, float], ...]
"""Days before the first and after the last that still fit, and how well; the best first."""

DAY: Reach = ((1, 2, 1.0), (2, 7, 0.7), (4, 14, 0.35))
MONTH: Reach = ((0, 0, 0.6), (0, 10, 0.3))
YEAR: Reach = ((0, 0, 0.25),)
BEFORE: Reach = ((60, 0, 0.4), (400, 0, 0.25))
"""What lies before a day, which is the first and the last of it."""
NEAR: Reach = ((1, 2, 0.8), (3, 7, 0.4))
"""What is counted from the day of the question: "last week", "last weekend"."""
NEAR_LONG: Reach = ((0, 3, 0.8), (3, 14, 0.4))
""" "last month", "the past 40 days"."""
NEAR_DAY: Reach = ((1, 1, 0.8), (2, 2, 0.4))
_AGO: dict[Unit, Reach] = {
    Unit.DAY: NEAR_DAY,
    Unit.WEEK: ((4, 4, 0.8), (7, 7, 0.4)),
    Unit.MONTH: ((15, 15, 0.8), (22, 22, 0.4)),
    Unit.QUARTER: ((46, 46, 0.4),),
    Unit.YEAR: ((183, 183, 0.25),),
}
_SPANS: tuple[tuple[int, Reach], ...] = (
    (4, DAY),
    (45, ((0, 3, 0.6), (0, 10, 0.3))),
    (200, ((0, 5, 0.4),)),
)
_YEAR_DAYS = 365.2425
_SHORTEST_LONG, _MOST_NEAR = 10, 100
_OTHER_YEARS = 0.5
"""What a date without a year is worth in other years than the one that it most likely means."""


class DateAsked(NamedTuple):
    """Days that a question names.

    `first` and `last` are days as `date.toordinal` counts them; `reach` says how far around them a
    day still fits; `is_yearly` is whether no year was named, so that other years count a little.
    """

    first: int
    last: int
    reach: Reach
    is_yearly: bool = False


def dated(period: Period, reach: Reach, *, is_yearly: bool = False) -> DateAsked:
    """The days of a period."""
    return DateAsked(period.start.toordinal(), period.end.toordinal(), reach, is_yearly)


def ago(day: date, unit: Unit) -> DateAsked:
    """The day that lies some units back: the larger they are, the vaguer it is."""
    return dated(Period(day, day), _AGO[unit])


def span(period: Period) -> DateAsked:
    """A stretch of days: the longer it is, the less it says."""
    length = (period.end - period.start).days
    reach = next((reach for longest, reach in _SPANS if length < longest), YEAR)
    return dated(period, reach)


def near(period: Period) -> DateAsked:
    """A stretch of days that was counted from the day of the question."""
    length = (period.end - period.start).days
    if length == 0:
        return dated(period, NEAR_DAY)
    if length < _SHORTEST_LONG:
        return dated(period, NEAR)
    return dated(period, NEAR_LONG if length < _MOST_NEAR else YEAR)


def fit_of(asked: DateAsked, day: int) -> float:
    """How well a day, as `date.toordinal` counts it, fits: 1 for the very one that was named."""
    fit = _reached(asked.first, asked.last, asked.reach, day)
    if fit or not asked.is_yearly:
        return fit
    years = round((asked.first - day) / _YEAR_DAYS)
    moved = day + round(years * _YEAR_DAYS)
    return _OTHER_YEARS * _reached(asked.first, asked.last, asked.reach, moved)


def _reached(first: int, last: int, reach: Sequence[tuple[int, int, float]], day: int) -> float:
    for back, ahead, fit in reach:
        if first - back <= day <= last + ahead:
            return fit
    return 0.0

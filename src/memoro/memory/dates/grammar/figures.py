"""Dates that are written in figures, as one piece without spaces."""

from __future__ import annotations

import re
from datetime import date

from memoro.memory.dates.grammar.lexicon import MONTHS, fold
from memoro.memory.dates.periods import Period, Unit, hull, month_of, unit_of

# A timestamp counts for its day where no zone is given: with one it is an instant, and the local
# day of that is the calendar's affair.
_DAY = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})(?:T[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?)?"
)
_SLASHED_DAY = re.compile(r"([0-9]{4})/([0-9]{2})/([0-9]{2})")
_MONTH = re.compile(r"([0-9]{4})-([0-9]{2})")
_WEEK = re.compile(r"([0-9]{4})-?W([0-9]{2})", re.IGNORECASE)
_QUARTER = re.compile(r"([0-9]{4})[-/]?Q([1-4])", re.IGNORECASE)
_QUARTER_FIRST = re.compile(r"Q([1-4])[-/]?([0-9]{4})", re.IGNORECASE)
_NAMED_MONTH = re.compile(r"([^\W\d_]{3,9})[-/]([0-9]{4})")
_NAMED_DAY = re.compile(r"([0-9]{1,2})[-/]([^\W\d_]{3,9})[-/]([0-9]{4})")
_DAY_FIRST = re.compile(r"([0-9]{1,2})/([0-9]{1,2})/([0-9]{4})")
_COMPACT = re.compile(r"([0-9]{4})([0-9]{2})([0-9]{2})")
_INTERVAL = re.compile(r"([0-9W-]{7,10})(?:\.{2,3}|/)([0-9W-]{7,10})", re.IGNORECASE)
_LONGEST = 40


def read_figures(text: str) -> Period | None:
    """What a date means that can be nothing else: `2026-05-02`, `2026-05`, `2026-W20`, `2025-Q3`,
    `3-Mar-2025`, `2026-05-02..2026-05-09`; None for every other text, and for impossible dates."""
    if len(text) > _LONGEST:
        return None
    if interval := _INTERVAL.fullmatch(text):
        return _interval(interval[1], interval[2])
    return _day(text) or _unit(text)


def read_day_first(text: str) -> Period | None:
    """What `DD/MM/YYYY` means."""
    found = _DAY_FIRST.fullmatch(text)
    return found and _single(found[3], found[2], found[1])


def is_day_first_for_sure(text: str) -> bool:
    """Whether `DD/MM/YYYY` would mean nothing else where months come first."""
    day, month = text.split("/")[:2]
    return int(day) > 12 or int(day) == int(month)


def read_compact(text: str) -> Period | None:
    """What `YYYYMMDD` means."""
    found = _COMPACT.fullmatch(text)
    return found and _single(*found.groups())


def _interval(first: str, last: str) -> Period | None:
    one, other = _day(first) or _unit(first), _day(last) or _unit(last)
    return hull(one, other) if one and other and one.start <= other.start else None


def _day(text: str) -> Period | None:
    if found := _DAY.fullmatch(text) or _SLASHED_DAY.fullmatch(text):
        return _single(found[1], found[2], found[3])
    if found := _NAMED_DAY.fullmatch(text):
        return _single(found[3], str(MONTHS.get(fold(found[2]), 0)), found[1])
    return None


def _single(year: str, month: str, day: str) -> Period | None:
    try:
        only = date(int(year), int(month), int(day))
    except ValueError:
        return None
    return Period(only, only)


def _unit(text: str) -> Period | None:
    try:
        if found := _MONTH.fullmatch(text):
            return month_of(int(found[1]), int(found[2]))
        if found := _NAMED_MONTH.fullmatch(text):
            return month_of(int(found[2]), MONTHS.get(fold(found[1]), 0))
        if found := _WEEK.fullmatch(text):
            return unit_of(date.fromisocalendar(int(found[1]), int(found[2]), 1), Unit.WEEK)
        if found := _QUARTER.fullmatch(text):
            return _quarter(found[1], found[2])
        if found := _QUARTER_FIRST.fullmatch(text):
            return _quarter(found[2], found[1])
    except ValueError:
        # A month 13, a week 54, a year 0: no date.
        return None
    return None


def _quarter(year: str, number: str) -> Period:
    return unit_of(date(int(year), 3 * int(number), 1), Unit.QUARTER)

"""Days of a time zone: where they begin and end, across changes of the clock."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoro.memory.dates.window import Window, ZoneCalendar, instants

pytestmark = pytest.mark.requirement("E07")

ZONES = (
    "UTC",
    "Europe/Lisbon",
    "America/Sao_Paulo",
    "America/Havana",
    "America/Toronto",
    "Asia/Beirut",
    "Asia/Kathmandu",
    "Asia/Tehran",
    "Africa/Cairo",
    "Pacific/Apia",
    "Pacific/Kiritimati",
    "Pacific/Chatham",
)
_DAY = timedelta(days=1)


def starts(zone: str | tzinfo, day: str) -> str:
    named = ZoneInfo(zone) if isinstance(zone, str) else zone
    return ZoneCalendar(named).start(date.fromisoformat(day)).strftime("%Y-%m-%dT%H:%M:%S%z")


@pytest.mark.parametrize(
    ("zone", "day", "instant"),
    [
        ("UTC", "2026-05-20", "2026-05-20T00:00:00+0000"),
        ("Europe/Lisbon", "2026-01-20", "2026-01-20T00:00:00+0000"),
        ("Europe/Lisbon", "2026-05-20", "2026-05-19T23:00:00+0000"),
        # The clock goes forward at 1:00 and back at 2:00.
        ("Europe/Lisbon", "2026-03-29", "2026-03-29T00:00:00+0000"),
        ("Europe/Lisbon", "2026-03-30", "2026-03-29T23:00:00+0000"),
        ("Europe/Lisbon", "2026-10-25", "2026-10-24T23:00:00+0000"),
        ("Europe/Lisbon", "2026-10-26", "2026-10-26T00:00:00+0000"),
        # 0:00 becomes 1:00.
        ("America/Sao_Paulo", "2018-11-03", "2018-11-03T03:00:00+0000"),
        ("America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00:00+0000"),
        ("America/Sao_Paulo", "2018-11-05", "2018-11-05T02:00:00+0000"),
        # 0:00 becomes 23:00 of the day before.
        ("America/Sao_Paulo", "2018-02-17", "2018-02-17T02:00:00+0000"),
        ("America/Sao_Paulo", "2018-02-18", "2018-02-18T03:00:00+0000"),
        ("America/Sao_Paulo", "2026-05-20", "2026-05-20T03:00:00+0000"),
        ("Asia/Beirut", "2026-03-29", "2026-03-28T22:00:00+0000"),
        ("Asia/Beirut", "2026-03-30", "2026-03-29T21:00:00+0000"),
        # 1:00 becomes 0:00: midnight comes twice.
        ("America/Havana", "2025-11-02", "2025-11-02T04:00:00+0000"),
        ("America/Havana", "2025-11-03", "2025-11-03T05:00:00+0000"),
        # 23:30 became 0:30.
        ("America/Toronto", "1919-03-31", "1919-03-31T04:30:00+0000"),
        # 30 December 2011 was skipped.
        ("Pacific/Apia", "2011-12-29", "2011-12-29T10:00:00+0000"),
        ("Pacific/Apia", "2011-12-30", "2011-12-30T10:00:00+0000"),
        ("Pacific/Apia", "2011-12-31", "2011-12-30T10:00:00+0000"),
        ("Pacific/Kiritimati", "2026-05-20", "2026-05-19T10:00:00+0000"),
    ],
)
def test_a_day_begins_at_its_first_instant(zone: str, day: str, instant: str) -> None:
    assert starts(zone, day) == instant


@pytest.mark.parametrize(
    ("zone", "day", "hours"),
    [
        ("Europe/Lisbon", "2026-03-29", 23),
        ("Europe/Lisbon", "2026-10-25", 25),
        ("America/Sao_Paulo", "2018-11-04", 23),
        ("America/Sao_Paulo", "2018-02-17", 25),
        ("Asia/Beirut", "2026-03-29", 23),
        ("Pacific/Apia", "2011-12-30", 0),
        ("Pacific/Apia", "2011-12-31", 24),
    ],
)
def test_a_window_has_the_hours_that_its_days_have(zone: str, day: str, hours: int) -> None:
    only = date.fromisoformat(day)
    start, end = instants(Window(only, only, day, 0), ZoneCalendar(ZoneInfo(zone)))
    assert start is not None and end is not None
    assert end - start == timedelta(hours=hours)
    assert start.tzinfo is UTC and end.tzinfo is UTC


def test_the_last_day_is_within_the_window() -> None:
    window = Window(date(2026, 5, 11), date(2026, 5, 17), "last week", 0)
    assert instants(window, ZoneCalendar(ZoneInfo("Europe/Lisbon"))) == (
        datetime(2026, 5, 10, 23, tzinfo=UTC),
        datetime(2026, 5, 17, 23, tzinfo=UTC),
    )


def test_open_sides_stay_open() -> None:
    calendar = ZoneCalendar(ZoneInfo("Asia/Tokyo"))
    day = date(2026, 5, 2)
    midnight = datetime(2026, 5, 1, 15, tzinfo=UTC)
    assert instants(Window(day, None, "since", 0), calendar) == (midnight, None)
    assert instants(Window(None, day, "until", 0), calendar) == (None, midnight + _DAY)
    assert instants(Window(None, date.max, "until", 0), calendar) == (None, None)


@pytest.mark.parametrize(
    ("zone", "instant", "day"),
    [
        ("Asia/Tokyo", "2026-05-02T16:10:00Z", "2026-05-03"),
        ("America/Chicago", "2026-04-12T01:30:00Z", "2026-04-11"),
        ("Pacific/Kiritimati", "2026-04-11T10:30:00Z", "2026-04-12"),
        ("America/Sao_Paulo", "2018-11-04T02:59:59Z", "2018-11-03"),
        ("America/Sao_Paulo", "2018-11-04T03:00:00Z", "2018-11-04"),
        ("Pacific/Apia", "2011-12-30T09:59:59Z", "2011-12-29"),
        ("Pacific/Apia", "2011-12-30T10:00:00Z", "2011-12-31"),
    ],
)
def test_an_instant_lies_in_its_local_day(zone: str, instant: str, day: str) -> None:
    assert str(ZoneCalendar(ZoneInfo(zone)).day(datetime.fromisoformat(instant))) == day


@settings(deadline=None)
@given(st.sampled_from(ZONES), st.dates(date(1890, 1, 1), date(2037, 12, 30)))
def test_days_follow_each_other_without_a_gap(zone: str, day: date) -> None:
    calendar = ZoneCalendar(ZoneInfo(zone))
    start, after = calendar.start(day), calendar.start(day + _DAY)
    assert start <= after <= start + timedelta(hours=49)
    if start < after:
        assert calendar.day(start) == day
    assert calendar.day(start - timedelta(seconds=1)) < calendar.day(start)


@pytest.mark.parametrize("hours", [-12, 0, 14])
@pytest.mark.parametrize("day", [date.min, date.max])
def test_the_ends_of_the_calendar_have_a_start(hours: int, day: date) -> None:
    start = ZoneCalendar(timezone(timedelta(hours=hours))).start(day)
    assert start.utcoffset() == timedelta(0)

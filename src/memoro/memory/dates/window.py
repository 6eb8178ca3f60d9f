"""The window that an expression of time means: in days, and in instants of a zone."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import NamedTuple, Protocol

_SECOND = timedelta(seconds=1)


class Window(NamedTuple):
    """Days that a text speaks of, first and last inclusive; None where a side is open.

    `text` is the expression as it stood in the text, `at` its offset there, in characters.
    """

    start: date | None
    end: date | None
    text: str
    at: int


class Calendar(Protocol):
    """Where the days of the user begin and end."""

    def day(self, at: datetime) -> date:
        """The local day of an aware instant."""
        ...

    def start(self, day: date) -> datetime:
        """The instant, in UTC, at which a local day begins."""
        ...


def instants(window: Window, calendar: Calendar) -> tuple[datetime | None, datetime | None]:
    """A window's first instant and the first one after it, in UTC; None where a side is open."""
    start = None if window.start is None else calendar.start(window.start)
    if window.end is None or window.end == date.max:
        return start, None
    return start, calendar.start(window.end + timedelta(days=1))


class ZoneCalendar:
    """The days of a time zone."""

    def __init__(self, zone: tzinfo) -> None:
        self._zone = zone

    def day(self, at: datetime) -> date:
        """The local day of an aware instant."""
        return at.astimezone(self._zone).date()

    def start(self, day: date) -> datetime:
        """The first instant of a local day, in UTC.

        Where the clock skips midnight that is the first instant that exists; of a day that the
        zone skipped altogether it is the start of the next one. Where midnight comes twice, it
        is the first time.
        """
        midnight = datetime(day.year, day.month, day.day, tzinfo=self._zone)
        try:
            first, second = midnight.astimezone(UTC), midnight.replace(fold=1).astimezone(UTC)
        except OverflowError:
            # The ends of what a datetime can hold, in zones away from UTC.
            return midnight.replace(tzinfo=UTC)
        if second >= first:
            return first
        # The clock skips midnight: by the offset after the gap it would have been before it.
        before, after = second, first
        while after - before > _SECOND:
            middle = before + (after - before) // 2
            before, after = (before, middle) if self.day(middle) >= day else (middle, after)
        return after.replace(microsecond=0)

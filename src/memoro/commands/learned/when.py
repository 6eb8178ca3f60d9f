"""What people type for a date."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Any

from memoro.errors import Reason, Refusal
from memoro.memory.dates.finding import read_window
from memoro.memory.records import shown

if TYPE_CHECKING:
    from memoro.commands.services import Services


def today(services: Services, arguments: Mapping[str, Any]) -> date | Refusal:
    """The day from which relative expressions count: that of `--as-of`, else the user's today."""
    calendar = services.learned.calendar()
    now = calendar.day(services.now())
    if arguments.get("as_of") is None:
        return now
    window = read_window(arguments["as_of"], now)
    end = None if window is None else window.end
    return end if end is not None else no_date("--as-of", arguments["as_of"])


def end_of(services: Services, text: str) -> datetime | Refusal:
    """The last instant of what a text names, a day for example."""
    calendar = services.learned.calendar()
    window = read_window(text, calendar.day(services.now()))
    if window is None or window.end is None:
        return no_date("--as-of", text)
    return calendar.start(window.end + timedelta(days=1)) - timedelta(microseconds=1)


def bounds_of(
    services: Services, arguments: Mapping[str, Any], base: date
) -> tuple[datetime | None, datetime | None] | Refusal:
    """What `--from` and `--to` say: from the start of the one to the end of the other."""
    calendar = services.learned.calendar()
    since = until = None
    if arguments.get("from") is not None:
        window = read_window(arguments["from"], base)
        if window is None or window.start is None:
            return no_date("--from", arguments["from"])
        since = calendar.start(window.start)
    if arguments.get("to") is not None:
        window = read_window(arguments["to"], base)
        if window is None or window.end is None:
            return no_date("--to", arguments["to"])
        until = calendar.start(window.end + timedelta(days=1))
    if since is not None and until is not None and since >= until:
        return Refusal(Reason.USAGE, "--from lies after --to")
    return since, until


def no_date(what: str, text: str) -> Refusal:
    """The refusal for a text that is no date."""
    return Refusal(
        Reason.USAGE,
        f"{what}: {shown(text)} is no date that is understood",
        "for example: 2026-05-02, 2026-05, yesterday, 'last week', 'há 3 meses'",
    )

"""Daily notes: what happened on a day, a line each, under the user's own date."""

from __future__ import annotations

from datetime import date, datetime
from typing import NamedTuple

from memoro.errors import Reason, Refusal
from memoro.memory.records import DAILY, Record, Trust
from memoro.memory.saved import is_blank
from memoro.memory.store import Change, ChangeSet, Plan

MAX_LINE_BYTES = 4_096


class Line(NamedTuple):
    """A line for a day: `at` is when it was said, `day` that instant's day in the user's zone."""

    id: str
    text: str
    scope: str
    at: datetime
    day: date
    learned_at: datetime
    trust: Trust = Trust.USER
    run: str | None = None
    message: str | None = None


def jot(line: Line) -> Plan:
    """Keep a line."""
    record = Record(
        line.id,
        DAILY.name,
        line.scope,
        None,
        " ".join(line.text.split()),
        line.learned_at,
        line.learned_at,
        data={"date": line.day.isoformat()},
        trust=line.trust,
        source_run=line.run,
        source_message=line.message,
        valid_from=line.at,
    )
    refusal = _check(line)
    return lambda _: refusal or ChangeSet("jot", [Change(None, record)])


def _check(line: Line) -> Refusal | None:
    if is_blank(line.text):
        return Refusal(Reason.USAGE, "the line is empty; it needs some visible text")
    if len(line.text.encode(errors="surrogatepass")) > MAX_LINE_BYTES:
        return Refusal(
            Reason.TOO_LARGE,
            f"the line has more than {MAX_LINE_BYTES:,} bytes",
            "save longer text as a note: memoro note add TITLE",
        )
    return None

"""Records as they would stand here, out of what was read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any, Literal, NamedTuple

from memoro.errors import Refusal
from memoro.memory.comparing import is_hedged
from memoro.memory.daily import MAX_LINE_BYTES
from memoro.memory.facts.categories import CATEGORIES, category_of
from memoro.memory.facts.statement import (
    CONFIDENCE,
    MAX_TAGS,
    Statement,
    check,
    one_line,
    tags_of,
)
from memoro.memory.imported import ImportedRecord, LeftOut
from memoro.memory.notes import MAX_TITLE_CHARACTERS, check_note
from memoro.memory.records import DAILY, FACT, GLOBAL, NOTE, SAVED_FACT, Record, Trust
from memoro.memory.saved import is_blank


class Origin(NamedTuple):
    """Where something was read: the tool, the file as it is named to the person, and what it is
    trusted as."""

    tool: str
    file: str
    trust: Trust = Trust.INFERRED

    def data(self, own_id: str = "", **more: Any) -> dict[str, Any]:
        """What is kept of it; `own_id` is what the other tool calls it."""
        told = {"from": self.tool, "file": self.file, "id": own_id, **more}
        return {"imported": {name: value for name, value in told.items() if value}}


class Found(NamedTuple):
    """A fact that was found, with what is known of it besides its text."""

    text: str
    at: datetime
    category: str = ""
    tags: Sequence[str] = ()
    record_id: str = ""
    path: str = ""
    sure: Literal["tool", "extracted"] = "extracted"
    confidence: float | None = None
    accesses: int = 1
    accessed_at: datetime | None = None
    data: Mapping[str, Any] = {}
    more: Mapping[str, Any] = {}


def fact(found: Found, origin: Origin, place: str) -> ImportedRecord | LeftOut:
    """A learned fact; `place` is what messages call where it stands."""
    wrong = check(Statement(found.text, GLOBAL, found.at))
    if wrong is not None:
        return LeftOut(place, wrong.what)
    text = one_line(found.text)
    category = found.category.strip().casefold()
    sure = CONFIDENCE[found.sure] if found.confidence is None else found.confidence
    told: dict[str, Any] = {
        **found.data,
        "category": category if category in CATEGORIES else category_of(text),
        "provenance": found.sure,
        **({"hedged": True} if is_hedged(text) else {}),
        **({"path": found.path} if found.path else {}),
        **origin.data(found.record_id, **found.more),
    }
    record = Record(
        found.record_id,
        FACT.name,
        GLOBAL,
        None,
        text,
        found.at,
        found.at,
        told,
        origin.trust,
        round(min(1.0, max(0.0, sure)), 6),
        valid_from=found.at,
        accesses=found.accesses,
        accessed_at=found.accessed_at or found.at,
        tags=tags_of(tuple(found.tags))[:MAX_TAGS],
    )
    return ImportedRecord(record, place)


def note(
    title: str, text: str, at: datetime, origin: Origin, place: str, own_id: str = ""
) -> ImportedRecord | LeftOut:
    """A note, kept whole."""
    title = one_line(title)[:MAX_TITLE_CHARACTERS].strip() or origin.file
    text = text.strip("\n")
    wrong: Refusal | None = check_note(title, text)
    if wrong is not None:
        return LeftOut(place, wrong.what)
    data = {"title": title, **origin.data(own_id)}
    record = Record("", NOTE.name, GLOBAL, None, text, at, at, data, origin.trust)
    return ImportedRecord(record, place)


def line_of_a_day(
    text: str, day: date, at: datetime, origin: Origin, place: str
) -> ImportedRecord | LeftOut:
    """A line of a day's notes; one that is too long is a note of its own."""
    text = one_line(text)
    if is_blank(text):
        return LeftOut(place, "the line is empty")
    if len(text.encode(errors="surrogatepass")) > MAX_LINE_BYTES:
        return note(f"{day.isoformat()}, a long line", text, at, origin, place)
    data = {"date": day.isoformat(), **origin.data()}
    record = Record("", DAILY.name, GLOBAL, None, text, at, at, data, origin.trust, valid_from=at)
    return ImportedRecord(record, place)


def saved(
    key: str, value: str, at: datetime, origin: Origin, place: str, said: str = ""
) -> ImportedRecord:
    """A saved fact; `said` is its key as it stood there, where that had to be changed."""
    data = origin.data(said)
    record = Record("", SAVED_FACT.name, GLOBAL, key, value, at, at, data, origin.trust)
    return ImportedRecord(record, place)

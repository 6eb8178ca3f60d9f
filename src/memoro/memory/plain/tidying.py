"""A record that a person wrote, in the form in which its kind is kept."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, time
from typing import Any

from memoro.memory.comparing import is_hedged
from memoro.memory.facts.categories import category_of
from memoro.memory.facts.statement import HEDGED, tags_of
from memoro.memory.plain.values import read_time
from memoro.memory.profile.entries import field_of, proper_key
from memoro.memory.records import (
    DAILY,
    EPISODE,
    FACT,
    NOTE,
    PROFILE,
    SAVED_FACT,
    TOPIC,
    WORK,
    Record,
    Trust,
)
from memoro.memory.topics import fold_name, to_text

_LINES = frozenset({FACT.name, EPISODE.name, DAILY.name, TOPIC.name, WORK.name})
_NAMED = frozenset({TOPIC.name, WORK.name})
_DATED = frozenset({EPISODE.name, DAILY.name})
_SAID = {
    TOPIC.name: {"text": "summary", "data.name": "name"},
    WORK.name: {
        "text": "description",
        "data.name": "name",
        "data.path": "path",
        "data.status": "status",
    },
}
"""What each field is called where it is kept who stands behind it."""


def tidied(record: Record) -> Record:
    """A record as its kind is kept: Windows line ends as plain ones, one line where it is one, the
    key that follows from the text."""
    text = record.text.replace("\r\n", "\n")
    if record.kind in _LINES:
        text = " ".join(text.split())
    elif record.kind in (SAVED_FACT.name, NOTE.name):
        text = text.strip() if record.kind == SAVED_FACT.name else text
    record = record._replace(text=text, tags=tuple(dict.fromkeys(record.tags)))
    if record.kind == FACT.name:
        return record._replace(tags=tags_of(record.tags))
    if record.kind == PROFILE.name:
        field = {"field": field_of(record)} if "field" in record.data else {}
        key = proper_key(record) or record.key
        return record._replace(key=key, data={**record.data, **field})
    if record.kind in _NAMED and record.key is None:
        name = record.data.get("name")
        return record._replace(key=fold_name(name) if isinstance(name, str) else None)
    return record


def as_new(record: Record, now: datetime) -> Record:
    """A record that a person added, with what one of its kind has to have."""
    data = {**_first_data(record, now), **record.data}
    record = record._replace(
        data=data,
        valid_from=record.valid_from or _first_time(record),
        superseded_by=record.superseded_by if record.valid_to is not None else None,
        revision=1,
    )
    if record.kind != FACT.name:
        return record
    # What somebody writes down now is fresh, however old it says to be.
    return _hedged(record._replace(accesses=max(1, record.accesses), accessed_at=now))


def as_changed(before: Record, wanted: Record, given: Mapping[str, Any], now: datetime) -> Record:
    """A record that a person changed: it counts as said by them.

    Args:
        before: the record as it is.
        wanted: the same with what the person changed.
        given: the fields that they changed.
        now: when it is merged.
    """
    after = wanted._replace(
        id=before.id,
        updated_at=max(before.updated_at, now),
        revision=before.revision + 1,
        trust=wanted.trust if "trust" in given else Trust.USER,
        superseded_by=before.superseded_by if wanted.valid_to is not None else None,
    )
    if after.kind == FACT.name:
        confidence = after.confidence if "confidence" in given else 1.0
        data = dict(after.data)
        if "data.provenance" not in given:
            data["provenance"] = "corrected"
        after = after._replace(confidence=confidence, data=data)
        return _hedged(after) if "text" in given else after
    if after.kind == PROFILE.name and "data.confirmed_at" not in given:
        data = {**after.data, "field": field_of(after), "confirmed_at": now.isoformat()}
        return after._replace(data=data)
    return _told(after, given, now)


def _hedged(fact: Record) -> Record:
    data = {name: value for name, value in fact.data.items() if name != "hedged"}
    if not is_hedged(fact.text):
        return fact._replace(data=data)
    sure = min(fact.confidence, HEDGED)
    return fact._replace(data={**data, "hedged": True}, confidence=sure)


def _told(record: Record, given: Mapping[str, Any], now: datetime) -> Record:
    """Note who stands behind the fields of a topic or project, so that no guess replaces them."""
    names = _SAID.get(record.kind, {})
    told = {
        name: [int(record.trust), to_text(now)] for field, name in names.items() if field in given
    }
    if not told:
        return record
    said: Mapping[str, Any] = record.data.get("said", {})
    return record._replace(data={**record.data, "said": {**said, **told}})


def _first_data(record: Record, now: datetime) -> dict[str, Any]:
    at = to_text(record.created_at)
    if record.kind == FACT.name:
        return {"category": category_of(record.text), "provenance": "told"}
    if record.kind == PROFILE.name:
        return {"field": field_of(record), "confirmed_at": now.isoformat()}
    said = {"said": {name: [int(record.trust), at] for name in _SAID.get(record.kind, {}).values()}}
    if record.kind == TOPIC.name:
        seen = {"first_seen": at, "last_seen": at}
        return {"name": record.key, "mentions": 1, **seen, "facts": [], **said}
    if record.kind == WORK.name:
        known = {"path": "", "status": "active", "technologies": []}
        return {"name": record.key, **known, "last_active": at, **said}
    return {}


def _first_time(record: Record) -> datetime | None:
    """When what a new record tells of was so, where it doesn't say."""
    if record.kind in _DATED:
        # The user's zone is not known here; noon is that day almost everywhere.
        day = read_time(record.data["date"]).date()
        return datetime.combine(day, time(12), UTC)
    return record.created_at if record.kind in (FACT.name, PROFILE.name) else None

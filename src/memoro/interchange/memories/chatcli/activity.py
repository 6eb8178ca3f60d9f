"""Its topics, projects and episodes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, date, datetime
from typing import Any

from memoro.interchange.formats import Clock, Imported
from memoro.interchange.memories.chatcli.stores import TOOL, Item, items_in
from memoro.interchange.reading.making import Origin
from memoro.interchange.reading.values import (
    count_in,
    kept_aside,
    text_in,
    texts_in,
    time_in,
    word_for,
)
from memoro.memory.imported import ImportedRecord, LeftOut
from memoro.memory.records import EPISODE, GLOBAL, TOPIC, WORK, Record, Trust
from memoro.memory.topics import fold_name, one_line, to_text

_OF_PROJECTS = frozenset({"key_files", "priority", "metadata"})


def read_topics(folder: str, clock: Clock, otherwise: datetime) -> Iterator[Imported]:
    """What it was talked to about."""
    return _read(folder, "topics.json", "a topic", topic_of, clock, otherwise)


def read_projects(folder: str, clock: Clock, otherwise: datetime) -> Iterator[Imported]:
    """What was worked on."""
    return _read(folder, "projects.json", "a project", project_of, clock, otherwise)


def read_episodes(folder: str, clock: Clock, otherwise: datetime) -> Iterator[Imported]:
    """What was done."""
    return _read(folder, "episodes.json", "an episode", episode_of, clock, otherwise)


def _read(
    folder: str,
    file: str,
    of: str,
    record_of: Callable[[Item, str, Clock, datetime], ImportedRecord | LeftOut],
    clock: Clock,
    otherwise: datetime,
) -> Iterator[Imported]:
    for one in items_in(folder, file, of):
        yield one if isinstance(one, LeftOut) else record_of(one, file, clock, otherwise)


def topic_of(item: Item, file: str, clock: Clock, otherwise: datetime) -> ImportedRecord | LeftOut:
    """One of its topics; the facts linked with it are named by the IDs that they have there."""
    fields = item.fields
    last = time_in(fields, clock, "last_seen", "first_seen") or otherwise
    first = min(time_in(fields, clock, "first_seen") or last, last)
    data = {
        "mentions": count_in(fields, "mentions", 1),
        "first_seen": to_text(first),
        "last_seen": to_text(last),
        "facts": texts_in(fields, "related_fact_ids"),
        **Origin(TOOL, file).data(),
    }
    return _named(item, TOPIC.name, text_in(fields, "summary"), (first, last), data)


def project_of(
    item: Item, file: str, clock: Clock, otherwise: datetime
) -> ImportedRecord | LeftOut:
    """One of its projects."""
    fields = item.fields
    at = time_in(fields, clock, "last_active") or otherwise
    data = {
        "path": text_in(fields, "path"),
        "status": text_in(fields, "status"),
        "technologies": texts_in(fields, "technologies"),
        "last_active": to_text(at),
        **Origin(TOOL, file).data("", **kept_aside(fields, _OF_PROJECTS)),
    }
    return _named(item, WORK.name, text_in(fields, "description"), (at, at), data)


def _named(
    item: Item,
    kind: str,
    text: str,
    span: tuple[datetime, datetime],
    data: Mapping[str, Any],
) -> ImportedRecord | LeftOut:
    """What is known by its name alone, and when it first and last came up."""
    name = one_line(text_in(item.fields, "name"))
    if not name:
        return LeftOut(item.place, f"its name is {word_for(item.fields.get('name'))}")
    told = {"name": name, **data}
    return ImportedRecord(
        Record("", kind, GLOBAL, fold_name(name), text, *span, told, Trust.INFERRED), item.place
    )


def episode_of(
    item: Item, file: str, clock: Clock, otherwise: datetime
) -> ImportedRecord | LeftOut:
    """One of its episodes, on the day that it names."""
    fields = item.fields
    summary = one_line(text_in(fields, "summary"))
    if not summary:
        return LeftOut(item.place, f"its summary is {word_for(fields.get('summary'))}")
    made = time_in(fields, clock, "created_at")
    at = time_in(fields, clock, "date") or made or otherwise
    own = text_in(fields, "id")
    data = {
        "date": _day(fields, at, clock).isoformat(),
        "outcome": one_line(text_in(fields, "outcome")),
        "refs": texts_in(fields, "refs"),
        "project": one_line(text_in(fields, "project")),
        **Origin(TOOL, file).data(own),
    }
    told = {name: value for name, value in data.items() if value}
    created = made or at
    record = Record(
        own,
        EPISODE.name,
        GLOBAL,
        None,
        summary,
        created,
        created,
        told,
        Trust.INFERRED,
        valid_from=at,
    )
    return ImportedRecord(record, item.place)


def _day(fields: Mapping[str, object], at: datetime, clock: Clock) -> date:
    """The day as it was written: in the zone that it names, else in the user's."""
    try:
        written = datetime.fromisoformat(text_in(fields, "date").strip())
    except ValueError:
        return clock.calendar.day(at)
    midnight = not any((written.hour, written.minute, written.second))
    if written.tzinfo is None and midnight:
        return written.date()
    offset = written.utcoffset()
    return clock.calendar.day(at) if not offset else at.astimezone(written.tzinfo or UTC).date()

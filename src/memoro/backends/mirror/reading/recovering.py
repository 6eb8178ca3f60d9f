"""Taking back from the folder what a store has lost: one that was rebuilt, or is a new one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

import apsw

from memoro.backends.mirror.names import group_of
from memoro.backends.mirror.reading.basing import changed_at, id_of, last_of, stored
from memoro.backends.mirror.reading.merging import WRITER
from memoro.backends.sqlite.database import run
from memoro.backends.sqlite.store import SqliteStore
from memoro.errors import Reason, Refusal
from memoro.memory.plain.edits import Item
from memoro.memory.plain.elsewhere import project_of
from memoro.memory.plain.form import Problem, from_plain
from memoro.memory.records import FACT, GLOBAL, PROJECT, Record, project_name
from memoro.memory.store import Change, ChangeSet, Origin, Plan, Reader


class Recovered(NamedTuple):
    """What was taken back, by the `change` in the log; `removed` are the IDs of those that the
    store knows to have been removed, and so stay away."""

    change: int | None
    records: int
    removed: frozenset[str]


def recover(store: SqliteStore, items: Sequence[Item], now: datetime) -> Recovered:
    """Take back the records that the store lacks, or has in an older version: as they stand in the
    files, whoever said them.

    Raises:
        StoreError: as it says; nothing was changed.
    """
    connection = store.connection
    removed = frozenset(
        record_id
        for record_id in map(id_of, items)
        if record_id and is_removed(connection, record_id)
    )
    wanted = [item for item in items if id_of(item) not in removed]
    applied = store.apply(_plan(connection, wanted), Origin(WRITER, now))
    if isinstance(applied, Refusal):
        return Recovered(None, 0, removed)
    return Recovered(applied.change, len(applied.records), removed)


def is_removed(connection: apsw.Connection, record_id: str) -> bool:
    """Whether the store knows that a record was removed, or forgotten."""
    last = last_of(connection, record_id)
    if last is not None:
        return not last.stands
    return bool(
        run(connection, "SELECT 1 FROM erasures WHERE what = 'record' AND id = ?", [record_id])
    )


def _plan(connection: apsw.Connection, items: Sequence[Item]) -> Plan:
    def plan(_: Reader) -> ChangeSet | Refusal:
        changes = list(_changes(connection, items))
        if not changes:
            return Refusal(Reason.NOT_FOUND, "the store has all that the files have")
        return ChangeSet("recover", changes)

    return plan


def _changes(connection: apsw.Connection, items: Iterable[Item]) -> Iterable[Change]:
    seen: set[str] = set()
    keys: set[tuple[str, str, str]] = set()
    scopes: dict[str, Record] = {}
    for item in items:
        record = _verbatim(item)
        if record is None or record.id in seen:
            continue
        known = stored(connection, record.id)
        if known is not None and not _is_newer(item, record, known):
            continue
        if record.key is not None:
            place = (record.kind, record.scope, record.key)
            if place in keys or _is_taken(connection, record):
                continue
            keys.add(place)
        seen.add(record.id)
        scopes.setdefault(record.scope, record)
        yield Change(known, _fit(record, known))
    for scope, record in scopes.items():
        name = project_name(scope)
        if name is not None and (PROJECT.name, GLOBAL, name) not in keys:
            project = project_of(name, record)
            if not _is_taken(connection, project._replace(id="")):
                yield Change(None, project)


def _verbatim(item: Item) -> Record | None:
    """The record that an element is; None where it is none, or somebody has written it who left it
    to us to give it an ID."""
    group = group_of(item.file)
    said = item.value.get("kind") if isinstance(item.value, dict) else None
    if group is None or said not in group.kinds:
        return None
    read = from_plain(item.value, said)
    return None if isinstance(read, Problem) or read.unknown else read.record


def _is_newer(item: Item, record: Record, known: Record) -> bool:
    at = changed_at(item)
    return at is not None and at > known.updated_at and record.kind == known.kind


def _is_taken(connection: apsw.Connection, record: Record) -> bool:
    rows = run(
        connection,
        "SELECT id FROM records WHERE kind = ? AND scope = ? AND key = ? AND id <> ?",
        [record.kind, record.scope, record.key, record.id],
    )
    return bool(rows)


def _fit(record: Record, known: Record | None) -> Record:
    """A record with the counters that the files don't have."""
    if known is not None:
        return record._replace(
            accesses=known.accesses, accessed_at=known.accessed_at, revision=known.revision + 1
        )
    if record.kind == FACT.name and not record.accesses:
        # As it was when it was learned; what it was used for is lost.
        return record._replace(accesses=1, accessed_at=record.updated_at)
    return record

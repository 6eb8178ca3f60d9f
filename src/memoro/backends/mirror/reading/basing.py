"""What a person's file was made from: as it was last written, or as it must have been."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import NamedTuple

import apsw

from memoro.backends.mirror.state import lines_in, lines_of
from memoro.backends.sqlite.database import run
from memoro.backends.sqlite.rows import COLUMNS, from_json, to_record
from memoro.memory.plain.edits import Item, Written
from memoro.memory.plain.form import digest_of, digest_of_value
from memoro.memory.plain.values import read_time
from memoro.memory.records import Record


class Last(NamedTuple):
    """What the log says last of a record: whether it stands, and whether it was forgotten."""

    stands: bool
    final: bool


def written_base(
    connection: apsw.Connection, files: Iterable[str], items: Iterable[Item]
) -> dict[str, Written]:
    """What was last written into these files, and of these records."""
    lines = {record: line for file in files for record, line in lines_in(connection, file).items()}
    others = {id_of(item) for item in items} - lines.keys()
    lines |= lines_of(connection, sorted(one for one in others if one))
    return {record: Written(line.digest, line.file) for record, line in lines.items()}


def inferred_base(connection: apsw.Connection, items: Iterable[Item]) -> dict[str, Written]:
    """What elements were made from, of files that nobody knows: the version of the record that has
    the time that the element has kept."""
    found: dict[str, Written] = {}
    for item in items:
        record_id = id_of(item)
        if record_id and record_id not in found:
            digest = _inferred(connection, record_id, item)
            if digest is not None:
                found[record_id] = Written(digest, item.file)
    return found


def id_of(item: Item) -> str:
    """The ID that an element has; "" where it has none."""
    given = item.value.get("id") if isinstance(item.value, Mapping) else None
    return given if isinstance(given, str) else ""


def stored(connection: apsw.Connection, record_id: str) -> Record | None:
    """The record of that ID."""
    rows = run(connection, f"SELECT {COLUMNS} FROM records WHERE id = ?", [record_id])
    return to_record(rows[0]) if rows else None


def last_of(connection: apsw.Connection, record_id: str) -> Last | None:
    """What the log says last of a record; None where it says nothing."""
    rows = run(
        connection,
        "SELECT c.after IS NOT NULL, s.final FROM changes c"
        " JOIN change_sets s ON s.id = c.change_set WHERE c.record_id = ?"
        " ORDER BY c.change_set DESC, c.position DESC LIMIT 1",
        [record_id],
    )
    return Last(bool(rows[0][0]), bool(rows[0][1])) if rows else None


def changed_at(item: Item) -> datetime | None:
    """When an element says that its record was last changed; None where it says nothing."""
    if not isinstance(item.value, Mapping):
        return None
    try:
        return read_time(item.value.get("updated_at", item.value.get("created_at")))
    except ValueError:
        return None


def _inferred(connection: apsw.Connection, record_id: str, item: Item) -> str | None:
    digest, at = digest_of_value(item.value), changed_at(item)
    record = stored(connection, record_id)
    if record is not None and (record.updated_at == at or digest_of(record) == digest):
        return digest_of(record)
    versions = list(_versions(connection, record_id))
    if digest in map(digest_of, versions):
        return digest
    same = [one for one in versions if one.updated_at == at]
    return digest_of(same[0]) if same else None


def _versions(connection: apsw.Connection, record_id: str) -> Iterable[Record]:
    rows = run(
        connection,
        "SELECT before, after FROM changes WHERE record_id = ? ORDER BY change_set DESC",
        [record_id],
    )
    for row in rows:
        for text in reversed(row):
            version = from_json(None if text is None else str(text))
            if version is not None:
                yield version

"""Changing records: what is written, logged, and taken out for good."""

from __future__ import annotations

from collections.abc import Iterable

import apsw

from memoro.backends.sqlite.database import run
from memoro.backends.sqlite.rows import COLUMNS, PLACES, to_json, to_row, to_text
from memoro.memory.store import ChangeSet, Origin, Removal


def write_changes(connection: apsw.Connection, wanted: ChangeSet, origin: Origin) -> int:
    """Make the changes and log them; gives the log's ID. Runs inside a transaction."""
    change_id = _log(connection, wanted.action, origin, undoes=wanted.undoes)
    for position, change in enumerate(wanted.changes):
        subject = change.subject
        if change.after is None:
            run(connection, "DELETE FROM records WHERE id = ?", [subject.id])
        else:
            run(
                connection,
                f"INSERT OR REPLACE INTO records ({COLUMNS}) VALUES ({PLACES})",
                to_row(change.after),
            )
        run(
            connection,
            "INSERT INTO changes VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            [
                change_id,
                position,
                subject.id,
                subject.kind,
                subject.scope,
                subject.key,
                to_json(change.before),
                to_json(change.after),
            ],
        )
    return change_id


def write_removal(connection: apsw.Connection, wanted: Removal, origin: Origin) -> int:
    """Take records and all that the log holds of them out; what the log keeps is that it was done.

    Runs inside a transaction. Other files still owe the same: see `erasures`.
    """
    change_id = _log(connection, wanted.action, origin, final=True)
    for position, record in enumerate(wanted.records):
        run(
            connection,
            "INSERT INTO changes VALUES (?, ?, ?, ?, ?, ?, NULL, NULL)",
            [change_id, position, record.id, record.kind, record.scope, record.key],
        )
    erase(connection, [("record", record.id) for record in wanted.records])
    return change_id


def erase(connection: apsw.Connection, things: Iterable[tuple[str, str]]) -> None:
    """Take the content of records and sessions out of one database file, by their IDs."""
    for what, thing in things:
        if what == "record":
            run(connection, "DELETE FROM records WHERE id = ?", [thing])
            run(
                connection,
                "UPDATE changes SET before = NULL, after = NULL WHERE record_id = ?",
                [thing],
            )
        else:
            run(connection, "DELETE FROM sessions WHERE id = ?", [thing])


def _log(
    connection: apsw.Connection,
    action: str,
    origin: Origin,
    undoes: int | None = None,
    final: bool = False,
) -> int:
    rows = run(
        connection,
        "INSERT INTO change_sets (at, action, writer, run, message, undoes, final)"
        " VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id",
        [
            to_text(origin.at),
            action,
            origin.writer,
            origin.run,
            origin.message,
            undoes,
            int(final),
        ],
    )
    change_id = rows[0][0]
    assert isinstance(change_id, int)
    return change_id

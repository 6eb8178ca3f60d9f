"""Changing records: what is written, logged, and taken out for good."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import apsw

from memoro.backends.sqlite.database import run
from memoro.backends.sqlite.rows import COLUMNS, PLACES, to_json, to_record, to_row, to_text
from memoro.errors import StoreError
from memoro.memory.records import INDEXED, PROJECT, SAVED_FACT, SEARCHED
from memoro.memory.store import Change, ChangeSet, Origin, Removal

_NAMED = (SAVED_FACT.name, PROJECT.name)
"""The kinds whose keys are names that somebody chose; the log keeps them. Any other key may be
what the record says."""

_INSERT = f"INSERT INTO records ({COLUMNS}) VALUES ({PLACES})"
_UPDATE = f"UPDATE records SET ({COLUMNS}) = ({PLACES}) WHERE id = ? AND revision = ?"


def write_changes(connection: apsw.Connection, wanted: ChangeSet, origin: Origin) -> int:
    """Make the changes and log them; gives the log's ID. Runs inside a transaction.

    Raises:
        StoreError: a record is not as the change says it was before; nothing may be committed.
    """
    change_id = _log(connection, wanted.action, origin, undoes=wanted.undoes)
    # What goes makes room first: its key may be taken over in the same set.
    for change in sorted(wanted.changes, key=lambda one: one.after is not None):
        _write(connection, change)
    for position, change in enumerate(wanted.changes):
        subject = change.subject
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
    _follow(connection, wanted.changes, change_id)
    return change_id


def _follow(connection: apsw.Connection, changes: Sequence[Change], change_id: int) -> None:
    """Keep what follows from the records up with a change. What makes entries is not loaded for
    one that has none."""
    kinds = {change.subject.kind for change in changes}
    if kinds & INDEXED:
        from memoro.backends.sqlite.indexing import follow

        follow(connection, changes, change_id)
    else:
        _keep_up(connection, "derived_state", "true", change_id)
    if kinds & SEARCHED:
        from memoro.backends.sqlite.searching.following import follow_changes

        follow_changes(connection, changes, change_id)
    else:
        _keep_up(connection, "derived_shelves", "name = 'record' AND live = 1", change_id)


def _keep_up(connection: apsw.Connection, table: str, where: str, change_id: int) -> None:
    run(
        connection,
        f"UPDATE {table} SET upto = ?1 WHERE {where} AND upto ="
        " (SELECT coalesce(max(id), 0) FROM change_sets WHERE id < ?1)",
        [change_id],
    )


def _write(connection: apsw.Connection, change: Change) -> None:
    before, after = change
    if before is None:
        assert after is not None, "a change has a before or an after"
        run(connection, _INSERT, to_row(after))
        return
    if after is None:
        sql, values = "DELETE FROM records WHERE id = ? AND revision = ?", ()
    else:
        sql, values = _UPDATE, to_row(after)
    run(connection, sql, [*values, before.id, before.revision])
    if not connection.changes():
        raise StoreError(
            f"record {before.id} has changed meanwhile; nothing was changed", "try again"
        )


def write_removal(connection: apsw.Connection, wanted: Removal, origin: Origin) -> int:
    """Take records and all that the log holds of them out; what the log keeps is that it was done.

    Runs inside a transaction. What other places still owe is noted: see `erasures`.
    """
    subjects = [
        (record.id, record.kind, record.scope, record.key if record.kind in _NAMED else None)
        for record in wanted.records
    ]
    things = [("record", record.id) for record in wanted.records]
    return _remove(
        connection, wanted.action, subjects, things, origin, _standing(connection, wanted)
    )


def write_session_removal(
    connection: apsw.Connection, session: str, scope: str, origin: Origin
) -> int:
    """Take a conversation out, the same way."""
    from memoro.backends.sqlite.searching.following import after_removal
    from memoro.backends.sqlite.searching.removing import remove_session

    subjects = [(session, "session", scope, None)]
    remove_session(connection, session)
    change = _remove(connection, "chat delete", subjects, [("session", session)], origin, [])
    after_removal(connection)
    return change


def _standing(connection: apsw.Connection, wanted: Removal) -> list[Change]:
    """What the index loses with these records."""
    gone: list[Change] = []
    for record in wanted.records:
        rows = run(connection, f"SELECT {COLUMNS} FROM records WHERE id = ?", [record.id])
        gone += [Change(to_record(row), None) for row in rows]
    return gone


def _remove(
    connection: apsw.Connection,
    action: str,
    subjects: Sequence[tuple[str, str, str, str | None]],
    things: Sequence[tuple[str, str]],
    origin: Origin,
    changes: Sequence[Change],
) -> int:
    change_id = _log(connection, action, origin, final=True)
    for position, subject in enumerate(subjects):
        run(
            connection,
            "INSERT INTO changes VALUES (?, ?, ?, ?, ?, ?, NULL, NULL)",
            [change_id, position, *subject],
        )
    _follow(connection, changes, change_id)
    _erase(connection, things)
    owe(connection, things)
    return change_id


def erase(connection: apsw.Connection, things: Iterable[tuple[str, str]]) -> None:
    """Take the content of records and sessions out of one database file, by their IDs; what
    follows from its records is made anew when it is next used."""
    _erase(connection, things)
    # A backup of an older schema has none of these.
    names = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'derived_*'"
    for (table,) in run(connection, names):
        run(connection, f"DELETE FROM {table}")


def _erase(connection: apsw.Connection, things: Iterable[tuple[str, str]]) -> None:
    for what, thing in things:
        if what == "record":
            run(connection, "DELETE FROM records WHERE id = ?", [thing])
            run(
                connection,
                "UPDATE changes SET before = NULL, after = NULL,"
                " key = CASE WHEN kind IN (?, ?) THEN key END WHERE record_id = ?",
                [*_NAMED, thing],
            )
        else:
            run(connection, "DELETE FROM sessions WHERE id = ?", [thing])


def holds(connection: apsw.Connection, things: Iterable[tuple[str, str]]) -> bool:
    """Whether a database file has any of their content."""
    return any(
        run(
            connection,
            "SELECT 1 FROM records WHERE id = ?1 UNION ALL SELECT 1 FROM changes"
            " WHERE record_id = ?1 AND (before IS NOT NULL OR after IS NOT NULL) LIMIT 1",
            [thing],
        )
        if what == "record"
        else run(connection, "SELECT 1 FROM sessions WHERE id = ?", [thing])
        for what, thing in things
    )


def owe(connection: apsw.Connection, things: Iterable[tuple[str, str]]) -> None:
    """Note that unused space and the backups have still to be cleaned of them."""
    for what, thing in things:
        run(
            connection,
            "INSERT OR IGNORE INTO erasures VALUES ('database', ?1, ?2), ('backups', ?1, ?2)",
            [what, thing],
        )


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

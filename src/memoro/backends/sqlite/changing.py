"""Changing records: what is written, logged, and taken out for good."""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from memoro.backends.sqlite.database import run
from memoro.backends.sqlite.erasures import NAMED, RECORD, Thing, erase_one, owe
from memoro.backends.sqlite.rows import COLUMNS, PLACES, to_json, to_record, to_row, to_text
from memoro.errors import StoreError
from memoro.memory.records import INDEXED, SEARCHED, Record
from memoro.memory.store import SESSION, Change, ChangeSet, Origin

Subject = tuple[str, str, str, str | None]
"""What an entry of the log is about: ID, kind, scope, and key where that is a name."""

_INSERT = f"INSERT INTO records ({COLUMNS}) VALUES ({PLACES})"
_UPDATE = f"UPDATE records SET ({COLUMNS}) = ({PLACES}) WHERE id = ? AND revision = ?"

_MANY = 2_000
"""So many records are taken out of the index in a second or two."""


def write_changes(connection: apsw.Connection, wanted: ChangeSet, origin: Origin) -> int:
    """Make the changes and log them; gives the log's ID. Runs inside a transaction.

    Raises:
        StoreError: a record is not as the change says it was before; nothing may be committed.
    """
    change_id = _log(connection, wanted.action, origin, undoes=wanted.undoes)
    _write_all(connection, change_id, 0, wanted.changes)
    if wanted.withdraws:
        from memoro.backends.sqlite.withdrawing import withdraw

        withdraw(connection, change_id, len(wanted.changes), wanted.withdraws)
    _follow(connection, wanted.changes, change_id)
    return change_id


def begin_entry(connection: apsw.Connection, action: str, origin: Origin) -> int:
    """An entry of the log that has no record yet; gives its ID. Runs inside a transaction."""
    change_id = _log(connection, action, origin)
    _follow(connection, (), change_id)
    return change_id


def write_more(connection: apsw.Connection, change_id: int, changes: Sequence[Change]) -> None:
    """Make changes and log them in an entry that was begun. Runs inside a transaction.

    Raises:
        StoreError: a record is not as the change says it was before; nothing may be committed.
    """
    _write_all(connection, change_id, next_position(connection, change_id), changes)
    _follow_late(connection, changes, change_id)


def next_position(connection: apsw.Connection, change_id: int) -> int:
    """Where an entry of the log goes on."""
    rows = run(
        connection,
        "SELECT coalesce(max(position) + 1, 0) FROM changes WHERE change_set = ?",
        [change_id],
    )
    return int(str(rows[0][0]))


def _write_all(
    connection: apsw.Connection, change_id: int, first: int, changes: Sequence[Change]
) -> None:
    # What goes makes room first: its key may be taken over in the same set.
    for change in sorted(changes, key=lambda one: one.after is not None):
        _write(connection, change)
    for position, change in enumerate(changes, first):
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


def _follow_late(connection: apsw.Connection, changes: Sequence[Change], change_id: int) -> None:
    """Keep what follows from the records up with changes of an entry that others may have come
    after."""
    from memoro.backends.sqlite.indexing import follow_late
    from memoro.backends.sqlite.searching.following import follow_changes

    follow_late(connection, changes)
    ((last,),) = run(connection, "SELECT max(id) FROM change_sets")
    follow_changes(connection, changes, int(str(last)), late=True)
    # The files are told of what is newer than they are, by the numbers of the entries.
    run(connection, "UPDATE derived_mirror SET upto = min(upto, ?)", [change_id - 1])


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


def remove_records(
    connection: apsw.Connection, action: str, records: Sequence[Record], origin: Origin
) -> int:
    """Take records and all that the log holds of them out; what the log keeps is that it was done.

    Runs inside a transaction. What other places still owe is noted: see `erasures`.
    """
    subjects, things = _going(records)
    return _remove(connection, action, subjects, things, origin, _standing(connection, records))


def write_session_removal(
    connection: apsw.Connection, session: str, scope: str, origin: Origin
) -> int:
    """Take a conversation out, the same way."""
    from memoro.backends.sqlite.searching.following import after_removal
    from memoro.backends.sqlite.searching.removing import remove_session

    subjects = [(session, SESSION, scope, None)]
    remove_session(connection, session)
    change = _remove(connection, "chat delete", subjects, [(SESSION, session)], origin, [])
    after_removal(connection)
    return change


def write_purge(
    connection: apsw.Connection,
    records: Sequence[Record],
    sessions: Sequence[str],
    origin: Origin,
) -> int:
    """Take records and conversations out together, the same way."""
    from memoro.backends.sqlite.searching.clearing import remove_sessions
    from memoro.backends.sqlite.searching.following import after_removal

    subjects, things = _going(records)
    standing = _standing(connection, records)
    for session in sessions:
        rows = run(connection, "SELECT scope FROM sessions WHERE id = ?", [session])
        subjects += [(session, SESSION, str(scope), None) for (scope,) in rows]
        things.append((SESSION, session))
    remove_sessions(connection, sessions)
    change = _remove(connection, "purge", subjects, things, origin, standing)
    after_removal(connection)
    return change


def _going(records: Sequence[Record]) -> tuple[list[Subject], list[Thing]]:
    """What the log says of records that go, and what is erased."""
    return [
        (record.id, record.kind, record.scope, record.key if record.kind in NAMED else None)
        for record in records
    ], [(RECORD, record.id) for record in records]


def _standing(connection: apsw.Connection, records: Sequence[Record]) -> list[Change]:
    """What the index loses with these records."""
    gone: list[Change] = []
    for record in records:
        rows = run(connection, f"SELECT {COLUMNS} FROM records WHERE id = ?", [record.id])
        gone += [Change(to_record(row), None) for row in rows]
    return gone


def _remove(
    connection: apsw.Connection,
    action: str,
    subjects: Sequence[Subject],
    things: Sequence[Thing],
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
    _follow_removal(connection, changes, change_id)
    for thing in things:
        erase_one(connection, thing)
    owe(connection, things)
    return change_id


def _follow_removal(connection: apsw.Connection, changes: Sequence[Change], change_id: int) -> None:
    """Keep what follows from the records up with those that go. What was behind is emptied, as
    nobody knows which words of theirs it has; so is what has little left."""
    from memoro.backends.sqlite.indexing import clear, is_fresh
    from memoro.backends.sqlite.searching.shelves import drop, shelves

    is_most = _are_most(connection, changes)
    if is_most:
        clear(connection)
    _follow(connection, () if is_most else changes, change_id)
    if not is_fresh(connection):
        clear(connection)
    for shelf in shelves(connection):
        is_behind = shelf.live and shelf.upto != change_id
        if shelf.name == "record" and (is_most or is_behind):
            drop(connection, shelf.id)


def _are_most(connection: apsw.Connection, changes: Sequence[Change]) -> bool:
    """Whether what is left is indexed anew sooner than all of these are taken out."""
    if len(changes) < _MANY:
        return False
    ((count,),) = run(connection, "SELECT count(*) FROM records")
    return len(changes) * 2 > int(str(count))


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

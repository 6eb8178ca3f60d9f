"""Making one sound database of what was salvaged, its log of changes, and a backup."""

from __future__ import annotations

import apsw

from memoro.backends.sqlite.database import run, writing
from memoro.backends.sqlite.erasures import erase, holds, owe
from memoro.backends.sqlite.repair.salvaging import Salvaged, fill
from memoro.backends.sqlite.rows import COLUMNS, PLACES, from_json, to_row
from memoro.memory.imported import brought_by
from memoro.memory.store import SESSION

_ORPHANS = """
INSERT OR IGNORE INTO sessions (id, title, scope, created_at, updated_at)
    SELECT session, 'recovered conversation', 'global', min(at), max(at) FROM messages
    GROUP BY session;
INSERT OR IGNORE INTO sessions (id, title, scope, created_at, updated_at)
    SELECT session, 'recovered conversation', 'global', min(started_at), max(started_at) FROM runs
    GROUP BY session;
INSERT OR IGNORE INTO runs (id, session, kind, state, model, started_at, blocks)
    SELECT run, session, 'chat', 'interrupted', '', min(at), '{}' FROM messages GROUP BY run;
DELETE FROM tool_calls WHERE run NOT IN (SELECT id FROM runs);
INSERT OR IGNORE INTO change_sets (id, at, action, writer)
    SELECT change_set, coalesce(json_extract(coalesce(after, before), '$.updated_at'),
        '1970-01-01T00:00:00.000000Z'), 'recovered', 'repair' FROM changes GROUP BY change_set;
"""
"""What lost the row that it belongs to is kept under a new one."""


_OF_SESSION = (
    "DELETE FROM tool_calls WHERE run IN (SELECT id FROM runs WHERE session = ?)",
    "DELETE FROM messages WHERE session = ?",
    "DELETE FROM runs WHERE session = ?",
    "DELETE FROM sessions WHERE id = ?",
)


def reconcile(target: apsw.Connection, salvaged: Salvaged, base: apsw.Connection | None) -> None:
    """Fill in what is missing, without bringing back what had been removed."""
    lost_records = "records" in salvaged.damaged
    if lost_records and "changes" not in salvaged.damaged:
        # The log is whole: it says what each record was, and a torn row may say it wrongly.
        with writing(target):
            run(target, "DELETE FROM records")
    kept = {str(row[0]) for row in run(target, "SELECT id FROM records")}
    held = {str(row[0]) for row in run(target, "SELECT DISTINCT session FROM messages")}
    if base is not None:
        fill(base, target, [one for one in salvaged.damaged if one != "records"])
    forgotten = forgettings(target)
    with writing(target):
        if lost_records:
            _take_from_log(target, kept)
    if base is not None and lost_records:
        fill(base, target, ["records"])
    with writing(target):
        _drop_removed(target, kept)
        _drop_withdrawn(target, held)
        erase(target, forgotten)
        if base is not None and holds(base, forgotten):
            owe(target, forgotten)
        run(target, _ORPHANS)


def forgettings(connection: apsw.Connection) -> list[tuple[str, str]]:
    """What a database knows to have been forgotten for good, by ID, and not to have been told
    again since: what is known by its content gets its old ID back."""
    rows = run(
        connection,
        "SELECT 'record', record_id FROM changes c JOIN change_sets s ON s.id = c.change_set"
        " WHERE s.final AND NOT EXISTS (SELECT 1 FROM changes later"
        " WHERE later.record_id = c.record_id AND later.change_set > c.change_set)"
        " UNION SELECT what, id FROM erasures e WHERE NOT EXISTS"
        " (SELECT 1 FROM records WHERE e.what = 'record' AND records.id = e.id)",
    )
    return [(str(what), str(thing)) for what, thing in rows]


def keep_counting(connection: apsw.Connection, last: int) -> None:
    """Let the log go on behind that number: an ID is never given twice."""
    with writing(connection):
        ((most,),) = run(
            connection,
            "SELECT max(?, coalesce((SELECT max(id) FROM change_sets), 0),"
            " coalesce((SELECT max(change_set) FROM changes), 0))",
            [last],
        )
        run(connection, "DELETE FROM sqlite_sequence WHERE name = 'change_sets'")
        run(connection, "INSERT INTO sqlite_sequence VALUES ('change_sets', ?)", [most])


def last_count(connection: apsw.Connection) -> int:
    """The last ID that the log gave, as far as it can be read."""
    try:
        rows = run(connection, "SELECT seq FROM sqlite_sequence WHERE name = 'change_sets'")
    except (apsw.Error, UnicodeDecodeError):
        return 0
    return rows[0][0] if rows and isinstance(rows[0][0], int) else 0


def _last_entries(target: apsw.Connection) -> list[tuple[str, object]]:
    rows = run(
        target,
        "SELECT record_id, after, max(change_set * 1000000 + position) FROM changes"
        " GROUP BY record_id",
    )
    return [(str(row[0]), row[1]) for row in rows]


def _take_from_log(target: apsw.Connection, kept: set[str]) -> None:
    """Make records whose own row was lost, or is older than the log says, from their entry."""
    for record_id, after in _last_entries(target):
        record = from_json(after) if isinstance(after, str) else None
        if record is None:
            continue
        if record_id in kept:
            run(
                target,
                "DELETE FROM records WHERE id = ? AND revision < ?",
                [record_id, record.revision],
            )
        run(
            target,
            f"INSERT OR IGNORE INTO records ({COLUMNS}) VALUES ({PLACES})",
            to_row(record),
        )


def _drop_removed(target: apsw.Connection, kept: set[str]) -> None:
    """Take out what only the backup has, and the log knows to have been removed since."""
    for record_id, after in _last_entries(target):
        if after is None and record_id not in kept:
            run(target, "DELETE FROM records WHERE id = ?", [record_id])


def _drop_withdrawn(target: apsw.Connection, held: set[str]) -> None:
    """Take out the conversations that only the backup has, and whose import was undone since."""
    rows = run(
        target,
        "SELECT c.record_id, c.key, s.undoes, max(c.change_set * 1000000 + c.position)"
        " FROM changes c JOIN change_sets s ON s.id = c.change_set WHERE c.kind = ?"
        " GROUP BY c.record_id",
        [SESSION],
    )
    for session, key, undoes, _ in rows:
        told = brought_by(None if key is None else str(key))
        if undoes is not None and told is not None and not told.after and session not in held:
            for sql in _OF_SESSION:
                run(target, sql, [session])

"""An export into an empty store: all of it, as it was."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import apsw

from memoro.backends.sqlite.carrying.forms import CARRIED
from memoro.backends.sqlite.carrying.scratch import SCRATCH, scratch
from memoro.backends.sqlite.carrying.staging import Rejected, Staging
from memoro.backends.sqlite.database import run, writing
from memoro.backends.sqlite.rows import to_text
from memoro.backends.sqlite.store import SqliteStore
from memoro.memory.records import Record
from memoro.memory.store import SESSION, Origin

_ORDER = (
    *("records", "change_sets", "changes", "sessions", "runs", "messages", "tool_calls"),
    *("accesses", "embedding_costs"),
)


class Restored(NamedTuple):
    """What came in, by type of line; the lines that were rejected, and how many more; the fields
    that nothing here has, by type of line, each with its number; the entries that undo one which is
    not in the file; and the log's entry of all that, None where nothing came."""

    counts: Mapping[str, int]
    rejected: Sequence[Rejected] = ()
    more_rejected: int = 0
    unknown: Mapping[str, Mapping[str, int]] = {}
    loose: int = 0
    change: int | None = None


def is_empty(store: SqliteStore) -> bool:
    """Whether a store holds nothing at all, and has no past."""
    sql = (
        "SELECT NOT EXISTS (SELECT 1 FROM records) AND NOT EXISTS (SELECT 1 FROM change_sets)"
        " AND NOT EXISTS (SELECT 1 FROM sessions)"
    )
    with store.guarded():
        return bool(run(store.connection, sql)[0][0])


def restore(
    store: SqliteStore,
    lines: Iterable[tuple[str, Mapping[str, Any]]],
    origin: Origin,
    *,
    rehearsal: bool = False,
) -> Restored | None:
    """Bring the lines of an export, with their places, into an empty store, as one change that undo
    takes back; None where it is empty no more. In a `rehearsal` they are only checked.

    They are read and checked before anybody is locked out.
    """
    with scratch(store) as connection:
        staging = Staging(connection)
        for place, line in lines:
            staging.take(place, line)
        run(connection, "COMMIT")
        change = None
        if staging.counts and not rehearsal:
            with writing(connection):
                if not is_empty(store):
                    return None
                for table in _ORDER:
                    run(connection, f"INSERT INTO main.{table} SELECT * FROM {SCRATCH}.{table}")
                change = _noted(connection, origin)
            store.wrote = True
    return Restored(
        staging.counts,
        staging.rejected,
        staging.more_rejected,
        staging.unknown,
        staging.loose,
        change,
    )


_SAID = ", ".join(f"'{name}', {name}" for name in Record._fields)


def _noted(connection: apsw.Connection, origin: Origin) -> int:
    """Log it: every record, and of every conversation how many turns it has."""
    rows = run(
        connection,
        "INSERT INTO change_sets (at, action, writer, final) VALUES (?, ?, ?, 0) RETURNING id",
        [to_text(origin.at), CARRIED, origin.writer],
    )
    change = int(str(rows[0][0]))
    run(
        connection,
        "INSERT INTO changes SELECT ?, row_number() OVER () - 1, id, kind, scope, key, NULL,"
        f" json_object({_SAID}) FROM main.records",
        [change],
    )
    log_sessions(connection, change, "main.sessions")
    return change


def log_sessions(connection: apsw.Connection, change: int, sessions: str) -> None:
    """Log conversations that came whole with an entry, all that a table has: by the number of their
    turns, nothing of what is said. Runs inside a transaction."""
    run(
        connection,
        "INSERT INTO changes SELECT ?1, (SELECT coalesce(max(position) + 1, 0) FROM changes"
        " WHERE change_set = ?1) + row_number() OVER () - 1, s.id, ?2, s.scope, '0+' ||"
        " (SELECT count(*) FROM messages m WHERE m.session = s.id), NULL, NULL"
        f" FROM {sessions} s",
        [change, SESSION],
    )

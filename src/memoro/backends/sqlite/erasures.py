"""What a forgetting takes out of a database file, by ID: the store itself, and each backup.

Records and conversations go as a whole. Passages stay with other words: those of a message, a tool
call, a run's error and a conversation's title, each by the name of its kind and its ID.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import apsw

from memoro.backends.sqlite.database import run
from memoro.backends.sqlite.rows import COLUMNS, PLACES
from memoro.memory.erasing import ERASED
from memoro.memory.records import PROJECT, SAVED_FACT
from memoro.memory.store import SESSION

NAMED = (SAVED_FACT.name, PROJECT.name)
"""The kinds whose keys are names that somebody chose; the log keeps them. Any other key may be
what the record says."""

RECORD = "record"


class Passages(NamedTuple):
    """Where passages of a kind stand: the table, what names a row of it, whose conversation it
    belongs to, the columns with words, and what stands there where nothing else is known."""

    table: str
    name: str
    session: str
    columns: tuple[str, ...]
    nothing: tuple[str, ...]


_SESSION_OF_RUN = "(SELECT session FROM runs r WHERE r.id = run)"
PASSAGES: Mapping[str, Passages] = {
    "message": Passages("messages", "id", "session", ("text",), (ERASED,)),
    # The numbers of rows that went are given again: each is named together with its run.
    "tool_call": Passages(
        "tool_calls",
        "id || ' ' || run",
        _SESSION_OF_RUN,
        ("arguments", "detail"),
        ("{}", ERASED),
    ),
    "run": Passages("runs", "id", "session", ("error",), (ERASED,)),
    "title": Passages("sessions", "id", "id", ("title",), (ERASED,)),
}

_MARKS = (ERASED, "[secret: ")
"""What stands where passages were erased, or masked."""

Thing = tuple[str, str]
"""What goes, and its ID: "record", "session", or a kind of passage."""


def erase(
    connection: apsw.Connection,
    things: Iterable[Thing],
    standing: apsw.Connection | None = None,
) -> None:
    """Take the content of things out of one database file; what follows from its records is made
    anew when it is next used. What still stands, with other words, is as in `standing`."""
    for thing in things:
        erase_one(connection, thing, standing)
    # A backup of an older schema has none of these.
    names = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'derived_*'"
    for (table,) in run(connection, names):
        run(connection, f"DELETE FROM {table}")


def erase_one(
    connection: apsw.Connection, thing: Thing, standing: apsw.Connection | None = None
) -> None:
    """The same of one thing, and of nothing that follows from it."""
    what, name = thing
    if what == RECORD:
        run(
            connection,
            "UPDATE changes SET before = NULL, after = NULL,"
            " key = CASE WHEN kind IN (?, ?) THEN key END WHERE record_id = ?",
            [*NAMED, name],
        )
        known = run(connection, "DELETE FROM records WHERE id = ? RETURNING 1", [name])
        if known and standing is not None:
            _put_back(connection, name, standing)
    elif what == SESSION:
        run(connection, "DELETE FROM sessions WHERE id = ?", [name])
    else:
        _replace(connection, thing, standing)


def _put_back(connection: apsw.Connection, record_id: str, standing: apsw.Connection) -> None:
    for row in _records(standing, record_id):
        # Where its name is somebody else's there, it stays away.
        run(connection, f"INSERT OR IGNORE INTO records ({COLUMNS}) VALUES ({PLACES})", row)


def _records(connection: apsw.Connection, record_id: str) -> Sequence[tuple[object, ...]]:
    return run(connection, f"SELECT {COLUMNS} FROM records WHERE id = ?", [record_id])


def _replace(connection: apsw.Connection, thing: Thing, standing: apsw.Connection | None) -> None:
    what, name = thing
    place = PASSAGES[what]
    words = _words(standing, thing) if standing is not None else None
    if words is None and _is_marked(_words(connection, thing) or ()):
        return
    sets = ", ".join(f"{column} = ?" for column in place.columns)
    run(
        connection,
        f"UPDATE {place.table} SET {sets} WHERE {place.name} = ?",
        [*(words or place.nothing), name],
    )


def _is_marked(words: Iterable[object]) -> bool:
    """Whether something was taken out of these words."""
    return any(mark in str(one) for one in words for mark in _MARKS)


def _words(connection: apsw.Connection, thing: Thing) -> tuple[object, ...] | None:
    what, name = thing
    place = PASSAGES[what]
    rows = run(
        connection,
        f"SELECT {', '.join(place.columns)} FROM {place.table} WHERE {place.name} = ?",
        [name],
    )
    return rows[0] if rows else None


def holds(
    connection: apsw.Connection,
    things: Iterable[Thing],
    standing: apsw.Connection | None = None,
) -> bool:
    """Whether a database file has any of their content."""
    return any(_holds(connection, thing, standing) for thing in things)


def _holds(connection: apsw.Connection, thing: Thing, standing: apsw.Connection | None) -> bool:
    what, name = thing
    if what == RECORD:
        logged = run(
            connection,
            "SELECT 1 FROM changes"
            " WHERE record_id = ? AND (before IS NOT NULL OR after IS NOT NULL) LIMIT 1",
            [name],
        )
        known = _records(connection, name)
        return bool(logged) or bool(
            known and (standing is None or known != _records(standing, name))
        )
    if what == SESSION:
        return bool(run(connection, "SELECT 1 FROM sessions WHERE id = ?", [name]))
    here = _words(connection, thing)
    if here is None:
        return False
    words = _words(standing, thing) if standing is not None else None
    return here != words if words else not _is_marked(here)


def owe(connection: apsw.Connection, things: Iterable[Thing]) -> None:
    """Note that unused space and the backups have still to be cleaned of them."""
    for what, thing in things:
        run(
            connection,
            "INSERT OR IGNORE INTO erasures VALUES ('database', ?1, ?2), ('backups', ?1, ?2)",
            [what, thing],
        )

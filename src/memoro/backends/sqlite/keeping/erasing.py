"""Finishing a forgetting: its content leaves unused space, the write-ahead log, the backups."""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from memoro.backends.sqlite.database import explained, patience, run, writing
from memoro.backends.sqlite.erasures import Thing
from memoro.backends.sqlite.keeping.backups import scrub
from memoro.backends.sqlite.paths import StorePaths
from memoro.backends.sqlite.replacing import remove_partial, set_aside
from memoro.errors import MemoroError

_READERS_SECONDS = 2.0
"""How long a forgetting waits for readers of other processes."""


def settle(
    connection: apsw.Connection, paths: StorePaths | None, wait_seconds: float, *, late: bool
) -> tuple[str, ...]:
    """Clean every file that may still hold what was forgotten; gives those that remain.

    What is owed is kept in the store, by ID, until all is done: a process that dies in the middle
    leaves the rest to the next start (`late`), which waits for nobody. Damaged files that were set
    aside can't be cleaned, and are named each time.
    """
    if paths is None:
        return ()
    with explained(paths.database):
        # Whoever makes these holds the lock alone, and we have our share of it: they are dead.
        remove_partial(paths)
        remains: list[str] = []
        owed = _owed(connection, "database")
        if owed:
            wait = 0.0 if late else min(wait_seconds, _READERS_SECONDS)
            if _clean(connection, wait, wait_seconds, late):
                _paid(connection, "database", owed)
            else:
                remains += [paths.database, paths.log]
        owed = _owed(connection, "backups")
        if owed:
            dirty = _scrubbed(connection, paths, owed, wait_seconds, late)
            if not dirty:
                _paid(connection, "backups", owed)
            remains += dirty
    return tuple(remains + set_aside(paths))


def _clean(
    connection: apsw.Connection, readers_seconds: float, wait_seconds: float, late: bool
) -> bool:
    """Write the database anew without its unused space; False where others are in the way."""
    connection.set_busy_handler(patience(readers_seconds))
    try:
        # While a reader is in the way, each start would add a whole database to the log.
        if late and not _empty_log(connection):
            return False
        # SQLite's own secure delete leaves shreds behind where it moves rows between pages.
        run(connection, "VACUUM")
        return _empty_log(connection)
    except (apsw.BusyError, apsw.LockedError):
        return False
    finally:
        connection.set_busy_handler(patience(wait_seconds))


def _empty_log(connection: apsw.Connection) -> bool:
    """Bring the write-ahead log into the database and cut it to nothing, unless a reader of
    another process still needs it."""
    try:
        ((busy, _, _),) = run(connection, "PRAGMA wal_checkpoint(TRUNCATE)")
    except (apsw.BusyError, apsw.LockedError):
        return False
    return not busy


def _scrubbed(
    connection: apsw.Connection,
    paths: StorePaths,
    owed: Sequence[Thing],
    wait_seconds: float,
    late: bool,
) -> list[str]:
    try:
        return scrub(paths, owed, connection, wait_seconds, late=late)
    except MemoroError:
        return [paths.backups]


def _owed(connection: apsw.Connection, place: str) -> list[Thing]:
    rows = run(connection, "SELECT what, id FROM erasures WHERE place = ?", [place])
    return [(str(what), str(thing)) for what, thing in rows]


def _paid(connection: apsw.Connection, place: str, owed: Sequence[Thing]) -> None:
    with writing(connection):
        for one in owed:
            run(
                connection,
                "DELETE FROM erasures WHERE place = ? AND what = ? AND id = ?",
                [place, *one],
            )

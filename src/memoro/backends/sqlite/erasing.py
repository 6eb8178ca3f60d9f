"""Finishing a forgetting: its content leaves the backups and the write-ahead log too."""

from __future__ import annotations

import os

import apsw

from memoro.backends.sqlite.backups import scrub
from memoro.backends.sqlite.database import explained, run, writing
from memoro.backends.sqlite.paths import StorePaths


def settle(
    connection: apsw.Connection, paths: StorePaths | None, wait_seconds: float
) -> tuple[str, ...]:
    """Clean every file that may still hold what was forgotten; gives those that remain.

    What is owed is kept in the store, by ID, until all is done: a process that dies in the middle
    leaves the rest to the next start. Damaged files that were set aside can't be cleaned, and are
    named each time.
    """
    if paths is None:
        return ()
    with explained(paths.database):
        owed = [
            (str(what), str(thing)) for what, thing in run(connection, "SELECT * FROM erasures")
        ]
        remains = scrub(paths, owed, wait_seconds) if owed else []
        if not _empty_log(connection):
            remains.append(paths.database + "-wal")
        if not remains and owed:
            with writing(connection):
                for one in owed:
                    run(connection, "DELETE FROM erasures WHERE what = ? AND id = ?", one)
            _empty_log(connection)
    return tuple(remains + set_aside(paths))


def set_aside(paths: StorePaths) -> list[str]:
    """The damaged databases that were set aside and are still there, the newest first."""
    try:
        names = os.listdir(paths.home)
    except OSError:
        return []
    start = os.path.basename(paths.database) + "."
    return [
        os.path.join(paths.home, name)
        for name in sorted(names, reverse=True)
        if name.startswith((f"{start}corrupt-", f"{start}replaced-")) and name[-4:] != "-wal"
    ]


def _empty_log(connection: apsw.Connection) -> bool:
    """Bring the write-ahead log into the database and cut it to nothing, unless a reader of
    another process still needs it."""
    try:
        ((busy, _, _),) = run(connection, "PRAGMA wal_checkpoint(TRUNCATE)")
    except (apsw.BusyError, apsw.LockedError):
        return False
    return not busy

"""Reading a store that may not be written: a read-only disk, another owner."""

from __future__ import annotations

import os
from collections.abc import Sequence
from urllib.parse import quote

import apsw

from memoro.backends.sqlite.database import (
    Migration,
    connect,
    explained,
    latest_of,
    version_of,
)
from memoro.backends.sqlite.header import check_version, look
from memoro.backends.sqlite.paths import StorePaths
from memoro.backends.sqlite.store import SqliteStore
from memoro.errors import StoreError


def open_unwritable(
    paths: StorePaths, wait_seconds: float, migrations: Sequence[Migration] | None
) -> SqliteStore:
    """Open a store that can only be read; whoever tries to change it is told so.

    Raises:
        StoreError: it can't be read as it is.
    """
    latest = latest_of(migrations)
    with explained(paths.database):
        doubt = look(paths.database, latest, known_here=os.path.isdir(paths.backups))
        if doubt is not None:
            raise _hopeless(paths, doubt.told)
        connection = _connect(paths, wait_seconds)
        try:
            version = version_of(connection)
            check_version(paths.database, version, latest)
            if version < latest:
                raise _hopeless(paths, f"{paths.database} has to be upgraded")
        except BaseException:
            connection.close()
            raise
    return SqliteStore(connection, paths, None, wait_seconds)


def _connect(paths: StorePaths, wait_seconds: float) -> apsw.Connection:
    try:
        connection = connect(paths.database, wait_seconds, apsw.SQLITE_OPEN_READONLY)
        try:
            version_of(connection)
        except BaseException:
            connection.close()
            raise
        return connection
    except (apsw.CantOpenError, apsw.ReadOnlyError) as error:
        if os.path.exists(paths.log) and os.path.getsize(paths.log):
            told = f"{paths.database} has changes that are not in the file yet"
            raise _hopeless(paths, told) from error
    # Nobody has it open, or there would be a log: SQLite need not make the files that it shares
    # with other writers.
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    return connect(f"file:{quote(paths.database)}?immutable=1", wait_seconds, flags)


def _hopeless(paths: StorePaths, told: str) -> StoreError:
    return StoreError(
        f"{told}, and {paths.home} can't be written", "run memoro as the owner of that folder"
    )

"""Opening a store: the lock, the upgrade with its backup, what is owed, and damage."""

import os
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from memoro.backends.sqlite.database import (
    Migration,
    connect,
    explained,
    latest_of,
    open_database,
    owes,
)
from memoro.backends.sqlite.header import look
from memoro.backends.sqlite.locks import acquire, release
from memoro.backends.sqlite.paths import StorePaths, is_in_place, make_folder
from memoro.backends.sqlite.store import SqliteStore
from memoro.errors import StoreDamagedError, StoreError, StoreLockedError


class StoreOptions(NamedTuple):
    """How the store is opened. `wait_seconds` bounds the wait for another process's lock."""

    home: str
    wait_seconds: float = 10.0


class Opened(NamedTuple):
    """An open store, and what has to be told about its opening, a line each."""

    store: SqliteStore
    notices: tuple[str, ...] = ()


def open_store(
    options: StoreOptions,
    now: datetime,
    *,
    create: bool = True,
    migrations: Sequence[Migration] | None = None,
) -> Opened:
    """Open the store of a home folder.

    Without `create`, a home that has no store yet gives an empty one in memory, and stays as it
    is; one that can't be written is read. An older schema is upgraded after a backup. A damaged
    database is set aside under another name and rebuilt from what can be read of it and the newest
    backup.

    Raises:
        StoreError: and its kinds, as they say.
    """
    paths = StorePaths(options.home)
    notices: list[str] = []
    if not is_in_place(paths):
        if not create and not os.path.lexists(paths.successor):
            connection = open_database(":memory:", options.wait_seconds, migrations)
            store = SqliteStore(connection, None, None, options.wait_seconds)
            return Opened(store, _lost(paths, "is missing"))
        from memoro.backends.sqlite.repair.making import make_database

        notices += make_database(paths, options.wait_seconds, now, migrations)
        notices += _lost(paths, "was missing and an empty one was made") if not notices else ()
    elif not create and not _is_writable(paths):
        from memoro.backends.sqlite.repair.unwritable import open_unwritable

        return Opened(open_unwritable(paths, options.wait_seconds, migrations))
    notices += _mend_if_doubtful(paths, options, now, migrations)
    try:
        return Opened(_open(paths, options, now, migrations), tuple(notices))
    except StoreDamagedError as damage:
        from memoro.backends.sqlite.repair.rebuilding import rebuild

        notices += rebuild(paths, now, options.wait_seconds, damage.what, migrations)
        return Opened(_open(paths, options, now, migrations), tuple(notices))


def open_memory(migrations: Sequence[Migration] | None = None) -> SqliteStore:
    """An empty store that lives and dies with its process."""
    return SqliteStore(open_database(":memory:", 0, migrations), None, None, 0)


def _is_writable(paths: StorePaths) -> bool:
    return os.access(paths.home, os.W_OK | os.X_OK) and os.access(paths.database, os.W_OK)


def _mend_if_doubtful(
    paths: StorePaths,
    options: StoreOptions,
    now: datetime,
    migrations: Sequence[Migration] | None,
) -> list[str]:
    with explained(paths.database):
        known_here = os.path.isdir(paths.backups)
        doubt = look(paths.database, latest_of(migrations), known_here)
    if doubt is None:
        return []
    from memoro.backends.sqlite.repair.rebuilding import rebuild

    wait_seconds = options.wait_seconds if doubt.sure else 0
    try:
        return rebuild(paths, now, wait_seconds, doubt.told, migrations)
    except StoreLockedError:
        if doubt.sure:
            raise
        # Others have it open, and a checkpoint of theirs explains what was seen.
        return []


def _open(
    paths: StorePaths,
    options: StoreOptions,
    now: datetime,
    migrations: Sequence[Migration] | None,
) -> SqliteStore:
    make_folder(paths.home)
    lock = acquire(paths.lock, exclusive=False, wait_seconds=options.wait_seconds)
    if lock is None:
        raise StoreLockedError(
            f"{paths.database} is being repaired by another process", "try again in a moment"
        )

    def keep(version: int) -> None:
        from memoro.backends.sqlite.keeping.backups import back_up

        # A second connection: the first one is in the middle of the upgrade's transaction.
        older = connect(paths.database, options.wait_seconds)
        try:
            back_up(older, paths, now, f"before-schema-{version + 1}")
        finally:
            older.close()

    try:
        connection = open_database(paths.database, options.wait_seconds, migrations, keep)
    except BaseException:
        release(lock)
        raise
    store = SqliteStore(connection, paths, lock, options.wait_seconds)
    try:
        _settle_debts(store)
    except BaseException:
        store.close()
        raise
    return store


def _settle_debts(store: SqliteStore) -> None:
    with store.guarded():
        owing = owes(store.connection)
    if owing:
        try:
            store.settle(late=True)
        except StoreDamagedError:
            raise
        except StoreError:
            # Still owed; a command that only reads must not fail over it.
            return


def _lost(paths: StorePaths, how: str) -> tuple[str, ...]:
    if not os.path.isdir(paths.backups):
        return ()
    from memoro.backends.sqlite.keeping.backups import backups

    newest = next(iter(backups(paths)), None)
    if newest is None:
        return ()
    return (
        f"{paths.database} {how}; a backup of {newest.made_at:%Y-%m-%d %H:%M} UTC is there:"
        " memoro doctor --restore newest",
    )

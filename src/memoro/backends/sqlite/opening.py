"""Opening a store: the lock, the upgrade with its backup, what is owed, and damage."""

import os
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

import apsw

from memoro.backends.sqlite.database import Migration, explained, open_database, owes
from memoro.backends.sqlite.locks import acquire, release
from memoro.backends.sqlite.paths import StorePaths, make_folder
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
    is. An older schema is upgraded after a backup. A damaged database is set aside under another
    name and rebuilt from what can be read of it and the newest backup.

    Raises:
        StoreError: and its kinds, as they say.
    """
    paths = StorePaths(options.home)
    if not create and not os.path.lexists(paths.database):
        connection = open_database(":memory:", options.wait_seconds, migrations)
        return Opened(SqliteStore(connection, None, None, options.wait_seconds))
    make_folder(paths.home)
    lost = _lost_database(paths)
    try:
        return Opened(_open(paths, options, now, migrations), lost)
    except StoreDamagedError as damage:
        from memoro.backends.sqlite.rebuilding import rebuild

        notices = rebuild(paths, now, options.wait_seconds, damage.what)
        return Opened(_open(paths, options, now, migrations), tuple(notices))


def open_memory(migrations: Sequence[Migration] | None = None) -> SqliteStore:
    """An empty store that lives and dies with its process."""
    return SqliteStore(open_database(":memory:", 0, migrations), None, None, 0)


def _open(
    paths: StorePaths,
    options: StoreOptions,
    now: datetime,
    migrations: Sequence[Migration] | None,
) -> SqliteStore:
    lock = acquire(paths.lock, exclusive=False, wait_seconds=options.wait_seconds)
    if lock is None:
        raise StoreLockedError(
            f"{paths.database} is being repaired by another process", "try again in a moment"
        )

    def keep(connection: apsw.Connection, version: int) -> None:
        from memoro.backends.sqlite.backups import back_up

        back_up(connection, paths, now, f"before-schema-{version + 1}")

    try:
        connection = open_database(paths.database, options.wait_seconds, migrations, keep)
    except BaseException:
        release(lock)
        raise
    store = SqliteStore(connection, paths, lock, options.wait_seconds)
    _settle_debts(store)
    return store


def _settle_debts(store: SqliteStore) -> None:
    with explained(store.name):
        owing = owes(store.connection)
    if owing:
        try:
            store.settle()
        except StoreError:
            # Still owed; a command that only reads must not fail over it.
            return


def _lost_database(paths: StorePaths) -> tuple[str, ...]:
    if os.path.lexists(paths.database) or not os.path.isdir(paths.backups):
        return ()
    from memoro.backends.sqlite.backups import backups

    newest = next(iter(backups(paths)), None)
    if newest is None:
        return ()
    return (
        f"{paths.database} is missing and an empty one was made; a backup of"
        f" {newest.made_at:%Y-%m-%d %H:%M} UTC is there: memoro doctor --restore",
    )

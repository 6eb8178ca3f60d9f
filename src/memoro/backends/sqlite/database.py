"""Opening the database file: identity, pragmas, migrations, transactions, what errors mean."""

import os
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

import apsw

from memoro.backends.sqlite.paths import unusable
from memoro.errors import (
    StoreDamagedError,
    StoreError,
    StoreForeignError,
    StoreLockedError,
    StoreTooNewError,
)

APPLICATION_ID = 0x4D656D6F
"""The ASCII of "Memo", in the file's header."""

_MIGRATIONS = os.path.join(os.path.dirname(__file__), "migrations")


class Migration(NamedTuple):
    """One step of the schema; its `version` is what `user_version` says afterwards."""

    version: int
    sql: str


def shipped_migrations() -> list[Migration]:
    """The schema's steps, read from the `NNNN_name.sql` files beside this module."""
    steps: list[Migration] = []
    for name in sorted(os.listdir(_MIGRATIONS)):
        if name.endswith(".sql"):
            with open(os.path.join(_MIGRATIONS, name), encoding="utf-8") as file:
                steps.append(Migration(int(name[:4]), file.read()))
    return steps


LATEST = max(int(name[:4]) for name in os.listdir(_MIGRATIONS) if name.endswith(".sql"))


def run(
    connection: apsw.Connection, sql: str, values: Sequence[object] = ()
) -> Sequence[tuple[object, ...]]:
    """Execute every statement of `sql` to its end: apsw stops at the first row otherwise."""
    return connection.execute(sql, tuple(values)).fetchall()  # pyright: ignore[reportArgumentType]


def connect(path: str, wait_seconds: float, flags: int | None = None) -> apsw.Connection:
    """Open a database file with the settings that all our connections share; look at nothing yet.

    `wait_seconds` is how long a statement waits for another process's lock.
    """
    connection = apsw.Connection(path) if flags is None else apsw.Connection(path, flags=flags)
    connection.set_busy_handler(_patience(wait_seconds))
    run(
        connection,
        "PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY;"
        " PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;",
    )
    return connection


def open_database(
    path: str,
    wait_seconds: float,
    migrations: Sequence[Migration] | None = None,
    before_migration: Callable[[apsw.Connection, int], None] | None = None,
) -> apsw.Connection:
    """Open our database for reading and writing, made or upgraded where needed.

    `before_migration` is called with an older store, and its version, before it is upgraded.

    Raises:
        StoreTooNewError, StoreForeignError: not ours to touch, and left as it is.
        StoreDamagedError, StoreLockedError, StoreError: as they say.
    """
    with explained(path):
        if path != ":memory:":
            _make_private(path)
            check_size(path)
        connection = connect(path, wait_seconds)
        latest = migrations[-1].version if migrations else LATEST
        try:
            version = _our_version(connection, path, latest)
            run(connection, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
            if version < latest:
                if version and before_migration is not None:
                    before_migration(connection, version)
                _migrate(connection, migrations or shipped_migrations())
        except BaseException:
            connection.close()
            raise
        return connection


def check_size(path: str) -> None:
    """Compare the file's size with what its header says.

    A file that was cut off is found here, before anything is read from or written to it.

    Raises:
        StoreDamagedError: the file is shorter than its header says, or ends within a page.
    """
    with open(path, "rb") as file:
        header = file.read(100)
    size = os.path.getsize(path)
    if size == 0:
        return
    page = int.from_bytes(header[16:18], "big")
    page = 65_536 if page == 1 else page
    pages = int.from_bytes(header[28:32], "big")
    if not header.startswith(b"SQLite format 3\0") or page < 512:
        raise StoreDamagedError(f"{path} is not a database")
    cut = size < pages * page and not os.path.exists(path + "-wal")
    if size % page or cut:
        raise StoreDamagedError(f"{path} is cut off: {size:,} of {pages * page:,} bytes")


def is_sound(connection: apsw.Connection) -> bool:
    """Whether SQLite's own full check finds nothing wrong."""
    try:
        return run(connection, "PRAGMA integrity_check(1)") == [("ok",)]
    except apsw.Error:
        return False


def owes(connection: apsw.Connection) -> bool:
    """Whether a forgetting is not finished yet."""
    return bool(run(connection, "SELECT 1 FROM erasures LIMIT 1"))


@contextmanager
def writing(connection: apsw.Connection) -> Generator[None]:
    """One durable transaction: all of the block or nothing of it.

    The write lock is taken at the start, so what the block reads stays true until the commit.
    """
    run(connection, "BEGIN IMMEDIATE")
    try:
        yield
        run(connection, "COMMIT")
    except BaseException:
        if connection.in_transaction:
            run(connection, "ROLLBACK")
        raise


@contextmanager
def explained(path: str) -> Generator[None]:
    """Turn the database library's errors within the block into ours."""
    try:
        yield
    except (apsw.CorruptError, apsw.NotADBError) as error:
        raise StoreDamagedError(f"{path} is damaged: {error}") from error
    except (apsw.BusyError, apsw.LockedError) as error:
        raise StoreLockedError(
            f"{path} is locked by another process; nothing was changed",
            "try again when it has finished",
        ) from error
    except apsw.FullError as error:
        raise StoreError(
            f"{path} can't grow: the disk is full", "free some space and try again"
        ) from error
    except (apsw.CantOpenError, apsw.ReadOnlyError, apsw.PermissionsError) as error:
        raise StoreError(
            f"{path} can't be opened for writing: {error}",
            "check the permissions of the folder and its files",
        ) from error
    except apsw.IOError as error:
        raise StoreError(
            f"{path} can't be read or written: {error}", "check the disk: memoro doctor"
        ) from error
    except OSError as error:
        raise unusable(path, error) from error


def _our_version(connection: apsw.Connection, path: str, latest: int) -> int:
    ((application,),) = run(connection, "PRAGMA application_id")
    ((version,),) = run(connection, "PRAGMA user_version")
    ((tables,),) = run(connection, "SELECT count(*) FROM sqlite_schema")
    assert isinstance(version, int)
    if application != APPLICATION_ID and (application or version or tables):
        raise StoreForeignError(
            f"{path} is a database of another program; it was left alone",
            "move it away, or set MEMORO_HOME to another folder",
        )
    if version > latest:
        raise StoreTooNewError(
            f"{path} was written by a newer Memoro (schema {version}; this one knows {latest});"
            " it was left alone",
            "upgrade Memoro: pip install --upgrade memoro",
        )
    return version


def _migrate(connection: apsw.Connection, migrations: Sequence[Migration]) -> None:
    with writing(connection):
        # Another process may have been first while we waited for the lock.
        ((version,),) = run(connection, "PRAGMA user_version")
        assert isinstance(version, int)
        for step in migrations:
            if step.version > version:
                run(connection, step.sql)
                run(connection, f"PRAGMA user_version = {step.version}")
        run(connection, f"PRAGMA application_id = {APPLICATION_ID}")


def _make_private(path: str) -> None:
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))


def _patience(wait_seconds: float) -> Callable[[int], bool]:
    deadline = 0.0

    def wait(attempt: int) -> bool:
        # Short, uneven naps: SQLite's own back-off starves one of many busy writers.
        nonlocal deadline
        if attempt == 0:
            deadline = time.monotonic() + wait_seconds
        if time.monotonic() >= deadline:
            return False
        time.sleep((1 + (os.getpid() * 7 + attempt * 3) % 8) / 1000)
        return True

    return wait

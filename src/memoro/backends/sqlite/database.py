"""The database file: connections, pragmas, migrations, transactions, what errors mean."""

import os
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

import apsw

from memoro.backends.sqlite.header import APPLICATION_ID, check_version
from memoro.backends.sqlite.paths import unusable
from memoro.backends.sqlite.rows import BadRowError
from memoro.errors import StoreDamagedError, StoreError, StoreLockedError

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


def latest_of(migrations: Sequence[Migration] | None) -> int:
    """The schema that those steps, or the shipped ones, lead to."""
    return migrations[-1].version if migrations else LATEST


def run(
    connection: apsw.Connection, sql: str, values: Sequence[object] = ()
) -> Sequence[tuple[object, ...]]:
    """Execute every statement of `sql` to its end: apsw stops at the first row otherwise."""
    return connection.execute(sql, tuple(values)).fetchall()  # pyright: ignore[reportArgumentType]


def connect(path: str, wait_seconds: float, flags: int | None = None) -> apsw.Connection:
    """Open a database file with the settings that all our connections share; look at nothing yet.

    `wait_seconds` is how long a statement waits for another process's lock. Closing it leaves the
    write-ahead log where it is, until `empties_log` says otherwise.
    """
    connection = apsw.Connection(path) if flags is None else apsw.Connection(path, flags=flags)
    connection.set_busy_handler(patience(wait_seconds))
    empties_log(connection, False)
    run(
        connection,
        "PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY;"
        " PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;"
        # The log's triggers have to see the rows that REPLACE takes away, too.
        " PRAGMA recursive_triggers = ON;",
    )
    return connection


def empties_log(connection: apsw.Connection, yes: bool) -> None:
    """Whether closing brings the write-ahead log into the file. Not into one that is damaged or
    not ours: that has to stay as it is."""
    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0 if yes else 1)


def open_database(
    path: str,
    wait_seconds: float,
    migrations: Sequence[Migration] | None = None,
    before_migration: Callable[[int], None] | None = None,
) -> apsw.Connection:
    """Open our database for reading and writing, made or upgraded where needed.

    `before_migration` is called with the version of an older store before it is upgraded.

    Raises:
        StoreTooNewError: as it says, and it was left as it is.
        StoreDamagedError, StoreLockedError, StoreError: as they say.
    """
    with explained(path):
        connection = connect(path, wait_seconds)
        latest = latest_of(migrations)
        try:
            version = version_of(connection)
            check_version(path, version, latest)
            run(connection, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
            if version < latest:
                _migrate(connection, path, migrations or shipped_migrations(), before_migration)
        except BaseException:
            connection.close()
            raise
        empties_log(connection, True)
        return connection


def version_of(connection: apsw.Connection) -> int:
    """The schema that a database has."""
    ((version,),) = run(connection, "PRAGMA user_version")
    assert isinstance(version, int)
    return version


def is_sound(connection: apsw.Connection, table: str | None = None) -> bool:
    """Whether SQLite's own full check finds nothing wrong, in all of it or in one table."""
    try:
        return run(connection, f"PRAGMA integrity_check({table or 1})") == [("ok",)]
    except (apsw.Error, UnicodeDecodeError):
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
    except apsw.Error as error:
        raise _explained(path, error) from error
    except (UnicodeDecodeError, BadRowError) as error:
        raise StoreDamagedError(f"{path} is damaged: {error}") from error
    except OSError as error:
        raise unusable(path, error) from error


def _explained(path: str, error: apsw.Error) -> StoreError:
    match error:
        case apsw.CorruptError() | apsw.NotADBError() | apsw.SQLError():
            # Our statements are fixed, so one that fails has met another schema than ours.
            return StoreDamagedError(f"{path} is damaged: {error}")
        case apsw.BusyError() | apsw.LockedError() | apsw.ProtocolError():
            return StoreLockedError(
                f"{path} is locked by another process; nothing was changed",
                "try again when it has finished",
            )
        case apsw.FullError():
            return StoreError(
                f"{path} can't grow: the disk is full", "free some space and try again"
            )
        case apsw.CantOpenError() | apsw.ReadOnlyError() | apsw.PermissionsError():
            return StoreError(
                f"{path} can't be opened for writing: {error}",
                "check the permissions of the folder and its files",
            )
        case apsw.IOError():
            return StoreError(
                f"{path} can't be read or written: {error}",
                "check the disk and the free space, then: memoro doctor",
            )
        case _:
            return StoreError(f"{path} refused the change: {error}")


def _migrate(
    connection: apsw.Connection,
    path: str,
    migrations: Sequence[Migration],
    before: Callable[[int], None] | None,
) -> None:
    with writing(connection):
        # Another process may have been first while we waited for the lock.
        version = version_of(connection)
        if version and version < migrations[-1].version and before is not None:
            before(version)
        for step in migrations:
            if step.version <= version:
                continue
            try:
                run(connection, step.sql)
            except (apsw.SQLError, apsw.ConstraintError) as error:
                raise StoreError(
                    f"{path} can't be upgraded to schema {step.version}: {error}; it is as it was",
                    "go on with the Memoro that you had, and report this",
                ) from error
            run(connection, f"PRAGMA user_version = {step.version}")
        run(connection, f"PRAGMA application_id = {APPLICATION_ID}")


def patience(wait_seconds: float) -> Callable[[int], bool]:
    """A busy handler that gives up after that time."""
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

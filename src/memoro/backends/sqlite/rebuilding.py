"""A damaged database: set aside as it is, and rebuilt from all that can still be read."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Generator
from contextlib import contextmanager
from datetime import UTC, datetime

import apsw

from memoro.backends.sqlite.backups import Backup, newest_sound
from memoro.backends.sqlite.database import (
    check_size,
    connect,
    explained,
    is_sound,
    open_database,
    run,
    writing,
)
from memoro.backends.sqlite.locks import acquire, release
from memoro.backends.sqlite.paths import StorePaths
from memoro.backends.sqlite.rows import COLUMNS, PLACES, from_json, to_row
from memoro.errors import StoreDamagedError, StoreLockedError

_TABLES = ("records", "change_sets", "changes", "sessions", "runs", "messages", "tool_calls")


def rebuild(paths: StorePaths, now: datetime, wait_seconds: float, damage: str) -> list[str]:
    """Set a damaged database aside and put a rebuilt one in its place; gives what to tell.

    Nothing is done where another process has found and mended it meanwhile.

    Raises:
        StoreLockedError: other processes have the database open.
    """
    with _alone(paths, wait_seconds, damage), explained(paths.database):
        if not _is_damaged(paths, wait_seconds):
            return []
        base = newest_sound(paths, wait_seconds)
        partial = f"{paths.database}.{os.getpid()}.partial"
        try:
            read = _build(partial, paths, base, wait_seconds)
            aside = set_aside(paths, now)
            os.replace(partial, paths.database)
        finally:
            for leftover in (partial, partial + "-wal", partial + "-shm"):
                if os.path.exists(leftover):
                    os.remove(leftover)
    return _told(paths, damage, aside, read, base)


def restore(paths: StorePaths, backup: str, now: datetime, wait_seconds: float) -> str:
    """Put a backup in the place of the database, which is set aside; gives where that is now.

    Raises:
        StoreDamagedError: the backup itself is damaged; nothing was changed.
        StoreLockedError: other processes have the database open.
    """
    why = f"{paths.database} can't be replaced"
    with _alone(paths, wait_seconds, why), explained(backup):
        check = connect(backup, wait_seconds, apsw.SQLITE_OPEN_READONLY)
        sound = is_sound(check)
        check.close()
        if not sound:
            raise StoreDamagedError(f"the backup {backup} is damaged; nothing was changed")
        partial = f"{paths.database}.{os.getpid()}.partial"
        shutil.copyfile(backup, partial)
        os.chmod(partial, 0o600)
        aside = set_aside(paths, now, "replaced") if os.path.exists(paths.database) else ""
        os.replace(partial, paths.database)
    return aside


def set_aside(paths: StorePaths, now: datetime, why: str = "corrupt") -> str:
    """Give the database, and the write-ahead log that belongs to it, another name."""
    stamp = now.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
    aside, number = f"{paths.database}.{why}-{stamp}", 1
    while os.path.lexists(aside):
        number += 1
        aside = f"{paths.database}.{why}-{stamp}-{number}"
    os.rename(paths.database, aside)
    if os.path.exists(paths.database + "-wal"):
        os.rename(paths.database + "-wal", aside + "-wal")
    if os.path.exists(paths.database + "-shm"):
        os.remove(paths.database + "-shm")
    return aside


@contextmanager
def _alone(paths: StorePaths, wait_seconds: float, why: str) -> Generator[None]:
    lock = acquire(paths.lock, exclusive=True, wait_seconds=wait_seconds)
    if lock is None:
        raise StoreLockedError(
            f"{why}; other memoro processes have it open", "end them, then try again"
        )
    try:
        yield
    finally:
        release(lock)


def _is_damaged(paths: StorePaths, wait_seconds: float) -> bool:
    try:
        check_size(paths.database)
        with explained(paths.database):
            connection = connect(paths.database, wait_seconds)
            try:
                return not is_sound(connection)
            finally:
                connection.close()
    except StoreDamagedError:
        return True


def _build(partial: str, paths: StorePaths, base: Backup | None, wait_seconds: float) -> int:
    """Make the rebuilt database; gives how many rows of the damaged one could be read."""
    if base is not None:
        shutil.copyfile(base.path, partial)
    target = open_database(partial, wait_seconds)
    try:
        with tempfile.TemporaryDirectory(dir=paths.home, prefix="repair-") as folder:
            # Reading a database can write to it (its log is played back); the original must not
            # change by a byte.
            copy = os.path.join(folder, "memory.db")
            for suffix in ("", "-wal"):
                if os.path.exists(paths.database + suffix):
                    shutil.copyfile(paths.database + suffix, copy + suffix)
            read = _salvage(copy, target, wait_seconds)
        with writing(target):
            _reconcile(target)
        run(target, "PRAGMA journal_mode = DELETE")
    finally:
        target.close()
    return read


def _salvage(copy: str, target: apsw.Connection, wait_seconds: float) -> int:
    read = 0
    try:
        source = connect(copy, wait_seconds)
    except apsw.Error:
        return 0
    try:
        run(target, "PRAGMA foreign_keys = OFF")
        for table in _TABLES:
            with writing(target):
                read += _salvage_table(source, target, table)
        run(target, "PRAGMA foreign_keys = ON")
    finally:
        source.close()
    return read


def _salvage_table(source: apsw.Connection, target: apsw.Connection, table: str) -> int:
    """Copy the rows that can be read, from both ends up to the damage."""
    try:
        names = [str(row[1]) for row in run(source, f"PRAGMA table_info({table})")]
    except apsw.Error:
        return 0
    known = {str(row[1]) for row in run(target, f"PRAGMA table_info({table})")}
    columns = ", ".join(name for name in names if name in known)
    if not columns:
        return 0
    places = ", ".join("?" * len(columns.split(", ")))
    insert = f"INSERT OR REPLACE INTO {table} ({columns}) VALUES ({places})"
    if table in ("change_sets", "changes"):
        insert = insert.replace("REPLACE", "IGNORE")
    seen: set[object] = set()

    def take(row: tuple[object, ...]) -> None:
        if row[0] not in seen:
            seen.add(row[0])
            run(target, insert, row[1:])

    if not _each(source, f"SELECT rowid, {columns} FROM {table} ORDER BY rowid", take):
        _each(source, f"SELECT rowid, {columns} FROM {table} ORDER BY rowid DESC", take)
    return len(seen)


def _each(source: apsw.Connection, sql: str, take: Callable[[tuple[object, ...]], None]) -> bool:
    """Hand on row after row; False where the damage stopped it."""
    try:
        cursor = source.execute(sql)
    except apsw.Error:
        return False
    while True:
        try:
            row = next(cursor, None)
        except apsw.Error:
            return False
        if row is None:
            return True
        try:
            take(row)
        except (apsw.ConstraintError, apsw.MismatchError):
            # A row whose bytes no longer make sense; the others still do.
            continue


def _reconcile(target: apsw.Connection) -> None:
    """Bring records in line with the log: it knows what was removed since the backup, and still
    holds the content of records whose own row was lost."""
    last = run(
        target,
        "SELECT record_id, after FROM changes c WHERE change_set ="
        " (SELECT max(change_set) FROM changes d WHERE d.record_id = c.record_id)",
    )
    for record_id, after in last:
        if after is None:
            run(target, "DELETE FROM records WHERE id = ?", [record_id])
            continue
        record = from_json(str(after))
        if record is not None:
            run(
                target,
                f"INSERT OR IGNORE INTO records ({COLUMNS}) VALUES ({PLACES})",
                to_row(record),
            )
    run(target, "DELETE FROM messages WHERE session NOT IN (SELECT id FROM sessions)")
    run(target, "DELETE FROM runs WHERE session NOT IN (SELECT id FROM sessions)")
    run(target, "DELETE FROM tool_calls WHERE run NOT IN (SELECT id FROM runs)")


def _told(paths: StorePaths, damage: str, aside: str, read: int, base: Backup | None) -> list[str]:
    sources = [f"{read:,} rows that could still be read"] if read else []
    if base is not None:
        sources.append(f"the backup of {base.made_at:%Y-%m-%d %H:%M} UTC")
    made = (
        f"was rebuilt from {' and '.join(sources)}"
        if sources
        else "was made anew, empty: nothing could be read and there is no backup"
    )
    return [
        f"{damage}; its bytes are kept as {aside}",
        f"{paths.database} {made}; check it: memoro memory list, memoro doctor",
    ]

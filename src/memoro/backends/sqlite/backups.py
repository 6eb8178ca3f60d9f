"""Copies of the database: made before an upgrade and once a day, the last three kept."""

from __future__ import annotations

import os
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import NamedTuple

import apsw

from memoro.backends.sqlite.changing import erase
from memoro.backends.sqlite.database import connect, explained, is_sound, run, writing
from memoro.backends.sqlite.locks import acquire, release
from memoro.backends.sqlite.paths import StorePaths, make_folder
from memoro.errors import MemoroError, StoreLockedError

KEPT = 3

_STAMP = "%Y%m%dT%H%M%S%fZ"
_PREFIX = "memory-"
_SUFFIX = ".db"


class Backup(NamedTuple):
    """A backup file, when it was made, and why ("daily", "before-schema-2")."""

    path: str
    made_at: datetime
    why: str


def backups(paths: StorePaths) -> list[Backup]:
    """The backups there are, the newest first."""
    try:
        names = os.listdir(paths.backups)
    except (FileNotFoundError, NotADirectoryError):
        return []
    found = [_parsed(paths, name) for name in names]
    return sorted((one for one in found if one), key=lambda one: one.made_at, reverse=True)


def is_due(paths: StorePaths, now: datetime) -> bool:
    """Whether the day of `now` (in UTC) has no backup yet."""
    newest = next(iter(backups(paths)), None)
    return newest is None or newest.made_at.date() < now.astimezone(UTC).date()


def back_up(connection: apsw.Connection, paths: StorePaths, now: datetime, why: str) -> str:
    """Copy the database as it stands, whoever is writing to it, and drop all but the last three.

    The copy has its name only when it is complete and on disk. Gives its path.
    """
    with _alone(paths), explained(paths.backups):
        stamp = now.astimezone(UTC).strftime(_STAMP)
        path = os.path.join(paths.backups, f"{_PREFIX}{stamp}-{why}{_SUFFIX}")
        partial = f"{path}.{os.getpid()}.partial"
        try:
            copy_database(connection, partial)
            os.replace(partial, path)
        except BaseException:
            if os.path.exists(partial):
                os.remove(partial)
            raise
        _sync(paths.backups)
        for old in backups(paths)[KEPT:]:
            os.remove(old.path)
        return path


def copy_database(connection: apsw.Connection, path: str) -> None:
    """Copy a database through SQLite's backup API into a new file that stands by itself."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600))
    target = apsw.Connection(path)
    try:
        with target.backup("main", connection, "main") as copying:
            while not copying.done:
                copying.step(1_000)
        # A copied file keeps its source's journal mode; a backup must not need a second file.
        run(target, "PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL")
    finally:
        target.close()
    _sync(path)


def newest_sound(paths: StorePaths, wait_seconds: float) -> Backup | None:
    """The newest backup that SQLite's own check finds nothing wrong with."""
    for backup in backups(paths):
        with explained(backup.path):
            try:
                connection = connect(backup.path, wait_seconds, apsw.SQLITE_OPEN_READONLY)
            except apsw.Error:
                continue
            try:
                if is_sound(connection):
                    return backup
            finally:
                connection.close()
    return None


def scrub(paths: StorePaths, things: Sequence[tuple[str, str]], wait_seconds: float) -> list[str]:
    """Take the content of forgotten things out of every backup; gives the files that remain."""
    if not backups(paths):
        return []
    remains: list[str] = []
    with _alone(paths):
        for backup in backups(paths):
            try:
                with explained(backup.path):
                    _scrub_one(backup.path, things, wait_seconds)
            except MemoroError:
                remains.append(backup.path)
    return remains


def _scrub_one(path: str, things: Sequence[tuple[str, str]], wait_seconds: float) -> None:
    connection = connect(path, wait_seconds)
    try:
        with writing(connection):
            erase(connection, things)
        run(connection, "VACUUM")
    finally:
        connection.close()


@contextmanager
def _alone(paths: StorePaths) -> Generator[None]:
    """Work on the backups while nobody else does: a backup that was begun before a forgetting
    is finished before it, and so is cleaned with the others."""
    make_folder(paths.backups)
    lock = acquire(os.path.join(paths.backups, ".lock"), exclusive=True, wait_seconds=60)
    if lock is None:
        raise StoreLockedError(f"{paths.backups} is held by another process for a minute")
    try:
        yield
    finally:
        release(lock)


def _parsed(paths: StorePaths, name: str) -> Backup | None:
    if not name.startswith(_PREFIX) or not name.endswith(_SUFFIX):
        return None
    stamp, _, why = name[len(_PREFIX) : -len(_SUFFIX)].partition("-")
    try:
        made_at = datetime.strptime(stamp, _STAMP).replace(tzinfo=UTC)
    except ValueError:
        return None
    return Backup(os.path.join(paths.backups, name), made_at, why)


def _sync(path: str) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

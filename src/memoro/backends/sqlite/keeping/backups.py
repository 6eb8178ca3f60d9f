"""Copies of the database: made before an upgrade and once a day, the last three kept."""

from __future__ import annotations

import os
import shutil
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import NamedTuple

import apsw

from memoro.backends.sqlite.database import connect, explained, is_sound, run, writing
from memoro.backends.sqlite.erasures import Thing, erase, holds
from memoro.backends.sqlite.locks import acquire, release
from memoro.backends.sqlite.paths import StorePaths, make_folder, sync
from memoro.backends.sqlite.replacing import touch_private
from memoro.errors import MemoroError, StoreLockedError

KEPT = 3

_STAMP = "%Y%m%dT%H%M%S%fZ"
_PREFIX = "memory-"
_SUFFIX = ".db"
_PARTIAL = "partial"
_WAIT_SECONDS = 60.0


class Backup(NamedTuple):
    """A backup file, when it was made, and why ("daily", "before-schema-2")."""

    path: str
    made_at: datetime
    why: str


def backups(paths: StorePaths) -> list[Backup]:
    """The backups there are, the newest first."""
    try:
        names = os.listdir(paths.backups)
    except OSError:
        # A folder that can't be read or is not there has none that we could use.
        return []
    found = [_parsed(paths, name) for name in names]
    return sorted((one for one in found if one), key=lambda one: one.made_at, reverse=True)


def is_due(paths: StorePaths, now: datetime) -> bool:
    """Whether the day of `now` (in UTC) has no backup yet."""
    today = now.astimezone(UTC).date()
    return all(one.made_at.date() != today for one in backups(paths))


def back_up_daily(connection: apsw.Connection, paths: StorePaths, now: datetime) -> None:
    """Make the day's backup where there is none yet."""
    if is_due(paths, now):
        with _alone(paths):
            # Another process may have made it while we waited for the lock.
            if is_due(paths, now):
                _back_up(connection, paths, now, "daily")


def back_up(connection: apsw.Connection, paths: StorePaths, now: datetime, why: str) -> str:
    """Copy the database as it stands, whoever is writing to it, and drop all but the last three.

    The copy has its name only when it is complete and on disk. Gives its path.
    """
    with _alone(paths):
        return _back_up(connection, paths, now, why)


def newest_sound(paths: StorePaths, wait_seconds: float) -> Backup | None:
    """The newest backup that SQLite's own check finds nothing wrong with."""
    for backup in backups(paths):
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


def scrub(
    paths: StorePaths,
    things: Sequence[Thing],
    standing: apsw.Connection,
    wait_seconds: float,
    *,
    late: bool,
) -> list[str]:
    """Take the content of forgotten things out of every backup; gives the files that remain. What
    still stands with other words is then as in the `standing` store.

    A `late` one does not wait for another process that works on them.
    """
    if not os.path.isdir(paths.backups):
        # A link to a disk that is not there may lead to backups another time.
        return [paths.backups] if os.path.lexists(paths.backups) else []
    remains: list[str] = []
    with _alone(paths, 0 if late else _WAIT_SECONDS) as partial:
        for backup in backups(paths):
            try:
                with explained(backup.path):
                    _scrub_one(backup.path, partial, things, standing, wait_seconds)
            except MemoroError:
                remains.append(backup.path)
    return remains


def _back_up(connection: apsw.Connection, paths: StorePaths, now: datetime, why: str) -> str:
    stamp = now.astimezone(UTC).strftime(_STAMP)
    path = os.path.join(paths.backups, f"{_PREFIX}{stamp}-{why}{_SUFFIX}")
    partial = os.path.join(paths.backups, _PARTIAL)
    with explained(paths.backups):
        touch_private(partial)
    with explained(paths.database):
        # Row by row, not page by page: what had been erased can't come along in unused space. In
        # one read transaction, so that busy writers neither wait nor make it start again.
        run(connection, "VACUUM INTO ?", [partial])
    with explained(paths.backups):
        _finish(partial, path)
        others = [one for one in backups(paths) if one.path != path]
        for old in others[KEPT - 1 :]:
            os.remove(old.path)
    return path


def _scrub_one(
    path: str,
    partial: str,
    things: Sequence[Thing],
    standing: apsw.Connection,
    wait_seconds: float,
) -> None:
    connection = connect(path, wait_seconds, apsw.SQLITE_OPEN_READONLY)
    try:
        if not holds(connection, things, standing):
            return
    finally:
        connection.close()
    # A backup is never half cleaned: a clean copy takes its place.
    touch_private(partial)
    shutil.copyfile(path, partial)
    connection = connect(partial, wait_seconds)
    try:
        run(connection, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
        with writing(connection):
            erase(connection, things, standing)
        run(connection, "VACUUM")
    finally:
        connection.close()
    _finish(partial, path)


def _finish(partial: str, path: str) -> None:
    sync(partial)
    os.replace(partial, path)
    sync(os.path.dirname(path))


@contextmanager
def _alone(paths: StorePaths, wait_seconds: float = _WAIT_SECONDS) -> Generator[str]:
    """Work on the backups while nobody else does, and give the name of the file that is in the
    making: a backup that was begun before a forgetting is finished before it, and so is cleaned
    with the others. What a process that died left half done goes."""
    make_folder(paths.backups)
    lock = acquire(os.path.join(paths.backups, ".lock"), exclusive=True, wait_seconds=wait_seconds)
    if lock is None:
        raise StoreLockedError(f"{paths.backups} is held by another process")
    partial = os.path.join(paths.backups, _PARTIAL)
    try:
        with explained(paths.backups):
            _remove(partial)
        yield partial
    finally:
        try:
            _remove(partial)
        finally:
            release(lock)


def _remove(partial: str) -> None:
    for path in (partial, partial + "-journal"):
        if os.path.lexists(path):
            os.remove(path)


def _parsed(paths: StorePaths, name: str) -> Backup | None:
    if not name.startswith(_PREFIX) or not name.endswith(_SUFFIX):
        return None
    stamp, _, why = name[len(_PREFIX) : -len(_SUFFIX)].partition("-")
    try:
        made_at = datetime.strptime(stamp, _STAMP).replace(tzinfo=UTC)
    except ValueError:
        return None
    return Backup(os.path.join(paths.backups, name), made_at, why)

"""Putting another database in the place of the one that stands there, which is kept.

Every step can be the last one of a process that is killed: the next start takes up where it ended.
All of it is for whoever holds the store's lock alone.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime

import apsw

from memoro.backends.sqlite.database import Migration, open_database, run
from memoro.backends.sqlite.paths import StorePaths, sync

DAMAGED = "corrupt"
REPLACED = "replaced"


@contextmanager
def new_database(
    paths: StorePaths, migrations: Sequence[Migration] | None
) -> Generator[apsw.Connection]:
    """An empty database of ours, to be filled in the block; it becomes the `successor`, complete
    and on disk, when the block ends well."""
    try:
        touch_private(paths.partial)
        connection = open_database(paths.partial, 0, migrations)
        try:
            # Nobody else sees it, and a half one is thrown away: no log, no waiting for the disk.
            run(connection, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
            yield connection
        finally:
            connection.close()
        sync(paths.partial)
    except BaseException:
        remove_partial(paths)
        raise
    os.replace(paths.partial, paths.successor)


def succeed(paths: StorePaths, now: datetime, why: str) -> str:
    """Let the `successor` take its place; gives where the database that stood there is kept, or
    "" where there was none."""
    aside = _set_aside(paths, now, why)
    os.replace(paths.successor, paths.database)
    sync(paths.home)
    return aside


def set_aside(paths: StorePaths) -> list[str]:
    """The databases that were set aside and are still there, with their logs, the newest first."""
    try:
        names = os.listdir(paths.home)
    except OSError:
        return []
    start = os.path.basename(paths.database)
    found = [
        os.path.join(paths.home, name)
        for name in sorted(names, reverse=True)
        if name.startswith((f"{start}.{DAMAGED}-", f"{start}.{REPLACED}-"))
    ]
    return [path for path in found if os.path.getsize(path)]


def remove_partial(paths: StorePaths) -> None:
    """Remove what a repair that was killed, or has failed, left half done."""
    for path in (paths.partial, paths.partial + "-wal", paths.partial + "-shm"):
        if os.path.lexists(path):
            os.remove(path)
    if os.path.lexists(paths.repair):
        shutil.rmtree(paths.repair, ignore_errors=True)


def touch_private(path: str) -> None:
    """Make a file empty, for its owner alone; SQLite gives the files beside it the same mode."""
    flags = os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC
    os.close(os.open(path, flags, 0o600))


def _set_aside(paths: StorePaths, now: datetime, why: str) -> str:
    """Keep the database and its log under another name. It stays in its place as well, so that no
    moment has no database, but without the log, which would be played into its successor."""
    stamp = now.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
    aside, attempt = f"{paths.database}.{why}-{stamp}", 1
    while os.path.lexists(aside) or os.path.lexists(aside + "-wal"):
        attempt += 1
        aside = f"{paths.database}.{why}-{stamp}-{attempt}"
    kept = ""
    if os.path.exists(paths.database):
        _keep(paths.database, aside)
        kept = aside
    if os.path.exists(paths.log) and os.path.getsize(paths.log):
        _keep(paths.log, aside + "-wal")
        kept = kept or aside + "-wal"
    sync(paths.home)
    for suffix in ("-wal", "-shm"):
        if os.path.exists(paths.database + suffix):
            os.remove(paths.database + suffix)
    return kept


def _keep(path: str, name: str) -> None:
    try:
        os.link(path, name)
    except OSError:
        # Not every file system has links.
        shutil.copy2(path, name)
        sync(name)

"""A damaged database: set aside as it is, and rebuilt from all that can still be read."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from datetime import datetime

import apsw

from memoro.backends.sqlite.database import (
    Migration,
    connect,
    explained,
    is_sound,
    latest_of,
    open_database,
    run,
    shipped_migrations,
    version_of,
    writing,
)
from memoro.backends.sqlite.erasures import erase, holds, owe
from memoro.backends.sqlite.header import Doubt, check_version, look
from memoro.backends.sqlite.keeping.backups import Backup, newest_sound
from memoro.backends.sqlite.locks import acquire, release
from memoro.backends.sqlite.paths import StorePaths, make_folder, sync
from memoro.backends.sqlite.repair.reconciling import (
    forgettings,
    keep_counting,
    last_count,
    reconcile,
)
from memoro.backends.sqlite.repair.salvaging import Salvaged, differs, open_damaged, salvage, tables
from memoro.backends.sqlite.replacing import (
    DAMAGED,
    REPLACED,
    new_database,
    remove_partial,
    succeed,
    touch_private,
)
from memoro.errors import StoreDamagedError, StoreLockedError


def rebuild(
    paths: StorePaths,
    now: datetime,
    wait_seconds: float,
    damage: str,
    migrations: Sequence[Migration] | None = None,
) -> list[str]:
    """Set a damaged database aside and put a rebuilt one in its place; gives what to tell.

    Nothing is done where it turns out to be sound, or another process has mended it meanwhile.

    Raises:
        StoreLockedError: other processes have the database open.
        StoreForeignError, StoreTooNewError: it is not ours to touch.
    """
    suspected = _doubt(paths, migrations) is not None

    def is_settled() -> bool:
        # What looked wrong can have been another process in the middle of a step.
        return suspected and _doubt(paths, migrations) is None

    with explained(paths.database), _alone(paths, wait_seconds, damage, is_settled) as alone:
        if not alone:
            return []
        remove_partial(paths)
        with _copied(paths) as copy:
            if not _is_damaged(paths, copy, migrations):
                return []
            salvaged, base = _build(paths, copy, wait_seconds, migrations)
        aside = succeed(paths, now, DAMAGED)
    return _told(paths, damage, aside, salvaged, base)


def diagnose(paths: StorePaths, wait_seconds: float) -> str:
    """What is wrong with a database, looked at from end to end; "" where nothing is. Nothing is
    changed.

    Raises:
        StoreLockedError: other processes have it open.
        StoreForeignError, StoreTooNewError: it is not ours to touch.
    """
    why = f"{paths.database} can't be looked at"
    with explained(paths.database), _alone(paths, wait_seconds, why):
        remove_partial(paths)
        doubt = _doubt(paths, None)
        with _copied(paths) as copy:
            if not _is_damaged(paths, copy, None):
                return ""
    return doubt.told if doubt is not None else f"{paths.database} is damaged"


def restore(paths: StorePaths, backup: str, now: datetime, wait_seconds: float) -> str:
    """Put a backup in the place of the database, which is set aside; gives where that is now.

    What the database knows to have been forgotten does not come back.

    Raises:
        StoreDamagedError: the backup itself is damaged; nothing was changed.
        StoreForeignError, StoreTooNewError: it is no backup of ours, or not of this version.
        StoreLockedError: other processes have the database open.
    """
    why = f"{paths.database} can't be replaced"
    with explained(backup), _alone(paths, wait_seconds, why) as alone:
        assert alone, "there is no other way than to have the lock or to raise"
        doubt = look(backup, latest_of(None), known_here=False)
        source = connect(backup, wait_seconds, apsw.SQLITE_OPEN_READONLY)
        try:
            if doubt is not None or not is_sound(source):
                raise StoreDamagedError(f"the backup {backup} is damaged; nothing was changed")
            check_version(backup, version_of(source), latest_of(None))
            remove_partial(paths)
            touch_private(paths.partial)
            run(source, "VACUUM INTO ?", [paths.partial])
        finally:
            source.close()
        _forget_again(paths, wait_seconds)
        _part_from_files(paths)
        sync(paths.partial)
        os.replace(paths.partial, paths.successor)
        return succeed(paths, now, REPLACED)


def _doubt(paths: StorePaths, migrations: Sequence[Migration] | None) -> Doubt | None:
    known_here = os.path.isdir(paths.backups)
    return look(paths.database, latest_of(migrations), known_here)


@contextmanager
def _alone(
    paths: StorePaths,
    wait_seconds: float,
    why: str,
    is_settled: Callable[[], bool] = lambda: False,
) -> Generator[bool]:
    """Hold the lock that everybody else has a share of; False where it is not needed any more."""
    lock = acquire(paths.lock, exclusive=True, wait_seconds=wait_seconds, unless=is_settled)
    if lock is None and not is_settled():
        raise StoreLockedError(
            f"{why}; other memoro processes have it open, so nothing was changed",
            "end them, then try again",
        )
    try:
        yield lock is not None
    finally:
        if lock is not None:
            release(lock)


@contextmanager
def _copied(paths: StorePaths) -> Generator[str]:
    """A copy to read from: reading can write (the log is played back), and the original must not
    change by a byte."""
    make_folder(paths.repair)
    copy = os.path.join(paths.repair, "memory.db")
    try:
        for suffix in ("", "-wal"):
            if os.path.exists(paths.database + suffix):
                shutil.copyfile(paths.database + suffix, copy + suffix)
        yield copy
    finally:
        remove_partial(paths)


def _is_damaged(paths: StorePaths, copy: str, migrations: Sequence[Migration] | None) -> bool:
    doubt = _doubt(paths, migrations)
    if doubt is not None and doubt.sure:
        return True
    with explained(copy):
        connection = connect(copy, 0)
    try:
        version = version_of(connection)
        check_version(paths.database, version, latest_of(migrations))
        template = open_database(":memory:", 0, _steps(migrations, version))
        try:
            return not is_sound(connection) or differs(connection, template)
        finally:
            template.close()
    except (apsw.Error, UnicodeDecodeError):
        return True
    finally:
        connection.close()


def _build(
    paths: StorePaths, copy: str, wait_seconds: float, migrations: Sequence[Migration] | None
) -> tuple[Salvaged, Backup | None]:
    """Make the rebuilt database; gives what was read, and the backup that was needed too."""
    with new_database(paths, _steps(migrations, _version(copy))) as target:
        pages = _first_pages(paths, target)
        run(target, "PRAGMA foreign_keys = OFF")
        salvaged, last, base = Salvaged(0, tuple(tables(target))), 0, None
        source = open_damaged(copy, pages)
        if source is not None:
            try:
                salvaged, last = salvage(source, target), last_count(source)
            finally:
                source.close()
        if salvaged.damaged:
            base = newest_sound(paths, wait_seconds)
        older = connect(base.path, wait_seconds, apsw.SQLITE_OPEN_READONLY) if base else None
        try:
            reconcile(target, salvaged, older)
            keep_counting(target, max(last, last_count(older) if older else 0))
        finally:
            if older is not None:
                older.close()
        # What was filled in and forgotten again must not stay in unused space.
        run(target, "VACUUM")
    return salvaged, base


def _first_pages(paths: StorePaths, target: apsw.Connection) -> list[bytes]:
    """The first page as a new store has it, and as one that has been vacuumed."""
    pages: list[bytes] = []
    for sql in ("SELECT 1", "VACUUM"):
        run(target, sql)
        with open(paths.partial, "rb") as file:
            pages.append(file.read(4096))
    return pages


def _version(copy: str) -> int:
    try:
        connection = connect(copy, 0)
        try:
            return version_of(connection)
        finally:
            connection.close()
    except apsw.Error:
        return 0


def _steps(migrations: Sequence[Migration] | None, version: int) -> list[Migration]:
    """The steps to that schema; all of them where it can't be one of ours."""
    steps = list(migrations or shipped_migrations())
    return [step for step in steps if step.version <= version] or steps


def _forget_again(paths: StorePaths, wait_seconds: float) -> None:
    try:
        current = connect(paths.database, wait_seconds, apsw.SQLITE_OPEN_READONLY)
    except apsw.Error:
        return
    try:
        things = forgettings(current)
    except (apsw.Error, UnicodeDecodeError):
        current.close()
        return
    target = connect(paths.partial, 0)
    try:
        if holds(target, things, current):
            run(target, "PRAGMA journal_mode = OFF")
            with writing(target):
                erase(target, things, current)
                owe(target, things)
            run(target, "VACUUM")
    finally:
        target.close()
        current.close()


def _part_from_files(paths: StorePaths) -> None:
    """Note that the plain files beside the store are those of the one that stood there: what they
    say otherwise was edited by nobody."""
    target = connect(paths.partial, 0)
    try:
        run(target, "PRAGMA journal_mode = OFF")
        # A backup of an older schema has no such table.
        if run(target, "SELECT 1 FROM sqlite_schema WHERE name = 'derived_mirror'"):
            with writing(target):
                run(target, "DELETE FROM derived_mirror")
                run(target, "INSERT INTO derived_mirror VALUES (0, -1, NULL)")
    finally:
        target.close()


def _told(
    paths: StorePaths, damage: str, aside: str, salvaged: Salvaged, base: Backup | None
) -> list[str]:
    sources = [f"{salvaged.rows:,} rows that could still be read"] if salvaged.rows else []
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

"""What `memoro doctor` finds out about the store, and the way back to a backup."""

from __future__ import annotations

import os
import stat
from datetime import datetime
from typing import NamedTuple

import apsw

from memoro.backends.sqlite.database import is_sound, owes
from memoro.backends.sqlite.keeping.backups import Backup, backups, newest_sound
from memoro.backends.sqlite.opening import StoreOptions, open_store
from memoro.backends.sqlite.paths import StorePaths
from memoro.backends.sqlite.repair.rebuilding import diagnose, rebuild, restore
from memoro.backends.sqlite.replacing import set_aside
from memoro.errors import StoreError, UsageError

_WAL_RACE = ((3, 7, 0), (3, 51, 2))
"""SQLite versions in which several connections can corrupt a write-ahead log."""


class Finding(NamedTuple):
    """What was looked at, whether it is in order, how it is, and what to do."""

    name: str
    ok: bool
    told: str
    fix: str = ""


def examine_store(options: StoreOptions, now: datetime) -> list[Finding]:
    """Look at the library, the folder, the database and its backups."""
    paths = StorePaths(options.home)
    return [_sqlite(), _folder(paths), *_database(options, paths, now), *_copies(paths)]


def restore_backup(options: StoreOptions, backup: str | None, now: datetime) -> tuple[str, str]:
    """Put a backup, the newest sound one by default, in the store's place.

    Gives its path, and where the store that stood there is kept ("" where there was none).

    Raises:
        UsageError: there is no such backup.
    """
    paths = StorePaths(options.home)
    if backup is None:
        newest = newest_sound(paths, options.wait_seconds)
        if newest is None:
            raise UsageError(f"there is no sound backup in {paths.backups}")
        backup = newest.path
    elif not os.path.isfile(backup):
        known = ", ".join(one.path for one in backups(paths)) or "none"
        raise UsageError(f"there is no backup {backup}", f"those there are: {known}")
    return backup, restore(paths, backup, now, options.wait_seconds)


class Diagnosis(NamedTuple):
    """What is wrong with the store ("" where nothing is), and what a repair takes its place from.
    `is_missing` where no database stands there."""

    told: str
    is_missing: bool
    backup: Backup | None


def diagnose_store(options: StoreOptions) -> Diagnosis:
    """Look at the whole store without changing it.

    Raises:
        StoreError: and its kinds, as they say.
    """
    paths = StorePaths(options.home)
    newest = newest_sound(paths, options.wait_seconds)
    if os.path.lexists(paths.successor) or os.path.lexists(paths.database):
        return Diagnosis(diagnose(paths, options.wait_seconds), False, newest)
    return Diagnosis(f"{paths.database} is missing", True, newest)


def rebuild_store(options: StoreOptions, diagnosis: Diagnosis, now: datetime) -> list[str]:
    """Put a rebuilt store in the place of one that is damaged, or missing; gives what to tell.

    Raises:
        StoreError: and its kinds, as they say; nothing was changed.
    """
    paths = StorePaths(options.home)
    if not diagnosis.is_missing:
        return rebuild(paths, now, options.wait_seconds, diagnosis.told)
    if diagnosis.backup is None:
        return []
    restore(paths, diagnosis.backup.path, now, options.wait_seconds)
    return [f"{paths.database} was made from {diagnosis.backup.path}"]


def _sqlite() -> Finding:
    version = apsw.sqlite_lib_version()
    first, last = _WAL_RACE
    affected = first <= tuple(int(part) for part in version.split(".")) <= last
    told = f"SQLite {version}, apsw {apsw.apsw_version()}"
    if affected:
        return Finding(
            "sqlite",
            False,
            f"{told}: can corrupt a store that several processes write",
            "pip install --upgrade apsw",
        )
    return Finding("sqlite", True, f"{told}: not affected by the write-ahead log race")


def _folder(paths: StorePaths) -> Finding:
    try:
        mode = os.stat(paths.home).st_mode
    except FileNotFoundError:
        return Finding("home", True, f"{paths.home} is not there yet; the first save makes it")
    except OSError as error:
        return Finding("home", False, f"{paths.home}: {error.strerror}", "check the path")
    if not stat.S_ISDIR(mode):
        return Finding("home", False, f"{paths.home} is not a folder", "move it away")
    if stat.S_IMODE(mode) & 0o077:
        return Finding(
            "home", False, f"{paths.home} can be entered by other users", f"chmod 700 {paths.home}"
        )
    if not os.access(paths.home, os.W_OK | os.X_OK):
        return Finding("home", False, f"{paths.home} can't be written", f"chmod u+rwx {paths.home}")
    return Finding("home", True, f"{paths.home} is private and can be written")


def _database(options: StoreOptions, paths: StorePaths, now: datetime) -> list[Finding]:
    try:
        opened = open_store(options, now, create=False)
    except StoreError as error:
        return [Finding("store", False, error.what, error.fix or "")]
    store = opened.store
    try:
        checks = [Finding("store", False, one, "memoro memory list") for one in opened.notices]
        if store.paths is None:
            return [Finding("store", True, f"{paths.database} is not there yet")]
        counts = ", ".join(_counted(*one) for one in store.counts().items())
        if not is_sound(store.connection):
            checks.append(
                Finding(
                    "store",
                    False,
                    f"{paths.database} fails its integrity check",
                    "memoro doctor --restore newest",
                )
            )
        elif owes(store.connection):
            checks.append(
                Finding(
                    "store",
                    False,
                    "a forgetting could not clean every file yet",
                    "end other memoro processes, then memoro doctor",
                )
            )
        else:
            told = f"{paths.database} passes its integrity check; {counts or 'empty'}"
            checks.append(Finding("store", True, told))
        return checks
    finally:
        store.close()


def _copies(paths: StorePaths) -> list[Finding]:
    found = backups(paths)
    told = ", ".join(f"{one.made_at:%Y-%m-%d %H:%M} UTC ({one.why})" for one in found)
    checks = [Finding("backups", True, told or "none yet; one is made on each day with a change")]
    checks += [
        Finding(
            "set aside",
            False,
            f"{path} holds an older or damaged store",
            "when you no longer need it, delete it; forgetting can't clean it",
        )
        for path in set_aside(paths)
    ]
    return checks


def _counted(kind: str, count: int) -> str:
    return f"{count:,} {kind.replace('_', ' ')}{'' if count == 1 else 's'}"

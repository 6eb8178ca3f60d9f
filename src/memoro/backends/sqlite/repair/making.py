"""Making a database where there is none, and finishing a replacement that was interrupted."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import datetime

from memoro.backends.sqlite.database import Migration, explained
from memoro.backends.sqlite.locks import acquire, release
from memoro.backends.sqlite.paths import StorePaths, is_in_place, make_folder
from memoro.backends.sqlite.replacing import DAMAGED, new_database, remove_partial, succeed
from memoro.errors import StoreLockedError


def make_database(
    paths: StorePaths, wait_seconds: float, now: datetime, migrations: Sequence[Migration] | None
) -> list[str]:
    """Put a database in its place, whole from its first moment; gives what is to be told.

    Raises:
        StoreLockedError: processes still use the one that stood there.
    """
    make_folder(paths.home)

    def is_done() -> bool:
        return is_in_place(paths)

    lock = acquire(paths.lock, exclusive=True, wait_seconds=wait_seconds, unless=is_done)
    if lock is None:
        if is_done():
            return []
        raise StoreLockedError(
            f"{paths.database} is missing, but other memoro processes still have it open",
            "end them, then try again",
        )
    try:
        with explained(paths.database):
            return [] if is_done() else _make(paths, now, migrations)
    finally:
        release(lock)


def _make(paths: StorePaths, now: datetime, migrations: Sequence[Migration] | None) -> list[str]:
    interrupted = os.path.lexists(paths.successor)
    remove_partial(paths)
    if not interrupted:
        with new_database(paths, migrations):
            pass
    aside = succeed(paths, now, DAMAGED)
    if interrupted:
        told = f"{paths.database} was being replaced when that was interrupted; it is done now"
        return [f"{told}; what stood there is kept as {aside}" if aside else told]
    if aside:
        return [f"{paths.database} was missing and an empty one was made; its log is kept: {aside}"]
    return []

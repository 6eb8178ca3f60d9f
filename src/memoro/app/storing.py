"""The one store of a process: opened, followed by the plain files beside it, rebuilt, closed.

Loaded by every command that opens it, so it loads of the plain files only what sees a change.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from memoro.backends.mirror.watching import FOLDER, is_edited, owes
from memoro.backends.sqlite.opening import StoreOptions, open_store
from memoro.backends.sqlite.paths import StorePaths
from memoro.errors import MemoroError, StoreDamagedError

if TYPE_CHECKING:
    from memoro.app import App
    from memoro.backends.sqlite.store import SqliteStore


def options_of(app: App) -> StoreOptions:
    """How the store is opened."""
    return StoreOptions(app.settings.home, app.settings.number("lock_seconds"))


def opened(app: App, *, create: bool) -> tuple[SqliteStore, bool]:
    """Open the store; gives, too, whether it was made beside plain files that were there. Without
    `create`, a home without any of both is left as it is."""
    paths = StorePaths(app.settings.home)
    is_new = not any(map(os.path.lexists, (paths.database, paths.successor)))
    if is_new:
        from memoro.backends.mirror.watching import has_files

        # Files without a store are those of one that was lost, or lay on another machine.
        is_new = has_files(paths.home)
        create = create or is_new
    found = open_store(options_of(app), app.now(), create=create)
    app.notices.extend(found.notices)
    return found.store, is_new


def follow(app: App, store: SqliteStore, *, is_new: bool) -> None:
    """Take what a person changed in the plain files. Nothing is loaded where nothing has."""
    if store.paths is None or store.connection.readonly("main"):
        return

    def clean() -> tuple[str, ...]:
        from memoro.app.mirroring import cleaned

        return cleaned(app, store)

    store.also_clean = clean
    with store.guarded():
        edited = not app.merges_itself and is_edited(
            store.connection, os.path.join(app.settings.home, FOLDER)
        )
    if edited or is_new:
        from memoro.app.mirroring import start

        start(app, store, is_new=is_new)


def close(app: App, store: SqliteStore) -> None:
    """Write the plain files, make the day's backup, and let go of the store."""
    try:
        if _owes_files(app, store):
            from memoro.app.mirroring import finish

            finish(app, store)
    finally:
        store.close(app.now)


def _owes_files(app: App, store: SqliteStore) -> bool:
    """Whether the plain files may have to be written: something was changed here, or somebody was
    killed before they were clean of what was forgotten."""
    if store.paths is None or store.connection.readonly("main"):
        return False
    try:
        with store.guarded():
            return (store.wrote and app.mirrors()) or owes(store.connection)
    except MemoroError:
        # Told where it is met on the way of a command.
        return False


def rebuild(app: App, damage: StoreDamagedError) -> None:
    """Set the store aside, which nobody of us has open any more, and make it anew.

    Raises:
        StoreLockedError: other processes have it open.
    """
    from memoro.backends.sqlite.repair.rebuilding import rebuild as rebuilt

    options = options_of(app)
    paths = StorePaths(options.home)
    app.notices += rebuilt(paths, app.now(), options.wait_seconds, damage.what)

"""The plain files of a process that stays: written once nothing has changed for a while, so that
they don't wait for its end."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from memoro.errors import MemoroError

if TYPE_CHECKING:
    from memoro.app import App
    from memoro.backends.sqlite.store import SqliteStore

_QUIET_SECONDS = 3.0
"""After the last change, before the files are written."""

_MOST_SECONDS = 10.0
"""How long an end waits for what has begun."""

Wait = Callable[[threading.Condition, float], bool]
"""Waits for news for so many seconds at most; whether there are any."""


class Idle:
    """Does its work whenever something has happened and then nothing for some seconds, in a thread
    of its own: whoever tells it that something has happened never waits."""

    def __init__(
        self,
        work: Callable[[], None],
        seconds: float = _QUIET_SECONDS,
        wait: Wait = threading.Condition.wait,
    ) -> None:
        self._work = work
        self._seconds = seconds
        self._wait = wait
        self._news = threading.Condition()
        self._happened = False
        self._ended = False
        self._thread: threading.Thread | None = None

    def stir(self) -> None:
        """Something has happened."""
        with self._news:
            self._happened = True
            if self._thread is None and not self._ended:
                # No end of the process waits for it: what it leaves half done is put right.
                self._thread = threading.Thread(target=self._run, name="idle", daemon=True)
                self._thread.start()
            self._news.notify_all()

    def end(self) -> None:
        """Begin nothing more; wait for what has begun."""
        with self._news:
            self._ended = True
            self._news.notify_all()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(_MOST_SECONDS)

    def _run(self) -> None:
        while self._is_due():
            self._work()

    def _is_due(self) -> bool:
        """Wait until there is something to do; False where there never will be."""
        with self._news:
            while not self._ended:
                if not self._happened:
                    self._news.wait()
                    continue
                self._happened = False
                if not self._wait(self._news, self._seconds) and not self._happened:
                    return not self._ended
                self._happened = True
        return False


def keep_up(app: App) -> None:
    """Have the plain files follow while this process stays, for those who are just reading them and
    for the case that it is killed."""
    store = app.opened()
    if store is None or app.idle is not None or not _has_files(store) or not app.mirrors():
        return
    app.idle = Idle(lambda: _catch_up(app))
    store.heard = app.idle.stir


def _catch_up(app: App) -> None:
    """Write what is due, over a connection of its own."""
    from memoro.app.mirroring import finish
    from memoro.app.storing import options_of
    from memoro.backends.sqlite.opening import open_store

    try:
        store = open_store(options_of(app), app.now(), create=False).store
        try:
            if _has_files(store):
                finish(app, store)
        finally:
            store.close()
    except MemoroError:
        # It is told where it is met on the way of a command, and at the end.
        return


def _has_files(store: SqliteStore) -> bool:
    return store.paths is not None and not store.connection.readonly("main")

"""The library's face: memory for a Python program, over the same store as the command."""

from __future__ import annotations

import os
from types import TracebackType
from typing import Self

from memoro.app import App, new_id
from memoro.commands.memory import secret_in
from memoro.errors import Refusal, RefusedError, UsageError
from memoro.memory import saved
from memoro.memory.forgetting import LEARNED, forget_records
from memoro.memory.projects import missing
from memoro.memory.records import GLOBAL, PROJECT, SAVED_FACT, Record, project_scope
from memoro.memory.store import Applied, LoggedChange, MemoryStore, Origin, Plan
from memoro.memory.undo import undo
from memoro.settings import process_environment
from memoro.surfaces.library.exporting import ExportedMemory
from memoro.surfaces.library.importing import ImportedMemory
from memoro.surfaces.library.learned import LearnedMemory
from memoro.surfaces.library.recalling import RecalledMemory


class Memory(LearnedMemory, RecalledMemory, ImportedMemory, ExportedMemory):
    """A home's memory, open until `close`. For one thread at a time; any number of processes.

    What can't be done raises `RefusedError`, whose `refusal` gives the reason; a broken store
    raises a `StoreError`. Every change is durable when its method returns.
    """

    def __init__(self, app: App) -> None:
        self._app = app
        services = app.services(writes=True)
        self._store: MemoryStore = services.store
        # A program may have it open for days.
        services.keep_up()

    @classmethod
    def open(cls, path: str | os.PathLike[str] | None = None) -> Self:
        """Open the memory of a home folder; by default that of the command.

        Raises:
            UsageError: the path is empty.
            StoreError: it can't be opened.
        """
        environ = dict(process_environment())
        if path is not None:
            if not os.fspath(path):
                raise UsageError("the path of the home folder is empty")
            environ["MEMORO_HOME"] = os.fspath(path)
        return cls(App(environ))

    @property
    def notices(self) -> tuple[str, ...]:
        """What there was to tell about opening the store, a line each (a repair, for example)."""
        return tuple(self._app.notices)

    def remember(
        self, key: str, value: str, *, project: str | None = None, as_is: bool = False
    ) -> Record:
        """Save a new fact; `as_is` also where the value looks like a secret.

        Raises:
            RefusedError: the key exists already, key, value or number are over a limit, or the
                value looks like a secret.
        """
        self._refuse_secret(value, as_is)
        return self._apply(saved.remember(self._fact(key, value, project))).records[0]

    def replace(
        self, key: str, value: str, *, project: str | None = None, as_is: bool = False
    ) -> Record:
        """Give a saved fact a new value; `as_is` also where that looks like a secret.

        Raises:
            RefusedError: there is no such key, the value is over a limit, or it looks like a
                secret.
        """
        self._refuse_secret(value, as_is)
        return self._apply(saved.replace(self._fact(key, value, project))).records[0]

    def forget(self, key: str, *, project: str | None = None) -> Applied:
        """Take a saved fact out of every place for good, by its key, or anything learned, by its
        ID; `remains` of the result names the files, if any, that could not be cleaned yet.

        Raises:
            RefusedError: there is no such key or ID.
        """
        if project is None and self._is_learned(key):
            return self._apply(forget_records([key]))
        return self._apply(saved.forget(self._scope(project), key))

    def facts(self, *, project: str | None = None) -> list[Record]:
        """The saved facts of one scope, in key order."""
        return self._store.select(SAVED_FACT.name, self._scope(project))

    def log(self, *, limit: int | None = None) -> list[LoggedChange]:
        """Every change, the newest first."""
        return self._store.changes(limit=limit)

    def undo(self, change: int | None = None) -> Applied:
        """Take a change back: the last one, or the one of that ID in the log.

        Raises:
            RefusedError: it is final, undone already, or its records have changed since.
        """
        return self._apply(undo(change, self._app.now()))

    def close(self) -> None:
        """Let go of the store, after the day's backup where it is due."""
        self._app.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _refuse_secret(self, value: str, as_is: bool) -> None:
        if as_is:
            return
        refusal = secret_in(self._app.services(writes=True), value)
        if refusal is not None:
            raise RefusedError(refusal)

    def _is_learned(self, key: str) -> bool:
        if self._store.select(SAVED_FACT.name, GLOBAL, key=key):
            return False
        known = self._store.get(key)
        return known is not None and known.kind in LEARNED

    def _fact(self, key: str, value: str, project: str | None) -> saved.Fact:
        return saved.Fact(new_id("f"), self._scope(project), key, value, self._app.now())

    def _scope(self, project: str | None) -> str:
        if project is None:
            return GLOBAL
        if not self._store.select(PROJECT.name, GLOBAL, key=project):
            raise RefusedError(missing(project))
        return project_scope(project)

    def _apply(self, plan: Plan) -> Applied:
        applied = self._store.apply(plan, Origin("library", self._app.now()))
        if isinstance(applied, Refusal):
            raise RefusedError(applied)
        return applied

"""The SQLite store of records: `memoro.memory.store.MemoryStore`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING

import apsw

from memoro.backends.sqlite.database import empties_log, explained, run, writing
from memoro.backends.sqlite.locks import release
from memoro.backends.sqlite.paths import StorePaths
from memoro.backends.sqlite.reading import SqliteReader
from memoro.errors import MemoroError, Refusal, StoreDamagedError

if TYPE_CHECKING:
    from memoro.backends.sqlite.searching.finder import SqliteFinder
    from memoro.memory.records import Record
    from memoro.memory.store import (
        Applied,
        ChangeSet,
        LoggedChange,
        Origin,
        Plan,
        Removal,
        Use,
    )


class SqliteStore:
    """One open database, and the share of its lock that keeps others from replacing it.

    `paths` is None for a store that lives in memory. Use `memoro.backends.sqlite.opening` to get
    one.
    """

    def __init__(
        self,
        connection: apsw.Connection,
        paths: StorePaths | None,
        lock: int | None,
        wait_seconds: float,
    ) -> None:
        self.connection = connection
        self.paths = paths
        self.wait_seconds = wait_seconds
        self.heard: Callable[[], None] | None = None
        """Called after each change."""
        self._wrote = False
        self.finder: tuple[object, SqliteFinder] | None = None
        self.also_clean: Callable[[], tuple[str, ...]] | None = None
        """What else a removal has to reach: files outside of the store that have its records. It
        gives those that may still have what was removed."""
        self._lock = lock
        self._reader = SqliteReader(connection)

    @property
    def name(self) -> str:
        """What messages call this store."""
        return self.paths.database if self.paths else "the store in memory"

    @property
    def wrote(self) -> bool:
        """Whether anything was changed over this connection."""
        return self._wrote

    @wrote.setter
    def wrote(self, yes: bool) -> None:
        self._wrote = yes
        if self.heard is not None:
            self.heard()

    def select(
        self, kind: str, scope: str | None = None, *, key: str | None = None
    ) -> list[Record]:
        """See `memoro.memory.store.Reader`."""
        with self.guarded():
            return self._reader.select(kind, scope, key=key)

    def get(self, record_id: str) -> Record | None:
        """See `memoro.memory.store.Reader`."""
        with self.guarded():
            return self._reader.get(record_id)

    def beginning(self, prefix: str, limit: int) -> list[str]:
        """See `memoro.memory.store.Reader`."""
        with self.guarded():
            return self._reader.beginning(prefix, limit)

    def forgotten(self, ids: Collection[str]) -> set[str]:
        """See `memoro.memory.store.Reader`."""
        with self.guarded():
            return self._reader.forgotten(ids)

    def turns(self, sessions: Collection[str]) -> dict[str, int]:
        """See `memoro.memory.store.Reader`."""
        with self.guarded():
            return self._reader.turns(sessions)

    def change(self, change_id: int) -> LoggedChange | None:
        """See `memoro.memory.store.Reader`."""
        with self.guarded():
            return self._reader.change(change_id)

    def changes(
        self,
        *,
        scope: str | None = None,
        record: str | None = None,
        kind: str | None = None,
        key: str | None = None,
        limit: int | None = None,
    ) -> list[LoggedChange]:
        """See `memoro.memory.store.Reader`."""
        with self.guarded():
            return self._reader.changes(scope=scope, record=record, kind=kind, key=key, limit=limit)

    def alike(self, kind: str, scope: str, words: Collection[str], limit: int) -> list[Record]:
        """See `memoro.memory.store.Reader`."""
        with self.guarded():
            return self._reader.alike(kind, scope, words, limit)

    def about(self, words: Collection[str], limit: int) -> list[Record]:
        """See `memoro.memory.store.Reader`."""
        with self.guarded():
            return self._reader.about(words, limit)

    def uses(self, record_id: str) -> list[Use]:
        """See `memoro.memory.store.Reader`."""
        with self.guarded():
            return self._reader.uses(record_id)

    def used_in(self, run: str) -> list[tuple[str, Use]]:
        """See `memoro.memory.store.Reader`."""
        with self.guarded():
            return self._reader.used_in(run)

    def use(self, ids: Collection[str], at: datetime, run: str | None, how: str) -> None:
        """See `memoro.memory.store.MemoryStore`."""
        from memoro.memory.store import Use

        self.note(dict.fromkeys(ids, Use(at, run, how)))

    def note(self, uses: Mapping[str, Use], *, strengthens: bool = True) -> None:
        """See `memoro.memory.store.MemoryStore`."""
        from memoro.backends.sqlite.using import note

        if uses:
            with self.guarded(), writing(self.connection):
                note(self.connection, uses, strengthens=strengthens)
            self.wrote = True

    def weakest(
        self,
        kind: str,
        scope: str | None,
        *,
        limit: int | None = None,
        below: float | None = None,
    ) -> list[Record]:
        """See `memoro.memory.store.Reader`."""
        with self.guarded():
            return self._reader.weakest(kind, scope, limit=limit, below=below)

    def strongest(
        self,
        kind: str,
        scopes: Collection[str] | None,
        *,
        label: str | None = None,
        limit: int | None = None,
    ) -> list[Record]:
        """See `memoro.memory.store.Reader`."""
        with self.guarded():
            return self._reader.strongest(kind, scopes, label=label, limit=limit)

    def current(self, kind: str, scope: str | None = None) -> int:
        """See `memoro.memory.store.Reader`."""
        with self.guarded():
            return self._reader.current(kind, scope)

    def scopes(self, kind: str) -> list[str]:
        """See `memoro.memory.store.Reader`."""
        with self.guarded():
            return self._reader.scopes(kind)

    def between(
        self,
        kinds: Collection[str],
        scopes: Collection[str] | None,
        since: datetime | None,
        until: datetime | None,
        *,
        limit: int | None = None,
    ) -> list[Record]:
        """See `memoro.memory.store.Reader`."""
        with self.guarded():
            return self._reader.between(kinds, scopes, since, until, limit=limit)

    def apply(self, plan: Plan, origin: Origin) -> Applied | Refusal:
        """See `memoro.memory.store.MemoryStore`."""
        from memoro.backends.sqlite.rows import to_text
        from memoro.memory.store import Removal

        with self.guarded(), writing(self.connection):
            wanted = plan(self._reader)
            if isinstance(wanted, Refusal):
                return wanted
            applied = self._commit(wanted, origin)
            if origin.tool_call is not None:
                # The change and what the log says of it stand or fall together.
                run(
                    self.connection,
                    "UPDATE tool_calls SET outcome = 'done', finished_at = ? WHERE id = ?",
                    [to_text(origin.at), origin.tool_call],
                )
        self.wrote = True
        if isinstance(wanted, Removal):
            return applied._replace(remains=self.settled())
        return applied

    def counts(self) -> dict[str, int]:
        """See `memoro.memory.store.MemoryStore`."""
        with self.guarded():
            rows = run(self.connection, "SELECT kind, count(*) FROM records GROUP BY kind")
        return {str(kind): int(str(count)) for kind, count in rows}

    @contextmanager
    def guarded(self) -> Generator[None]:
        """Use the connection: its errors become ours, and a database that turns out to be damaged
        is not written to any more, not even by closing it."""
        try:
            with explained(self.name):
                yield
        except StoreDamagedError:
            empties_log(self.connection, False)
            raise

    def settle(self, *, late: bool = False) -> tuple[str, ...]:
        """Finish what forgettings still owe, at the next start (`late`) without waiting for others.

        Gives the places that could not be cleaned; they are tried again at the next start.
        """
        from memoro.backends.sqlite.keeping.erasing import settle

        with self.guarded():
            return settle(self.connection, self.paths, self.wait_seconds, late=late)

    def close(self, daily_backup: Callable[[], datetime] | None = None) -> None:
        """Let go of the store; with `daily_backup` (the clock) after the day's backup, if it is
        due and anything was written."""
        try:
            if daily_backup is not None and self.wrote and self.paths is not None:
                from memoro.backends.sqlite.keeping.backups import back_up_daily

                with self.guarded():
                    back_up_daily(self.connection, self.paths, daily_backup())
        finally:
            self.connection.close()
            if self._lock is not None:
                release(self._lock)
                self._lock = None

    def settled(self) -> tuple[str, ...]:
        """The same, for a removal that is committed: a failure is a place that remains."""
        try:
            remains = self.settle()
        except MemoroError as error:
            # The removal itself is committed; what is left to clean is owed, not undone.
            remains = (error.what,)
        return remains if self.also_clean is None else (*remains, *self.also_clean())

    def _commit(self, wanted: ChangeSet | Removal, origin: Origin) -> Applied:
        from memoro.backends.sqlite.changing import remove_records, write_changes
        from memoro.memory.store import Applied, Removal

        if isinstance(wanted, Removal) and wanted.erases is not None:
            from memoro.backends.sqlite.redacting import remove_everywhere

            return Applied(remove_everywhere(self.connection, wanted, wanted.erases, origin), ())
        if isinstance(wanted, Removal):
            change = remove_records(self.connection, wanted.action, wanted.records, origin)
            return Applied(change, ())
        change = write_changes(self.connection, wanted, origin)
        left = tuple(one.after for one in wanted.changes if one.after is not None)
        return Applied(change, left)

"""Reading records and their log."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

import apsw

from memoro.backends.sqlite.database import run
from memoro.backends.sqlite.rows import COLUMNS, MAX_INTEGER, from_json, to_record, to_time
from memoro.memory.records import Record

if TYPE_CHECKING:
    from datetime import datetime

    from memoro.memory.store import LoggedChange, Use


class SqliteReader:
    """Reads records and their log over one connection."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    def select(
        self, kind: str, scope: str | None = None, *, key: str | None = None
    ) -> list[Record]:
        """See `memoro.memory.store.Reader`."""
        where, values = _where(kind=kind, scope=scope, key=key)
        sql = f"SELECT {COLUMNS} FROM records {where} ORDER BY scope, key, id"
        return [to_record(row) for row in run(self._connection, sql, values)]

    def get(self, record_id: str) -> Record | None:
        """See `memoro.memory.store.Reader`."""
        rows = run(self._connection, f"SELECT {COLUMNS} FROM records WHERE id = ?", [record_id])
        return to_record(rows[0]) if rows else None

    def beginning(self, prefix: str, limit: int) -> list[str]:
        """See `memoro.memory.store.Reader`."""
        rows = run(
            self._connection,
            "SELECT id FROM records WHERE id >= ?1 AND id < ?1 || char(1114111)"
            " ORDER BY id LIMIT ?2",
            [prefix, limit],
        )
        return [str(row[0]) for row in rows]

    def forgotten(self, ids: Collection[str]) -> set[str]:
        """See `memoro.memory.store.Reader`."""
        import json

        rows = run(
            self._connection,
            "SELECT DISTINCT c.record_id FROM changes c JOIN change_sets s ON s.id = c.change_set"
            " WHERE s.final = 1 AND c.record_id IN (SELECT value FROM json_each(?))",
            [json.dumps(list(ids))],
        )
        return {str(row[0]) for row in rows}

    def turns(self, sessions: Collection[str]) -> dict[str, int]:
        """See `memoro.memory.store.Reader`."""
        if not sessions:
            return {}
        from memoro.backends.sqlite.withdrawing import turns_of

        return turns_of(self._connection, sessions)

    def change(self, change_id: int) -> LoggedChange | None:
        """See `memoro.memory.store.Reader`."""
        # SQLite's integers end at 63 bits; no entry has such an ID.
        found = self._entries("WHERE s.id = ?", [change_id]) if abs(change_id) < 2**63 else []
        return found[0] if found else None

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
        where, values = _where(scope=scope, record_id=record, kind=kind, key=key)
        if where:
            where = f"WHERE s.id IN (SELECT change_set FROM changes {where})"
        return self._entries(
            f"{where} ORDER BY s.id DESC LIMIT ?",
            [*values, -1 if limit is None else min(limit, MAX_INTEGER)],
        )

    def alike(self, kind: str, scope: str, words: Collection[str], limit: int) -> list[Record]:
        """See `memoro.memory.store.Reader`."""
        from memoro.backends.sqlite.finding import alike

        return alike(self._connection, kind, scope, words, limit)

    def about(self, words: Collection[str], limit: int) -> list[Record]:
        """See `memoro.memory.store.Reader`."""
        from memoro.backends.sqlite.finding import about

        return about(self._connection, words, limit)

    def uses(self, record_id: str) -> list[Use]:
        """See `memoro.memory.store.Reader`."""
        from memoro.backends.sqlite.using import uses

        return uses(self._connection, record_id)

    def used_in(self, run: str) -> list[tuple[str, Use]]:
        """See `memoro.memory.store.Reader`."""
        from memoro.backends.sqlite.using import used_in

        return used_in(self._connection, run)

    def weakest(
        self,
        kind: str,
        scope: str | None,
        *,
        limit: int | None = None,
        below: float | None = None,
    ) -> list[Record]:
        """See `memoro.memory.store.Reader`."""
        from memoro.backends.sqlite.finding import weakest

        return weakest(self._connection, kind, scope, limit, below)

    def strongest(
        self,
        kind: str,
        scopes: Collection[str] | None,
        *,
        label: str | None = None,
        limit: int | None = None,
    ) -> list[Record]:
        """See `memoro.memory.store.Reader`."""
        from memoro.backends.sqlite.finding import strongest

        return strongest(self._connection, kind, scopes, label, limit)

    def current(self, kind: str, scope: str | None = None) -> int:
        """See `memoro.memory.store.Reader`."""
        from memoro.backends.sqlite.finding import current

        return current(self._connection, kind, scope)

    def scopes(self, kind: str) -> list[str]:
        """See `memoro.memory.store.Reader`."""
        from memoro.backends.sqlite.finding import scopes

        return scopes(self._connection, kind)

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
        from memoro.backends.sqlite.finding import between

        return between(self._connection, kinds, scopes, (since, until), limit)

    def _entries(self, rest: str, values: Sequence[object]) -> list[LoggedChange]:
        sql = (
            "SELECT s.id, s.at, s.action, s.writer, s.run, s.message, s.undoes, u.id, s.final"
            " FROM change_sets s LEFT JOIN change_sets u ON u.undoes = s.id "
        )
        return [self._entry(row) for row in run(self._connection, sql + rest, values)]

    def _entry(self, row: Sequence[Any]) -> LoggedChange:
        from memoro.memory.store import LoggedChange, LoggedRecord

        change_id, at, action, writer, run_id, message, undoes, undone_by, final = row
        parts: Sequence[Any] = run(
            self._connection,
            "SELECT record_id, kind, scope, key, before, after FROM changes"
            " WHERE change_set = ? ORDER BY position",
            [change_id],
        )
        return LoggedChange(
            change_id,
            to_time(at),
            action,
            writer,
            run_id,
            message,
            undoes,
            undone_by,
            bool(final),
            tuple(LoggedRecord(*part[:4], *map(from_json, part[4:])) for part in parts),
        )


def _where(**wanted: str | None) -> tuple[str, list[str]]:
    given = {name: value for name, value in wanted.items() if value is not None}
    if not given:
        return "", []
    return "WHERE " + " AND ".join(f"{name} = ?" for name in given), list(given.values())

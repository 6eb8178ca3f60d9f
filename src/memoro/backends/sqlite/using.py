"""Noting that records were used: not in the log of changes, since there is nothing to take back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import apsw

from memoro.backends.sqlite.database import run as execute
from memoro.backends.sqlite.indexing import strengthen
from memoro.backends.sqlite.rows import COLUMNS, to_record, to_text, to_time
from memoro.memory.store import Use


def note(connection: apsw.Connection, found: Mapping[str, Use], *, strengthens: bool) -> None:
    """See `memoro.memory.store.MemoryStore`. Runs inside a transaction."""
    for thing, one in found.items():
        if strengthens:
            _strengthen(connection, thing, one)
        execute(
            connection,
            "INSERT INTO accesses (record, at, run, how, score, bytes)"
            " SELECT ?1, ?2, ?3, ?4, ?5, ?6 WHERE EXISTS (SELECT 1 FROM records WHERE id = ?1)"
            " OR EXISTS (SELECT 1 FROM messages WHERE id = ?1)",
            [thing, to_text(one.at), one.run, one.how, one.score, one.bytes],
        )


def _strengthen(connection: apsw.Connection, record_id: str, one: Use) -> None:
    rows = execute(
        connection,
        "UPDATE records SET accesses = accesses + 1,"
        f" accessed_at = max(coalesce(accessed_at, ''), ?) WHERE id = ? RETURNING {COLUMNS}",
        [to_text(one.at), record_id],
    )
    if rows:
        strengthen(connection, to_record(rows[0]))


def uses(connection: apsw.Connection, record_id: str) -> list[Use]:
    """See `memoro.memory.store.Reader`."""
    rows = execute(
        connection,
        "SELECT at, run, how, score, bytes FROM accesses WHERE record = ?"
        " ORDER BY at DESC, seq DESC",
        [record_id],
    )
    return [_use(row) for row in rows]


def used_in(connection: apsw.Connection, run: str) -> list[tuple[str, Use]]:
    """See `memoro.memory.store.Reader`."""
    rows = execute(
        connection,
        "SELECT record, at, run, how, score, bytes FROM accesses WHERE run = ? ORDER BY seq",
        [run],
    )
    return [(str(thing), _use(row)) for thing, *row in rows]


def _use(row: Sequence[Any]) -> Use:
    at, run, how, score, size = row
    return Use(to_time(at), run, how, score, size)

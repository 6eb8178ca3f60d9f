"""Noting that records were used: not in the log of changes, since there is nothing to take back."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

import apsw

from memoro.backends.sqlite.database import run as execute
from memoro.backends.sqlite.indexing import strengthen
from memoro.backends.sqlite.rows import COLUMNS, to_record, to_text, to_time
from memoro.memory.store import Use


def use(
    connection: apsw.Connection, ids: Collection[str], at: datetime, run: str | None, how: str
) -> None:
    """See `memoro.memory.store.MemoryStore`. Runs inside a transaction."""
    for record_id in dict.fromkeys(ids):
        rows = execute(
            connection,
            "UPDATE records SET accesses = accesses + 1,"
            f" accessed_at = max(coalesce(accessed_at, ''), ?) WHERE id = ? RETURNING {COLUMNS}",
            [to_text(at), record_id],
        )
        if rows:
            execute(
                connection,
                "INSERT INTO accesses (record, at, run, how) VALUES (?, ?, ?, ?)",
                [record_id, to_text(at), run, how],
            )
            strengthen(connection, to_record(rows[0]))


def uses(connection: apsw.Connection, record_id: str) -> list[Use]:
    """See `memoro.memory.store.Reader`."""
    rows = execute(
        connection,
        "SELECT at, run, how FROM accesses WHERE record = ? ORDER BY at DESC, seq DESC",
        [record_id],
    )
    return [
        Use(to_time(str(at)), None if run is None else str(run), str(how)) for at, run, how in rows
    ]

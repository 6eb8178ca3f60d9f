"""A database for one moment: what is to come into a store is checked there, by the same rules,
while the store itself is open to everybody."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Generator
from contextlib import contextmanager

import apsw

from memoro.backends.sqlite.database import run
from memoro.backends.sqlite.store import SqliteStore

SCRATCH = "scratch"
"""The name that it is attached under."""

_TABLES = (
    *("records", "change_sets", "changes", "sessions", "runs", "messages", "tool_calls"),
    *("accesses", "embedding_costs"),
)
_CACHE_KIB = 16_384


@contextmanager
def scratch(store: SqliteStore) -> Generator[apsw.Connection]:
    """Attach an empty database with the store's tables for the block, as `SCRATCH`; gives the
    store's connection. It lies beside the store, where the space has to be anyway; its file has no
    name any more as soon as it is open, so that nothing is left of it whatever happens."""
    with store.guarded():
        connection = store.connection
        _attach(store)
        try:
            run(connection, "BEGIN")
            _make_tables(connection)
            try:
                yield connection
            finally:
                if connection.in_transaction:
                    run(connection, "ROLLBACK")
        finally:
            run(connection, f"DETACH {SCRATCH}")


def _attach(store: SqliteStore) -> None:
    connection = store.connection
    if connection.readonly("main"):
        # What is attached may not be written either, unless it is no file.
        run(connection, f"ATTACH ':memory:' AS {SCRATCH}")
        return
    folder = None if store.paths is None else store.paths.home
    descriptor, path = tempfile.mkstemp(prefix=".memoro-", suffix=".partial", dir=folder)
    os.close(descriptor)
    try:
        run(connection, f"ATTACH ? AS {SCRATCH}", [path])
        # SQLite opens the file when it is first asked for something.
        run(connection, f"PRAGMA {SCRATCH}.journal_mode = MEMORY")
    finally:
        os.remove(path)
    run(
        connection,
        f"PRAGMA {SCRATCH}.synchronous = OFF; PRAGMA {SCRATCH}.secure_delete = OFF;"
        f" PRAGMA {SCRATCH}.cache_size = -{_CACHE_KIB}",
    )


def _make_tables(connection: apsw.Connection) -> None:
    """The store's own tables: their constraints are what is checked."""
    for table in _TABLES:
        for (sql,) in run(
            connection,
            "SELECT sql FROM main.sqlite_schema WHERE tbl_name = ? AND sql IS NOT NULL"
            " AND (type = 'table' OR (type = 'index' AND sql LIKE 'CREATE UNIQUE %'))"
            " ORDER BY type DESC",
            [table],
        ):
            made = str(sql).replace("CREATE TABLE ", f"CREATE TABLE {SCRATCH}.", 1)
            run(connection, made.replace("UNIQUE INDEX ", f"UNIQUE INDEX {SCRATCH}.", 1))

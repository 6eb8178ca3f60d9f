"""Asking the index: brought up first, read as one."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

import apsw

from memoro.backends.sqlite.database import patience, run, writing
from memoro.backends.sqlite.searching.building import Behind, behind, bring_up, is_up, rebuild
from memoro.backends.sqlite.searching.finder import SqliteFinder
from memoro.backends.sqlite.store import SqliteStore

_TABLES = (
    "derived_shelves",
    "derived_units",
    "derived_sessions",
    "derived_spans",
    "derived_places",
    "derived_fresh",
    "derived_embedders",
    "derived_vectors",
    "derived_signs",
    "derived_unembedded",
)


_WRITERS_SECONDS = 0.5
"""How long a question waits for others who write, when the index is behind."""

_NOTHING = Behind(0, 0)


def make_ready(store: SqliteStore, most: int | None) -> Behind:
    """Bring the index up, by at most so many units; gives what it still lacks. Where others write
    for long, it stays as it is."""
    with store.guarded():
        connection = store.connection
        if is_up(connection):
            return _NOTHING
        connection.set_busy_handler(patience(_WRITERS_SECONDS))
        try:
            if bring_up(connection, most):
                return _NOTHING
        except apsw.BusyError:
            pass
        except apsw.ReadOnlyError:
            # Nothing can be written: this process gets an index of its own, in memory.
            _make_apart(connection)
            bring_up(connection)
            return _NOTHING
        finally:
            connection.set_busy_handler(patience(store.wait_seconds))
        return behind(connection)


def what_is_missing(store: SqliteStore) -> Behind:
    """What the index has not got yet."""
    with store.guarded():
        return _NOTHING if is_up(store.connection) else behind(store.connection)


def make_anew(store: SqliteStore, missing: bool) -> tuple[int, int]:
    """Make the index anew while the one that is there answers, or with `missing` just bring it up;
    gives how many turns and records it has."""
    with store.guarded():
        connection = store.connection
        if not missing:
            with writing(connection):
                rebuild(connection)
        bring_up(connection)
    return made(store)


def made(store: SqliteStore) -> tuple[int, int]:
    """How many turns and records the index has."""
    with store.guarded():
        rows = run(store.connection, "SELECT name, units FROM derived_shelves WHERE live = 1")
    units = {str(name): int(str(count)) for name, count in rows}
    return units.get("turn", 0), units.get("record", 0)


@contextmanager
def finding(store: SqliteStore, embedder: tuple[int, int] | None) -> Generator[SqliteFinder]:
    """The index, all of it as it is at one moment."""
    with store.guarded():
        connection = store.connection
        run(connection, "BEGIN")
        try:
            yield _finder(store, embedder)
        finally:
            if connection.in_transaction:
                run(connection, "COMMIT")


def _finder(store: SqliteStore, embedder: tuple[int, int] | None) -> SqliteFinder:
    """A finder; the last one again, with what it has read, while nothing is written by anybody."""
    connection = store.connection
    # Only what is read in this transaction makes its moment that of the version.
    run(connection, "SELECT id FROM derived_shelves LIMIT 1")
    ((version,),) = run(connection, "PRAGMA data_version")
    state = (version, connection.total_changes(), embedder)
    if store.finder is None or store.finder[0] != state or store.finder[1].is_full:
        store.finder = state, SqliteFinder(connection, embedder)
    return store.finder[1]


def _make_apart(connection: apsw.Connection) -> None:
    for table in _TABLES:
        for (sql,) in run(
            connection,
            "SELECT sql FROM main.sqlite_schema WHERE tbl_name = ? AND sql IS NOT NULL"
            " ORDER BY type DESC",
            [table],
        ):
            # A temporary table goes before one of the same name in the file.
            apart = (
                str(sql)
                .replace("CREATE TABLE", "CREATE TEMP TABLE IF NOT EXISTS", 1)
                .replace("INDEX ", "INDEX IF NOT EXISTS temp.", 1)
            )
            run(connection, apart)

"""Keeping what follows from the records: the graph, the words, the order of strength.

It is a cache within the store: kept up in the transaction that changes the records, and made anew
where it is missing, of an older recipe, or not of the last change.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import apsw

from memoro.backends.sqlite.database import run
from memoro.backends.sqlite.rows import COLUMNS, to_record, to_text
from memoro.memory.graph import Link, Node
from memoro.memory.indexing import RECIPE, Entry, entry
from memoro.memory.records import INDEXED, Record
from memoro.memory.store import Change

_TABLES = ("derived_state", "derived_nodes", "derived_links", "derived_words")
"""Their schema stands with the rest, in `migrations/`."""


def is_fresh(connection: apsw.Connection) -> bool:
    """Whether the index is that of the last change."""
    rows = run(
        connection,
        "SELECT recipe = ? AND upto = (SELECT coalesce(max(id), 0) FROM change_sets)"
        " FROM derived_state",
        [RECIPE],
    )
    return rows == [(1,)]


def follow(connection: apsw.Connection, changes: Sequence[Change], change_id: int) -> None:
    """Bring the index after a change that was made in this transaction, if it was of the one
    before; else it stays as it is, and is made anew when it is needed."""
    rows = run(
        connection,
        "SELECT recipe, upto, (SELECT coalesce(max(id), 0) FROM change_sets WHERE id < ?)"
        " FROM derived_state",
        [change_id],
    )
    if not rows or rows[0][0] != RECIPE or rows[0][1] != rows[0][2]:
        return
    _bring_after(connection, changes)
    run(connection, "UPDATE derived_state SET upto = ?", [change_id])


def follow_late(connection: apsw.Connection, changes: Sequence[Change]) -> None:
    """The same for a change that comes under an entry of the log which was there before."""
    if is_fresh(connection):
        _bring_after(connection, changes)


def _bring_after(connection: apsw.Connection, changes: Sequence[Change]) -> None:
    concerned = [one for one in changes if one.subject.kind in INDEXED]
    for change in concerned:
        if change.before is not None:
            _take_out(connection, change.before)
    for change in concerned:
        if change.after is not None:
            _put_in(connection, change.after)


def strengthen(connection: apsw.Connection, record: Record) -> None:
    """Note a new strength of a record that was used."""
    found = entry(record)
    if found is not None and found.strength is not None:
        run(
            connection,
            "UPDATE derived_nodes SET strength = ? WHERE name = ?",
            [found.strength, found.drawn.node.name],
        )


def make(connection: apsw.Connection) -> None:
    """Make the index anew from all records. Runs inside a transaction."""
    clear(connection)
    run(connection, "INSERT INTO derived_state VALUES (0, 0, 0)")
    kinds = ", ".join("?" * len(INDEXED))
    rows = connection.execute(
        f"SELECT {COLUMNS} FROM records WHERE kind IN ({kinds}) ORDER BY rowid", sorted(INDEXED)
    )
    for row in rows:
        _put_in(connection, to_record(row))
    run(
        connection,
        "UPDATE derived_state SET recipe = ?,"
        " upto = (SELECT coalesce(max(id), 0) FROM change_sets)",
        [RECIPE],
    )


def make_apart(connection: apsw.Connection) -> None:
    """Make the index for this connection alone, in memory, where the store can't be written."""
    for table in _TABLES:
        rows = run(connection, "SELECT sql FROM main.sqlite_schema WHERE name = ?", [table])
        # A temporary table goes before one of the same name in the file.
        sql = str(rows[0][0]).replace("CREATE TABLE", "CREATE TEMP TABLE IF NOT EXISTS", 1)
        run(connection, sql)
    make(connection)


def clear(connection: apsw.Connection) -> None:
    """Empty the index; it is made anew when it is needed."""
    for table in _TABLES:
        run(connection, f"DELETE FROM {table}")


def _put_in(connection: apsw.Connection, record: Record) -> None:
    found = entry(record)
    if found is None:
        return
    own = _node(connection, found.drawn.node)
    run(
        connection,
        "UPDATE derived_nodes SET title = ?, scope = ?, label = ?, strength = ?, happened = ?,"
        " records = records + 1 WHERE id = ?",
        [
            found.drawn.node.title,
            record.scope,
            found.label,
            found.strength,
            None if found.happened is None else to_text(found.happened),
            own,
        ],
    )
    for word in found.words:
        run(connection, "INSERT OR IGNORE INTO derived_words VALUES (?, ?)", [word, own])
    _link(connection, own, found.drawn.links)


def _take_out(connection: apsw.Connection, record: Record) -> None:
    found = entry(record)
    if found is None:
        return
    rows = run(connection, "SELECT id FROM derived_nodes WHERE name = ?", [found.drawn.node.name])
    if not rows:
        return
    own = int(str(rows[0][0]))
    run(
        connection,
        "UPDATE derived_nodes SET strength = NULL, happened = NULL, records = records - 1,"
        " scope = CASE WHEN records > 1 THEN scope END,"
        " label = CASE WHEN records > 1 THEN label END,"
        " title = CASE WHEN records > 1 OR title = '' THEN title"
        " ELSE substr(name, instr(name, ':') + 1) END WHERE id = ?",
        [own],
    )
    for word in found.words:
        run(connection, "DELETE FROM derived_words WHERE word = ? AND node = ?", [word, own])
    _unlink(connection, own, found)


def _link(connection: apsw.Connection, owner: int, links: Iterable[Link]) -> None:
    for link in links:
        a, b = _node(connection, link.a), _node(connection, link.b)
        run(
            connection,
            "INSERT OR IGNORE INTO derived_links VALUES (?1, ?4, ?2, ?3), (?2, ?4, ?1, ?3)",
            [a, b, owner, link.weight],
        )
        run(connection, "UPDATE derived_nodes SET degree = degree + 1 WHERE id IN (?, ?)", [a, b])
        run(connection, "UPDATE derived_state SET links = links + 1")


def _unlink(connection: apsw.Connection, owner: int, found: Entry) -> None:
    touched: dict[int, None] = {owner: None}
    for link in found.drawn.links:
        a, b = _node(connection, link.a), _node(connection, link.b)
        run(
            connection,
            "DELETE FROM derived_links WHERE (a, weight, b, owner) IN"
            " (VALUES (?1, ?4, ?2, ?3), (?2, ?4, ?1, ?3))",
            [a, b, owner, link.weight],
        )
        run(connection, "UPDATE derived_state SET links = links - 1")
        run(connection, "UPDATE derived_nodes SET degree = degree - 1 WHERE id IN (?, ?)", [a, b])
        touched |= {a: None, b: None}
    for node in touched:
        run(
            connection,
            "DELETE FROM derived_nodes WHERE id = ? AND records = 0 AND degree = 0",
            [node],
        )


def _node(connection: apsw.Connection, node: Node) -> int:
    rows = run(connection, "SELECT id FROM derived_nodes WHERE name = ?", [node.name])
    if not rows:
        rows = run(
            connection,
            "INSERT INTO derived_nodes (name, kind, title) VALUES (?, ?, ?) RETURNING id",
            list(node),
        )
    return int(str(rows[0][0]))

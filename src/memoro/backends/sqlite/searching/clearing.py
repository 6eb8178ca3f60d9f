"""Taking many conversations off the shelves at once: whole blocks of units go unread."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence

import apsw

from memoro.backends.sqlite.database import run
from memoro.backends.sqlite.searching.removing import remove_from
from memoro.backends.sqlite.searching.shelves import drop, shelves
from memoro.memory.recall.postings import BLOCK_BITS

_FEW = 1_000
"""So many units are taken out one by one: for fewer, looking through all places takes longer."""


def remove_sessions(connection: apsw.Connection, sessions: Collection[str]) -> None:
    """Take all turns of these conversations off every shelf, and their names. Runs inside a
    transaction, before their messages go."""
    names = json.dumps(list(sessions))
    for shelf in shelves(connection):
        groups = _groups(connection, shelf.id, names)
        if groups == "[]":
            continue
        if shelf.is_current:
            _clear(connection, shelf.id, groups)
        else:
            # Which words an older recipe made of them can't be told any more.
            drop(connection, shelf.id)


def _groups(connection: apsw.Connection, shelf: int, names: str) -> str:
    rows = run(
        connection,
        "SELECT id FROM derived_sessions WHERE shelf = ?"
        " AND name IN (SELECT value FROM json_each(?))",
        [shelf, names],
    )
    return json.dumps([group for (group,) in rows])


def _clear(connection: apsw.Connection, shelf: int, groups: str) -> None:
    blocks = _whole_blocks(connection, shelf, groups)
    if blocks:
        _clear_blocks(connection, shelf, json.dumps(blocks))
    rest = run(
        connection,
        "SELECT m.id, m.text FROM derived_units u JOIN messages m ON m.id = u.owner"
        " WHERE u.shelf = ? AND u.session IN (SELECT value FROM json_each(?))",
        [shelf, groups],
    )
    remove_from(connection, shelf, [(str(owner), str(text)) for owner, text in rest])
    for table, column in (("derived_spans", "session"), ("derived_sessions", "id")):
        run(
            connection,
            f"DELETE FROM {table} WHERE shelf = ? AND {column} IN (SELECT value FROM json_each(?))",
            [shelf, groups],
        )
    run(
        connection,
        "UPDATE derived_shelves SET groups = groups - json_array_length(?) WHERE id = ?",
        [groups, shelf],
    )


def _whole_blocks(connection: apsw.Connection, shelf: int, groups: str) -> Sequence[int]:
    """The blocks that have units of these sessions alone, where that is worth it."""
    rows = run(
        connection,
        f"SELECT id >> {BLOCK_BITS} AS block, count(*),"
        " sum(session IN (SELECT value FROM json_each(?))) AS going"
        " FROM derived_units WHERE shelf = ? GROUP BY block HAVING going",
        [groups, shelf],
    )
    whole = [(int(str(block)), int(str(units))) for block, units, going in rows if units == going]
    return [block for block, _ in whole] if sum(units for _, units in whole) > _FEW else []


def _clear_blocks(connection: apsw.Connection, shelf: int, blocks: str) -> None:
    of_blocks = "(SELECT value FROM json_each(?2))"
    units = f"SELECT id FROM derived_units WHERE shelf = ?1 AND id >> {BLOCK_BITS} IN {of_blocks}"
    ((count, parts, tokens),) = run(
        connection,
        f"SELECT count(*), sum(parts), sum(tokens) FROM derived_units WHERE id IN ({units})",
        [shelf, blocks],
    )
    run(
        connection,
        "UPDATE derived_shelves SET units = units - ?, parts = parts - ?, tokens = tokens - ?"
        " WHERE id = ?",
        [count, parts, tokens, shelf],
    )
    for table in ("derived_vectors", "derived_unembedded"):
        run(
            connection,
            f"DELETE FROM {table} WHERE embedder IN (SELECT id FROM derived_embedders)"
            f" AND unit IN ({units})",
            [shelf, blocks],
        )
    run(
        connection,
        f"DELETE FROM derived_fresh WHERE shelf = ?1 AND unit >> {BLOCK_BITS} IN {of_blocks}",
        [shelf, blocks],
    )
    for table in ("derived_places", "derived_signs"):
        run(
            connection,
            f"DELETE FROM {table} WHERE shelf = ?1 AND block IN {of_blocks}",
            [shelf, blocks],
        )
    run(connection, f"DELETE FROM derived_units WHERE id IN ({units})", [shelf, blocks])

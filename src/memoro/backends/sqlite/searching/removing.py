"""Taking units off the shelves, so that nothing of their words is left."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import apsw

from memoro.backends.sqlite.database import run
from memoro.backends.sqlite.searching.adding import read_stems
from memoro.backends.sqlite.searching.shelves import ShelfRow, drop, shelves
from memoro.backends.sqlite.searching.vectors import take_out_vectors
from memoro.memory.recall.entries import entry
from memoro.memory.recall.postings import block_of, offset_of, without


def remove(connection: apsw.Connection, owners: Sequence[tuple[str, str]]) -> None:
    """Take units off every shelf: of each its message's or record's ID, and the text that it was
    made from. Runs inside a transaction."""
    for shelf in shelves(connection):
        if shelf.is_current:
            remove_from(connection, shelf.id, owners)
        elif _has_any(connection, shelf, owners):
            # Which words an older recipe made of them can't be told any more.
            drop(connection, shelf.id)


def remove_session(connection: apsw.Connection, session: str) -> None:
    """Take all turns of a conversation off every shelf, and its name. Runs inside a transaction,
    before its messages go."""
    rows = run(connection, "SELECT id, text FROM messages WHERE session = ?", [session])
    remove(connection, [(str(owner), str(text)) for owner, text in rows])
    for (group,) in run(connection, "SELECT id FROM derived_sessions WHERE name = ?", [session]):
        run(connection, "DELETE FROM derived_spans WHERE session = ?", [group])
        run(
            connection,
            "UPDATE derived_shelves SET groups = groups - 1"
            " WHERE id = (SELECT shelf FROM derived_sessions WHERE id = ?)",
            [group],
        )
        run(connection, "DELETE FROM derived_sessions WHERE id = ?", [group])


def _has_any(
    connection: apsw.Connection, shelf: ShelfRow, owners: Sequence[tuple[str, str]]
) -> bool:
    sql = "SELECT 1 FROM derived_units WHERE owner = ? AND shelf = ?"
    return any(run(connection, sql, [owner, shelf.id]) for owner, _ in owners)


def remove_from(connection: apsw.Connection, shelf: int, owners: Sequence[tuple[str, str]]) -> None:
    """The same from one shelf, whose entries are made as they are made now."""
    offsets: dict[tuple[str, int], set[int]] = defaultdict(set)
    units: list[int] = []
    for owner, text in owners:
        rows = run(
            connection,
            "DELETE FROM derived_units WHERE owner = ? AND shelf = ?"
            " RETURNING id, session, tokens, parts",
            [owner, shelf],
        )
        for unit, session, tokens, parts in rows:
            number = int(str(unit))
            _count_off(connection, shelf, session, tokens, parts)
            units.append(number)
            if not _was_fresh(connection, shelf, number):
                for place, part in enumerate(entry(text).parts):
                    for stem in part:
                        offsets[stem, block_of(number)].add(offset_of(number, place))
    take_out_vectors(connection, shelf, units)
    for (stem, block), gone in offsets.items():
        _take_out(connection, (shelf, stem, block), gone)


def _count_off(
    connection: apsw.Connection, shelf: int, session: object, tokens: object, parts: object
) -> None:
    run(
        connection,
        "UPDATE derived_shelves SET units = units - 1, parts = parts - ?, tokens = tokens - ?"
        " WHERE id = ?",
        [parts, tokens, shelf],
    )
    run(
        connection,
        "UPDATE derived_sessions SET tokens = tokens - ? WHERE id = ?",
        [tokens, session],
    )


def _was_fresh(connection: apsw.Connection, shelf: int, unit: int) -> bool:
    sql = "DELETE FROM derived_fresh WHERE shelf = ? AND unit = ? RETURNING stems"
    return any(read_stems(str(stems)) for (stems,) in run(connection, sql, [shelf, unit]))


def _take_out(connection: apsw.Connection, key: tuple[int, str, int], offsets: set[int]) -> None:
    where = "WHERE shelf = ? AND stem = ? AND block = ?"
    rows = run(connection, f"SELECT data FROM derived_places {where}", key)
    known = rows[0][0] if rows else None
    if not isinstance(known, bytes):
        return
    left = without(known, offsets)
    if left:
        run(connection, f"UPDATE derived_places SET data = ? {where}", [left, *key])
    else:
        run(connection, f"DELETE FROM derived_places {where}", key)

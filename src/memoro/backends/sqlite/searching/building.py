"""Keeping the index up with what is stored, and making it anew beside the one that answers.

What is said and learned is put on the shelves in the transaction that stores it. Where there is no
shelf, or one of an older recipe, a new one is built a slice at a time, each slice a transaction of
its own, so that nobody waits for long; the old one answers until the new one has everything.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import apsw

from memoro.backends.sqlite.database import run, writing
from memoro.backends.sqlite.rows import COLUMNS, to_record
from memoro.backends.sqlite.searching.adding import add
from memoro.backends.sqlite.searching.following import TURNS, add_turns, unit_of
from memoro.backends.sqlite.searching.shelves import (
    ShelfRow,
    answering,
    go_live,
    make_shelf,
    reached,
    shelves,
)
from memoro.backends.sqlite.searching.vectors import inherit_vectors
from memoro.memory.recall.finding import ShelfName
from memoro.memory.records import SEARCHED

_SLICE = 250
"""How many units are put in at once while an index is made: some tens of milliseconds."""

_NAMES: tuple[ShelfName, ...] = ("turn", "record")
_LAST_CHANGE = "(SELECT coalesce(max(id), 0) FROM change_sets)"


class Behind(NamedTuple):
    """What an index has not got yet: turns, and records."""

    turns: int
    records: int


def behind(connection: apsw.Connection) -> Behind:
    """How many turns and records still have to be put in before all is found."""
    turns, records = answering(connection, "turn"), answering(connection, "record")
    upto = turns.upto if turns is not None else 0
    ((missing,),) = run(connection, "SELECT count(*) FROM messages WHERE seq > ?", [upto])
    return Behind(int(str(missing)), _missing_records(connection, records))


def is_up(connection: apsw.Connection) -> bool:
    """Whether the index has everything, made as it is made now."""
    all_of_them = shelves(connection)
    known = {one.name: one for one in all_of_them if one.live and one.is_current}
    if len(known) < 2 or len(all_of_them) > 2:
        return False
    ((message, change),) = run(
        connection, f"SELECT coalesce(max(seq), 0), {_LAST_CHANGE} FROM messages"
    )
    return known["turn"].upto >= int(str(message)) and known["record"].upto == change


def bring_up(connection: apsw.Connection, most: int | None = None) -> bool:
    """Put what is missing on the shelves, at most so many units; says whether all is there."""
    left = most
    while not is_up(connection):
        if left is not None and left <= 0:
            return False
        with writing(connection):
            done = _slice(connection)
        left = None if left is None else left - max(done, 1)
    return True


def rebuild(connection: apsw.Connection) -> None:
    """Begin to make the index anew; `bring_up` makes it. The one that is there is kept up, and
    answers, until then. Runs inside a transaction."""
    begun = {one.name for one in shelves(connection) if not one.live}
    for name in _NAMES:
        if name not in begun:
            make_shelf(connection, name)


def _slice(connection: apsw.Connection) -> int:
    """Put one slice on a shelf that is behind; gives how many units."""
    turns = _to_fill(connection, "turn")
    if turns is not None:
        return _slice_of_turns(connection, turns)
    records = _to_fill(connection, "record")
    return 0 if records is None else _slice_of_records(connection, records)


def _to_fill(connection: apsw.Connection, name: ShelfName) -> ShelfRow | None:
    current = [one for one in shelves(connection) if one.name == name and one.is_current]
    if not current:
        return make_shelf(connection, name)
    ((message, change),) = run(
        connection, f"SELECT coalesce(max(seq), 0), {_LAST_CHANGE} FROM messages"
    )
    shelf = current[-1]
    if not shelf.live:
        return shelf
    if name == "turn":
        return shelf if shelf.upto < int(str(message)) else None
    # What changed since can't be told: this shelf answers while another one is built.
    return None if shelf.upto == change else make_shelf(connection, name)


def _slice_of_turns(connection: apsw.Connection, shelf: ShelfRow) -> int:
    rows = run(
        connection,
        f"{TURNS} WHERE m.seq > ?1 AND NOT EXISTS"
        " (SELECT 1 FROM derived_units u WHERE u.owner = m.id AND u.shelf = ?2)"
        " ORDER BY m.seq LIMIT ?3",
        [shelf.upto, shelf.id, _SLICE],
    )
    add_turns(connection, shelf, rows)
    inherit_vectors(connection, shelf.id, [str(row[1]) for row in rows])
    return _sliced(connection, shelf, rows, "coalesce(max(seq), 0) FROM messages")


def _slice_of_records(connection: apsw.Connection, shelf: ShelfRow) -> int:
    kinds = ", ".join("?" * len(SEARCHED))
    rows = run(
        connection,
        f"SELECT rowid, {COLUMNS} FROM records r WHERE rowid > ? AND kind IN ({kinds})"
        " AND NOT EXISTS (SELECT 1 FROM derived_units u WHERE u.owner = r.id AND u.shelf = ?)"
        " ORDER BY rowid LIMIT ?",
        [shelf.upto, *sorted(SEARCHED), shelf.id, _SLICE],
    )
    units = [unit_of(to_record(row[1:])) for row in rows]
    add(connection, shelf.id, units)
    inherit_vectors(connection, shelf.id, [unit.owner for unit in units])
    return _sliced(connection, shelf, rows, _LAST_CHANGE)


def _sliced(
    connection: apsw.Connection,
    shelf: ShelfRow,
    rows: Sequence[tuple[object, ...]],
    last_of_all: str,
) -> int:
    """Note how far a shelf has come; a slice that is not full was the last one."""
    if len(rows) == _SLICE:
        reached(connection, shelf.id, int(str(rows[-1][0])))
        return len(rows)
    ((last,),) = run(connection, f"SELECT {last_of_all}")
    reached(connection, shelf.id, int(str(last)))
    go_live(connection, shelf)
    return len(rows)


def _missing_records(connection: apsw.Connection, shelf: ShelfRow | None) -> int:
    if shelf is not None and shelf.live:
        return 0
    kinds = ", ".join("?" * len(SEARCHED))
    sql = f"SELECT count(*) FROM records WHERE kind IN ({kinds}) AND rowid > ?"
    upto = 0 if shelf is None else shelf.upto
    return int(str(run(connection, sql, [*sorted(SEARCHED), upto])[0][0]))

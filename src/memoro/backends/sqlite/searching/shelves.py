"""The shelves of the index: one making of it each, of turns or of records."""

from __future__ import annotations

from typing import NamedTuple

import apsw

from memoro.backends.sqlite.database import run
from memoro.memory.recall.entries import RECIPE
from memoro.memory.recall.finding import ShelfName

_OF_SHELF = ("derived_units", "derived_sessions", "derived_spans", "derived_places")
_BESIDE = ("derived_fresh", "derived_signs", "derived_vectors", "derived_unembedded")
_COLUMNS = "id, name, recipe, live, upto"


class ShelfRow(NamedTuple):
    """A shelf as it is stored: `upto` is the last message, or change, that is in it."""

    id: int
    name: ShelfName
    recipe: int
    live: bool
    upto: int

    @property
    def is_current(self) -> bool:
        """Whether its entries are made as they are made now."""
        return self.recipe == RECIPE


def shelves(connection: apsw.Connection) -> list[ShelfRow]:
    """All shelves, those that answer first; but for those that a newer Memoro is building."""
    rows = run(
        connection,
        f"SELECT {_COLUMNS} FROM derived_shelves WHERE live = 1 OR recipe <= ?"
        " ORDER BY live DESC, id",
        [RECIPE],
    )
    return [_shelf(row) for row in rows]


def answering(connection: apsw.Connection, name: ShelfName) -> ShelfRow | None:
    """The shelf that answers: the live one, or the first one while it is being built."""
    found = [one for one in shelves(connection) if one.name == name]
    return found[0] if found else None


def make_shelf(connection: apsw.Connection, name: ShelfName) -> ShelfRow:
    """A new and empty shelf, to be built."""
    if not run(connection, "SELECT 1 FROM derived_shelves LIMIT 1"):
        # What stands there belongs to no shelf any more, and its numbers will be given again.
        for table in (*_OF_SHELF, *_BESIDE):
            run(connection, f"DELETE FROM {table}")
    rows = run(
        connection,
        "INSERT INTO derived_shelves (name, recipe, live, upto) VALUES (?, ?, 0, 0)"
        f" RETURNING {_COLUMNS}",
        [name, RECIPE],
    )
    return _shelf(rows[0])


def reached(connection: apsw.Connection, shelf: int, upto: int) -> None:
    """Note how far a shelf has come."""
    run(connection, "UPDATE derived_shelves SET upto = ? WHERE id = ?", [upto, shelf])


def go_live(connection: apsw.Connection, shelf: ShelfRow) -> None:
    """Let a shelf answer, in the place of those before it."""
    for other in shelves(connection):
        if other.name == shelf.name and other.id != shelf.id:
            drop(connection, other.id)
    run(connection, "UPDATE derived_shelves SET live = 1 WHERE id = ?", [shelf.id])


def drop(connection: apsw.Connection, shelf: int) -> None:
    """Take a shelf away with all that stands in it."""
    for table in ("derived_vectors", "derived_unembedded"):
        run(
            connection,
            f"DELETE FROM {table} WHERE unit IN (SELECT id FROM derived_units WHERE shelf = ?)",
            [shelf],
        )
    for table in (*_OF_SHELF, "derived_fresh", "derived_signs"):
        run(connection, f"DELETE FROM {table} WHERE shelf = ?", [shelf])
    run(connection, "DELETE FROM derived_shelves WHERE id = ?", [shelf])


def _shelf(row: tuple[object, ...]) -> ShelfRow:
    shelf, name, recipe, live, upto = row
    assert name in ("turn", "record"), "we write no other"
    return ShelfRow(int(str(shelf)), name, int(str(recipe)), bool(live), int(str(upto)))

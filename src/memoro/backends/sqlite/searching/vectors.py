"""The vectors of the units, by the embedder that made them."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import NamedTuple

import apsw

from memoro.backends.sqlite.database import run
from memoro.memory.recall.postings import block_of, offset_of, unit_at
from memoro.memory.recall.vectors import code, nearest

_AT_ONCE = 500
"""How many values one statement is given."""


def embedder_of(connection: apsw.Connection, identity: str) -> int | None:
    """The number of an embedder whose vectors are here, or are being made."""
    rows = run(connection, "SELECT id FROM derived_embedders WHERE identity = ?", [identity])
    return int(str(rows[0][0])) if rows else None


def live_embedder(connection: apsw.Connection) -> tuple[int, str] | None:
    """The embedder whose vectors answer: all units have one of it, or had when it went live."""
    rows = run(connection, "SELECT id, identity FROM derived_embedders WHERE live = 1")
    return (int(str(rows[0][0])), str(rows[0][1])) if rows else None


def await_embedder(connection: apsw.Connection, identity: str) -> int:
    """Begin to make the vectors of an embedder: every unit waits for one. The first embedder
    answers at once, with what it has. Runs inside a transaction."""
    first = live_embedder(connection) is None
    run(
        connection,
        "DELETE FROM derived_unembedded WHERE embedder IN"
        " (SELECT id FROM derived_embedders WHERE live = 0)",
    )
    _forget_embedders(connection, "live = 0")
    rows = run(
        connection,
        "INSERT INTO derived_embedders (identity, live) VALUES (?, ?) RETURNING id",
        [identity, int(first)],
    )
    number = int(str(rows[0][0]))
    run(
        connection,
        "INSERT INTO derived_unembedded SELECT ?, id FROM derived_units",
        [number],
    )
    return number


def go_live(connection: apsw.Connection, embedder: int) -> None:
    """Let the vectors of an embedder answer, and drop all others. Runs inside a transaction."""
    run(connection, "UPDATE derived_embedders SET live = (id = ?)", [embedder])
    _forget_embedders(connection, "live = 0")


class Waiting(NamedTuple):
    """A unit that waits for its vectors: its owner is a message or a record."""

    unit: int
    owner: str
    is_turn: bool
    parts: int


def waiting(connection: apsw.Connection, embedder: int, limit: int) -> list[Waiting]:
    """Units that wait for their vectors, the newest first."""
    rows = run(
        connection,
        "SELECT w.unit, u.owner, u.kind, u.parts FROM derived_unembedded w"
        " LEFT JOIN derived_units u ON u.id = w.unit"
        " WHERE w.embedder = ? ORDER BY w.unit DESC LIMIT ?",
        [embedder, limit],
    )
    return [
        Waiting(int(str(unit)), str(owner), kind == "turn", int(str(parts or 0)))
        for unit, owner, kind, parts in rows
    ]


def count_waiting(connection: apsw.Connection, embedder: int) -> int:
    """How many units wait."""
    sql = "SELECT count(*) FROM derived_unembedded WHERE embedder = ?"
    return int(str(run(connection, sql, [embedder])[0][0]))


class Embedded(NamedTuple):
    """A unit's rows, one for each part, and the ID of the text that they were made from."""

    unit: int
    owner: str
    rows: Sequence[bytes]


def put_in_vectors(connection: apsw.Connection, embedder: int, made: Sequence[Embedded]) -> None:
    """Keep the rows of units. Those that went meanwhile are left out. Runs inside a transaction."""
    standing = _standing(connection, [one.unit for one in made])
    signs: dict[tuple[int, int], list[tuple[int, bytes]]] = defaultdict(list)
    for unit, owner, rows in made:
        done = run(
            connection,
            "DELETE FROM derived_unembedded WHERE embedder = ? AND unit = ? RETURNING unit",
            [embedder, unit],
        )
        shelf, known = standing.get(unit, (0, ""))
        if not done or known != owner or not any(rows):
            continue
        run(
            connection,
            "INSERT OR REPLACE INTO derived_vectors VALUES (?, ?, ?)",
            [embedder, unit, b"".join(rows)],
        )
        for part, row in enumerate(rows):
            if row:
                signs[shelf, block_of(unit)].append((offset_of(unit, part), code(row)))
    for (shelf, block), found in signs.items():
        _put_in_signs(connection, (embedder, shelf, block), found)


def inherit_vectors(connection: apsw.Connection, shelf: int, owners: Sequence[str]) -> None:
    """Give units on a shelf that is being built the vectors that their texts have on another one,
    so that none is paid for twice. Runs inside a transaction."""
    for embedder, identity in run(connection, "SELECT id, identity FROM derived_embedders"):
        width = str(identity).partition("@")[0].rpartition(":")[2]
        made: list[Embedded] = []
        for owner in owners if width.isdecimal() and int(width) else ():
            for unit, parts, data in run(
                connection,
                "SELECT n.id, n.parts, v.data FROM derived_units n"
                " JOIN derived_units o ON o.owner = n.owner AND o.shelf <> n.shelf"
                " JOIN derived_vectors v ON v.embedder = ? AND v.unit = o.id"
                " WHERE n.owner = ? AND n.shelf = ?",
                [embedder, owner, shelf],
            ):
                size = int(width)
                if isinstance(data, bytes) and len(data) == size * int(str(parts)):
                    rows = [data[at : at + size] for at in range(0, len(data), size)]
                    made.append(Embedded(int(str(unit)), owner, rows))
        put_in_vectors(connection, int(str(embedder)), made)


def take_out_vectors(connection: apsw.Connection, shelf: int, units: Sequence[int]) -> None:
    """Take units' vectors out, and the signs. Runs inside a transaction."""
    gone: dict[tuple[int, int, int], set[int]] = defaultdict(set)
    for unit in units:
        run(
            connection,
            "DELETE FROM derived_unembedded WHERE unit = ? AND embedder IN"
            " (SELECT id FROM derived_embedders)",
            [unit],
        )
        rows = run(
            connection,
            "DELETE FROM derived_vectors WHERE unit = ? AND embedder IN"
            " (SELECT id FROM derived_embedders) RETURNING embedder",
            [unit],
        )
        for (embedder,) in rows:
            gone[int(str(embedder)), shelf, block_of(unit)].add(unit)
    # A block has the signs of many units, and is written once for all of them.
    for key, taken in gone.items():
        places, codes, width = _signs(connection, key)
        kept = [at for at, place in enumerate(places) if unit_at(key[2], place) not in taken]
        _write_signs(
            connection,
            key,
            [places[at] for at in kept],
            b"".join(codes[at * width : (at + 1) * width] for at in kept),
        )


def rows_of(
    connection: apsw.Connection, embedder: int, units: Collection[int], width: int
) -> dict[int, Sequence[bytes]]:
    """The rows of these units, one for each part."""
    found: dict[int, Sequence[bytes]] = {}
    numbers = list(units)
    for start in range(0, len(numbers), _AT_ONCE):
        some = numbers[start : start + _AT_ONCE]
        places = ", ".join("?" * len(some))
        for unit, data in run(
            connection,
            f"SELECT unit, data FROM derived_vectors WHERE embedder = ? AND unit IN ({places})",
            [embedder, *some],
        ):
            # What is half written or of another width is no vector.
            if isinstance(data, bytes) and width and not len(data) % width:
                found[int(str(unit))] = [data[at : at + width] for at in range(0, len(data), width)]
    return found


def near(
    connection: apsw.Connection, embedder: int, shelf: int, row: bytes, limit: int
) -> list[int]:
    """The units whose signs are nearest to those of a vector, the nearest first."""
    wanted = code(row)
    found: list[tuple[int, int]] = []
    for block, places, codes in run(
        connection,
        "SELECT block, places, codes FROM derived_signs WHERE embedder = ? AND shelf = ?",
        [embedder, shelf],
    ):
        offsets, known = _read_signs(places, codes)
        if len(known) != len(offsets) * len(wanted):
            continue
        found += [
            (distance, unit_at(int(str(block)), offsets[at]))
            for at, distance in nearest(wanted, known, limit)
        ]
    return list(dict.fromkeys(unit for _, unit in sorted(found)[:limit]))


def _forget_embedders(connection: apsw.Connection, where: str) -> None:
    for table in ("derived_vectors", "derived_signs", "derived_unembedded"):
        run(
            connection,
            f"DELETE FROM {table} WHERE embedder IN"
            f" (SELECT id FROM derived_embedders WHERE {where})",
        )
    run(connection, f"DELETE FROM derived_embedders WHERE {where}")


def _standing(connection: apsw.Connection, units: Sequence[int]) -> dict[int, tuple[int, str]]:
    """The shelf and the owner of units."""
    found: dict[int, tuple[int, str]] = {}
    for start in range(0, len(units), _AT_ONCE):
        some = units[start : start + _AT_ONCE]
        places = ", ".join("?" * len(some))
        sql = f"SELECT id, shelf, owner FROM derived_units WHERE id IN ({places})"
        for unit, shelf, owner in run(connection, sql, some):
            found[int(str(unit))] = (int(str(shelf)), str(owner))
    return found


def _signs(connection: apsw.Connection, key: tuple[int, int, int]) -> tuple[list[int], bytes, int]:
    rows = run(
        connection,
        "SELECT places, codes FROM derived_signs WHERE embedder = ? AND shelf = ? AND block = ?",
        key,
    )
    if not rows:
        return [], b"", 0
    offsets, codes = _read_signs(*rows[0])
    return list(offsets), codes, len(codes) // len(offsets) if offsets else 0


def _read_signs(places: object, codes: object) -> tuple[Sequence[int], bytes]:
    """The offsets and codes of a block; none where they don't belong together."""
    if not isinstance(places, bytes) or not isinstance(codes, bytes) or len(places) % 2:
        return [], b""
    offsets = array("H", places)
    return (offsets, codes) if offsets and not len(codes) % len(offsets) else ([], b"")


def _put_in_signs(
    connection: apsw.Connection, key: tuple[int, int, int], new: Sequence[tuple[int, bytes]]
) -> None:
    places, codes, _ = _signs(connection, key)
    _write_signs(
        connection,
        key,
        [*places, *(place for place, _ in new)],
        codes + b"".join(one for _, one in new),
    )


def _write_signs(
    connection: apsw.Connection, key: tuple[int, int, int], places: Sequence[int], codes: bytes
) -> None:
    if places:
        run(
            connection,
            "INSERT OR REPLACE INTO derived_signs VALUES (?, ?, ?, ?, ?)",
            [*key, array("H", places).tobytes(), codes],
        )
    else:
        run(
            connection,
            "DELETE FROM derived_signs WHERE embedder = ? AND shelf = ? AND block = ?",
            key,
        )

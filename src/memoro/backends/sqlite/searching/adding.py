"""Putting units on a shelf."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import NamedTuple

import apsw

from memoro.backends.sqlite.database import run
from memoro.memory.recall.entries import Entry, entry
from memoro.memory.recall.finding import to_micros
from memoro.memory.recall.postings import block_of, encoded, merged, offset_of

FRESH_UNITS = 128
"""How many units wait to be put among the places together: each of those writes anew what it
touches, which is much for one unit and little for many."""

_STEM, _CODE, _FIRST_CODE = "\x1f", "\x1e", 0x100
"""How an entry that waits is written: marks before a stem and its code, which is one character."""

_APART_MICROSECONDS = 3_600_000_000
"""What is said an hour later is not said in answer."""

_APART_UNITS = 2
"""Numbers at the end of each span that stay free: as far as words count for turns beside."""

_SMALLEST_SPAN = 32
_LARGEST_SPAN = 256

Places = Mapping[tuple[str, int], list[tuple[int, int]]]


class NewUnit(NamedTuple):
    """A text to be found: the ID of its message or record, and what ranking asks of it."""

    owner: str
    kind: str
    scope: str
    at: datetime
    text: str
    session: str | None = None
    role: str = ""
    speaker: str | None = None
    flags: int = 0


def add(connection: apsw.Connection, shelf: int, new: Sequence[NewUnit]) -> None:
    """Put units on a shelf, those of a session in their order. Runs inside a transaction."""
    made: list[tuple[int, Entry]] = []
    for session, units in groupby(new, lambda unit: unit.session):
        made += _add_together(connection, shelf, session, list(units))
    run(
        connection,
        "UPDATE derived_shelves SET units = units + ?, parts = parts + ?, tokens = tokens + ?"
        " WHERE id = ?",
        [
            len(made),
            sum(len(one.parts) for _, one in made),
            sum(one.length for _, one in made),
            shelf,
        ],
    )
    _await_vectors(connection, [unit for unit, _ in made])
    if len(made) >= FRESH_UNITS // 2:
        put_in_place(connection, shelf, made)
    else:
        _set_down(connection, shelf, made)


def put_in_place(
    connection: apsw.Connection, shelf: int, made: Sequence[tuple[int, Entry]]
) -> None:
    """Put entries among the places of their stems."""
    places: dict[tuple[str, int], list[tuple[int, int]]] = defaultdict(list)
    for unit, one in made:
        block = block_of(unit)
        for number, part in enumerate(one.parts):
            offset = offset_of(unit, number)
            for stem, code in part.items():
                places[stem, block].append((offset, code))
    for (stem, block), found in sorted(places.items()):
        key = (shelf, stem, block)
        rows = run(
            connection,
            "SELECT data FROM derived_places WHERE shelf = ? AND stem = ? AND block = ?",
            key,
        )
        known = rows[0][0] if rows else None
        data = merged(known, found) if isinstance(known, bytes) else encoded(found)
        run(connection, "INSERT OR REPLACE INTO derived_places VALUES (?, ?, ?, ?)", [*key, data])


def settle_fresh(connection: apsw.Connection, shelf: int) -> None:
    """Put what waits among the places."""
    rows = run(connection, "SELECT unit, stems FROM derived_fresh WHERE shelf = ?", [shelf])
    waiting = [(int(str(unit)), Entry(read_stems(str(stems)), 0)) for unit, stems in rows]
    put_in_place(connection, shelf, waiting)
    run(connection, "DELETE FROM derived_fresh WHERE shelf = ?", [shelf])


def read_stems(text: str) -> tuple[Mapping[str, int], ...]:
    """The parts of an entry that waits, as `_set_down` wrote them."""
    parts: list[Mapping[str, int]] = []
    for line in text.split("\n") if text else ():
        words = line.split(_STEM)[1:]
        parts.append({word[:-2]: code_at(word, len(word) - 1) for word in words})
    return tuple(parts)


def waiting_key(stem: str) -> str:
    """What stands before a stem's code in an entry that waits."""
    return f"{_STEM}{stem}{_CODE}"


def code_at(text: str, at: int) -> int:
    """The code that is written there."""
    return ord(text[at]) - _FIRST_CODE


def _set_down(connection: apsw.Connection, shelf: int, made: Sequence[tuple[int, Entry]]) -> None:
    for unit, one in made:
        # Each stem is found by the marks around it, without taking the entry apart.
        stems = "\n".join(
            "".join(f"{_STEM}{stem}{_CODE}{chr(code + _FIRST_CODE)}" for stem, code in part.items())
            for part in one.parts
        )
        run(connection, "INSERT INTO derived_fresh VALUES (?, ?, ?)", [shelf, unit, stems])
    ((waiting,),) = run(connection, "SELECT count(*) FROM derived_fresh WHERE shelf = ?", [shelf])
    if int(str(waiting)) >= FRESH_UNITS:
        settle_fresh(connection, shelf)


def _add_together(
    connection: apsw.Connection, shelf: int, session: str | None, units: Sequence[NewUnit]
) -> list[tuple[int, Entry]]:
    group = None if session is None else _group(connection, shelf, session)
    numbers = _numbers(connection, shelf, group, [to_micros(unit.at) for unit in units])
    made: list[tuple[int, Entry]] = []
    rows: list[tuple[object, ...]] = []
    for unit, (number, first, size) in zip(units, numbers, strict=True):
        found = entry(unit.text)
        made.append((number, found))
        rows.append(
            (
                number,
                shelf,
                unit.owner,
                unit.kind,
                unit.scope,
                to_micros(unit.at),
                group,
                number if group is None else first,
                1 if group is None else size,
                unit.role,
                unit.speaker,
                unit.flags,
                found.length,
                len(found.parts),
            )
        )
    connection.executemany(
        f"INSERT INTO derived_units VALUES ({', '.join('?' * 14)})",
        rows,  # pyright: ignore[reportArgumentType]
    )
    if group is not None:
        tokens = sum(one.length for _, one in made)
        run(
            connection,
            "UPDATE derived_sessions SET tokens = tokens + ? WHERE id = ?",
            [tokens, group],
        )
    return made


def _group(connection: apsw.Connection, shelf: int, session: str) -> int:
    key = (shelf, session)
    rows = run(connection, "SELECT id FROM derived_sessions WHERE shelf = ? AND name = ?", key)
    if not rows:
        rows = run(
            connection,
            "INSERT INTO derived_sessions (shelf, name) VALUES (?, ?) RETURNING id",
            key,
        )
        run(connection, "UPDATE derived_shelves SET groups = groups + 1 WHERE id = ?", [shelf])
    return int(str(rows[0][0]))


def _numbers(
    connection: apsw.Connection, shelf: int, group: int | None, times: Sequence[int]
) -> list[tuple[int, int, int]]:
    """A number for each new unit, and the span that it lies in (first and size)."""
    found: list[tuple[int, int, int]] = []
    span = _last_span(connection, shelf, group)
    for index, at in enumerate(times):
        is_apart = span is not None and _is_apart(group, span[3], at)
        if span is None or span[2] >= span[1] - _APART_UNITS or is_apart:
            _note(connection, span)
            span = _new_span(connection, shelf, group, len(times) - index, span, is_apart)
        first, size, used, _ = span
        found.append((first + used, first, size))
        span = (first, size, used + 1, at)
    _note(connection, span)
    return found


def _is_apart(group: int | None, before: int, at: int) -> bool:
    return group is not None and abs(at - before) > _APART_MICROSECONDS


def _last_span(
    connection: apsw.Connection, shelf: int, group: int | None
) -> tuple[int, int, int, int] | None:
    rows = run(
        connection,
        "SELECT first, size, used, latest FROM derived_spans WHERE session IS ? AND shelf = ?"
        " ORDER BY first DESC LIMIT 1",
        [group, shelf],
    )
    if not rows:
        return None
    first, size, used, latest = (int(str(value)) for value in rows[0])
    return first, size, used, latest


def _new_span(
    connection: apsw.Connection,
    shelf: int,
    group: int | None,
    wanted: int,
    before: tuple[int, int, int, int] | None,
    is_apart: bool,
) -> tuple[int, int, int, int]:
    least = 4 if wanted > 1 else _SMALLEST_SPAN
    follows = None
    if group is None:
        least = _LARGEST_SPAN
    elif before is not None and before[2] >= before[1] - _APART_UNITS and not is_apart:
        least, follows = _LARGEST_SPAN, before[0] + before[2] - 1
    # A power of two at a multiple of itself never lies across two blocks.
    size = min(_LARGEST_SPAN, max(least, 1 << (wanted + _APART_UNITS - 1).bit_length()))
    ((end,),) = run(
        connection,
        "SELECT max(coalesce((SELECT first + size FROM derived_spans ORDER BY first DESC LIMIT 1),"
        " 0), coalesce((SELECT max(id) + 1 FROM derived_units), 0))",
    )
    first = -(-int(str(end)) // size) * size
    run(
        connection,
        "INSERT INTO derived_spans VALUES (?, ?, 0, 0, ?, ?, ?)",
        [first, size, shelf, group, follows],
    )
    return first, size, 0, 0


def _note(connection: apsw.Connection, span: tuple[int, int, int, int] | None) -> None:
    if span is not None:
        first, _, used, latest = span
        run(
            connection,
            "UPDATE derived_spans SET used = ?, latest = ? WHERE first = ?",
            [used, latest, first],
        )


def _await_vectors(connection: apsw.Connection, units: Sequence[int]) -> None:
    embedders = run(connection, "SELECT id FROM derived_embedders")
    for (embedder,) in embedders:
        connection.executemany(
            "INSERT INTO derived_unembedded VALUES (?, ?)",
            [(embedder, unit) for unit in units],  # pyright: ignore[reportArgumentType]
        )

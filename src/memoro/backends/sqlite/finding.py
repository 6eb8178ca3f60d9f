"""Finding records through the index, without reading all of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

import apsw

from memoro.backends.sqlite.database import run, writing
from memoro.backends.sqlite.indexing import is_fresh, make, make_apart
from memoro.backends.sqlite.rows import COLUMNS, to_record, to_text
from memoro.memory.records import Record

_RARE_WORDS = 8
"""How many words of a statement are looked up: the rarest say most."""

_MOST_OF_A_WORD = 2_000
"""A word that more records have than this says nothing; it is looked up only if all are such."""

_MOST_LOOKED_AT = 1_000
"""How many records of the rarest words are weighed against each other, words beyond left out."""

_RECORD = ", ".join(f"r.{name}" for name in COLUMNS.split(", "))
_BY_ID = "r.id = n.name"
_BY_KEY = (
    "r.kind = CASE n.kind WHEN 'topic' THEN 'topic' WHEN 'project' THEN 'work' END"
    " AND r.scope = 'global' AND r.key = substr(n.name, instr(n.name, ':') + 1)"
)
_FROM = "FROM derived_nodes n JOIN records r ON r.id = n.name"


def ready(connection: apsw.Connection) -> None:
    """See to it that the index is that of the records; one that can't be written, or is locked
    for long, gets one in memory."""
    if is_fresh(connection):
        return
    if connection.in_transaction:
        make(connection)
        return
    try:
        with writing(connection):
            if not is_fresh(connection):
                make(connection)
    except (apsw.ReadOnlyError, apsw.BusyError):
        make_apart(connection)


def alike(
    connection: apsw.Connection, kind: str, scope: str, words: Collection[str], limit: int
) -> list[Record]:
    """See `memoro.memory.store.Reader`."""
    ready(connection)
    where = "n.kind = ? AND n.scope = ? AND n.strength IS NOT NULL"
    return _sharing(connection, words, _BY_ID, where, [kind, scope], limit)


def about(connection: apsw.Connection, words: Collection[str], limit: int) -> list[Record]:
    """See `memoro.memory.store.Reader`."""
    ready(connection)
    # A shared node's name is no record's ID: topics and projects are found by what their key is.
    return _sharing(connection, words, f"({_BY_ID} OR {_BY_KEY})", "n.records > 0", [], limit)


def _sharing(
    connection: apsw.Connection,
    words: Collection[str],
    join: str,
    where: str,
    values: Sequence[object],
    limit: int,
) -> list[Record]:
    counted = sorted((_count(connection, word), word) for word in words)
    known = [(count, word) for count, word in counted if count]
    telling = [one for one in known if one[0] <= _MOST_OF_A_WORD] or known[:1]
    rare: list[str] = []
    looked_at = 0
    for count, word in telling[:_RARE_WORDS]:
        if not rare or looked_at + count <= _MOST_LOOKED_AT:
            rare.append(word)
            looked_at += count
    if not rare:
        return []
    places = ", ".join("?" * len(rare))
    rows = run(
        connection,
        f"SELECT {_RECORD}, count(*) AS shared FROM derived_words w"
        # CROSS keeps the order: the planner takes a scope to be smaller than a word's records.
        f" CROSS JOIN derived_nodes n ON n.id = w.node CROSS JOIN records r ON {join}"
        f" WHERE w.word IN ({places}) AND {where}"
        " GROUP BY n.id ORDER BY shared DESC, n.strength DESC, n.name LIMIT ?",
        [*rare, *values, limit],
    )
    return [to_record(row[:-1]) for row in rows]


def weakest(
    connection: apsw.Connection,
    kind: str,
    scope: str | None,
    limit: int | None,
    below: float | None,
) -> list[Record]:
    """See `memoro.memory.store.Reader`."""
    ready(connection)
    where, values = "n.kind = ? AND n.strength IS NOT NULL", [kind]
    if scope is not None:
        where, values = f"{where} AND n.scope = ?", [*values, scope]
    if below is not None:
        where, values = f"{where} AND n.strength < ?", [*values, below]
    return _records(connection, f"{where} ORDER BY n.strength, n.name", values, limit)


def strongest(
    connection: apsw.Connection,
    kind: str,
    scopes: Collection[str] | None,
    label: str | None,
    limit: int | None,
) -> list[Record]:
    """See `memoro.memory.store.Reader`."""
    ready(connection)
    where, values = "n.kind = ? AND n.strength IS NOT NULL", [kind]
    if label is not None:
        where, values = f"{where} AND n.label = ?", [*values, label]
    order = " ORDER BY n.strength DESC, n.name"
    if scopes is None:
        return _records(connection, where + order, values, limit)
    # One walk along the index for each scope, rather than sorting what all of them have.
    found = [
        one
        for scope in scopes
        for one in _ordered(connection, f"{where} AND n.scope = ?{order}", [*values, scope], limit)
    ]
    found.sort(key=lambda one: (-one[0], one[1].id))
    return [record for _, record in found[:limit]]


def current(connection: apsw.Connection, kind: str, scope: str | None) -> int:
    """See `memoro.memory.store.Reader`."""
    ready(connection)
    where, values = "kind = ? AND strength IS NOT NULL", [kind]
    if scope is not None:
        where, values = f"{where} AND scope = ?", [*values, scope]
    ((count,),) = run(connection, f"SELECT count(*) FROM derived_nodes WHERE {where}", values)
    return int(str(count))


def scopes(connection: apsw.Connection, kind: str) -> list[str]:
    """See `memoro.memory.store.Reader`."""
    ready(connection)
    found: list[str] = []
    # One step along the index for each scope, not one for each record.
    sql = (
        "SELECT min(scope) FROM derived_nodes WHERE kind = ? AND scope > ? AND strength IS NOT NULL"
    )
    while (scope := run(connection, sql, [kind, found[-1] if found else ""])[0][0]) is not None:
        found.append(str(scope))
    return found


def between(
    connection: apsw.Connection,
    kinds: Collection[str],
    scopes: Collection[str] | None,
    window: tuple[datetime | None, datetime | None],
    limit: int | None,
) -> list[Record]:
    """See `memoro.memory.store.Reader`."""
    ready(connection)
    since, until = (None if at is None else to_text(at) for at in window)
    found: list[Record] = []
    for kind in kinds:
        where, values = "n.kind = ? AND n.happened IS NOT NULL", [kind]
        if since is not None:
            where, values = f"{where} AND n.happened >= ?", [*values, since]
        if until is not None:
            where, values = f"{where} AND n.happened < ?", [*values, until]
        if scopes is not None:
            places = ", ".join("?" * len(scopes))
            where, values = f"{where} AND n.scope IN ({places})", [*values, *scopes]
        order = " ORDER BY n.happened DESC, n.name"
        found += _records(connection, where + order, values, limit)
    found.sort(key=_when, reverse=True)
    return found[:limit]


def _when(record: Record) -> tuple[datetime, str]:
    return record.valid_from or record.created_at, record.id


def _count(connection: apsw.Connection, word: str) -> int:
    rows = run(
        connection,
        "SELECT count(*) FROM (SELECT 1 FROM derived_words WHERE word = ? LIMIT ?)",
        [word, _MOST_OF_A_WORD + 1],
    )
    return int(str(rows[0][0]))


def _records(
    connection: apsw.Connection, rest: str, values: Sequence[object], limit: int | None
) -> list[Record]:
    return [record for _, record in _ordered(connection, rest, values, limit)]


def _ordered(
    connection: apsw.Connection, rest: str, values: Sequence[object], limit: int | None
) -> list[tuple[float, Record]]:
    sql = f"SELECT coalesce(n.strength, 0), {_RECORD} {_FROM} WHERE {rest} LIMIT ?"
    rows = run(connection, sql, [*values, -1 if limit is None else limit])
    return [(float(str(row[0])), to_record(row[1:])) for row in rows]

"""All that a store holds as JSON values, one after the other, and back into an empty store."""

from __future__ import annotations

import json
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import apsw

from memoro.backends.sqlite.database import run, writing
from memoro.backends.sqlite.rows import (
    COLUMNS,
    from_json,
    to_json,
    to_record,
    to_row,
    to_text,
    to_time,
)
from memoro.backends.sqlite.store import SqliteStore
from memoro.memory.plain.form import Problem, from_plain, to_plain
from memoro.memory.plain.values import is_id
from memoro.memory.records import Record
from memoro.memory.store import Origin

CARRIED = "import memoro"
"""What the log calls the coming in of an export. It is no part of an export itself: everything that
it brought has its own history there."""


class Chosen(NamedTuple):
    """What is carried: records of these kinds and scopes, changed since a time, with their history;
    None means all. `conversations` says whether these come, too."""

    kinds: Collection[str] | None = None
    scopes: Collection[str] | None = None
    since: datetime | None = None
    conversations: bool = True


class _Table(NamedTuple):
    """A table that is carried as it is: how its lines are called, and what orders them."""

    type: str
    name: str
    columns: tuple[str, ...]
    order: str


_SESSIONS = _Table(
    "session", "sessions", ("id", "title", "scope", "created_at", "updated_at"), "created_at, id"
)
_RUNS = _Table(
    "run",
    "runs",
    (
        *("id", "session", "kind", "state", "model", "started_at", "ended_at"),
        *("input_tokens", "output_tokens", "cached_tokens", "error", "blocks"),
    ),
    "started_at, id",
)
_MESSAGES = _Table(
    "message",
    "messages",
    ("id", "session", "run", "role", "text", "at", "partial", "speaker", "ref"),
    "seq",
)
_CALLS = _Table(
    "tool_call",
    "tool_calls",
    ("run", "tool", "arguments", "outcome", "detail", "requested_at", "finished_at"),
    "id",
)
_USES = _Table("use", "accesses", ("record", "at", "run", "how", "score", "bytes"), "seq")
_COSTS = _Table(
    "embedding_cost", "embedding_costs", ("day", "embedder", "texts", "tokens"), "day, embedder"
)
_TABLES = (_SESSIONS, _RUNS, _MESSAGES, _CALLS, _USES, _COSTS)
_BY_TYPE = {table.type: table for table in _TABLES}
TYPES = ("record", "change", *_BY_TYPE)
"""The types of lines, in their order."""


def carried(store: SqliteStore, chosen: Chosen) -> Generator[dict[str, object]]:
    """What a store holds, as it is at one moment."""
    with store.guarded():
        connection = store.connection
        run(connection, "BEGIN")
        try:
            yield from _records(connection, chosen)
            yield from _changes(connection, chosen)
            if chosen.conversations:
                for table in _TABLES:
                    yield from _rows(connection, table)
        finally:
            if connection.in_transaction:
                run(connection, "COMMIT")


def _records(connection: apsw.Connection, chosen: Chosen) -> Iterator[dict[str, object]]:
    sql = f"SELECT {COLUMNS} FROM records ORDER BY kind, scope, id"
    for row in connection.execute(sql):
        record = to_record(row)
        if _is_chosen(record.kind, record.scope, chosen) and (
            chosen.since is None or record.updated_at >= chosen.since
        ):
            yield {"type": "record", **to_plain(record)}


def _is_chosen(kind: str, scope: str, chosen: Chosen) -> bool:
    return (chosen.kinds is None or kind in chosen.kinds) and (
        chosen.scopes is None or scope in chosen.scopes
    )


def _changes(connection: apsw.Connection, chosen: Chosen) -> Iterator[dict[str, object]]:
    own = _own(connection)
    since = None if chosen.since is None else to_text(chosen.since)
    for number, at, action, writer, in_run, message, undoes, final in connection.execute(
        "SELECT id, at, action, writer, run, message, undoes, final FROM change_sets"
        " WHERE ?1 IS NULL OR at >= ?1 ORDER BY id",
        [since],
    ):
        if number in own:
            continue
        records = [
            _without_nulls(
                {
                    "id": record,
                    "kind": kind,
                    "scope": scope,
                    "key": key,
                    "before": _plain(before),
                    "after": _plain(after),
                }
            )
            for record, kind, scope, key, before, after in run(
                connection,
                "SELECT record_id, kind, scope, key, before, after FROM changes"
                " WHERE change_set = ? ORDER BY position",
                [number],
            )
            if _is_chosen(str(kind), str(scope), chosen)
        ]
        if records or _is_all(chosen):
            head = {"type": "change", "id": number, "at": at, "action": action, "writer": writer}
            told = {"run": in_run, "message": message, "undoes": undoes, "final": final or None}
            yield {**head, **_without_nulls(told), "records": records}


def _is_all(chosen: Chosen) -> bool:
    return chosen.kinds is None and chosen.scopes is None


def _own(connection: apsw.Connection) -> set[int]:
    """The entries that say how an export came in, and those that took one back."""
    found: set[int] = set()
    rows = run(connection, "SELECT id, action, undoes FROM change_sets ORDER BY id")
    for number, action, undoes in rows:
        if action == CARRIED or (undoes is not None and undoes in found):
            found.add(int(str(number)))
    return found


def _plain(text: object) -> dict[str, object] | None:
    record = from_json(None if text is None else str(text))
    return None if record is None else to_plain(record)


def _rows(connection: apsw.Connection, table: _Table) -> Iterator[dict[str, object]]:
    columns = ", ".join(table.columns)
    for row in connection.execute(f"SELECT {columns} FROM {table.name} ORDER BY {table.order}"):
        yield {"type": table.type, **_without_nulls(dict(zip(table.columns, row, strict=True)))}


def _without_nulls(values: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in values.items() if value is not None}


class Rejected(NamedTuple):
    """A line that could not be taken, by its place, and why."""

    place: str
    why: str


class Restored(NamedTuple):
    """What came in, by type of line; the log's entry of that, None where nothing came."""

    counts: Mapping[str, int]
    rejected: Sequence[Rejected]
    change: int | None


def is_empty(store: SqliteStore) -> bool:
    """Whether a store holds nothing at all, and has no past."""
    sql = (
        "SELECT NOT EXISTS (SELECT 1 FROM records) AND NOT EXISTS (SELECT 1 FROM change_sets)"
        " AND NOT EXISTS (SELECT 1 FROM sessions)"
    )
    with store.guarded():
        return bool(run(store.connection, sql)[0][0])


def restore(
    store: SqliteStore, lines: Iterable[tuple[str, Mapping[str, Any]]], origin: Origin
) -> Restored | None:
    """Bring the lines of an export, with their places, into an empty store, as one change; None
    where it is empty no more. What undoes that takes the records back; conversations stay."""
    counts: dict[str, int] = {}
    rejected: list[Rejected] = []
    records: list[Record] = []
    with store.guarded(), writing(store.connection):
        if not is_empty(store):
            return None
        for place, line in lines:
            why = _taken(store.connection, line, records)
            if why:
                rejected.append(Rejected(place, why))
            else:
                counts[str(line["type"])] = counts.get(str(line["type"]), 0) + 1
        change = _noted(store.connection, records, origin) if counts else None
    store.wrote = True
    return Restored(counts, rejected, change)


def _taken(connection: apsw.Connection, line: Mapping[str, Any], records: list[Record]) -> str:
    """Write a line; gives why it could not be."""
    kind = line.get("type")
    try:
        if kind == "record":
            return _put_record(connection, line, records)
        if kind == "change":
            with connection:
                return _put_change(connection, line)
        table = _BY_TYPE.get(str(kind))
        if table is None:
            return f"lines of type {kind!r} are not known"
        values = [_read(name, line.get(name)) for name in table.columns]
        # What is missing gets the default that the table has for it.
        known = [at for at, value in enumerate(values) if value is not None]
        columns = ", ".join(table.columns[at] for at in known)
        places = ", ".join("?" * len(known))
        sql = f"INSERT INTO {table.name} ({columns}) VALUES ({places})"
        run(connection, sql, [values[at] for at in known])
    except (
        apsw.ConstraintError,
        apsw.MismatchError,
        TypeError,
        ValueError,
        OverflowError,
    ) as error:
        return f"it does not fit: {error}"
    return ""


def _read(name: str, value: object) -> object:
    """A column's value; a time in the one form in which times are kept."""
    if value is not None and (name == "at" or name.endswith("_at")):
        return to_text(to_time(str(value)))
    # The ID of a conversation becomes the name of a file.
    if name in ("id", "session") and not (isinstance(value, str) and is_id(value)):
        raise ValueError(f"{name} is no ID")
    if name == "blocks" and not _are_blocks(value):
        raise ValueError("blocks are no JSON object of numbers")
    return value


def _are_blocks(value: object) -> bool:
    found = json.loads(str(value))
    return isinstance(found, dict) and all(isinstance(one, int) for one in found.values())


def _put_record(connection: apsw.Connection, line: Mapping[str, Any], records: list[Record]) -> str:
    found = from_plain({name: value for name, value in line.items() if name != "type"})
    if isinstance(found, Problem):
        return f"{found.field}: {found.what}" if found.field else found.what
    places = ", ".join("?" * len(Record._fields))
    run(
        connection,
        f"INSERT INTO records ({COLUMNS}) VALUES ({places})",
        list(to_row(found.record)),
    )
    records.append(found.record)
    return ""


def _put_change(connection: apsw.Connection, line: Mapping[str, Any]) -> str:
    logged: list[tuple[Any, ...]] = []
    for position, one in enumerate(line.get("records", ())):
        sides: list[str | None] = []
        for side in ("before", "after"):
            found = None if one.get(side) is None else from_plain(one[side])
            if isinstance(found, Problem):
                return f"{side} of record {position + 1}: {found.field} {found.what}"
            sides.append(None if found is None else to_json(found.record))
        named = (one.get("id"), one.get("kind"), one.get("scope"), one.get("key"))
        logged.append((line.get("id"), position, *named, *sides))
    names = ("id", "at", "action", "writer", "run", "message", "undoes")
    run(
        connection,
        "INSERT INTO change_sets (id, at, action, writer, run, message, undoes, final)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [line.get("id"), *(_read(name, line.get(name)) for name in names[1:]), _final(line)],
    )
    for row in logged:
        run(connection, "INSERT INTO changes VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
    return ""


def _final(line: Mapping[str, Any]) -> int:
    return int(bool(line.get("final")))


def _noted(connection: apsw.Connection, records: Sequence[Record], origin: Origin) -> int:
    rows = run(
        connection,
        "INSERT INTO change_sets (at, action, writer, final) VALUES (?, ?, ?, 0) RETURNING id",
        [to_text(origin.at), CARRIED, origin.writer],
    )
    change = int(str(rows[0][0]))
    connection.executemany(
        "INSERT INTO changes VALUES (?, ?, ?, ?, ?, ?, NULL, ?)",
        (
            (change, position, one.id, one.kind, one.scope, one.key, to_json(one))
            for position, one in enumerate(records)
        ),
    )
    return change


def line_text(values: Mapping[str, object]) -> str:
    """JSON values as a line of an export: no character in it that a terminal or an editor obeys."""
    return json.dumps(values, ensure_ascii=False).translate(_OBEYED) + "\n"


_OBEYED = {
    code: f"\\u{code:04x}" for code in (*range(0x7F, 0xA0), 0x2028, 0x2029, *range(0xD800, 0xE000))
}

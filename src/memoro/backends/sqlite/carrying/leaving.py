"""All that a store holds as JSON values, one after the other."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping
from datetime import datetime
from itertools import groupby
from typing import Any, NamedTuple

import apsw

from memoro.backends.sqlite.carrying.forms import CARRIED, CHANGE, LOGGED, RECORD, TABLES, Table
from memoro.backends.sqlite.database import run
from memoro.backends.sqlite.rows import COLUMNS, from_json, to_record, to_text
from memoro.backends.sqlite.store import SqliteStore
from memoro.memory.plain.form import to_plain
from memoro.memory.records import Record


class Chosen(NamedTuple):
    """What is carried: records of these kinds and scopes, changed since a time, with their history;
    None means all. `conversations` says whether these come, too."""

    kinds: Collection[str] | None = None
    scopes: Collection[str] | None = None
    since: datetime | None = None
    conversations: bool = True


def carried(
    store: SqliteStore,
    chosen: Chosen,
    kinds: Collection[str] = (),
    seen: Callable[[Record, bool], None] | None = None,
) -> Generator[dict[str, object]]:
    """What a store holds, as it is at one moment.

    Args:
        store: the store.
        chosen: what of it.
        kinds: the kinds of records that `seen` is given before the first line comes.
        seen: is given every record of these kinds, chosen or not, with True as it stands, with
            False in each version that the log has.
    """
    with store.guarded():
        connection = store.connection
        run(connection, "BEGIN")
        try:
            if seen is not None:
                for record, stands in _versions(connection, kinds):
                    seen(record, stands)
            yield from _records(connection, chosen)
            yield from _changes(connection, chosen)
            if chosen.conversations:
                for table in TABLES:
                    yield from _rows(connection, table)
        finally:
            if connection.in_transaction:
                run(connection, "COMMIT")


def _versions(connection: apsw.Connection, kinds: Collection[str]) -> Iterator[tuple[Record, bool]]:
    for kind in kinds:
        for row in connection.execute(f"SELECT {COLUMNS} FROM records WHERE kind = ?", [kind]):
            yield to_record(row), True
        sides = "SELECT before, after FROM changes WHERE kind = ?"
        for row in connection.execute(sides, [kind]):
            for side in row:
                record = from_json(None if side is None else str(side))
                if record is not None:
                    yield record, False


def _records(connection: apsw.Connection, chosen: Chosen) -> Iterator[dict[str, object]]:
    sql = f"SELECT {COLUMNS} FROM records ORDER BY kind, scope, id"
    for row in connection.execute(sql):
        record = to_record(row)
        if _is_chosen(record.kind, record.scope, chosen) and (
            chosen.since is None or record.updated_at >= chosen.since
        ):
            yield {"type": RECORD, **to_plain(record)}


def _is_chosen(kind: str, scope: str, chosen: Chosen) -> bool:
    return (chosen.kinds is None or kind in chosen.kinds) and (
        chosen.scopes is None or scope in chosen.scopes
    )


_LOG = (
    "SELECT s.id, s.at, s.action, s.writer, s.run, s.message, s.undoes, s.final,"
    " c.record_id, c.kind, c.scope, c.key, c.before, c.after"
    " FROM change_sets s LEFT JOIN changes c ON c.change_set = s.id"
    " WHERE ?1 IS NULL OR s.at >= ?1 ORDER BY s.id, c.position"
)
_HEAD = 8


def _changes(connection: apsw.Connection, chosen: Chosen) -> Iterator[dict[str, object]]:
    own = _own(connection)
    since = None if chosen.since is None else to_text(chosen.since)
    rows = connection.execute(_LOG, [since])
    for head, entry in groupby(rows, lambda row: row[:_HEAD]):
        if head[0] in own:
            continue
        logged = _logged(head[0], entry, chosen)
        first = next(logged, None)
        if first is None and not _is_all(chosen):
            continue
        number, at, action, writer, in_run, message, undoes, final = head
        yield {
            **{"type": CHANGE, "id": number, "at": at, "action": action, "writer": writer},
            **_without_nulls(
                {"run": in_run, "message": message, "undoes": undoes, "final": final or None}
            ),
        }
        if first is not None:
            yield first
            yield from logged


def _logged(
    number: object, entry: Iterable[tuple[Any, ...]], chosen: Chosen
) -> Iterator[dict[str, object]]:
    for row in entry:
        record, kind, scope, key, before, after = row[_HEAD:]
        # An entry of no record has a row without one.
        if record is not None and _is_chosen(str(kind), str(scope), chosen):
            told = {"key": key, "before": _plain(before), "after": _plain(after)}
            head = {"type": LOGGED, "change": number, "id": record, "kind": kind, "scope": scope}
            yield {**head, **_without_nulls(told)}


def _is_all(chosen: Chosen) -> bool:
    return chosen.kinds is None and chosen.scopes is None


def _own(connection: apsw.Connection) -> set[int]:
    """The entries that say how an export came in, and those that took one back."""
    found: set[int] = set()
    rows = connection.execute("SELECT id, action, undoes FROM change_sets ORDER BY id")
    for number, action, undoes in rows:
        if action == CARRIED or (undoes is not None and undoes in found):
            found.add(int(str(number)))
    return found


def _plain(text: object) -> dict[str, object] | None:
    record = from_json(None if text is None else str(text))
    return None if record is None else to_plain(record)


def _rows(connection: apsw.Connection, table: Table) -> Iterator[dict[str, object]]:
    columns = ", ".join(table.columns)
    for row in connection.execute(f"SELECT {columns} FROM {table.name} ORDER BY {table.order}"):
        yield {"type": table.type, **_without_nulls(dict(zip(table.columns, row, strict=True)))}


def _without_nulls(values: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in values.items() if value is not None}


def line_text(values: Mapping[str, object]) -> str:
    """JSON values as a line of an export: no character in it that a terminal or an editor obeys."""
    text = _ENCODER.encode(values)
    return (text if _IS_OBEYED.search(text) is None else text.translate(_OBEYED)) + "\n"


_ENCODER = json.JSONEncoder(ensure_ascii=False)
_IS_OBEYED = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_OBEYED = {
    code: f"\\u{code:04x}" for code in (*range(0x7F, 0xA0), 0x2028, 0x2029, *range(0xD800, 0xE000))
}

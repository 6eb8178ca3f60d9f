"""Taking everything of a project, of a conversation, or all, out for good; in one transaction."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple, cast

from memoro.backends.sqlite.changing import write_purge
from memoro.backends.sqlite.database import run, writing
from memoro.backends.sqlite.erasures import NAMED
from memoro.backends.sqlite.locks import acquire, release
from memoro.backends.sqlite.rows import COLUMNS, from_json, to_record
from memoro.backends.sqlite.store import SqliteStore
from memoro.memory.records import NOTE, PLACE, Record
from memoro.memory.store import Applied, Origin

_HOLDING = {
    "records": ("id", ("text", "data", "key", "scope", "tags", "superseded_by")),
    "changes": ("record_id", ("before", "after", "key", "scope")),
    "messages": ("id", ("text", "speaker", "ref")),
    "sessions": ("id", ("title", "scope")),
    "runs": ("id", ("error", "model")),
    "tool_calls": ("run", ("arguments", "detail", "tool")),
}
"""What may hold a text of somebody: the tables, the column that names a row, those with texts."""


_NOT_SAID = frozenset(
    {
        *("category", "why", "session", "path", "branch", "tip", "date", "beside", "facts", "at"),
        *("first_seen", "last_seen", "last_active", "confirmed_at", "status", "what", "imported"),
        *("provenance", "held", "field", "conflicts", "conflict_of", "position", "roots"),
    }
)
"""Fields of a record's data that are ours, or of many records."""


class Doomed(NamedTuple):
    """What a purge takes: records, also such as only the log still holds, and conversations; and
    how many of what belongs to the same, by name, stays."""

    records: Sequence[Record]
    sessions: Sequence[str]
    stays: Mapping[str, int] = {}


def of_scope(store: SqliteStore, scope: str, *, everywhere: bool) -> Doomed:
    """All of a scope; its notes and conversations where that is said."""
    with store.guarded():
        found = run(store.connection, "SELECT id FROM sessions WHERE scope = ?", [scope])
        records = _records(store, "scope = ?", [scope], logged="scope = ?")
    sessions = [str(one) for (one,) in found]
    if everywhere:
        return Doomed(records, sessions)
    return _without_notes(records, (), {"conversation": len(sessions)})


def of_session(store: SqliteStore, session: str, *, everywhere: bool) -> Doomed:
    """A conversation, and what was learned from it; notes that were made in it where that is
    said."""
    where = (
        "source_message IN (SELECT id FROM messages WHERE session = ?1)"
        " OR source_run IN (SELECT id FROM runs WHERE session = ?1)"
    )
    with store.guarded():
        records = _records(store, where, [session], logged=_LOGGED_OF_SESSION)
    if everywhere:
        return Doomed(records, [session])
    return _without_notes(records, [session], {})


def _without_notes(
    records: Sequence[Record], sessions: Sequence[str], stays: Mapping[str, int]
) -> Doomed:
    going = [record for record in records if record.kind != NOTE.name]
    staying = {**stays, NOTE.name: len(records) - len(going)}
    return Doomed(going, sessions, {name: count for name, count in staying.items() if count})


def of_all(store: SqliteStore) -> Doomed:
    """Everything."""
    with store.guarded():
        found = run(store.connection, "SELECT id FROM sessions")
        return Doomed(_records(store, "1", [], logged="1"), [str(one) for (one,) in found])


_LOGGED_OF_SESSION = """
EXISTS (SELECT 1 FROM messages WHERE session = ?1
    AND id = json_extract(coalesce(after, before), '$.source_message'))
OR EXISTS (SELECT 1 FROM runs WHERE session = ?1
    AND id = json_extract(coalesce(after, before), '$.source_run'))
"""


def _records(
    store: SqliteStore, where: str, values: Sequence[object], *, logged: str
) -> list[Record]:
    """Records, and those that stand no more, but in the log."""
    sql = f"SELECT {COLUMNS} FROM records WHERE {where} ORDER BY kind, scope, id"
    found = {one.id: one for one in map(to_record, run(store.connection, sql, values))}
    gone = (
        f"SELECT coalesce(after, before) FROM changes WHERE ({logged})"
        " AND record_id NOT IN (SELECT id FROM records)"
        " AND (before IS NOT NULL OR after IS NOT NULL) ORDER BY change_set DESC"
    )
    for (text,) in run(store.connection, gone, values):
        record = from_json(str(text))
        if record is not None:
            found.setdefault(record.id, record)
    return list(found.values())


def texts_of(store: SqliteStore, doomed: Doomed) -> Iterator[str]:
    """Every text that they hold, or held."""
    with store.guarded():
        for record in doomed.records:
            yield from _said(record)
            for sides in run(
                store.connection,
                "SELECT before, after FROM changes WHERE record_id = ?",
                [record.id],
            ):
                for side in sides:
                    known = None if side is None else from_json(str(side))
                    if known is not None:
                        yield from _said(known)
        for session in doomed.sessions:
            for sql in _SAID_IN_SESSION:
                for (text,) in run(store.connection, sql, [session]):
                    yield str(text)
            for (text,) in run(store.connection, _ARGUMENTS_OF_SESSION, [session]):
                yield from _said_in_json(str(text))


_OF_SESSION = "FROM tool_calls WHERE run IN (SELECT id FROM runs WHERE session = ?)"
_ARGUMENTS_OF_SESSION = f"SELECT arguments {_OF_SESSION}"
_SAID_IN_SESSION = (
    "SELECT text FROM messages WHERE session = ?",
    "SELECT title FROM sessions WHERE id = ?",
    "SELECT error FROM runs WHERE session = ? AND error IS NOT NULL",
    f"SELECT detail {_OF_SESSION}",
)


def _said_in_json(text: str) -> list[str]:
    try:
        return list(_strings(json.loads(text)))
    except (ValueError, RecursionError):
        return [text]


def _said(record: Record) -> Iterator[str]:
    """Every text in a record that somebody may have said. The name of a saved fact stays, and so
    does what a place is called as a scope."""
    yield record.text
    yield from record.tags
    if record.key is not None and record.kind not in (*NAMED, PLACE.name):
        yield record.key
    yield from _strings({name: one for name, one in record.data.items() if name not in _NOT_SAID})


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for one in cast("Mapping[str, object]", value).values():
            yield from _strings(one)
    elif isinstance(value, list | tuple):
        for one in cast("Sequence[object]", value):
            yield from _strings(one)


def purge(store: SqliteStore, doomed: Doomed, origin: Origin) -> Applied:
    """Take them out, and clean every file of ours of them; `remains` names those that could not be
    cleaned yet."""
    with store.guarded(), writing(store.connection):
        change = write_purge(store.connection, doomed.records, doomed.sessions, origin)
    store.wrote = True
    remains = store.settled()
    if store.paths is not None:
        for session in doomed.sessions:
            with suppress(FileNotFoundError):
                os.remove(os.path.join(store.paths.sessions, f"{session}.lock"))
    return Applied(change, (), remains)


def keepers(store: SqliteStore, needle: str) -> list[tuple[str, bool]]:
    """What still holds a text by right, by ID, five of a kind at most; and whether that is a
    record, which the plain files have, too."""
    written = json.dumps(needle, ensure_ascii=False)[1:-1]
    with store.guarded():
        found = [
            (str(one), name == "records")
            for name, (key, columns) in _HOLDING.items()
            for (one,) in run(
                store.connection,
                f"SELECT DISTINCT {key} FROM {name} WHERE"
                f" {' OR '.join(f'instr({one}, ?1) OR instr({one}, ?2)' for one in columns)}"
                " LIMIT 5",
                [needle, written],
            )
        ]
    return found


def running(store: SqliteStore, sessions: Collection[str]) -> list[str]:
    """Those of these conversations that are going on right now, as far as the store knows."""
    with store.guarded():
        rows = run(store.connection, "SELECT DISTINCT session FROM runs WHERE state = 'running'")
    said = sorted({str(one) for (one,) in rows} & set(sessions))
    return [one for one in said if _is_held(store, one)]


def _is_held(store: SqliteStore, session: str) -> bool:
    """Whether a process answers in it: one that was killed says so for ever, and holds nothing."""
    path = "" if store.paths is None else os.path.join(store.paths.sessions, f"{session}.lock")
    if not os.path.lexists(path):
        return False
    lock = acquire(path, exclusive=True, wait_seconds=0)
    if lock is not None:
        release(lock)
    return lock is None

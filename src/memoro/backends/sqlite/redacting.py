"""Passages in conversations and notes that are erased, while the rest of what was said stays."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, NamedTuple, cast

import apsw

from memoro.backends.sqlite.changing import next_position, remove_records, write_changes
from memoro.backends.sqlite.database import run
from memoro.backends.sqlite.erasures import PASSAGES, owe
from memoro.backends.sqlite.rows import COLUMNS, to_record
from memoro.backends.sqlite.searching.clearing import remove_sessions
from memoro.backends.sqlite.searching.following import TURNS, add_turns
from memoro.backends.sqlite.searching.shelves import shelves
from memoro.memory.records import DAILY, NOTE, Record, is_unicode
from memoro.memory.store import REDACT, Change, ChangeSet, Origin, Removal

Erase = Callable[[str], str]
"""A text without the passages that have to go."""


class Passage(NamedTuple):
    """Words that stand somewhere, and those that would stand there instead."""

    kind: str
    id: str
    session: str
    before: tuple[str, ...]
    after: tuple[str, ...]


def passages(connection: apsw.Connection, erase: Erase) -> Iterator[Passage]:
    """What is said in conversations, and would be said otherwise."""
    for kind, place in PASSAGES.items():
        rows = connection.execute(
            f"SELECT {place.name}, {place.session}, {', '.join(place.columns)} FROM {place.table}"
        )
        for name, session, *words in rows:
            before = tuple("" if one is None else str(one) for one in words)
            after = tuple(_erased(one, erase) for one in before)
            if after != before:
                yield Passage(kind, str(name), str(session), before, after)


def notes(connection: apsw.Connection, erase: Erase) -> Iterator[tuple[Record, Record]]:
    """The notes that hold such passages, as they are and as they would be."""
    for row in connection.execute(
        f"SELECT {COLUMNS} FROM records WHERE kind IN (?, ?)", [NOTE.name, DAILY.name]
    ):
        note = to_record(row)
        text, data = erase(note.text), _mapped(note.data, erase)
        if (text, data) != (note.text, note.data):
            yield note, note._replace(text=text, data=data, revision=note.revision + 1)


def _erased(text: str, erase: Erase) -> str:
    if text.lstrip()[:1] not in ("{", "["):
        return erase(text)
    try:
        value = json.loads(text)
        mapped = _mapped(value, erase)
        if mapped == value:
            return text
        made = json.dumps(mapped, ensure_ascii=False)
    except (ValueError, RecursionError):
        return erase(text)
    # Half a character, which JSON can name, is no text for the store.
    return made if is_unicode(made) else json.dumps(mapped)


def _mapped(value: Any, erase: Erase) -> Any:
    if isinstance(value, str):
        return erase(value)
    if isinstance(value, dict):
        items = cast("dict[str, Any]", value).items()
        return {erase(name): _mapped(one, erase) for name, one in items}
    if isinstance(value, list):
        return [_mapped(one, erase) for one in cast("list[Any]", value)]
    return value


def remove_everywhere(
    connection: apsw.Connection, wanted: Removal, erase: Erase, origin: Origin
) -> int:
    """Take records out, and what conversations and notes say of them. Runs inside a transaction."""
    gone = {record.id for record in wanted.records}
    pairs = [pair for pair in notes(connection, erase) if pair[0].id not in gone]
    found = list(passages(connection, erase))
    records = [*wanted.records, *(old for old, _ in pairs)]
    change_id = remove_records(connection, wanted.action, records, origin)
    redact(connection, change_id, found)
    if pairs:
        changes = [Change(None, new._replace(updated_at=origin.at)) for _, new in pairs]
        write_changes(connection, ChangeSet(REDACT, changes), origin)
    return change_id


def redact(connection: apsw.Connection, change_id: int, found: Sequence[Passage]) -> None:
    """Put other words in their places, log where, and have them found by these words alone. Runs
    inside a transaction."""
    spoken = {one.session for one in found if one.kind == "message"}
    remove_sessions(connection, spoken)
    first = next_position(connection, change_id)
    for number, passage in enumerate(found, first):
        place = PASSAGES[passage.kind]
        sets = ", ".join(f"{column} = ?" for column in place.columns)
        run(
            connection,
            f"UPDATE {place.table} SET {sets} WHERE {place.name} = ?",
            [*passage.after, passage.id],
        )
        run(
            connection,
            "INSERT INTO changes SELECT ?, ?, ?, ?, scope, NULL, NULL, NULL"
            " FROM sessions WHERE id = ?",
            [change_id, number, passage.id, passage.kind, passage.session],
        )
    owe(connection, [(passage.kind, passage.id) for passage in found])
    _shelve(connection, spoken)


def _shelve(connection: apsw.Connection, sessions: Collection[str]) -> None:
    """Put the turns of conversations back on the shelves that had them."""
    for shelf in shelves(connection):
        if shelf.name != "turn" or not shelf.is_current:
            continue
        for session in sorted(sessions):
            rows = run(
                connection,
                f"{TURNS} WHERE m.session = ? AND m.seq <= ? ORDER BY m.seq",
                [session, shelf.upto],
            )
            add_turns(connection, shelf, rows)

"""Putting on the shelves what is said and learned, in the transaction that stores it."""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from memoro.backends.sqlite.database import run
from memoro.backends.sqlite.rows import to_time
from memoro.backends.sqlite.searching.adding import NewUnit, add
from memoro.backends.sqlite.searching.removing import remove
from memoro.backends.sqlite.searching.shelves import (
    ShelfRow,
    answering,
    go_live,
    make_shelf,
    reached,
    shelves,
)
from memoro.memory.recall.finding import ShelfName
from memoro.memory.recall.searchable import searchable
from memoro.memory.records import SEARCHED, Record
from memoro.memory.store import Change

TURNS = (
    "SELECT m.seq, m.id, s.scope, m.at, m.text, m.session, m.role, m.speaker"
    " FROM messages m JOIN sessions s ON s.id = m.session"
)
"""What a shelf asks of messages, as `add_turns` takes it."""


def open_shelf(connection: apsw.Connection) -> None:
    """Have a shelf for turns before the first one is stored: what is said is put on it at once,
    also while it waits for others."""
    rows = run(connection, "SELECT EXISTS (SELECT 1 FROM messages)")
    _shelf_of(connection, "turn", rows == [(0,)])


def follow_turn(connection: apsw.Connection, message: str) -> None:
    """Put a message on the shelf that was stored in this transaction."""
    ((seq, before),) = run(
        connection,
        "SELECT seq, (SELECT coalesce(max(seq), 0) FROM messages p WHERE p.seq < m.seq)"
        " FROM messages m WHERE id = ?",
        [message],
    )
    shelf = _shelf_of(connection, "turn", int(str(before)) == 0)
    # One of an older recipe is kept up, too: it answers till the new one is there.
    if shelf is not None and shelf.live:
        _follow(connection, shelf, int(str(before)), int(str(seq)))


def follow_turns(connection: apsw.Connection, before: int) -> None:
    """The same for all messages after one, that were stored in this transaction."""
    shelf = _shelf_of(connection, "turn", before == 0)
    ((last,),) = run(connection, "SELECT coalesce(max(seq), 0) FROM messages")
    if shelf is not None and shelf.live and int(str(last)) > before:
        _follow(connection, shelf, before, int(str(last)))


def _follow(connection: apsw.Connection, shelf: ShelfRow, before: int, last: int) -> None:
    """Put messages on a shelf that may be behind: then they are found before those that wait."""
    is_up = shelf.upto >= before
    rows = run(connection, f"{TURNS} WHERE m.seq > ? ORDER BY m.seq", [before])
    if not is_up:
        # The turns of one session stand in their order: no later one comes before those that wait.
        waiting = {str(row[5]) for row in rows if _waits(connection, shelf, str(row[5]), before)}
        rows = [row for row in rows if str(row[5]) not in waiting]
    add_turns(connection, shelf, rows)
    if is_up:
        reached(connection, shelf.id, last)


def _waits(connection: apsw.Connection, shelf: ShelfRow, session: str, before: int) -> bool:
    """Whether a session has turns that are not on the shelf."""
    rows = run(
        connection,
        "SELECT 1 FROM messages m WHERE m.session = ?1 AND m.seq > ?2 AND m.seq <= ?3"
        " AND NOT EXISTS (SELECT 1 FROM derived_units u WHERE u.owner = m.id AND u.shelf = ?4)"
        " LIMIT 1",
        [session, shelf.upto, before, shelf.id],
    )
    return bool(rows)


def after_removal(connection: apsw.Connection) -> None:
    """Messages went: the numbers of the last ones will be given again."""
    run(
        connection,
        "UPDATE derived_shelves SET upto ="
        " min(upto, (SELECT coalesce(max(seq), 0) FROM messages)) WHERE name = 'turn'",
    )


def follow_changes(
    connection: apsw.Connection,
    changes: Sequence[Change],
    change_id: int,
    *,
    late: bool = False,
) -> None:
    """Bring the shelves of records after a change that was made in this transaction; a `late` one
    comes under an entry that was there before, and the last one has that number."""
    concerned = [one for one in changes if one.subject.kind in SEARCHED]
    gone = [one.before for one in concerned if one.before is not None]
    if gone:
        remove(connection, [(one.id, searchable(one)) for one in gone])
    new = [unit_of(one.after) for one in concerned if one.after is not None]
    if new and answering(connection, "record") is None and _are_all(connection, len(new)):
        made = make_shelf(connection, "record")
        go_live(connection, made)
        reached(connection, made.id, change_id)
    for shelf in shelves(connection):
        if shelf.name == "record" and new:
            add(connection, shelf.id, new)
    if not late:
        keep_up(connection, change_id)


def keep_up(connection: apsw.Connection, change_id: int) -> None:
    """Note a change that is on the shelves, where the one before it was."""
    run(
        connection,
        "UPDATE derived_shelves SET upto = ?1 WHERE name = 'record' AND live = 1 AND upto ="
        " (SELECT coalesce(max(id), 0) FROM change_sets WHERE id < ?1)",
        [change_id],
    )


def _are_all(connection: apsw.Connection, number: int) -> bool:
    """Whether there are just so many records that recall finds."""
    kinds = ", ".join("?" * len(SEARCHED))
    rows = run(
        connection,
        f"SELECT 1 FROM records WHERE kind IN ({kinds}) LIMIT ?",
        [*sorted(SEARCHED), number + 1],
    )
    return len(rows) == number


def _shelf_of(connection: apsw.Connection, name: ShelfName, is_first: bool) -> ShelfRow | None:
    """The shelf that answers; with the first thing to put on it, a new one."""
    shelf = answering(connection, name)
    if shelf is not None or not is_first:
        return shelf
    made = make_shelf(connection, name)
    go_live(connection, made)
    return made._replace(live=True)


def add_turns(
    connection: apsw.Connection, shelf: ShelfRow, rows: Sequence[tuple[object, ...]]
) -> None:
    # What reads them loads dates; storing a record needs none of it.
    from memoro.memory.recall.turns import flags_of

    add(
        connection,
        shelf.id,
        [
            NewUnit(
                owner=str(owner),
                kind="turn",
                scope=str(scope),
                at=to_time(str(at)),
                text=str(text),
                session=str(session),
                role=str(role),
                speaker=None if speaker is None else str(speaker),
                flags=flags_of(str(text)),
            )
            for _, owner, scope, at, text, session, role, speaker in rows
        ],
    )


def unit_of(record: Record) -> NewUnit:
    return NewUnit(
        owner=record.id,
        kind=record.kind,
        scope=record.scope,
        at=record.valid_from or record.created_at,
        text=searchable(record),
    )

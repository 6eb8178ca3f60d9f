"""Taking away what an import added to conversations, when it is undone."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping

import apsw

from memoro.backends.sqlite.database import run
from memoro.backends.sqlite.searching.clearing import remove_sessions
from memoro.backends.sqlite.searching.following import after_removal
from memoro.backends.sqlite.searching.removing import remove
from memoro.memory.imported import Brought
from memoro.memory.store import SESSION


def withdraw(
    connection: apsw.Connection, change_id: int, position: int, wanted: Mapping[str, int]
) -> None:
    """Let conversations have so many turns as `wanted` says, the first ones, and log it in an
    entry; one without a turn goes. Runs inside a transaction."""
    counts = turns_of(connection, wanted)
    for at, (session, count) in enumerate(counts.items(), position):
        told = Brought(count, wanted[session] - count)
        log_session(connection, change_id, at, session, told)
    whole = [session for session in counts if not wanted[session]]
    remove_sessions(connection, whole)
    run(
        connection,
        "DELETE FROM sessions WHERE id IN (SELECT value FROM json_each(?))",
        [json.dumps(whole)],
    )
    for session in counts.keys() - set(whole):
        _shorten(connection, session, wanted[session])
    after_removal(connection)


def turns_of(connection: apsw.Connection, sessions: Collection[str]) -> dict[str, int]:
    """How many turns each of these conversations has; those that are not there are left out."""
    rows = run(
        connection,
        "SELECT session, count(*) FROM messages"
        " WHERE session IN (SELECT value FROM json_each(?)) GROUP BY session",
        [json.dumps(list(sessions))],
    )
    counts = {str(session): int(str(count)) for session, count in rows}
    return {session: counts[session] for session in sessions if session in counts}


def log_session(
    connection: apsw.Connection, change_id: int, position: int, session: str, brought: Brought
) -> None:
    """Log that a conversation got turns, or lost some: by their number, nothing of what is said.
    Runs inside a transaction."""
    run(
        connection,
        "INSERT INTO changes SELECT ?, ?, id, ?, scope, ?, NULL, NULL FROM sessions WHERE id = ?",
        [change_id, position, SESSION, brought.key, session],
    )


def _shorten(connection: apsw.Connection, session: str, kept: int) -> None:
    rows = run(
        connection,
        "SELECT id, text FROM messages WHERE session = ? ORDER BY seq LIMIT -1 OFFSET ?",
        [session, kept],
    )
    remove(connection, [(str(owner), str(text)) for owner, text in rows])
    run(
        connection,
        "DELETE FROM messages WHERE id IN (SELECT value FROM json_each(?))",
        [json.dumps([owner for owner, _ in rows])],
    )
    run(
        connection,
        "UPDATE sessions SET updated_at = (SELECT max(at) FROM messages WHERE session = ?1)"
        " WHERE id = ?1",
        [session],
    )

"""Keeping conversations that were held elsewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from hashlib import sha256
from typing import NamedTuple

import apsw

from memoro.backends.sqlite.database import run
from memoro.backends.sqlite.rows import to_text
from memoro.backends.sqlite.searching.following import follow_turns
from memoro.session.transcript import Archived, Turn


def archived_session(name: str) -> str:
    """The ID of the session that an archived conversation of this name has."""
    # Its own ID may become the name of a file, which a caller's name must not.
    return "a_" + sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def archive(connection: apsw.Connection, name: str, turns: Sequence[Turn], scope: str) -> Archived:
    """See `memoro.session.transcript.TranscriptStore`. Runs inside a transaction."""
    session = archived_session(name)
    new = _unknown(connection, session, turns)
    if new:
        ((before,),) = run(connection, "SELECT coalesce(max(seq), 0) FROM messages")
        put_turns(connection, Envelope(session, name, scope), new)
        follow_turns(connection, int(str(before)))
    return Archived(session, len(new), len(turns) - len(new))


class Envelope(NamedTuple):
    """The session that turns belong to: its ID, what it is called, its scope, and its times, where
    they are not those of the turns."""

    session: str
    title: str
    scope: str
    created_at: datetime | None = None
    updated_at: datetime | None = None


def put_turns(connection: apsw.Connection, envelope: Envelope, turns: Sequence[Turn]) -> None:
    """Keep turns behind those that the session has, which is made where it is new. The index is to
    follow. Runs inside a transaction."""
    session = envelope.session
    rows = run(connection, "SELECT count(*) FROM messages WHERE session = ?", [session])
    known = int(str(rows[0][0]))
    _keep_session(connection, envelope, turns)
    connection.executemany(
        "INSERT INTO messages (id, session, run, role, text, at, speaker, ref)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                f"{session}.{known + place}",
                session,
                session,
                turn.role,
                turn.text,
                to_text(_in_utc(turn.at)),
                turn.speaker,
                turn.ref,
            )
            for place, turn in enumerate(turns, 1)
        ],
    )


def _unknown(connection: apsw.Connection, session: str, turns: Sequence[Turn]) -> list[Turn]:
    rows = run(
        connection,
        "SELECT role, text, at, speaker, ref FROM messages WHERE session = ?",
        [session],
    )
    known = Counter(rows)
    new: list[Turn] = []
    for turn in turns:
        row = (turn.role, turn.text, to_text(_in_utc(turn.at)), turn.speaker, turn.ref)
        # A turn may be said twice; it is known as often as it stands there.
        if known[row] > 0:
            known[row] -= 1
        else:
            new.append(turn)
    return new


def _keep_session(connection: apsw.Connection, envelope: Envelope, turns: Sequence[Turn]) -> None:
    session, title, scope, created, updated = envelope
    first = to_text(_in_utc(created or min(_in_utc(turn.at) for turn in turns)))
    last = to_text(_in_utc(updated or max(_in_utc(turn.at) for turn in turns)))
    run(
        connection,
        "INSERT INTO sessions VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (id) DO UPDATE SET"
        " created_at = min(created_at, ?4), updated_at = max(updated_at, ?5)",
        [session, title, scope, first, last],
    )
    run(
        connection,
        "INSERT INTO runs (id, session, kind, state, model, started_at, ended_at, blocks)"
        " VALUES (?1, ?1, 'archive', 'done', '', ?2, ?3, '{}') ON CONFLICT (id) DO UPDATE SET"
        " started_at = min(started_at, ?2), ended_at = max(ended_at, ?3)",
        [session, first, last],
    )


def _in_utc(at: datetime) -> datetime:
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at

"""Keeping conversations that were held elsewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from hashlib import sha256

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
        ((before, messages),) = run(
            connection,
            "SELECT coalesce(max(seq), 0), (SELECT count(*) FROM messages WHERE session = ?)"
            " FROM messages",
            [session],
        )
        _keep_session(connection, session, name, new, scope)
        connection.executemany(
            "INSERT INTO messages (id, session, run, role, text, at, speaker, ref)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    f"{session}.{int(str(messages)) + place}",
                    session,
                    session,
                    turn.role,
                    turn.text,
                    to_text(_in_utc(turn.at)),
                    turn.speaker,
                    turn.ref,
                )
                for place, turn in enumerate(new, 1)
            ],
        )
        follow_turns(connection, int(str(before)))
    return Archived(session, len(new), len(turns) - len(new))


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


def _keep_session(
    connection: apsw.Connection, session: str, name: str, new: Sequence[Turn], scope: str
) -> None:
    first = to_text(min(_in_utc(turn.at) for turn in new))
    last = to_text(max(_in_utc(turn.at) for turn in new))
    run(
        connection,
        "INSERT INTO sessions VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (id) DO UPDATE SET"
        " created_at = min(created_at, ?4), updated_at = max(updated_at, ?5)",
        [session, name, scope, first, last],
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

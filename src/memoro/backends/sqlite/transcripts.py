"""Conversations in SQLite: `memoro.session.transcript.TranscriptStore`."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Generator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from memoro.backends.sqlite.archiving import archive, archived_session
from memoro.backends.sqlite.changing import write_session_removal
from memoro.backends.sqlite.database import run, writing
from memoro.backends.sqlite.locks import acquire, release
from memoro.backends.sqlite.paths import make_folder
from memoro.backends.sqlite.rows import MAX_INTEGER, BadRowError, to_text, to_time
from memoro.backends.sqlite.searching.following import follow_turn
from memoro.backends.sqlite.store import SqliteStore
from memoro.errors import Refusal, StoreLockedError
from memoro.memory.store import Origin
from memoro.session.model import Usage
from memoro.session.transcript import (
    Archived,
    NewRun,
    Outcome,
    Run,
    RunState,
    Session,
    SessionView,
    StoredMessage,
    ToolRecord,
    Turn,
    unknown_session,
)

_SESSIONS = (
    "SELECT id, title, scope, created_at, updated_at,"
    " (SELECT count(*) FROM messages m WHERE m.session = s.id) FROM sessions s "
)
_MESSAGE = "id, session, run, role, text, at, partial, speaker, ref"


class SqliteTranscripts:
    """Conversations, in the same database as the records."""

    def __init__(self, store: SqliteStore) -> None:
        self._store = store
        self._connection = store.connection

    @contextmanager
    def claim(self, session_id: str) -> Generator[None]:
        """See `memoro.session.transcript.TranscriptStore`."""
        paths = self._store.paths
        if paths is None:
            yield
            return
        make_folder(paths.sessions)
        path = os.path.join(paths.sessions, f"{session_id}.lock")
        lock = acquire(path, exclusive=True, wait_seconds=0)
        if lock is None:
            raise StoreLockedError(
                f"session {session_id} is busy answering another message; nothing was sent",
                "send it again when that answer is there",
            )
        try:
            yield
        finally:
            release(lock)

    def start(self, new: NewRun) -> None:
        """See `memoro.session.transcript.TranscriptStore`."""
        session, message, at = new.session, new.message, to_text(new.at)
        with self._store.guarded(), writing(self._connection):
            run(
                self._connection,
                "INSERT INTO sessions VALUES (?, ?, ?, ?, ?)"
                " ON CONFLICT (id) DO UPDATE SET updated_at = excluded.updated_at",
                [session.id, session.title, session.scope, to_text(session.created_at), at],
            )
            self._end_dead_runs(session.id, at)
            run(
                self._connection,
                "INSERT INTO runs (id, session, kind, state, model, started_at, blocks)"
                " VALUES (?, ?, ?, 'running', ?, ?, ?)",
                [new.id, session.id, new.kind, new.model, at, json.dumps(dict(new.blocks))],
            )
            self._keep(message)
        self._store.wrote = True

    def request_tool(self, run_id: str, tool: str, arguments: str, at: datetime) -> int:
        """See `memoro.session.transcript.TranscriptStore`."""
        with self._store.guarded(), writing(self._connection):
            rows = run(
                self._connection,
                "INSERT INTO tool_calls (run, tool, arguments, outcome, detail, requested_at)"
                " VALUES (?, ?, ?, 'requested', '', ?) RETURNING id",
                [run_id, tool, arguments, to_text(at)],
            )
        row = rows[0][0]
        assert isinstance(row, int)
        return row

    def finish_tool(self, row: int, outcome: Outcome, detail: str, at: datetime) -> None:
        """See `memoro.session.transcript.TranscriptStore`."""
        with self._store.guarded(), writing(self._connection):
            run(
                self._connection,
                "UPDATE tool_calls SET outcome = ?, detail = ?, finished_at = ? WHERE id = ?",
                [outcome, detail, to_text(at), row],
            )

    def finish(
        self,
        run_id: str,
        state: RunState,
        reply: StoredMessage | None,
        usage: Usage,
        error: str | None,
        at: datetime,
    ) -> None:
        """See `memoro.session.transcript.TranscriptStore`."""
        with self._store.guarded(), writing(self._connection):
            run(
                self._connection,
                "UPDATE runs SET state = ?, ended_at = ?, input_tokens = ?, output_tokens = ?,"
                " cached_tokens = ?, error = ? WHERE id = ?",
                [state, to_text(at), *usage, error, run_id],
            )
            if reply is not None:
                self._keep(reply)
            run(
                self._connection,
                "UPDATE sessions SET updated_at = ? WHERE id ="
                " (SELECT session FROM runs WHERE id = ?)",
                [to_text(at), run_id],
            )

    def archive(self, name: str, turns: Sequence[Turn], scope: str) -> Archived:
        """See `memoro.session.transcript.TranscriptStore`."""
        with self._store.guarded(), writing(self._connection):
            archived = archive(self._connection, name, turns, scope)
        self._store.wrote = True
        return archived

    def session(self, session_id: str) -> SessionView | None:
        """See `memoro.session.transcript.TranscriptStore`."""
        with self._store.guarded():
            found = run(self._connection, _SESSIONS + "WHERE id = ?", [session_id])
            if not found:
                return None
            runs = run(
                self._connection,
                "SELECT id, session, kind, state, model, started_at, ended_at, input_tokens,"
                " output_tokens, cached_tokens, error, blocks FROM runs WHERE session = ?"
                " ORDER BY rowid",
                [session_id],
            )
            messages = run(
                self._connection,
                f"SELECT {_MESSAGE} FROM messages WHERE session = ? ORDER BY seq",
                [session_id],
            )
            tools = run(
                self._connection,
                "SELECT t.id, t.run, t.tool, t.arguments, t.outcome, t.detail, t.requested_at,"
                " t.finished_at FROM tool_calls t JOIN runs r ON r.id = t.run"
                " WHERE r.session = ? ORDER BY t.id",
                [session_id],
            )
        return SessionView(
            _session(found[0]),
            [_run(row) for row in runs],
            [_message(row) for row in messages],
            [_tool(row) for row in tools],
        )

    def sessions(self, limit: int | None = None) -> list[Session]:
        """See `memoro.session.transcript.TranscriptStore`."""
        sql = _SESSIONS + "ORDER BY updated_at DESC, id LIMIT ?"
        with self._store.guarded():
            rows = run(self._connection, sql, [-1 if limit is None else min(limit, MAX_INTEGER)])
        return [_session(row) for row in rows]

    def count(self) -> int:
        """See `memoro.session.transcript.TranscriptStore`."""
        with self._store.guarded():
            rows = run(self._connection, "SELECT count(*) FROM sessions")
        return int(str(rows[0][0]))

    def message(self, message_id: str) -> StoredMessage | None:
        """See `memoro.session.transcript.TranscriptStore`."""
        with self._store.guarded():
            rows = run(
                self._connection,
                f"SELECT {_MESSAGE} FROM messages WHERE id = ?",
                [message_id],
            )
        return _message(rows[0]) if rows else None

    def messages_of(self, ids: Collection[str]) -> dict[str, tuple[StoredMessage, str]]:
        """See `memoro.session.transcript.TranscriptStore`."""
        columns = ", ".join(f"m.{name}" for name in _MESSAGE.split(", "))
        found: dict[str, tuple[StoredMessage, str]] = {}
        with self._store.guarded():
            for row in run(
                self._connection,
                f"SELECT {columns}, s.title FROM messages m JOIN sessions s ON s.id = m.session"
                " WHERE m.id IN (SELECT value FROM json_each(?))",
                [json.dumps(list(ids))],
            ):
                message = _message(row[:-1])
                found[message.id] = message, _name_of(message.session, str(row[-1]))
        return found

    def around(self, message_id: str) -> list[tuple[StoredMessage, bool]]:
        """See `memoro.session.transcript.TranscriptStore`."""
        near = (
            f"SELECT {_MESSAGE}, seq FROM messages WHERE session = (SELECT session FROM messages"
            " WHERE id = ?1) AND seq {} (SELECT seq FROM messages WHERE id = ?1)"
            " ORDER BY seq {} LIMIT 1"
        )
        found: list[tuple[StoredMessage, bool]] = []
        with self._store.guarded():
            for sign, order in (("<", "DESC"), ("=", ""), (">", "")):
                rows = run(self._connection, near.format(sign, order), [message_id])
                found += [(_message(row[:-1]), sign == "=") for row in rows]
        return found

    def session_title(self, session_id: str) -> str | None:
        """See `memoro.session.transcript.TranscriptStore`."""
        with self._store.guarded():
            rows = run(self._connection, "SELECT title FROM sessions WHERE id = ?", [session_id])
        return str(rows[0][0]) if rows else None

    def session_name(self, session_id: str) -> str:
        """See `memoro.session.transcript.TranscriptStore`."""
        title = self.session_title(session_id)
        return session_id if title is None else _name_of(session_id, title)

    def session_named(self, name: str) -> str:
        """See `memoro.session.transcript.TranscriptStore`."""
        archived = archived_session(name)
        # An ID is ASCII; SQLite takes no half of a surrogate pair, even to look for.
        name = name if name.isascii() else archived
        return name if self.session_title(archived) is None else archived

    def session_of(self, run_id: str) -> str | None:
        """See `memoro.session.transcript.TranscriptStore`."""
        with self._store.guarded():
            rows = run(self._connection, "SELECT session FROM runs WHERE id = ?", [run_id])
        return str(rows[0][0]) if rows else None

    def delete(self, session_id: str, origin: Origin) -> tuple[str, ...] | Refusal:
        """See `memoro.session.transcript.TranscriptStore`."""
        # Looked for first: only an ID of ours may become the name of a lock file.
        view = self.session(session_id)
        if view is None:
            return unknown_session(session_id)
        with self.claim(session_id), self._store.guarded():
            with writing(self._connection):
                write_session_removal(self._connection, session_id, view.session.scope, origin)
            self._store.wrote = True
            remains = self._store.settled()
        if self._store.paths is not None:
            os.remove(os.path.join(self._store.paths.sessions, f"{session_id}.lock"))
        return remains

    def _end_dead_runs(self, session_id: str, at: str) -> None:
        # Whoever holds the session's lock is its only run: others that say so are dead.
        run(
            self._connection,
            "UPDATE tool_calls SET outcome = 'unknown', finished_at = ?,"
            " detail = 'the process ended before the outcome was recorded'"
            " WHERE outcome = 'requested' AND run IN"
            " (SELECT id FROM runs WHERE session = ? AND state = 'running')",
            [at, session_id],
        )
        run(
            self._connection,
            "UPDATE runs SET state = 'interrupted', ended_at = ? WHERE session = ?"
            " AND state = 'running'",
            [at, session_id],
        )

    def _keep(self, message: StoredMessage) -> None:
        run(
            self._connection,
            "INSERT INTO messages (id, session, run, role, text, at, partial)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                message.id,
                message.session,
                message.run,
                message.role,
                message.text,
                to_text(message.at),
                int(message.partial),
            ],
        )
        follow_turn(self._connection, message.id)


def _session(row: Sequence[Any]) -> Session:
    session_id, title, scope, created, updated, messages = row
    return Session(session_id, title, scope, to_time(created), to_time(updated), messages)


def _run(row: Sequence[Any]) -> Run:
    run_id, session, kind, state, model, started, ended, asked, given, cached, error, blocks = row
    return Run(
        run_id,
        session,
        kind,
        state,
        model,
        to_time(started),
        ended and to_time(ended),
        Usage(asked, given, cached),
        error,
        _blocks(run_id, blocks),
    )


def _blocks(run_id: str, text: str) -> dict[str, int]:
    try:
        return json.loads(text)
    except ValueError as error:
        raise BadRowError(f"run {run_id}: {error}") from error


def _name_of(session: str, title: str) -> str:
    return title if session == archived_session(title) else session


def _message(row: Sequence[Any]) -> StoredMessage:
    message_id, session, run_id, role, text, at, partial, speaker, ref = row
    at = to_time(at)
    return StoredMessage(message_id, session, run_id, role, text, at, bool(partial), speaker, ref)


def _tool(row: Sequence[Any]) -> ToolRecord:
    row_id, run_id, tool, arguments, outcome, detail, requested, finished = row
    return ToolRecord(
        row_id,
        run_id,
        tool,
        arguments,
        outcome,
        detail,
        to_time(requested),
        finished and to_time(finished),
    )

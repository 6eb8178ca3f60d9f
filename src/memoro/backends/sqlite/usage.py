"""The usage so far, added up by SQLite: `memoro.session.usage.UsageSource`."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from memoro.backends.sqlite.database import run
from memoro.backends.sqlite.rows import to_time
from memoro.backends.sqlite.store import SqliteStore
from memoro.session.usage import (
    CommandCount,
    Failure,
    Resolution,
    Usage,
    features_of,
    hours_of,
    patterns_of,
    peaks,
)

_BY_PERSONS = "command line"
"""The writer of what a person's commands change."""

_LENGTHS = """
SELECT count(*), total(messages), coalesce(avg(seconds), 0) FROM (
    SELECT count(*) AS messages, (julianday(max(at)) - julianday(min(at))) * 86400 AS seconds
    FROM messages WHERE run NOT IN (SELECT id FROM runs WHERE kind = 'archive') GROUP BY session)
"""
# No zone's clock differs from UTC by anything finer than a quarter of an hour. Scheduled runs speak
# when nobody does, and what was archived was said elsewhere.
_QUARTERS = """
SELECT substr(at, 1, 14) || printf('%02d', substr(at, 15, 2) / 15 * 15) || 'Z' AS quarter, count(*)
FROM messages
WHERE role = 'user' AND run NOT IN (SELECT id FROM runs WHERE kind IN ('scheduled', 'archive'))
GROUP BY quarter
"""
_RUNS = "SELECT kind, state, count(*) FROM runs WHERE kind <> 'archive' GROUP BY kind, state"
_TOOLS = "SELECT tool, outcome, count(*) FROM tool_calls GROUP BY tool, outcome"
_CHANGES = """
SELECT c.kind, s.writer, count(DISTINCT s.id)
FROM change_sets s JOIN changes c ON c.change_set = s.id
WHERE s.undoes IS NULL AND c.kind <> 'place' GROUP BY c.kind, s.writer
UNION ALL
SELECT 'undo', writer, count(*) FROM change_sets WHERE undoes IS NOT NULL GROUP BY writer
"""
_COMMANDS = """
SELECT action, count(*) FROM change_sets WHERE writer = ? AND action <> 'place'
GROUP BY action ORDER BY count(*) DESC, action
"""
_FAILURES = """
SELECT error, count(*), max(coalesce(ended_at, started_at))
FROM runs WHERE state = 'failed' AND error IS NOT NULL GROUP BY error
"""
# Beside a max(), SQLite gives the other columns of the row that has it.
_RESOLUTIONS = """
WITH tries AS (
    SELECT session, state, model, error, coalesce(ended_at, started_at) AS ended,
        row_number() OVER (PARTITION BY session ORDER BY rowid) AS place
    FROM runs WHERE session IN (SELECT session FROM runs WHERE state = 'failed')
), failures AS (
    SELECT *, min(CASE WHEN state = 'done' THEN place END) OVER (
        PARTITION BY session ORDER BY place DESC
        ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS answered
    FROM tries
)
SELECT f.error, count(*), max(f.ended), f.place, f.model, a.place, a.model, a.ended
FROM failures f JOIN tries a ON a.session = f.session AND a.place = f.answered
WHERE f.state = 'failed' AND f.error IS NOT NULL GROUP BY f.error
"""


class SqliteUsage:
    """The usage, from what the store has recorded of conversations and changes."""

    def __init__(self, store: SqliteStore) -> None:
        self._store = store

    def usage(self, local: Callable[[datetime], datetime]) -> Usage:
        """See `memoro.session.usage.UsageSource`."""
        with self._one_moment():
            return self._usage(local)

    @contextmanager
    def _one_moment(self) -> Generator[None]:
        # The savepoint lets all statements see the same store, whoever writes meanwhile.
        with self._store.guarded(), self._store.connection:
            yield

    def _usage(self, local: Callable[[datetime], datetime]) -> Usage:
        ((sessions,),) = self._rows("SELECT count(*) FROM sessions")
        ((talks, messages, seconds),) = self._rows(_LENGTHS)
        quarters = self._rows(_QUARTERS)
        hours = hours_of(((to_time(at), count) for at, count in quarters), local)
        return Usage(
            sessions,
            int(messages),
            seconds,
            messages / talks if talks else 0.0,
            hours,
            peaks(hours),
            features_of(self._rows(_RUNS), self._rows(_TOOLS), self._rows(_CHANGES)),
            tuple(CommandCount(*row) for row in self._rows(_COMMANDS, _BY_PERSONS)),
            patterns_of(self._failures()),
        )

    def _failures(self) -> list[Failure]:
        answered = {row[0]: row[1:] for row in self._rows(_RESOLUTIONS)}
        return [
            _failure(error, count, to_time(last), answered.get(error))
            for error, count, last in self._rows(_FAILURES)
        ]

    def _rows(self, sql: str, *values: object) -> Sequence[Any]:
        return run(self._store.connection, sql, values)


def _failure(
    error: str, count: int, last_seen: datetime, answered: Sequence[Any] | None
) -> Failure:
    if answered is None:
        return Failure(error, count, last_seen)
    resolved, failed_at, place, model, place_after, model_after, at = answered
    seconds = (to_time(at) - to_time(failed_at)).total_seconds()
    resolution = Resolution(place_after - place, seconds, model, model_after)
    return Failure(error, count, last_seen, resolved, to_time(failed_at), resolution)

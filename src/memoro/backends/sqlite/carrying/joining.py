"""An export into a store that holds something: the conversations that it lacks, and what a plan
makes of the records, as one change."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import apsw

from memoro.backends.sqlite.carrying.forms import CALLS, MESSAGES, RUNS, SESSIONS, Table
from memoro.backends.sqlite.carrying.restoring import log_sessions
from memoro.backends.sqlite.carrying.scratch import SCRATCH, scratch
from memoro.backends.sqlite.carrying.staging import Rejected, Staging
from memoro.backends.sqlite.changing import begin_entry, write_more
from memoro.backends.sqlite.database import run, writing
from memoro.backends.sqlite.reading import SqliteReader
from memoro.backends.sqlite.searching.following import open_shelf
from memoro.backends.sqlite.store import SqliteStore
from memoro.errors import MemoroError, Reason, Refusal
from memoro.memory.importing.joining import ACTION
from memoro.memory.store import Change, ChangeSet, Origin, Plan

_AT_ONCE = 1_000
"""So many records are kept in one transaction: others wait that long."""


class Joined(NamedTuple):
    """What came of it: the log's entry, None where nothing came; conversations that came, with
    their turns; those that were here, those of them that have another number of turns here, with
    both numbers, those that were forgotten here, and those whose parts have IDs that are taken
    here; the records that stayed out since something came in between; then what was rejected, and
    the unknown fields by type of line."""

    change: int | None = None
    conversations: int = 0
    turns: int = 0
    known: int = 0
    others: Mapping[str, tuple[int, int]] = {}
    forgotten: Sequence[str] = ()
    taken: Sequence[str] = ()
    overtaken: Sequence[str] = ()
    rejected: Sequence[Rejected] = ()
    more_rejected: int = 0
    unknown: Mapping[str, Mapping[str, int]] = {}


class Terms(NamedTuple):
    """Who brings it in, and when; whether what was forgotten here comes, too; whether it is just
    tried; and who is told how far it is."""

    origin: Origin
    bring_back: bool = False
    rehearsal: bool = False
    told: Callable[[str], object] = str


def join(
    store: SqliteStore,
    lines: Iterable[tuple[str, Mapping[str, Any]]],
    plan: Plan,
    terms: Terms,
) -> Joined | Refusal:
    """Bring the conversations of these lines in, and what `plan` makes of the records, which it has
    when the lines were read to their end.

    The plan is run while nobody is locked out; what it says where nothing is new
    (`Reason.NOT_FOUND`) counts as nothing. Where there are many records, whoever is stopped has
    some of them, under the one entry: importing again goes on.
    """
    with scratch(store) as connection:
        staging = Staging(connection)
        for place, line in lines:
            staging.take(place, line)
        run(connection, "COMMIT")
        wanted = plan(SqliteReader(connection))
        if isinstance(wanted, Refusal) and wanted.reason is not Reason.NOT_FOUND:
            return wanted
        changes = wanted.changes if isinstance(wanted, ChangeSet) else ()
        if terms.rehearsal:
            done = _sorted_out(connection, terms.bring_back)
        else:
            done = _Keeping(store, terms).keep(changes)
    return done._replace(
        rejected=staging.rejected,
        more_rejected=staging.more_rejected,
        unknown=staging.unknown,
    )


class _Keeping:
    """Keeps everything under one entry of the log."""

    def __init__(self, store: SqliteStore, terms: Terms) -> None:
        self._store = store
        self._connection = store.connection
        self._terms = terms
        self._change: int | None = None
        self._overtaken: list[str] = []

    def keep(self, changes: Sequence[Change]) -> Joined:
        """Keep the conversations, and these changes of records."""
        with writing(self._connection):
            done = _sorted_out(self._connection, self._terms.bring_back)
            if done.conversations:
                self._put_in_conversations()
            self._put(changes[:_AT_ONCE])
        self._store.wrote = self._change is not None or self._store.wrote
        for first in range(_AT_ONCE, len(changes), _AT_ONCE):
            self._terms.told(f"{first:,} of {len(changes):,} records kept …")
            try:
                with self._store.guarded(), writing(self._connection):
                    self._put(changes[first : first + _AT_ONCE])
            except MemoroError as error:
                error.kept = (
                    f"{first:,} records are kept, which can be taken back:"
                    f" memoro memory undo {self._change}; to go on, import it again"
                )
                raise
        return done._replace(change=self._change, overtaken=self._overtaken)

    def _put(self, changes: Sequence[Change]) -> None:
        """Make those changes that still can be: others may have come in between."""
        reader = SqliteReader(self._connection)
        new = [one.subject.id for one in changes if one.before is None]
        gone = set[str]() if self._terms.bring_back else reader.forgotten(new)
        fitting = [
            one for one in changes if one.subject.id not in gone and _still_fits(reader, one)
        ]
        kept = {one.subject.id for one in fitting}
        self._overtaken += [one.subject.id for one in changes if one.subject.id not in kept]
        if fitting:
            if self._change is None:
                self._change = begin_entry(self._connection, ACTION, self._terms.origin)
            write_more(self._connection, self._change, fitting)

    def _put_in_conversations(self) -> None:
        connection = self._connection
        # What is said is put on the shelf at once, also while it waits for others.
        open_shelf(connection)
        self._change = begin_entry(connection, ACTION, self._terms.origin)
        coming = f"(SELECT id FROM {SCRATCH}.coming)"
        _copy(connection, SESSIONS, f"id IN {coming}")
        _copy(connection, RUNS, f"session IN {coming}")
        _copy(connection, MESSAGES, f"session IN {coming}")
        runs = f"(SELECT id FROM {SCRATCH}.runs WHERE session IN {coming})"
        _copy(connection, CALLS, f"run IN {runs}")
        log_sessions(connection, self._change, f"{SCRATCH}.coming")


def _sorted_out(connection: apsw.Connection, bring_back: bool) -> Joined:
    """Keep the conversations that come in the table `coming`; gives what there is to tell."""
    turns = _ids(connection, "SELECT session, count(*) FROM {0}.messages GROUP BY session")
    there = _ids(connection, "SELECT id, 0 FROM {0}.sessions")
    here = _ids(
        connection,
        "SELECT s.id, (SELECT count(*) FROM main.messages m WHERE m.session = s.id)"
        " FROM {0}.sessions s WHERE s.id IN (SELECT id FROM main.sessions)",
    )
    lacking = [one for one in there if one not in here]
    forgotten = set() if bring_back else SqliteReader(connection).forgotten(lacking)
    taken = _ids(
        connection,
        "SELECT session, 0 FROM {0}.runs WHERE id IN (SELECT id FROM main.runs)"
        " UNION SELECT session, 0 FROM {0}.messages WHERE id IN (SELECT id FROM main.messages)",
    )
    coming = [one for one in lacking if one not in forgotten and one not in taken]
    run(connection, f"DROP TABLE IF EXISTS {SCRATCH}.coming")
    run(
        connection,
        f"CREATE TABLE {SCRATCH}.coming AS SELECT s.* FROM {SCRATCH}.sessions s"
        " JOIN json_each(?) j ON j.value = s.id ORDER BY s.rowid",
        [json.dumps(coming)],
    )
    return Joined(
        conversations=len(coming),
        turns=sum(turns.get(one, 0) for one in coming),
        known=len(here),
        others={
            one: (turns.get(one, 0), count)
            for one, count in here.items()
            if turns.get(one, 0) != count
        },
        forgotten=[one for one in lacking if one in forgotten],
        taken=[one for one in lacking if one in taken and one not in forgotten],
    )


def _ids(connection: apsw.Connection, sql: str) -> dict[str, int]:
    rows = run(connection, sql.format(SCRATCH))
    return {str(one): int(str(count)) for one, count in rows}


def _still_fits(reader: SqliteReader, change: Change) -> bool:
    record = change.subject
    if reader.get(record.id) != change.before:
        return False
    if record.key is None:
        return True
    found = reader.select(record.kind, record.scope, key=record.key)
    return all(one.id == record.id for one in found)


def _copy(connection: apsw.Connection, table: Table, where: str) -> None:
    # The numbers of tool calls are given here.
    names = [one for one in table.columns if (table, one) != (CALLS, "id")]
    columns = ", ".join(names)
    run(
        connection,
        f"INSERT INTO main.{table.name} ({columns}) SELECT {columns} FROM {SCRATCH}.{table.name}"
        f" WHERE {where} ORDER BY rowid",
    )

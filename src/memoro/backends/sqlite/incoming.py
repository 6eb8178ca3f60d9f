"""An import on its way into the store: all that it brings stands under one entry of the log."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence

import apsw

from memoro.backends.sqlite.archiving import Envelope, archived_session, put_turns
from memoro.backends.sqlite.changing import next_position
from memoro.backends.sqlite.database import run, writing
from memoro.backends.sqlite.filing import Filing, ImportEntry
from memoro.backends.sqlite.reading import SqliteReader
from memoro.backends.sqlite.searching.following import open_shelf
from memoro.backends.sqlite.store import SqliteStore
from memoro.backends.sqlite.withdrawing import log_session, turns_of
from memoro.memory.imported import Brought, ImportedConversation, LeftOut
from memoro.memory.importing.outcome import FORGOTTEN, ImportPlan, Planned, Rules
from memoro.memory.store import Origin
from memoro.session.transcript import Turn, check_archive

_BATCH_TURNS = 2_000
_BATCH_CONVERSATIONS = 500
_BATCH_CHARACTERS = 4_000_000
"""What is kept in one transaction: others wait that long, and who is killed loses no more."""


_Came = tuple[ImportedConversation, Sequence[Turn]] | LeftOut


class Incoming:
    """Keeps the conversations of an import as they come, a batch at a time, and its records at the
    end. What was kept before a failure stays, under its entry: importing again goes on.

    The index is to follow. With `rehearsal` all is counted, and nothing kept. `told` is given a
    line for whoever waits.
    """

    def __init__(
        self,
        store: SqliteStore,
        origin: Origin,
        *,
        rehearsal: bool = False,
        told: Callable[[str], None] | None = None,
    ) -> None:
        self._store = store
        self._connection = store.connection
        self._rehearsal = rehearsal
        self._told: Callable[[str], object] = told or str
        self._seen: set[str] = set()
        self._filing: Filing | None = None
        self.entry: ImportEntry = ImportEntry(store.connection, origin)
        self.brought: int = 0
        self.known: int = 0
        self.turns: int = 0
        self.left_out: list[LeftOut] = []

    @property
    def change(self) -> int | None:
        """The entry of the log; None while nothing is kept."""
        return self.entry.change

    @property
    def records(self) -> int:
        """How many records are kept."""
        return 0 if self._filing is None else len(self._filing.kept)

    def keep(self, conversations: Iterator[ImportedConversation]) -> None:
        """Keep them all; memory holds a batch."""
        while batch := list(_batch(conversations)):
            if self._rehearsal:
                with self._store.guarded():
                    came = list(self._sorted_out(batch))
            else:
                with self._store.guarded(), writing(self._connection):
                    came, change = self._put_in(batch)
                if change is not None:
                    self.entry.keep(change)
                self._store.wrote = True
            # Only what is committed counts.
            self._count(came)

    def finish(self, plan: ImportPlan, rules: Rules) -> Planned:
        """Keep the records, under the entry of the conversations where there is one."""
        if self._rehearsal:
            return plan(self._store)
        self._filing = Filing(self._store, self.entry, plan, rules)
        number = len(self._filing.planned.records)
        return self._filing.file(lambda kept: self._told(f"{kept:,} of {number:,} kept …"))

    def _put_in(self, batch: Sequence[ImportedConversation]) -> tuple[list[_Came], int | None]:
        open_shelf(self._connection)
        known = turns_of(self._connection, [archived_session(one.name) for one in batch])
        came: list[_Came] = []
        fresh: list[tuple[str, Brought]] = []
        for one in self._sorted_out(batch):
            came.append(one)
            if isinstance(one, LeftOut) or not one[1]:
                continue
            told, new = one
            session = archived_session(told.name)
            times = (told.created_at, told.updated_at)
            put_turns(self._connection, Envelope(session, told.title, told.scope, *times), new)
            before = known.get(session, 0)
            known[session] = before + len(new)
            fresh.append((session, Brought(before, len(new))))
        return came, self._logged(fresh) if fresh else None

    def _logged(self, fresh: Sequence[tuple[str, Brought]]) -> int:
        change = self.entry.open()
        first = next_position(self._connection, change)
        for position, (session, brought) in enumerate(fresh, first):
            log_session(self._connection, change, position, session, brought)
        return change

    def _sorted_out(self, batch: Sequence[ImportedConversation]) -> Iterator[_Came]:
        """The conversations, each with its turns that are not here; or why it stays out."""
        sessions = [archived_session(one.name) for one in batch]
        forgotten = SqliteReader(self._connection).forgotten(sessions)
        standing = _standing(self._connection, sessions)
        for one, session in zip(batch, sessions, strict=True):
            turns = [Turn(*turn) for turn in one.turns]
            refusal = check_archive(one.name, turns)
            if session in forgotten:
                yield LeftOut(one.place, FORGOTTEN)
            elif refusal is not None:
                yield LeftOut(one.place, refusal.what)
            elif session in standing or session in self._seen:
                # In a rehearsal the one before it was not kept.
                rest = [] if self._rehearsal and session in self._seen else turns
                yield one, _unknown(self._connection, session, rest)
            else:
                yield one, turns
            self._seen.add(session)

    def _count(self, came: Sequence[_Came]) -> None:
        for one in came:
            if isinstance(one, LeftOut):
                self.left_out.append(one)
            else:
                self.brought += bool(one[1])
                self.known += not one[1]
                self.turns += len(one[1])


def _batch(conversations: Iterator[ImportedConversation]) -> Iterator[ImportedConversation]:
    turns = characters = 0
    for number, one in enumerate(conversations, 1):
        yield one
        turns += len(one.turns)
        characters += sum(len(turn.text) for turn in one.turns)
        if (
            turns >= _BATCH_TURNS
            or characters >= _BATCH_CHARACTERS
            or number >= _BATCH_CONVERSATIONS
        ):
            return


def _standing(connection: apsw.Connection, sessions: Collection[str]) -> set[str]:
    rows = run(
        connection,
        "SELECT id FROM sessions WHERE id IN (SELECT value FROM json_each(?))",
        [json.dumps(list(sessions))],
    )
    return {str(session) for (session,) in rows}


def _unknown(connection: apsw.Connection, session: str, turns: Sequence[Turn]) -> list[Turn]:
    """The turns that a session has not: by the IDs that they have there, else word for word. A time
    that was missing there can have been filled otherwise."""
    rows = run(connection, "SELECT role, text, ref FROM messages WHERE session = ?", [session])
    known = Counter(_identity(*row) for row in rows)
    new: list[Turn] = []
    for turn in turns:
        identity = _identity(turn.role, turn.text, turn.ref)
        if known[identity] > 0:
            known[identity] -= 1
        else:
            new.append(turn)
    return new


def _identity(role: object, text: object, ref: object) -> tuple[object, object]:
    return (role, text) if ref is None else ("", ref)

"""Records of an import on their way into the store: some at a time, so that others come in between.

They are planned while nobody has to wait. What was changed since is looked at before each batch,
and once more when it holds the lock.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence

import apsw

from memoro.backends.sqlite.changing import begin_entry, write_more
from memoro.backends.sqlite.database import run, writing
from memoro.backends.sqlite.reading import SqliteReader
from memoro.backends.sqlite.store import SqliteStore
from memoro.errors import StoreError
from memoro.memory.importing.outcome import ACTION, ImportPlan, Planned, Rules, Taken
from memoro.memory.importing.rechecking import Meanwhile
from memoro.memory.indexing import entry
from memoro.memory.records import Record
from memoro.memory.store import Change, Origin

BATCH_RECORDS = 250
BATCH_CHARACTERS = 250_000
"""What is kept in one transaction: others wait that long, and who is killed loses no more."""
_PAUSE_SECONDS = 0.01
"""Who waits looks again after at most 8 ms; without a pause the lock would be gone again."""


class ImportEntry:
    """The entry of the log that an import stands under: begun with the first thing that comes.

    `change` is its ID once something is kept.
    """

    def __init__(self, connection: apsw.Connection, origin: Origin) -> None:
        self._connection = connection
        self._origin = origin
        self.change: int | None = None
        self.is_undone: bool = False

    def open(self) -> int:
        """The ID of the entry, in a transaction that is told to `keep` when it is committed.

        Raises:
            StoreError: somebody has taken back what was there of it, and wants no more, it seems.
        """
        if self.change is None:
            return begin_entry(self._connection, ACTION, self._origin)
        sql = "SELECT id FROM change_sets WHERE undoes = ?"
        for (undoing,) in run(self._connection, sql, [self.change]):
            self.is_undone = True
            raise StoreError(
                f"change {self.change}, this import, was undone by change {undoing} while it went"
                " on; the rest of it was left out",
                "to bring it in, import it again",
            )
        return self.change

    def keep(self, change: int) -> None:
        """Note that the transaction was committed."""
        self.change = change


class Filing:
    """Plans the records of an import, and files them under its entry.

    `planned` is what was to come, `kept` what has come so far.
    """

    def __init__(
        self, store: SqliteStore, entry: ImportEntry, plan: ImportPlan, rules: Rules
    ) -> None:
        self._store = store
        self._connection = store.connection
        self._entry = entry
        with store.guarded():
            self._seen = _last_row(store.connection)
        self.planned: Planned = plan(store)
        self._meanwhile = Meanwhile(self.planned, rules)
        self._out: list[tuple[Record, Taken]] = []
        self.kept: list[Record] = []

    def file(self, told: Callable[[int], object]) -> Planned:
        """Write them all; gives what came of it. `told` is given how many are written."""
        places = {one.id for one in self.planned.places}
        for batch in _batches([*self.planned.places, *self.planned.records]):
            if self.kept:
                time.sleep(_PAUSE_SECONDS)
            with self._store.guarded():
                self._write(batch)
            told(len(self.kept))
        records = [one for one in self.kept if one.id not in places]
        out = [(one, taken) for one, taken in self._out if one.id not in places]
        return self.planned.kept_as(records, out) if out else self.planned._replace(records=records)

    def _write(self, batch: Sequence[Record]) -> None:
        self._catch_up()
        ready, out = self._sorted_out(batch)
        for one in ready:
            # Its words are read now, and known when others wait.
            entry(one)
        if ready:
            with writing(self._connection):
                if self._catch_up():
                    ready, out = self._sorted_out(batch)
                change = self._put_in(ready)
                seen = _last_row(self._connection)
            self._seen = seen
            if change is not None:
                self._entry.keep(change)
                self._store.wrote = True
        self._out += out
        self.kept += ready

    def _put_in(self, ready: Sequence[Record]) -> int | None:
        if not ready:
            return None
        change = self._entry.open()
        write_more(self._connection, change, [Change(None, one) for one in ready])
        return change

    def _sorted_out(
        self, batch: Sequence[Record]
    ) -> tuple[list[Record], list[tuple[Record, Taken]]]:
        ready: list[Record] = []
        out: list[tuple[Record, Taken]] = []
        for one in batch:
            taken = self._meanwhile.recheck(one)
            if taken.verdict == "new" and taken.record is not None:
                ready.append(taken.record)
            else:
                out.append((one, taken))
        return ready, out

    def _catch_up(self) -> bool:
        """Look at what others have changed since the last time; whether there was anything."""
        last = _last_row(self._connection)
        if last == self._seen:
            return False
        sql = "SELECT DISTINCT record_id FROM changes WHERE rowid > ?"
        rows = run(self._connection, sql, [self._seen])
        ids = [str(record) for (record,) in rows]
        reader = SqliteReader(self._connection)
        found = [one for record in ids if (one := reader.get(record)) is not None]
        self._meanwhile.meet(found, reader.forgotten(ids))
        self._seen = last
        return bool(ids)


def _last_row(connection: apsw.Connection) -> int:
    """The last row of the log. None is ever taken away, so that this only grows."""
    ((last,),) = run(connection, "SELECT coalesce(max(rowid), 0) FROM changes")
    return int(str(last))


def _batches(records: Sequence[Record]) -> Iterator[Sequence[Record]]:
    batch: list[Record] = []
    characters = 0
    for one in records:
        batch.append(one)
        characters += len(one.text)
        if len(batch) >= BATCH_RECORDS or characters >= BATCH_CHARACTERS:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch

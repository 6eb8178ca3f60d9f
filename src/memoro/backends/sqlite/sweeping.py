"""Putting a masked text in the place of one that should never have been stored."""

from __future__ import annotations

from collections.abc import Sequence

from memoro.backends.sqlite.changing import write_changes, write_removal
from memoro.backends.sqlite.database import writing
from memoro.backends.sqlite.store import SqliteStore
from memoro.memory.records import Record
from memoro.memory.store import SWEEP, Applied, Change, ChangeSet, Origin, Removal


def sweep(store: SqliteStore, masked: Sequence[tuple[Record, Record]], origin: Origin) -> Applied:
    """Replace records for good: what each said, and what the log says of it, goes from every file.
    One that has changed meanwhile is left for another sweep."""
    with store.guarded(), writing(store.connection):
        standing = [(old, new) for old, new in masked if _same(store, old)]
        if not standing:
            return Applied(0, ())
        write_removal(store.connection, Removal(SWEEP, [old for old, _ in standing]), origin)
        after = [Change(None, new) for _, new in standing]
        change = write_changes(store.connection, ChangeSet(SWEEP, after), origin)
    store.wrote = True
    return Applied(change, tuple(new for _, new in standing), store.settled())


def _same(store: SqliteStore, old: Record) -> bool:
    now = store.get(old.id)
    return now is not None and (now.text, now.data) == (old.text, old.data)

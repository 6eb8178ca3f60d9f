"""Putting a masked text in the place of one that should never have been stored."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from memoro.backends.sqlite.changing import remove_records, write_changes
from memoro.backends.sqlite.database import run, writing
from memoro.backends.sqlite.redacting import remove_everywhere
from memoro.backends.sqlite.rows import from_json
from memoro.backends.sqlite.store import SqliteStore
from memoro.memory.records import Record
from memoro.memory.store import SWEEP, Applied, Change, ChangeSet, Origin, Removal


def sweep(
    store: SqliteStore,
    masked: Sequence[tuple[Record, Record]],
    cleared: Sequence[Record],
    erases: Callable[[str], str] | None,
    origin: Origin,
) -> Applied:
    """Replace records for good: what each said, and what the log says of it, goes from every file.
    Of those that are `cleared` only the past goes. One that has changed meanwhile is left for
    another sweep."""
    with store.guarded(), writing(store.connection):
        standing = [(old, new) for old, new in masked if _same(store, old)]
        stands = [store.get(one.id) for one in cleared]
        after = [*(new for _, new in standing), *(one for one in stands if one is not None)]
        gone = [*(old for old, _ in standing), *cleared]
        if not gone and erases is None:
            return Applied(0, ())
        if erases is None:
            change = remove_records(store.connection, SWEEP, gone, origin)
        else:
            wanted = Removal(SWEEP, gone, erases)
            change = remove_everywhere(store.connection, wanted, erases, origin)
        if after:
            changes = [Change(None, one) for one in after]
            change = write_changes(store.connection, ChangeSet(SWEEP, changes), origin)
    store.wrote = True
    return Applied(change, tuple(after), store.settled())


def logged(store: SqliteStore) -> Iterator[Record]:
    """What the log still holds of records, each value once."""
    with store.guarded():
        rows = run(
            store.connection,
            "SELECT before FROM changes WHERE before IS NOT NULL"
            " UNION SELECT after FROM changes WHERE after IS NOT NULL",
        )
        for (text,) in rows:
            record = from_json(str(text))
            if record is not None:
                yield record


def _same(store: SqliteStore, old: Record) -> bool:
    now = store.get(old.id)
    return now is not None and (now.text, now.data, now.tags) == (old.text, old.data, old.tags)

"""A store whose records stand in a person's file, and what is done on either side."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from memoro.backends.sqlite.opening import open_memory
from memoro.backends.sqlite.store import SqliteStore
from memoro.errors import Refusal
from memoro.memory.facts.learn import Limits, learn
from memoro.memory.facts.statement import Statement
from memoro.memory.notes import add
from memoro.memory.plain.edits import Edits, Item, Written, edits_of
from memoro.memory.plain.form import digest_of, line_of
from memoro.memory.plain.merging import Merged, merge_plan
from memoro.memory.records import FACT, GLOBAL, NOTE, Record
from memoro.memory.saved import Fact, remember
from memoro.memory.store import Applied, ChangeSet, LoggedChange, Origin, Plan
from memoro.memory.undo import undo

NOW = datetime(2026, 5, 2, 16, 10, tzinfo=UTC)
SECOND = timedelta(seconds=1)


class Desk:
    """A store, and one file of one kind as a person edits it: `lines` are its elements."""

    def __init__(self, kind: str = FACT.name) -> None:
        self.store: SqliteStore = open_memory()
        self.kind = kind
        self.now = NOW
        self.base: dict[str, Written] = {}
        self.lines: list[Any] = []
        self.told: list[Merged] = []

    def apply(self, plan: Plan) -> Applied:
        applied = self.store.apply(plan, Origin("test", self.now))
        assert not isinstance(applied, Refusal), applied.what
        self.now += SECOND
        return applied

    def learn(self, text: str, **fields: Any) -> Record:
        given: dict[str, Any] = {"scope": GLOBAL, "at": self.now, **fields}
        return self.apply(learn(Statement(text, **given), Limits(self.now))).records[0]

    def note(self, record_id: str, title: str, text: str) -> Record:
        record = Record(
            record_id, NOTE.name, GLOBAL, None, text, self.now, self.now, {"title": title}
        )
        return self.apply(add(record)).records[0]

    def remember(self, key: str, value: str) -> Record:
        return self.apply(remember(Fact("f_" + key, GLOBAL, key, value, self.now))).records[0]

    def keep(self, *changes: tuple[Record | None, Record | None]) -> Applied:
        """Change records as some other part of the program does."""
        from memoro.memory.store import Change

        return self.apply(lambda _: ChangeSet("test", [Change(*one) for one in changes]))

    def write(self) -> None:
        """Write the file anew, as the store is now."""
        records = self.all()
        self.base = {one.id: Written(digest_of(one), "file.json") for one in records}
        self.lines = [json.loads(line_of(one, counters=False)) for one in records]

    def edits(self, whole: Collection[str] = ("file.json",)) -> Edits:
        items = [Item("file.json", f"item {n}", one) for n, one in enumerate(self.lines, 1)]
        return edits_of(self.base, items, (self.kind,), whole, self.now)

    def merge(self, edits: Edits | None = None) -> Merged:
        """Merge the file into the store; a second passes."""
        plan = merge_plan(self.edits() if edits is None else edits, self.now, self.told.append)
        applied = self.store.apply(plan, Origin("person", self.now))
        self.now += SECOND
        assert isinstance(applied, Applied) == bool(self.told[-1].changes)
        return self.told[-1]

    def line(self, record_id: str) -> dict[str, Any]:
        return next(one for one in self.lines if one["id"] == record_id)

    def drop(self, record_id: str) -> None:
        self.lines = [one for one in self.lines if one.get("id") != record_id]

    def all(self) -> list[Record]:
        return self.store.select(self.kind)

    def get(self, record_id: str) -> Record:
        record = self.store.get(record_id)
        assert record is not None
        return record

    def texts(self, keep: Callable[[Record], bool] = lambda _: True) -> list[str]:
        return sorted(one.text for one in self.all() if keep(one))

    def last(self) -> LoggedChange:
        return self.store.changes(limit=1)[0]

    def undo(self) -> Applied:
        return self.apply(undo(None, self.now))

    def ever(self) -> set[str]:
        """Every text that stands, or that the log still tells."""
        found = {one.text for one in self.all()}
        for change in self.store.changes():
            for logged in change.records:
                found |= {one.text for one in (logged.before, logged.after) if one is not None}
        return found


def kept_within(records: Sequence[Record]) -> set[str]:
    """The texts that are kept within other records."""
    return {version.get("text", "") for one in records for version in one.data.get("conflicts", ())}

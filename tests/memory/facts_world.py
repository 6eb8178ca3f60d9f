"""A store in memory, and statements for it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from memoro.backends.sqlite.opening import open_memory
from memoro.backends.sqlite.store import SqliteStore
from memoro.errors import Refusal
from memoro.memory.facts.learn import Limits, learn
from memoro.memory.facts.statement import Statement, is_current
from memoro.memory.records import FACT, GLOBAL, Record, Trust
from memoro.memory.store import Applied, LoggedChange, Origin, Plan
from memoro.memory.undo import undo

NOW = datetime(2026, 5, 2, 16, 10, tzinfo=UTC)
DAY = timedelta(days=1)


class World:
    """A memory whose clock is told."""

    def __init__(self, max_facts: int = 500) -> None:
        self.store: SqliteStore = open_memory()
        self.now = NOW
        self.max_facts = max_facts

    def apply(self, plan: Plan) -> Applied:
        applied = self.store.apply(plan, Origin("test", self.now))
        assert not isinstance(applied, Refusal), applied.what
        return applied

    def refused(self, plan: Plan) -> Refusal:
        before = self.everything()
        refusal = self.store.apply(plan, Origin("test", self.now))
        assert isinstance(refusal, Refusal)
        assert self.everything() == before
        return refusal

    def learn(self, text: str, **fields: Any) -> LoggedChange:
        """Learn a statement; a second passes."""
        given: dict[str, Any] = {"scope": GLOBAL, "at": self.now, **fields}
        said = Statement(text, **given)
        applied = self.apply(learn(said, Limits(self.now, self.max_facts)))
        self.now += timedelta(seconds=1)
        change = self.store.change(applied.change)
        assert change is not None
        return change

    def guess(self, text: str, **fields: Any) -> LoggedChange:
        """Learn what was extracted from a conversation."""
        return self.learn(text, **{"trust": Trust.INFERRED, "provenance": "extracted", **fields})

    def undo(self, change: int | None = None) -> Applied:
        return self.apply(undo(change, self.now))

    def everything(self) -> list[Record]:
        return self.store.select(FACT.name)

    def current(self) -> set[str]:
        return {one.text for one in self.everything() if is_current(one)}

    def past(self) -> set[str]:
        return {one.text for one in self.everything() if not is_current(one)}

    def fact(self, text: str) -> Record:
        return next(one for one in self.everything() if one.text == text)

"""The store as it would be after a merge, while that is worked out."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from itertools import count

from memoro.memory.comparing import normalised, terms
from memoro.memory.facts.learn import MOST_RIVALS
from memoro.memory.facts.statement import fact_id, is_current
from memoro.memory.plain.fields import says_the_same
from memoro.memory.plain.form import digest_of
from memoro.memory.plain.identity import derived_id
from memoro.memory.records import FACT, Record
from memoro.memory.store import Change, LoggedChange, Reader

_MOST_VERSIONS = 100
"""How many earlier versions of a record are looked at for the one that was written."""


class Draft:
    """What a merge reads and what it has decided.

    `leaving` are the records that the person deleted; `reworded` the IDs of facts that say
    something else afterwards.
    """

    def __init__(self, reader: Reader, now: datetime) -> None:
        self.reader: Reader = reader
        self.now: datetime = now
        self.changes: dict[str, Change] = {}
        self.leaving: dict[str, Record] = {}
        self.reworded: set[str] = set()
        self.wanted: frozenset[str] = frozenset()
        """The IDs of what the files changed: their earlier versions may be asked for, and none of
        them is free for a further record."""
        self._stored: dict[str, Record | None] = {}
        self._renamed: dict[str, int] = {}
        self._keys: dict[tuple[str, str, str], str] = {}
        self._texts: dict[tuple[str, str], str] = {}
        self._forgotten: set[str] | None = None
        self._past: dict[tuple[str, str], Record] = {}

    def stored(self, record_id: str) -> Record | None:
        """A record as the store has it."""
        if record_id not in self._stored:
            self._stored[record_id] = self.reader.get(record_id)
        return self._stored[record_id]

    def record(self, record_id: str) -> Record | None:
        """A record as it would be; of one that leaves, as it is."""
        change = self.changes.get(record_id)
        return self.stored(record_id) if change is None else change.after

    def put(self, after: Record) -> None:
        """Let a record be like this."""
        before = self.stored(after.id)
        if before is not None:
            after = after._replace(revision=before.revision + 1)
            if after.key != before.key:
                self._renamed.setdefault(after.id, len(self._renamed) + 1)
        self.changes[after.id] = Change(before, after)
        if after.key is not None:
            self._keys[after.kind, after.scope, after.key] = after.id
        if after.kind == FACT.name and is_current(after):
            self._texts[after.scope, normalised(after.text)] = after.id

    def outcome(self) -> tuple[Change, ...]:
        """What changes in the end, in an order in which each key is free when it is taken: what
        leaves, what keeps its key, what gets another in the order in which it got it, what is
        new."""
        leaving = [Change(one, None) for one in self.leaving.values()]
        changes = filter(_changes_anything, self.changes.values())
        return (*leaving, *sorted(changes, key=self._turn))

    def _turn(self, change: Change) -> int:
        new = change.before is None
        return len(self._renamed) + 1 if new else self._renamed.get(change.subject.id, 0)

    def holder(self, record: Record) -> Record | None:
        """Another record that has the same key."""
        if record.key is None:
            return None
        named = self._keys.get((record.kind, record.scope, record.key))
        if named is not None and named != record.id:
            return self.record(named)
        for one in self.reader.select(record.kind, record.scope, key=record.key):
            known = self.record(one.id)
            if one.id != record.id and one.id not in self.leaving and _has_key(known, record):
                return known
        return None

    def has_key(self, kind: str, scope: str, key: str) -> bool:
        """Whether a record has that key."""
        return (kind, scope, key) in self._keys or bool(self.reader.select(kind, scope, key=key))

    def same_fact(self, record: Record) -> Record | None:
        """Another current fact that says the same in the same scope."""
        if record.kind != FACT.name or not is_current(record):
            return None
        text = normalised(record.text)
        claimed = self._texts.get((record.scope, text))
        if claimed is not None and claimed != record.id:
            return self.record(claimed)
        for one in self._alike(record):
            known = None if self._gives_way(one.id) else self.record(one.id)
            if (
                known is not None
                and known.id != record.id
                and is_current(known)
                and known.scope == record.scope
                and normalised(known.text) == text
            ):
                return known
        return None

    def _gives_way(self, record_id: str) -> bool:
        """Whether a record leaves, or says something else later in this merge."""
        changes = record_id in self.reworded and record_id not in self.changes
        return changes or record_id in self.leaving

    def _alike(self, record: Record) -> Iterator[Record]:
        named = self.stored(fact_id(record.scope, record.text))
        if named is not None and named.kind == FACT.name:
            yield named
        yield from self.reader.alike(FACT.name, record.scope, terms(record.text), MOST_RIVALS)

    def place_for(self, record: Record) -> tuple[str, bool]:
        """The ID for a further record, and whether it is there already and says the same."""
        for turn in count():
            record_id = derived_id(record, turn)
            known = self.record(record_id)
            if known is None:
                if record_id not in self.wanted and not self.was_forgotten(record_id):
                    return record_id, False
            elif record_id not in self.leaving and _is_same(known, record):
                return record_id, True
        raise AssertionError("counting ends never")

    def was_forgotten(self, record_id: str) -> bool:
        """Whether that ID was a record's that was forgotten for good."""
        if self._forgotten is None:
            self._forgotten = self.reader.forgotten(self.wanted)
        if record_id in self.wanted:
            return record_id in self._forgotten
        return bool(self.reader.forgotten([record_id]))

    def as_written(self, record_id: str, digest: str) -> Record | None:
        """The version of a record that was written; None where the log doesn't tell."""
        if (record_id, digest) not in self._past:
            for change in self.reader.changes(record=record_id, limit=_MOST_VERSIONS):
                self._remember(change)
        return self._past.get((record_id, digest))

    def _remember(self, change: LoggedChange) -> None:
        for logged in change.records:
            if logged.record_id in self.wanted:
                for version in (logged.before, logged.after):
                    if version is not None:
                        self._past[logged.record_id, digest_of(version)] = version


def _changes_anything(change: Change) -> bool:
    before, after = change
    if before is None or after is None:
        return True
    return after != before._replace(revision=after.revision, updated_at=after.updated_at)


def _has_key(known: Record | None, record: Record) -> bool:
    return known is not None and known.key == record.key


def _is_same(known: Record, record: Record) -> bool:
    return known.kind == record.kind and says_the_same(known, record)

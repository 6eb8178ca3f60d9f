"""Our own records on their way into a store that holds something: as they are, where nothing that
is here has to give way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Literal, NamedTuple

from memoro.errors import Reason, Refusal
from memoro.memory.facts.statement import is_current
from memoro.memory.imported import ImportedRecord, LeftOut
from memoro.memory.plain.fields import says_the_same
from memoro.memory.plain.identity import derived_id
from memoro.memory.records import FACT, SAVED_FACT, Record, Trust, in_scope
from memoro.memory.store import Change, ChangeSet, Plan, Reader
from memoro.memory.strength import strength

ACTION = "import"
"""What the log calls it."""
_FORGOTTEN = "it was forgotten here, and that is final (to have it again: --bring-back)"

Verdict = Literal["new", "changed", "known", "left_out"]


class Terms(NamedTuple):
    """What holds: when it is made, how many current facts a scope may have (0: any number), whether
    records keep their ranks, else they get at most that of what was inferred; and whether what was
    forgotten here, or says something else here by now, becomes as it is in the export."""

    now: datetime
    max_facts: int
    as_mine: bool = False
    bring_back: bool = False


class Outcome(NamedTuple):
    """What would come of it: the records as they would be kept, how many of each kind were what,
    what was left out with why, and the IDs of facts that go straight to the archive."""

    records: Sequence[Record]
    counts: Mapping[str, Mapping[Verdict, int]]
    left_out: Sequence[LeftOut]
    archived: Sequence[str]


def join_plan(
    items: Sequence[ImportedRecord], terms: Terms, told: Callable[[Outcome], None]
) -> Plan:
    """Bring records of our own export in. One is known by its ID, by its key, or as a fact of the
    same words. `told` is given what comes of it, also where nothing is new."""

    def plan(reader: Reader) -> ChangeSet | Refusal:
        joining = _Joining(reader, terms)
        counts: dict[str, Counter[Verdict]] = {}
        left_out: list[LeftOut] = []
        joining.mind_forgotten(item.record for item in items)
        for item in items:
            verdict, why = joining.take(item.record)
            counts.setdefault(item.record.kind, Counter())[verdict] += 1
            if why:
                left_out.append(LeftOut(item.place, f"{item.record.id}: {why}"))
        archived = joining.make_room()
        changes = joining.changes()
        records = [one.subject for one in changes]
        told(Outcome(records, counts, left_out, archived))
        if not changes:
            return Refusal(Reason.NOT_FOUND, "there is nothing new to import")
        return ChangeSet(ACTION, changes)

    return plan


class _Joining:
    def __init__(self, reader: Reader, terms: Terms) -> None:
        self._reader = reader
        self._terms = terms
        self._new: dict[str, Record] = {}
        self._changed: dict[str, Change] = {}
        self._keys: set[tuple[str, str, str]] = set()
        self._forgotten: set[str] = set()

    def mind_forgotten(self, records: Iterable[Record]) -> None:
        """Look up which of these were forgotten for good, all at once."""
        if not self._terms.bring_back:
            ids = {name for one in records for name in (one.id, derived_id(one))}
            self._forgotten = self._reader.forgotten(ids)

    def take(self, record: Record) -> tuple[Verdict, str]:
        """What becomes of a record, and why where it is left out."""
        if not self._terms.as_mine:
            record = record._replace(trust=min(record.trust, Trust.INFERRED))
        if record.id in self._new or record.id in self._changed:
            return "left_out", "the file has another record of that ID"
        known = self._reader.get(record.id)
        if known is not None:
            return self._against(known, record)
        if self._was_forgotten(record):
            return "left_out", _FORGOTTEN
        if self._is_key_taken(record):
            if self._says_its_key(record):
                return "known", ""
            where = f"{record.key}{in_scope(record.scope)}"
            return "left_out", f"there is another {where} here, and it stays"
        if (
            record.kind == FACT.name
            and not self._terms.as_mine
            and self._reader.get(derived_id(record)) is not None
        ):
            return "known", ""
        self._new[record.id] = record
        if record.key is not None:
            self._keys.add((record.kind, record.scope, record.key))
        return "new", ""

    def make_room(self) -> list[str]:
        """Put the new facts that their scopes have no room for into the archive: the least trusted
        and weakest of them. What is here stays."""
        most, by_scope = self._terms.max_facts, dict[str, list[Record]]()
        for one in self._new.values() if most else ():
            if one.kind == FACT.name and is_current(one):
                by_scope.setdefault(one.scope, []).append(one)
        put_away: list[str] = []
        for scope, facts in by_scope.items():
            over = len(facts) - max(0, most - self._reader.current(FACT.name, scope))
            weakest = sorted(facts, key=lambda one: (one.trust, strength(one), one.id))
            put_away += [one.id for one in weakest[: max(0, over)]]
        why = f"one of the weakest of an import, beyond {most:,} facts"
        for name in put_away:
            told = {"archived": self._terms.now.isoformat(), "why": why}
            self._new[name] = self._new[name]._replace(data={**self._new[name].data, **told})
        return put_away

    def changes(self) -> list[Change]:
        """What is to be changed."""
        return [*(Change(None, one) for one in self._new.values()), *self._changed.values()]

    def _against(self, known: Record, record: Record) -> tuple[Verdict, str]:
        """A record whose ID is here."""
        if known.kind != record.kind:
            return "left_out", f"a {known.kind} here has that ID, and it stays"
        if says_the_same(_content(known), _content(record)):
            return "known", ""
        if not self._terms.bring_back:
            return (
                "left_out",
                "it says something else here, which stays (to have this: --bring-back)",
            )
        if record.trust < known.trust:
            return "left_out", (
                "it says something else here, of a higher rank, which stays"
                " (to have this, with its rank: --bring-back --as-mine)"
            )
        moved = (known.scope, known.key) != (record.scope, record.key)
        if moved and self._is_key_taken(record):
            return "left_out", f"there is another {record.key} here, and it stays"
        after = record._replace(revision=known.revision + 1)
        self._changed[record.id] = Change(known, after)
        return "changed", ""

    def _was_forgotten(self, record: Record) -> bool:
        if record.id in self._forgotten:
            return True
        if record.kind == SAVED_FACT.name and not self._terms.bring_back:
            # Its key is what it was forgotten by.
            last = self._reader.changes(
                scope=record.scope, kind=record.kind, key=record.key, limit=1
            )
            return bool(last) and last[0].final
        return derived_id(record) in self._forgotten and not self._is_key_taken(record)

    def _is_key_taken(self, record: Record) -> bool:
        if record.key is None:
            return False
        place = (record.kind, record.scope, record.key)
        found = self._reader.select(record.kind, record.scope, key=record.key)
        return place in self._keys or any(one.id != record.id for one in found)

    def _says_its_key(self, record: Record) -> bool:
        found = self._reader.select(record.kind, record.scope, key=record.key)
        return any(says_the_same(_content(one), _content(record)) for one in found)


def _content(record: Record) -> Record:
    """A record without what says where it is kept: what was archived here is no other one."""
    data = {name: one for name, one in record.data.items() if name not in ("archived", "why")}
    return record._replace(data=data)

"""What others have changed while an import was planned and written, and what of it still comes."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from memoro.memory.facts.statement import is_current
from memoro.memory.importing.facts import beside_known, content, contents, rivals_of
from memoro.memory.importing.outcome import FORGOTTEN, KNOWN, Planned, Rules, Taken
from memoro.memory.importing.rivals import Rivals
from memoro.memory.records import FACT, Record

_ID_TAKEN = "another record has its ID by now; to bring it in, import it again"


class Meanwhile:
    """What came in between, as far as it bears on an import: what is here stands, whenever it
    came."""

    def __init__(self, planned: Planned, rules: Rules) -> None:
        self._rules = rules
        self._rivals_each = rivals_of(sum(one.kind == FACT.name for one in planned.records))
        self._by_id: dict[str, Record] = {}
        self._by_key: dict[tuple[str, str, str], Record] = {}
        self._by_content: dict[str, Record] = {}
        self._rivals: dict[str, Rivals] = {}
        self._forgotten: set[str] = set()
        self._instead: dict[str, str] = {}

    def meet(self, changed: Iterable[Record], forgotten: Collection[str]) -> None:
        """Note records as they are now, and the IDs of those that were forgotten for good."""
        self._forgotten.update(forgotten)
        for one in changed:
            self._by_id[one.id] = one
            if one.key is not None:
                self._by_key[one.kind, one.scope, one.key] = one
            if one.kind == FACT.name:
                self._by_content.update(dict.fromkeys(contents(one), one))
                rivals = self._rivals.setdefault(one.scope, Rivals())
                rivals.drop(one)
                if is_current(one):
                    rivals.put(one)

    def recheck(self, record: Record) -> Taken:
        """What comes of a record that was to be new."""
        taken = self._identified(record)
        if taken is None and record.kind == FACT.name:
            taken = self._compared(record)
        if taken is not None:
            if taken.record is not None and taken.record.id != record.id:
                self._instead[record.id] = taken.record.id
            return taken
        target = self._instead.get(record.superseded_by or "")
        return Taken("new", record=record._replace(superseded_by=target) if target else record)

    def _identified(self, record: Record) -> Taken | None:
        same = self._by_id.get(record.id)
        if same is not None:
            is_it = (same.kind, same.scope, same.text) == (record.kind, record.scope, record.text)
            return KNOWN if is_it else Taken("left", _ID_TAKEN)
        is_fact = record.kind == FACT.name
        if not self._forgotten.isdisjoint((record.id, content(record) if is_fact else "")):
            return Taken("left", FORGOTTEN)
        keyed = self._by_key.get((record.kind, record.scope, record.key or ""))
        if keyed is None or record.key is None:
            return None
        if keyed.text == record.text:
            return KNOWN
        return Taken("left", f"{record.key}: it has been set meanwhile, and stays as it is")

    def _compared(self, record: Record) -> Taken | None:
        same = self._by_content.get(content(record))
        if same is not None:
            return Taken("known", record=same)
        rivals = self._rivals.get(record.scope)
        if rivals is None or not is_current(record):
            return None
        beside = beside_known(record, rivals.near(record.text, self._rivals_each), self._rules)
        if beside is None:
            return KNOWN
        return None if beside is record else Taken("new", record=beside)

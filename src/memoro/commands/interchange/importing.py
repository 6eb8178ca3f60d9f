"""`memoro import`: what another tool remembers comes in, as one change that undo takes back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from memoro.commands.interchange.admitting import Door
from memoro.commands.interchange.own import foreign, import_own
from memoro.commands.interchange.scoping import Grounds
from memoro.commands.interchange.telling import Import, data_of, lines_of, notices_of
from memoro.commands.registry import Caller, Done, Result, Text
from memoro.commands.scopes import find_project, origin, over_budget
from memoro.errors import Refusal
from memoro.memory.imported import ImportedConversation, ImportedRecord, LeftOut
from memoro.memory.importing.outcome import ImportPlan, Planned, Rules
from memoro.memory.importing.planning import import_plan
from memoro.memory.projects import missing
from memoro.memory.records import GLOBAL, SAVED_FACT, Record, project_scope

if TYPE_CHECKING:
    from memoro.commands.services import Services
    from memoro.memory.store import MemoryStore

MOST_LEFT_OUT = 10_000
"""So many reasons are kept; what is left out beyond is counted."""
_EVERY = 500


def import_memory(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Bring in what is at a path."""
    importing = services.importing
    path, project = arguments["path"], arguments.get("project")
    rehearsal = bool(arguments.get("dry_run"))
    kind = importing.kind_of(path, arguments.get("from"))
    if isinstance(kind, Refusal):
        return kind
    if importing.is_own(kind):
        return import_own(services, arguments, caller)
    refusal = foreign(arguments)
    if refusal is not None:
        return refusal
    store = importing.peek() if rehearsal else services.store
    if project is not None and find_project(services, project) is None:
        return missing(project)
    rules = Rules(services.now(), services.learned.max_facts())
    reading = _Reading(services, kind, path, project)
    kept = importing.keep(
        store,
        lambda reader: reading.plan(rules)(reader),
        rules,
        reading.conversations(),
        origin(services, caller),
        rehearsal,
    )
    importing.progress("")
    if isinstance(kept, Refusal):
        return kept
    planned = kept.planned
    wrong = [] if kept.change is None else _unlike(store, planned.records, kept.change)
    done = Import(kind, path, rehearsal, reading, kept, wrong)
    if kept.change is not None and not kept.turns:
        # Conversations may be many: theirs are made behind.
        services.recalling.keep_embedding(store, None)
    return Done(
        data_of(done),
        Text("\n".join(lines_of(done))),
        (*kept.notices, *notices_of(done, reading.elsewhere), *_budget(services, planned)),
        ok=not wrong,
    )


class _Reading:
    """What is read, put where it belongs."""

    def __init__(self, services: Services, kind: str, path: str, project: str | None) -> None:
        self._services = services
        self._found = services.importing.read(kind, path)
        self._door = Door(services.learned.mask)
        self._grounds = Grounds(services, project)
        self._scope = GLOBAL if project is None else project_scope(project)
        self.records: list[ImportedRecord] = []
        self.left_out: list[LeftOut] = []
        self.more_left_out: int = 0
        self.secrets: Counter[str] = Counter()
        self.orders: Counter[str] = Counter()
        self.masked: int = 0

    @property
    def elsewhere(self) -> Mapping[str, int]:
        """How much was learned in folders that are not here."""
        return self._grounds.elsewhere

    def plan(self, rules: Rules) -> ImportPlan:
        """What is to be done with the records, once everything has been read."""
        return import_plan(self.records, self._grounds.new, rules)

    def conversations(self) -> Iterator[ImportedConversation]:
        """Read everything; conversations are given on, the rest is put aside."""
        count = 0
        for one in self._found:
            count += 1
            if count % _EVERY == 0:
                self._services.importing.progress(f"{count:,} read …")
            if isinstance(one, ImportedConversation):
                yield one._replace(scope=self._scope)
            elif isinstance(one, LeftOut):
                self.leave_out(one)
            else:
                self._admit(one)
        if self.records:
            self._services.importing.progress(f"{count:,} read; comparing …")

    def leave_out(self, one: LeftOut) -> None:
        """Note what is left out."""
        if len(self.left_out) < MOST_LEFT_OUT:
            self.left_out.append(one)
        else:
            self.more_left_out += 1

    def _admit(self, one: ImportedRecord) -> None:
        admitted = self._door.admit(one.record)
        self.secrets.update(admitted.secrets)
        self.orders.update(admitted.orders)
        self.masked += bool(admitted.secrets)
        self.records.append(one._replace(record=self._grounds.placed(admitted.record)))


def _unlike(store: MemoryStore, records: Sequence[Record], change: int) -> list[str]:
    """The records that are not in the store as they were to be, by ID; but for those that somebody
    has changed since."""
    return [
        one.id
        for one in records
        if _content(store.get(one.id)) != _content(one)
        and all(last.id == change for last in store.changes(record=one.id, limit=1))
    ]


def _content(record: Record | None) -> Record | None:
    """What can't change but by a change: whoever uses a record makes it stronger."""
    return None if record is None else record._replace(accesses=0, accessed_at=None, revision=0)


def _budget(services: Services, planned: Planned) -> tuple[str, ...]:
    scopes = dict.fromkeys(one.scope for one in planned.records if one.kind == SAVED_FACT.name)
    return tuple(line for scope in scopes for line in over_budget(services, scope))

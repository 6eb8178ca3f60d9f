"""`memoro import`: what another tool remembers comes in, as one change that undo takes back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from memoro.commands.interchange.admitting import Door
from memoro.commands.interchange.scoping import Grounds
from memoro.commands.interchange.telling import Import, data_of, lines_of, notices_of
from memoro.commands.registry import Caller, Done, Result, Text
from memoro.commands.scopes import find_project, origin, over_budget
from memoro.errors import Reason, Refusal
from memoro.memory.imported import ImportedConversation, ImportedRecord, LeftOut
from memoro.memory.importing.outcome import Planned, Rules
from memoro.memory.importing.planning import import_plan, own_plan
from memoro.memory.importing.rivals import Comparisons
from memoro.memory.projects import missing
from memoro.memory.records import GLOBAL, SAVED_FACT, Record, project_scope

if TYPE_CHECKING:
    from memoro.commands.services import Services
    from memoro.memory.store import MemoryStore, Plan

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
    if importing.is_own(kind) and project is not None:
        return Refusal(
            Reason.USAGE,
            "an export says itself where each record belongs; nothing was changed",
            "leave --project out",
        )
    store = importing.peek() if rehearsal else services.store
    if importing.is_own(kind) and services.exporting.empty(store):
        from memoro.commands.interchange.restoring import restore_export

        return restore_export(services, path, caller, rehearsal)
    if project is not None and find_project(services, project) is None:
        return missing(project)
    reading = _Reading(services, kind, path, project)
    plans: list[Planned] = []
    as_mine = bool(arguments.get("as_mine")) or not any(store.counts().values())
    made: list[Plan] = []

    def once_read(reader: Any) -> Any:
        # The plan is made when everything has been read, and run once before the store is locked:
        # what takes long is remembered.
        if not made:
            made.append(_plan(services, reading, as_mine, plans))
        return made[0](reader)

    kept = importing.keep(
        store,
        once_read,
        reading.conversations(once_read, store),
        origin(services, caller),
        rehearsal,
    )
    importing.progress("")
    if isinstance(kept, Refusal):
        return kept
    wrong = [] if rehearsal or kept.change is None else _unlike(store, plans[-1].records)
    done = Import(kind, path, rehearsal, reading, plans[-1], kept, wrong)
    if kept.change is not None and not kept.turns:
        # Conversations may be many: theirs are made behind.
        services.recalling.keep_embedding(store, None)
    return Done(
        data_of(done),
        Text("\n".join(lines_of(done))),
        (
            *kept.notices,
            *notices_of(done, reading.elsewhere),
            *_budget(services, plans[-1]),
        ),
        ok=not wrong,
    )


def _plan(services: Services, reading: _Reading, as_mine: bool, plans: list[Planned]) -> Plan:
    """What is to be done with what was read; what comes of it is put among the `plans`."""
    now, most = services.now(), services.learned.max_facts()
    rules = Rules(now, most, Comparisons(), as_mine=as_mine)
    if reading.is_own:
        return own_plan(reading.records, rules, plans.append)
    return import_plan(reading.records, reading.places, rules, plans.append)


class _Reading:
    """What is read, put where it belongs."""

    def __init__(self, services: Services, kind: str, path: str, project: str | None) -> None:
        self._services = services
        self._found = services.importing.read(kind, path)
        self._door = Door(services.learned.mask)
        self._grounds = Grounds(services, project)
        self.is_own: bool = services.importing.is_own(kind)
        self._scope = GLOBAL if project is None else project_scope(project)
        self.records: list[ImportedRecord] = []
        self.left_out: list[LeftOut] = []
        self.more_left_out: int = 0
        self.secrets: Counter[str] = Counter()
        self.orders: Counter[str] = Counter()
        self.masked: int = 0

    @property
    def places(self) -> list[Record]:
        """Places that were met for the first time."""
        return self._grounds.new

    @property
    def elsewhere(self) -> Mapping[str, int]:
        """How much was learned in folders that are not here."""
        return self._grounds.elsewhere

    def conversations(self, plan: Plan, store: MemoryStore) -> Iterator[ImportedConversation]:
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
            plan(store)

    def leave_out(self, one: LeftOut) -> None:
        """Note what is left out."""
        if len(self.left_out) < MOST_LEFT_OUT:
            self.left_out.append(one)
        else:
            self.more_left_out += 1

    def _admit(self, one: ImportedRecord) -> None:
        if self.is_own:
            self.records.append(one)
            return
        admitted = self._door.admit(one.record)
        self.secrets.update(admitted.secrets)
        self.orders.update(admitted.orders)
        self.masked += bool(admitted.secrets)
        self.records.append(one._replace(record=self._grounds.placed(admitted.record)))


def _unlike(store: MemoryStore, records: Any) -> list[str]:
    """The records that are not in the store as they were to be, by ID."""
    return [one.id for one in records if store.get(one.id) != one]


def _budget(services: Services, planned: Planned) -> tuple[str, ...]:
    scopes = dict.fromkeys(one.scope for one in planned.records if one.kind == SAVED_FACT.name)
    return tuple(line for scope in scopes for line in over_budget(services, scope))

"""What leaves recall without being lost: the faded, and the weakest of a scope that is full."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from memoro.errors import Reason, Refusal
from memoro.memory.facts.statement import is_current, state
from memoro.memory.records import FACT, Record
from memoro.memory.store import Change, ChangeSet, Plan, Reader
from memoro.memory.strength import faded

_MOST_AT_ONCE = 1_000
"""How many faded facts one learning puts away; the next ones take the rest."""


def archived(fact: Record, now: datetime, why: str) -> Change:
    """A fact put into the archive."""
    after = fact._replace(
        data={**fact.data, "archived": now.isoformat(), "why": why},
        updated_at=max(fact.updated_at, now),
        revision=fact.revision + 1,
    )
    return Change(fact, after)


def make_room(
    reader: Reader, new: Record, changes: Sequence[Change], now: datetime, max_facts: int
) -> list[Change]:
    """Archive what has faded in the new fact's scope, and the weakest beyond the limit; never the
    new fact itself."""
    taken = {change.subject.id for change in changes}
    put_away = [
        archived(one, now, "faded")
        for one in reader.weakest(
            FACT.name, new.scope, limit=_MOST_AT_ONCE, below=faded(FACT.name, now)
        )
        if one.id not in taken
    ]
    if max_facts:
        gone = {change.subject.id for change in put_away}
        growth = sum(_counts(change.after) - _counts(change.before) for change in changes)
        over = reader.current(FACT.name, new.scope) + growth - len(gone) - max_facts
        if over > 0:
            most = over + len(gone) + len(taken)
            weakest = reader.weakest(FACT.name, new.scope, limit=most)
            left = [one for one in weakest if one.id not in gone and one.id not in taken]
            why = f"one of the weakest, beyond {max_facts:,} facts"
            put_away += [archived(one, now, why) for one in left[:over]]
    return put_away


def compact(scopes: Sequence[str], now: datetime, max_facts: int) -> Plan:
    """Archive what has faded and what is beyond the limit, in each of these scopes."""

    def plan(reader: Reader) -> ChangeSet | Refusal:
        changes: list[Change] = []
        for scope in scopes:
            faint = reader.weakest(FACT.name, scope, below=faded(FACT.name, now))
            changes += [archived(one, now, "faded") for one in faint]
            over = reader.current(FACT.name, scope) - len(faint) - max_facts
            if max_facts and over > 0:
                weakest = reader.weakest(FACT.name, scope, limit=len(faint) + over)
                why = f"one of the weakest, beyond {max_facts:,} facts"
                changes += [archived(one, now, why) for one in weakest[len(faint) :]]
        if not changes:
            return Refusal(Reason.NOT_FOUND, "no fact has faded, and no scope is over its limit")
        return ChangeSet("compact", changes)

    return plan


def restore(fact_id: str, now: datetime) -> Plan:
    """Bring a fact back from the archive or the past; what replaced it then gives way."""

    def plan(reader: Reader) -> ChangeSet | Refusal:
        fact = reader.get(fact_id)
        if fact is None or fact.kind != FACT.name:
            return missing(fact_id)
        where = state(fact)
        if where == "current":
            return Refusal(
                Reason.CONFLICT, f"fact {fact_id} is current already; nothing was changed"
            )
        back = _back(fact, now)
        changes = [Change(fact, back)]
        rival = reader.get(fact.superseded_by or "")
        if where == "superseded" and rival is not None and is_current(rival):
            after = rival._replace(
                data={**rival.data, "why": "the earlier one was restored"},
                valid_to=max(now, rival.valid_from or now),
                superseded_by=fact.id,
                updated_at=max(rival.updated_at, now),
                revision=rival.revision + 1,
            )
            changes.append(Change(rival, after))
        return ChangeSet("restore", changes)

    return plan


def _back(fact: Record, now: datetime) -> Record:
    data = {name: value for name, value in fact.data.items() if name not in ("archived", "why")}
    if fact.valid_to is not None and fact.valid_from is not None:
        past = [fact.valid_from.isoformat(), fact.valid_to.isoformat()]
        data["held"] = [*data.get("held", ()), past]
    return fact._replace(
        data=data,
        valid_from=now if fact.valid_to is not None else fact.valid_from,
        valid_to=None,
        superseded_by=None,
        accesses=fact.accesses + 1,
        # Restoring counts as a use: what had faded would fade again at once.
        accessed_at=now,
        updated_at=max(fact.updated_at, now),
        revision=fact.revision + 1,
    )


def missing(fact_id: str) -> Refusal:
    """The refusal for an ID that no fact has."""
    return Refusal(Reason.NOT_FOUND, f"there is no fact {fact_id!r}", "memoro memory facts")


def _counts(fact: Record | None) -> int:
    return int(fact is not None and is_current(fact))

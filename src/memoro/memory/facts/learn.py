"""Learning a statement: new, seen again, replacing what was known, or kept aside as weaker."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from memoro.errors import Reason, Refusal
from memoro.memory.comparing import normalised, terms
from memoro.memory.facts.archive import make_room
from memoro.memory.facts.reconcile import Reconciled, Rival, is_older, reconcile
from memoro.memory.facts.statement import (
    SEEN_AGAIN,
    Statement,
    check,
    fact_id,
    is_current,
    record_of,
)
from memoro.memory.records import FACT, Record
from memoro.memory.store import Change, ChangeSet, Plan, Reader

MAX_FACTS = 500
"""How many current facts a scope has by default; the weakest beyond go to the archive."""

MOST_RIVALS = 50
"""How many known facts a new one is compared with: those that share the rarest words with it."""


class Limits(NamedTuple):
    """`max_facts` a scope, 0 for no limit; `now` is when it is learned, which may be long after it
    was said."""

    now: datetime
    max_facts: int = MAX_FACTS


def learn(statement: Statement, limits: Limits) -> Plan:
    """Learn one statement.

    The change set's action says what came of it: "learn" (new), "learn again" (known, stronger
    now), "update" (it replaced something), "set aside" (what is known is stronger).
    """

    def plan(reader: Reader) -> ChangeSet | Refusal:
        new = _told_apart(reader, record_of(statement, limits.now))
        if statement.replaces is not None:
            return _correct(reader, statement, new, limits)
        known = reader.get(new.id)
        if known is not None and is_current(known):
            # It is compared as it was said now: a guess that repeats the user has not their rank.
            found = reconcile(new, _rivals(reader, new))
            after = _reinforced(known, new)
            return ChangeSet("learn again", _settled(known, after, found, limits.now))
        return _new(reader, new, known, limits)

    refusal = check(statement)
    return plan if refusal is None else lambda _: refusal


def _told_apart(reader: Reader, new: Record) -> Record:
    """A new fact under an ID of its own, also where one that was reworded by hand has the ID that
    its content gives."""
    turn, text = 0, normalised(new.text)
    while (known := reader.get(new.id)) is not None and normalised(known.text) != text:
        turn += 1
        new = new._replace(id=fact_id(new.scope, new.text, turn))
    return new


def _rivals(reader: Reader, new: Record) -> list[Record]:
    return reader.alike(FACT.name, new.scope, terms(new.text), limit=MOST_RIVALS)


def _new(reader: Reader, new: Record, earlier: Record | None, limits: Limits) -> ChangeSet:
    found = reconcile(new, _rivals(reader, new))
    if found.repeats is not None:
        known = found.repeats.known
        return ChangeSet("learn again", _settled(known, _reinforced(known, new), found, limits.now))
    record = new if earlier is None else _revived(earlier, new)
    if found.stronger is not None:
        if earlier is not None:
            # It stands in the past already, and nothing is stronger than before.
            return ChangeSet("set aside", [Change(earlier, _seen(earlier, new))])
        aside = _ended(new, found.stronger, limits.now)
        return ChangeSet("set aside", [Change(None, aside)])
    if found.beside:
        beside = [one.known.id for one in found.beside]
        record = record._replace(data={**record.data, "beside": beside})
    changes = [Change(earlier, record)]
    changes += [_retired(one, record, limits.now) for one in found.gives_way]
    changes += make_room(reader, record, changes, limits.now, limits.max_facts)
    return ChangeSet("update" if found.gives_way else "learn", changes)


def _correct(
    reader: Reader, statement: Statement, new: Record, limits: Limits
) -> ChangeSet | Refusal:
    wrong = reader.get(statement.replaces or "")
    if wrong is None or wrong.kind != FACT.name or wrong.scope != new.scope:
        return Refusal(
            Reason.NOT_FOUND, f"there is no fact {statement.replaces}", "memoro memory facts"
        )
    if not is_current(wrong):
        return Refusal(
            Reason.CONFLICT,
            f"fact {wrong.id} is not current any more; nothing was changed",
            f"memoro memory history {wrong.id}",
        )
    if wrong.trust > new.trust:
        return Refusal(
            Reason.CONFLICT, f"fact {wrong.id} was said by the user; only the user corrects it"
        )
    known = reader.get(new.id)
    if known is not None and known.id == wrong.id:
        return ChangeSet("learn again", [Change(known, _reinforced(known, new))])
    if known is not None and is_current(known):
        record = _reinforced(known, new)
    else:
        record = new if known is None else _revived(known, new)
    corrected = Change(wrong, _over(wrong, record.id, limits.now, "corrected"))
    return ChangeSet("update", [Change(known, record), corrected])


def _reinforced(known: Record, new: Record) -> Record:
    """A fact that was seen again: surer, more used, in no case less trusted."""
    return _seen(known, new)._replace(
        confidence=round(min(1.0, max(known.confidence, new.confidence) + SEEN_AGAIN), 6),
        trust=max(known.trust, new.trust),
        tags=tuple(dict.fromkeys((*known.tags, *new.tags))),
    )


def _seen(known: Record, new: Record) -> Record:
    at = new.accessed_at or new.created_at
    return known._replace(
        accesses=known.accesses + 1,
        accessed_at=max(known.accessed_at or at, at),
        updated_at=max(known.updated_at, new.updated_at),
        revision=known.revision + 1,
    )


def _settled(known: Record, after: Record, found: Reconciled, now: datetime) -> list[Change]:
    """A fact seen again, and what it contradicts that had stood beside it."""
    return [
        Change(known, after),
        *(_retired(one, after, now) for one in found.gives_way if one.known.id != known.id),
    ]


def _revived(earlier: Record, new: Record) -> Record:
    """A fact of the past that holds again: its first time is kept beside the new one."""
    held: list[Any] = list(earlier.data.get("held", ()))
    if earlier.valid_from is not None and earlier.valid_to is not None:
        held.append([earlier.valid_from.isoformat(), earlier.valid_to.isoformat()])
    data = _without(earlier.data, ("archived", "why", "beside"))
    return _reinforced(earlier, new)._replace(
        data={**data, **({"held": held} if held else {})},
        valid_from=new.valid_from,
        valid_to=None,
        superseded_by=None,
        source_run=new.source_run or earlier.source_run,
        source_message=new.source_message or earlier.source_message,
    )


def _retired(rival: Rival, by: Record, now: datetime) -> Change:
    """A known fact that gives way."""
    why = rival.verdict.why
    return Change(rival.known, _over(rival.known, by.id, by.valid_from or now, why, by.updated_at))


def _ended(new: Record, stronger: Rival, now: datetime) -> Record:
    """A new fact that goes straight to the past."""
    known = stronger.known
    since = new.valid_from or now
    older = is_older(new, known)
    until = known.valid_from or known.created_at if older else max(since, now)
    why = f"{'older' if older else 'weaker'} than what is known: {stronger.verdict.why}"
    return new._replace(data={**new.data, "why": why}, valid_to=until, superseded_by=known.id)


def _over(known: Record, by: str, until: datetime, why: str, at: datetime | None = None) -> Record:
    since = known.valid_from or known.created_at
    return known._replace(
        data={**known.data, "why": why},
        valid_to=max(since, until),
        superseded_by=by,
        updated_at=max(known.updated_at, at or until),
        revision=known.revision + 1,
    )


def _without(data: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    left = dict(data)
    for name in names:
        left.pop(name, None)
    return left

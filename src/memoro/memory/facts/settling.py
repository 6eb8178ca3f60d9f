"""What comes of a new fact beside those that are known: which records change, and how."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from memoro.memory.facts.reconcile import Reconciled, Rival, is_older, reconcile
from memoro.memory.facts.statement import SEEN_AGAIN, is_current
from memoro.memory.records import Record
from memoro.memory.store import Change, ChangeSet


def settle(new: Record, known: Record | None, rivals: Sequence[Record], now: datetime) -> ChangeSet:
    """Take a fact in.

    The change set's action says what came of it: "learn" (new), "learn again" (known, stronger
    now), "update" (it replaced something), "set aside" (what is known is stronger). The first
    change is that of the fact itself.

    Args:
        new: the fact, under the ID that it has or would get.
        known: the record that has this ID already and says the same, current or of the past.
        rivals: current facts that it is compared with.
        now: when it is taken in.
    """
    found = reconcile(new, rivals)
    if known is not None and is_current(known):
        # It is compared as it was said now: a guess that repeats the user has not their rank.
        return ChangeSet("learn again", _settled(known, reinforced(known, new), found, now))
    return _taken_in(new, known, found, now)


def _taken_in(new: Record, earlier: Record | None, found: Reconciled, now: datetime) -> ChangeSet:
    if found.repeats is not None:
        known = found.repeats.known
        return ChangeSet("learn again", _settled(known, reinforced(known, new), found, now))
    record = new if earlier is None else revived(earlier, new)
    if found.stronger is not None:
        if earlier is not None:
            # It stands in the past already, and nothing is stronger than before.
            return ChangeSet("set aside", [Change(earlier, _seen(earlier, new))])
        return ChangeSet("set aside", [Change(None, _ended(new, found.stronger, now))])
    if found.beside:
        beside = [one.known.id for one in found.beside]
        record = record._replace(data={**record.data, "beside": beside})
    retired = [_retired(one, record, now) for one in found.gives_way]
    return ChangeSet("update" if retired else "learn", [Change(earlier, record), *retired])


def reinforced(known: Record, new: Record) -> Record:
    """A fact that was seen again: surer, more used, in no case less trusted."""
    return _seen(known, new)._replace(
        confidence=round(min(1.0, max(known.confidence, new.confidence) + SEEN_AGAIN), 6),
        trust=max(known.trust, new.trust),
        tags=tuple(dict.fromkeys((*known.tags, *new.tags))),
    )


def revived(earlier: Record, new: Record) -> Record:
    """A fact of the past that holds again: its first time is kept beside the new one."""
    held: list[Any] = list(earlier.data.get("held", ()))
    if earlier.valid_from is not None and earlier.valid_to is not None:
        held.append([earlier.valid_from.isoformat(), earlier.valid_to.isoformat()])
    data = _without(earlier.data, ("archived", "why", "beside"))
    return reinforced(earlier, new)._replace(
        data={**data, **({"held": held} if held else {})},
        valid_from=new.valid_from,
        valid_to=None,
        superseded_by=None,
        source_run=new.source_run or earlier.source_run,
        source_message=new.source_message or earlier.source_message,
    )


def replaced(
    known: Record, by: str, until: datetime, why: str, at: datetime | None = None
) -> Record:
    """A fact that another one takes the place of, and goes to the past."""
    since = known.valid_from or known.created_at
    return known._replace(
        data={**known.data, "why": why},
        valid_to=max(since, until),
        superseded_by=by,
        updated_at=max(known.updated_at, at or until),
        revision=known.revision + 1,
    )


def _seen(known: Record, new: Record) -> Record:
    at = new.accessed_at or new.created_at
    return known._replace(
        accesses=known.accesses + new.accesses,
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


def _retired(rival: Rival, by: Record, now: datetime) -> Change:
    """A known fact that gives way."""
    why = rival.verdict.why
    return Change(
        rival.known, replaced(rival.known, by.id, by.valid_from or now, why, by.updated_at)
    )


def _ended(new: Record, stronger: Rival, now: datetime) -> Record:
    """A new fact that goes straight to the past."""
    known = stronger.known
    since = new.valid_from or now
    older = is_older(new, known)
    until = known.valid_from or known.created_at if older else max(since, now)
    why = f"{'older' if older else 'weaker'} than what is known: {stronger.verdict.why}"
    return new._replace(data={**new.data, "why": why}, valid_to=until, superseded_by=known.id)


def _without(data: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    left = dict(data)
    for name in names:
        left.pop(name, None)
    return left

"""Learned facts on their way in: beside what is known here, never in its place."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from memoro.memory.comparing import Relation
from memoro.memory.facts.learn import MOST_RIVALS
from memoro.memory.facts.statement import fact_id, is_current
from memoro.memory.importing.outcome import FORGOTTEN, KNOWN, Rules, Taken
from memoro.memory.importing.staging import Staged
from memoro.memory.records import FACT, Record
from memoro.memory.strength import strength

FRESH_FOR = timedelta(days=30)
"""What was last used longer ago counts as used then: it would fade as soon as it is here."""

_MOST_COMPARISONS = 20_000
"""Of one import: some ten seconds; a larger one makes a few of each fact."""
_LEAST_RIVALS = 2

_SAME = frozenset({Relation.IDENTICAL, Relation.REPHRASED})
_AGAINST = frozenset({Relation.UPDATED, Relation.CONTRADICTED})


def content(fact: Record) -> str:
    """What identifies a fact's content."""
    return fact_id(fact.scope, fact.text)


def take_fact(staged: Staged, record: Record, rules: Rules, rivals: int) -> Taken:
    """A fact: known where it, or another way to say it, is here; set aside where it contradicts
    what is. It is compared with at most `rivals` of those."""
    identity = content(record)
    if staged.same(FACT.name, record.scope, identity, content) is not None:
        return KNOWN
    if staged.was_forgotten(identity, record.id):
        return Taken("left", FORGOTTEN)
    known = staged.get(record.id) if record.id else None
    if known is not None or not record.id:
        # Another record has that ID: the same one of before that has other words by now, perhaps.
        record = record._replace(id=identity)
        if staged.get(identity) is not None:
            return KNOWN
    if is_current(record):
        taken = _beside(staged, _fresh(record, rules), rules, rivals)
        if taken.record is None:
            return taken
        record = taken.record
    staged.put(record)
    staged.know(record, identity)
    return Taken("new", record=record)


def rivals_of(facts: int) -> int:
    """How many known facts each of so many is compared with."""
    return max(_LEAST_RIVALS, min(MOST_RIVALS, _MOST_COMPARISONS // max(1, facts)))


def _fresh(record: Record, rules: Rules) -> Record:
    used = record.accessed_at or record.created_at
    return record._replace(accessed_at=min(rules.now, max(used, rules.now - FRESH_FOR)))


def _beside(staged: Staged, record: Record, rules: Rules, rivals: int) -> Taken:
    """A current fact beside those that are known here."""
    known = staged.rivals(record.scope, rules.comparisons).near(record.text, rivals)
    verdicts = [(one, rules.comparisons.verdict(one.text, record.text)) for one in known]
    if any(verdict.relation in _SAME for _, verdict in verdicts):
        return KNOWN
    against = [(one, verdict) for one, verdict in verdicts if verdict.relation in _AGAINST]
    if against:
        stronger, verdict = max(against, key=lambda pair: (pair[0].trust, strength(pair[0])))
        since = record.valid_from or record.created_at
        why = f"what was known here stands: {verdict.why}"
        return Taken(
            "new",
            record=record._replace(
                data={**record.data, "why": why},
                valid_to=max(since, rules.now),
                superseded_by=stronger.id,
            ),
        )
    beside = [one.id for one, verdict in verdicts if verdict.relation is Relation.UNSURE]
    data = {**record.data, "beside": beside} if beside else record.data
    return Taken("new", record=record._replace(data=data))


def beyond_limit(staged: Staged, rules: Rules) -> list[Record]:
    """The new facts that their scopes have no room for, archived: the least trusted and weakest of
    them. What is here stays."""
    if not rules.max_facts:
        return []
    by_scope: dict[str, list[Record]] = {}
    for one in staged.new:
        if one.kind == FACT.name and is_current(one):
            by_scope.setdefault(one.scope, []).append(one)
    put_away: list[Record] = []
    for scope, facts in by_scope.items():
        room = max(0, rules.max_facts - staged.current(FACT.name, scope))
        put_away += [_archived(one, rules) for one in _weakest(facts, len(facts) - room)]
    for one in put_away:
        staged.put(one)
    return put_away


def _weakest(facts: Sequence[Record], count: int) -> list[Record]:
    if count <= 0:
        return []
    return sorted(facts, key=lambda one: (one.trust, strength(one), one.id))[:count]


def _archived(fact: Record, rules: Rules) -> Record:
    why = f"one of the weakest of an import, beyond {rules.max_facts:,} facts"
    return fact._replace(data={**fact.data, "archived": rules.now.isoformat(), "why": why})

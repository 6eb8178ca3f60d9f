"""Learned facts on their way in: beside what is known here, never in its place; among themselves as
if they had been learned one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from memoro.memory.comparing import Relation, compare
from memoro.memory.facts.learn import MOST_RIVALS
from memoro.memory.facts.settling import settle
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
_MOST_WORDINGS = 200
_ALSO = "also"
"""In what is kept of where a fact comes from: the further wordings of it that came, by what
identifies them. They are known when they come again, whatever became of the fact."""


def content(fact: Record) -> str:
    """What identifies a fact's content."""
    return fact_id(fact.scope, fact.text)


def contents(fact: Record) -> list[str]:
    """The same, with the other wordings of it that came."""
    also = _imported(fact).get(_ALSO)
    return [*(map(str, also) if isinstance(also, list) else ()), content(fact)]


def take_fact(staged: Staged, record: Record, rules: Rules, rivals: int) -> Taken:
    """A fact: known where it, or another way to say it, is here; set aside where it contradicts
    what is; merged with those that came before it. It is compared with at most `rivals` of
    each."""
    identity = content(record)
    known = staged.same(FACT.name, record.scope, identity, contents)
    if known is not None and staged.is_stored(known):
        return KNOWN
    if _is_kept_out(staged, record, identity, rivals):
        return Taken("left", FORGOTTEN)
    if known is not None:
        return _again(staged, known, record, rules, rivals)
    taken_id = staged.get(record.id) if record.id else None
    if taken_id is not None or not record.id:
        # Another record has that ID: the same one of before that has other words by now, perhaps.
        record = record._replace(id=identity)
        if staged.get(identity) is not None:
            return KNOWN
    if is_current(record):
        record = _fresh(record, rules)
        near = staged.rivals(record.scope).near(record.text, rivals)
        beside = beside_known(record, near, rules)
        if beside is None:
            return KNOWN
        if is_current(beside):
            return _among(staged, beside, None, rules, rivals)
        record = beside
    return _put(staged, record, identity)


def rivals_of(facts: int) -> int:
    """How many known facts each of so many is compared with."""
    return max(_LEAST_RIVALS, min(MOST_RIVALS, _MOST_COMPARISONS // max(1, facts)))


def said_at(fact: Record) -> tuple[bool, float]:
    """What puts facts in the order in which they were said; those of an archive come last."""
    return not is_current(fact), _since(fact).timestamp()


def beside_known(record: Record, known: Sequence[Record], rules: Rules) -> Record | None:
    """A current fact as it comes in beside what is known here, which stands; None where one of
    those says the same."""
    verdicts = [(one, compare(one.text, record.text)) for one in known]
    if any(verdict.relation in _SAME for _, verdict in verdicts):
        return None
    against = [(one, verdict) for one, verdict in verdicts if verdict.relation in _AGAINST]
    if against:
        stronger, verdict = max(against, key=lambda pair: (pair[0].trust, strength(pair[0])))
        since = _since(record)
        why = f"what was known here stands: {verdict.why}"
        return record._replace(
            data={**record.data, "why": why},
            valid_to=max(since, rules.now),
            superseded_by=stronger.id,
        )
    beside = [one.id for one, verdict in verdicts if verdict.relation is Relation.UNSURE]
    return record._replace(data={**record.data, "beside": beside}) if beside else record


def _fresh(record: Record, rules: Rules) -> Record:
    used = record.accessed_at or record.created_at
    return record._replace(accessed_at=min(rules.now, max(used, rules.now - FRESH_FOR)))


def _is_kept_out(staged: Staged, record: Record, identity: str, rivals: int) -> bool:
    """Whether a fact was forgotten here, or is another way to say one that was."""
    kept_out = staged.kept_out(record.scope)
    if staged.was_forgotten(identity, record.id):
        kept_out.put(record._replace(id=identity))
        return True
    near = kept_out.near(record.text, rivals)
    return any(compare(one.text, record.text).relation in _SAME for one in near)


def _again(staged: Staged, known: Record, record: Record, rules: Rules, rivals: int) -> Taken:
    """The same words once more."""
    if not is_current(record) or "archived" in known.data:
        return Taken("merged", record=known)
    return _among(staged, _fresh(record, rules)._replace(id=known.id), known, rules, rivals)


def _among(
    staged: Staged, record: Record, known: Record | None, rules: Rules, rivals: int
) -> Taken:
    """A current fact among those that came before it; `known` is the one of the same words."""
    newcomers = staged.newcomers(record.scope)
    near = [one for one in newcomers.near(record.text, rivals) if _bears_on(one, record)]
    wanted = settle(record, known, near, rules.now)
    first = wanted.changes[0].subject
    if known is None and first.id != record.id:
        first = _with_wording(first, record)
    changed = [first, *(change.subject for change in wanted.changes[1:])]
    for one in changed:
        # To the store, each of them is new.
        staged.put(one._replace(revision=1))
        (newcomers.put if is_current(one) else newcomers.drop)(one._replace(revision=1))
    staged.know(first, content(record))
    verdict = "new" if wanted.changes[0].before is None else "merged"
    return Taken(verdict, record=first)


def _bears_on(known: Record, record: Record) -> bool:
    """Whether a fact that came before another one can be the same, or be brought up to date by it.
    What is true of one person is nothing to another; and what was said at the same moment was meant
    to stand side by side, but for what says the same."""
    if known.id == record.id or _imported(known).get("user") != _imported(record).get("user"):
        return False
    same_moment = _since(known) == _since(record)
    return not same_moment or compare(known.text, record.text).relation in _SAME


def _since(fact: Record) -> datetime:
    return fact.valid_from or fact.created_at


def _with_wording(known: Record, other: Record) -> Record:
    imported = _imported(known)
    also = [*contents(known)[:-1], content(other)][-_MOST_WORDINGS:]
    return known._replace(data={**known.data, "imported": {**imported, _ALSO: also}})


def _put(staged: Staged, record: Record, identity: str) -> Taken:
    staged.put(record)
    staged.know(record, identity)
    return Taken("new", record=record)


def _imported(fact: Record) -> dict[str, object]:
    told = fact.data.get("imported")
    return told if isinstance(told, dict) else {}


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

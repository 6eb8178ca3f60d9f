"""What a new statement does to what is known: it repeats it, replaces it, or stands beside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from memoro.memory.comparing import Relation, Verdict, compare
from memoro.memory.facts.statement import CONFIDENCE, sureness
from memoro.memory.records import Record
from memoro.memory.strength import strength

_REPEATS = frozenset({Relation.IDENTICAL, Relation.REPHRASED})
_REPLACES = frozenset({Relation.UPDATED, Relation.CONTRADICTED})
_PLAIN = CONFIDENCE["extracted"]
"""How sure a word of higher rank has to be: not a hedge."""


class Rival(NamedTuple):
    """A known fact, and how the new statement relates to it."""

    known: Record
    verdict: Verdict


class Reconciled(NamedTuple):
    """What is to be done: `repeats` is the fact that says it already; `gives_way` are those that
    it replaces; `stronger` the one that it can't replace; `beside` those of which it can't be
    told, so that both stay."""

    repeats: Rival | None
    gives_way: tuple[Rival, ...]
    stronger: Rival | None
    beside: tuple[Rival, ...]


def reconcile(new: Record, known: Sequence[Record]) -> Reconciled:
    """Compare a new fact with the current ones of its scope.

    A fact is replaced by one of equal or higher trust that is said later and as surely; a word of
    higher rank replaces whatever ranks below it, unless it is hedged.
    """
    rivals = [Rival(one, compare(one.text, new.text)) for one in known if one.id != new.id]
    rivals = [_made_certain(one, new) for one in rivals]
    repeats = [one for one in rivals if one.verdict.relation in _REPEATS]
    against = [one for one in rivals if one.verdict.relation in _REPLACES]
    best = max(repeats, key=lambda one: _weight(one.known), default=None)
    held = [one for one in against if not gives_way(one.known, new)]
    stronger = max(held, key=lambda one: _weight(one.known), default=None)
    return Reconciled(
        best,
        () if stronger is not None else tuple(against),
        stronger,
        tuple(one for one in rivals if one.verdict.relation is Relation.UNSURE),
    )


def _made_certain(rival: Rival, new: Record) -> Rival:
    """What was a guess is replaced by the same as a plain statement, not made a surer guess."""
    guessed = "hedged" in rival.known.data and "hedged" not in new.data
    if guessed and rival.verdict.relation in _REPEATS and gives_way(rival.known, new):
        return rival._replace(verdict=Verdict(Relation.UPDATED, "no longer a guess"))
    return rival


def gives_way(known: Record, new: Record) -> bool:
    """Whether a known fact may be replaced by a new one.

    What counts is how sure each was when it was said: being seen again makes a fact easier to
    recall, and must not make it harder to correct.
    """
    if new.trust < known.trust or (is_older(new, known) and new.trust == known.trust):
        return False
    sure = sureness(new)
    return sure >= sureness(known) or (new.trust > known.trust and sure >= _PLAIN)


def is_older(new: Record, known: Record) -> bool:
    """Whether a new fact was said before the known one."""
    return (new.valid_from or new.created_at) < (known.valid_from or known.created_at)


def _weight(fact: Record) -> tuple[int, float, float, str]:
    return fact.trust, fact.confidence, strength(fact), fact.id

"""Comparing two statements."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from memoro.memory.comparing.claims.claim import Statement
from memoro.memory.comparing.claims.statements import read
from memoro.memory.comparing.judging.statements import relate
from memoro.memory.comparing.normal import normalised
from memoro.memory.comparing.terms import terms_of
from memoro.memory.comparing.verdict import Relation, Verdict

_IDENTICAL = Verdict(Relation.IDENTICAL, "the same words")
_NOTHING_SHARED = Verdict(Relation.DISTINCT, "about something else")
_KEPT = 512
"""Statements that are kept as they were read, since one is compared with many."""


class _Read(NamedTuple):
    normal: str
    statement: Statement
    terms: frozenset[str]


@lru_cache(maxsize=_KEPT)
def _read(text: str) -> _Read:
    normal, statement = normalised(text), read(text)
    return _Read(normal, statement, terms_of(statement, normal))


def compare(known: str, new: str) -> Verdict:
    """How the new statement relates to the known one. Never raises."""
    one, other = _read(known), _read(new)
    if one.normal == other.normal:
        return _IDENTICAL
    if one.terms.isdisjoint(other.terms):
        return _NOTHING_SHARED
    return relate(one.statement, other.statement)


def terms(text: str) -> frozenset[str]:
    """What an index keeps of a statement: at most 32 terms.

    Two statements of which `compare` says anything but DISTINCT have one in common.
    """
    return _read(text).terms


def is_hedged(text: str) -> bool:
    """Whether a statement says itself that it may not be so: "may", "probably", 可能."""
    return _read(text).statement.hedged

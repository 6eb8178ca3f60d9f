"""Texts that are too long to be read into claims, compared sentence by sentence."""

from __future__ import annotations

import re

from memoro.memory.comparing.normal import normalised
from memoro.memory.comparing.verdict import Relation, Verdict

_SENTENCE_END = re.compile(r"[.;!?]\s|[\n。！？；]")


def relate_long(known: str, new: str) -> Verdict:
    """Relate two texts of which one is long at least; where only some sentences are the same,
    nobody can tell what became of the others."""
    one, other = _sentences(known), _sentences(new)
    shared = one & other
    if shared and not other - one:
        return Verdict(Relation.REPHRASED, "said already")
    if shared and not one - other:
        return Verdict(Relation.UPDATED, "says more")
    if shared:
        return Verdict(Relation.UNSURE, "a part of it is the same")
    return Verdict(Relation.DISTINCT, "about something else")


def _sentences(text: str) -> frozenset[str]:
    found = (normalised(sentence) for sentence in _SENTENCE_END.split(text))
    return frozenset(sentence for sentence in found if sentence)

"""A second look at statements whose claims could not be related: their words, side by side.

It knows no attributes. It knows how people say that something has changed ("now", "passou a",
不再), and which differences between two otherwise equal sentences change what is said.
"""

from __future__ import annotations

from memoro.memory.comparing.claims.claim import Statement
from memoro.memory.comparing.judging import substitutions, turning_points
from memoro.memory.comparing.judging.rephrasings import (
    agent_last,
    cleft,
    led,
    moved_time,
    same_but_for_being,
    shortened,
    turned_around,
    turned_to_passive,
    unmarked,
)
from memoro.memory.comparing.judging.side_by_side import plain
from memoro.memory.comparing.verdict import Relation, Verdict


def aligned(known: Statement, new: Statement) -> Verdict | None:
    """Relate two statements by their words; None where that tells nothing."""
    if known.language != new.language:
        return None
    texts = plain(known.text), plain(new.text)
    return (
        unmarked(*texts)
        or substitutions.relabelled(*texts)
        or moved_time(known, new)
        or turning_points.denied(known, new, texts)
        or turning_points.taken_over(known, new, texts)
        or turned_around(*texts)
        or turning_points.moved_from(known, new, texts)
        or led(*texts)
        or shortened(*texts)
        or turning_points.other_status(known, new, texts)
        or turning_points.not_but(known, new, texts)
        or same_but_for_being(known, new, texts)
        or agent_last(known, new, texts)
        or turned_to_passive(*texts)
        or turned_to_passive(*texts[::-1])
        or cleft(known, new, texts)
        or substitutions.counted(*texts)
        or substitutions.measured(known, new)
        or turning_points.ceased(known, new, texts)
        or turning_points.otherwise_often(known, new, texts)
        or turning_points.negated_word(known, new)
        or turning_points.narrowed(known, new, texts)
        or substitutions.substituted(known, new, texts)
        or substitutions.continued(known, new, texts)
        or turning_points.rescheduled(known, new, texts)
        or turning_points.changed(known, new, texts)
    )


def retold(known: Statement, new: Statement) -> Verdict | None:
    """Whether the same two things have changed places in "first … then", "rather … than"; or
    whether nothing but marks around paths differs."""
    one, other = (tuple(w.key.strip("`/") for w in each.content) for each in (known, new))
    if one == other and known.flags == new.flags and known.content != new.content:
        paths = {w.key.strip("`/") for w in known.content if "/" in w.key}
        if paths and {w.key.strip("`/") for w in new.content if "/" in w.key} == paths:
            return Verdict(Relation.REPHRASED, "the same words")
    return turning_points.reordered(plain(known.text), plain(new.text))

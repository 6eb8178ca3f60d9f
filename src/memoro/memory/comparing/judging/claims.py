"""How one claim relates to another."""

from __future__ import annotations

from memoro.memory.comparing.claims.claim import Claim
from memoro.memory.comparing.judging.attributes import (
    changed_figure,
    comes_after,
    judge_avoiding,
    judge_kinds,
    judge_leaving,
    judge_product,
    judge_rule,
)
from memoro.memory.comparing.judging.outcomes import (
    ALREADY,
    LESS,
    OPPOSITE,
    WISHES,
    Judgement,
    Outcome,
    distinct,
)
from memoro.memory.comparing.judging.sayings import judge_plain_words, judge_values
from memoro.memory.comparing.judging.scopes import judge_scopes, order_of_steps
from memoro.memory.comparing.judging.subjects import (
    is_turned_round,
    judge_subjects,
    same_kind,
    same_subject,
)
from memoro.memory.comparing.judging.values import difference, shown
from memoro.memory.comparing.judging.wishes import judge_wishes
from memoro.memory.comparing.tokens.token import CODE, FIGURES, TIME


def judge(known: Claim, new: Claim, across: bool) -> Judgement:
    """Relate two claims; `across` languages, where one place may have two names."""
    if comes_after(known, new):
        judged = Judgement(Outcome.ANOTHER, f"{shown(known.value)} → {shown(new.value)}")
    elif (product := judge_product(known, new)) is not None:
        judged = product
    elif known.attribute != new.attribute:
        judged = _other_attribute(known, new)
    elif not same_subject(known, new):
        judged = judge_subjects(known, new)
    else:
        judged = _in_scope(known, new)
    if judged.outcome is Outcome.SAME:
        judged = _with_alternatives(known, new, judged)
    if across and judged.outcome in (Outcome.ANOTHER, Outcome.MORE) and not _exact(known, new):
        return Judgement(Outcome.UNSURE, "perhaps the same in another language")
    return judged


def _with_alternatives(known: Claim, new: Claim, judged: Judgement) -> Judgement:
    """The same value: in the place of the same, of nothing, or of something else?"""
    if (known.old and new.old and known.old != new.old) or (
        known.over and new.over and known.over != new.over
    ):
        return Judgement(Outcome.UNSURE, "in the place of something else")
    if known.over == new.over:
        return judged
    return LESS if known.over else Judgement(Outcome.MORE, "says more")


def same_words(known: Claim, new: Claim) -> bool:
    """Whether two values have the same words."""
    return {word.key for word in known.value} == {word.key for word in new.value}


def _exact(known: Claim, new: Claim) -> bool:
    """Whether both values are figures, times or identifiers, which no language changes."""
    return all(
        word.kind in FIGURES or word.kind in (TIME, CODE) for word in (*known.value, *new.value)
    )


def _other_attribute(known: Claim, new: Claim) -> Judgement:
    """Claims with other verbs: a few pairs speak of the same after all."""
    if {known.attribute, new.attribute} <= WISHES and same_subject(known, new):
        return judge_wishes(known, new)
    if new.old and known.old == new.old and same_kind(known, new) and same_words(known, new):
        return ALREADY
    if is_turned_round(known, new) or is_turned_round(new, known):
        return ALREADY if known.negative == new.negative else OPPOSITE
    if {"leave", "sell"} & {known.attribute, new.attribute}:
        return judge_leaving(known, new)
    if (order := order_of_steps(known, new)) is not None:
        return order
    return (
        judge_avoiding(known, new)
        or judge_rule(known, new)
        or changed_figure(known, new)
        or judge_kinds(known, new)
    )


def _in_scope(known: Claim, new: Claim) -> Judgement:
    """Claims about the same: first where and when they hold, then what they say."""
    if {known.tense, new.tense} != {known.tense} and not _tenses_meet(known, new):
        return _other_tense(known, new)
    if known.tense in ("past", "once"):
        diff = difference(known.value, new.value)
        if diff.gone and diff.came:
            return distinct("at another time")
    left, right = known.about | known.scope, new.about | new.scope
    if left != right:
        return judge_scopes(known, new)
    if known.attribute in WISHES:
        return judge_wishes(known, new)
    return judge_values(known, new) if known.attribute else judge_plain_words(known, new)


def _tenses_meet(known: Claim, new: Claim) -> bool:
    return known.tense == new.tense or (
        "past" not in (known.tense, new.tense) and bool({"@when", "@start", "@end"} & known.about)
    )


def _other_tense(known: Claim, new: Claim) -> Judgement:
    diff = difference(known.value, new.value)
    if "plan" in (known.tense, new.tense) or (diff.gone and diff.came):
        return distinct("at another time")
    if "once" in (known.tense, new.tense):
        return Judgement(Outcome.UNSURE, "at another time, perhaps")
    if known.negative != new.negative:
        # "used to live in Porto" is "no longer lives in Porto".
        return ALREADY
    return Judgement(Outcome.OPPOSITE, "no longer" if new.tense == "past" else "again")

"""Where and when claims hold."""

from __future__ import annotations

from memoro.memory.comparing.claims.claim import ANYBODY, SCOPE_MARK, THE_USER, Claim
from memoro.memory.comparing.judging.outcomes import (
    ALREADY,
    BE,
    LESS,
    OPPOSITE,
    WISHES,
    Judgement,
    Outcome,
    distinct,
)
from memoro.memory.comparing.judging.subjects import about_words, shown_keys
from memoro.memory.comparing.judging.values import difference
from memoro.memory.comparing.lexicon.kinds import FREE_CHOICE, KINDS


def judge_scopes(known: Claim, new: Claim) -> Judgement:
    """Claims of the same that don't hold in the same cases."""
    gone, came = known.scope - new.scope, new.scope - known.scope
    why = about_words(known, new)
    diff = difference(known.value, new.value)
    if gone and came and (order := order_of_steps(known, new)) is not None:
        return order
    if gone and came:
        kinds = _scope_kinds(gone) & _scope_kinds(came) & FREE_CHOICE
        if known.attribute in WISHES and kinds and not diff.gone and not diff.came:
            return Judgement(
                Outcome.ANOTHER, f"{shown_keys(known, gone)} → {shown_keys(new, came)}"
            )
        return distinct(why)
    if not diff.gone and not diff.came and _is_denied_as_a_whole(known, new, gone, came):
        return OPPOSITE
    if diff.gone or diff.came or known.negative != new.negative:
        return distinct(why)
    if _lasting(known):
        return LESS if gone else Judgement(Outcome.MORE, "says more")
    return Judgement(Outcome.UNSURE, why)


def _is_denied_as_a_whole(
    known: Claim, new: Claim, gone: frozenset[str], came: frozenset[str]
) -> bool:
    """ "plays chess on Sundays" and "no longer plays chess": the wider one denies the other."""
    return (new.negative and not known.negative and not came) or (
        known.negative and not new.negative and not gone
    )


def _lasting(claim: Claim) -> bool:
    """Whether a claim about a person's life holds also without where and with whom."""
    return (
        claim.attribute == BE
        and claim.subject in (THE_USER, ANYBODY)
        and bool({"@home", "@employer", "@role", "@age", "@birthday"} & claim.about)
    )


def _scope_kinds(keys: frozenset[str]) -> frozenset[str]:
    return frozenset(kind for key in keys for kind in KINDS.get(key, ()))


def order_of_steps(known: Claim, new: Claim) -> Judgement | None:
    """ "lint before the tests" against "tests before lint", "tests after lint"; None where there
    are no such steps."""
    if not known.scope or not new.scope:
        return None
    first, then = _steps(known), _steps(new)
    if first is None or then is None or known.negative != new.negative:
        return None
    if first == then:
        return ALREADY
    if first == (then[1], then[0]):
        return Judgement(Outcome.ANOTHER, "the other way round")
    return None


def _steps(claim: Claim) -> tuple[frozenset[str], frozenset[str]] | None:
    """What comes first and what then, for a claim with "before" or "after"."""
    value = frozenset(word.key for word in claim.value) | claim.about or frozenset({claim.deed})
    marked = [key.rpartition(SCOPE_MARK) for key in claim.scope]
    rest = frozenset(name for _, _, name in marked)
    if all(prefix == "before" for prefix, _, _ in marked):
        return value, rest
    if all(prefix == "after" for prefix, _, _ in marked):
        return rest, value
    return None

"""Whether two claims are about the same."""

from __future__ import annotations

from memoro.memory.comparing.claims.claim import ANYBODY, SCOPE_MARK, THE_USER, Claim
from memoro.memory.comparing.judging.outcomes import (
    ALREADY,
    BE,
    OPPOSITE,
    Judgement,
    Outcome,
    distinct,
)
from memoro.memory.comparing.judging.values import cut, difference
from memoro.memory.comparing.lexicon.listing import listed


def same_subject(known: Claim, new: Claim) -> bool:
    """Whether two claims are about the same, as far as their words go."""
    if known.about != new.about and known.about | known.scope != new.about | new.scope:
        return False
    return same_kind(known, new)


def same_kind(known: Claim, new: Claim) -> bool:
    """Whether it isn't the user in one and something else in the other."""
    return (
        known.subject == new.subject
        or ANYBODY in (known.subject, new.subject)
        or (THE_USER not in (known.subject, new.subject))
    )


def judge_subjects(known: Claim, new: Claim) -> Judgement:
    """The same attribute of something else, unless somebody else does the same thing now."""
    diff = difference(known.value, new.value)
    same_value = bool(known.value) and not diff.gone and not diff.came
    if is_turned_round(known, new) or is_turned_round(new, known):
        return ALREADY if known.negative == new.negative else OPPOSITE
    about = about_words(known, new)
    gone, came = known.about - new.about, new.about - known.about
    if same_value and gone and came and _is_taken_over(known, new):
        return Judgement(Outcome.ANOTHER, about)
    if same_value and not (gone and came):
        return Judgement(Outcome.UNSURE, f"{about}, perhaps")
    return distinct(about)


def _is_taken_over(known: Claim, new: Claim) -> bool:
    return known.verb in _DUTIES and new.newer and not known.newer and known.scope == new.scope


_DUTIES = listed(
    """
    review maintain approve handle monitor check manage lead run deploy ship sign test host
    merge restart document organise organize chair moderate coordinate supervise fix deliver
    write send translate
    """
)
"""What one does for all: another who does it "now" does it in the place of the first."""


def is_turned_round(one: Claim, other: Claim) -> bool:
    """ "run the linter" and "the linter is run", "the linter must run": nobody else is named."""
    if one.verb != other.verb or not one.verb or one.attribute == BE:
        return False
    if one.subject != ANYBODY or one.about or not one.value or not other.about:
        return False
    about = (key for key in other.about if key[:1] != "@")
    said = one.scope.union(word.key for word in one.value)
    return said == other.scope.union(about, (word.key for word in other.value))


def about_words(known: Claim, new: Claim) -> str:
    """What one claim is about and the other isn't, in the words of each."""
    came = shown_keys(new, (new.about | new.scope) - (known.about | known.scope))
    gone = shown_keys(known, (known.about | known.scope) - (new.about | new.scope))
    if came and gone:
        return f"about {came}, not {gone}"
    return f"about {came}" if came else f"not about {gone}" if gone else "about somebody else"


_MOST_SHOWN = 3


def shown_keys(claim: Claim, keys: frozenset[str]) -> str:
    """Some of a claim's words as they were written, in their order."""
    names = {key.rpartition(SCOPE_MARK)[2] for key in keys}
    texts = [text for key, text in claim.texts.items() if key in names]
    texts += [name[1:] for name in sorted(names) if name[:1] == "@" and name not in claim.texts]
    return cut(" ".join(texts[::-1][:_MOST_SHOWN]))


def is_undone(known: Claim, new: Claim) -> bool:
    """ "Replace foo with bar" against "replace bar with foo": two tasks, where nobody is named."""
    return (
        known.subject == ANYBODY
        and bool(known.old)
        and known.old == frozenset(word.key for word in new.value)
    )

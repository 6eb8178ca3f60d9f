"""What two claims about the same say of it."""

from __future__ import annotations

from memoro.memory.comparing.claims.claim import Claim
from memoro.memory.comparing.clauses.frame import DENIED
from memoro.memory.comparing.judging.outcomes import (
    ALREADY,
    BE,
    LESS,
    OPPOSITE,
    WISHES,
    Judgement,
    Outcome,
    another_value,
    distinct,
)
from memoro.memory.comparing.judging.replacements import is_index, judge_replaced
from memoro.memory.comparing.judging.values import (
    BOUNDS,
    Difference,
    are_figures,
    difference,
    shown,
)
from memoro.memory.comparing.tokens.token import FIGURES, TIME
from memoro.memory.comparing.words.word import NAME, Word


def judge_plain_words(known: Claim, new: Claim) -> Judgement:
    """Claims without a verb that is known: only their words can be compared, in order."""
    one, other = [w.key for w in known.value], [w.key for w in new.value]
    if known.negative != new.negative:
        return OPPOSITE if one == other else distinct("about something else")
    if one == other:
        return _same_value(known, new)
    if len(other) > len(one) > 1 and other[: len(one)] == one:
        return Judgement(Outcome.MORE, "says more")
    if len(one) > len(other) > 1 and one[: len(other)] == other:
        return LESS
    diff = difference(known.value, new.value)
    if not diff.gone and not diff.came:
        alike = len(one) == len(other) and sorted(one) != sorted(other)
        return ALREADY if alike else Judgement(Outcome.UNSURE, "the same words in another order")
    if len(one) == len(other) and one[0] == other[0] and len(diff.gone) == len(diff.came) == 1:
        late = one.index(diff.gone[0].key) == other.index(diff.came[0].key)
        if (
            late
            and are_figures(diff.gone)
            and are_figures(diff.came)
            and not is_index(known.value, diff.gone)
        ):
            return another_value(diff, new)
    return distinct("about something else")


def judge_values(known: Claim, new: Claim) -> Judgement:
    """What two claims about the same say of it."""
    diff = difference(known.value, new.value)
    if known.negative != new.negative:
        return _turned_polarity(known, new, diff)
    if not diff.gone and not diff.came:
        return _same_value(known, new)
    if not diff.gone or not diff.came:
        return _contained(known, new, diff)
    if _are_denied(diff.gone, diff.came) or _are_denied(diff.came, diff.gone):
        return OPPOSITE
    if known.negative:
        # "isn't vegan" and "isn't vegetarian" hold together.
        return distinct("about something else")
    return judge_replaced(known, new, diff)


def _are_denied(one: tuple[Word, ...], other: tuple[Word, ...]) -> bool:
    """Whether the one has the other's words, denied: "with" and "without approval"."""
    return [word.key for word in one] == [f"{DENIED}{word.key}" for word in other]


def _turned_polarity(known: Claim, new: Claim, diff: Difference) -> Judgement:
    gone = tuple(word for word in diff.gone if word.kind not in FIGURES)
    came = tuple(word for word in diff.came if word.kind not in FIGURES)
    if gone and came:
        return distinct("about something else")
    if not gone and not came:
        return OPPOSITE
    if (gone and known.negative) or (came and new.negative):
        # "doesn't eat red meat" and "eats meat" hold together.
        return Judgement(Outcome.UNSURE, "the opposite of a part")
    return OPPOSITE


# "Usually" is a colour of the sentence, "sometimes" says something else.
_LAX = (
    {"", "always"},
    {"", "usually"},
    {"", "all"},
    {"always", "all"},
    {"usually", "often"},
    {"", "often"},
)


def _same_value(known: Claim, new: Claim) -> Judgement:
    if known.often != new.often and {known.often, new.often} not in _LAX:
        return Judgement(Outcome.ANOTHER, f"{known.often or 'always'} → {new.often or 'always'}")
    ends, others = _ends(known.value), _ends(new.value)
    if _in_other_order(known.value, new.value) or (ends and others and ends != others):
        return Judgement(Outcome.UNSURE, "the same words in another order")
    return ALREADY


def _in_other_order(known: tuple[Word, ...], new: tuple[Word, ...]) -> bool:
    """Whether figures or names have changed places: "3 of 5" is not "5 of 3"."""
    one = [word.key for word in known if word.kind in FIGURES or word.kind == NAME]
    other = [word.key for word in new if word.kind in FIGURES or word.kind == NAME]
    return [key for key in one if key in other] != [key for key in other if key in one]


def _ends(value: tuple[Word, ...]) -> frozenset[tuple[str, str]]:
    return frozenset((word.role, word.key) for word in value if word.role in ("from", "to"))


def _contained(known: Claim, new: Claim, diff: Difference) -> Judgement:
    """One value has all of the other's words: it says more, or speaks of another thing."""
    more = not diff.gone
    extra = diff.came if more else diff.gone
    if not known.value or not new.value:
        return Judgement(Outcome.UNSURE, "says more" if more else "says less")
    if known.attribute in WISHES and any(word.role[0] == "V" for word in extra):
        # To want something is no part of wanting to learn it.
        return distinct("about something else")
    if known.head != new.head and not _still_same_thing(known, new, extra):
        return distinct("about something else")
    if known.negative:
        # "doesn't eat meat" says more than "doesn't eat red meat".
        more = not more
    return Judgement(Outcome.MORE, f"says more: {shown(extra)}") if more else LESS


def _still_same_thing(known: Claim, new: Claim, extra: tuple[Word, ...]) -> bool:
    if all(word.kind in FIGURES or word.kind == TIME or word.key in BOUNDS for word in extra):
        return True
    return (
        known.attribute == BE and bool(known.about) and any(key[:1] == "@" for key in known.about)
    )

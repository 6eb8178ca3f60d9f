"""One value in the place of another: a newer one, or another fact."""

from __future__ import annotations

from memoro.memory.comparing.claims.claim import ANYBODY, THE_USER, Claim
from memoro.memory.comparing.judging.outcomes import (
    BE,
    HELD,
    LESS,
    OPPOSITE,
    WISHES,
    Judgement,
    Outcome,
    another_value,
    distinct,
    either_value,
)
from memoro.memory.comparing.judging.subjects import is_undone
from memoro.memory.comparing.judging.values import (
    Difference,
    are_codes,
    are_figures,
    are_names,
    are_opposite,
    are_times,
    is_part_of_version,
    kinds_among,
    shown,
)
from memoro.memory.comparing.lexicon.kinds import (
    FREE_CHOICE,
    KINDS,
    MANY_AT_ONCE,
    ONE_AT_A_TIME,
    OPPOSITES,
    STATES,
    TEXTS,
)
from memoro.memory.comparing.lexicon.listing import listed
from memoro.memory.comparing.lexicon.marks import SINGLE_NOUNS
from memoro.memory.comparing.lexicon.people import SEVERAL
from memoro.memory.comparing.tokens.token import ASSIGNED, CODE, FIGURES, TIME
from memoro.memory.comparing.words.word import NAME, Word

_ACCUMULATING = listed(
    """
    use like have know speak eat drink play learn study teach watch read listen-to visit
    travel own allergic intolerant interest good-at fluent buy write collect depend wear cook
    make mentor
    """
)
_INDEXED = listed(
    """
    issue ticket bug pr pull-request mr commit section chapter step page line figure table
    item task question exercise phase sprint milestone node worker server machine replica
    shard issues 问题
    """
)


def judge_replaced(known: Claim, new: Claim, diff: Difference) -> Judgement:
    """Both have words of their own: another value, or another fact."""
    gone, came = diff.gone, diff.came
    if are_figures(gone) and are_figures(came):
        return _other_figure(known, new, diff)
    if known.often != new.often and "rarely" in (known.often, new.often):
        return distinct("about something else")
    if are_times(gone) and are_times(came):
        if _same_facet(gone, came):
            return another_value(diff, new)
        return distinct("says when in another way")
    if _assigned(known.value, gone):
        return another_value(diff, new)
    kinds = kinds_among(gone) & kinds_among(came)
    if known.attribute == BE and known.about & SEVERAL and known.about - SEVERAL <= {"@name"}:
        return another_value(diff, new) if new.newer else either_value(diff)
    if known.attribute == BE and _has_one_value(known):
        return _other_single(known, new, diff, kinds)
    if known.attribute == BE:
        return _other_state(known, new, diff, kinds)
    if known.attribute in WISHES:
        return judge_other_wish(known, new, diff, kinds)
    return _other_object(known, new, diff, kinds)


def _other_single(known: Claim, new: Claim, diff: Difference, kinds: frozenset[str]) -> Judgement:
    """Another value of an attribute that has one at a time, if it is one of its values."""
    gone, came = diff.gone, diff.came
    if known.about & HELD and not (are_names(gone) and are_names(came)):
        sure = bool(diff.shared) or new.newer or bool(kinds)
    else:
        sure = _form(gone) == _form(came) or bool(known.about & _NAMED)
    return another_value(diff, new) if sure else either_value(diff)


_NAMED = listed(
    """
    @home @employer @role @name @status @indentation @when @location @host @implementation
    @birthplace @origin @address @branch @license @school
    """
)
"""Attributes whose value can have any form."""


def _form(words: tuple[Word, ...]) -> str:
    """What a value looks like: figures, times, identifiers or words."""
    if are_figures(words):
        return "figures"
    return next((word.kind for word in words if word.kind in (TIME, CODE)), "words")


def _same_facet(gone: tuple[Word, ...], came: tuple[Word, ...]) -> bool:
    """Whether both say the day, or both the time of day; "on Mondays" is no date."""
    if _recur(gone) != _recur(came) and any("-" in word.key for word in (*gone, *came)):
        return False
    days = {":" not in word.key for word in gone}
    return bool(days & {":" not in word.key for word in came})


def _recur(words: tuple[Word, ...]) -> bool:
    return any(word.text[-1:] == "s" and "-" not in word.key for word in words)


def _other_figure(known: Claim, new: Claim, diff: Difference) -> Judgement:
    if known.attribute != BE and is_index(known.value, diff.gone):
        return distinct("another number of its kind")
    if known.attribute in _ACCUMULATING and not diff.shared and not known.about:
        return distinct("another number")
    if len(diff.gone) == len(diff.came) == 1 and is_part_of_version(diff.gone[0], diff.came[0]):
        return LESS
    return another_value(diff, new)


def is_index(value: tuple[Word, ...], gone: tuple[Word, ...]) -> bool:
    """Whether the number tells which one is meant: "issue 12". (But "Node 20" is a version.)"""
    return any(
        word.key in _INDEXED and word.text != "Node" and value[at + 1 : at + 2] == gone[:1]
        for at, word in enumerate(value)
    )


def _assigned(value: tuple[Word, ...], gone: tuple[Word, ...]) -> bool:
    """Whether what went is the value of a "NAME=value" that stays."""
    return any(
        word.kind == ASSIGNED and value[at + 1 : at + 2] == gone for at, word in enumerate(value)
    )


def _has_one_value(claim: Claim) -> bool:
    """Whether the attribute has one value at a time: a port, a home, the default of something."""
    return any(key[:1] == "@" for key in claim.about) or bool(SINGLE_NOUNS & claim.about)


def _is_one_word(words: tuple[Word, ...]) -> bool:
    """Whether there is one word, its version left out."""
    return sum(word.kind not in FIGURES for word in words) == 1


def _other_state(known: Claim, new: Claim, diff: Difference, kinds: frozenset[str]) -> Judgement:
    gone, came = diff.gone, diff.came
    if len(gone) == len(came) == 1 and (kinds & OPPOSITES or are_opposite(gone[0], came[0])):
        return OPPOSITE
    heads = {*KINDS.get(known.head, ())} & {*KINDS.get(new.head, ())}
    if kinds and (heads or (_is_one_word(gone) and _is_one_word(came))):
        return another_value(diff, new)
    if (known.subject == THE_USER and not known.about) or known.subject == ANYBODY:
        return distinct("about something else")
    if (are_times(gone) and are_times(came)) or (are_codes(gone) and are_codes(came)):
        return another_value(diff, new)
    if (are_names(gone) and are_names(came)) or new.newer:
        return another_value(diff, new)
    return Judgement(Outcome.UNSURE, f"{shown(gone)} or {shown(came)}")


def _other_object(known: Claim, new: Claim, diff: Difference, kinds: frozenset[str]) -> Judgement:
    replaced = new.old and new.old <= {w.key for w in known.value} and not is_undone(known, new)
    if replaced or (new.over and new.over <= {w.key for w in known.value}):
        return another_value(diff, new)
    if kinds & OPPOSITES:
        return OPPOSITE
    if known.old and new.old:
        return distinct("another change")
    if known.attribute in _ACCUMULATING:
        if kinds - MANY_AT_ONCE and _takes_its_place(known, new, diff):
            return another_value(diff, new)
        if kinds & FREE_CHOICE and known.attribute == "use" and diff.shared & TEXTS:
            return another_value(diff, new)
        return distinct("both may hold")
    single = kinds & ONE_AT_A_TIME and (known.about or known.verb == "work")
    if kinds and (diff.shared or single):
        return another_value(diff, new)
    if known.about and are_codes(diff.gone) and are_codes(diff.came) and " " in known.attribute:
        return another_value(diff, new)
    if new.newer and not known.newer and known.about and _alike_in_form(diff):
        return another_value(diff, new)
    return distinct("about something else")


def _takes_its_place(known: Claim, new: Claim, diff: Difference) -> bool:
    """Whether one of a kind goes when another comes: what is used for a purpose, what is used
    "now"; but who has a red car may have a blue one too."""
    return (known.attribute == "use" and bool(diff.shared)) or (
        new.newer and known.attribute in ("use", "drive", "ride", "wear", "drink")
    )


def _alike_in_form(diff: Difference) -> bool:
    return (are_names(diff.gone) and are_names(diff.came)) or all(
        word.kind in (NAME, CODE) for word in (*diff.gone, *diff.came)
    )


def judge_other_wish(
    known: Claim, new: Claim, diff: Difference, kinds: frozenset[str]
) -> Judgement:
    """Another preference; likings accumulate, unless they say how the same thing is to be."""
    if not kinds:
        return distinct("another wish")
    chosen = {word.key for word in new.value} | new.over
    others = {word.key for word in known.value} | known.over
    if (known.over or new.over) and not chosen & others:
        return distinct("another choice")
    same_thing = known.head == new.head or bool(diff.shared) or {known.head, new.head} <= TEXTS
    if "like" in (known.attribute, new.attribute):
        sure = same_thing and bool(kinds & (STATES | FREE_CHOICE))
    else:
        sure = same_thing or bool({*KINDS.get(known.head, ())} & {*KINDS.get(new.head, ())})
    return another_value(diff, new) if sure else either_value(diff)

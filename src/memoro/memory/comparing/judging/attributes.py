"""Claims with different verbs that speak of the same after all."""

from __future__ import annotations

from memoro.memory.comparing.claims.changes import CHANGES
from memoro.memory.comparing.claims.claim import ANYBODY, Claim
from memoro.memory.comparing.judging.outcomes import (
    ALREADY,
    BE,
    OPPOSITE,
    Judgement,
    Outcome,
    another_value,
    distinct,
)
from memoro.memory.comparing.judging.subjects import is_undone, same_kind
from memoro.memory.comparing.judging.values import (
    are_figures,
    difference,
    kinds_among,
    shown,
    units,
)
from memoro.memory.comparing.lexicon.marks import SINGLE_NOUNS
from memoro.memory.comparing.tokens.token import FIGURES


def comes_after(known: Claim, new: Claim) -> bool:
    """Whether the new claim says itself that it replaces the known value: "from A to B"."""
    if not new.old or known.negative or new.negative or not same_kind(known, new):
        return False
    if is_undone(known, new):
        return False
    values = {word.key for word in known.value}
    others = {word.key for word in new.value} | known.scope | new.scope | new.about
    marks = {key for key in known.about if key[:1] != "@"}
    return new.old <= values and values - new.old <= others and marks <= others | new.old


def avoids(claim: Claim) -> bool:
    """Whether a claim says only that something is avoided, not which use of it."""
    return claim.deed in ("avoid", "evitar")


def judge_avoiding(known: Claim, new: Claim) -> Judgement | None:
    """ "avoids dairy" against "eats dairy", "doesn't drink milk"; None where neither avoids."""
    if not avoids(known) and not avoids(new):
        return None
    diff = difference(known.value, new.value)
    if known.about | known.scope != new.about | new.scope or diff.gone or diff.came:
        return distinct("about something else")
    return ALREADY if known.negative == new.negative else OPPOSITE


def judge_rule(known: Claim, new: Claim) -> Judgement | None:
    """ "deploys on Fridays are forbidden" against "never deploy on Fridays"; None for others."""
    stated, given = (known, new) if known.attribute == BE else (new, known)
    rule = {word.key for word in stated.value}
    if stated.attribute != BE or given.subject != ANYBODY or rule not in ({_BANNED}, {"allowed"}):
        return None
    said = given.scope | given.about | {given.deed} | {word.key for word in given.value}
    if said != stated.about | stated.scope:
        return None
    banned = (rule == {_BANNED}) != stated.negative
    return ALREADY if banned == given.negative else OPPOSITE


_BANNED = "forbidden"


def changed_figure(known: Claim, new: Claim) -> Judgement | None:
    """ "has 16 GB of RAM" and "was upgraded to 32 GB of RAM": a figure of the same thing."""
    if new.verb not in CHANGES or not new.newer or known.negative or known.scope != new.scope:
        return None
    if not known.about or known.about != new.about - {"@version"}:
        return None
    diff = difference(known.value, new.value)
    if are_figures(diff.gone) and are_figures(diff.came) and units(diff.gone) == units(diff.came):
        return another_value(diff, new)
    return None


def judge_leaving(known: Claim, new: Claim) -> Judgement:
    """ "left Acme" ends "works at Acme", "sold the car" ends "has a car"."""
    one, other = (known, new) if new.attribute in ("leave", "sell") else (new, known)
    if other.attribute == "sell" and one.attribute not in ("have", "drive", "ride", "use"):
        return distinct("about something else")
    if other.attribute == "leave" and not {"@employer", "@home"} & one.about:
        return distinct("about something else")
    if same_kind(known, new) and {w.key for w in other.value} & {w.key for w in one.value}:
        return Judgement(Outcome.OPPOSITE, f"left {shown(other.value)}")
    return distinct("about something else")


def judge_kinds(known: Claim, new: Claim) -> Judgement:
    """ "the database is Postgres 15" and "uses Postgres 16" speak of one thing: the database."""
    if {known.attribute, new.attribute} != {BE, "use"} or not same_kind(known, new):
        return distinct("about something else")
    named, used = (known, new) if known.attribute == BE else (new, known)
    kinds = kinds_among(used.value)
    if not kinds & named.about and not (kinds and named.about & kinds_words(kinds)):
        return distinct("about something else")
    if named.about - kinds - SINGLE_NOUNS - kinds_words(kinds) != used.about | used.scope:
        return distinct("about something else")
    diff = difference(known.value, new.value)
    if not diff.gone and not diff.came and known.negative == new.negative:
        main = bool(SINGLE_NOUNS & new.about)
        return Judgement(Outcome.MORE, "says more") if main and new is named else ALREADY
    if known.negative != new.negative:
        return OPPOSITE if not diff.gone or not diff.came else distinct("about something else")
    if (diff.shared and are_figures(diff.gone) and are_figures(diff.came)) or new.newer:
        return another_value(diff, new)
    return Judgement(Outcome.UNSURE, f"{shown(known.value)} or {shown(new.value)}")


def kinds_words(kinds: frozenset[str]) -> frozenset[str]:
    """The words by which people call a kind of value."""
    return frozenset(_CALLED.get(kind, kind) for kind in kinds)


_CALLED = {"indentation": "@indentation", "programming": "language", "code-host": "@host"}


def judge_product(known: Claim, new: Claim) -> Judgement | None:
    """ "uses Postgres 15", "the database is Postgres 15" against "upgraded Postgres to 16"; None
    where the new claim says no version of something that the known one names."""
    names = new.about - {"@version"}
    values = {word.key for word in known.value}
    if "@version" not in new.about or not names or not names <= values or names & known.about:
        return None
    old = tuple(word for word in known.value if word.kind in FIGURES)
    if not old or not are_figures(new.value) or not same_kind(known, new):
        return None
    if not difference(old, new.value).came:
        return ALREADY
    why = f"another version: {shown(old)} → {shown(new.value)}"
    kinds = kinds_among(known.value)
    if known.about - kinds - kinds_words(kinds) - SINGLE_NOUNS or known.scope != new.scope:
        return Judgement(Outcome.UNSURE, f"perhaps {why}")
    return Judgement(Outcome.ANOTHER, why)

"""Verbs that speak of an attribute with one value at a time."""

from __future__ import annotations

from typing import NamedTuple

from memoro.memory.comparing.claims.changes import is_time
from memoro.memory.comparing.claims.meaning import BE, Meaning
from memoro.memory.comparing.clauses.frame import DIRECT, Frame, Slot
from memoro.memory.comparing.lexicon.kinds import KINDS
from memoro.memory.comparing.lexicon.marks import NO_EMPLOYERS
from memoro.memory.comparing.tokens.token import FIGURES, TIME
from memoro.memory.comparing.words.word import Word


class Rule(NamedTuple):
    """The value stands in one of these slots; the verb then speaks of this attribute."""

    slots: tuple[str, ...]
    mark: str


_PLACES = ("in", "at", "near", "on", "by")
_INTO = ("in", "on", "at", "to", "under", "with")
_RULES: dict[str, tuple[Rule, ...]] = {
    "live": (Rule(_PLACES, "@home"), Rule((DIRECT,), "@home")),
    "settle": (Rule(_PLACES, "@home"),),
    "work": (Rule(("at", "for"), "@employer"), Rule(("as",), "@role")),
    "employed": (Rule((DIRECT, "at", "in"), "@employer"),),
    "hire": (Rule(("by", "at"), "@employer"), Rule(("as",), "@role")),
    "join": (Rule((DIRECT, "to", "in"), "@employer"),),
    "report": (Rule(("to",), "@manager"),),
    "report-to": (Rule((DIRECT, "to"), "@manager"),),
    "name": (Rule((DIRECT,), "@name"),),
    "named": (Rule((DIRECT,), "@name"),),
    "bear": (Rule(("on", "in", DIRECT), "@birthday"),),
    "bear-at": (Rule((DIRECT,), "@birthplace"),),
    "cost": (Rule((DIRECT,), "@price"),),
    "age": (Rule((DIRECT,), "@age"),),
    "belong": (Rule(("to", DIRECT), "@owner"),),
    "host": (Rule(("on", "to", "with"), "@host"), Rule(("in", "at", "under"), "@location")),
    "deploy": (Rule(("on", "to", "with"), "@host"), Rule(("in", "at", "under"), "@location")),
    "study": (Rule(("at",), "@school"),),
    "deploy-to": (Rule((DIRECT,), "@host"),),
    "locate": (Rule(_INTO, "@location"), Rule((DIRECT,), "@location")),
    "store": (Rule(_INTO, "@location"),),
    "due": (Rule((DIRECT, "on", "by", "at", "in", "until"), "@when"),),
    "expire": (Rule(("after", "in"), "@timeout"),),
    "weigh": (Rule((DIRECT,), "@weight"),),
    "happen": (Rule(("in", "at"), "@location"),),
    "start": (Rule(("at",), "@employer"),),
    "license": (Rule(("under", "with", "as"), "@license"),),
    "promote": (Rule(("to", DIRECT), "@role"),),
}
_OF_THINGS: dict[str, tuple[Rule, ...]] = {
    "live": (Rule(_INTO, "@location"),),
    "keep": (Rule(_INTO, "@location"),),
    "write": (Rule(("in", "with", "on"), "@implementation"),),
    "implement": (Rule(("in", "with", "on"), "@implementation"),),
    "work": (),
    "join": (),
    "start": (),
}
"""Rules for subjects that are no people, where they differ."""


def read_by_rule(frame: Frame, language: str, person: bool) -> Meaning | None:
    """The attribute that a verb and one of its prepositions speak of."""
    rules = _RULES.get(frame.verb, ())
    if not person:
        rules = _OF_THINGS.get(frame.verb, rules)
    for rule in rules:
        slot = frame.slot(*rule.slots)
        if slot is None or not _fits(rule.mark, slot.words):
            continue
        newer = frame.newer or frame.verb in ("join", "settle", "hire", "promote")
        mark = _birth(slot) if frame.verb == "bear" else rule.mark
        return Meaning(BE, (mark,), slot.words, (slot.prep,), [], newer)
    slot = frame.slot("in") if frame.verb == "work" and language != "en" else None
    if slot is not None and slot.named and _may_employ(slot.words):
        return Meaning(BE, ("@employer",), slot.words, ("in",), [], frame.newer)
    return None


_TIMES = frozenset({"@birthday", "@when", "@timeout", "@age"})


def _fits(mark: str, words: list[Word]) -> bool:
    """Whether words can be a value of an attribute: no place is on Fridays."""
    if mark == "@employer":
        return _may_employ(words)
    return mark in _TIMES or not is_time(words)


def _may_employ(words: list[Word]) -> bool:
    """Whether somebody can be employed by it: not "at home", "at night", 在上海."""
    return not any(
        word.kind == TIME or word.key in NO_EMPLOYERS or "place-of-work" in KINDS.get(word.key, ())
        for word in words
    )


def _birth(slot: Slot) -> str:
    if is_time(slot.words):
        return "@birthday"
    return "@birthyear" if slot.words[0].kind in FIGURES else "@birthplace"

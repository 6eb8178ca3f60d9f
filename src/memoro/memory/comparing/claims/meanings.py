"""Meanings: which attribute of what a frame speaks of."""

from __future__ import annotations

from memoro.memory.comparing.claims.attributes import (
    read_named_value,
    read_special,
    read_timed,
    read_use_as,
)
from memoro.memory.comparing.claims.changes import is_time, read_change, read_replacement
from memoro.memory.comparing.claims.copulas import read_copula
from memoro.memory.comparing.claims.meaning import BE, Meaning
from memoro.memory.comparing.claims.rules import read_by_rule
from memoro.memory.comparing.clauses.frame import DIRECT, Frame
from memoro.memory.comparing.clauses.framing import ADVERBS
from memoro.memory.comparing.lexicon.entries import CONTENT
from memoro.memory.comparing.lexicon.kinds import KINDS
from memoro.memory.comparing.tokens.token import FIGURES, WORD
from memoro.memory.comparing.words.word import Word

_BECOMES = {
    "end": "done",
    "complete": "done",
    "resume": "in-progress",
    "pause": "paused",
    "cancel": "cancelled",
}
"""What something is after it did that: "the migration ended"."""


def meaning_of(frame: Frame, language: str, person: bool) -> Meaning:
    """Understand a frame; where no rule fits, the verb itself is the attribute."""
    verb = frame.verb
    found = (
        read_change(frame, language, person)
        or read_replacement(frame)
        or read_timed(frame)
        or read_named_value(frame)
        or read_use_as(frame)
        or read_by_rule(frame, language, person)
        or read_special(frame, person)
    )
    if found is not None:
        return found
    if not verb:
        # "manually reruns it" is "reruns it manually".
        words = sorted(frame.subject, key=lambda word: word.key in ADVERBS)
        return Meaning("", (), words, (DIRECT,), [], frame.newer)
    if verb == BE:
        return _unknown_passive(frame) or read_copula(frame, person)
    if not person and verb in _BECOMES and not any(slot.words for slot in frame.slots):
        state = Word(_BECOMES[verb], CONTENT, WORD, frame.verb_text)
        return Meaning(BE, (), [state], (DIRECT,), [], frame.newer)
    if frame.passive and "status" in KINDS.get(verb, ()) and not any(s.words for s in frame.slots):
        state = Word(verb, CONTENT, WORD, frame.verb_text)
        return Meaning(BE, (), [state], (DIRECT,), [], frame.newer)
    return _other(frame)


_LIMITS = frozenset({"before", "after", "during", "until", "except", "under", "above", "since"})


def _is_measured(words: list[Word]) -> bool:
    return is_time(words) or words[0].kind in FIGURES


_STANDING = frozenset({"allergic", "intolerant", "interest", "afraid", "fluent"})
"""Adjectives, for which the preposition says nothing."""


_PARTICIPLES = ("ed", "ado", "ada", "ados", "adas", "ido", "ida", "idos", "idas")


def _unknown_passive(frame: Frame) -> Meaning | None:
    """ "The file is parsed by the loader", where no lexicon has the verb: the words of "the loader
    parses the file", in that order."""
    direct, agent = frame.slots[0].words, frame.slot("by")
    if agent is None or len(direct) != 1 or not direct[0].text.endswith(_PARTICIPLES):
        return None
    return Meaning("", (), [*agent.words, *direct, *frame.subject], (DIRECT, "by"), [], False)


def _other(frame: Frame) -> Meaning:
    """A verb without a rule: its object is the value, or what its first preposition brings."""
    direct = frame.slots[0].words
    if direct:
        return Meaning(frame.verb, (), direct, (DIRECT,), [], frame.newer)
    for slot in sorted(frame.slots[1:], key=lambda one: one.prep != "to"):
        if frame.passive and slot.prep in ("by", "with", "via"):
            continue
        if slot.words and slot.prep not in _LIMITS and not _is_measured(slot.words):
            name = frame.verb if frame.verb in _STANDING else f"{frame.verb} {slot.prep}"
            return Meaning(name, (), slot.words, (slot.prep,), [], frame.newer)
    return Meaning(frame.verb, (), [], (DIRECT,), [], frame.newer)

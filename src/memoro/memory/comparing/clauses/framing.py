"""Taking a clause apart."""

from __future__ import annotations

from memoro.memory.comparing.clauses.frame import Frame
from memoro.memory.comparing.clauses.objects import read_object
from memoro.memory.comparing.clauses.subjects import read_leads, read_subject
from memoro.memory.comparing.clauses.verb_groups import read_verb
from memoro.memory.comparing.lexicon.kinds import KINDS
from memoro.memory.comparing.lexicon.listing import listed
from memoro.memory.comparing.tokens.token import FIGURES, TIME
from memoro.memory.comparing.words.word import Word


def read_frame(words: list[Word], language: str) -> Frame:
    """Take a clause apart."""
    frame = Frame()
    at = read_leads(words, frame)
    at = read_subject(words, at, frame, language)
    if at < len(words):
        at = read_verb(words, at, frame)
    read_object(words, at, frame, language)
    for slot in frame.slots:
        slot.settle(slot.items)
    _without_verb(frame)
    if frame.verb and len(frame.subject) > 1 and frame.subject[-1].key in ADVERBS:
        *others, last = frame.slots[0].items
        frame.slots[0].settle([*others, [*last, frame.subject.pop()]])
    if frame.verb and not frame.verb_text:
        frame.verb_text = frame.verb
    return frame


ADVERBS = listed(
    """
    manual automatic daily weekly monthly yearly hourly nightly quick slow
    """
)


_SHORT = 2
"""So many words after "user" say what the user is; more of them hide an unknown verb."""


def _without_verb(frame: Frame) -> None:
    """ "User: vegan", "build green", 用户34岁: the last word is what the others are."""
    if frame.verb or not frame.subject:
        return
    if frame.slot("in") is not None and not frame.slots[0].words:
        frame.verb = "be"
        return
    last = frame.subject[-1]
    if (frame.user or frame.we) and len(frame.subject) > 1 and last.kind in (*FIGURES, TIME):
        frame.slots[0].settle([[frame.subject.pop()]])
    elif (frame.user or frame.we) and len(frame.subject) <= _SHORT:
        frame.slots[0].settle([frame.subject])
        frame.subject = []
    elif len(frame.subject) > 1 and {"status", "switch"} & set(KINDS.get(last.key, ())):
        frame.slots[0].settle([[frame.subject.pop()]])
    else:
        return
    frame.verb = "be"

"""Wishes: what somebody prefers, likes and wants, and what ought to be."""

from __future__ import annotations

from memoro.memory.comparing.claims.meaning import BE
from memoro.memory.comparing.clauses.frame import Frame
from memoro.memory.comparing.lexicon.entries import NAMED_VALUE
from memoro.memory.comparing.tokens.token import FIGURES
from memoro.memory.comparing.words.word import Word

_MORE = frozenset({"more", "better", "best", "most", "mais"})


def understand_wishes(frame: Frame) -> None:
    """Read "likes X more" as a preference, and "answers should be short" as a wish."""
    direct = frame.slots[0]
    if frame.verb == "like" and (frame.over or any(_is_more(word) for word in direct.words)):
        frame.verb = "prefer"
    if frame.verb in ("prefer", "like", "want"):
        direct.settle([[word for word in item if not _is_more(word)] for item in direct.items])
    if _ought_to_be(frame):
        frame.verb, frame.verb_text = "want", "should be"
        direct.settle([[*direct.words, *frame.subject]])
        frame.subject = []


def _is_more(word: Word) -> bool:
    return word.text.lower() in _MORE


def _ought_to_be(frame: Frame) -> bool:
    """Whether something is asked for; "the timeout should be 30 s" only says what it is."""
    return (
        frame.ought
        and frame.verb == BE
        and bool(frame.subject)
        and not frame.user
        and not has_figures(frame.slots[0].words)
        and not any(word.role == NAMED_VALUE for word in frame.subject)
    )


def has_figures(words: list[Word]) -> bool:
    """Whether there is a number, quantity or version among the words."""
    return any(word.kind in FIGURES for word in words)

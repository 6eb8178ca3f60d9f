"""Whether a subject is somebody."""

from __future__ import annotations

from memoro.memory.comparing.clauses.frame import Frame
from memoro.memory.comparing.lexicon.kinds import KINDS
from memoro.memory.comparing.words.word import NAME, Word


def is_person(frame: Frame) -> bool:
    """Whether the subject is the user, nobody in particular, or somebody with a name."""
    if not frame.subject:
        return True
    if frame.user or frame.definite:
        return False
    return are_names(frame.subject)


def are_names(words: list[Word]) -> bool:
    """Whether all of the words are written as names; short capitals are titles ("CTO")."""
    return all(
        word.kind == NAME and (len(word.text) == 1 or len(word.text) > 4 or not word.text.isupper())
        for word in words
    ) and not any(word.key in KINDS for word in words)

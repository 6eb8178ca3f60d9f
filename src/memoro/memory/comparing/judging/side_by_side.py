"""Two statements' words, side by side."""

from __future__ import annotations

import re

from memoro.memory.comparing.claims.claim import Statement
from memoro.memory.comparing.clauses.frame import LIGHT
from memoro.memory.comparing.tokens.folding import folded
from memoro.memory.comparing.tokens.token import FIGURES
from memoro.memory.comparing.words.word import Word

IN_SOMETHING = re.compile(r"\b(?:in|at|on|for|with|when|during|em|no|na|nos|nas|para|com|quando)\s")


def plain(text: str) -> str:
    """A text in one case, without accents, spaces in a row and the end of its sentence."""
    return " ".join(folded(text).split()).strip(" .!?。！？")


_ARTICLES = re.compile(r"\b(?:the|an?|o|a|os|as|um|uma)\s")


def bare(text: str) -> str:
    """A plain text without articles."""
    return _ARTICLES.sub("", f"{text} ").strip()


def difference(known: Statement, new: Statement) -> tuple[list[Word], list[Word], int]:
    """The words that are gone, those that came, and how many are shared."""
    one, other = said_words(known), said_words(new)
    keys, later = {word.key for word in one}, {word.key for word in other}
    gone = [word for word in one if word.key not in later]
    return gone, [word for word in other if word.key not in keys], len(keys & later)


def said_words(statement: Statement) -> list[Word]:
    """The words that say something, without verbs that say little."""
    words = [w for w in statement.content if w.key not in LIGHT or w.role[0] != "V"]
    return words or list(statement.content)


def common(one: list[Word], other: list[Word]) -> int:
    """How many words both begin with."""
    count = 0
    while count < min(len(one), len(other)) and one[count].key == other[count].key:
        count += 1
    return count


def are_figures(words: list[Word]) -> bool:
    """Whether all of them are numbers, measures or versions."""
    return all(word.kind in FIGURES for word in words)

"""A message as the questions that it is made of.

A score is a share of an ideal answer, so every further word of a question makes it smaller. A long
message is therefore asked sentence by sentence, and so is a shorter one that brings nothing as a
whole; the best answer to any sentence counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from memoro.memory.recall.words import has_content, query_terms

LONG = 20
"""A message or sentence of more different words than this is not asked as a whole."""

MOST_PIECES = 1_024
"""Of a longer message the first and the last sentences are looked at."""

_FEWEST_WORDS = 2
"""A sentence of a single word is no question; it is asked together with the one before it."""

_FIRST = 256
_SENTENCE = re.compile(r"[^.!?。！？؟\n]+(?:[.](?=\S)[^.!?。！？؟\n]+)*[.!?。！？؟]*")


class Pieces(NamedTuple):
    """The questions that a message is made of, and how many more it has that are not looked at."""

    texts: tuple[str, ...]
    left_out: int = 0


def is_long(message: str) -> bool:
    """Whether a message has too many words to be asked as a whole."""
    return len(query_terms(message)) > LONG


def pieces_of(message: str) -> Pieces:
    """The sentences of a message that ask for anything."""
    found = [text for text in dict.fromkeys(_sentences(message)) if has_content(text)]
    if len(found) <= MOST_PIECES:
        return Pieces(tuple(found))
    kept = [*found[:_FIRST], *found[_FIRST - MOST_PIECES :]]
    return Pieces(tuple(kept), len(found) - len(kept))


def _sentences(message: str) -> Iterator[str]:
    before = ""
    for match in _SENTENCE.finditer(message):
        for sentence in _cut(match.group().strip()):
            words = len(query_terms(sentence))
            if words >= _FEWEST_WORDS:
                yield sentence
            elif words and before:
                yield f"{before} {sentence}"
            before = sentence


def _cut(sentence: str) -> Iterator[str]:
    words = sentence.split()
    if len(words) <= 2 * LONG:
        yield sentence
        return
    for start in range(0, len(words), LONG):
        yield " ".join(words[start : start + LONG])

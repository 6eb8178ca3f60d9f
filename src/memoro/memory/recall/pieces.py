"""A message as the questions that it is made of.

A score is a share of an ideal answer, so every further word of a question makes it smaller. What
is said in several sentences is therefore asked sentence by sentence, too, and the best answer to
any of them counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from memoro.memory.recall.words import query_terms

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


def pieces_of(message: str) -> Pieces:
    """Take a message apart. One of a single sentence that is not long is a question of its own."""
    whole = [message] if len(query_terms(message)) <= LONG else []
    found = list(dict.fromkeys([*whole, *_sentences(message)]))
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

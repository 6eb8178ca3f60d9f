"""Whether a message says what somebody claims that it says."""

from __future__ import annotations

import re

from memoro.memory.comparing import Relation, compare
from memoro.memory.folding import folded

MOST_SENTENCES = 200

_SENTENCE = re.compile(r"(?<=[.!?;。！？])\s+|\n+")
_SAME = frozenset({Relation.IDENTICAL, Relation.REPHRASED})


def says(message: str, claim: str) -> bool:
    """Whether one sentence of a message says all of a claim; a long message is read no further
    than 200 sentences."""
    sentences = [part.strip() for part in _SENTENCE.split(message)][:MOST_SENTENCES]
    return any(compare(sentence, claim).relation in _SAME for sentence in sentences if sentence)


def holds(message: str, value: str) -> bool:
    """Whether a message has a value word by word."""
    wanted = " ".join(re.findall(r"\w+", folded(value)))
    text = " ".join(re.findall(r"\w+", folded(message)))
    return bool(wanted) and f" {wanted} " in f" {text} "

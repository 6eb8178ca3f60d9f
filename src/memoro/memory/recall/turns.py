"""What the index notes of a turn besides its words."""

from __future__ import annotations

from memoro.memory.recall.asking import ends_in_question, has_number, has_time_word

ASKS = 1
TIMED = 2
NUMBERED = 4
"""Flags of a turn: it ends in a question, has words of time, has a number."""


def flags_of(text: str) -> int:
    """The flags of a turn."""
    return ASKS * ends_in_question(text) | TIMED * has_time_word(text) | NUMBERED * has_number(text)

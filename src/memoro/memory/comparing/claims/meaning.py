"""What a frame's verb and its prepositions speak of."""

from __future__ import annotations

from typing import NamedTuple

from memoro.memory.comparing.words.word import Word

BE = "be"


class Meaning(NamedTuple):
    """A frame's verb, understood: `about` and `value` are its words, `used` the slots they took."""

    attribute: str
    about: tuple[str, ...]
    value: list[Word]
    used: tuple[str, ...]
    old: list[Word]
    newer: bool

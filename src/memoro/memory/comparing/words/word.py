"""A word of a statement, and the roles that marks have in it."""

from __future__ import annotations

from typing import NamedTuple

NAME = "name"
PAUSE = ","
STOP = "|"
COLON = ":"
POSSESSIVE = "'s"


class Word(NamedTuple):
    """A word of a statement: `key` is compared, `text` is shown, `role` is its lexicon's."""

    key: str
    role: str
    kind: str
    text: str

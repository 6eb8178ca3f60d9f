"""Claims: what a statement says of whom."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from memoro.memory.comparing.words.word import Word


class Claim(NamedTuple):
    """One thing that a statement says: the attribute of a subject has a value.

    `about` holds the words of the subject and of the attribute ("@port"), `value` what is said in
    order, `over` what was turned down for it, `old` what it came after, `scope` where it holds;
    `texts` has the words as they were written.
    """

    attribute: str
    subject: str
    about: frozenset[str]
    value: tuple[Word, ...]
    over: frozenset[str]
    old: frozenset[str]
    scope: frozenset[str]
    head: str
    negative: bool
    often: str
    tense: str
    newer: bool
    verb: str
    deed: str
    texts: Mapping[str, str]


class Statement(NamedTuple):
    """A statement, read: its claims, and all of its words that say something, in order.

    `flags` are the words that deny it and say how often; `text` is the statement itself, and
    `is_long` whether it is too long to have claims.
    """

    language: str
    claims: tuple[Claim, ...]
    content: tuple[Word, ...]
    flags: tuple[str, ...]
    hedged: bool
    text: str
    is_long: bool


SCOPE_MARK = "\x1f"
"""What stands between a preposition and a word of a scope; no word has it."""
ANYBODY = "any"
THE_USER = "user"
THE_PROJECT = "we"
SOMETHING = ""

"""What a text is made of, before any language is known."""

from __future__ import annotations

from typing import NamedTuple

WORD = "word"
HAN = "han"
CODE = "code"
MARK = "mark"
NUMBER = "number"
QUANTITY = "quantity"
VERSION = "version"
TIME = "time"
ASSIGNED = "assigned"
FIGURES = frozenset({NUMBER, QUANTITY, VERSION})


class Token(NamedTuple):
    """A piece of a text: as written, as compared, and of which kind."""

    text: str
    key: str
    kind: str


NOTHING = Token("", "", MARK)


def token_at(tokens: list[Token], at: int) -> Token:
    """The token at a place, or one that is nothing past the end."""
    return tokens[at] if at < len(tokens) else NOTHING


def joined(tokens: list[Token], at: int, count: int) -> str:
    """The text of some tokens."""
    return " ".join(token.text for token in tokens[at : at + count]).replace(" ,", ",")

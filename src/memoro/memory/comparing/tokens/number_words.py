"""Numbers that are written in words: "twenty-five", "vinte e cinco", 三十."""

from __future__ import annotations

from memoro.memory.comparing.lexicon.measures import (
    ARTICLES_TOO,
    HAN_DIGITS,
    HAN_TENS,
    MULTIPLIERS,
    NUMBER_WORDS,
    UNITS,
)
from memoro.memory.comparing.tokens.token import FIGURES, HAN, MARK, NUMBER, Token, joined, token_at

_NOT_COUNTED = frozenset({"of", "that", "who", "which", "de", "thing"})


def read_number_words(tokens: list[Token], at: int, language: str) -> tuple[Token, int]:
    """The number that words make from here, and of how many; 0 where they make none."""
    if tokens[at].kind == HAN:
        return _han_number(tokens, at)
    total = group = used = 0
    while True:
        token = token_at(tokens, at + used)
        value = _word_value(token.key)
        if value is not None and not (used and token.key in ARTICLES_TOO and language == "en"):
            group += value
        elif token.key in MULTIPLIERS and (used or token.key in ("mil", "thousand")):
            group = max(group, 1) * MULTIPLIERS[token.key]
            if MULTIPLIERS[token.key] > 100:
                total, group = total + group, 0
        elif used and token.key in ("and", "e") and _continues(tokens, at + used):
            pass
        else:
            break
        used += 1
    if not used or (used == 1 and _is_article(tokens, at, language)):
        return tokens[at], 0
    return Token(joined(tokens, at, used), str(total + group), NUMBER), used


def _continues(tokens: list[Token], at: int) -> bool:
    """Whether an "and" is inside of a number: "two hundred and fifty", "vinte e cinco"."""
    before, after = _word_value(tokens[at - 1].key), _word_value(token_at(tokens, at + 1).key)
    if after is None:
        return False
    if tokens[at - 1].key in MULTIPLIERS:
        return True
    return tokens[at].key == "e" and before is not None and before >= 20 and after < before


def _word_value(key: str) -> int | None:
    value = NUMBER_WORDS.get(key)
    if value is None and "-" in key:
        tens, _, ones = key.partition("-")
        if NUMBER_WORDS.get(tens, 0) >= 20 and 0 < NUMBER_WORDS.get(ones, 0) < 10:
            value = NUMBER_WORDS[tens] + NUMBER_WORDS[ones]
    return value


def _is_article(tokens: list[Token], at: int, language: str) -> bool:
    token, after = tokens[at], token_at(tokens, at + 1)
    if token.key not in ARTICLES_TOO:
        return False
    if language == "pt":
        return after.key not in UNITS
    return after.key in _NOT_COUNTED or after.kind == MARK or after.kind in FIGURES


def _han_number(tokens: list[Token], at: int) -> tuple[Token, int]:
    text = tokens[at].key
    if not all(c in HAN_DIGITS or c in HAN_TENS for c in text):
        return tokens[at], 0
    total = group = 0
    for character in text:
        if character in HAN_DIGITS:
            group = group * 10 + HAN_DIGITS[character]
        elif HAN_TENS[character] == 10_000:
            total, group = (total + group) * 10_000, 0
        else:
            total, group = total + max(group, 1) * HAN_TENS[character], 0
    return Token(text, str(total + group), NUMBER), 1

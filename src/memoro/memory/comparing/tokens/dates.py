"""Dates of several words: "May 3rd, 2026", "3 de maio", 5月1日."""

from __future__ import annotations

from memoro.memory.comparing.lexicon.measures import ALSO_WORDS, MONTHS, UNITS
from memoro.memory.comparing.tokens.token import NOTHING, NUMBER, TIME, Token, joined, token_at


def read_month_first(
    tokens: list[Token], at: int, before: Token, language: str
) -> tuple[Token, int]:
    """ "May 3rd, 2026", "maio de 2026", "May": the month comes first or stands alone."""
    token, after = tokens[at], token_at(tokens, at + 1)
    month = MONTHS[token.key]
    if after.kind == NUMBER and is_day(after) and token_at(tokens, at + 2).key not in UNITS:
        year, used = _year(tokens, at + 2)
        return Token(joined(tokens, at, 2 + used), f"{year}{month}-{after.key.zfill(2)}", TIME), (
            2 + used
        )
    year, used = _year(tokens, at + 1)
    if used:
        return Token(joined(tokens, at, 1 + used), f"{year}{month}", TIME), 1 + used
    if token.key in ALSO_WORDS and (not token.text[0].isupper() and language == "en"):
        return token, 1
    if language == "pt" and token.text[0].isupper() and before is not NOTHING:
        # Portuguese has no capital in a month, but in "Rio de Janeiro".
        return token, 1
    if token.key in ALSO_WORDS and before is NOTHING:
        return token, 1
    return Token(token.text, f"month-{month}", TIME), 1


def is_day(token: Token) -> bool:
    """Whether a number can be the day of a month."""
    return (
        len(token.key) <= 2
        and token.key.isascii()
        and token.key.isdigit()
        and (1 <= int(token.key) <= 31)
    )


def _year(tokens: list[Token], at: int) -> tuple[str, int]:
    used = 0
    while token_at(tokens, at + used).key in (",", "of", "de", "del") and used < 2:
        used += 1
    token = token_at(tokens, at + used)
    if token.kind == NUMBER and len(token.key) == 4 and token.key[:2] in ("19", "20"):
        return f"{token.key}-", used + 1
    return "", 0


def read_day_first(
    tokens: list[Token], at: int, used: int, number: Token
) -> tuple[Token, int] | None:
    """ "3 May 2026", "3rd of May", "3 de maio"."""
    size = used + (token_at(tokens, at + used).key in ("of", "de"))
    month = MONTHS.get(token_at(tokens, at + size).key)
    if month is None or not is_day(number):
        return None
    year, more = _year(tokens, at + size + 1)
    size += 1 + more
    return Token(joined(tokens, at, size), f"{year}{month}-{number.key.zfill(2)}", TIME), size


def read_han_date(tokens: list[Token], at: int, number: Token) -> tuple[Token, int] | None:
    """2026年5月1日, 5月1日, 5月."""
    size, year = 1, ""
    if token_at(tokens, at + 1).key == "年" and len(number.key) == 4:
        size, year = 2, f"{number.key}-"
        if token_at(tokens, at + 3).key != "月":
            return None
        number, size = token_at(tokens, at + 2), 3
    if token_at(tokens, at + size).key != "月" or not is_day(number):
        return None
    month, size = number.key.zfill(2), size + 1
    day = token_at(tokens, at + size)
    if day.kind == NUMBER and token_at(tokens, at + size + 1).key in ("日", "号"):
        size += 2
        return Token(
            joined(tokens, at, size).replace(" ", ""), f"{year}{month}-{day.key.zfill(2)}", TIME
        ), size
    return Token(
        joined(tokens, at, size).replace(" ", ""), f"{year or 'month-'}{month}", TIME
    ), size


def in_order(token: Token, language: str) -> Token:
    """A date written with slashes: the day comes first, unless it can't."""
    year, slash, rest = token.key.partition("/")
    if not slash:
        return token
    first, second = rest.split("/")
    if int(second) > 12:
        first, second = second, first
    elif language != "pt" and int(first) <= 12:
        return token
    return token._replace(key=f"{year}-{second}-{first}")

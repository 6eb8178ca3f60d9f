"""Figures: number words, quantities, dates and times of day, each with one spelling."""

from __future__ import annotations

from contextlib import suppress

from memoro.memory.comparing.lexicon.listing import listed
from memoro.memory.comparing.lexicon.measures import (
    BEFORE_SHORT_WEEKDAYS,
    CLOCK_WORDS,
    MONTHS,
    MULTIPLIERS,
    NUMBER_WORDS,
    SHORT_WEEKDAYS,
    UNITS,
    WEEKDAYS,
)
from memoro.memory.comparing.tokens.dates import (
    in_order,
    is_day,
    read_day_first,
    read_han_date,
    read_month_first,
)
from memoro.memory.comparing.tokens.number_words import read_number_words
from memoro.memory.comparing.tokens.numerals import clock_key
from memoro.memory.comparing.tokens.token import (
    CODE,
    HAN,
    MARK,
    NOTHING,
    NUMBER,
    QUANTITY,
    TIME,
    VERSION,
    WORD,
    Token,
    joined,
    token_at,
)

_SIGNS = frozenset({"$", "€", "£", "¥", "r$"})
_BEFORE_A_UNIT = listed(
    """
    in for after of every within to is takes lasts em por apos de cada ha dura leva
    """
)
_CLOCK_PREPOSITIONS = frozenset(
    {"at", "as", "às", "around", "until", "before", "after", "ate", "to"}
)
_HALVES = {"am": "am", "pm": "pm", "a.m": "am", "p.m": "pm", "o'clock": "", "oclock": ""}
_BEFORE_HOURS = frozenset({"as", "às", "ate", "das", "da", "à", "pelas", "desde"})
_HALF_DAYS = {"上午": "am", "早上": "am", "凌晨": "am", "中午": "pm", "下午": "pm", "晚上": "pm"}
_LONGEST_NUMBER = 15


def with_figures(tokens: list[Token], language: str) -> list[Token]:
    """The tokens with every number, quantity, date and time in its one spelling."""
    found: list[Token] = []
    at, size = 0, len(tokens)
    while at < size:
        token = tokens[at]
        if _is_no_figure(token):
            found.append(token)
            at += 1
            continue
        made, used = _figure(tokens, at, language, found[-1] if found else NOTHING)
        found.append(made)
        at += used
    return found


_FIGURE_WORDS = frozenset(
    {*UNITS, *MONTHS, *WEEKDAYS, *SHORT_WEEKDAYS, *CLOCK_WORDS, *NUMBER_WORDS, *MULTIPLIERS}
    | {"a", "an", "half", "meia", "meio", *_SIGNS}
)


def _is_no_figure(token: Token) -> bool:
    """Whether a token is no part of a figure, as most words are."""
    if token.kind == WORD:
        return token.key not in _FIGURE_WORDS and "-" not in token.key
    return token.kind == MARK or (token.kind == CODE and token.key not in _SIGNS)


def _figure(tokens: list[Token], at: int, language: str, before: Token) -> tuple[Token, int]:
    """The figure that starts here, or the token itself; and how many tokens that are."""
    token = tokens[at]
    number, used = token, 1
    if token.kind in (WORD, HAN):
        named = _named(tokens, at, language, before)
        if named is not None:
            return named
        number, used = read_number_words(tokens, at, language)
        if not used:
            return _article_unit(tokens, at, before)
    elif token.kind == CODE:
        after = token_at(tokens, at + 1)
        return (_quantity(after, token.key, token.text), 2) if after.kind == NUMBER else (token, 1)
    elif token.kind not in (NUMBER, VERSION):
        return in_order(token, language), 1
    return _with_unit(tokens, at, used, number, before, language)


def _named(tokens: list[Token], at: int, language: str, before: Token) -> tuple[Token, int] | None:
    """A time that has a name, or a sign before a number; None for other words."""
    token, key = tokens[at], tokens[at].key
    weekday = WEEKDAYS.get(key)
    if language == "pt" and before.key in BEFORE_SHORT_WEEKDAYS:
        weekday = weekday or SHORT_WEEKDAYS.get(key)
    named = weekday or CLOCK_WORDS.get(key)
    if named is not None:
        return Token(token.text, named, TIME), 1
    if key in _HALF_DAYS:
        return _half_day(tokens, at, language)
    if key in MONTHS:
        return read_month_first(tokens, at, before, language)
    if key in _SIGNS and token_at(tokens, at + 1).kind in (NUMBER, VERSION):
        return _quantity(tokens[at + 1], key, token.text), 2
    return _day_of_month(tokens, at) if key == "dia" else None


def _day_of_month(tokens: list[Token], at: int) -> tuple[Token, int] | None:
    """ "dia 1", which is no number of days; but "dia 1 de maio" is a date."""
    day, month = token_at(tokens, at + 1), token_at(tokens, at + 3)
    if day.kind != NUMBER or not is_day(day):
        return None
    if token_at(tokens, at + 2).key == "de" and month.key in MONTHS:
        return None
    return Token(joined(tokens, at, 2), f"day-{day.key}", TIME), 2


def _half_day(tokens: list[Token], at: int, language: str) -> tuple[Token, int]:
    """下午3点 is 15:00."""
    token, after = tokens[at], token_at(tokens, at + 1)
    if after.kind in (NUMBER, HAN, TIME):
        made, used = _figure(tokens, at + 1, language, token)
        if made.kind == TIME and made.key[2:3] == ":":
            key = clock_key(int(made.key[:2]), made.key[3:], _HALF_DAYS[token.key])
            return Token(f"{token.text}{made.text}", key, TIME), used + 1
    return token, 1


def _article_unit(tokens: list[Token], at: int, before: Token) -> tuple[Token, int]:
    """ "in an hour" is "in 1 hour", "half an hour" 30 minutes; but "12 euros a month" has no
    second number."""
    token, size = tokens[at], 2
    number = "0.5" if token.key in _HALF else "1"
    if token.key == "half" and token_at(tokens, at + 1).key in ("a", "an"):
        size = 3
    elif token.key not in _HALF and not (token.key in _ONE and before.key in _BEFORE_A_UNIT):
        return token, 1
    unit = token_at(tokens, at + size - 1)
    if UNITS.get(unit.key, ("", 0))[0] not in ("time", "months") or len(unit.key) < 2:
        return token, 1
    made = _quantity(Token(number, number, NUMBER), unit.key, unit.text)
    return made._replace(text=joined(tokens, at, size)), size


_HALF = frozenset({"half", "meia", "meio", "半"})
_ONE = frozenset({"a", "an", "um", "uma"})


def _with_unit(
    tokens: list[Token], at: int, used: int, number: Token, before: Token, language: str
) -> tuple[Token, int]:
    after = token_at(tokens, at + used)
    if number.kind == NUMBER:
        found = read_day_first(tokens, at, used, number) or read_han_date(tokens, at, number)
        found = found or _clock(tokens, at, used, number, before, language)
        if found is not None:
            return found
    plain = number.kind == NUMBER or number.key.count(".") == 1
    if after.key in UNITS and after.kind != MARK and plain:
        return _quantity(number, after.key, after.text), used + 1
    if after.key == "por" and token_at(tokens, at + used + 1).key == "cento":
        return _quantity(number, "%", "%"), used + 2
    return number, used


def _clock(
    tokens: list[Token], at: int, used: int, number: Token, before: Token, language: str
) -> tuple[Token, int] | None:
    """A time of day: "3 pm", "às 10h", 3点, "at 11" at the end of a phrase; None for others."""
    if not (is_day(number) or number.key == "0") or int(number.key) > 24:
        return None
    after = token_at(tokens, at + used)
    size = _hours(after, before, language)
    if size is None:
        return None
    half = _HALVES.get(after.key, "") if size else ""
    key = clock_key(int(number.key), "00", half)
    return Token(joined(tokens, at, used + size), key, TIME), used + size


def _hours(after: Token, before: Token, language: str) -> int | None:
    """How many tokens after a number belong to it as a time of day; None where it is none."""
    if after.key == "点" or after.key in _HALVES:
        return 1
    if language == "pt" and after.key in ("h", "horas", "da") and before.key in _BEFORE_HOURS:
        return 0 if after.key == "da" else 1
    ends = after.kind == MARK or after.key in ("on", "every", "na", "no")
    return 0 if ends and before.key in ("at", "as", "às") else None


def _quantity(number: Token, unit: str, unit_text: str) -> Token:
    """A number with its unit, in the base unit of its dimension: 1000 ms is "1 time"."""
    dimension, factor = UNITS.get(unit, (unit, 1.0))
    text = f"{unit_text}{number.text}" if unit in _SIGNS else f"{number.text} {unit_text}"
    key = number.key
    if "." in key or (factor != 1.0 and len(key) <= _LONGEST_NUMBER):
        with suppress(ValueError):
            key = format(float(key) * factor, ".12g")
    return Token(text, f"{key} {dimension}", QUANTITY)

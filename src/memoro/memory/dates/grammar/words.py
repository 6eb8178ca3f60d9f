"""A text taken apart into words, numbers, signs and dates in figures.

What is technical (a path, a version, an address, an amount) becomes one opaque word, so that no
part of it is read as a date.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from memoro.memory.dates.grammar.figures import is_day_first_for_sure, read_day_first, read_figures
from memoro.memory.dates.grammar.lexicon import (
    FEW,
    MONTHS,
    ONES,
    ORDINAL_WEEKDAYS,
    ORDINALS_EN,
    PAIR,
    TENS,
    WEEKDAYS,
    fold,
)
from memoro.memory.dates.periods import Period

OPAQUE = "¤"
DATE = "date "
DAY_FIRST = "day first "
"""The values of a date in figures: certain, and one that elsewhere has its month first."""
NTH = "º"
"""What the value of an ordinal in figures ends with ("3rd", "3º")."""
_LONGEST_WORD = 40
_LONGEST_NUMBER = 4

_SIGNS = r"—–…,;()\[\]{}\"“”«»!?|*`"
_PIECE = re.compile(rf"(?:[^\s{_SIGNS}]|(?<=[0-9]),(?=[0-9]))+|[{_SIGNS}]")
_LETTER = r"[^\W\d_][\u0300-\u036f]*"
_WORD = re.compile(rf"((?:{_LETTER})+(?:[-‐‑](?:{_LETTER})+)*)(?:['’]((?:{_LETTER})+))?")
_HYPHEN = re.compile("[-‐‑]")
_QUALIFIERS = ("mid", "early", "late")
"""What a hyphen may join to a month or year: "mid-March", "late-2025"."""
_QUARTER = re.compile(r"[Qq][1-4]")
_NTH = re.compile(r"([0-9]{1,2})(?:st|nd|rd|th|[oaºª°])", re.IGNORECASE)
_NTH_WEEKDAY = re.compile(r"([2-6])[aª]?-feira", re.IGNORECASE)
_TWO_NUMBERS = re.compile(r"([0-9]{1,2})-([0-9]{1,2})|([0-9]{4})-([0-9]{4})")

_ONES = {word for word, number in (ONES | ORDINALS_EN).items() if number < 10}
_WEEKDAYS = list(ORDINAL_WEEKDAYS)
_FIRST_NUMBERED = 2
"""The number of Monday, "2ª feira"."""


class Word(NamedTuple):
    """A word of a text: its folded form, and where it stood.

    `plain` is whether it was written in ASCII; `owner` whether a possessive follows ("today's");
    `period` what a date in figures means.
    """

    value: str
    start: int
    end: int
    plain: bool = True
    owner: bool = False
    period: Period | None = None


def read_words(text: str) -> list[Word]:
    """All words of a text, in order."""
    pieces = _PIECE.finditer(text)
    return _join([word for piece in pieces for word in _words(piece[0], piece.start())])


def _words(piece: str, at: int) -> Iterator[Word]:
    core = piece.lstrip("'‘’~≈_¿¡")
    at += len(piece) - len(core)
    stripped = core.rstrip(".:'’_")
    if stripped:
        yield from _core(stripped, at)
    ending = core[len(stripped) :].strip("'’_")
    # The full stop of "Sept. 3" ends no sentence.
    if ending and not (ending == "." and len(stripped) <= len("sept") and fold(stripped) in MONTHS):
        yield Word(ending[0], at + len(stripped), at + len(core))


def _core(core: str, at: int) -> Iterator[Word]:
    end = at + len(core)
    if len(core) == 1 and not core.isalnum():
        yield Word(core, at, end)
    elif core.isascii() and core.isdigit():
        yield Word(core if len(core) <= _LONGEST_NUMBER else OPAQUE, at, end)
    elif len(core) > _LONGEST_WORD:
        yield Word(OPAQUE, at, end)
    elif core.partition("-")[0].lower() in _QUALIFIERS and "-" in core:
        qualifier = core.partition("-")[0]
        yield Word(qualifier.lower(), at, at + len(qualifier))
        yield from _core(core[len(qualifier) + 1 :], at + len(qualifier) + 1)
    elif found := _WORD.fullmatch(core):
        yield from _letters(found[1], found[2] or "", at)
    else:
        yield from _figures(core, at)


def _letters(letters: str, tail: str, at: int) -> Iterator[Word]:
    """A word of letters, with what follows an apostrophe."""
    end = at + len(letters)
    value = _HYPHEN.sub("-", fold(letters))
    owner = fold(tail) == "s"
    if tail and not owner:
        yield Word(f"{value}'{fold(tail)}", at, end + 1 + len(tail))
        return
    if "-" in value and _is_range(value.split("-")):
        yield from _parted(letters, at)
        return
    yield Word(value, at, end, letters.isascii(), owner)


def _is_range(values: Sequence[str]) -> bool:
    """ "Jan-Mar", "Mon-Wed"."""
    months = all(one in MONTHS for one in values)
    return len(values) == 2 and (months or all(one in WEEKDAYS for one in values))


def _parted(text: str, at: int) -> Iterator[Word]:
    """What a hyphen joins, in three words."""
    first, second = _HYPHEN.split(text, maxsplit=1)
    dash = at + len(first)
    yield Word(fold(first), at, dash, first.isascii())
    yield Word("-", dash, dash + 1)
    yield Word(fold(second), dash + 1, dash + 1 + len(second), second.isascii())


def _figures(core: str, at: int) -> Iterator[Word]:
    """A word that holds figures or signs."""
    bare = core.removesuffix("'s").removesuffix("’s")
    if _TWO_NUMBERS.fullmatch(bare):
        yield from _parted(bare, at)
    else:
        value, period = _figure(bare)
        yield Word(value, at, at + len(bare), bare.isascii(), bare != core, period)


def _figure(text: str) -> tuple[str, Period | None]:
    if period := read_figures(text):
        return DATE, period
    if period := read_day_first(text):
        return (DATE if is_day_first_for_sure(text) else DAY_FIRST), period
    if _QUARTER.fullmatch(text):
        return text.lower(), None
    if found := _NTH.fullmatch(text):
        return f"{int(found[1])}{NTH}", None
    if found := _NTH_WEEKDAY.fullmatch(text):
        return f"{_WEEKDAYS[int(found[1]) - _FIRST_NUMBERED]}-feira", None
    return OPAQUE, None


def _join(words: Sequence[Word]) -> list[Word]:
    """The words, with those joined that are one number or weekday together: "twenty one", "a couple
    of", "segunda feira"."""
    joined: list[Word] = []
    index = 0
    while index < len(words):
        count, value = _joined([word.value for word in words[index : index + 4]])
        one, last = words[index], words[index + count - 1]
        if count > 1:
            one = one._replace(value=value, end=last.end, owner=last.owner)
        joined.append(one)
        index += count
    return joined


def _joined(values: Sequence[str]) -> tuple[int, str]:
    """How many of these words belong together, and as what."""
    first, second, third = (*values[:3], "", "")[:3]
    if first in ("a", "um") and second in FEW | PAIR:
        count, value = _joined(values[1:])
        return count + 1, value
    if first in PAIR and second in ("of", "de"):
        return 2, first
    if first in TENS and second in _ONES:
        return 2, f"{first}-{second}"
    if first in TENS and second == "e" and third in _ONES:
        return 3, f"{first}-{third}"
    if second == "feira" and (weekday := _weekday(first)):
        return 2, f"{weekday}-feira"
    return 1, first


def _weekday(word: str) -> str | None:
    if word in ORDINAL_WEEKDAYS:
        return word
    number = word.removesuffix(NTH)
    place = int(number) - _FIRST_NUMBERED if number != word else -1
    return _WEEKDAYS[place] if 0 <= place < len(_WEEKDAYS) else None

"""The dates that a question names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import islice

from memoro.memory.dates.expressions import Expression, expressions
from memoro.memory.dates.grammar import meanings
from memoro.memory.dates.grammar.lexicon import MONTHS, fold, word_set
from memoro.memory.dates.grammar.matches import Match, matches
from memoro.memory.dates.grammar.patterns import reading
from memoro.memory.dates.grammar.rules import Kind
from memoro.memory.dates.grammar.words import Word, read_words
from memoro.memory.dates.periods import Period, Unit, month_of, shifted
from memoro.memory.recall.asking.chinese import chinese_dates
from memoro.memory.recall.asking.foreign import slashed_dates, spanish_as_portuguese
from memoro.memory.recall.asking.reach import (
    BEFORE,
    DAY,
    MONTH,
    NEAR_DAY,
    YEAR,
    DateAsked,
    ago,
    dated,
    near,
    span,
)

_MOST_DATES = 6
_IN_FIGURES = re.compile("[0-9][-/][0-9]")
_LETTERS_AND_FIGURES = re.compile(r"[^\W_]+")
_MOST_BEFORE_ANCHOR = 4
"""More words than an expression has, as a rule, before the first that is part of a date."""
_ANCHORS = word_set("<unit> <month> <weekday> <quarter> <year> <nth>")
_DEICTIC = word_set(
    "today hoje tonight yesterday ontem anteontem trasanteontem morning afternoon evening night"
    " manha tarde noite weekend hours horas"
)
_BOUNDS = word_set("before prior after antes depois apos")
_RELATIVE = word_set(
    "today hoje tonight yesterday ontem anteontem trasanteontem last past previous this current"
    " weekend night passado passada passados passadas ultimo ultima ultimos ultimas retrasado"
    " retrasada este esta neste nesta nesse nessa anterior atual corrente noite"
)
_HABITS = word_set("mornings afternoons evenings nights")
_SHORTEST_YEAR = 364


def dates_asked(text: str, today: date) -> tuple[DateAsked, ...]:
    """The dates that a question names, the first few of them, counted from the day that it is
    asked on."""
    found = [*chinese_dates(text, today), *slashed_dates(text)]
    text = spanish_as_portuguese(text)
    words = map(fold, _LETTERS_AND_FIGURES.findall(text))
    if _IN_FIGURES.search(text) or any(map(_is_anchor, words)):
        found += _in_words(read_words(text), today)
    return tuple(dict.fromkeys(islice(found, _MOST_DATES)))


def _is_anchor(word: str) -> bool:
    return word in _DEICTIC or not _ANCHORS.isdisjoint(reading(word))


def _in_words(words: Sequence[Word], today: date) -> Iterator[DateAsked]:
    done = 0
    for start in _starts(words):
        if start < done:
            continue
        one = next(expressions(words, start, today), None)
        if one is None:
            continue
        done = one.stop
        match = _single(words, one, today)
        if match is None:
            yield from _composed(words, one, today)
        elif not _is_bounded(words, match) and not _is_habit(words, match):
            yield _asked(words, match, today)


def _starts(words: Sequence[Word]) -> Iterator[int]:
    """Where an expression can start, in order."""
    looked = 0
    for place, word in enumerate(words):
        if word.period or _is_anchor(word.value):
            yield from range(max(looked, place - _MOST_BEFORE_ANCHOR), place + 1)
            looked = place + 1


def _single(words: Sequence[Word], one: Expression, today: date) -> Match | None:
    """The rule that gave an expression; None where it has bounds or is counted from a date."""
    for match in matches(words, one.first, today):
        if match.stop == one.stop and match.period == (one.start, one.end):
            return match
    return None


def _is_bounded(words: Sequence[Word], match: Match) -> bool:
    """Whether an expression is counted from a date after it, and not from today: "last weekend
    before April 10"."""
    after = words[match.stop].value if match.stop < len(words) else ""
    return after in _BOUNDS and _is_relative(words, match.first, match.stop)


def _is_habit(words: Sequence[Word], match: Match) -> bool:
    """ "Saturday mornings"."""
    after = words[match.stop].value if match.stop < len(words) else ""
    return match.kind is Kind.WEEKDAY and after in _HABITS


def _is_relative(words: Sequence[Word], first: int, stop: int) -> bool:
    return any(word.value in _RELATIVE for word in words[first:stop])


def _asked(words: Sequence[Word], match: Match, today: date) -> DateAsked:
    kind, period = match.kind, match.period
    if kind in (Kind.AGO, Kind.HA):
        return _ago(match, today)
    if kind in (Kind.WEEKDAY, Kind.NEAR_WEEKDAY):
        return dated(period, NEAR_DAY)
    is_yearly = kind in (Kind.DAY, Kind.MONTH) and match.values[-1] is None
    if kind is not Kind.NEAR_MONTH and _is_relative(words, match.first, match.stop):
        is_absolute = any(word.value in MONTHS for word in words[match.first : match.stop])
        return _by_length(period) if is_absolute else near(period)
    return _by_length(period, is_yearly=is_yearly)


def _ago(match: Match, today: date) -> DateAsked:
    if match.meaning is meanings.ago:
        count, unit = match.values
        if count is not None and unit is not None:
            return ago(shifted(today, Unit(unit), -count), Unit(unit))
    return near(match.period)


def _by_length(period: Period, *, is_yearly: bool = False) -> DateAsked:
    if period == month_of(period.start.year, period.start.month):
        return dated(period, MONTH, is_yearly=is_yearly)
    if period.start == period.end:
        return dated(period, DAY, is_yearly=is_yearly)
    if (period.end - period.start).days >= _SHORTEST_YEAR:
        return dated(period, YEAR)
    return span(period)._replace(is_yearly=is_yearly)


def _composed(words: Sequence[Word], one: Expression, today: date) -> Iterator[DateAsked]:
    """What has bounds, or is counted from a date: its days, and the date itself, on which it was
    probably told."""
    if one.start is not None:
        end = max(one.start, today) if one.end is None else one.end
        yield span(Period(one.start, end))
    elif one.end is not None:
        yield dated(Period(one.end, one.end), BEFORE)
    if one.start is None or one.end is None or _has_bound(words, one):
        yield from _anchor_days(words, one, today)


def _has_bound(words: Sequence[Word], one: Expression) -> bool:
    return any(word.value in _BOUNDS for word in words[one.first : one.stop])


def _anchor_days(words: Sequence[Word], one: Expression, today: date) -> Iterator[DateAsked]:
    for start in range(one.first + 1, one.stop):
        for match in matches(words, start, today):
            days = match.period
            if match.stop == one.stop and match.kind is not Kind.YEAR and days.start == days.end:
                yield _asked(words, match, today)
                return

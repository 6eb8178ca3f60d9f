"""What words can mean by the rules, wherever they stand."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from functools import partial
from typing import NamedTuple

from memoro.memory.dates.grammar.patterns import Values, Words
from memoro.memory.dates.grammar.rules import RULES, Kind, Meaning, Rule
from memoro.memory.dates.grammar.words import DAY_FIRST
from memoro.memory.dates.periods import Period


class Match(NamedTuple):
    """Words that a rule fits, from `first` up to and without `stop`, and the days they mean."""

    kind: Kind
    first: int
    stop: int
    period: Period
    meaning: Meaning
    values: Values


def matches(words: Words, index: int, today: date) -> Iterator[Match]:
    """What the words from an index on can mean as an expression of time, the longest first."""
    if index >= len(words):
        return
    if period := words[index].period:
        kind = Kind.DAY_FIRST if words[index].value == DAY_FIRST else Kind.CERTAIN
        yield fixed(kind, index, index + 1, period)
        return
    found = [
        Match(rule.kind, index, stop, period, rule.meaning, values)
        for rule, stop, values in _fits(words, index)
        if (period := meant(rule.meaning, today, values))
    ]
    found.sort(key=lambda one: one.stop, reverse=True)
    yield from found


def _fits(words: Words, index: int) -> Iterator[tuple[Rule, int, Values]]:
    for fit in RULES.fitting(words, index):
        rule = fit.meaning
        tail = rule.tail(words, fit.stop) if rule.tail else ((), fit.stop)
        if tail:
            yield rule, tail[1], fit.values + tail[0]


def fixed(kind: Kind, first: int, stop: int, period: Period) -> Match:
    """A match that means the same whatever today is."""
    return Match(kind, first, stop, period, partial(_same, period), ())


def _same(period: Period, _today: date) -> Period:
    return period


def meant(meaning: Meaning, today: date, values: Values) -> Period | None:
    """The days that a rule's values mean; None where the calendar has no such days."""
    try:
        return meaning(today, *values)
    except (ValueError, OverflowError):
        # "900 years ago" in the year 800: before the first day that there is.
        return None

"""Whole expressions of time: a single one, or one that others bound ("since", "between … and")."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date, timedelta
from typing import NamedTuple

from memoro.memory.dates.certainty.deciding import is_certain
from memoro.memory.dates.certainty.place import is_end
from memoro.memory.dates.grammar.lexicon import CALENDAR_UNITS, NOW, PORTUGUESE, word_set
from memoro.memory.dates.grammar.matches import Match, fixed, matches, meant
from memoro.memory.dates.grammar.patterns import Patterns, Words, at
from memoro.memory.dates.grammar.rules import Kind
from memoro.memory.dates.joining import are_neighbours, joined
from memoro.memory.dates.periods import Period, Unit, hull, shifted, unit_of, week_of

_DAY = timedelta(days=1)
_MOST_LISTED = 12

_OF = word_set("of de do da")
_ARTICLES = word_set("the o a os as")
_VAGUE = word_set("early late mid middle meados meio")
_STARTS = word_set("beginning start inicio comeco")
_ENDS = word_set("end fim final")
_TO = Patterns(
    (
        ("to|until|till|through|thru|a|ao|aos|ate|-|–|—", None),
        ("up to", None),
        ("ate ao|a|o", None),
    )
)
_AND = Patterns((("and|e|or|ou|-|–", None),))
_ONWARDS = Patterns(
    (("onward|onwards|on|forward", None), ("em diante", None), ("para|pra ca", None))
)
_SHIFTS = Patterns[int](
    (
        ("<count> <unit> before", -1),
        ("<count> <unit> antes de|do|da|dos|das", -1),
        ("<count> <unit> after", 1),
        ("<count> <unit> depois de|do|da|dos|das", 1),
    )
)
_SHIFTS_BY_ONE = Patterns[int]((("the <unit> before", -1), ("the <unit> after", 1)))


class Expression(NamedTuple):
    """The days that the words from `first` up to and without `stop` mean; None: open."""

    start: date | None
    end: date | None
    first: int
    stop: int


def expressions(
    words: Words, index: int, today: date, *, whole: bool = False
) -> Iterator[Expression]:
    """What the words from an index on mean, the best first.

    `whole` says that they are all there is, so that what is unsure elsewhere counts too.
    """
    if whole:
        yield from _wholes(words, index, today)
    for one in _singles(words, index, today):
        yield from _unopened_range(words, one, today)
        yield Expression(*one.period, index, one.stop)
    yield from _counted_from(words, index, today)
    yield from _week_of(words, index, today)
    for fit in _OPENERS.fitting(words, index):
        yield from fit.meaning(words, index, fit.stop, today)


def _wholes(words: Words, index: int, today: date) -> Iterator[Expression]:
    if at(words, index) in NOW:
        yield Expression(today, today, index, index + 1)
    for one in (*matches(words, index, today), *_held(words, index, today)):
        yield from _unopened_range(words, one, today)
        yield Expression(*one.period, index, one.stop)


def _singles(words: Words, index: int, today: date, *, held: bool = False) -> Iterator[Match]:
    """The single expressions that the words from an index on are for certain; `held` says that
    what stands before asks for a time."""
    for one in matches(words, index, today):
        if is_certain(words, one, held):
            yield one


def _held(words: Words, index: int, today: date) -> Iterator[Match]:
    """The single expressions after a preposition of time: also with an article before them, and
    parts of them ("the end of March" is its last day)."""
    yield from _singles(words, index, today, held=True)
    index += at(words, index) in _ARTICLES
    if at(words, index - 1) in _ARTICLES:
        yield from _singles(words, index, today, held=True)
    part = at(words, index)
    if part in _VAGUE:
        after = index + 1 + (at(words, index + 1) in _OF)
        yield from _singles(words, after, today, held=True)
    elif part in _STARTS | _ENDS and at(words, index + 1) in _OF:
        after = index + 2 + (at(words, index + 2) in _ARTICLES)
        for one in (*_singles(words, after, today, held=True), *_this_unit(words, after, today)):
            edge = one.period.start if part in _STARTS else one.period.end
            yield fixed(Kind.CERTAIN, one.first, one.stop, Period(edge, edge))


def _this_unit(words: Words, index: int, today: date) -> Iterator[Match]:
    """ "the beginning of the year"."""
    unit = CALENDAR_UNITS.get(at(words, index))
    if unit is not None and is_end(at(words, index + 1)):
        yield fixed(Kind.CERTAIN, index, index + 1, unit_of(today, unit))


def _stop(patterns: Patterns[None], words: Words, index: int) -> int | None:
    """The index after the longest phrase that stands at an index; None where none does."""
    return max((fit.stop for fit in patterns.fitting(words, index)), default=None)


def _between(words: Words, first: int, index: int, today: date) -> Iterator[Expression]:
    return _range(words, first, index, today, _AND)


def _from(words: Words, first: int, index: int, today: date) -> Iterator[Expression]:
    yield from _range(words, first, index, today, _TO)
    for one in _held(words, index, today):
        stop = _stop(_ONWARDS, words, one.stop)
        if stop is not None and (at(words, one.stop) != "on" or is_end(at(words, stop))):
            yield Expression(one.period.start, None, first, stop)


def _since(words: Words, first: int, index: int, today: date) -> Iterator[Expression]:
    yield from _from(words, first, index, today)
    for one in _held(words, index, today):
        yield Expression(one.period.start, None, first, one.stop)


def _before(words: Words, first: int, index: int, today: date) -> Iterator[Expression]:
    for one in _held(words, index, today):
        if one.period.start > date.min:
            yield Expression(None, one.period.start - _DAY, first, one.stop)


def _after(words: Words, first: int, index: int, today: date) -> Iterator[Expression]:
    for one in _held(words, index, today):
        if one.period.end < date.max:
            yield Expression(one.period.end + _DAY, None, first, one.stop)


def _until(words: Words, first: int, index: int, today: date) -> Iterator[Expression]:
    for one in _held(words, index, today):
        # "We ate yesterday" is no "até".
        portuguese = any(word.value in PORTUGUESE for word in words[one.first : one.stop])
        if words[first].value != "ate" or not words[first].plain or portuguese:
            yield Expression(None, one.period.end, first, one.stop)


_OPENERS: Patterns[Callable[[Words, int, int, date], Iterator[Expression]]] = Patterns(
    (
        ("between|entre", _between),
        ("from|de|do|da|dos|das", _from),
        ("since|desde", _since),
        ("starting ?on|in|from", _since),
        ("a partir de|do|da", _since),
        ("before", _before),
        ("prior to", _before),
        ("antes de|do|da|dos|das", _before),
        ("after|apos", _after),
        ("depois de|do|da|dos|das", _after),
        ("until|till|ate", _until),
        ("up to|until", _until),
    )
)


def _range(
    words: Words, first: int, index: int, today: date, joint: Patterns[None]
) -> Iterator[Expression]:
    for one in _held(words, index, today):
        if one.kind is Kind.DAY and one.period.start < one.period.end:
            yield Expression(*one.period, first, one.stop)
        after = _stop(joint, words, one.stop)
        if after is None:
            continue
        if at(words, after) in NOW:
            yield Expression(one.period.start, today, first, after + 1)
        for other in _held(words, after, today):
            if both := joined(one, other):
                yield Expression(*both, first, other.stop)


def _unopened_range(words: Words, one: Match, today: date) -> Iterator[Expression]:
    """ "March 3 to March 9", "yesterday and today"."""
    after = _stop(_TO, words, one.stop)
    if after is not None:
        dash = at(words, one.stop) in ("-", "–", "—")
        for other in _held(words, after, today):
            both = joined(one, other) if not dash or one.kind is other.kind else None
            if both:
                yield Expression(*both, one.first, other.stop)
    listed = _listed(words, one, today)
    if listed:
        yield listed


def _listed(words: Words, one: Match, today: date) -> Expression | None:
    """Neighbours of one kind in a list: "in April, May and June"."""
    days, stop = one.period, one.stop
    ended = None
    for _ in range(_MOST_LISTED):
        comma = at(words, stop) == ","
        after = stop + 1 if comma else _stop(_AND, words, stop)
        other = None if after is None else next(_held(words, after, today), None)
        if other is None or other.kind is not one.kind or not are_neighbours(days, other.period):
            break
        days, stop = hull(days, other.period), other.stop
        ended = None if comma else Expression(*days, one.first, stop)
        if not comma:
            break
    return ended


def _counted_from(words: Words, index: int, today: date) -> Iterator[Expression]:
    """ "2 days before 2026-05-02", "the week after March 3": the whole unit that it falls in."""
    shifts = [
        *_SHIFTS.fitting(words, index),
        *(fit._replace(values=(1, *fit.values)) for fit in _SHIFTS_BY_ONE.fitting(words, index)),
    ]
    for sign, stop, (count, unit) in shifts:
        for one in _held(words, stop, today):
            edge = one.period.end if sign > 0 else one.period.start
            if period := meant(_shifted, edge, (sign, count, unit)):
                yield Expression(*period, index, one.stop)


def _shifted(edge: date, sign: int, count: int, unit: int) -> Period:
    return unit_of(shifted(edge, Unit(unit), sign * count), Unit(unit))


def _week_of(words: Words, index: int, today: date) -> Iterator[Expression]:
    """ "the week of March 3"."""
    if at(words, index) in ("week", "semana") and at(words, index + 1) in _OF:
        for one in _held(words, index + 2, today):
            if one.period.start == one.period.end:
                yield Expression(*week_of(one.period.start), index, one.stop)

"""From a question to what answers it, ranked, each with its reasons.

The weights are absolute: a score means the same in every store, so that a floor can keep silence.
They were found on real conversations (see `benchmarks/recall`), and are flat: halving or doubling
any one of them changes little.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from heapq import nlargest
from typing import NamedTuple

from memoro.memory.dates.window import Calendar
from memoro.memory.recall.asking import (
    Question,
    date_fit,
    participants_named,
    read_question,
)
from memoro.memory.recall.finding import Finder, Shelf, ShelfName, Unit
from memoro.memory.recall.matching import (
    Matches,
    Saturation,
    Stem,
    best_units,
    match,
    scaled,
    weighed,
)
from memoro.memory.recall.turns import ASKS, NUMBERED, TIMED
from memoro.memory.recall.vectors import cosines
from memoro.memory.recall.words import query_terms

ASSISTANT = "assistant"

_FEW = 80
"""How many units that match are candidates; in a large store more of the best have rivals."""

_MANY = 250
_MANY_UNITS = 20_000
CLOSELY = 100
"""How many of the candidates, and of the turns beside them, are read and weighed with all
signals."""

_ALL_BETWEEN = 1_000
"""Up to so many units of a time are all looked at closely."""

_NEAR = 50
_WEAK = 0.1
"""Where words match no better than this, what is near in meaning is looked at, too."""

_NEARLY_ALL = 0.8
"""A text that has more than this of what is asked for is no match by chance, however long it is."""

_OF_A_LONG_TEXT = 0.35
"""A text that has all words of a question scores less than this only where it is long."""

_MORE_WORDS = 5
_TELLING = 3


class Weights(NamedTuple):
    """What each signal adds to the score of a turn."""

    words: float = 0.50
    around: float = 0.50
    session: float = 0.12
    answers: float = 0.15
    speaker: float = 0.20
    assistant: float = -0.20
    date: float = 0.30
    time: float = 0.06
    number: float = 0.05
    meaning: float = 0.15
    session_meaning: float = 0.10
    cover: float = 0.12


WEIGHTS = Weights()
TELLING_MEANING = Weights(meaning=0.40)
"""With an embedder that is a model, so that what is said in other words alone passes the floor: of
unrelated texts such cosines are about 0.1 to 0.3, of answers 0.4 to 0.8."""

_BEST_TURNS = (1.0, 0.2, 0.1)
_WHOLE_SESSION = 0.2
TURNS = Saturation()
RECORDS = Saturation(pivot=15.0)
_SHELVES: tuple[tuple[ShelfName, Saturation], ...] = (("turn", TURNS), ("record", RECORDS))


class Asked(NamedTuple):
    """A question, and where its answer may lie.

    `row` is its vector, empty where it has none; `by_meaning` that those near it are candidates
    whatever their words, and not only where no words match well. `more` are words that an answer
    may have besides those of the question. `session` is the only conversation that is meant,
    `without` one that is not; `since` and `until` the time, where they are given; `fits` says of a
    unit whether it may answer. `dated` is the question with the time that it names, where `text`
    is without. `closely` is how many are weighed with all signals; `is_part` that
    it is a part of a question, which is asked as a whole besides.
    """

    text: str
    now: datetime
    calendar: Calendar
    row: bytes = b""
    by_meaning: bool = False
    more: str = ""
    session: str | None = None
    without: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    fits: Callable[[Unit], bool] | None = None
    weights: Weights = WEIGHTS
    dated: str = ""
    closely: int = CLOSELY
    is_part: bool = False


class Ranked(NamedTuple):
    """A unit with its score, and what each signal added to that."""

    unit: Unit
    score: float
    reasons: Mapping[str, float]


class RankedGroup(NamedTuple):
    """A session with its score, and its best turns."""

    group: int
    score: float
    turns: Sequence[Ranked]


class Rankings(NamedTuple):
    """What a shelf has on a question, the best first; `groups` are the scores of whole sessions
    by their words."""

    units: list[Ranked]
    groups: Mapping[int, float]


_NOTHING = Rankings([], {})


def rank_turns(finder: Finder, asked: Asked) -> Rankings:
    """The turns that may answer a question, all candidates, the best first."""
    shelf = finder.shelf("turn")
    if shelf is None or not shelf.units:
        return _NOTHING
    if asked.without is not None:
        asked = _without(asked, finder.group("turn", asked.without))
    stems = _stems(finder, shelf, asked, TURNS)
    units = _candidates(finder, shelf, stems, asked)
    if not units:
        return _NOTHING
    spans = {(unit.first, unit.size, unit.group) for unit in units.values()}
    groups = finder.groups({unit.group for unit in units.values() if unit.group is not None})
    mean = max(shelf.tokens / max(shelf.groups, 1), 1.0)
    matches = match(stems, spans, groups, mean, TURNS)
    question = read_question(asked.text, asked.now, asked.calendar)
    before = {first: last for group in groups.values() for last, first in group.links}
    close = _closest(finder, asked, question, units, before, matches)
    asks = {before.get(number, number - 1) for number in close}
    near = units | close | finder.units(asks - units.keys() - close.keys())
    kept = {number: unit for number, unit in close.items() if _fits(unit, asked)}
    ranked = _scored(finder, asked, question, kept, _Said(near, before, matches))
    return Rankings(ranked, matches.groups)


class _Said(NamedTuple):
    """What is known of turns: themselves, which one came before where that is not the number
    before, and how they match."""

    units: Mapping[int, Unit]
    before: Mapping[int, int]
    matches: Matches

    def answered(self, unit: Unit) -> float:
        """How well the question matches that this turn answers."""
        number = self.before.get(unit.id, unit.id - 1 if unit.id > unit.first else -1)
        asked = self.units.get(number)
        if asked is None or not asked.flags & ASKS:
            return 0.0
        return self.matches.words.get(number, 0.0)


def _closest(
    finder: Finder,
    asked: Asked,
    question: Question,
    units: Mapping[int, Unit],
    before: Mapping[int, int],
    matches: Matches,
) -> dict[int, Unit]:
    """The candidates and turns beside them that may rank high, by what is known without reading
    them."""
    w = asked.weights
    after = {last: first for first, last in before.items()}
    rough: dict[int, float] = {}
    for unit in units.values():
        session = w.session * matches.groups.get(unit.group or 0, 0.0)
        if question.dates:
            session += w.date * date_fit(question, unit.at, asked.calendar)
        beside = (before.get(unit.id, unit.id - 1), unit.id, after.get(unit.id, unit.id + 1))
        for number in beside:
            known = w.words * matches.words.get(number, 0.0)
            known += w.around * matches.around.get(number, 0.0)
            other = units.get(number)
            if other is not None and _is_reply(other) and not question.asked:
                known += w.assistant
            rough[number] = known + session
    best = nlargest(2 * asked.closely, rough, key=rough.__getitem__)
    found = finder.units([number for number in best if number not in units])
    standing = {n: found.get(n) or units[n] for n in best if n in found or n in units}
    close = dict(list(standing.items())[: asked.closely])
    # What was found by its meaning may have none of the words.
    return close | {n: unit for n, unit in units.items() if n not in matches.words}


def rank_records(finder: Finder, asked: Asked) -> list[Ranked]:
    """The records that may answer a question, the best first: by their own words and meaning."""
    shelf = finder.shelf("record")
    if shelf is None or not shelf.units:
        return []
    stems = _stems(finder, shelf, asked, RECORDS)
    units = _candidates(finder, shelf, stems, asked)
    spans = {(unit.first, unit.size, None) for unit in units.values()}
    words = match(stems, spans, {}, 1.0, RECORDS).words
    meaning = _meanings(finder, asked, units)
    question = read_question(asked.dated or asked.text, asked.now, asked.calendar)
    w = asked.weights
    ranked: list[Ranked] = []
    for number, unit in units.items():
        reasons = {
            "words": words.get(number, 0.0),
            "meaning": w.meaning * meaning.get(number, 0.0),
        }
        if question.dates:
            reasons["date"] = w.date * date_fit(question, unit.at, asked.calendar)
        ranked.append(Ranked(unit, sum(reasons.values()), reasons))
    return sorted(ranked, key=_order)


def latest(finder: Finder, shelf: ShelfName, asked: Asked) -> list[Ranked]:
    """The units in the time that is meant, the latest first, for a question that asks for nothing
    else."""
    if finder.shelf(shelf) is None:
        return []
    found = finder.units(finder.between(shelf, asked.since, asked.until, _ALL_BETWEEN))
    units = [unit for unit in found.values() if _fits(unit, asked)]
    units.sort(key=lambda unit: (-unit.micros, -unit.id))
    reasons = {"date": asked.weights.date}
    return [Ranked(unit, asked.weights.date, reasons) for unit in units]


def rank_groups(rankings: Rankings) -> list[RankedGroup]:
    """Sessions by their best turns, and a little by their words as a whole."""
    turns: dict[int, list[Ranked]] = defaultdict(list)
    for one in rankings.units:
        if one.unit.group is not None:
            turns[one.unit.group].append(one)
    ranked = [
        RankedGroup(
            number,
            sum(w * one.score for w, one in zip(_BEST_TURNS, best, strict=False))
            + _WHOLE_SESSION * rankings.groups.get(number, 0.0),
            best[:3],
        )
        for number, best in turns.items()
    ]
    return sorted(ranked, key=lambda one: (-one.score, one.group))


def above(ranked: Sequence[Ranked], gate: float, share: float = 0.5) -> list[Ranked]:
    """Those worth showing: none if the best is under the gate, else all not far below the best."""
    if not ranked or ranked[0].score < gate:
        return []
    return [one for one in ranked if one.score >= share * ranked[0].score]


def _without(asked: Asked, group: int | None) -> Asked:
    before = asked.fits

    def fits(unit: Unit) -> bool:
        return unit.group != group and (before is None or before(unit))

    return asked if group is None else asked._replace(fits=fits)


def promise(finder: Finder, asked: Asked) -> float:
    """How well a question's rarest words match at best, on any shelf: cheap to tell."""
    best = 0.0
    for name, saturation in _SHELVES:
        shelf = finder.shelf(name)
        if shelf is not None and shelf.units:
            found = best_units(_stems(finder, shelf, asked, saturation)[:_TELLING], 1)
            best = max(best, *found.values(), 0.0)
    return best


def _stems(finder: Finder, shelf: Shelf, asked: Asked, saturation: Saturation) -> list[Stem]:
    terms = query_terms(asked.text)
    stems = weighed(finder.places(shelf.name, terms), shelf.parts, saturation)
    more = [stem for stem in query_terms(asked.more) if stem not in terms] if asked.more else []
    if not more or not stems:
        return stems
    # They help to find, and take nothing from what the question's own words are worth.
    share = sum(stem.share for stem in stems) / len(stems) / 2
    extra = weighed(finder.places(shelf.name, more), shelf.parts, saturation)
    known = [stem for stem in extra if stem.places][:_MORE_WORDS]
    return [*stems, *(scaled(stem, share) for stem in known)]


def _candidates(
    finder: Finder, shelf: Shelf, stems: Sequence[Stem], asked: Asked
) -> dict[int, Unit]:
    """The units that are worth a closer look, and may answer."""
    if asked.session is not None:
        group = finder.group(shelf.name, asked.session)
        spans = finder.groups([group])[group].spans if group is not None else ()
        numbers = [first + at for first, size in spans for at in range(size)]
        return _fitting(finder, numbers, asked)
    if asked.since is not None or asked.until is not None:
        within = finder.between(shelf.name, asked.since, asked.until, _ALL_BETWEEN)
        if len(within) < _ALL_BETWEEN:
            return _fitting(finder, within, asked)
    wanted = _FEW if asked.is_part or shelf.units < _MANY_UNITS else _MANY
    best = best_units(stems, wanted)
    units = _fitting(finder, best, asked)
    while asked.fits is not None and len(units) < _FEW // 4 and len(best) >= wanted:
        wanted *= 4
        best = best_units(stems, wanted)
        units = _fitting(finder, best, asked)
    if asked.row and (asked.by_meaning or max(best.values(), default=0.0) < _WEAK):
        near = finder.near(shelf.name, asked.row, _NEAR)
        units |= _fitting(finder, [one for one in near if one not in units], asked)
    return units


def _fitting(finder: Finder, numbers: Collection[int], asked: Asked) -> dict[int, Unit]:
    found = finder.units(numbers)
    if asked.fits is None:
        return found
    return {number: unit for number, unit in found.items() if asked.fits(unit)}


def _fits(unit: Unit, asked: Asked) -> bool:
    return asked.fits is None or asked.fits(unit)


def _scored(
    finder: Finder,
    asked: Asked,
    question: Question,
    kept: Mapping[int, Unit],
    said: _Said,
) -> list[Ranked]:
    matches = said.matches
    named = _named(asked.text, said.units.values())
    meaning = _meanings(finder, asked, kept)
    session_meaning: dict[int | None, float] = defaultdict(float)
    for number, value in meaning.items():
        group = kept[number].group
        session_meaning[group] = max(value, session_meaning[group])
    ranked: list[Ranked] = []
    w, words, around = asked.weights, matches.words, matches.around
    for number, unit in kept.items():
        reasons = {
            "words": w.words * words.get(number, 0.0),
            "around": w.around * around.get(number, 0.0),
            "session": w.session * matches.groups.get(unit.group or 0, 0.0),
            "answers": w.answers * said.answered(unit),
            "meaning": w.meaning * meaning.get(number, 0.0),
            "session meaning": w.session_meaning * session_meaning[unit.group],
        }
        cover = matches.cover.get(number, 0.0)
        if cover > _NEARLY_ALL and words.get(number, 0.0) < _OF_A_LONG_TEXT:
            reasons["cover"] = w.cover * (cover - _NEARLY_ALL) / (1 - _NEARLY_ALL)
        _ask_for(question, unit, named, asked, reasons)
        ranked.append(Ranked(unit, sum(reasons.values()), reasons))
    return sorted(ranked, key=_order)


def _ask_for(
    question: Question, unit: Unit, named: str | None, asked: Asked, reasons: dict[str, float]
) -> None:
    """Add what a question asks for besides its words."""
    w = asked.weights
    if named is not None and unit.speaker == named:
        reasons["speaker"] = w.speaker
    if _is_reply(unit) and not question.asked:
        reasons["assistant"] = w.assistant
    if question.dates:
        reasons["date"] = w.date * date_fit(question, unit.at, asked.calendar)
    if question.when and unit.flags & TIMED:
        reasons["time"] = w.time
    if question.how_many and unit.flags & NUMBERED:
        reasons["number"] = w.number


def _is_reply(unit: Unit) -> bool:
    """Whether an assistant said it. People who talk with each other have names."""
    return unit.role == ASSISTANT and not unit.speaker


def _named(text: str, units: Collection[Unit]) -> str | None:
    """The one participant whom the question names, if it is one."""
    speakers = {unit.speaker for unit in units if unit.speaker}
    named = participants_named(text, speakers) if speakers else ()
    return next(iter(named)) if len(named) == 1 else None


def _meanings(finder: Finder, asked: Asked, units: Mapping[int, Unit]) -> dict[int, float]:
    """The best cosine of each unit that has vectors."""
    if not asked.row:
        return {}
    owners: list[int] = []
    rows: list[bytes] = []
    for number, parts in finder.rows(units.keys()).items():
        owners += [number] * len(parts)
        rows += parts
    best: dict[int, float] = {}
    for number, cosine in zip(owners, cosines(asked.row, rows), strict=True):
        best[number] = max(cosine, best.get(number, -1.0))
    return best


def _order(one: Ranked) -> tuple[float, int]:
    return -one.score, one.unit.id

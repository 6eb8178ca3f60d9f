"""From a question to what answers it, ranked, each with its reasons."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from heapq import nlargest
from typing import NamedTuple

from memoro.memory.recall.asked import (
    RECORDS,
    TURNS,
    Asked,
    Ranked,
    RankedGroup,
    Rankings,
)
from memoro.memory.recall.asking import (
    Question,
    date_fit,
    participants_named,
    read_question,
)
from memoro.memory.recall.candidates import candidates, may_answer, stems_of
from memoro.memory.recall.finding import Finder, Unit
from memoro.memory.recall.matching import Matches, Stem, cover, match
from memoro.memory.recall.turns import ASKS, NUMBERED, TIMED
from memoro.memory.recall.vectors import cosines

ASSISTANT = "assistant"

_NEARLY_ALL = 0.8
"""A text that has more than this of what is asked for is no match by chance, however long it is."""

_OF_A_LONG_TEXT = 0.35
"""A text that has all words of a question scores less than this only where it is long."""

_BEST_TURNS = (1.0, 0.2, 0.1)
_WHOLE_SESSION = 0.2
_NOTHING = Rankings([], {})


def rank_turns(finder: Finder, asked: Asked) -> Rankings:
    """The turns that may answer a question, all candidates, the best first."""
    shelf = finder.shelf("turn")
    if shelf is None or not shelf.units:
        return _NOTHING
    if asked.without is not None:
        asked = _without(asked, finder.group("turn", asked.without))
    stems = stems_of(finder, shelf, asked, TURNS)
    units = candidates(finder, shelf, stems, asked)
    if not units:
        return _NOTHING
    groups = finder.groups({unit.group for unit in units.values() if unit.group is not None})
    mean = max(shelf.tokens / max(shelf.groups, 1), 1.0)
    matches = match(stems, units.values(), groups, mean, TURNS)
    question = read_question(asked.text, asked.now, asked.calendar)
    before = {first: last for group in groups.values() for last, first in group.links}
    close = _closest(finder, asked, question, units, before, matches)
    asks = {before.get(number, number - 1) for number in close}
    near = units | close | finder.units(asks - units.keys() - close.keys())
    kept = {number: unit for number, unit in close.items() if may_answer(unit, asked)}
    ranked = _scored(finder, asked, question, kept, _Said(near, before, matches, stems))
    return Rankings(ranked, matches.groups)


class _Said(NamedTuple):
    """What is known of turns: themselves, which one came before where that is not the number
    before, and how they match."""

    units: Mapping[int, Unit]
    before: Mapping[int, int]
    matches: Matches
    stems: Sequence[Stem]

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
    best = nlargest(3 * asked.closely // 2, rough, key=rough.__getitem__)
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
    stems = stems_of(finder, shelf, asked, RECORDS)
    units = candidates(finder, shelf, stems, asked)
    words = match(stems, units.values(), {}, 1.0, RECORDS).words
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
    return sorted(ranked, key=order)


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
        if words.get(number, 0.0) < _OF_A_LONG_TEXT:
            covered = cover(said.stems, number, _NEARLY_ALL, TURNS)
            if covered:
                reasons["cover"] = w.cover * (covered - _NEARLY_ALL) / (1 - _NEARLY_ALL)
        _ask_for(question, unit, named, asked, reasons)
        ranked.append(Ranked(unit, sum(reasons.values()), reasons))
    return sorted(ranked, key=order)


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


def order(one: Ranked) -> tuple[float, int]:
    """What units are sorted by: the best first, of equals the oldest."""
    return -one.score, one.unit.id

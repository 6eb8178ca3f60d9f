"""Which units may answer a question, before they are weighed."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from memoro.memory.recall.asked import RECORDS, TURNS, Asked, Ranked
from memoro.memory.recall.finding import Finder, Shelf, ShelfName, Unit
from memoro.memory.recall.matching import Saturation, Stem, best_units, scaled, weighed
from memoro.memory.recall.words import query_terms

_FEW = 80
"""How many units that match are candidates; in a large store more of the best have rivals."""

_MANY = 250
_MANY_UNITS = 20_000
_ALL_BETWEEN = 1_000
"""Up to so many units of a time are all looked at closely."""

_NEAR = 50
_WEAK = 0.1
"""Where words match no better than this, what is near in meaning is looked at, too."""

_MORE_WORDS = 5
_TELLING = 3


_SHELVES: tuple[tuple[ShelfName, Saturation], ...] = (("turn", TURNS), ("record", RECORDS))


def stems_of(finder: Finder, shelf: Shelf, asked: Asked, saturation: Saturation) -> list[Stem]:
    """The stems of a question as a shelf has them, the rarest first."""
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


def candidates(
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


def may_answer(unit: Unit, asked: Asked) -> bool:
    """Whether a unit is of what is asked for."""
    return asked.fits is None or asked.fits(unit)


def latest(finder: Finder, shelf: ShelfName, asked: Asked) -> list[Ranked]:
    """The units in the time that is meant, the latest first, for a question that asks for nothing
    else."""
    if finder.shelf(shelf) is None:
        return []
    found = finder.units(finder.between(shelf, asked.since, asked.until, _ALL_BETWEEN))
    units = [unit for unit in found.values() if may_answer(unit, asked)]
    units.sort(key=lambda unit: (-unit.micros, -unit.id))
    reasons = {"date": asked.weights.date}
    return [Ranked(unit, asked.weights.date, reasons) for unit in units]


def promise(finder: Finder, asked: Asked) -> float:
    """How well a question's rarest words match at best, on any shelf: cheap to tell."""
    best = 0.0
    for name, saturation in _SHELVES:
        shelf = finder.shelf(name)
        if shelf is not None and shelf.units:
            found = best_units(stems_of(finder, shelf, asked, saturation)[:_TELLING], 1)
            best = max(best, *found.values(), 0.0)
    return best

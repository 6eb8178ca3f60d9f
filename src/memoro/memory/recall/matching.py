"""How well texts match the words of a question.

A score of 1 is that of an ideal text: one that has every word of the question, each often enough.
Words that nothing has count as much as any, so that scores mean the same in every store.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from heapq import nlargest
from itertools import chain, repeat
from math import log
from typing import NamedTuple

from memoro.memory.recall.entries import COUNTS, saturations
from memoro.memory.recall.finding import Group, Unit
from memoro.memory.recall.postings import (
    BLOCK_BITS,
    BLOCK_UNITS,
    PART_BITS,
    PARTS,
    Places,
    block_of,
    offset_of,
    unit_at,
)

_NEXT, _AFTER_NEXT = 0.6, 0.3
"""How much of a word counts for a turn beside one that has it, and for the one after that."""

_REACH = 3
"""What is said so many turns away counts: for a turn beside one that matches, two turns on."""

_ENOUGH_PLACES = 5_000
"""Places of the rarest stems that are all looked at: half a millisecond."""

_SAMPLE = 40
_FEWEST_TEXTS = 64
_DECIDING = 2
"""So many of the rarest stems decide, however common they are."""

_SPARE = 4
"""Of how many times as many parts as wanted the commoner stems are looked up."""


class Saturation(NamedTuple):
    """BM25's parameters. `pivot` stands for the average length of a text, in tokens."""

    pivot: float = 40.0
    k1: float = 1.2
    b: float = 0.75


class Stem(NamedTuple):
    """A stem of the question: its places by block, what a code of it is worth, and its share of
    the ideal score."""

    places: Mapping[int, Places]
    worth: Sequence[float]
    share: float


class Matches(NamedTuple):
    """How the texts around the best candidates match.

    `words` is the best of a unit's parts, `around` counts what its neighbours have besides,
    `groups` the session as one text.
    """

    words: Mapping[int, float]
    around: Mapping[int, float]
    groups: Mapping[int, float]


def weighed(
    found: Sequence[Mapping[int, Places]], texts: int, saturation: Saturation
) -> list[Stem]:
    """The stems of a question, the rarest first, by how many of `texts` texts have each. Few texts
    count as some more, lest a word that the only one lacks weigh many times what it has."""
    texts = max(texts, _FEWEST_TEXTS)
    idfs = [_idf(sum(len(one.codes) for one in places.values()), texts) for places in found]
    ideal = sum(idfs) * (saturation.k1 + 1) or 1.0
    factors = saturations(*saturation)
    stems = [
        Stem(places, [idf / ideal * factor for factor in factors], idf / ideal)
        for places, idf in zip(found, idfs, strict=True)
    ]
    return sorted(stems, key=lambda stem: -stem.share)


def scaled(stem: Stem, share: float) -> Stem:
    """A stem that counts as if it had this share of the ideal score."""
    factor = share / stem.share if stem.share else 0.0
    return Stem(stem.places, [one * factor for one in stem.worth], share)


def best_units(stems: Sequence[Stem], limit: int) -> dict[int, float]:
    """The units that match best, with the score of their best part, the best first.

    The rarest stems decide who is looked at. Once they have given enough places, what the commoner
    ones are worth is added for the best of those alone.
    """
    first, rest = _split(stems)
    scores: dict[int, dict[int, float]] = {}
    for block, lists in _lists(first).items():
        scores[block] = _added(lists)
    if rest:
        scores = _narrowed(scores, _SPARE * limit)
        for block, lists in _lists(rest).items():
            if block in scores:
                _add_known(scores[block], lists)
    best: dict[int, float] = {}
    for block, one in _narrowed(scores, 2 * limit).items():
        for offset, value in one.items():
            unit = unit_at(block, offset)
            best[unit] = max(value, best.get(unit, 0.0))
    return dict(nlargest(limit, best.items(), key=lambda pair: (pair[1], -pair[0])))


def _split(stems: Sequence[Stem]) -> tuple[Sequence[Stem], Sequence[Stem]]:
    """The stems that decide, and those that only add."""
    places = 0
    for at, stem in enumerate(stems):
        places += sum(len(one.codes) for one in stem.places.values())
        if places > _ENOUGH_PLACES and at >= _DECIDING:
            return stems[:at], stems[at:]
    return stems, ()


def _lists(stems: Sequence[Stem]) -> dict[int, list[tuple[Places, Sequence[float]]]]:
    blocks: dict[int, list[tuple[Places, Sequence[float]]]] = defaultdict(list)
    for stem in stems:
        for block, places in stem.places.items():
            blocks[block].append((places, stem.worth))
    return blocks


def _narrowed(scores: Mapping[int, dict[int, float]], limit: int) -> dict[int, dict[int, float]]:
    """The best parts of these: at least as many as wanted, and not many more."""
    values = list(chain.from_iterable(one.values() for one in scores.values()))
    if len(values) <= 2 * limit:
        return dict(scores)
    # Where the limit lies is told well enough by some of them.
    step = max(1, limit // _SAMPLE)
    some = sorted(values[::step], reverse=True)
    floor = some[min(len(some) - 1, limit * 5 // (4 * step))]
    narrow = {
        block: {offset: value for offset, value in one.items() if value >= floor}
        for block, one in scores.items()
    }
    return {block: one for block, one in narrow.items() if one}


def match(
    stems: Sequence[Stem],
    units: Collection[Unit],
    groups: Mapping[int, Group],
    mean_tokens: float,
    saturation: Saturation,
) -> Matches:
    """How these units match, and those up to three turns away from one, with their neighbours and
    their groups."""
    parts: dict[int, float] = defaultdict(float)
    around: dict[int, float] = defaultdict(float)
    whole: dict[int, float] = defaultdict(float)
    links = [link for group in groups.values() for link in group.links]
    near = _by_block(_near(units, links))
    spans = _by_block(
        (first, first + size, number)
        for number, group in groups.items()
        for first, size in group.spans
    )
    for stem in stems:
        _spread(_stand(stem, near, parts), links, around)
        for number, count in _counted(stem, spans).items():
            norm = 0.25 + 0.75 * groups[number].tokens / mean_tokens
            k1 = saturation.k1
            whole[number] += stem.share * (k1 + 1) * count / (count + k1 * norm)
    return Matches(_of_units(parts), around, whole)


def cover(stems: Sequence[Stem], unit: int, least: float, saturation: Saturation) -> float:
    """The share of the question's words, by weight, that the best part of a unit has at all,
    however long it is; 0 where that is less than `least`."""
    block, start = block_of(unit), offset_of(unit, 0)
    factor = saturation.k1 + 1
    reach = factor * sum(stem.share for stem in stems)
    parts: dict[int, float] = defaultdict(float)
    for stem in stems:
        places = stem.places.get(block)
        known = _parts_at(places.offsets, start) if places else ()
        for part in known:
            parts[part] += factor * stem.share
        if not known:
            # The weightiest come first, so that most units are done with after one or two.
            reach -= factor * stem.share
            if reach < least:
                return 0.0
    best = max(parts.values(), default=0.0)
    return best if best >= least else 0.0


def _parts_at(offsets: Sequence[int], start: int) -> Sequence[int]:
    low = bisect_left(offsets, start)
    return offsets[low : bisect_left(offsets, start + PARTS, low)]


def _of_units(parts: Mapping[int, float]) -> dict[int, float]:
    """The best of each unit's parts."""
    best: dict[int, float] = {}
    get = best.get
    for part, value in parts.items():
        unit = part >> PART_BITS
        if value > get(unit, 0.0):
            best[unit] = value
    return best


def _idf(having: int, texts: int) -> float:
    return log(1 + (max(texts - having, 0) + 0.5) / (having + 0.5))


def _added(lists: Sequence[tuple[Places, Sequence[float]]]) -> dict[int, float]:
    (first, worth), *others = lists
    scores = dict(zip(first.offsets, map(worth.__getitem__, first.codes), strict=True))
    get = scores.get
    for places, worth in others:
        for offset, code in zip(places.offsets, places.codes, strict=True):
            scores[offset] = get(offset, 0.0) + worth[code]
    return scores


def _add_known(scores: dict[int, float], lists: Sequence[tuple[Places, Sequence[float]]]) -> None:
    """Add what stems are worth to the parts that are known, and to no other."""
    wanted = sorted(scores)
    for places, worth in lists:
        offsets, codes = places
        at, end = 0, len(offsets)
        for offset in wanted:
            at = bisect_left(offsets, offset, at)
            if at == end:
                break
            if offsets[at] == offset:
                scores[offset] += worth[codes[at]]


class _Runs(NamedTuple):
    """Runs of units in a block: where each begins and ends, in turn, as offsets; its group (0 for
    none)."""

    bounds: list[int]
    groups: list[int]


def _near(
    units: Collection[Unit], links: Sequence[tuple[int, int]]
) -> Iterator[tuple[int, int, int]]:
    """The runs of turns that count for these units, without those that overlap."""
    wanted = [
        (max(unit.first, unit.id - _REACH), min(unit.first + unit.size, unit.id + _REACH + 1))
        for unit in units
    ]
    known = {unit.id for unit in units}
    for last, first in links:
        if known & set(range(last - _REACH + 1, last + 1)):
            wanted.append((first, first + _REACH))
        if known & set(range(first, first + _REACH)):
            wanted.append((last - _REACH + 1, last + 1))
    begin = end = 0
    for low, high in sorted(wanted):
        if low > end or low >> BLOCK_BITS != begin >> BLOCK_BITS:
            if end:
                yield begin, end, 0
            begin, end = low, high
        end = max(end, high)
    if end:
        yield begin, end, 0


def _by_block(runs: Iterable[tuple[int, int, int]]) -> Mapping[int, _Runs]:
    by_block: dict[int, _Runs] = {}
    for first, end, number in sorted(runs):
        start = (first & (BLOCK_UNITS - 1)) << PART_BITS
        known = by_block.setdefault(first >> BLOCK_BITS, _Runs([], []))
        known.bounds.extend((start, start + (end - first << PART_BITS)))
        known.groups.append(number)
    return by_block


def _stand(stem: Stem, runs: Mapping[int, _Runs], parts: dict[int, float]) -> dict[int, float]:
    """Add what a stem is worth in each part; gives that of each unit."""
    units: dict[int, float] = {}
    get, worth = units.get, stem.worth
    for block, (offsets, codes) in stem.places.items():
        known = runs.get(block)
        if known is None:
            continue
        base = block << (BLOCK_BITS + PART_BITS)
        found = map(bisect_left, repeat(offsets), known.bounds)
        for low, high in zip(found, found, strict=True):
            for offset, code in zip(offsets[low:high], codes[low:high], strict=True):
                part, value = base | offset, worth[code]
                parts[part] += value
                unit = part >> PART_BITS
                if value > get(unit, 0.0):
                    units[unit] = value
    return units


def _counted(stem: Stem, runs: Mapping[int, _Runs]) -> dict[int, int]:
    """How often a stem stands in each group."""
    counts: dict[int, int] = defaultdict(int)
    for block, (offsets, codes) in stem.places.items():
        known = runs.get(block)
        if known is None:
            continue
        found = map(bisect_left, repeat(offsets), known.bounds)
        for low, high, group in zip(found, found, known.groups, strict=True):
            if low < high:
                counts[group] += sum(codes[low:high].translate(COUNTS))
    return counts


def _spread(
    units: Mapping[int, float], links: Sequence[tuple[int, int]], around: dict[int, float]
) -> None:
    """Add what a stem is worth to each unit that has it, and less of it to those beside. Runs stand
    apart, so that nothing reaches from one into another, but where one goes on with another."""
    best = dict(units)
    get = best.get
    for unit, value in units.items():
        near = value * _NEXT
        if near > get(unit - 1, 0.0):
            best[unit - 1] = near
        if near > get(unit + 1, 0.0):
            best[unit + 1] = near
        near = value * _AFTER_NEXT
        if near > get(unit - 2, 0.0):
            best[unit - 2] = near
        if near > get(unit + 2, 0.0):
            best[unit + 2] = near
    for last, first in links:
        for here, there, share in (
            (last, first, _NEXT),
            (last - 1, first, _AFTER_NEXT),
            (last, first + 1, _AFTER_NEXT),
        ):
            best[there] = max(get(there, 0.0), units.get(here, 0.0) * share)
            best[here] = max(get(here, 0.0), units.get(there, 0.0) * share)
    for unit, value in best.items():
        around[unit] += value

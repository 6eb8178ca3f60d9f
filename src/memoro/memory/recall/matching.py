"""How well texts match the words of a question.

A score of 1 is that of an ideal text: one that has every word of the question, each often enough.
Words that nothing has count as much as any, so that scores mean the same in every store.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from heapq import nlargest
from itertools import repeat
from math import log
from typing import NamedTuple

from memoro.memory.recall.entries import saturations
from memoro.memory.recall.finding import Group
from memoro.memory.recall.postings import BLOCK_BITS, BLOCK_UNITS, PART_BITS, Places, unit_at

_NEXT, _AFTER_NEXT = 0.6, 0.3
"""How much of a word counts for a turn beside one that has it, and for the one after that."""

_ENOUGH_PLACES = 15_000
"""Places of the rarest stems that are all looked at: about a millisecond."""

_SAMPLE = 40
_FEWEST_TEXTS = 64
_DECIDING = 2
"""So many of the rarest stems decide, however common they are."""

_SPARE = 8
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
    `groups` the session as one text. `cover` is the share of the question's words, by weight, that
    the best part has at all, however long it is.
    """

    words: Mapping[int, float]
    around: Mapping[int, float]
    groups: Mapping[int, float]
    cover: Mapping[int, float]


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
    for block, lists in _by_block(first).items():
        scores[block] = _added(lists)
    if rest:
        scores = _narrowed(scores, _SPARE * limit)
        for block, lists in _by_block(rest).items():
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


def _by_block(stems: Sequence[Stem]) -> dict[int, list[tuple[Places, Sequence[float]]]]:
    blocks: dict[int, list[tuple[Places, Sequence[float]]]] = defaultdict(list)
    for stem in stems:
        for block, places in stem.places.items():
            blocks[block].append((places, stem.worth))
    return blocks


def _narrowed(scores: Mapping[int, dict[int, float]], limit: int) -> dict[int, dict[int, float]]:
    """The best parts of these: at least as many as wanted, and not many more."""
    values = [value for one in scores.values() for value in one.values()]
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
    spans: Collection[tuple[int, int, int | None]],
    groups: Mapping[int, Group],
    mean_tokens: float,
    saturation: Saturation,
) -> Matches:
    """How units match within these spans (first, size and group of each), with their neighbours
    and their groups."""
    parts: dict[int, float] = defaultdict(float)
    covers: dict[int, float] = defaultdict(float)
    around: dict[int, float] = defaultdict(float)
    whole: dict[int, float] = defaultdict(float)
    runs = _runs(spans, groups)
    links = [link for group in groups.values() for link in group.links]
    for stem in stems:
        units, counts = _stand(stem, runs, parts, covers)
        _spread(units, links, around)
        for group, count in counts.items():
            if group not in groups:
                continue
            norm = 0.25 + 0.75 * groups[group].tokens / mean_tokens
            k1 = saturation.k1
            whole[group] += stem.share * (k1 + 1) * count / (count + k1 * norm)
    return Matches(_of_units(parts), around, whole, _of_units(covers, 1 + saturation.k1))


def _of_units(parts: Mapping[int, float], factor: float = 1.0) -> dict[int, float]:
    """The best of each unit's parts."""
    best: dict[int, float] = {}
    for part, value in parts.items():
        unit = part >> PART_BITS
        if value * factor > best.get(unit, 0.0):
            best[unit] = value * factor
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
    """The runs of a block: where each begins and ends, in turn, as offsets; its group (0 for
    none)."""

    bounds: list[int]
    groups: list[int]


def _runs(
    spans: Collection[tuple[int, int, int | None]], groups: Mapping[int, Group]
) -> Mapping[int, _Runs]:
    runs = set(spans)
    for number, group in groups.items():
        runs |= {(first, size, number) for first, size in group.spans}
    by_block: dict[int, _Runs] = {}
    for first, size, number in sorted(runs, key=lambda run: run[0]):
        start = (first & (BLOCK_UNITS - 1)) << PART_BITS
        known = by_block.setdefault(first >> BLOCK_BITS, _Runs([], []))
        known.bounds.extend((start, start + (size << PART_BITS)))
        known.groups.append(number or 0)
    return by_block


def _stand(
    stem: Stem, runs: Mapping[int, _Runs], parts: dict[int, float], covers: dict[int, float]
) -> tuple[dict[int, float], dict[int, int]]:
    """Add what a stem is worth in each part; gives that of each unit, and its count in groups."""
    counts: dict[int, int] = defaultdict(int)
    units: dict[int, float] = {}
    worth, share = stem.worth, stem.share
    for block, places in stem.places.items():
        known = runs.get(block)
        if known is None:
            continue
        offsets, codes = places
        base = block << (BLOCK_BITS + PART_BITS)
        found = list(map(bisect_left, repeat(offsets), known.bounds))
        for low, high, group in zip(found[::2], found[1::2], known.groups, strict=True):
            for at in range(low, high):
                part, code = base | offsets[at], codes[at]
                value = worth[code]
                parts[part] += value
                covers[part] += share
                unit = part >> PART_BITS
                if value > units.get(unit, 0.0):
                    units[unit] = value
                counts[group] += code >> 4
    return units, counts


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

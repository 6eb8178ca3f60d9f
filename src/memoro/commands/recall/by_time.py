"""Questions that name a time, or a person, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memoro.commands.recall.asking import asked_of
from memoro.commands.recall.hits import record_hit, settled, turn_hits
from memoro.commands.recall.wanted import TURN, Hit, Wanted
from memoro.memory.dates.finding import find_window, without
from memoro.memory.dates.window import Window, instants
from memoro.memory.recall.asked import Ranked
from memoro.memory.recall.asking import participants_named
from memoro.memory.recall.candidates import latest
from memoro.memory.recall.words import content_stems, tokens
from memoro.memory.timeline import content_words

if TYPE_CHECKING:
    from memoro.commands.services import Services

_NAMES = 3
"""A question names hardly more words of people than this."""

_LATEST = 1_000
"""Whoever spoke in so many turns is somebody that a question may name."""


def window_of(services: Services, wanted: Wanted) -> Window | None:
    """The time that the question names, where no time was given beside it."""
    if wanted.since is not None or wanted.until is not None:
        return None
    return find_window(wanted.query, services.learned.calendar().day(wanted.now))


def matches_any(services: Services, wanted: Wanted, window: Window) -> bool:
    """Whether any text has one of the words beside the time and the people that a question
    names."""
    left = without(wanted.query, window)
    rest = content_stems(left)
    if not content_words(left) or not rest:
        return False
    with services.recalling.finder(services.store) as finder:
        known = [
            stem
            for stem in rest
            for shelf in ("turn", "record")
            if finder.shelf(shelf) is not None and finder.places(shelf, [stem])[0]
        ]
    if len(set(known)) > _NAMES:
        return True
    names = _names(services, wanted, window) if known else ()
    return any(stem not in names for stem in known)


def asks_for_somebody(services: Services, wanted: Wanted) -> bool:
    """Whether a question names who spoke, and nothing else."""
    stems = content_stems(wanted.query)
    if wanted.gate == 0 or not 0 < len(stems) <= _NAMES:
        return False
    names = _names(services, wanted, None)
    return bool(names) and all(stem in names for stem in stems)


def _names(services: Services, wanted: Wanted, window: Window | None) -> frozenset[str]:
    """The stems of the names of those who spoke at that time, as far as the question has them."""
    within = _within(services, wanted, window)
    with services.recalling.finder(services.store) as finder:
        if finder.shelf("turn") is None:
            return frozenset()
        speakers = finder.speakers("turn", within.since, within.until, _LATEST)
    named = participants_named(wanted.query, speakers)
    return frozenset(token for name in named for token in tokens(name))


def _within(services: Services, wanted: Wanted, window: Window | None) -> Wanted:
    if window is None:
        return wanted
    since, until = instants(window, services.learned.calendar())
    return wanted._replace(since=since, until=until)


def of_time(services: Services, wanted: Wanted, window: Window | None) -> list[Hit]:
    """What lies in a time, the latest first; of those whom the question names, if it names any."""
    asked = asked_of(services, _within(services, wanted, window), "", b"")
    turns: Sequence[Ranked] = ()
    records: Sequence[Ranked] = ()
    with services.recalling.finder(services.store) as finder:
        if wanted.kinds is None or TURN in wanted.kinds:
            turns = latest(finder, "turn", asked)
        speakers = {one.unit.speaker for one in turns if one.unit.speaker}
        named = participants_named(wanted.query, speakers)
        if named:
            turns = [one for one in turns if one.unit.speaker in named]
        elif wanted.session is None:
            records = latest(finder, "record", asked)
    standing = settled(services, wanted, records)
    hits = [*turn_hits(services, turns[: wanted.k]), *map(record_hit, standing)]
    hits.sort(key=lambda hit: (hit.at, hit.id), reverse=True)
    return hits[: wanted.k]

"""What an index keeps of a record, so that it is found without reading all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import NamedTuple

from memoro.memory.comparing import terms
from memoro.memory.facts.statement import category, is_current
from memoro.memory.graph import Drawn, draw
from memoro.memory.records import (
    DAILY,
    EPISODE,
    FACT,
    INDEXED,
    NOTE,
    PLACE,
    PROFILE,
    PROJECT,
    TOPIC,
    WORK,
    Record,
)
from memoro.memory.strength import strength

RECIPE = 1
"""Counts how entries are made: an index of an older recipe is made anew."""

_DATED = frozenset(kind.name for kind in (FACT, EPISODE, DAILY, NOTE))
_TITLE_WORDS: Mapping[str, Callable[[Record], str]] = {
    NOTE.name: lambda note: str(note.data.get("title", "")),
    TOPIC.name: lambda topic: f"{topic.data.get('name', '')} {topic.text}",
    WORK.name: lambda work: f"{work.data.get('name', '')} {work.text}",
}


class Entry(NamedTuple):
    """A record in an index: its part in the graph, its words, its time, and, where it fades, how
    strong it is. `label` is a fact's category."""

    drawn: Drawn
    words: frozenset[str]
    happened: datetime | None
    strength: float | None
    label: str | None


def entry(record: Record) -> Entry | None:
    """What an index keeps of a record; None where it keeps nothing."""
    if record.kind not in INDEXED:
        return None
    drawn = draw(record)
    if drawn is None:
        return None
    fades = record.kind == FACT.name
    return Entry(
        drawn,
        _words(record),
        (record.valid_from or record.created_at) if record.kind in _DATED else None,
        strength(record) if fades and is_current(record) else None,
        category(record) if fades else None,
    )


def _words(record: Record) -> frozenset[str]:
    if record.kind in (PROFILE.name, PROJECT.name, PLACE.name, DAILY.name):
        return frozenset()
    text = _TITLE_WORDS.get(record.kind)
    return terms(record.text if text is None else text(record))

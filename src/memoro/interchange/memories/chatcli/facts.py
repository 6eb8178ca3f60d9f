"""Its facts: those it holds, those in its archive, and those that it removed."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import NamedTuple

from memoro.interchange.formats import Clock, Imported
from memoro.interchange.memories.chatcli.stores import TOOL, Item, items_in
from memoro.interchange.reading.making import Found, Origin, fact
from memoro.interchange.reading.values import (
    count_in,
    number_in,
    text_in,
    texts_in,
    time_in,
    time_of,
    word_for,
)
from memoro.memory.imported import ImportedRecord, LeftOut

_SAID = ("user", "correction", "tool")
"""How it calls what was told, and not extracted."""


class Removed(NamedTuple):
    """What it removed: when, by ID; None where that is not known."""

    at: Mapping[str, datetime | None]

    def holds(self, fact_id: str, since: datetime) -> bool:
        """Whether a fact was removed, and not learned again since."""
        if not fact_id or fact_id not in self.at:
            return False
        at = self.at[fact_id]
        return at is None or since <= at


def read_facts(folder: str, clock: Clock, otherwise: datetime) -> Iterator[Imported]:
    """The facts of its index, then those of its archive.

    `otherwise` is the time of what has none.
    """
    removed: dict[str, datetime | None] = {}
    for one in items_in(folder, "memory_tombstones.json"):
        if isinstance(one, LeftOut):
            yield one
        elif one.name:
            removed[one.name] = time_of(one.value, clock)
        else:
            known = one.value if isinstance(one.value, str) else text_in(one.fields, "id")
            removed[known] = time_in(one.fields, clock, "at", "deleted_at")
    seen: dict[str, str] = {}
    for name, archived in (("memory_index.json", False), ("memory_archive.json", True)):
        for one in items_in(folder, name, "a fact"):
            if isinstance(one, LeftOut):
                yield one
            else:
                yield from _told_once(
                    fact_of(one, name, clock, otherwise, archived), seen, Removed(removed)
                )


def _told_once(
    found: ImportedRecord | LeftOut, seen: dict[str, str], removed: Removed
) -> Iterator[Imported]:
    """A fact, unless it was removed there, or stood there before: its archive holds some twice,
    and some that were learned again."""
    if isinstance(found, LeftOut):
        yield found
        return
    record = found.record
    if removed.holds(record.id, record.created_at):
        yield LeftOut(found.place, "it was removed in ChatCLI (memory_tombstones.json)")
    elif record.id and record.id in seen:
        if seen[record.id] != record.text:
            # Two facts under one ID: the second gets one of its own.
            yield found._replace(record=record._replace(id=""))
    else:
        seen[record.id] = record.text
        yield found


def fact_of(
    item: Item, file: str, clock: Clock, otherwise: datetime, archived: bool = False
) -> ImportedRecord | LeftOut:
    """One of its facts as it would stand here."""
    fields = item.fields
    text = text_in(fields, "content", "fact", "text")
    if not text:
        return LeftOut(item.place, f"its content is {word_for(fields.get('content'))}")
    at = time_in(fields, clock, "created_at") or time_in(fields, clock, "last_accessed")
    at = at or otherwise
    accesses = count_in(fields, "access_count", 1)
    provenance = text_in(fields, "provenance")
    put_away = {"archived": clock.now.isoformat(), "why": "ChatCLI had it in its archive"}
    return fact(
        Found(
            text,
            at,
            text_in(fields, "category"),
            texts_in(fields, "tags"),
            text_in(fields, "id"),
            text_in(fields, "source_project"),
            "tool" if provenance.startswith(_SAID) else "extracted",
            _confidence(fields, accesses),
            accesses,
            time_in(fields, clock, "last_accessed"),
            put_away if archived else {},
            {"provenance": provenance, "source": text_in(fields, "source")},
        ),
        Origin(TOOL, file),
        item.place,
    )


def _confidence(fields: Mapping[str, object], accesses: int) -> float:
    """What it gives; older facts have none, and it takes their use for it."""
    given = number_in(fields, "confidence")
    if given is not None and given > 0:
        return given
    return min(0.85, max(0.5, 0.5 + 0.1 * math.log(1 + accesses)))

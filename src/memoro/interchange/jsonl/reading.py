"""Reading our own export."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from memoro.interchange.formats import NO, SURE, Clock, Format, Imported
from memoro.interchange.reading.files import Unread
from memoro.interchange.reading.glimpse import Glimpse
from memoro.interchange.reading.json_lines import json_lines
from memoro.interchange.reading.json_text import Broken
from memoro.interchange.reading.values import fields_of
from memoro.memory.imported import ImportedRecord, LeftOut
from memoro.memory.plain.form import Problem, from_plain

VERSION = 1
_MOST_BYTES = 1024 * 1024 * 1024
"""Of a line: one entry of the history may be a whole import."""
_OURS = "memoro"
_NAMES = {
    "change": "entries of the history stay behind: this store has its own",
    "session": "conversations stay behind: they come into an empty store only",
    "use": "uses stay behind: they are counted where they happen",
}


def detects(seen: Glimpse) -> int:
    """Whether a file is an export of ours: its first line says so."""
    items = seen.outline.items if seen.outline.shape in ("lines", "object") else ()
    first = fields_of(items[0]) if items else dict(seen.outline.members)
    return SURE if isinstance(first.get(_OURS), int) else NO


def lines_of(path: str) -> Iterator[tuple[str, Mapping[str, Any]] | LeftOut]:
    """The lines after the first, each with its place."""
    name = os.path.basename(path)
    found = json_lines(path, most=_MOST_BYTES)
    if isinstance(found, Unread):
        yield LeftOut(name, found.why)
        return
    for line in found:
        place = f"{name}, line {line.number}"
        if isinstance(line.value, Broken):
            yield LeftOut(place, f"it is no JSON: {line.value.why}")
            continue
        fields = fields_of(line.value)
        version = fields.get(_OURS)
        if version is None:
            yield place, fields
        elif version != VERSION:
            yield LeftOut(place, f"form {version} of exports is newer than this Memoro; update it")
            return


def read(path: str, clock: Clock) -> Iterator[Imported]:
    """The records of an export, for a store that holds something already."""
    others: Counter[str] = Counter()
    for one in lines_of(path):
        if isinstance(one, LeftOut):
            yield one
            continue
        place, fields = one
        kind = str(fields.get("type"))
        if kind != "record":
            others[kind] += 1
            continue
        made = from_plain({name: value for name, value in fields.items() if name != "type"})
        if isinstance(made, Problem):
            yield LeftOut(place, f"{made.field}: {made.what}" if made.field else made.what)
        else:
            yield ImportedRecord(made.record, place)
    for kind, why in _NAMES.items():
        if others[kind]:
            yield LeftOut(os.path.basename(path), f"{others[kind]:,} {why}")


FORMAT = Format("memoro", "what `memoro export` wrote", detects, read, own=True)

"""Reading our own export."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from memoro.errors import Refusal
from memoro.interchange.formats import NO, SURE, Clock, Format, Imported
from memoro.interchange.jsonl.examining import examine, fields_in, most_bytes, why_broken
from memoro.interchange.jsonl.streaming import PACKED, RawLine, head_of, raw_lines
from memoro.interchange.reading.files import Unread
from memoro.interchange.reading.glimpse import Glimpse
from memoro.interchange.reading.json_lines import MOST_BROKEN
from memoro.interchange.reading.values import fields_of
from memoro.memory.imported import LeftOut
from memoro.memory.plain.exported import CLOSING, HEAD, NAME, record_in


def detects(seen: Glimpse) -> int:
    """Whether a file is an export of ours: its first line says so."""
    if seen.head.startswith(PACKED):
        line = head_of(seen.head).lstrip().partition(b"\n")[0]
        first = fields_in(RawLine(1, line)) or {}
    else:
        items = seen.outline.items if seen.outline.shape in ("lines", "object") else ()
        first = fields_of(items[0]) if items else dict(seen.outline.members)
    return SURE if isinstance(first.get(NAME), int) else NO


def lines_of(path: str, form: int | None) -> Iterator[tuple[str, Mapping[str, Any]] | LeftOut]:
    """The lines between the first and the last one, each with its place."""
    name = os.path.basename(path)
    found = raw_lines(path, most_bytes(form))
    if isinstance(found, Unread):
        yield LeftOut(name, found.why)
        return
    broken = 0
    for line in found:
        place = f"{name}, line {line.number}"
        fields = None if line.why else fields_in(line)
        broken = broken + 1 if fields is None else 0
        if fields is None:
            yield LeftOut(place, why_broken(line))
        elif NAME in fields:
            unknown = ", ".join(sorted(fields.keys() - HEAD))
            if unknown:
                yield LeftOut(place, f"fields of the first line are not known here: {unknown}")
        elif fields.get("type") != CLOSING:
            yield place, fields
        if broken == MOST_BROKEN:
            yield LeftOut(place, f"{MOST_BROKEN} lines in a row are no JSON; the rest is not read")
            return


def read(path: str, clock: Clock) -> Iterator[Imported]:
    """The records of an export."""
    seen = examine(path)
    if isinstance(seen, Refusal):
        yield LeftOut(os.path.basename(path), seen.what)
        return
    others: Counter[str] = Counter()
    for one in lines_of(path, seen.form):
        if isinstance(one, LeftOut):
            yield one
            continue
        place, fields = one
        if fields.get("type") == "record":
            yield record_in(place, fields)[0]
        else:
            others[str(fields.get("type"))] += 1
    for kind, count in others.items():
        yield LeftOut(os.path.basename(path), f"{count:,} lines of type {kind!r} are no records")


FORMAT = Format("memoro", "what `memoro export` wrote", detects, read, own=True)

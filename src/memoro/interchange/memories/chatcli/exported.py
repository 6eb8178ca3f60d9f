"""Its own export: JSON Lines, each with the kind of what it holds."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from datetime import datetime

from memoro.interchange.formats import Clock, Imported
from memoro.interchange.memories.chatcli.activity import episode_of, project_of, topic_of
from memoro.interchange.memories.chatcli.facts import fact_of
from memoro.interchange.memories.chatcli.profile import profile_of
from memoro.interchange.memories.chatcli.stores import Item
from memoro.interchange.reading.files import Unread
from memoro.interchange.reading.glimpse import Glimpse
from memoro.interchange.reading.json_lines import json_lines
from memoro.interchange.reading.json_text import Broken
from memoro.interchange.reading.values import fields_of, text_in, word_for
from memoro.memory.imported import ImportedRecord, LeftOut

_NEWEST = 1
_KINDS: dict[str, Callable[[Item, str, Clock, datetime], ImportedRecord | LeftOut]] = {
    "fact": fact_of,
    "topic": topic_of,
    "project": project_of,
    "episode": episode_of,
}


def is_exported(seen: Glimpse) -> bool:
    """Whether a file's first lines are those of such an export."""
    if seen.text.startswith("enc:"):
        return True
    items = seen.outline.items
    if seen.outline.shape != "lines" or not items:
        return False
    return all(
        (kind := fields_of(one).get("kind")) == "header"
        or (isinstance(kind, str) and kind in fields_of(one))
        for one in items
    )


def read_exported(path: str, clock: Clock) -> Iterator[Imported]:
    """What stands in an export."""
    file = os.path.basename(path)
    lines = json_lines(path)
    if isinstance(lines, Unread):
        yield LeftOut(file, f"the file {lines.why}")
        return
    for number, value in lines:
        place = f"{file}, line {number:,}"
        if isinstance(value, Broken):
            yield LeftOut(place, value.why)
            if value.at == 0 and number == 1:
                yield LeftOut(file, "an export that is encrypted has to be made again in the open")
            continue
        fields = fields_of(value)
        kind = text_in(fields, "kind")
        if kind == "header":
            version = fields.get("version")
            if isinstance(version, int) and version > _NEWEST:
                yield LeftOut(place, f"the export is of version {version}, which is not known here")
                return
        else:
            yield from _read(Item(fields_of(fields.get(kind)), place), kind, file, clock)


def _read(item: Item, kind: str, file: str, clock: Clock) -> Iterator[Imported]:
    if kind == "profile":
        yield from profile_of(item.fields, file, clock, clock.now)
    elif kind in _KINDS and item.fields:
        yield _KINDS[kind](item, file, clock, clock.now)
    else:
        word = f"of kind {kind!r}, which is not known" if kind else word_for(None)
        yield LeftOut(item.place, f"it is {word}")

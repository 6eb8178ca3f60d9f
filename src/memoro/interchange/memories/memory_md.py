"""A MEMORY.md of any other tool, or written by hand: a fact a line."""

from __future__ import annotations

import os
from collections.abc import Iterator

from memoro.interchange.formats import LIKELY, NO, Clock, Format, Imported
from memoro.interchange.memories.instructions import time_of_file
from memoro.interchange.reading.files import Unread, read_text
from memoro.interchange.reading.glimpse import Glimpse
from memoro.interchange.reading.making import Origin
from memoro.memory.imported import LeftOut
from memoro.memory.plain.legacy import read_legacy
from memoro.memory.plain.memory_page import is_generated
from memoro.memory.records import GLOBAL

TOOL = "memory-md"
_NAMES = ("memory.md", "memories.md")


def detects(seen: Glimpse) -> int:
    """Whether a file is one, by its name: there is nothing else to know it by."""
    return LIKELY if seen.name.lower() in _NAMES and seen.outline.shape != "binary" else NO


def read(path: str, clock: Clock) -> Iterator[Imported]:
    """A fact for each line."""
    file = os.path.basename(path)
    text = read_text(path)
    if isinstance(text, Unread):
        yield LeftOut(file, f"the file {text.why}")
        return
    if is_generated(text):
        yield LeftOut(file, "Memoro wrote it from its store: there is nothing in it but that")
        return
    for one in read_legacy(text, GLOBAL, time_of_file(path, clock)):
        place = f"{file}, {one.place}"
        if isinstance(one, LeftOut):
            yield one._replace(place=place)
        else:
            data = {**one.record.data, **Origin(TOOL, file).data()}
            yield one._replace(record=one.record._replace(id="", data=data), place=place)


FORMAT = Format(TOOL, "a MEMORY.md: a fact a line", detects, read)

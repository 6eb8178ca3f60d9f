"""What the readers of all tools have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import NamedTuple

from memoro.interchange.reading.glimpse import Glimpse
from memoro.memory.dates.window import Calendar
from memoro.memory.imported import ImportedConversation, ImportedRecord, LeftOut

Imported = ImportedRecord | ImportedConversation | LeftOut

SURE, LIKELY, POSSIBLE, NO = 3, 2, 1, 0
"""How well a path looks like a format: it can be no other, it has its names, it may be."""


class Clock(NamedTuple):
    """When it is read: `now` is also the latest time that anything is believed to be from, and
    `calendar` tells the user's days."""

    now: datetime
    calendar: Calendar


class Format(NamedTuple):
    """A kind of file or folder that is understood.

    `name` is what `--from` takes, `what` the words for it. `detects` says how well a path looks
    like it. `read` gives what is in it, piece by piece: never an exception for bad content.
    `own` marks our own export, whose records are taken as they are.
    """

    name: str
    what: str
    detects: Callable[[Glimpse], int]
    read: Callable[[str, Clock], Iterator[Imported]]
    own: bool = False

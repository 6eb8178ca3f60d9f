"""What was read of another tool's memory, on its way into the store."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Literal, NamedTuple

from memoro.memory.records import GLOBAL, Record


class ImportedRecord(NamedTuple):
    """A record that another tool kept, as it would stand here; `place` says where it was read
    ("memory_index.json, item 3")."""

    record: Record
    place: str


class ImportedTurn(NamedTuple):
    """A message of a conversation that was held elsewhere. `ref` is its ID there."""

    role: Literal["user", "assistant"]
    text: str
    at: datetime
    speaker: str | None = None
    ref: str | None = None


class ImportedConversation(NamedTuple):
    """A conversation that was held elsewhere.

    `name` is unique and always the same for the same one ("chatgpt:ID"); the messages stand in
    their order. Its own times are those of its messages where they are None.
    """

    name: str
    title: str
    turns: tuple[ImportedTurn, ...]
    place: str
    created_at: datetime | None = None
    updated_at: datetime | None = None
    scope: str = GLOBAL


class Brought(NamedTuple):
    """How many turns a conversation had, and how many an import brought; fewer than 0 where an
    undoing took them away."""

    before: int
    turns: int

    @property
    def after(self) -> int:
        """How many it had then."""
        return self.before + self.turns

    @property
    def key(self) -> str:
        """As the log keeps it, in the place of a record's key: "10+4"."""
        return f"{self.before}{self.turns:+d}"


def brought_by(key: str | None) -> Brought | None:
    """What the log says of a conversation; None where it can't be read."""
    found = re.fullmatch(r"(\d{1,15})([+-]\d{1,15})", key or "")
    return Brought(int(found[1]), int(found[2])) if found else None


class LeftOut(NamedTuple):
    """Something that was found and is not imported, and why."""

    place: str
    why: str

"""What comes of a merge, for those who tell it."""

from __future__ import annotations

from typing import NamedTuple

from memoro.memory.plain.edits import Bad
from memoro.memory.records import Record
from memoro.memory.store import Change


class Conflict(NamedTuple):
    """Something that could not stand as the person wrote it, with both sides.

    `kept_as` is the ID of the record that has the person's version now, "" where none has it.
    """

    record_id: str
    kind: str
    file: str
    place: str
    why: str
    theirs: Record | None
    ours: Record | None
    kept_as: str


class Merged(NamedTuple):
    """What comes of a merge.

    `aside` are the IDs of records with fields that we don't know, which are kept in
    `data["aside"]`; `held_back` those that were not deleted because it can't be told whether they
    were meant to be.
    """

    changes: tuple[Change, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    problems: tuple[Bad, ...] = ()
    aside: tuple[str, ...] = ()
    held_back: tuple[str, ...] = ()

    @property
    def added(self) -> tuple[Record, ...]:
        """The records that are new."""
        return tuple(one.subject for one in self.changes if one.before is None)

    @property
    def changed(self) -> tuple[Record, ...]:
        """The records that are others than before, as they are now."""
        return tuple(one.subject for one in self.changes if None not in one)

    @property
    def deleted(self) -> tuple[Record, ...]:
        """The records that the person deleted."""
        return tuple(one.subject for one in self.changes if one.after is None)

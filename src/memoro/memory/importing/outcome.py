"""What comes of an import, for those who tell it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal, NamedTuple

from memoro.memory.imported import LeftOut
from memoro.memory.importing.rivals import Comparisons
from memoro.memory.records import Record

FORGOTTEN = "it was forgotten here, and that is final"


class Rules(NamedTuple):
    """What holds for an import: when it is made, how many current facts a scope may have (0: any
    number), what was compared before, and whether our own records keep their rank though there is
    something here already."""

    now: datetime
    max_facts: int
    comparisons: Comparisons
    as_mine: bool = False


class Taken(NamedTuple):
    """What comes of one record: it is new, known already, or left out, and why."""

    verdict: Literal["new", "known", "left"]
    why: str = ""
    record: Record | None = None


KNOWN = Taken("known")


class Counted(NamedTuple):
    """How many of a kind were found, and what came of them."""

    new: int = 0
    known: int = 0
    left_out: int = 0

    @property
    def found(self) -> int:
        """All of them."""
        return self.new + self.known + self.left_out


class Planned(NamedTuple):
    """What an import would do.

    `records` are the new ones, as they would be kept; `archived` are those of them that go straight
    to the archive because their scope has no room left, `aside` those that go to the past because
    they contradict what is known here.
    """

    records: Sequence[Record]
    counts: Mapping[str, Counted]
    left_out: Sequence[LeftOut]
    archived: Sequence[Record] = ()
    aside: Sequence[Record] = ()

"""What comes of an import, for those who tell it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Literal, NamedTuple

from memoro.memory.imported import LeftOut
from memoro.memory.records import FACT, Record
from memoro.memory.store import Reader

ACTION = "import"
"""What the log calls it."""

FORGOTTEN = "it was forgotten here, and that is final"


class Rules(NamedTuple):
    """What holds for an import: when it is made, and how many current facts a scope may have (0:
    any number)."""

    now: datetime
    max_facts: int


class Taken(NamedTuple):
    """What comes of one record: it is new, known already, merged with another one that came, or
    left out, and why."""

    verdict: Literal["new", "known", "merged", "left"]
    why: str = ""
    record: Record | None = None


KNOWN = Taken("known")


class Counted(NamedTuple):
    """How many of a kind were found, and what came of them."""

    new: int = 0
    known: int = 0
    left_out: int = 0
    merged: int = 0

    @property
    def found(self) -> int:
        """All of them."""
        return sum(self)


class Planned(NamedTuple):
    """What an import would do.

    `records` are the new ones, as they would be kept, in the order in which they are: what another
    one points at comes before it. `places` are those of them that nobody brought: the folders that
    something was learned in. `archived` are the IDs of those that go straight to the archive
    because their scope has no room left, `aside` of those that go to the past because they
    contradict what is known here, `outdated` because something that came with them is newer.
    """

    records: Sequence[Record]
    counts: Mapping[str, Counted]
    left_out: Sequence[LeftOut]
    places: Sequence[Record] = ()
    archived: frozenset[str] = frozenset()
    aside: frozenset[str] = frozenset()
    outdated: frozenset[str] = frozenset()

    def kept_as(self, records: Sequence[Record], out: Iterable[tuple[Record, Taken]]) -> Planned:
        """The same, where only these records were kept, since others had come in between."""
        counts = {kind: Counter(one._asdict()) for kind, one in self.counts.items()}
        left_out = list(self.left_out)
        for record, taken in out:
            left = taken.verdict == "left"
            counts[record.kind].update(new=-1, **{"left_out" if left else taken.verdict: 1})
            if left:
                left_out.append(LeftOut(record.key or record.id, taken.why))
        kept = {one.id for one in records}
        ended = {one.id for one in records if one.kind == FACT.name and one.superseded_by}
        return self._replace(
            records=records,
            counts={kind: Counted(**one) for kind, one in counts.items()},
            left_out=left_out,
            archived=self.archived & kept,
            aside=ended - self.outdated,
            outdated=self.outdated & kept,
        )


ImportPlan = Callable[[Reader], Planned]
"""Reads the store and says what an import would do; nothing is locked meanwhile."""

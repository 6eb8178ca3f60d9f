"""The port to the search index: what ranking asks of it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Literal, NamedTuple, Protocol

from memoro.memory.recall.postings import Places

ShelfName = Literal["turn", "record"]
"""Turns of conversations and records are counted and ranked apart."""


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def to_micros(at: datetime) -> int:
    """An instant as the index counts it: microseconds since 1970."""
    return (at - _EPOCH) // timedelta(microseconds=1)


def from_micros(micros: int) -> datetime:
    """The instant of a count."""
    return _EPOCH + timedelta(microseconds=micros)


class Shelf(NamedTuple):
    """How much an index has: `parts` of texts, `groups` (sessions) and the tokens of these."""

    name: ShelfName
    units: int
    parts: int
    groups: int
    tokens: int


class Unit(NamedTuple):
    """A text in the index: a turn, or a record.

    `owner` is the ID of the message or record. The units from `first` on, `size` of them, are what
    was said around it: turns of the same session, in order, none more than an hour after the one
    before. `group` is its session's number in the index, `micros` its time.
    """

    id: int
    owner: str
    kind: str
    scope: str
    micros: int
    group: int | None = None
    first: int = 0
    size: int = 1
    role: str = ""
    speaker: str | None = None
    flags: int = 0

    @property
    def at(self) -> datetime:
        """When it was said, or came to hold."""
        return from_micros(self.micros)


class Group(NamedTuple):
    """A session in the index: its runs of units (first and size of each), and its tokens.

    The last two numbers of a run have no unit, so that what counts for turns beside reaches into
    no other run. `links` are the last unit of a run that was full, and the first of the one that
    goes on with it.
    """

    spans: tuple[tuple[int, int], ...]
    tokens: int
    links: tuple[tuple[int, int], ...] = ()


class Finder(Protocol):
    """Finds what the index has. All that is read while it is open belongs together."""

    def shelf(self, name: ShelfName) -> Shelf | None:
        """A shelf as it is; None where there is none yet."""
        ...

    def places(self, shelf: ShelfName, stems: Sequence[str]) -> list[Mapping[int, Places]]:
        """For each of these stems its places, by block."""
        ...

    def units(self, ids: Collection[int]) -> dict[int, Unit]:
        """Units by their number, those that there are."""
        ...

    def group(self, shelf: ShelfName, session: str) -> int | None:
        """The number of a session."""
        ...

    def groups(self, numbers: Collection[int]) -> dict[int, Group]:
        """Sessions by their number."""
        ...

    def rows(self, ids: Collection[int]) -> dict[int, Sequence[bytes]]:
        """The vectors of units, one for each part, of the embedder in use; not all may have any."""
        ...

    def near(self, shelf: ShelfName, row: bytes, limit: int) -> list[int]:
        """The units whose meaning is nearest to a vector of the embedder in use."""
        ...

    def between(
        self, shelf: ShelfName, since: datetime | None, until: datetime | None, limit: int
    ) -> list[int]:
        """The latest units in [since, until)."""
        ...

    def speakers(
        self, shelf: ShelfName, since: datetime | None, until: datetime | None, limit: int
    ) -> set[str]:
        """Who spoke in the latest units in [since, until)."""
        ...

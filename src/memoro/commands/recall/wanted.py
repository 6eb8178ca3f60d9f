"""What is asked for, and what was found."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from memoro.memory.recall.asked import CLOSELY
from memoro.memory.records import Trust

if TYPE_CHECKING:
    from memoro.memory.dates.window import Window

TURN = "turn"


class Wanted(NamedTuple):
    """What is asked for.

    `kinds` and `scopes` None mean all. `session` is the name that a conversation was archived
    under, or its ID. `as_of` shows memory as it stood then. `gate` None is the floor of an explicit
    search; 0 gives the best `k`, whatever they are worth. `more` is what an answer might say
    besides; `without` the ID of a conversation that is not looked through: the one that asks.
    `closely` is how many turns are weighed with all signals.
    """

    query: str
    now: datetime
    k: int = 10
    kinds: Collection[str] | None = None
    session: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    as_of: datetime | None = None
    scopes: Collection[str] | None = None
    gate: float | None = None
    more: str = ""
    without: str | None = None
    closely: int = CLOSELY


class Hit(NamedTuple):
    """Something that was found: a turn of a conversation (`kind` "turn"), or a record.

    `score` means the same in every store: 1 is about that of a text that says all that was asked
    for. `reasons` says what each signal added to it. `session` is the name that a conversation was
    archived under, else its ID; `ref` what whoever archived it gave with the turn. `trust` says who
    stands behind a record.
    """

    id: str
    kind: str
    text: str
    score: float
    at: datetime
    reasons: Mapping[str, float]
    scope: str
    session: str | None = None
    ref: str | None = None
    speaker: str | None = None
    role: str | None = None
    trust: Trust | None = None


class SessionHit(NamedTuple):
    """A conversation that was found, with its best turns; `session` as in `Hit`."""

    session: str
    id: str
    title: str
    score: float
    at: datetime
    hits: tuple[Hit, ...]


class Found(NamedTuple):
    """What was found, the best first.

    `window` is the time that the question itself names. `by_time` says that its other words match
    nothing, so that the hits are what lies in that time, the latest first.
    """

    hits: list[Hit]
    window: Window | None = None
    by_time: bool = False
    notices: tuple[str, ...] = ()

"""A question, what each signal is worth for it, and what is ranked for it.

The weights are absolute: a score means the same in every store, so that a floor can keep silence.
They were found on real conversations (see `benchmarks/recall`), and are flat: halving or doubling
any one of them changes little.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from memoro.memory.dates.window import Calendar
from memoro.memory.recall.finding import Unit
from memoro.memory.recall.matching import Saturation

CLOSELY = 100
"""How many of the candidates, and of the turns beside them, are read and weighed with all
signals."""


class Weights(NamedTuple):
    """What each signal adds to the score of a turn."""

    words: float = 0.50
    around: float = 0.50
    session: float = 0.12
    answers: float = 0.15
    speaker: float = 0.20
    assistant: float = -0.20
    date: float = 0.30
    time: float = 0.06
    number: float = 0.05
    meaning: float = 0.15
    session_meaning: float = 0.10
    cover: float = 0.12


WEIGHTS = Weights()
TELLING_MEANING = Weights(meaning=0.40)
"""With an embedder that is a model, so that what is said in other words alone passes the floor: of
unrelated texts such cosines are about 0.1 to 0.3, of answers 0.4 to 0.8."""

TURNS = Saturation()
RECORDS = Saturation(pivot=15.0)


class Asked(NamedTuple):
    """A question, and where its answer may lie.

    `row` is its vector, empty where it has none; `by_meaning` that those near it are candidates
    whatever their words, and not only where no words match well. `more` are words that an answer
    may have besides those of the question. `session` is the only conversation that is meant,
    `without` one that is not; `since` and `until` the time, where they are given; `fits` says of a
    unit whether it may answer. `dated` is the question with the time that it names, where `text`
    is without. `closely` is how many are weighed with all signals; `is_part` that
    it is a part of a question, which is asked as a whole besides.
    """

    text: str
    now: datetime
    calendar: Calendar
    row: bytes = b""
    by_meaning: bool = False
    more: str = ""
    session: str | None = None
    without: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    fits: Callable[[Unit], bool] | None = None
    weights: Weights = WEIGHTS
    dated: str = ""
    closely: int = CLOSELY
    is_part: bool = False


class Ranked(NamedTuple):
    """A unit with its score, and what each signal added to that."""

    unit: Unit
    score: float
    reasons: Mapping[str, float]


class RankedGroup(NamedTuple):
    """A session with its score, and its best turns."""

    group: int
    score: float
    turns: Sequence[Ranked]


class Rankings(NamedTuple):
    """What a shelf has on a question, the best first; `groups` are the scores of whole sessions
    by their words."""

    units: list[Ranked]
    groups: Mapping[int, float]

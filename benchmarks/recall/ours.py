"""Memoro as anybody uses it: a world's conversations archived in a new home, then asked for."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from datetime import datetime
from typing import NamedTuple

from loading import Unit, World, sessions_of

from memoro import Memory, Turn


class Found(NamedTuple):
    """What came back for a question: turns, sessions, and the best turn's score."""

    turns: list[str]
    sessions: list[str]
    best: float
    seconds: float


@contextmanager
def archived(world: World) -> Generator[Memory]:
    """A memory that holds the world's sessions, in a folder that goes away."""
    with tempfile.TemporaryDirectory(prefix="memoro-recall-") as home, Memory.open(home) as memory:
        for name, units in sessions_of(world.units).items():
            memory.archive(name, [turn_of(unit) for unit in units])
        yield memory


def turn_of(unit: Unit) -> Turn:
    """The turn as it is archived."""
    return Turn(
        role=unit.role, text=unit.text, at=unit.at, speaker=unit.speaker or None, ref=unit.ref
    )


def memoro(world: World, k: int) -> list[Found]:
    """The best k turns and sessions for each question, whatever they are worth."""
    with archived(world) as memory:
        return [_asked(memory, question.text, question.now, k) for question in world.questions]


def _asked(memory: Memory, text: str, now: datetime, k: int) -> Found:
    started = time.perf_counter()
    hits = memory.recall(text, k=k, kinds={"turn"}, now=now, gate=0)
    seconds = time.perf_counter() - started
    sessions = memory.recall_sessions(text, k=k, now=now, gate=0)
    return Found(
        [str(hit.ref) for hit in hits],
        [found.session for found in sessions],
        hits[0].score if hits else 0.0,
        seconds,
    )

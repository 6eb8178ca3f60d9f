"""How much a memory that fades is worth now."""

from __future__ import annotations

import math
from datetime import UTC, datetime

from memoro.memory.records import KINDS, Record

ARCHIVE_BELOW = 0.1
"""The score under which a fact leaves recall for the archive."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SECONDS_A_DAY = 86_400


def score(record: Record, now: datetime) -> float:
    """`(1 + ln(1 + accesses)) · exp(-days · ln 2 / half-life) · (0.5 + confidence)`, where the
    days count from the last access. A clock that went back makes nothing stronger than new."""
    last = record.accessed_at or record.created_at
    return _value(record) * math.exp(-_rate(record) * max(0.0, _days(now) - _days(last)))


def strength(record: Record) -> float:
    """The score's logarithm with `now` left out: everything of one kind fades at one pace, so this
    orders it for good, and an index can keep that order."""
    return math.log(_value(record)) + _rate(record) * _days(record.accessed_at or record.created_at)


def faded(kind: str, now: datetime, below: float = ARCHIVE_BELOW) -> float:
    """The strength under which the score of that kind is below `below`."""
    return math.log(below) + _rate_of(kind) * _days(now)


def _value(record: Record) -> float:
    return (1 + math.log(1 + record.accesses)) * (0.5 + record.confidence)


def _rate(record: Record) -> float:
    return _rate_of(record.kind)


def _rate_of(kind: str) -> float:
    half_life = KINDS[kind].half_life_days
    return math.log(2) / half_life if half_life else 0.0


def _days(at: datetime) -> float:
    return (at - _EPOCH).total_seconds() / _SECONDS_A_DAY

"""Which of the records that match a question stand, and how much trust and use weigh."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import NamedTuple

from memoro.memory.facts.statement import is_current
from memoro.memory.recall.asked import Ranked
from memoro.memory.recall.searchable import searchable
from memoro.memory.records import FACT, KINDS, Record, Trust
from memoro.memory.strength import score

_TRUST = {Trust.READ: -0.06, Trust.INFERRED: -0.03}
"""What is less sure stands behind what the user said and that matches as well."""

_FRESH = 0.04
"""What a fact that is new and sure gets more than one that has nearly faded."""


_VERBATIM = 0.02


class Settled(NamedTuple):
    """A record that answers, with how it ranks."""

    ranked: Ranked
    record: Record


def settle(
    ranked: Sequence[Ranked], stand: Callable[[str], Record | None], query: str, now: datetime
) -> list[Settled]:
    """The records among these that count, the best first.

    `stand` gives a record by its ID as it stands, or stood. A fact that was replaced or archived is
    left out, so it can't go before what replaced it. Of those that match alike, one that says the
    query letter for letter goes first.
    """
    asked = query.strip().strip("\"'").strip()
    settled: list[Settled] = []
    for one in ranked:
        record = stand(one.unit.owner)
        if record is None or (record.kind == FACT.name and not is_current(record)):
            continue
        reasons = {**one.reasons, "trust": _TRUST.get(Trust(record.trust), 0.0)}
        if asked and asked in searchable(record):
            reasons["verbatim"] = _VERBATIM
        if KINDS[record.kind].half_life_days is not None:
            reasons["strength"] = _FRESH * min(score(record, now), 1.0)
        settled.append(Settled(Ranked(one.unit, sum(reasons.values()), reasons), record))
    return sorted(settled, key=lambda one: (-one.ranked.score, one.record.id))

"""How what is learned fades."""

from __future__ import annotations

import math
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoro.memory.records import FACT, GLOBAL, Record
from memoro.memory.strength import ARCHIVE_BELOW, faded, score, strength
from memory.facts_world import NOW


def fact(accesses: int = 1, confidence: float = 0.9, age_days: float = 0) -> Record:
    at = NOW - timedelta(days=age_days)
    return Record(
        "id",
        FACT.name,
        GLOBAL,
        None,
        "text",
        at,
        at,
        confidence=confidence,
        accesses=accesses,
        accessed_at=at,
    )


@pytest.mark.requirement("F03")
@pytest.mark.parametrize(
    ("accesses", "confidence", "days", "expected"),
    [
        (0, 0.5, 0, 1.0),
        (1, 0.9, 0, (1 + math.log(2)) * 1.4),
        (1, 0.9, 30, (1 + math.log(2)) * 1.4 / 2),
        (1, 0.9, 60, (1 + math.log(2)) * 1.4 / 4),
        (7, 0.6, 15, (1 + math.log(8)) * 1.1 * math.sqrt(0.5)),
        (100, 1.0, 300, (1 + math.log(101)) * 1.5 / 1024),
    ],
)
def test_score(accesses: int, confidence: float, days: float, expected: float) -> None:
    assert score(fact(accesses, confidence, days), NOW) == pytest.approx(expected)


@pytest.mark.requirement("F03")
def test_a_clock_that_went_back_makes_nothing_stronger_than_new() -> None:
    assert score(fact(age_days=-400), NOW) == score(fact(), NOW)


_FACTS = st.builds(fact, st.integers(0, 1000), st.floats(0, 1), st.floats(0, 2000, allow_nan=False))


@pytest.mark.requirement("F03", "F09")
@given(_FACTS, _FACTS)
def test_strength_orders_as_the_score_does(one: Record, other: Record) -> None:
    a, b = score(one, NOW), score(other, NOW)
    if not math.isclose(a, b, rel_tol=1e-9):
        assert (a < b) == (strength(one) < strength(other))


@pytest.mark.requirement("F09")
@given(_FACTS)
def test_what_has_faded_is_what_scores_under_a_tenth(one: Record) -> None:
    value = score(one, NOW)
    if not math.isclose(value, ARCHIVE_BELOW, rel_tol=1e-9):
        assert (strength(one) < faded(FACT.name, NOW)) == (value < ARCHIVE_BELOW)

"""What judging two claims can come to."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from memoro.memory.comparing.claims.claim import Claim
from memoro.memory.comparing.judging.values import Difference, shown, versions

BE = "be"
WISHES = frozenset({"prefer", "like", "want"})


class Outcome(Enum):
    """How a new claim relates to a known one."""

    SAME = "same"
    LESS = "less"
    MORE = "more"
    ANOTHER = "another value"
    OPPOSITE = "opposite"
    UNSURE = "unsure"
    DISTINCT = "distinct"


class Judgement(NamedTuple):
    """An outcome, and why."""

    outcome: Outcome
    why: str


ALREADY = Judgement(Outcome.SAME, "the same in other words")
LESS = Judgement(Outcome.LESS, "said already")
OPPOSITE = Judgement(Outcome.OPPOSITE, "the opposite")


def distinct(why: str) -> Judgement:
    """Two claims that don't touch each other."""
    return Judgement(Outcome.DISTINCT, why)


HELD = frozenset({"@manager", "@owner", "@lead", "@partner"})
"""Attributes whose value is somebody: "the boss is strict" is none."""


def either_value(diff: Difference) -> Judgement:
    """Two values of which nobody can tell whether one replaces the other."""
    return Judgement(Outcome.UNSURE, f"{shown(diff.gone)} or {shown(diff.came)}")


def another_value(diff: Difference, new: Claim) -> Judgement:
    """A value in the place of another."""
    label = "another version: " if versions(diff.gone) or versions(diff.came) else ""
    gone, came = shown(diff.gone), shown(diff.came)
    return Judgement(Outcome.ANOTHER, f"{label}{gone} → {came}" if gone else f"now {came}")

"""What a comparison of two statements can come to."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class Relation(Enum):
    """How a new statement relates to one that is known."""

    IDENTICAL = "identical"
    """The same text, but for case, spacing and final punctuation."""
    REPHRASED = "rephrased"
    """The same claim, or a part of it, in other words."""
    UPDATED = "updated"
    """Another value for the same thing, or the known claim and more."""
    CONTRADICTED = "contradicted"
    """The opposite."""
    DISTINCT = "distinct"
    """Another fact; both may hold."""
    UNSURE = "unsure"
    """About the same, perhaps; both are to be kept, and somebody told."""


class Verdict(NamedTuple):
    """A relation, and a short phrase that tells a person why."""

    relation: Relation
    why: str

"""Comparing: how a new statement relates to one that is known.

Two statements are read into claims, and compared slot by slot: who, which attribute, what value,
where it holds, whether it is denied. A wrong merge is worse than a duplicate, so that what can't be
told is UNSURE.
"""

from memoro.memory.comparing.compare import compare, is_hedged, terms
from memoro.memory.comparing.normal import normalised
from memoro.memory.comparing.verdict import Relation, Verdict

__all__ = ["Relation", "Verdict", "compare", "is_hedged", "normalised", "terms"]

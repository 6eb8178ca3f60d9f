"""How good a ranking is: each measure of one question, and its mean with the standard error."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

Measure = Callable[[Sequence[str], Collection[str]], float]


class Mean(NamedTuple):
    """The mean over questions, and its standard error; both 0 for none."""

    value: float
    error: float
    questions: int

    @classmethod
    def of(cls, values: Sequence[float]) -> Mean:
        count = len(values)
        if not count:
            return cls(0.0, 0.0, 0)
        mean = math.fsum(values) / count
        if count == 1:
            return cls(mean, 0.0, 1)
        spread = math.fsum((value - mean) ** 2 for value in values) / (count - 1)
        return cls(mean, math.sqrt(spread / count), count)


def recall(ranked: Sequence[str], gold: Collection[str], k: int) -> float:
    """The share of all gold that stands among the first k."""
    return len(set(ranked[:k]) & set(gold)) / len(set(gold))


def hit(ranked: Sequence[str], gold: Collection[str], k: int) -> float:
    """1 if any gold stands among the first k."""
    return float(not set(ranked[:k]).isdisjoint(gold))


def reciprocal_rank(ranked: Sequence[str], gold: Collection[str]) -> float:
    """1 / the rank of the first gold one, 0 where none came back."""
    return next((1 / rank for rank, ref in enumerate(ranked, 1) if ref in gold), 0.0)


def ndcg(ranked: Sequence[str], gold: Collection[str], k: int) -> float:
    """The discounted gain of the first k, of that of an ideal order; a turn is gold or not."""
    places = [rank for rank, ref in enumerate(ranked[:k], 1) if ref in gold]
    ideal = range(1, min(k, len(set(gold))) + 1)
    return _gain(places) / _gain(ideal)


def _gain(ranks: Sequence[int]) -> float:
    return math.fsum(1 / math.log2(rank + 1) for rank in ranks)


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least this share of the values doesn't exceed."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)] if ordered else 0.0


MEASURES: dict[str, Measure] = {
    "R@5": lambda ranked, gold: recall(ranked, gold, 5),
    "R@10": lambda ranked, gold: recall(ranked, gold, 10),
    "R@20": lambda ranked, gold: recall(ranked, gold, 20),
    "hit@5": lambda ranked, gold: hit(ranked, gold, 5),
    "MRR": reciprocal_rank,
    "nDCG@10": lambda ranked, gold: ndcg(ranked, gold, 10),
}


def measured(ranked: Sequence[str], gold: Collection[str]) -> dict[str, float]:
    """Every measure of one question, by name."""
    return {name: measure(ranked, gold) for name, measure in MEASURES.items()}

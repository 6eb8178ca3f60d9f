"""Facts that an imported one has to be compared with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import islice

from memoro.memory.comparing import terms
from memoro.memory.records import Record

_RARE = 8
"""By so many of its rarest words a fact is looked for."""
_MOST_LOOKED_AT = 400
"""Facts that are looked at, the last ones: a word that more of them share tells little."""


_FEW = 200
_TELLING = 20
"""Of more than a few facts, those that share less than a third of the words are left aside; a word
that no more than these have counts twice."""


class Rivals:
    """Facts, by the words that they share with others."""

    def __init__(self, facts: Iterable[Record] = ()) -> None:
        self._facts: dict[str, Record] = {}
        self._by_word: dict[str, dict[str, None]] = {}
        for one in facts:
            self.put(one)

    def put(self, fact: Record) -> None:
        """Add a fact, or another version of one that has the same words."""
        if fact.id not in self._facts:
            for word in terms(fact.text):
                self._by_word.setdefault(word, {})[fact.id] = None
        self._facts[fact.id] = fact

    def drop(self, fact: Record) -> None:
        """Take a fact away again."""
        known = self._facts.pop(fact.id, None)
        if known is not None:
            for word in terms(known.text):
                self._by_word[word].pop(known.id)

    def near(self, text: str, limit: int) -> list[Record]:
        """Those that share the most of a text's rarest words, at most so many."""
        if not self._facts:
            return []
        words = terms(text)
        known = sorted((len(found), word) for word in words if (found := self._by_word.get(word)))
        shared: Counter[str] = Counter()
        looked_at = 0
        for count, word in known[:_RARE]:
            looked_at += count
            if shared and looked_at > _MOST_LOOKED_AT:
                break
            weight = 2 if count <= _TELLING else 1
            for fact in islice(reversed(self._by_word[word]), _MOST_LOOKED_AT):
                shared[fact] += weight
        least = 1 if len(self._facts) <= _FEW else max(2, len(words) // 3)
        best = sorted(
            (fact for fact, weight in shared.items() if weight >= least),
            key=lambda fact: (-shared[fact], fact),
        )
        return [self._facts[fact] for fact in best[:limit]]

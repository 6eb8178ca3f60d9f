"""What is known here that an imported fact has to be compared with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from memoro.memory.comparing import compare, terms
from memoro.memory.comparing.verdict import Verdict
from memoro.memory.records import Record

_RARE = 8
"""By so many of its rarest words a fact is looked for."""
_MOST_LOOKED_AT = 400
"""Facts that are looked at: a word that more of them share tells little."""


class Comparisons:
    """Remembers what was compared from one run of a plan to the next, which runs while the store
    is locked: the same two texts compare the same."""

    def __init__(self) -> None:
        self._verdicts: dict[tuple[str, str], Verdict] = {}
        self._terms: dict[str, frozenset[str]] = {}

    def verdict(self, known: str, new: str) -> Verdict:
        """How a new statement relates to a known one."""
        pair = (known, new)
        if pair not in self._verdicts:
            self._verdicts[pair] = compare(known, new)
        return self._verdicts[pair]

    def terms(self, text: str) -> frozenset[str]:
        """The words that two statements have to share some of to be compared at all."""
        if text not in self._terms:
            self._terms[text] = terms(text)
        return self._terms[text]


class Rivals:
    """The current facts of a scope, by the words that they share with others."""

    def __init__(self, facts: Iterable[Record], comparisons: Comparisons) -> None:
        self._comparisons = comparisons
        self._by_word: dict[str, list[Record]] = {}
        for one in facts:
            for word in comparisons.terms(one.text):
                self._by_word.setdefault(word, []).append(one)

    def near(self, text: str, limit: int) -> list[Record]:
        """Those that share the most of a text's rarest words, at most so many."""
        known = [
            (len(self._by_word[word]), word)
            for word in self._comparisons.terms(text)
            if word in self._by_word
        ]
        shared: Counter[str] = Counter()
        found: dict[str, Record] = {}
        looked_at = 0
        for count, word in sorted(known)[:_RARE]:
            looked_at += count
            if found and looked_at > _MOST_LOOKED_AT:
                break
            for one in self._by_word[word]:
                shared[one.id] += 1
                found[one.id] = one
        best = sorted(found, key=lambda one: (-shared[one], one))
        return [found[one] for one in best[:limit]]

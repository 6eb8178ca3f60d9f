"""Passages that say what was erased: found in longer texts by their words, and taken out.

Case, accents, punctuation and the breaks of lines make no difference. A text is found as a whole,
by its lines, by the words in it that are like no ordinary one, and by any run of its words that is
too long to be said twice by chance.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from memoro.memory.erasing import ERASED
from memoro.memory.erasing.needles import UNSPACED_LETTERS, codes_of, is_long_enough
from memoro.memory.folding import UNSPACED, folded

# Of scripts that put no spaces between words, each character counts as one.
_WORD = re.compile(rf"[{UNSPACED}]|[^\W{UNSPACED}]+")
_UNSPACED = re.compile(f"[{UNSPACED}]")

_PRODUCT = re.compile(
    r"[A-Za-z]?[a-z]+(?:[-_.][a-z]+)*[-_.]?v?\d{1,3}(?:\.\d{1,3}){0,2}(?:[-_.][a-z]+)*"
)
"""A name and the number of its version, which many texts have that say nothing of this one."""

_LONG = 30
"""The letters of a run of words that is not said twice by chance: about six words."""


class Phrases(NamedTuple):
    """Runs of words, by the first two; each with the lengths that occur among them."""

    runs: frozenset[tuple[str, ...]]
    lengths: Mapping[tuple[str, ...], Sequence[int]]
    first: frozenset[str]


def phrases_of(texts: Iterable[str]) -> Phrases:
    """What to look for, to find what these texts say. Too short ones are not looked for."""
    # Of a long text, its runs are looked for, so that no run is long, however many there are.
    runs: set[tuple[str, ...]] = set()
    for text in texts:
        lines = [line for line in text.splitlines() if telling(line)]
        for piece in (text, *lines, *_distinctive(text)):
            words = tuple(word for _, _, word in _words(piece))
            if words and is_long_enough(piece.strip()):
                runs.update(_long_runs(words) or [words])
    lengths: dict[tuple[str, ...], set[int]] = defaultdict(set)
    for run in runs:
        lengths[run[:2]].add(len(run))
    ordered = {start: sorted(found, reverse=True) for start, found in lengths.items()}
    return Phrases(frozenset(runs), ordered, frozenset(run[0] for run in runs))


def _distinctive(text: str) -> list[str]:
    """What says by itself which one is meant."""
    return [code for code in codes_of(text) if not _PRODUCT.fullmatch(code)]


def telling(text: str) -> bool:
    """Whether a text says more than a name: what is like no ordinary word, or three words."""
    return bool(codes_of(text)) or len(_words(text)) >= 3


def without(text: str, phrases: Phrases) -> str:
    """A text with every passage that says one of them replaced."""
    words = _words(text)
    pieces: list[str] = []
    done, end = 0, -1
    for at, (start, _, _) in enumerate(words):
        count = _matching(words, at, phrases)
        if not count:
            continue
        # Those that overlap, or follow each other, are told once.
        if at > end:
            pieces += [text[done:start], ERASED]
        end = max(end, at + count)
        done = words[end - 1][1]
    return "".join([*pieces, text[done:]])


def _matching(words: Sequence[tuple[int, int, str]], at: int, phrases: Phrases) -> int:
    """How many words from there on are one of the phrases, the longest; 0 for none."""
    if words[at][2] not in phrases.first:
        return 0
    for start in (2, 1):
        key = tuple(word for _, _, word in words[at : at + start])
        for length in phrases.lengths.get(key, ()) if len(key) == start else ():
            run = tuple(word for _, _, word in words[at : at + length])
            if run in phrases.runs:
                return len(run)
    return 0


def _words(text: str) -> list[tuple[int, int, str]]:
    """The words of a text: where each begins and ends, and how it is compared."""
    if text.isascii():
        return [(one.start(), one.end(), one.group().casefold()) for one in _WORD.finditer(text)]
    # A mark belongs to the letter before it; patterns take it for the end of a word.
    marks = {ord(one): "x" for one in set(text) if unicodedata.category(one).startswith("M")}
    words: list[tuple[int, int, str]] = []
    for one in _WORD.finditer(text.translate(marks)):
        start, end = one.span()
        word = folded(text[start:end])
        if word:
            words.append((start, end, word))
        elif words and words[-1][1] == start:
            words[-1] = (words[-1][0], end, words[-1][2])
    return words


def _long_runs(words: Sequence[str]) -> list[tuple[str, ...]]:
    """The shortest runs that are long, from each word on and up to each word: of a part that is
    long, they hold every word."""
    backwards = _long_from_each(words[::-1])
    return [*_long_from_each(words), *(run[::-1] for run in backwards)]


def _long_from_each(words: Sequence[str]) -> list[tuple[str, ...]]:
    weights = [UNSPACED_LETTERS if _UNSPACED.match(one) else len(one) for one in words]
    runs: list[tuple[str, ...]] = []
    end, letters = 0, 0.0
    for start in range(len(words)):
        while end < len(words) and (letters < _LONG or end - start < 2):
            letters += weights[end]
            end += 1
        if letters < _LONG:
            break
        runs.append(tuple(words[start:end]))
        letters -= weights[start]
    return runs

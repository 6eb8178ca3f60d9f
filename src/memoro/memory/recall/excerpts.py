"""The passage of a long text that has what was asked for."""

from __future__ import annotations

import re
from collections.abc import Collection

from memoro.memory.recall.words import tokens

_WORD = re.compile(r"\S+")
_MOST_WORDS = 5_000
"""Words of a text that are looked through; the passage of a longer one is its beginning."""

_MOST_NEAR = 60


def excerpt(text: str, stems: Collection[str], width: int) -> str:
    """At most `width` characters of a text in one line, where most of the stems stand; "…" where
    something is missing."""
    line = " ".join(text.split())
    if len(line) <= width:
        return line
    start = _start(line, frozenset(stems), width)
    if start == 0:
        return line[: width - 1].rstrip() + "…"
    end = start + width - 2
    return f"…{line[start:end].strip()}{'…' if end < len(line) else ''}"


def _start(line: str, stems: frozenset[str], width: int) -> int:
    """Where the passage begins: some words before the first that is asked for."""
    words = list(_WORD.finditer(line))
    if len(words) > _MOST_WORDS:
        return 0
    found = [
        (word.start(), stem) for word in words for stem in stems.intersection(tokens(word.group()))
    ]
    best, start = 0, 0
    for at, (begin, _) in enumerate(found):
        here = {
            stem for place, stem in found[at : at + _MOST_NEAR] if place < begin + width * 3 // 4
        }
        if len(here) > best:
            best, start = len(here), begin
    if start < width // 2:
        return 0
    lead = start - width // 8
    return line.find(" ", lead) + 1 if " " in line[lead:start] else start

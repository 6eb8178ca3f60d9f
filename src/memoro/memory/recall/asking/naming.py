"""Which participants a question names."""

from __future__ import annotations

import re
from collections.abc import Collection

from memoro.memory.dates.grammar.lexicon import word_set
from memoro.memory.folding import folded

_ROLES = word_set("user assistant system tool human ai bot model")
_TITLES = word_set("dr dra mr mrs ms mx miss prof sir sr sra srta dona dom don seu senhor senhora")
_EVERYDAY_WORDS = word_set(
    "will may mark grace hope faith joy rose art bill dawn june april august summer chase guy king"
    " sky rosa clara linda luz sol"
)
"""First names that count only where they have a capital, and don't begin the question."""
_POSSESSIVE = re.compile("['’]s(?!\\w)", re.IGNORECASE)
_APOSTROPHE = re.compile("['’]")
_WORD = re.compile(r"[^\W_]+")
_UNSPACED = re.compile("[\u0e00-\u0eff\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_SHORTEST_UNSPACED = 2


def participants_named(text: str, speakers: Collection[str]) -> frozenset[str]:
    """The participants whose name stands in a question: all of it, or the first name, also with a
    possessive. Where two share a first name and one is named in full, the other is not named.
    Roles such as "user" are no names."""
    question = _spaced(text)
    whole: set[str] = set()
    by_first: dict[str, set[str]] = {}
    for speaker in speakers:
        name, first = _names(speaker)
        if not first or name.strip() in _ROLES:
            continue
        if _UNSPACED.search(name):
            if len(speaker.strip()) >= _SHORTEST_UNSPACED and name.strip() in question:
                whole.add(speaker)
        elif first in question and _is_a_name(first.strip(), text):
            by_first.setdefault(first, set()).add(speaker)
    for sharing in by_first.values():
        in_full = {speaker for speaker in sharing if _names(speaker)[0] in question}
        whole |= in_full or sharing
    return frozenset(whole)


def _spaced(text: str) -> str:
    """A text's folded words, with a space around each."""
    bare = _APOSTROPHE.sub("", _POSSESSIVE.sub(" ", folded(text)))
    return f" {' '.join(_WORD.findall(bare))} "


def _names(speaker: str) -> tuple[str, str]:
    """A participant's full name and first name, in folded words; titles are no part of them."""
    parts = [_spaced(part) for part in speaker.replace("_", " ").split()]
    parts = [part for part in parts if part.strip()]
    while len(parts) > 1 and parts[0].strip() in _TITLES:
        del parts[0]
    name = " ".join(part.strip() for part in parts)
    return f" {name} ", parts[0] if parts else ""


def _is_a_name(first: str, text: str) -> bool:
    if first not in _EVERYDAY_WORDS:
        return True
    words = [found for found in _WORD.finditer(text) if folded(found[0]) == first]
    lead = _WORD.search(text)
    begins = lead.start() if lead else 0
    return any(
        found[0][0].isupper() and (found.start() > begins or _POSSESSIVE.match(text, found.end()))
        for found in words
    )

"""Lexicons: the role and the canonical word of each word and phrase of a language."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from memoro.memory.comparing.lexicon.synonyms import SHARED

DROPPED = "D"
AUXILIARY = "E"
BE = "B"
VERB = "V"
PAST = "Vp"
GERUND = "Vg"
IMPERFECT = "Vi"
PREPOSITION = "P"
AND = "C"
NOT = "N"
HOW_OFTEN = "Q"
NOW = "T"
ONCE = "O"
PLANNED = "F"
HEDGE = "H"
OUGHT = "M"
USER = "U"
WE = "W"
NAMED_VALUE = "A"
RATHER_THAN = "X"
WHEN = "S"
CONTENT = "."
ALREADY = "R"


class Entry(NamedTuple):
    """What a word does in a sentence, and the word that stands for all of its forms."""

    role: str
    canon: str


class Phrase(NamedTuple):
    """The words that follow the first one of a phrase, and what the whole phrase does."""

    rest: tuple[str, ...]
    entry: Entry


class Lexicon(NamedTuple):
    """Words, and phrases by their first word, the longest first.

    `also_nouns` are forms of verbs that are nouns too; `bases` has the base form of every form of
    such a verb.
    """

    words: dict[str, Entry]
    phrases: dict[str, list[Phrase]]
    also_nouns: frozenset[str]
    bases: dict[str, str]


Forms = Callable[[str], Iterable[tuple[str, str]]]
"""The inflected forms of a verb, each with its role."""


def lexicon(table: str, verbs: str, forms: Forms, also_nouns: str) -> Lexicon:
    """Read tables of lines "ROLE canon = word, some phrase"; without a canon, each word is its own.

    Verbs are given by their base form, `-` before a canon makes them negative.
    """
    words: dict[str, Entry] = {}
    phrases: dict[str, list[Phrase]] = {}
    for role, canon, items in _lines(SHARED + table):
        for item in items:
            _put(words, phrases, item, Entry(role, canon or item))
    for _, canon, items in _lines(verbs):
        for item in items:
            base, _, rest = item.partition(" ")
            entries: dict[str, Entry] = {}
            for form, role in forms(base):
                entry = entries.setdefault(role, Entry(role, canon))
                if rest:
                    _put(words, phrases, f"{form} {rest}", entry)
                else:
                    words.setdefault(form, entry)
    for known in phrases.values():
        known.sort(key=lambda phrase: -len(phrase.rest))
    nouns = also_nouns.split()
    bases = {form: noun for noun in nouns for form, _ in forms(noun)}
    bases.update((noun, noun) for noun in nouns)
    return Lexicon(words, phrases, frozenset(f"{n}{s}" for n in nouns for s in ("", "s")), bases)


LONGEST_PHRASE = 6
"""The most words that follow the first one of a phrase."""


def _lines(table: str) -> Iterable[tuple[str, str, list[str]]]:
    for line in table.strip().splitlines():
        head, _, items = line.partition(" = ")
        role, _, canon = head.partition(" ")
        yield role, canon, items.split(", ")


def _put(
    words: dict[str, Entry], phrases: dict[str, list[Phrase]], item: str, entry: Entry
) -> None:
    first, _, rest = item.partition(" ")
    if rest:
        following = tuple(rest.split())
        known = phrases.setdefault(first, [])
        known.append(Phrase(following, entry))
        if entry.role in (CONTENT, NAMED_VALUE) and rest[-1] != "s":
            known.append(Phrase((*following[:-1], f"{following[-1]}s"), entry))
    else:
        words.setdefault(first, entry)

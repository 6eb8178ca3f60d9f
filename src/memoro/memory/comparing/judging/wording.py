"""Statements that the claims don't settle, compared word by word."""

from __future__ import annotations

from memoro.memory.comparing.claims.claim import Claim, Statement
from memoro.memory.comparing.clauses.frame import LIGHT
from memoro.memory.comparing.judging.values import is_slip, shown
from memoro.memory.comparing.lexicon.english import ENGLISH
from memoro.memory.comparing.lexicon.portuguese import PORTUGUESE
from memoro.memory.comparing.lexicon.synonyms import SAME_NAMES
from memoro.memory.comparing.tokens.folding import folded
from memoro.memory.comparing.tokens.token import TIME, WORD
from memoro.memory.comparing.verdict import Relation, Verdict
from memoro.memory.comparing.words.word import Word


def _said(statement: Statement) -> list[str]:
    return [word.key for word in statement.content if word.key not in LIGHT or word.role[0] != "V"]


def same_words(known: Statement, new: Statement) -> Verdict | None:
    """All of the same words, where their order can't make another claim of them."""
    one, other = _said(known), _said(new)
    if known.language != new.language or known.flags != new.flags:
        return None
    if one == other or _slipped(known, new):
        return Verdict(Relation.REPHRASED, "the same words")
    if sorted(one) != sorted(other):
        return None
    if (
        len(known.claims) > 1
        or len(new.claims) > 1
        or any(_can_turn(k, n) for k, n in zip(known.claims, new.claims, strict=False))
    ):
        return Verdict(Relation.UNSURE, "the same words in another order")
    return Verdict(Relation.REPHRASED, "the same in other words")


def _slipped(known: Statement, new: Statement) -> bool:
    pairs = [(a, b) for a, b in zip(known.content, new.content, strict=False) if a.key != b.key]
    return (
        len(known.content) == len(new.content)
        and len(pairs) == 1
        and all(
            a.kind == b.kind == WORD and is_slip(a.text.lower(), b.text.lower()) for a, b in pairs
        )
    )


def _can_turn(known: Claim, new: Claim) -> bool:
    """Whether both claims have a subject and an object, which may have changed places."""
    return (
        known.attribute == new.attribute
        or "" in (known.attribute, new.attribute)
        or (known.over, known.old, known.scope) != (new.over, new.old, new.scope)
    )


def one_detail(known: Statement, new: Statement) -> Verdict | None:
    """A long statement that is the same but for one detail, which stands late in it."""
    if known.language != new.language or known.flags != new.flags:
        return None
    one, other = known.content, new.content
    start = 0
    while start < min(len(one), len(other)) and one[start].key == other[start].key:
        start += 1
    end = 0
    while end < min(len(one), len(other)) - start and one[-1 - end].key == other[-1 - end].key:
        end += 1
    gone, came = one[start : len(one) - end], other[start : len(other) - end]
    if not gone or not came or len(gone) > 2 or len(came) > 2 or start < 1:
        return None
    if start + end >= LONG and _is_a_value(known, new, gone, came):
        return Verdict(Relation.UPDATED, f"{shown(gone)} → {shown(came)}")
    return None


def _is_a_value(
    known: Statement, new: Statement, gone: tuple[Word, ...], came: tuple[Word, ...]
) -> bool:
    """Whether what changed is what is said, of the same thing and in the same cases."""
    return any(
        set(gone) <= set(one.value)
        and set(came) <= set(other.value)
        and (one.attribute, one.about, one.scope) == (other.attribute, other.about, other.scope)
        for one in known.claims
        for other in new.claims
    )


def other_names(known: Statement, new: Statement) -> bool:
    """Whether a name in one is another name in the other that only looks alike: Marco, Marcos."""
    names = {word.key: word.text for word in known.content if _is_name(word)}
    return any(
        _is_name(word) and word.key in names and not _one_name(names[word.key], word.text)
        for word in new.content
    )


def _is_name(word: Word) -> bool:
    """Whether a word is written as a name and known to no lexicon."""
    text = word.text
    if word.kind == TIME or not text[:1].isupper() or not text.isalpha():
        return False
    lower = folded(text)
    return not (lower in SAME_NAMES or lower in ENGLISH.words or lower in PORTUGUESE.words)


def _one_name(one: str, other: str) -> bool:
    return folded(one) == folded(other)


LONG = 8
"""Words in common from which one changed detail is a change of that detail."""

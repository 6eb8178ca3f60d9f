"""Building a claim from a frame and its meaning."""

from __future__ import annotations

from typing import NamedTuple

from memoro.memory.comparing.claims.claim import (
    ANYBODY,
    SCOPE_MARK,
    SOMETHING,
    THE_PROJECT,
    THE_USER,
    Claim,
)
from memoro.memory.comparing.claims.meaning import BE, Meaning
from memoro.memory.comparing.clauses.frame import DIRECT, LIGHT, Frame, Slot, scope_prefix
from memoro.memory.comparing.lexicon.kinds import KINDS
from memoro.memory.comparing.lexicon.marks import SOFT_MARKS, TIME_WORDS
from memoro.memory.comparing.lexicon.people import is_job
from memoro.memory.comparing.tokens.folding import folded
from memoro.memory.comparing.tokens.token import FIGURES, QUANTITY, TIME, WORD
from memoro.memory.comparing.words.word import Word

_PROJECTS = frozenset({"project", "repo", "codebase", "team", "仓库"})
_MANY = frozenset(
    {"use", "like", "have", "know", "speak", "eat", "drink", "play", "learn", "allergic", "own"}
)
_ADDING = frozenset({"with", "via", "about", "as", "by", "per", "from", "against"})
_LASTING = frozenset({"live", "work", "use", "know", "have", "own", "speak", "learn", "employed"})


def is_role(meaning: Meaning, person: bool) -> bool:
    """Whether a meaning says what somebody works as."""
    return (
        meaning.attribute == BE
        and person
        and any(is_job(folded(word.text)) for word in meaning.value)
    )


_NO_TEXTS: dict[str, str] = {}


class _Parts(NamedTuple):
    """What a claim says and where it holds, while its words find their places."""

    value: list[Word]
    scope: set[str]


def build_claim(frame: Frame, meaning: Meaning, language: str, person: bool) -> Claim:
    """The claim that a frame with this meaning makes."""
    subject, about = _about(frame, meaning)
    parts = _Parts(list(meaning.value), set())
    used = list(meaning.used)
    agent = frame.slot("by") if frame.passive and meaning.attribute == frame.verb else None
    if agent is not None:
        subject, about = _about(Frame(subject=agent.words), meaning)
        parts.value[:] = [*frame.subject, *frame.slots[0].words]
        used = [DIRECT, "by"]
    personal = person or (frame.user and not frame.subject)
    _place_lead(frame, parts, personal)
    if personal and meaning.attribute != BE:
        parts.scope.update(word.key for word in parts.value if _is_day(word))
        parts.value[:] = [word for word in parts.value if not _is_day(word)]
    for slot in frame.slots:
        if slot.prep in used:
            used.remove(slot.prep)
        elif slot.words:
            _place(slot, frame, parts, meaning.attribute, personal and not _LIFE & about)
    return Claim(
        meaning.attribute, subject, about, tuple(parts.value),
        frozenset(word.key for word in frame.over), frozenset(word.key for word in meaning.old),
        frozenset(parts.scope), _head(meaning, language), frame.negative, frame.often,
        frame.tense, meaning.newer or frame.newer, frame.verb, frame.deed, _NO_TEXTS,
    )  # fmt: skip


def _place_lead(frame: Frame, parts: _Parts, personal: bool) -> None:
    """Put what stood before the subject where it belongs: a day says when a thing happens, and in
    which case something holds of a person."""
    for prefix, word in frame.scope:
        if _is_day(word) and not prefix and not personal:
            parts.value.append(word)
        else:
            parts.scope.add(_scoped(prefix, word))


def _is_day(word: Word) -> bool:
    return word.kind == TIME and ":" not in word.key


def _scoped(prefix: str, word: Word) -> str:
    return f"{prefix}{SCOPE_MARK}{word.key}" if prefix else word.key


def _about(frame: Frame, meaning: Meaning) -> tuple[str, frozenset[str]]:
    words = frame.subject
    if len(words) > 1 and words[0].key == "work" and words[0].text.lower() == "work":
        words = words[1:]
    keys = {word.key for word in words} if meaning.attribute else set[str]()
    if meaning.attribute == BE:
        keys = _with_soft_marks(keys, frame, meaning)
    if frame.user:
        subject = THE_USER
    elif frame.we or _is_the_project(keys):
        subject, keys = THE_PROJECT, keys - _PROJECTS
    else:
        subject = SOMETHING if keys else ANYBODY
    return subject, frozenset(keys | set(meaning.about))


def _is_the_project(keys: set[str]) -> bool:
    """Whether "the project", and perhaps an attribute of it, is all that the subject says."""
    names = {key for key in keys if key[:1] != "@"}
    return bool(names) and names <= _PROJECTS


_LIFE = frozenset({"@home", "@employer", "@role", "@partner"})


def _with_soft_marks(keys: set[str], frame: Frame, meaning: Meaning) -> set[str]:
    """The subject's words, where "job" is the user's role and "date" is when something is."""
    if frame.user:
        keys = {SOFT_MARKS.get(key, key) for key in keys}
    if "@when" in meaning.about:
        keys = keys - TIME_WORDS
    if not keys and (frame.user or not frame.we):
        if any("marital" in KINDS.get(word.key, ()) for word in meaning.value):
            keys = {"@partner"}
        elif any(word.key == "unemployed" for word in meaning.value):
            keys = {"@employer"}
        elif is_role(meaning, True) and not meaning.about:
            keys = {"@role"}
    return keys


def _place(slot: Slot, frame: Frame, parts: _Parts, attribute: str, by_day: bool) -> None:
    """Put a slot that no rule used where it belongs: to what is said, or to where that holds.

    `by_day`: a day limits what is said, as with people's habits.
    """
    words, prep = slot.words, slot.prep
    if prep == "for" and frame.verb in _LASTING and is_temporal(words):
        return
    if prep == "to" and words[0].role[0] == "V" and words[0].key in LIGHT:
        words = words[1:] or words
    if prep in ("for", "in", "on") and all(word.key in _PROJECTS for word in words):
        return
    if prep == "since":
        parts.value.extend(word._replace(key=f"since:{word.key}") for word in words)
    elif by_day and any(_is_day(word) for word in words):
        parts.scope.update(word.key for word in words)
    elif prep in ("from", "to"):
        parts.value.extend(word._replace(role=prep) for word in words)
    elif _is_said(prep, words, attribute):
        parts.value.extend(words)
    else:
        prefix = scope_prefix(Word(prep, "", WORD, prep))
        parts.scope.update(_scoped(prefix, word) for word in words)


def _is_said(prep: str, words: list[Word], attribute: str) -> bool:
    """Whether what follows a preposition adds to what is said, and doesn't limit it."""
    if words[0].kind in FIGURES or any(word.kind == TIME for word in words):
        return True
    return prep in _ADDING or (prep == "for" and attribute in _MANY)


def _head(meaning: Meaning, language: str) -> str:
    """The noun that the object is about: in English and Chinese the last word before a participle
    ("a dog named Rex"), in Portuguese the first."""
    words = meaning.value
    if not words:
        return ""
    if language == "pt":
        return words[0].key
    cut = next((n for n, word in enumerate(words) if n and word.role in ("Vp", "Vg")), len(words))
    return words[cut - 1].key


def is_temporal(words: list[Word]) -> bool:
    """Whether there is a time or a quantity among the words."""
    return any(word.kind == TIME or word.kind == QUANTITY for word in words)

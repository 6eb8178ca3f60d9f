"""The verb of a clause: tense, denial, and the verb that counts among several."""

from __future__ import annotations

from memoro.memory.comparing.clauses.frame import LIGHT, Frame, as_noun, note_flag
from memoro.memory.comparing.clauses.verbs import FLAGS, is_verb
from memoro.memory.comparing.lexicon.entries import (
    BE,
    CONTENT,
    GERUND,
    IMPERFECT,
    PAST,
    PREPOSITION,
    VERB,
)
from memoro.memory.comparing.tokens.token import HAN, WORD
from memoro.memory.comparing.words.word import Word

_WISHES = frozenset({"prefer", "like", "-like", "want"})
_ENDINGS = frozenset({"stop", "avoid", "leave"})
_STARTS = frozenset({"start", "keep", "try", "decide", "need", "do", "go", "help", "become"})
_PLANS = frozenset({"plan", "intend"})
_STATES = frozenset({"live", "work", "use", "have", "own", "speak", "prefer", "want", "belong"})
"""Verbs whose past says that something is no longer so."""


def read_verb(words: list[Word], at: int, frame: Frame) -> int:
    """Read the verb group from `at`; the place after it."""
    word = words[at]
    if not is_verb(words, at):
        return at
    if word.role == BE:
        return _copula(words, at, frame)
    if word.key == "have":
        after = _skip(words, at + 1, frame, probe=True)
        if after < len(words) and _is_perfect(words[after]):
            _skip(words, at + 1, frame)
            frame.verb = ""
            if words[after].key in _STATES and not any(w.key in ("since", "for") for w in words):
                frame.tense = frame.tense or "once"
            return _participle(words, after, frame)
    _take(word, frame)
    if word.role == IMPERFECT or (word.role == PAST and word.key in _STATES):
        frame.tense = frame.tense or "past"
    return _chain(words, at + 1, frame)


def _is_perfect(word: Word) -> bool:
    return word.role in (PAST, BE) or (
        word.role == CONTENT and word.kind == WORD and word.text.endswith("ed")
    )


def _participle(words: list[Word], at: int, frame: Frame) -> int:
    word = words[at]
    if word.role == BE:
        return _copula(words, at, frame)
    if word.role == CONTENT:
        frame.verb, frame.verb_text = "be", "is"
        return at
    _take(word, frame)
    return _chain(words, at + 1, frame)


def _take(word: Word, frame: Frame) -> None:
    key = word.key
    if key.startswith("-"):
        frame.negative = not frame.negative
        key = key[1:]
    frame.verb, frame.verb_text = key, word.text
    frame.deed = as_noun(word).key.lstrip("-")


def _skip(words: list[Word], at: int, frame: Frame, probe: bool = False) -> int:
    """The place of the next word that is more than a colour of the sentence."""
    while at < len(words) and words[at].role in FLAGS:
        if not probe:
            note_flag(words[at], frame)
        at += 1
    return at


def _copula(words: list[Word], at: int, frame: Frame) -> int:
    """A form of "to be": the copula itself, or what makes a passive or a progressive form."""
    after = _skip(words, at + 1, frame)
    while after < len(words) and words[after].role == BE:
        after = _skip(words, after + 1, frame)
    if after < len(words) and _is_participle(words, after):
        _take(words[after], frame)
        frame.passive = words[after].role == PAST
        return _chain(words, after + 1, frame)
    frame.verb, frame.verb_text = "be", words[at].text
    return after


def _is_participle(words: list[Word], at: int) -> bool:
    word = words[at]
    if word.role[0] != "V" or word.kind == HAN:
        return False
    if word.role == GERUND:
        return at + 1 < len(words)
    return word.role == PAST or word.text.lower() not in ("time", "live")


def _chain(words: list[Word], at: int, frame: Frame) -> int:
    """Follow "prefers to use", "stopped using", "plans to move" to the verb that counts."""
    while frame.verb in _WISHES | _ENDINGS | _STARTS | _PLANS:
        after = _skip(words, at, frame, probe=True)
        if after < len(words) and words[after].role == PREPOSITION and words[after].key == "to":
            after += 1
        after = _skip(words, after, frame, probe=True)
        if after >= len(words) or not _is_chained(words, after, frame):
            break
        _skip(words, at, frame)
        if words[after].role == BE and after + 1 < len(words) and words[after + 1].key == "name":
            _take(words[after + 1], frame)
            return after + 2
        if not _compose(words[after], frame):
            return after + (words[after].key in LIGHT)
        at = after + 1
    if frame.verb == "avoid":
        frame.verb, frame.negative = "use", not frame.negative
    return at


def _is_chained(words: list[Word], at: int, frame: Frame) -> bool:
    role, word = words[at].role, words[at]
    if role[0] != "V" or role in (PAST, IMPERFECT):
        return role == BE and word.text.lower() in ("be", "being", "ser", "estar")
    if role == VERB and word.text[-1:] == "s" and word.kind == WORD:
        return False
    if role == GERUND or words[at - 1].role == PREPOSITION or word.kind == HAN:
        return True
    return is_verb(words, at) and frame.verb not in ("have", "need")


def _compose(word: Word, frame: Frame) -> bool:
    """Put a second verb into the first; False where the first one stays the verb."""
    if frame.verb in _WISHES:
        return False
    if frame.verb in _ENDINGS:
        frame.negative = not frame.negative
    elif frame.verb in _PLANS:
        frame.tense = "plan"
    elif frame.verb in ("start", "decide"):
        frame.newer = True
    if word.role == BE:
        frame.verb, frame.verb_text = "be", "is"
    else:
        _take(word, frame)
    return True

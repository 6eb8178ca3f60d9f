"""Which words are verbs where they stand: "tests run" and "run tests"."""

from __future__ import annotations

from memoro.memory.comparing.lexicon.english import ENGLISH
from memoro.memory.comparing.lexicon.entries import (
    AND,
    AUXILIARY,
    BE,
    CONTENT,
    DROPPED,
    GERUND,
    HEDGE,
    HOW_OFTEN,
    NAMED_VALUE,
    NOT,
    NOW,
    ONCE,
    OUGHT,
    PLANNED,
    PREPOSITION,
    RATHER_THAN,
    USER,
    VERB,
    WE,
    WHEN,
)
from memoro.memory.comparing.lexicon.listing import listed
from memoro.memory.comparing.tokens.token import HAN, WORD
from memoro.memory.comparing.words.languages import LEXICONS
from memoro.memory.comparing.words.word import COLON, PAUSE, POSSESSIVE, STOP, Word

FLAGS = frozenset({NOT, HOW_OFTEN, NOW, ONCE, PLANNED, HEDGE, OUGHT, "R", AUXILIARY})
"""Roles that colour a sentence and are no part of who does what."""
_POSSESSIVES = listed(
    """
    my his her their our your its meu minha meus minhas nosso nossa nossos nossas
    """
)
LOOKAHEAD = 12


def is_verb(words: list[Word], at: int) -> bool:
    """Whether a word is used as a verb here: a copula, or a verb that is no noun in this place."""
    word = words[at]
    if word.role == BE:
        return True
    if word.role[0] != "V" or _follows_a_determiner(words, at):
        return False
    first = at < LOOKAHEAD and all(w.role in FLAGS or w.role == PAUSE for w in words[:at])
    if word.role == GERUND:
        if first:
            return not _a_verb_follows(words, at, first)
        return words[at - 1].role == BE or words[at - 1].role in FLAGS
    return not (may_be_noun(word) and _is_noun_here(words, at, first))


def _follows_a_determiner(words: list[Word], at: int) -> bool:
    if at == 0:
        return False
    before = words[at - 1]
    if before.role in (USER, WE):
        return before.text.lower() in _POSSESSIVES
    if before.role == PREPOSITION and before.kind == HAN:
        return before.key not in ("before", "after")
    if before.role == PREPOSITION:
        return before.key != "to" or before.text.lower() not in ("to", "para", "pra")
    if before.kind == HAN:
        return before.text == "的"
    if before.role == HOW_OFTEN:
        return before.key in ("all", "some", "most")
    if before.role == NOT:
        return before.text.lower() in ("no", "nenhum", "nenhuma")
    return before.role in (DROPPED, POSSESSIVE)


def may_be_noun(word: Word) -> bool:
    """Whether a verb's form is a noun just as often."""
    text = word.text.lower()
    if word.role == VERB and word.kind == WORD and not _plural(text) and text in ENGLISH.words:
        return True
    return any(text in lexicon.also_nouns for lexicon in LEXICONS.values())


def _is_noun_here(words: list[Word], at: int, first: bool) -> bool:
    word = words[at]
    after = words[at + 1] if at + 1 < len(words) else None
    if after is None:
        return not first and words[at - 1].role[0] not in f"{USER}{WE}{CONTENT}{NAMED_VALUE}NQEMF"
    finite = after.role[0] == "V" and after.role != GERUND and not _plural(after.text)
    if after.role == BE or (finite and (_plural(word.text) or not may_be_noun(after))):
        return True
    if _plural(word.text):
        if after.role == PREPOSITION and first and word.key not in MOSTLY_VERBS:
            return _a_verb_follows(words, at, first)
        return after.role in (NOT, AUXILIARY, OUGHT, PLANNED) and after.kind != HAN
    if at and words[at - 1].role in _BEFORE_VERBS:
        return False
    return _a_verb_follows(words, at, first)


def _plural(text: str) -> bool:
    return text[-1:] == "s" and text[-2:] != "ss"


_BEFORE_VERBS = FLAGS | {USER, WE}


def _a_verb_follows(words: list[Word], at: int, first: bool) -> bool:
    for place in range(at + 1, min(len(words), at + LOOKAHEAD)):
        word = words[place]
        if word.role in (PAUSE, AND, WHEN, STOP, RATHER_THAN):
            return False
        if word.role in (BE, OUGHT, COLON):
            return True
        if word.role[0] == "V" and word.role != GERUND and not _follows_a_determiner(words, place):
            before = words[place - 1]
            if before.role == PREPOSITION:
                continue
            if before.role in FLAGS:
                return True
            if not may_be_noun(word) or (_plural(word.text) and place > at + 1 and not first):
                return True
    return False


MOSTLY_VERBS = listed(
    """
    work use run need like want move start live drive drink play lead host store cost call
    hope go love hate have take become prefer join
    """
)

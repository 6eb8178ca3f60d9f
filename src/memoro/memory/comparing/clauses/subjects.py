"""What stands before the verb: in which case, and who."""

from __future__ import annotations

from memoro.memory.comparing.clauses.frame import (
    LIGHT,
    MEANT,
    Frame,
    Slot,
    as_noun,
    is_content,
    note_flag,
    scope_prefix,
)
from memoro.memory.comparing.clauses.verbs import FLAGS, is_verb
from memoro.memory.comparing.lexicon.entries import (
    BE,
    CONTENT,
    HOW_OFTEN,
    NOT,
    OUGHT,
    PREPOSITION,
    RATHER_THAN,
    USER,
    WE,
    WHEN,
)
from memoro.memory.comparing.tokens.token import FIGURES, HAN, TIME, WORD
from memoro.memory.comparing.words.word import PAUSE, Word

SEQUENCE = frozenset({"before", "after"})
_LIMITING = frozenset({"before", "after", "except"})


def read_leads(words: list[Word], frame: Frame) -> int:
    """What comes before the subject: "In Go, …", "When the build fails, …", "比起空格，…"."""
    at, end = 0, _read_lead(words, 0, frame)
    while end > at and end < len(words) and words[end].role in (PREPOSITION, WHEN):
        at, end = end, _read_lead(words, end, frame)
    return end


def _read_lead(words: list[Word], at: int, frame: Frame) -> int:
    """Read one of them; the place after it."""
    while at < len(words) and (words[at].role in FLAGS or words[at].role == PAUSE):
        note_flag(words[at], frame)
        at += 1
    if at == len(words) or words[at].role not in (PREPOSITION, WHEN, RATHER_THAN):
        return at
    opening = words[at]
    end = _lead_end(words, at)
    if end is None:
        return at
    for word in words[at + 1 : end]:
        if word.key in LIGHT and opening.role == RATHER_THAN:
            continue
        if opening.role == RATHER_THAN and is_content(word):
            frame.over.append(as_noun(word))
        elif word.role == PREPOSITION and word.key in MEANT:
            opening = word
        elif word.role == NOT:
            frame.scope.append(("not", word))
        elif is_content(word):
            frame.scope.append((scope_prefix(opening), as_noun(word)))
    return end


def _lead_end(words: list[Word], at: int) -> int | None:
    """Where the subject begins; None where the words are no lead but all there is."""
    pause = next((n for n in range(at, len(words)) if words[n].role == PAUSE), None)
    if pause is not None:
        return pause + 1
    if words[at].role != PREPOSITION:
        return None if words[at].role == RATHER_THAN else len(words)
    seen = False
    for place in range(at + 1, len(words)):
        word = words[place]
        starts = word.role in (USER, WE, "D", BE, NOT, OUGHT, HOW_OFTEN) or is_verb(words, place)
        if seen and starts and words[place - 1].role != PREPOSITION:
            return place
        seen = seen or is_content(word)
        if word.kind == TIME and place + 1 < len(words) and words[place + 1].kind != TIME:
            return place + 1
    return None


def read_subject(words: list[Word], at: int, frame: Frame, language: str) -> int:
    """Collect the words before the verb; those after a preposition complete them."""
    prep = ""
    while at < len(words) and not is_verb(words, at):
        word = words[at]
        if word.role in (RATHER_THAN, WHEN):
            break
        at += 1
        if word.role == PREPOSITION and language == "zh" and word.key not in ("of", *SEQUENCE):
            at = _before_verb(words, at, word.key, frame)
        elif word.role == PREPOSITION:
            prep = word.key
            if word.kind == HAN and prep in SEQUENCE:
                frame.scope += ((prep, one) for one in frame.subject)
                frame.subject = []
        elif word.role == USER:
            frame.user = frame.user or not _is_domain_word(words, at - 1, frame)
        elif is_content(word):
            _add_to_subject(word, prep, frame, language)
        else:
            _note(word, frame)
    return at


def _note(word: Word, frame: Frame) -> None:
    if word.role == WE:
        frame.we = True
    elif word.text.lower() == "the":
        frame.definite = True
    else:
        note_flag(word, frame)


def _add_to_subject(word: Word, prep: str, frame: Frame, language: str) -> None:
    figure = word.kind in FIGURES or word.kind == TIME
    if word.kind == TIME and language == "zh":
        frame.scope.append(("", word))
    elif prep in _LIMITING and not figure:
        frame.scope.append((prep, as_noun(word)))
    else:
        frame.subject.append(as_noun(word))


def _is_domain_word(words: list[Word], at: int, frame: Frame) -> bool:
    """Whether "user" is a part of a name ("the user table") and no person."""
    if at + 1 >= len(words) or words[at].key != "user":
        return False
    after = words[at + 1]
    if after.role != CONTENT or after.kind != WORD or after.text[:1].isupper():
        return False
    frame.subject.append(Word("user", CONTENT, WORD, words[at].text))
    return True


def _before_verb(words: list[Word], at: int, prep: str, frame: Frame) -> int:
    """Chinese puts "在 Go 中", "由 Ana", "从 A 到 B" before the verb; they are slots of it."""
    slot = Slot(prep)
    while at < len(words) and words[at].role not in (USER, WE, PAUSE, RATHER_THAN, NOT):
        word = words[at]
        if word.role == PREPOSITION or (is_verb(words, at) and (slot.filled or word.role == BE)):
            break
        if is_content(word):
            slot.items[-1].append(as_noun(word))
        at += 1
    if slot.filled:
        frame.slots.append(slot)
    return at

"""What stands after the verb, preposition by preposition."""

from __future__ import annotations

from memoro.memory.comparing.clauses.frame import (
    DIRECT,
    LIGHT,
    Frame,
    Slot,
    as_noun,
    is_content,
    note_flag,
    scope_prefix,
)
from memoro.memory.comparing.clauses.subjects import SEQUENCE
from memoro.memory.comparing.clauses.verbs import FLAGS
from memoro.memory.comparing.lexicon.entries import (
    AND,
    CONTENT,
    DROPPED,
    GERUND,
    NOT,
    PREPOSITION,
    RATHER_THAN,
    USER,
    WE,
    WHEN,
)
from memoro.memory.comparing.tokens.token import FIGURES, HAN, MARK, WORD
from memoro.memory.comparing.words.word import PAUSE, POSSESSIVE, Word

_FROM = frozenset({"de", "do", "da", "dos", "das"})
_FROM_VERBS = frozenset({"switch", "move", "change", "upgrade", "raise", "reschedule"})
"""Verbs after which the Portuguese "de" is where something comes from."""
_LOST = "rather than"
_DEFINITE = {
    "en": frozenset({"the", "this", "our", "its"}),
    "pt": frozenset({"o", "os", "a", "as", "este", "esta"}),
    "zh": frozenset({"这", "该", "这个"}),
}


def read_object(words: list[Word], at: int, frame: Frame, language: str) -> None:
    """Read what follows the verb, preposition by preposition."""
    slot = Slot(DIRECT)
    frame.slots.insert(0, slot)
    while at < len(words):
        word = words[at]
        if word.role == WHEN:
            _subordinate(words, at, frame)
            return
        if _turns_down(words, at, frame, slot, language):
            at = _alternatives(words, at, frame, slot)
            continue
        if is_content(word) or word.role == PREPOSITION:
            slot = _read_on(words, at, slot, frame)
        elif word.role in (AND, PAUSE):
            slot.next_item()
        elif word.role in FLAGS:
            _flag_in_object(word, slot, frame)
        else:
            _note_owner(word, slot, frame, language)
        at += 1
        if slot.prep == _LOST and slot.filled:
            frame.over += slot.items.pop()
            slot.next_item()


def _turns_down(words: list[Word], at: int, frame: Frame, slot: Slot, language: str) -> bool:
    return (
        words[at].role == RATHER_THAN
        or _is_lost(words, at, frame)
        or (language == "pt" and _is_portuguese_than(words, at, frame, slot))
    )


def _read_on(words: list[Word], at: int, slot: Slot, frame: Frame) -> Slot:
    """Take a word of the object in; the slot that the next one belongs to."""
    word = words[at]
    if word.key == "until" and at + 1 < len(words) and words[at + 1].kind in FIGURES:
        slot.items[-1].append(Word("max-bound", CONTENT, WORD, word.text))
    elif word.role == PREPOSITION:
        return _next_slot(word, slot, frame)
    elif word.role == GERUND and word.key == "use" and slot.filled:
        frame.slots.append(Slot("with"))
        return frame.slots[-1]
    else:
        slot.items[-1].append(as_noun(word))
    return slot


def _note_owner(word: Word, slot: Slot, frame: Frame, language: str) -> None:
    """Note whose the object is, and whether there is only one of it."""
    if word.role in (USER, WE, POSSESSIVE):
        frame.possessed = True
        frame.users_own = frame.users_own or word.role == USER
    elif word.role == DROPPED and not slot.filled and slot.prep == DIRECT:
        frame.object_definite = word.text.lower() in _DEFINITE[language]


def _flag_in_object(word: Word, slot: Slot, frame: Frame) -> None:
    """ "has no dog" denies the clause, "answers with no preamble" only the preamble."""
    if word.role != NOT or word.text.lower() not in ("no", "nenhum", "nenhuma"):
        note_flag(word, frame)
    elif slot.prep == DIRECT:
        frame.negative = True
    else:
        slot.negative = True


def _next_slot(word: Word, slot: Slot, frame: Frame) -> Slot:
    """The slot that a preposition opens."""
    key = word.key
    if key == "of" and not (frame.verb in _FROM_VERBS and word.text in _FROM and not slot.filled):
        return slot
    if key == "of":
        key = "from"
    if key == "to" and frame.verb == "prefer" and slot.filled and word.text.lower() == "to":
        return Slot(_LOST)
    if key == "-with":
        frame.slots.append(Slot("with"))
        frame.slots[-1].negative = True
        return frame.slots[-1]
    if word.kind == HAN and key in SEQUENCE:
        frame.scope += [(key, one) for item in slot.items for one in item]
        slot.items = [[]]
        return slot
    frame.slots.append(Slot(key, named=word.text.lower() != "em"))
    return frame.slots[-1]


def _is_lost(words: list[Word], at: int, frame: Frame) -> bool:
    """ "tabs, not spaces", "tabs and not spaces": the second is what is turned down."""
    word = words[at]
    if word.role != NOT or at == 0:
        return False
    before = words[at - 1]
    return before.role in (PAUSE, AND) and frame.slots[0].filled and at + 1 < len(words)


def _is_portuguese_than(words: list[Word], at: int, frame: Frame, slot: Slot) -> bool:
    """ "prefere tabs a espaços"."""
    return (
        frame.verb == "prefer"
        and words[at].text.lower() in ("a", "ao", "aos", "à", "às")
        and slot.filled
        and at + 1 < len(words)
        and is_content(words[at + 1])
    )


def _alternatives(words: list[Word], at: int, frame: Frame, slot: Slot) -> int:
    """Read what was turned down; the place after it."""
    opening = words[at].text.lower()
    into = frame.over
    if opening == "over" and frame.verb not in _CHOICES:
        frame.slots.append(Slot("via"))
        into = frame.slots[-1].items[-1]
    elif opening == "than" and frame.verb not in (*_CHOICES, "use"):
        into = slot.items[-1]
    at += 1
    while at < len(words) and words[at].role not in (WHEN, PAUSE):
        word = words[at]
        if word.role == PREPOSITION and word.key != "of":
            break
        if is_content(word) and word.key not in LIGHT and not _repeats_choice(word):
            into.append(as_noun(word))
        at += 1
    return at


_CHOICES = frozenset({"prefer", "like", "want"})


def _repeats_choice(word: Word) -> bool:
    """比起空格更喜欢制表符: the verb comes after what is turned down."""
    return word.kind == HAN and word.key in _CHOICES


def _subordinate(words: list[Word], at: int, frame: Frame) -> None:
    """Everything after "when", "if", "because" limits the clause."""
    prefix = scope_prefix(words[at])
    for word in words[at + 1 :]:
        if word.role == NOT:
            frame.scope.append(("not", Word("not", CONTENT, MARK, word.text)))
        elif is_content(word):
            frame.scope.append((prefix, as_noun(word)))

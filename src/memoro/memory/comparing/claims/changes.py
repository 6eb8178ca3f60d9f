"""Verbs of change: something has another value now."""

from __future__ import annotations

from typing import NamedTuple

from memoro.memory.comparing.claims.meaning import BE, Meaning
from memoro.memory.comparing.claims.wishes import has_figures
from memoro.memory.comparing.clauses.frame import DIRECT, Frame
from memoro.memory.comparing.lexicon.entries import NAMED_VALUE
from memoro.memory.comparing.lexicon.kinds import KINDS, STATES
from memoro.memory.comparing.tokens.token import NUMBER, TIME
from memoro.memory.comparing.words.word import Word

CHANGES = frozenset(
    {"change", "upgrade", "raise", "reschedule", "move", "switch", "become", "go", "pass"}
)
_INTO_A_STATE = ("to", "para")


def is_time(words: list[Word]) -> bool:
    """Whether there is a date, weekday or time of day among the words."""
    return any(word.kind == TIME for word in words)


class _Change(NamedTuple):
    """What changed (where it stands in the object), into what, from what, and the slots used."""

    about: list[str]
    target: list[Word]
    old: list[Word]
    used: tuple[str, ...]


def read_change(frame: Frame, language: str, person: bool) -> Meaning | None:
    """ "moved to", "was raised to", "changed the port to": something has another value now."""
    if frame.verb not in CHANGES:
        return None
    change = _parts(frame, language)
    if change is None:
        return None
    if person and not change.about and not frame.subject:
        return _persons_change(frame, change)
    if is_time(change.target):
        return Meaning(BE, (*change.about, "@when"), change.target, change.used, change.old, True)
    if frame.verb == "go":
        return None
    if frame.verb == "switch" and not change.about and _is_tool(change):
        return Meaning("use", (), change.target, change.used, change.old, True)
    return _things_change(frame, change, person)


def _parts(frame: Frame, language: str) -> _Change | None:
    target = frame.slot(*_INTO_A_STATE) or frame.slot("until")
    direct = frame.slot(DIRECT)
    if target is None and direct is not None and _goes_into(frame, language):
        target, direct = direct, None
    if target is None and frame.verb == "reschedule":
        target = frame.slot("on", "at", "in")
        target = target if target is not None and is_time(target.words) else None
    if target is None:
        return None
    source = frame.slot("from")
    about = [word.key for word in direct.words] if direct is not None else []
    used = (target.prep, "from", *((DIRECT,) if direct is not None else ()))
    return _Change(about, target.words, source.words if source is not None else [], used)


def _things_change(frame: Frame, change: _Change, person: bool) -> Meaning:
    about, value = list(change.about), [w for w in change.target if w.role != NAMED_VALUE]
    if frame.verb == "become" and has_figures(change.target) and person:
        about.append("@age")
    if frame.verb == "upgrade" and about and not any(key[:1] == "@" for key in about):
        about.append("@version")
    if frame.verb == "move" and not about and not has_figures(change.target):
        about.append("@location")
    if value:
        about += (word.key for word in change.target if word.role == NAMED_VALUE)
    return Meaning(BE, tuple(about), value or change.target, change.used, change.old, True)


def _goes_into(frame: Frame, language: str) -> bool:
    """Whether the verb has its "to" in itself: "becomes X", 改为 X, "passou para X"."""
    return language == "zh" or frame.verb == "become" or frame.verb_text.endswith(" para")


def _is_tool(change: _Change) -> bool:
    words = (*change.target, *change.old)
    return any(STATES.isdisjoint(KINDS.get(w.key, ())) and w.key in KINDS for w in words)


def _persons_change(frame: Frame, change: _Change) -> Meaning | None:
    """ "moved to Lyon" is a new home, "switched to pnpm" a new tool."""
    if frame.verb == "become":
        age = ("@age",) if has_figures(change.target) else ()
        value = [in_years(word) for word in change.target]
        return Meaning(BE, age, value, change.used, change.old, True)
    if frame.verb == "go" or (frame.verb == "move" and is_time(change.target)):
        return None
    if frame.verb == "move" and not _is_tool(change):
        return Meaning(BE, ("@home",), change.target, change.used, change.old, True)
    return Meaning("use", (), change.target, change.used, change.old, True)


def read_replacement(frame: Frame) -> Meaning | None:
    """ "replaced X with Y", "trocou o X pelo Y", "renamed X to Y"."""
    if frame.verb not in ("replace", "rename"):
        return None
    target, direct = frame.slot("with", "by", "for", "to"), frame.slot(DIRECT)
    if target is None or direct is None:
        return None
    if frame.verb == "rename":
        about = (
            *(word.key for word in direct.words),
            *(() if is_marked(direct.words) else ("@name",)),
        )
        return Meaning(BE, about, target.words, (target.prep, DIRECT), [], True)
    return Meaning("use", (), target.words, (target.prep, DIRECT), direct.words, True)


def is_marked(words: list[Word]) -> bool:
    """Whether an attribute is named among the words."""
    return any(word.role == NAMED_VALUE for word in words)


def in_years(word: Word) -> Word:
    """An age as the plain number of years: "34 years old" and "34" are one."""
    number, _, unit = word.key.partition(" ")
    if unit != "months" or not number.isdigit():
        return word
    return word._replace(key=str(int(number) // 12), kind=NUMBER)

"""What is said of a profile, pair by pair: checked, and read as steps that change it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from typing import Any, NamedTuple

from memoro.errors import Reason, Refusal
from memoro.memory.profile.directives import read_directive
from memoro.memory.profile.entries import directive_key, item_key, named_key, unnamed_key
from memoro.memory.profile.fields import (
    DIRECTIVES,
    ENVIRONMENT,
    MILESTONES,
    NAMED,
    PREFERENCES,
    SCALARS,
    STANCES,
    Target,
    check_name,
    fold_key,
    item_name,
    target,
)
from memoro.memory.profile.levels import CHOICES, level
from memoro.memory.profile.splitting import SENTENCES, WORDS, is_fragment, split, unlisted
from memoro.memory.profile.wording import is_status, one_line, stem, without_bullet
from memoro.memory.records import Trust, shown
from memoro.memory.saved import is_blank

MAX_VALUE_BYTES = 4_096
MAX_GIVEN_BYTES = 64 * 1024
"""Of one pair, whose value may list many."""
MAX_ITEMS = 200
"""Of one list."""
MAX_PAIRS = 500
"""Of one call."""

_LONG = frozenset({DIRECTIVES, MILESTONES, STANCES, PREFERENCES})
_NOTHING = frozenset({"none", "nothing", "null", "nil", "n/a", "-", "nenhum", "nenhuma", "nada"})
_NAME_AND_TEXT = re.compile(r"\s*([^:=]{1,64}?)\s*[:=]\s*(.+)", re.DOTALL)
_MAX_NAME_WORDS = 3
_DATED = re.compile(r"(\d{4}-\d{2}(?:-\d{2})?)(?:\s*[:–—]|\s-)?\s+(.+)")


class Said(NamedTuple):
    """Keys and values as they were said, by whom, and when; the run and the message they are
    from, where there are any."""

    pairs: Sequence[tuple[str, str]]
    trust: Trust
    at: datetime
    run: str | None = None
    message: str | None = None


class Item(NamedTuple):
    """A text with the key that it is kept under; `data` is what only this kind of item has."""

    key: str
    text: str
    data: Mapping[str, Any] = {}


class Step(NamedTuple):
    """A pair that was understood: what is to be done, and with which items, or with those that
    are named; `whole` is all that was named, before it was split."""

    target: Target
    items: tuple[Item, ...] = ()
    names: tuple[str, ...] = ()
    whole: str = ""


def read_pair(key: str, value: str) -> Step | Refusal:
    """Understand a key and its value, or refuse them; what is stored already doesn't matter."""
    wanted = target(key)
    if isinstance(wanted, Refusal):
        return wanted
    refusal = _check_text(wanted.said, value)
    if refusal is not None:
        return refusal
    if wanted.op in ("mark", "unmark"):
        return _read_names(wanted, value)
    if wanted.field in SCALARS:
        return _read_scalar(wanted, value)
    if wanted.op in ("remove", "done"):
        return Step(wanted, (), (wanted.name,)) if wanted.name else _read_names(wanted, value)
    if wanted.name:
        return _read_named(wanted, value)
    return _read_list(wanted, value)


def _check_text(key: str, value: str) -> Refusal | None:
    try:
        size = len(value.encode())
    except UnicodeEncodeError:
        return Refusal(Reason.USAGE, f"{shown(key)}: the value is not valid UTF-8 text")
    if size > MAX_GIVEN_BYTES:
        return _too_large(key, size, MAX_GIVEN_BYTES)
    if any(unicodedata.category(char) == "Cc" and char not in "\n\r\t" for char in value):
        return Refusal(
            Reason.USAGE, f"{shown(key)}: the value holds control characters, which are not text"
        )
    return None


def _too_large(key: str, size: int, limit: int) -> Refusal:
    return Refusal(
        Reason.TOO_LARGE,
        f"{shown(key)}: a value has {size:,} bytes; at most {limit:,} are allowed",
        "keep longer text as a note: memoro note add TITLE",
    )


def _empty(wanted: Target) -> Refusal:
    field = wanted.field or "field"
    fix = f"to remove what is there: {field}_remove={'ITEM' if wanted.field else ''}"
    return Refusal(Reason.USAGE, f"{shown(wanted.said)}: the value is empty", fix)


def _text(wanted: Target, value: str) -> str | Refusal:
    """One value, on one line."""
    text = one_line(value)
    if is_blank(text):
        return _empty(wanted)
    size = len(text.encode())
    return text if size <= MAX_VALUE_BYTES else _too_large(wanted.said, size, MAX_VALUE_BYTES)


def _read_scalar(wanted: Target, value: str) -> Step | Refusal:
    if wanted.op in ("remove", "done") or (wanted.op == "replace" and is_blank(value)):
        return Step(wanted._replace(op="remove"), (), (one_line(value),))
    text = _text(wanted, value)
    if isinstance(text, Refusal):
        return text
    if wanted.field == "expertise_level":
        known = level(text)
        if known is None:
            return Refusal(
                Reason.USAGE,
                f"expertise_level: {shown(text)} is no level; it is one of {', '.join(CHOICES)}",
            )
        text = known
    return Step(wanted._replace(op="put"), (Item(wanted.field, text),))


def _read_names(wanted: Target, value: str) -> Step | Refusal:
    """What is to be removed, finished or marked."""
    separators = SENTENCES if wanted.field in _LONG - NAMED else WORDS
    names = tuple(without_bullet(one_line(name)) for name in split(unlisted(value), separators))
    names = tuple(name for name in names if not is_blank(name))
    if not names:
        return _empty(wanted)
    return _crowded(wanted, len(names)) or Step(wanted, (), names, one_line(value))


def _read_named(wanted: Target, value: str) -> Step | Refusal:
    text = _text(wanted, value)
    if isinstance(text, Refusal):
        return text
    key = named_key(wanted.field, wanted.name)
    return Step(wanted._replace(op="put"), (Item(key, text, {"name": wanted.said}),))


def _read_list(wanted: Target, value: str) -> Step | Refusal:
    parts = _parts(wanted.field, value)
    if wanted.op == "replace" and (not parts or value.strip().casefold() in _NOTHING):
        return Step(wanted)
    if not parts:
        return _empty(wanted)
    items: dict[str, Item] = {}
    for part in parts:
        text = _text(wanted, part)
        item = text if isinstance(text, Refusal) else _READERS[wanted.field](wanted, text)
        if isinstance(item, Refusal):
            return item
        # The last of those that are the same counts, in the place of the first.
        items[item.key] = item
    return _crowded(wanted, len(items)) or Step(wanted, tuple(items.values()))


def _crowded(wanted: Target, count: int) -> Refusal | None:
    if count <= MAX_ITEMS:
        return None
    return Refusal(
        Reason.TOO_LARGE,
        f"{wanted.said}: {count:,} items were given; at most {MAX_ITEMS} are allowed",
    )


def _parts(field: str, value: str) -> list[str]:
    plain = value if field == DIRECTIVES and "scope" in value.casefold() else unlisted(value)
    separators = SENTENCES if field in _LONG and plain == value.strip() else WORDS
    parts = [without_bullet(part) for part in split(plain, separators)]
    if field == STANCES:
        return _joined(parts, lambda before, part: "::" in before and "::" not in part)
    if field == PREFERENCES:
        return [piece for part in parts for piece in _pieces(part)]
    return (
        parts if separators == SENTENCES else _joined(parts, lambda _, part: is_status(part), ", ")
    )


def _joined(parts: list[str], goes_on: Callable[[str, str], bool], by: str = "; ") -> list[str]:
    """Parts that are none of their own put back to the one before: "Learn Rust, done" is one."""
    joined: list[str] = []
    for part in parts:
        if joined and goes_on(joined[-1], part):
            joined[-1] += by + part
        else:
            joined.append(part)
    return joined


def _pieces(part: str) -> list[str]:
    pieces = split(part)
    return pieces if all(_name_and_text(piece) for piece in pieces) else [part]


def _name_and_text(part: str) -> tuple[str, str] | None:
    found = _NAME_AND_TEXT.fullmatch(part)
    if found is None or found[2].startswith("//") or check_name(found[1]) is not None:
        return None
    return (found[1], found[2]) if len(found[1].split()) <= _MAX_NAME_WORDS else None


def _whole(wanted: Target, text: str) -> Refusal | None:
    if not is_fragment(text):
        return None
    return Refusal(
        Reason.USAGE,
        f"{wanted.said}: {shown(text)} has a bracket without its other half; nothing was changed",
        "close the bracket, or leave it out",
    )


def _plain_item(wanted: Target, text: str) -> Item | Refusal:
    return _whole(wanted, text) or Item(item_key(wanted.field, stem(text)), text)


def _directive_item(wanted: Target, text: str) -> Item | Refusal:
    directive = read_directive(text)
    if isinstance(directive, Refusal):
        return directive
    data = {"severity": directive.severity, "workspace": directive.workspace}
    key = directive_key(directive.text, directive.workspace)
    return _whole(wanted, text) or Item(key, directive.text, data)


def _milestone_item(wanted: Target, text: str) -> Item | Refusal:
    found = _DATED.fullmatch(text)
    if found is None or not _is_date(found[1]):
        return _plain_item(wanted, text)
    item = _plain_item(wanted, found[2])
    return item if isinstance(item, Refusal) else item._replace(data={"date": found[1]})


def _is_date(text: str) -> bool:
    try:
        date.fromisoformat(text if len(text) > 7 else f"{text}-01")
    except ValueError:
        return False
    return True


def _stance_item(wanted: Target, text: str) -> Item | Refusal:
    position, _, reason = (part.strip() for part in text.partition("::"))
    if is_blank(position):
        return Refusal(
            Reason.USAGE,
            f"{wanted.said}: {shown(text)} has no position",
            "write POSITION :: REASON",
        )
    item = _plain_item(wanted, position)
    if isinstance(item, Refusal) or not reason:
        return item
    return item._replace(data={"reason": reason})


def _named_item(wanted: Target, text: str) -> Item | Refusal:
    pair = _name_and_text(text)
    if pair is None:
        return _whole(wanted, text) or Item(unnamed_key(wanted.field, text), text)
    field, name = item_name(pair[0])
    if wanted.field == ENVIRONMENT:
        field, name = ENVIRONMENT, fold_key(pair[0])
    return Item(named_key(field, name), pair[1], {"name": pair[0]})


_READERS: Mapping[str, Callable[[Target, str], Item | Refusal]] = {
    **dict.fromkeys(("certifications", "skills", "goals", "interests"), _plain_item),
    DIRECTIVES: _directive_item,
    MILESTONES: _milestone_item,
    STANCES: _stance_item,
    PREFERENCES: _named_item,
    ENVIRONMENT: _named_item,
}

"""One field of a record in its plain form, read and checked."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from memoro.memory.places import is_place
from memoro.memory.records import GLOBAL, Trust, is_unicode, project_name, shown
from memoro.memory.saved import check_key

MAX_COUNT = 2**63 - 1
"""The largest number that the store keeps."""

_MAX_DEPTH = 32
_MAX_TAGS = 1_000
_MAX_NAME_CHARACTERS = 200
_ID = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.:@+-]{0,127}")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]")
_PLACE = re.compile(r"place:[A-Za-z0-9]{1,64}")
_RANKS = {rank.name.lower(): int(rank) for rank in Trust}


class Problem(NamedTuple):
    """Why something is no record: the `field` that is wrong ("" for the whole), and `what` is."""

    field: str
    what: str


class _BadValueError(ValueError):
    """A value that its field can't have."""


def read_field(name: str, value: object) -> Any:
    """A field's value from what the JSON says, or a `Problem`."""
    try:
        return _READERS[name](value)
    except _BadValueError as error:
        return Problem(name, str(error))


def read_time(value: object) -> datetime:
    """A time in UTC; without a zone it is UTC already.

    Raises:
        ValueError: it is none.
    """
    text = _line(value)
    try:
        at = datetime.fromisoformat(text.strip())
        return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise _BadValueError(f"{shown(text)} is not a time such as 2026-11-30T04:45:27Z") from error


def is_id(text: str) -> bool:
    """Whether a text can be a record's ID: it is told in commands and names no path."""
    return _ID.fullmatch(text) is not None and ".." not in text


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise _BadValueError(f"it has to be text, and is {_word_for(value)}")
    if not is_unicode(value):
        raise _BadValueError("it is not valid UTF-8 text")
    return value


def _line(value: object) -> str:
    text = _text(value)
    if _CONTROL.search(text) is not None:
        raise _BadValueError("it holds a line end or another control character")
    return text


def _name(value: object) -> str:
    text = _line(value)
    if not text.strip() or len(text) > _MAX_NAME_CHARACTERS:
        raise _BadValueError(f"it has to have 1 to {_MAX_NAME_CHARACTERS} characters")
    return text


def _id(value: object) -> str:
    text = _text(value)
    if not is_id(text):
        raise _BadValueError(
            f"{shown(text)} can't be an ID: at most 128 letters, digits, '_', '-', '.', ':'"
        )
    return text


def _scope(value: object) -> str:
    text = _line(value)
    name = project_name(text)
    if text == GLOBAL or (name is not None and check_key(name) is None):
        return text
    if is_place(text) and _PLACE.fullmatch(text):
        return text
    raise _BadValueError(f"{shown(text)} is not a scope: 'global', or 'project:NAME'")


def _count(least: int) -> Callable[[object], int]:
    def read(value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool):
            raise _BadValueError(f"it has to be a whole number, and is {_word_for(value)}")
        if not least <= value <= MAX_COUNT:
            raise _BadValueError(f"it has to be a number from {least} up to {MAX_COUNT}")
        return value

    return read


def _share(value: object) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise _BadValueError(f"it has to be a number, and is {_word_for(value)}")
    if not 0 <= value <= 1:
        raise _BadValueError("it has to be a number from 0 to 1")
    return float(value)


def _rank(value: object) -> int:
    rank = _RANKS.get(value) if isinstance(value, str) else None
    if rank is None:
        raise _BadValueError(f"it has to be one of: {', '.join(_RANKS)}")
    return rank


def _tags(value: object) -> tuple[str, ...]:
    if not isinstance(value, list | tuple):
        raise _BadValueError(f"it has to be a list of words, and is {_word_for(value)}")
    if len(value) > _MAX_TAGS:
        raise _BadValueError(f"it has {len(value):,} words; at most {_MAX_TAGS:,} are allowed")
    return tuple(_name(one) for one in value)


def _data(value: object) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise _BadValueError(f"it has to be an object, and is {_word_for(value)}")
    return _json(value, _MAX_DEPTH)


def _json(value: object, depth: int) -> Any:
    if depth == 0:
        raise _BadValueError(f"it is nested more than {_MAX_DEPTH} deep")
    if isinstance(value, Mapping):
        return {_text(name): _json(one, depth - 1) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_json(one, depth - 1) for one in value]
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, float) and not math.isfinite(value):
        raise _BadValueError("it holds a number that is none (NaN, or infinite)")
    if isinstance(value, int) and abs(value) > MAX_COUNT:
        raise _BadValueError("it holds a number that is too large")
    if value is not None and not isinstance(value, bool | int | float):
        raise _BadValueError(f"it holds {_word_for(value)}")
    return value


def _word_for(value: object) -> str:
    for kinds, word in _WORDS:
        if isinstance(value, kinds):
            return word
    return "something else"


_WORDS: tuple[tuple[type | tuple[type, ...], str], ...] = (
    (bool, "true or false"),
    ((int, float), "a number"),
    (str, "text"),
    ((list, tuple), "a list"),
    (Mapping, "an object"),
    (type(None), "null"),
)
_READERS: Mapping[str, Callable[[object], Any]] = {
    "id": _id,
    "text": _text,
    "kind": _name,
    "scope": _scope,
    "key": _line,
    "tags": _tags,
    "data": _data,
    "trust": _rank,
    "confidence": _share,
    "created_at": read_time,
    "updated_at": read_time,
    "valid_from": read_time,
    "valid_to": read_time,
    "superseded_by": _id,
    "source_run": _name,
    "source_message": _name,
    "accesses": _count(0),
    "accessed_at": read_time,
    "revision": _count(1),
}

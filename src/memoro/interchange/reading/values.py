"""Values as they should be, out of what another tool wrote."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memoro.interchange.formats import Clock


_EARLIEST = datetime(1971, 1, 1, tzinfo=UTC)
"""Before that a time is none: zero, or a clock that was never set."""
_AHEAD = timedelta(days=1)
"""How far another machine's clock may be ahead."""
_MILLISECONDS = 1e11
"""A timestamp beyond this counts milliseconds."""
_MOST_KEPT_BYTES = 4_096


def fields_of(value: object) -> Mapping[str, object]:
    """An object's fields; none where it is no object."""
    return {str(name): one for name, one in value.items()} if isinstance(value, dict) else {}


def text_in(fields: Mapping[str, object], *names: str) -> str:
    """The first of these fields that is text and not empty; "" where none is."""
    for name in names:
        value = fields.get(name)
        if isinstance(value, str) and value.strip():
            return value
    return ""


def texts_in(fields: Mapping[str, object], name: str) -> list[str]:
    """A field's texts: a list's, or one on its own."""
    value = fields.get(name)
    listed = value if isinstance(value, list) else [value]
    return [one for one in listed if isinstance(one, str) and one.strip()]


def number_in(fields: Mapping[str, object], name: str) -> float | None:
    """A field that is a number, and a finite one."""
    value = fields.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    # Integers have no bounds, and comparing is all that is safe with those.
    return float(value) if -1e15 < value < 1e15 else None


def count_in(fields: Mapping[str, object], name: str, least: int = 0) -> int:
    """A field that is a count."""
    value = number_in(fields, name)
    return least if value is None else max(least, int(value))


def time_in(fields: Mapping[str, object], clock: Clock, *names: str) -> datetime | None:
    """The first of these fields that is a time, in UTC; one without a zone is UTC already."""
    for name in names:
        at = time_of(fields.get(name), clock)
        if at is not None:
            return at
    return None


def time_of(value: object, clock: Clock) -> datetime | None:
    """A value as a time in UTC: ISO 8601, or seconds since 1970. What can be none (zero, or in the
    time to come) is none."""
    try:
        if isinstance(value, str):
            at = datetime.fromisoformat(value.strip().removesuffix(" UTC"))
        elif isinstance(value, int | float) and not isinstance(value, bool):
            at = datetime.fromtimestamp(value / 1000 if value > _MILLISECONDS else value, UTC)
        else:
            return None
        at = at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return at if _EARLIEST <= at <= clock.now + _AHEAD else None


def kept_aside(fields: Mapping[str, object], names: frozenset[str]) -> dict[str, Any]:
    """The fields of these names, as they were, where they are small enough to be kept."""
    kept = {name: value for name, value in fields.items() if name in names and value}
    try:
        size = len(json.dumps(kept, ensure_ascii=False).encode())
    except (ValueError, RecursionError):
        return {}
    return kept if kept and size <= _MOST_KEPT_BYTES else {}


def word_for(value: object) -> str:
    """What a value is, in a word."""
    if value is None:
        return "missing"
    if isinstance(value, str) and not value.strip():
        return "empty"
    kinds: tuple[tuple[type | tuple[type, ...], str], ...] = (
        (bool, "true or false"),
        ((int, float), "a number"),
        (str, "text"),
        (list, "a list"),
        (dict, "an object"),
    )
    return next((word for kind, word in kinds if isinstance(value, kind)), "something else")

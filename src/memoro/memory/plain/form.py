"""A record as one line of JSON, and back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, NamedTuple

from memoro.memory.plain.checking import Problem, check_record
from memoro.memory.plain.identity import derived_id
from memoro.memory.plain.tidying import tidied
from memoro.memory.plain.values import read_field
from memoro.memory.records import GLOBAL, KINDS, Record, Trust, shown

__all__ = [
    "COUNTERS",
    "Problem",
    "Read",
    "digest_of",
    "digest_of_line",
    "digest_of_value",
    "from_plain",
    "line_of",
    "text_of_value",
    "time_text",
    "to_plain",
]

COUNTERS = frozenset({"accesses", "accessed_at", "revision"})
"""The fields that change by use alone."""

_ORDER = (
    "id",
    "text",
    "kind",
    "scope",
    "key",
    "tags",
    "data",
    "trust",
    "confidence",
    "created_at",
    "updated_at",
    "valid_from",
    "valid_to",
    "superseded_by",
    "source_run",
    "source_message",
    "accesses",
    "accessed_at",
    "revision",
)
_DEFAULTS: Mapping[str, Any] = {**Record._field_defaults, "scope": GLOBAL, "key": None}
_DIGEST_DIGITS = 32
_ENCODER = json.JSONEncoder(ensure_ascii=False)
_BREAKS = str.maketrans(
    {char: f"\\u{ord(char):04x}" for char in ("\x7f", "\x85", "\u2028", "\u2029")}
    | {chr(code): f"\\u{code:04x}" for code in range(0xD800, 0xE000)}
)
"""What some editors take for the end of a line, and what is no text: escaped, so that a record
stays on its line."""


class Read(NamedTuple):
    """A record that was read.

    `unknown` holds the fields that no record has, as they were given. `filled` names those that
    were missing and that every record needs, where they could be filled in (`id`, `created_at`).
    """

    record: Record
    unknown: Mapping[str, object] = {}
    filled: tuple[str, ...] = ()


def to_plain(record: Record, *, counters: bool = True) -> dict[str, object]:
    """A record as JSON values, in a fixed order, without what is as it is by default.

    Args:
        record: the record.
        counters: whether to tell how often it was used, when last, and its revision.
    """
    plain: dict[str, object] = {}
    for name in _ORDER:
        value = getattr(record, name)
        if (name in COUNTERS and not counters) or value == _DEFAULTS.get(name, _NEVER):
            continue
        if name == "updated_at" and value == record.created_at:
            continue
        plain[name] = _plain(name, value)
    return plain


def line_of(record: Record, *, counters: bool = True) -> str:
    """A record as one line of JSON: the same bytes for the same record."""
    return _ENCODER.encode(to_plain(record, counters=counters)).translate(_BREAKS)


def digest_of(record: Record) -> str:
    """What tells whether a record's line, without the counters, is as it was."""
    return digest_of_line(line_of(record, counters=False))


def digest_of_value(value: object) -> str:
    """The same of what was read from a line: equal where the line is untouched."""
    return digest_of_line(text_of_value(value))


def text_of_value(value: object) -> str:
    """JSON values as a line; "" of what is nested absurdly deep."""
    try:
        return _ENCODER.encode(value).translate(_BREAKS)
    except RecursionError:
        return ""


def digest_of_line(line: str) -> str:
    """The same of a line that was made already."""
    return sha256(line.encode()).hexdigest()[:_DIGEST_DIGITS]


def time_text(at: datetime) -> str:
    """A time as plain text: UTC, with no more digits of a second than it needs."""
    text = at.astimezone(UTC).replace(tzinfo=None).isoformat()
    return (text.rstrip("0") if "." in text else text) + "Z"


def from_plain(
    value: object, kind: str | None = None, *, now: datetime | None = None
) -> Read | Problem:
    """Read a record from JSON values, as it says; with `now`, as a person may have written it.

    A time without a zone is UTC. A missing `updated_at` is `created_at`, a missing scope is the
    global one.

    Args:
        value: what the JSON says.
        kind: the kind that it has to be, and is where it doesn't say; None: it has to say.
        now: fills in a missing `created_at`, lets a missing ID be derived, and has the text
            brought into the form of its kind (line ends, spaces); None: both are needed, and the
            text stays as it is.
    """
    if not isinstance(value, Mapping):
        return Problem("", "it is not a JSON object")
    given: dict[str, object] = {str(name): one for name, one in value.items()}
    problem = _check_kind(given, kind)
    if problem is not None:
        return problem
    fields: dict[str, Any] = {}
    for name in _ORDER:
        if given.get(name) is not None:
            found = read_field(name, given[name])
            if isinstance(found, Problem):
                return found
            fields[name] = found
    filled = _fill(fields, kind, now)
    if isinstance(filled, Problem):
        return filled
    record = Record(**fields)
    if now is not None:
        record = tidied(record)
    if "id" in filled:
        record = record._replace(id=derived_id(record))
    unknown = read_field("data", {k: one for k, one in given.items() if k not in _ORDER})
    if isinstance(unknown, Problem):
        return unknown._replace(field="")
    return check_record(record) or Read(record, unknown, filled)


def _check_kind(given: Mapping[str, object], kind: str | None) -> Problem | None:
    said = given.get("kind", kind)
    if not isinstance(said, str) or said not in KINDS:
        return Problem("kind", f"it has to be one of: {', '.join(KINDS)}")
    if kind is not None and said != kind:
        return Problem("kind", f"{shown(said)} does not belong among records of kind {kind!r}")
    return None


def _fill(
    fields: dict[str, Any], kind: str | None, now: datetime | None
) -> tuple[str, ...] | Problem:
    """Add what every record has."""
    missing = tuple(name for name in ("id", "created_at") if name not in fields)
    if missing and now is None:
        return Problem(missing[0], "it is missing")
    fields.setdefault("id", "")
    fields.setdefault("kind", kind)
    fields.setdefault("scope", GLOBAL)
    fields.setdefault("key", None)
    fields.setdefault("text", "")
    fields.setdefault("created_at", fields.get("updated_at", now))
    fields.setdefault("updated_at", fields["created_at"])
    return missing


def _plain(name: str, value: Any) -> object:
    if isinstance(value, datetime):
        return time_text(value)
    if name == "trust":
        return Trust(value).name.lower()
    return _ordered(value) if name == "data" else list(value) if name == "tags" else value


def _ordered(value: Any) -> Any:
    """JSON values with the names of every object sorted: the store keeps no other order."""
    if isinstance(value, Mapping):
        return {name: _ordered(value[name]) for name in sorted(value)}
    if isinstance(value, list | tuple):
        return [_ordered(one) for one in value]
    return value


_NEVER = object()

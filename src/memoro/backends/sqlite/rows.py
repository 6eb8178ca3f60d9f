"""Records and times as rows and JSON, and back."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from memoro.memory.records import Record

MAX_INTEGER = 2**63 - 1
"""The largest that SQLite keeps."""

COLUMNS = ", ".join(Record._fields)
PLACES = ", ".join("?" * len(Record._fields))

_TIMES = frozenset({"created_at", "updated_at", "valid_from", "valid_to", "accessed_at"})


class BadRowError(ValueError):
    """A stored row whose bytes make no sense."""


def to_text(at: datetime) -> str:
    """A time as it is stored: UTC, fixed width, so that text order is time order."""
    return at.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def to_time(text: str) -> datetime:
    """A stored time, in UTC; one without a zone, which only somebody's hand can have put there, is
    taken to be UTC.

    Raises:
        BadRowError: it is none.
    """
    try:
        at = datetime.fromisoformat(text)
        return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
    except (ValueError, TypeError, OverflowError) as error:
        raise BadRowError(f"{text!r} is no time") from error


def to_row(record: Record) -> tuple[Any, ...]:
    """A record as the values of `COLUMNS`."""
    return tuple(_stored(name, value) for name, value in record._asdict().items())


def to_record(row: Sequence[Any]) -> Record:
    """A row of `COLUMNS` as a record.

    Raises:
        BadRowError: a time or a JSON field of it can't be read.
    """
    try:
        return Record(*(loaded(*pair) for pair in zip(Record._fields, row, strict=True)))
    except (ValueError, TypeError) as error:
        raise BadRowError(f"record {row[0]}: {error}") from error


def to_json(record: Record | None) -> str | None:
    """A record as the log keeps it."""
    if record is None:
        return None
    import json

    return json.dumps(dict(zip(Record._fields, to_row(record), strict=True)), ensure_ascii=False)


def from_json(text: str | None) -> Record | None:
    """A record that the log kept; fields that are newer than it get their defaults.

    Raises:
        BadRowError: it can't be read.
    """
    if text is None:
        return None
    import json

    try:
        fields = json.loads(text)
        return Record(
            **{name: loaded(name, fields[name]) for name in Record._fields if name in fields}
        )
    except (ValueError, TypeError) as error:
        raise BadRowError(f"an entry of the log: {error}") from error


def _stored(name: str, value: Any) -> Any:
    if isinstance(value, datetime):
        return to_text(value)
    if name in ("data", "tags"):
        import json

        return json.dumps(value, ensure_ascii=False, sort_keys=True)
    return value


def loaded(name: str, value: Any) -> Any:
    """A field of a record as it is stored, read."""
    if name in _TIMES:
        return None if value is None else to_time(value)
    if name in ("data", "tags"):
        return _parsed(value, () if name == "tags" else {})
    return value


def _parsed(text: str, empty: Any) -> Any:
    # Most are empty, and then the JSON module need not be loaded at all.
    if text in ("{}", "[]"):
        return empty
    import json

    return type(empty)(json.loads(text))

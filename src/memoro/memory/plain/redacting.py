"""What may be shown to others: without what is sensitive, with secrets masked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from memoro.memory.plain.form import Problem, from_plain
from memoro.memory.profile.viewing import is_sensitive_record

_KEPT = frozenset({"id", "record", "record_id", "session", "run", "type", "kind", "scope"})
"""Names and IDs that other lines refer to."""


def redacted(line: Mapping[str, Any], mask: Callable[[str], str]) -> dict[str, Any] | None:
    """A line of an export without what is sensitive; None where nothing of it may be shown."""
    if line.get("type") == "record":
        return None if _is_sensitive(line) else _masked(line, mask)
    if line.get("type") == "change":
        sides = [
            {
                name: value
                for name, value in one.items()
                if not (_hides(one) and name in ("before", "after", "key"))
            }
            for one in line["records"]
        ]
        return _masked({**line, "records": sides}, mask)
    return _masked(line, mask)


def _hides(logged: Mapping[str, Any]) -> bool:
    return any(_is_sensitive(logged[side]) for side in ("before", "after") if side in logged)


def _is_sensitive(plain: Mapping[str, Any]) -> bool:
    found = from_plain({name: value for name, value in plain.items() if name != "type"})
    # What can't be read can't be judged.
    return isinstance(found, Problem) or is_sensitive_record(found.record)


def _masked(value: Mapping[str, Any], mask: Callable[[str], str]) -> dict[str, Any]:
    return {name: one if name in _KEPT else _masked_value(one, mask) for name, one in value.items()}


def _masked_value(value: Any, mask: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return mask(value)
    if isinstance(value, Mapping):
        return _masked(value, mask)
    if isinstance(value, list):
        return [_masked_value(one, mask) for one in value]
    return value

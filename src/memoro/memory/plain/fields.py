"""The fields of a record one by one: which of them two versions differ in, and joining these."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from memoro.memory.records import FACT, Record

_DATA = "data."
GONE = object()
"""The value of a field of `data` that is not there."""

OURS = frozenset(
    {
        "updated_at",
        "superseded_by",
        "source_run",
        "source_message",
        "accesses",
        "accessed_at",
        "revision",
        "data.field",
        "data.said",
    }
)
"""The fields that a person doesn't set; the store's stand."""

_TRIMMINGS = OURS | {
    "tags",
    "trust",
    "confidence",
    "created_at",
    "valid_from",
    "data.beside",
    "data.confirmed_at",
    "data.conflicts",
    "data.facts",
    "data.first_seen",
    "data.held",
    "data.hedged",
    "data.last_active",
    "data.last_seen",
    "data.mentions",
    "data.provenance",
    "data.why",
}
"""The fields that change without the record saying anything else."""


_KEPT = frozenset(
    {
        "data.beside",
        "data.category",
        "data.confirmed_at",
        "data.facts",
        "data.first_seen",
        "data.held",
        "data.imported",
        "data.last_active",
        "data.last_seen",
        "data.mentions",
        "data.name",
        "data.provenance",
        "data.status",
    }
)
"""What a record goes on having where a line leaves it out."""


def edited(written: Record, theirs: Record) -> dict[str, Any]:
    """What a person changed in a line that was written."""
    return {
        name: value
        for name, value in differing(written, theirs).items()
        if value is not GONE or name not in _KEPT
    }


def differing(before: Record, after: Record) -> dict[str, Any]:
    """The fields of `after` that are others than those of `before`, save what is ours."""
    old, new = _flat(before), _flat(after)
    return {
        name: new.get(name, GONE)
        for name in sorted(old.keys() | new.keys())
        if name not in OURS and old.get(name, GONE) != new.get(name, GONE)
    }


def stated(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Those of some fields that were given, and are not as they are by default."""
    defaults = Record._field_defaults
    return {
        name: value
        for name, value in fields.items()
        if value is not GONE and value is not None and value != defaults.get(name, GONE)
    }


def with_fields(record: Record, fields: Mapping[str, Any]) -> Record:
    """A record with these fields as they are given."""
    data = dict(record.data)
    plain: dict[str, Any] = {}
    for name, value in fields.items():
        if not name.startswith(_DATA):
            plain[name] = value
        elif value is GONE:
            data.pop(name.removeprefix(_DATA), None)
        else:
            data[name.removeprefix(_DATA)] = value
    return record._replace(**plain, data=data)


def says_the_same(one: Record, other: Record, given: Iterable[str] = ()) -> bool:
    """Whether two versions have the same substance and tags; `given` names further fields that
    count."""
    old, new = _flat(one), _flat(other)
    counting = {"tags", *given}
    return all(
        old.get(name, GONE) == new.get(name, GONE)
        for name in old.keys() | new.keys()
        if name in counting or (is_substance(name) and name != "data.conflict_of")
    )


def contradicts(
    kind: str, base: Mapping[str, Any], ours: Mapping[str, Any], theirs: Mapping[str, Any]
) -> bool:
    """Whether what the store changed and what a person changed can't both stand in one record.

    Args:
        kind: of the record.
        base: the values, before both, of the fields that both changed.
        ours: what the store has changed.
        theirs: what the person has changed.
    """
    if kind == FACT.name:
        # One sentence is one claim: where it was retired or put away meanwhile, a new wording of
        # it would be retired too.
        if "valid_to" in ours and set(theirs) - _TRIMMINGS <= {"valid_to"}:
            return False
        return bool(set(ours) - _TRIMMINGS) and bool(set(theirs) - _TRIMMINGS)
    both = (set(ours) & set(theirs)) - _TRIMMINGS
    return any(
        ours[name] != theirs[name] and not _are_lists(base.get(name), ours[name], theirs[name])
        for name in both
    )


def united(
    base: Mapping[str, Any], ours: Mapping[str, Any], theirs: Mapping[str, Any]
) -> dict[str, Any]:
    """What a person changed, to be laid over what the store has changed: of lists, what either
    added stays and what either took out goes."""
    return {
        name: _united(base.get(name), ours[name], value)
        if name in ours and _are_lists(base.get(name), ours[name], value)
        else value
        for name, value in theirs.items()
        if not (name == "valid_to" and ours.get(name) is not None and value is not None)
    }


def values(record: Record, names: Iterable[str]) -> dict[str, Any]:
    """The values of these fields."""
    flat = _flat(record)
    return {name: flat.get(name, GONE) for name in names}


def is_substance(name: str) -> bool:
    """Whether a field is part of what a record says."""
    return name not in _TRIMMINGS


def _flat(record: Record) -> dict[str, Any]:
    flat = record._asdict()
    data: Mapping[str, Any] = flat.pop("data")
    del flat["id"], flat["kind"]
    return {**flat, **{_DATA + name: value for name, value in data.items()}}


def _are_lists(*values: Any) -> bool:
    return all(
        isinstance(one, list | tuple) and all(isinstance(each, str) for each in one)
        for one in values
    )


def _united(base: Any, ours: Any, theirs: Any) -> Any:
    gone = (set(base) - set(ours)) | (set(base) - set(theirs))
    kept = [one for one in dict.fromkeys((*ours, *theirs)) if one not in gone]
    return type(ours)(kept)

"""A profile's records: one for each field, and one for each item of a list."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from memoro.memory.profile.fields import FIELDS, LISTS, NAMED, SCALARS, fold_key, item_name
from memoro.memory.profile.wording import fold, stem
from memoro.memory.records import GLOBAL, PROFILE, Record

Order = tuple[int, datetime, str]


def item_key(field: str, identity: str) -> str:
    """The key of an item; what it is about is its identity, or the name that it has."""
    return f"{field}:{identity}"


def named_key(field: str, name: str) -> str:
    """The key of an item that has a name: of the environment or a preference."""
    return item_key(field, fold_key(name))


def unnamed_key(field: str, text: str) -> str:
    """The key of an item that could have a name and has none; no name looks like it."""
    return item_key(field, f"~{stem(text)}")


def directive_key(text: str, workspace: str | None) -> str:
    """The key of a directive: the same words for another workspace are another one."""
    scope = f"[scope:{fold(workspace)}] " if workspace else ""
    return item_key("directives", scope + stem(text))


def record_id(key: str, generation: int = 0) -> str:
    """The ID of the record of a key. What was forgotten for good keeps its ID for ever, so the
    next of that key is of the next generation."""
    told = f"{key}\n{generation}" if generation else key
    return "pr_" + hashlib.sha256(told.encode()).hexdigest()[:20]


def field_of(record: Record) -> str | None:
    """The field that a record belongs to; None where it is none that we know."""
    field = (record.key or "").partition(":")[0]
    return field if field in FIELDS else None


def identity_of(record: Record) -> str:
    """What stands behind the field in an item's key."""
    return (record.key or "").partition(":")[2]


def name_of(record: Record) -> str | None:
    """The folded name of an item of the environment, or of a preference."""
    identity = identity_of(record)
    return identity if field_of(record) in NAMED and not identity.startswith("~") else None


def said_name(record: Record) -> str:
    """The name as it was first said: its spelling tells its words apart."""
    name = record.data.get("name")
    return name if isinstance(name, str) else name_of(record) or ""


def workspace_of(record: Record) -> str | None:
    """The name of the workspace that a directive is for; None: for all."""
    name = record.data.get("workspace")
    return name if isinstance(name, str) and name else None


def label(record: Record) -> str:
    """What messages call a record: its field, and the name of an item that has one."""
    field, name = field_of(record) or "", name_of(record)
    return f"{'env_' if field == 'environment' else ''}{name}" if name else field


def proper_key(record: Record) -> str | None:
    """The key that a record has today, whatever older rules called it; None: it has no place."""
    field, identity = field_of(record), identity_of(record)
    if field is None or not record.text.strip():
        return None
    if field in SCALARS:
        return field
    if field == "directives":
        return directive_key(record.text, workspace_of(record))
    if field not in NAMED:
        return item_key(field, stem(record.text))
    if identity.startswith("~") or not fold_key(identity):
        return unnamed_key(field, record.text)
    # What stands in the environment stays there; a preference may turn out to belong there.
    moved = item_name(identity) if field == "preferences" else (field, fold_key(identity))
    return named_key(*moved)


def in_order(records: Iterable[Record]) -> list[Record]:
    """Items as they were said: an item that was restated keeps its place."""
    return sorted(records, key=order)


def order(record: Record) -> Order:
    """What a list is sorted by."""
    return (position_of(record), record.created_at, record.key or "")


def position_of(record: Record) -> int:
    """An item's place in its list; gaps mean nothing."""
    place = record.data.get("position")
    return place if isinstance(place, int) else 0


def confirmed_at(record: Record) -> datetime:
    """When a record was last confirmed; where that can't be read, when it last changed."""
    told = record.data.get("confirmed_at")
    try:
        at = datetime.fromisoformat(told) if isinstance(told, str) else record.updated_at
    except ValueError:
        return record.updated_at
    return at if at.tzinfo is not None else record.updated_at


def is_list(field: str | None) -> bool:
    """Whether a field has many items."""
    return field in LISTS


def profile_record(key: str, text: str, at: datetime, data: Mapping[str, Any]) -> Record:
    """A new record of a profile."""
    field = key.partition(":")[0]
    told = {"field": field, "confirmed_at": at.isoformat(), **data}
    return Record(record_id(key), PROFILE.name, GLOBAL, key, text, at, at, told, valid_from=at)

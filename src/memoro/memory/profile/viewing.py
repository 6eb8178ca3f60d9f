"""A profile as it is looked at: values with who said them, and how fresh they are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from memoro.memory.profile.directives import counts_in, severity_of
from memoro.memory.profile.entries import (
    confirmed_at,
    field_of,
    in_order,
    name_of,
    said_name,
    workspace_of,
)
from memoro.memory.profile.fields import (
    CERTIFICATIONS,
    DIRECTIVES,
    ENVIRONMENT,
    GOALS,
    MILESTONES,
    NAMED,
    PREFERENCES,
    SCALARS,
    STANCES,
)
from memoro.memory.profile.sensitivity import is_sensitive
from memoro.memory.records import PROFILE, Record, Trust

STALE_AFTER = timedelta(days=120)


class Entry(NamedTuple):
    """A value of a profile. `name` is a field's, or that of an item of the environment or of a
    preference; empty where an item has none. `stale`: not confirmed for 120 days.

    A directive has a `severity` (`hard` or `preference`) and the name of a `workspace`, or None; a
    stance its `reason`; a milestone its `date`, which may be a month.
    """

    field: str
    name: str
    text: str
    source: Trust
    confirmed_at: datetime
    sensitive: bool
    stale: bool
    severity: str | None = None
    workspace: str | None = None
    reason: str | None = None
    date: str | None = None


class Profile(NamedTuple):
    """A profile, each list in its order; milestones by date, what has names by name.

    `directives` are those that count here; `idle` ones are for other workspaces, or nobody who
    may give directives gave them.
    """

    scalars: tuple[Entry, ...] = ()
    goals: tuple[Entry, ...] = ()
    skills: tuple[Entry, ...] = ()
    certifications: tuple[Entry, ...] = ()
    interests: tuple[Entry, ...] = ()
    directives: tuple[Entry, ...] = ()
    idle: tuple[Entry, ...] = ()
    stances: tuple[Entry, ...] = ()
    milestones: tuple[Entry, ...] = ()
    environment: tuple[Entry, ...] = ()
    preferences: tuple[Entry, ...] = ()

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All of them, in the order of the fields."""
        return tuple(entry for group in self for entry in group)


def view(records: Sequence[Record], now: datetime, workspace: str | None = None) -> Profile:
    """Look at a profile. `workspace` is a path: directives for a workspace count where its name is
    a segment of it, in any case."""
    kept = in_order(one for one in records if one.kind == PROFILE.name and field_of(one))
    entries = [_entry(record, now) for record in kept]
    directives = _of(entries, DIRECTIVES)
    here = [one for one in directives if _counts(one, workspace)]
    scalars = {one.field: one for one in entries if one.field in SCALARS}
    return Profile(
        tuple(scalars[field] for field in SCALARS if field in scalars),
        _of(entries, GOALS),
        _of(entries, "skills"),
        _of(entries, CERTIFICATIONS),
        _of(entries, "interests"),
        tuple(here),
        tuple(one for one in directives if one not in here),
        _of(entries, STANCES),
        tuple(sorted(_of(entries, MILESTONES), key=lambda one: one.date or "")),
        _by_name(entries, ENVIRONMENT),
        _by_name(entries, PREFERENCES),
    )


def _counts(directive: Entry, workspace: str | None) -> bool:
    return directive.source >= Trust.APPROVED and counts_in(directive.workspace, workspace)


def _of(entries: Iterable[Entry], field: str) -> tuple[Entry, ...]:
    return tuple(one for one in entries if one.field == field)


def _by_name(entries: Iterable[Entry], field: str) -> tuple[Entry, ...]:
    # What has no name comes last, as it was said.
    return tuple(sorted(_of(entries, field), key=lambda one: (not one.name, one.name)))


def _entry(record: Record, now: datetime) -> Entry:
    field = field_of(record) or ""
    at = confirmed_at(record)
    return Entry(
        field,
        field if field in SCALARS else name_of(record) or "",
        record.text,
        _trust(record.trust),
        at,
        _is_sensitive(record, field),
        # What happened stays true.
        field != MILESTONES and now - at >= STALE_AFTER,
        _told(record, "severity") or (severity_of(record.text) if field == DIRECTIVES else None),
        workspace_of(record),
        _told(record, "reason"),
        _told(record, "date"),
    )


def is_sensitive_record(record: Record) -> bool:
    """Whether a record is an item of the profile that is sensitive."""
    return record.kind == PROFILE.name and _is_sensitive(record, field_of(record) or "")


def _is_sensitive(record: Record, field: str) -> bool:
    marked = record.data.get("sensitive")
    if isinstance(marked, bool):
        return marked
    return field in NAMED and is_sensitive(said_name(record))


def _told(record: Record, name: str) -> str | None:
    value = record.data.get(name)
    return value if isinstance(value, str) and value else None


def _trust(value: int) -> Trust:
    return Trust(min(max(value, Trust.READ), Trust.USER))

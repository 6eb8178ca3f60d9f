"""Whether there is a place for a record that a person wrote."""

from __future__ import annotations

from memoro.memory.places import is_place
from memoro.memory.plain.drafting import Draft
from memoro.memory.plain.form import Problem
from memoro.memory.profile.entries import field_of, is_list
from memoro.memory.profile.saying import MAX_ITEMS
from memoro.memory.records import (
    GLOBAL,
    PLACE,
    PROFILE,
    PROJECT,
    SAVED_FACT,
    TOPIC,
    WORK,
    Record,
    project_name,
    shown,
)
from memoro.memory.saved import MAX_FACTS_PER_SCOPE
from memoro.memory.topics import MAX_TOPICS
from memoro.memory.work import MAX_WORK

_MOST = {
    SAVED_FACT.name: MAX_FACTS_PER_SCOPE,
    TOPIC.name: MAX_TOPICS,
    WORK.name: MAX_WORK,
    PROFILE.name: MAX_ITEMS,
}


def check_scope(draft: Draft, record: Record) -> Problem | None:
    """What is wrong with a scope that the record was not in before; None where nothing is."""
    if record.scope == GLOBAL:
        return None
    name = project_name(record.scope)
    if name is not None:
        known = draft.has_key(PROJECT.name, GLOBAL, name)
        what = f"there is no project {shown(name)}: memoro project add {name} PATH"
    else:
        known = is_place(record.scope) and draft.has_key(PLACE.name, GLOBAL, record.scope)
        what = f"{shown(record.scope)} is no place that is known here"
    return None if known else Problem("scope", what)


def has_room(draft: Draft, record: Record) -> Problem | None:
    """Why a new record doesn't fit among those of its kind; None where it does."""
    most = _MOST.get(record.kind)
    if most is None or (record.kind == PROFILE.name and not is_list(field_of(record))):
        return None
    stored = draft.reader.select(record.kind, record.scope)
    staying = [one for one in stored if one.id not in draft.leaving]
    new = [
        change.after
        for change in draft.changes.values()
        if change.before is None and change.after is not None
    ]
    if sum(_is_beside(one, record) for one in (*staying, *new)) < most:
        return None
    return Problem("", f"there are {most:,} already, and no more are allowed")


def _is_beside(one: Record, record: Record) -> bool:
    """Whether two records share the room of their kind."""
    same = one.kind == record.kind and one.scope == record.scope
    return same and (one.kind != PROFILE.name or field_of(one) == field_of(record))

"""What the files of another machine know and the store doesn't: its projects and folders, and what
was learned in them.

Files that are kept in step between machines would lose it otherwise: what one machine leaves out
when it writes them, the other takes for deleted.
"""

from __future__ import annotations

from memoro.memory.places import is_place
from memoro.memory.plain.drafting import Draft
from memoro.memory.plain.edits import Entry
from memoro.memory.plain.form import Problem
from memoro.memory.plain.identity import derived_id
from memoro.memory.plain.room import check_scope
from memoro.memory.projects import folder
from memoro.memory.records import GLOBAL, PLACE, PROJECT, Record, project_name

GROUNDS = frozenset({PROJECT.name, PLACE.name})
"""The kinds that others lie in."""


def is_from_elsewhere(draft: Draft, entry: Entry) -> bool:
    """Whether an element is a whole record, with its ID, of which the store and the files as they
    were written know nothing."""
    new = entry.base is None and not entry.twin and "id" not in entry.read.filled
    return new and draft.record(entry.read.record.id) is None


def take_ground(draft: Draft, record: Record) -> None:
    """Let a project or a folder of another machine be known here. One of that name that is known
    stays as it is; a project whose folder has another name here comes without it."""
    if draft.was_forgotten(record.id) or draft.holder(record) is not None:
        return
    path = folder(record) if record.kind == PROJECT.name else None
    if path is not None and path in _folders(draft):
        record = record._replace(data={})
    draft.put(record)


def admit(draft: Draft, record: Record) -> Problem | None:
    """Let the scope of a record of another machine be known here: its project by its name, without
    a folder, until it gets one. A folder is known by its scope alone until it is met."""
    problem = check_scope(draft, record)
    if problem is None or is_place(record.scope):
        return None
    name = project_name(record.scope)
    if name is None:
        return problem
    project = project_of(name, record)
    draft.put(project._replace(id=draft.place_for(project)[0]))
    return None


def project_of(name: str, record: Record) -> Record:
    """The project of a record whose own record nobody has: its name, for what it remembers."""
    at = record.created_at
    project = Record("", PROJECT.name, GLOBAL, name, "", at, at)
    return project._replace(id=derived_id(project))


def _folders(draft: Draft) -> set[str | None]:
    stored = draft.reader.select(PROJECT.name, GLOBAL)
    new = [one.after for one in draft.changes.values() if one.before is None]
    return {folder(one) for one in (*stored, *new) if one is not None and one.kind == PROJECT.name}

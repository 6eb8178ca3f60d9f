"""Projects: a name for a folder, under which facts and notes are kept apart."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from memoro.errors import Reason, Refusal
from memoro.memory.records import (
    GLOBAL,
    NOTE,
    PROJECT,
    SAVED_FACT,
    Record,
    project_name,
    project_scope,
    shown,
)
from memoro.memory.saved import check_key
from memoro.memory.store import Change, ChangeSet, Plan, Reader


def folder(project: Record) -> str | None:
    """The folder that a project was added for; None once it was removed."""
    path = project.data.get("path")
    return path if isinstance(path, str) else None


def add(project_id: str, name: str, identity: Mapping[str, Any], at: datetime) -> Plan:
    """Give a folder a name. `identity` is what tells the folder again later; its `path` is needed.

    A name that was removed before, and whose facts were kept, takes its new folder.
    """

    def plan(reader: Reader) -> ChangeSet | Refusal:
        known = reader.select(PROJECT.name, GLOBAL)
        taken = _taken(known, name, identity["path"])
        if taken is not None:
            return taken
        before = next((one for one in known if one.key == name), None)
        if before is not None and folder(before) is not None:
            return Refusal(
                Reason.CONFLICT,
                f"there is already a project {name}, for {folder(before)}; nothing was changed",
                f"to give it another folder: memoro project remove {name}, then add it again"
                " (its facts are kept)",
            )
        if before is None:
            after = Record(project_id, PROJECT.name, GLOBAL, name, "", at, at, data=dict(identity))
        else:
            after = before._replace(
                data=dict(identity), updated_at=at, revision=before.revision + 1
            )
        return ChangeSet("project add", [Change(before, after)])

    refusal = check_key(name, "project name", "website")
    return plan if refusal is None else lambda _: refusal


def remove(name: str, at: datetime) -> Plan:
    """Let go of a project's folder. While it still has facts or notes, its name stays for them."""

    def plan(reader: Reader) -> ChangeSet | Refusal:
        found = reader.select(PROJECT.name, GLOBAL, key=name)
        if not found:
            return missing(name)
        before = found[0]
        if not _remembers(reader, name):
            return ChangeSet("project remove", [Change(before, None)])
        if folder(before) is None:
            return Refusal(
                Reason.CONFLICT,
                f"project {name} has no folder already; its name stays for what it remembers",
                f"memoro memory list --project {name}",
            )
        after = before._replace(data={}, updated_at=at, revision=before.revision + 1)
        return ChangeSet("project remove", [Change(before, after)])

    return plan


def check_undo(reader: Reader, changes: Sequence[Change]) -> Refusal | None:
    """Refuse changes that would hide what a project remembers, or give one folder two names."""
    leaving = {change.subject.id for change in changes if change.after is None}
    coming = {
        change.after.key
        for change in changes
        if change.after is not None and change.after.kind == PROJECT.name
    }
    for change in changes:
        if change.subject.kind == PROJECT.name:
            refusal = _check_project(reader, change, leaving)
        elif project_name(change.subject.scope) in coming:
            refusal = None
        else:
            refusal = _check_member(reader, change)
        if refusal is not None:
            return refusal
    return None


def _check_project(reader: Reader, change: Change, leaving: Collection[str]) -> Refusal | None:
    name = change.subject.key or ""
    if change.after is not None:
        path = folder(change.after)
        known = reader.select(PROJECT.name, GLOBAL)
        return None if path is None else _taken(known, name, path)
    if _remembers(reader, name, leaving):
        return Refusal(
            Reason.CONFLICT,
            f"project {name} has facts or notes, which its name stays for; nothing was changed",
            f"to let go of its folder: memoro project remove {name}",
        )
    return None


def _check_member(reader: Reader, change: Change) -> Refusal | None:
    name = project_name(change.subject.scope)
    if name is None or change.after is None or reader.select(PROJECT.name, GLOBAL, key=name):
        return None
    return Refusal(
        Reason.CONFLICT,
        f"project {name}, which it belongs to, was removed; nothing was changed",
        f"memoro project add {name} PATH",
    )


def _taken(known: Sequence[Record], name: str, path: str) -> Refusal | None:
    other = next((one for one in known if folder(one) == path and one.key != name), None)
    if other is None:
        return None
    return Refusal(
        Reason.CONFLICT, f"{path} is the project {other.key} already; nothing was changed"
    )


def _remembers(reader: Reader, name: str, leaving: Collection[str] = ()) -> bool:
    scope = project_scope(name)
    return any(
        record.id not in leaving
        for kind in (SAVED_FACT, NOTE)
        for record in reader.select(kind.name, scope)
    )


def missing(name: str) -> Refusal:
    """The refusal for a name that no project has."""
    told = "NAME" if check_key(name, "project name", "website") else name
    return Refusal(
        Reason.NOT_FOUND,
        f"there is no project {shown(name)}",
        f"memoro project add {told} PATH, or see memoro project list",
    )

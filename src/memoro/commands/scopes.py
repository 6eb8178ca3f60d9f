"""Which scope a call means, what its facts may take, and who makes its changes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from memoro.commands.registry import Caller
from memoro.errors import SettingsError
from memoro.memory.records import (
    GLOBAL,
    PROJECT,
    SAVED_FACT,
    Record,
    in_scope,
    project_scope,
)

if TYPE_CHECKING:
    from memoro.commands.services import Services
    from memoro.errors import Refusal
    from memoro.memory.store import Origin


def origin(services: Services, caller: Caller) -> Origin:
    """The origin of a change that this caller makes now."""
    from memoro.memory.store import Origin

    return Origin(caller.writer, services.now(), caller.run, caller.message, caller.tool_call)


def named_scope(services: Services, arguments: Mapping[str, Any], caller: Caller) -> str | Refusal:
    """The scope of a memory command: the run's for a model; else the project that was named, or
    the global one. The folder we are in never counts here."""
    if caller.surface == "tool":
        return caller.scope
    name = arguments.get("project")
    if name is None:
        return GLOBAL
    return project_scope(name) if find_project(services, name) else _missing(name)


def _missing(name: str) -> Refusal:
    from memoro.memory.projects import missing

    return missing(name)


def facts_budget(services: Services, scope: str) -> int:
    """How many bytes of a prompt the saved facts of a scope may take."""
    from memoro.memory.saved import PROJECT_FACTS_BYTES

    return services.context().facts_bytes if scope == GLOBAL else PROJECT_FACTS_BYTES


def over_budget(services: Services, scope: str) -> tuple[str, ...]:
    """What to tell a person whose saved facts are over that budget. The change is made by then, so
    a setting that can't be read is told too, not raised."""
    from memoro.memory.saved import snapshot_bytes

    try:
        budget = facts_budget(services, scope)
    except SettingsError as error:
        return (error.what,)
    size = snapshot_bytes(services.store.select(SAVED_FACT.name, scope))
    if size <= budget:
        return ()
    return (
        f"the saved facts{in_scope(scope)} now take {size:,} bytes of a prompt and the"
        f" budget is {budget:,}: chats will refuse to start until some are forgotten or shortened"
        + (f", or MEMORO_FACTS_BYTES is raised to {size}" if scope == GLOBAL else ""),
    )


def find_project(services: Services, name: str) -> Record | None:
    """The project of that name."""
    found = services.store.select(PROJECT.name, GLOBAL, key=name)
    return found[0] if found else None


def missing_folder(project: Record) -> str | None:
    """The words for a project whose folder is gone, None where it is there."""
    path = project.data.get("path")
    if path is None:
        return f"project {project.key} has no folder any more; what it remembers is kept"
    if not os.path.isdir(path):
        return f"the folder of project {project.key}, {path}, is missing; its facts are kept"
    return None


def chat_scope(
    services: Services, arguments: Mapping[str, Any]
) -> tuple[str, tuple[str, ...]] | Refusal:
    """The scope of a chat, and what to tell about it: the project that was named, else the one
    whose folder we are in, else the global one."""
    if arguments.get("no_project"):
        return GLOBAL, ()
    name = arguments.get("project")
    if name is not None:
        project = find_project(services, name)
        if project is None:
            return _missing(name)
        gone = missing_folder(project)
        return project_scope(name), (gone,) if gone else ()
    known = [one for one in services.store.select(PROJECT.name, GLOBAL) if one.data.get("path")]
    if not known:
        return GLOBAL, ()
    match = services.match_project([(one.key or "", one.data) for one in known])
    if match.ambiguous:
        names = ", ".join(match.ambiguous)
        told = f"this folder could be any of the projects {names}: none was taken (--project NAME)"
        return GLOBAL, (told,)
    if match.name is None:
        return GLOBAL, ()
    known_by = "its folder" if match.how == "path" else f"its git {match.how}"
    told = (f"project {match.name}, known by {known_by}",)
    return project_scope(match.name), told

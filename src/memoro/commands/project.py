"""`memoro project`: names for folders."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from memoro.commands.registry import (
    Caller,
    Command,
    Done,
    Group,
    Param,
    Result,
    Table,
    Text,
)
from memoro.commands.scopes import missing_folder, origin
from memoro.commands.services import Services
from memoro.errors import Reason, Refusal
from memoro.memory import projects
from memoro.memory.records import GLOBAL, NOTE, PROJECT, SAVED_FACT, is_unicode, project_scope


def add_project(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Give a folder a name."""
    path = os.path.expanduser(arguments.get("path") or ".")
    if not os.path.isabs(path):
        path = os.path.normpath(os.path.join(services.places().folder, path))
    if not os.path.isdir(path):
        return Refusal(Reason.NOT_FOUND, f"{path} is not a folder; nothing was changed")
    identity = services.identify(path)
    if not is_unicode(identity["path"]):
        return Refusal(
            Reason.USAGE, f"the name of the folder {path} is not UTF-8 text; nothing was changed"
        )
    name = arguments["name"]
    plan = projects.add(services.new_id("p"), name, identity, services.now())
    applied = services.store.apply(plan, origin(services, caller))
    if isinstance(applied, Refusal):
        return applied
    return Done(
        {"name": name, "path": identity["path"], "change": applied.change},
        Text(
            f"Project {name} is {identity['path']}. Chats there see its facts;"
            f" save one: memoro memory remember --project {name} KEY VALUE"
        ),
    )


def list_projects(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Show the projects."""
    found = services.store.select(PROJECT.name, GLOBAL)
    data = [
        {
            "name": one.key,
            "path": projects.folder(one),
            "missing": projects.folder(one) is not None and missing_folder(one) is not None,
            "facts": len(services.store.select(SAVED_FACT.name, project_scope(one.key or ""))),
            "notes": len(services.store.select(NOTE.name, project_scope(one.key or ""))),
        }
        for one in found
    ]
    rows = [
        (
            str(one["name"]),
            f"{one['path'] or '-'}{' (missing)' if one['missing'] else ''}",
            str(one["facts"]),
            str(one["notes"]),
        )
        for one in data
    ]
    empty = "No projects yet. Add the folder you are in: memoro project add NAME"
    return Done(data, Table(("name", "folder", "facts", "notes"), rows, empty))


def remove_project(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Let go of a project's folder."""
    name = arguments["name"]
    plan = projects.remove(name, services.now())
    applied = services.store.apply(plan, origin(services, caller))
    if isinstance(applied, Refusal):
        return applied
    kept = bool(applied.records)
    told = f" What it remembers is kept: memoro memory list --project {name}" if kept else ""
    return Done(
        {"name": name, "kept": kept, "change": applied.change},
        Text(f"Removed project {name}; its folder was not touched.{told}"),
    )


_NAME = Param("name", "the project's name")

GROUP = Group(
    "project",
    "names for folders, so that facts can belong to one",
    (
        Command(
            "project",
            "add",
            "give a folder a name",
            add_project,
            "write",
            (
                _NAME,
                Param(
                    "path",
                    "the folder; the current one by default",
                    required=False,
                    positional=True,
                ),
            ),
        ),
        Command("project", "list", "show the projects", list_projects, "read"),
        Command(
            "project",
            "remove",
            "let go of a project's folder; its facts are kept",
            remove_project,
            "write",
            (_NAME,),
        ),
    ),
)

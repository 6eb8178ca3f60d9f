"""Where something is learned: the project or folder that a statement belongs to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from memoro.commands.registry import Caller
from memoro.commands.scopes import find_project, origin
from memoro.errors import Refusal
from memoro.memory.records import (
    GLOBAL,
    PLACE,
    PROJECT,
    Record,
    is_unicode,
    project_name,
    project_scope,
)

if TYPE_CHECKING:
    from memoro.commands.ports import Workspace
    from memoro.commands.services import Services

PERSONAL = frozenset({"preference", "personal"})
"""Categories that speak of the person, wherever they are said."""

OF_A_PROJECT = frozenset({"project", "architecture"})
"""Categories that speak of the work at hand: naming one makes any folder a place of its own."""


class Ground(NamedTuple):
    """Where we are: the `scope` of what is learned here, the folder's path, the record of a place
    that is not kept yet (or has moved), and the branch."""

    scope: str
    path: str | None = None
    place: tuple[Record | None, Record] | None = None
    branch: str | None = None


def here(services: Services, *, unmarked: bool = False) -> Ground:
    """The ground under the current folder: a registered project, else the workspace it lies in;
    global where there is neither, unless `unmarked` folders count too."""
    projects = [one for one in services.store.select(PROJECT.name, GLOBAL) if one.data.get("path")]
    match = services.match_project([(one.key or "", one.data) for one in projects])
    workspace = services.learned.workspace()
    if match.name is not None:
        scope = project_ground(services, match.name)
        return Ground(scope, workspace.root, branch=workspace.branch())
    if not workspace.marked and not (unmarked and workspace.root != workspace.user_home):
        return Ground(GLOBAL, workspace.root)
    return _place(services, workspace)


def _place(services: Services, workspace: Workspace) -> Ground:
    from memoro.memory.places import find_place, place_record, seen_at

    identity = services.identify(workspace.root)
    if not is_unicode(identity["path"]):
        return Ground(GLOBAL)
    known = services.store.select(PLACE.name, GLOBAL)
    found = find_place(identity, known, workspace.has_commits)
    if found is None:
        made = place_record(identity, services.now(), known)
        return Ground(made.key or "", workspace.root, (None, made), workspace.branch())
    moved = seen_at(found, identity, services.now())
    change = None if moved is None else (found, moved)
    return Ground(found.key or "", workspace.root, change, workspace.branch())


def project_ground(services: Services, name: str) -> str:
    """The scope of what is learned for a project: what was learned in its folder before it had a
    name stays together with what comes after."""
    from memoro.memory.places import place_of

    project = find_project(services, name)
    place = project and place_of(project, services.store.select(PLACE.name, GLOBAL))
    return project_scope(name) if place is None else place.key or ""


def ground_of(
    services: Services, arguments: Mapping[str, Any], caller: Caller, category: str, *, said: bool
) -> Ground | Refusal:
    """Where a statement of that category belongs; `said` that its category was named."""
    name = arguments.get("project")
    if name is not None:
        if find_project(services, name) is None:
            from memoro.memory.projects import missing

            return missing(name)
        return Ground(project_ground(services, name))
    if caller.surface == "tool" and caller.scope != GLOBAL:
        scope = project_ground(services, project_name(caller.scope) or "")
        return here(services)._replace(scope=scope, place=None)
    if arguments.get("everywhere") or category in PERSONAL:
        return Ground(GLOBAL)
    return here(services, unmarked=said and category in OF_A_PROJECT)


def visible_scopes(
    services: Services, arguments: Mapping[str, Any], caller: Caller
) -> list[str] | Refusal | None:
    """The scopes whose memory is meant: all of them (None) with `--all`; else the global one and
    the project that was named, or the one we are in."""
    if arguments.get("all"):
        return None
    name = arguments.get("project")
    if name is not None:
        if find_project(services, name) is None:
            from memoro.memory.projects import missing

            return missing(name)
        return [project_ground(services, name)]
    scope = caller.scope if caller.surface == "tool" else GLOBAL
    if scope != GLOBAL:
        scope = project_ground(services, project_name(scope) or "")
    else:
        scope = here(services, unmarked=True).scope
    return [GLOBAL] if scope == GLOBAL else [GLOBAL, scope]


def keep_place(services: Services, ground: Ground, caller: Caller) -> None:
    """Keep the record of a place before the first thing that is learned there."""
    if ground.place is None:
        return
    from memoro.memory.places import keep

    # A refusal says that another process has kept it meanwhile.
    services.store.apply(keep(*ground.place), origin(services, caller))


class Labels:
    """Says where something was learned, for what was learned elsewhere."""

    def __init__(self, services: Services, scopes: list[str] | None) -> None:
        self._home = services.learned.workspace().user_home
        self._near = set(scopes or [GLOBAL, here(services, unmarked=True).scope])
        self._places = {one.key or "": one for one in services.store.select(PLACE.name, GLOBAL)}
        self._projects = {one.key or "": one for one in services.store.select(PROJECT.name, GLOBAL)}

    def of(self, scope: str) -> str:
        """The words for a scope that we are not in, as "(from: ~/path)"; none for where we are."""
        if scope in self._near or scope == GLOBAL:
            return ""
        return self.anywhere(scope)

    def path(self, text: str) -> str:
        """A path as it is shown; any other text as it is."""
        from memoro.memory.places import home_path

        return home_path(text, self._home) if text.startswith("/") else text

    def anywhere(self, scope: str) -> str:
        """The words for a scope, wherever we are."""
        if scope == GLOBAL:
            return ""
        from memoro.memory.places import label

        return f"({label(scope, self._places, self._projects, self._home)})"

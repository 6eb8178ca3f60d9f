"""Where what is imported belongs: the project that was named, or the folder it was learned in."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from memoro.commands.learned.ground import project_ground
from memoro.memory.places import find_place, place_record
from memoro.memory.records import (
    DAILY,
    EPISODE,
    FACT,
    GLOBAL,
    NOTE,
    PLACE,
    PROJECT,
    SAVED_FACT,
    Record,
    project_scope,
)

if TYPE_CHECKING:
    from memoro.commands.services import Services

_OF_A_GROUND = frozenset({FACT.name, EPISODE.name, DAILY.name})
"""Kinds that belong to a project or to a folder that is none."""
_OF_A_PROJECT = frozenset({SAVED_FACT.name, NOTE.name})
"""Kinds that belong to a registered project, or to none."""


class Grounds:
    """Finds the scopes of records. `new` are the places that are met for the first time,
    `elsewhere` counts what was learned in folders that are not here."""

    def __init__(self, services: Services, project: str | None) -> None:
        self._services = services
        self._project = project
        self._ground = None if project is None else project_ground(services, project)
        registered = services.store.select(PROJECT.name, GLOBAL)
        self._registered = [(one.key or "", one.data) for one in registered if one.data.get("path")]
        self._known = services.store.select(PLACE.name, GLOBAL)
        self._found: dict[str, tuple[str, str | None]] = {}
        self.new: list[Record] = []
        self.elsewhere: dict[str, int] = {}

    def placed(self, record: Record) -> Record:
        """A record in the scope that it belongs to."""
        if record.kind in _OF_A_GROUND:
            return record._replace(scope=self._of(record)[0])
        if record.kind in _OF_A_PROJECT:
            project = self._project or self._of(record)[1]
            return record._replace(scope=GLOBAL if project is None else project_scope(project))
        return record

    def _of(self, record: Record) -> tuple[str, str | None]:
        """The scope of the folder that a record was learned in, and its project."""
        if self._ground is not None:
            return self._ground, self._project
        path = record.data.get("path")
        if not isinstance(path, str) or not path:
            return GLOBAL, None
        if path not in self._found:
            self._found[path] = self._looked_up(path)
        found = self._found[path]
        if found[0] != GLOBAL and found[1] is None and not os.path.isdir(path):
            self.elsewhere[path] = self.elsewhere.get(path, 0) + 1
        return found

    def _looked_up(self, path: str) -> tuple[str, str | None]:
        importing = self._services.importing
        name = importing.project_of(self._registered, path) if self._registered else None
        if name is not None:
            return project_ground(self._services, name), name
        identity = importing.place_of(path)
        if identity is None:
            return GLOBAL, None
        known = find_place(identity, [*self._known, *self.new])
        if known is None:
            known = place_record(identity, self._services.now(), [*self._known, *self.new])
            self.new.append(known)
        return known.key or GLOBAL, None

"""Bringing memory in, for a Python program."""

from __future__ import annotations

import os
from typing import Any

from memoro.app import App
from memoro.commands import catalogue
from memoro.commands.registry import Caller, Done
from memoro.errors import Refusal, RefusedError


class ImportedMemory:
    """What other tools remember, brought in."""

    _app: App

    def import_from(
        self,
        path: str | os.PathLike[str],
        *,
        kind: str | None = None,
        project: str | None = None,
        dry_run: bool = False,
        as_mine: bool = False,
        bring_back: bool = False,
        partial: bool = False,
    ) -> dict[str, Any]:
        """Bring in what is at a path, as one change that `undo` takes back.

        Nothing that is here gives way to it. What came of it is counted in `counts`, by kinds;
        `left_out` has the reasons for what did not come, and `change` is the ID in the log, None
        where nothing was new.

        Args:
            path: a file or folder of another tool, or an export.
            kind: what it is, where that can't be seen: "chatcli", "claude-code", "mem0" …
            project: the project that all of it belongs to.
            dry_run: say what would come, and change nothing.
            as_mine: of an export: with the ranks that its records have there.
            bring_back: of an export: also what was forgotten here, or says something else here.
            partial: of an export: what is there of one that is not whole.

        Raises:
            RefusedError: nothing is there, it can't be read, or it is of no kind that is known or
                of several; it is an export that is not whole, or that a newer Memoro wrote.
        """
        group = catalogue.group("import")
        assert group is not None, "import is in the catalogue"
        arguments = {
            "path": os.fspath(path),
            "from": kind,
            "project": project,
            "dry_run": dry_run,
            "as_mine": as_mine,
            "bring_back": bring_back,
            "partial": partial,
        }
        services = self._app.services(writes=True)
        result = group.commands[0].handler(services, arguments, Caller(writer="library"))
        if isinstance(result, Refusal):
            raise RefusedError(result)
        assert isinstance(result, Done), "an import waits for no model"
        return result.data

"""Taking memory elsewhere, for a Python program."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from memoro.app import App
from memoro.commands import catalogue
from memoro.commands.registry import Caller, Done
from memoro.errors import Refusal, RefusedError


class ExportedMemory:
    """What is remembered, written to a file."""

    _app: App

    def export_to(
        self,
        path: str | os.PathLike[str],
        *,
        kinds: Sequence[str] | None = None,
        since: str | None = None,
        project: str | None = None,
        redact: bool = False,
        replace: bool = False,
    ) -> dict[str, Any]:
        """Write all that is remembered, with its history, as JSON Lines: `import_from` brings it
        back as it was. The file is there as a whole, for its owner alone to read, or not at all.

        `bytes` of the result says how many it has, `lines` how many of each type.

        Args:
            path: the file; it is packed where its name ends in ".gz".
            kinds: just records of these kinds ("fact", "note" …), with their history.
            since: just what changed since then: a date, or words for one ("last week").
            project: just what belongs to that project; "global": to none.
            redact: leave out what is sensitive, wherever it is repeated, and mask secrets.
            replace: write over the file, if there is one.

        Raises:
            RefusedError: the file is there already or can't be written; there is no such kind or
                project; `since` is no date.
        """
        group = catalogue.group("export")
        assert group is not None, "export is in the catalogue"
        arguments = {
            "out": os.fspath(path),
            "kind": None if kinds is None else list(kinds),
            "since": since,
            "project": project,
            "redact": redact,
            "force": replace,
        }
        services = self._app.services(writes=True)
        result = group.commands[0].handler(services, arguments, Caller(writer="library"))
        if isinstance(result, Refusal):
            raise RefusedError(result)
        assert isinstance(result, Done), "an export waits for no model"
        return result.data

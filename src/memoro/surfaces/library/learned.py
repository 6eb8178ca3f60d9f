"""Learned memory for a Python program: the commands under `memoro memory`, as methods."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from memoro.app import App
from memoro.commands import catalogue
from memoro.commands.registry import Caller, Done
from memoro.errors import Refusal, RefusedError

Data = dict[str, Any]
"""What a command gives to programs; the reference lists the fields of each."""


class LearnedMemory:
    """What is learned. A program stands in no folder: without `project`, things are global.

    Every method raises `RefusedError` where the command of its name would refuse.
    """

    _app: App

    def learn(
        self,
        text: str,
        *,
        category: str | None = None,
        tags: Sequence[str] = (),
        project: str | None = None,
        replaces: str | None = None,
    ) -> Data:
        """Tell something that is to be known; `replaces` is the ID of the fact that it corrects.

        What came of it stands in `action`: "learn", "learn again", "update" or "set aside".
        """
        return self._call(
            "learn",
            text=text,
            category=category,
            tag=list(tags),
            project=project,
            replaces=replaces,
            everywhere=project is None,
        )

    def learned(
        self,
        category: str | None = None,
        *,
        project: str | None = None,
        archived: bool = False,
        past: bool = False,
        as_of: str | None = None,
        limit: int | None = None,
    ) -> list[Data]:
        """The learned facts of all projects or of one, the strongest first; with `archived` and
        `past` those that are not current."""
        return self._call(
            "facts",
            category=category,
            project=project,
            all=project is None,
            archived=archived,
            past=past,
            as_of=as_of,
            limit=limit,
        )

    def why(self, fact_id: str) -> Data:
        """Where a fact comes from, when it was used, and whether it still holds."""
        return self._call("why", id=fact_id)

    def history(self, name: str, *, project: str | None = None) -> list[Data]:
        """What happened to a key, or to the ID of anything."""
        return self._call("history", key=name, project=project)

    def restore(self, fact_id: str) -> Data:
        """Bring a fact back from the archive, or from the past."""
        return self._call("restore", id=fact_id)

    def compact(self) -> Data:
        """Put faded facts into the archive."""
        return self._call("compact")

    def profile(self) -> Data:
        """Who the user is, as far as it is known."""
        return self._call("profile")

    def set_profile(self, fields: Mapping[str, Any]) -> Data:
        """Change the profile: `{"name": "Ana", "goals_add": "Learn Rust"}`."""
        return self._call("profile set", fields=dict(fields))

    def topics(self) -> list[Data]:
        """What is talked about, the most topical first."""
        return self._call("topics")

    def mention(self, name: str, summary: str = "", *, facts: Sequence[str] = ()) -> Data:
        """Note that a topic came up, with the IDs of facts learned with it."""
        return self._call("topic", name=name, summary=summary or None, fact=list(facts))

    def projects(self) -> list[Data]:
        """What the user works on."""
        return self._call("projects")

    def work(
        self,
        name: str,
        description: str = "",
        *,
        path: str | None = None,
        technologies: Sequence[str] = (),
        status: str | None = None,
    ) -> Data:
        """Say what the user works on; `status` is active, paused or completed."""
        return self._call(
            "work",
            name=name,
            description=description or None,
            path=path,
            technology=list(technologies),
            status=status,
        )

    def stats(self) -> Data:
        """What Memoro was used for."""
        return self._call("stats")

    def episode(
        self,
        summary: str,
        *,
        outcome: str = "",
        refs: Sequence[str] = (),
        day: date | str | None = None,
        project: str | None = None,
    ) -> Data:
        """Keep a finished piece of work; `day` is today where it is left out."""
        return self._call(
            "episode",
            summary=summary,
            outcome=outcome or None,
            ref=list(refs),
            date=None if day is None else str(day),
            project=project,
            everywhere=True,
        )

    def timeline(
        self,
        query: str = "",
        *,
        since: date | str | None = None,
        until: date | str | None = None,
        project: str | None = None,
        limit: int | None = None,
        as_of: date | str | None = None,
    ) -> list[Data]:
        """What was done, oldest first; dates may be expressions, also within the query."""
        bounds = {"from": since, "to": until, "as_of": as_of}
        given = {name: None if value is None else str(value) for name, value in bounds.items()}
        return self._call("timeline", query=query or None, project=project, limit=limit, **given)

    def jot(self, text: str, *, day: date | str | None = None) -> Data:
        """Add a line to a day's notes."""
        date_text = None if day is None else str(day)
        return self._call("jot", text=text, date=date_text, everywhere=True)

    def day(self, day: date | str, *, project: str | None = None) -> Data:
        """What is kept of a day, or of any time that a date expression names."""
        return self._call("day", date=str(day), project=project, all=project is None)

    def neighbors(self, subject: str, *, limit: int | None = None) -> Data:
        """What a subject is linked with: a name, an ID, or words."""
        return self._call("neighbors", subject=subject, limit=limit)

    def map(self) -> Data:
        """How much is known of what, and the hubs."""
        return self._call("map")

    def inbox(self) -> list[Data]:
        """What waits for the user's word."""
        return self._call("inbox")

    def accept(self, *ids: str) -> list[Data]:
        """Accept what waits in the inbox."""
        return self._call("accept", id=list(ids))

    def reject(self, *ids: str) -> list[Data]:
        """Reject what waits in the inbox."""
        return self._call("reject", id=list(ids))

    def _call(self, verb: str, /, **arguments: Any) -> Any:
        group = catalogue.group("memory", verb)
        assert group is not None, "memory is in the catalogue"
        command = next(one for one in group.commands if one.name == verb)
        services = self._app.services(writes=command.effect == "write")
        result = command.handler(services, arguments, Caller(writer="library"))
        if isinstance(result, Refusal):
            raise RefusedError(result)
        assert isinstance(result, Done), "no command of memory waits for a model"
        return result.data

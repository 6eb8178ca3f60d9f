"""What commands of learned memory reach the outside through.

Each function is one field of `memoro.commands.ports.Learning`, by its name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Literal

from memoro.backends.sqlite.store import SqliteStore
from memoro.bootstrap.workspace import find_root, has_marker
from memoro.memory.records import INDEXED

if TYPE_CHECKING:
    from memoro.app import App
    from memoro.commands.ports import Masked
    from memoro.memory.claims import Claim, Seen
    from memoro.memory.graph import Graph
    from memoro.memory.store import MemoryStore
    from memoro.session.usage import Usage


def mode(app: App) -> Literal["auto", "review", "off"]:
    """Whether what a model proposes is kept, waits for review, or is refused."""
    found = app.settings.text("learn")
    assert found in ("auto", "review", "off"), "settings check their choices"
    return found


def max_facts(app: App) -> int:
    """How many current facts a scope may have."""
    return app.settings.number("max_facts")


def mask(app: App, text: str) -> Masked:
    """Take secrets out of a text."""
    from memoro.backends.masking import mask_secrets
    from memoro.commands.ports import Masked

    return Masked(*mask_secrets(text))


class SystemCalendar:
    """`memoro.memory.dates` Calendar in the zone of this process (`TZ`, else the system's)."""

    def day(self, at: datetime) -> date:
        """The local day of an instant."""
        return at.astimezone().date()

    def start(self, day: date) -> datetime:
        """The instant at which a local day begins; where its midnight is skipped, what comes in
        its place."""
        return datetime(day.year, day.month, day.day).astimezone().astimezone(UTC)


def calendar(app: App) -> SystemCalendar:
    """The user's days."""
    return SystemCalendar()


class CurrentWorkspace:
    """`memoro.commands.ports.Workspace` of the folder that we are in."""

    def __init__(self, folder: str, home: str, user_home: str, environ: Mapping[str, str]) -> None:
        self.root: str = find_root(folder, home)
        self.marked: bool = has_marker(self.root, home)
        self.user_home: str = user_home
        self._environ = environ

    def branch(self) -> str | None:
        """The branch that it is on."""
        from memoro.bootstrap.branches import branch_of

        return branch_of(self.root, self._environ)

    def branch_tip(self, branch: str) -> str | None:
        """What to remember of a branch for the day on which it is deleted."""
        from memoro.bootstrap.branches import own_tip

        return own_tip(self.root, branch, self._environ)

    def is_merged(self, branch: str, remembered: str | None) -> bool | None:
        """Whether a branch is merged here."""
        from memoro.bootstrap.branches import is_merged

        return is_merged(self.root, branch, self._environ, remembered)

    def has_commits(self, commits: Sequence[str]) -> bool | None:
        """Whether the repository here holds these commits."""
        from memoro.bootstrap.branches import has_commits

        return has_commits(self.root, commits, self._environ)


def workspace(app: App) -> CurrentWorkspace:
    """The workspace that we are in."""
    settings = app.settings
    return CurrentWorkspace(app.folder(), settings.home, settings.user_home or "", settings.environ)


def look(app: App, found: Sequence[Claim], folder: str | None) -> Sequence[Seen]:
    """Look up what a fact names, where that is cheap and local."""
    from memoro.backends.world import look as looked_up

    return looked_up(tuple(found), folder, app.settings.environ)


def graph(app: App, store: MemoryStore) -> Graph:
    """The graph: from the store's cache, or derived anew where that is switched off."""
    assert isinstance(store, SqliteStore), "there is one kind of store"
    if app.settings.text("memory_graph") == "on":
        from memoro.backends.sqlite.graph import SqliteGraph

        return SqliteGraph(store)
    from memoro.memory.graph import DerivedGraph

    return DerivedGraph(one for kind in sorted(INDEXED) for one in store.select(kind))


def usage(app: App, store: MemoryStore) -> Usage:
    """What Memoro was used for."""
    from memoro.backends.sqlite.usage import SqliteUsage

    assert isinstance(store, SqliteStore), "there is one kind of store"
    return SqliteUsage(store).usage(lambda at: at.astimezone())

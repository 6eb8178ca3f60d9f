"""What an erasing reaches the outside through.

Each function is one field of `memoro.commands.ports.Erasing`, by its name.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from memoro.backends.scanning import Scan
from memoro.backends.scanning import scan as scan_folder
from memoro.backends.sqlite import purging, sweeping
from memoro.backends.sqlite.store import SqliteStore
from memoro.commands.ports import Passage, Passages

if TYPE_CHECKING:
    from memoro.app import App
    from memoro.backends.sqlite.purging import Doomed
    from memoro.commands.ports import Sweeping
    from memoro.memory.records import Record
    from memoro.memory.store import Applied, MemoryStore, Origin


def _own(store: MemoryStore) -> SqliteStore:
    assert isinstance(store, SqliteStore), "there is one kind of store"
    return store


def of_scope(app: App, store: MemoryStore, scope: str, everywhere: bool) -> Doomed:
    """All of a scope."""
    return purging.of_scope(_own(store), scope, everywhere=everywhere)


def of_session(app: App, store: MemoryStore, session: str, everywhere: bool) -> Doomed:
    """A conversation, and what was learned from it."""
    return purging.of_session(_own(store), session, everywhere=everywhere)


def of_all(app: App, store: MemoryStore) -> Doomed:
    """Everything."""
    return purging.of_all(_own(store))


def texts(app: App, store: MemoryStore, doomed: Doomed) -> Iterator[str]:
    """Every text that they hold, or held."""
    return purging.texts_of(_own(store), doomed)


def running(app: App, store: MemoryStore, sessions: Sequence[str]) -> list[str]:
    """Those of these conversations that are going on."""
    return purging.running(_own(store), sessions)


def passages(app: App, store: MemoryStore, erase: Callable[[str], str]) -> Passages:
    """What conversations and notes would say otherwise."""
    from memoro.app.importing import progress
    from memoro.backends.sqlite import redacting

    own = _own(store)
    progress(app, "looking through conversations and notes …")
    with own.guarded():
        spoken = [Passage(*one) for one in redacting.passages(own.connection, erase)]
        found = Passages(spoken, list(redacting.notes(own.connection, erase)))
    progress(app, "")
    return found


def purge(app: App, store: MemoryStore, doomed: Doomed, origin: Origin) -> Applied:
    """Take them out of every file."""
    return purging.purge(_own(store), doomed, origin)


def keepers(app: App, store: MemoryStore, needle: str) -> list[tuple[str, bool]]:
    """What still holds a text by right."""
    return purging.keepers(_own(store), needle)


def scan(app: App, needles: Mapping[str, Sequence[bytes]]) -> Scan:
    """Search all files of the home."""
    from memoro.app.importing import progress
    from memoro.backends.sqlite.paths import StorePaths
    from memoro.backends.sqlite.raw import opened_raw

    database = StorePaths(app.settings.home).database
    # What is shared of the log has numbers of pages, and must not be opened either.
    openers = {database: opened_raw, f"{database}-shm": None}
    return scan_folder(app.settings.home, needles, lambda line: progress(app, line), openers)


def traces(app: App, store: MemoryStore, ids: Collection[str]) -> list[str]:
    """Where records that went still are."""
    from memoro.backends.sqlite import tracing

    return tracing.traces(_own(store), ids)


def logged(app: App, store: MemoryStore) -> Iterator[Record]:
    """What the log still holds of records."""
    return sweeping.logged(_own(store))


def sweep(app: App, store: MemoryStore, wanted: Sweeping, origin: Origin) -> Applied:
    """Put masked records in the place of others."""
    return sweeping.sweep(_own(store), wanted.masked, wanted.cleared, wanted.erases, origin)

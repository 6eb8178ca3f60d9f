"""What an erasing reaches the outside through.

Each function is one field of `memoro.commands.ports.Erasing`, by its name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from memoro.backends.scanning import Scan
from memoro.backends.scanning import scan as scan_folder
from memoro.backends.sqlite import purging
from memoro.backends.sqlite.store import SqliteStore
from memoro.backends.sqlite.sweeping import sweep as sweep_records

if TYPE_CHECKING:
    from memoro.app import App
    from memoro.backends.sqlite.purging import Doomed
    from memoro.memory.records import Record
    from memoro.memory.store import Applied, MemoryStore, Origin


def _own(store: MemoryStore) -> SqliteStore:
    assert isinstance(store, SqliteStore), "there is one kind of store"
    return store


def of_scope(app: App, store: MemoryStore, scope: str, sessions: bool) -> Doomed:
    """All of a scope."""
    return purging.of_scope(_own(store), scope, sessions=sessions)


def of_session(app: App, store: MemoryStore, session: str) -> Doomed:
    """A conversation, and what was learned from it."""
    return purging.of_session(_own(store), session)


def of_all(app: App, store: MemoryStore) -> Doomed:
    """Everything."""
    return purging.of_all(_own(store))


def texts(app: App, store: MemoryStore, doomed: Doomed) -> Iterator[str]:
    """Every text that they hold, or held."""
    return purging.texts_of(_own(store), doomed)


def running(app: App, store: MemoryStore, sessions: Sequence[str]) -> list[str]:
    """Those of these conversations that are going on."""
    return purging.running(_own(store), sessions)


def purge(app: App, store: MemoryStore, doomed: Doomed, origin: Origin) -> Applied:
    """Take them out of every file."""
    return purging.purge(_own(store), doomed, origin)


def keepers(app: App, store: MemoryStore, needle: str) -> list[tuple[str, bool]]:
    """What still holds a text by right."""
    return purging.keepers(_own(store), needle)


def scan(app: App, needles: Mapping[str, Sequence[bytes]]) -> Scan:
    """Search all files of the home."""
    from memoro.app.importing import progress

    return scan_folder(app.settings.home, needles, lambda line: progress(app, line))


def sweep(
    app: App, store: MemoryStore, masked: Sequence[tuple[Record, Record]], origin: Origin
) -> Applied:
    """Put masked records in the place of others."""
    return sweep_records(_own(store), masked, origin)

"""What an export, and its way back, reach the outside through.

Each function is one field of `memoro.commands.ports.Exporting`, by its name.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from memoro.app.importing import progress
from memoro.backends.sqlite.carrying.joining import Terms
from memoro.backends.sqlite.carrying.joining import join as join_lines
from memoro.backends.sqlite.carrying.leaving import Chosen, carried, line_text
from memoro.backends.sqlite.carrying.restoring import is_empty, restore
from memoro.backends.sqlite.store import SqliteStore
from memoro.errors import Reason, Refusal
from memoro.interchange.jsonl.examining import examine as examine_file
from memoro.interchange.jsonl.reading import lines_of
from memoro.interchange.jsonl.writing import write_whole

if TYPE_CHECKING:
    from memoro.app import App
    from memoro.backends.sqlite.carrying.joining import Joined
    from memoro.backends.sqlite.carrying.restoring import Restored
    from memoro.memory.imported import LeftOut
    from memoro.memory.plain.exported import Examined
    from memoro.memory.records import Record
    from memoro.memory.store import MemoryStore, Origin, Plan


def lines(
    app: App,
    store: MemoryStore,
    chosen: Mapping[str, Any],
    kinds: Collection[str],
    seen: Callable[[Record, bool], None] | None,
) -> Iterator[Mapping[str, Any]]:
    """What a store holds."""
    return carried(_sqlite(store), Chosen(**chosen), kinds, seen)


def text(app: App, line: Mapping[str, Any]) -> str:
    """A line as it is written."""
    return line_text(line)


def write(app: App, path: str, texts: Iterable[str], replace: bool) -> Refusal | int:
    """Write a private file as a whole; gives its bytes."""
    path, home = os.path.abspath(path), os.path.realpath(app.settings.home)
    if os.path.realpath(path).startswith(home + os.sep):
        return Refusal(
            Reason.USAGE,
            f"{path} lies in Memoro's own folder; nothing was written",
            "choose a place outside of it with --out",
        )
    return write_whole(path, texts, replace)


def empty(app: App, store: MemoryStore) -> bool:
    """Whether a store holds nothing, and has no past."""
    return is_empty(_sqlite(store))


def examine(app: App, path: str) -> Examined | Refusal:
    """What an export is as a whole."""
    return examine_file(path)


def read(
    app: App, path: str, form: int | None
) -> Iterator[tuple[str, Mapping[str, Any]] | LeftOut]:
    """The lines of an export, each with its place."""
    return lines_of(path, form)


def bring_back(
    app: App,
    store: MemoryStore,
    found: Iterable[tuple[str, Mapping[str, Any]]],
    origin: Origin,
    rehearsal: bool,
) -> Restored | None:
    """Bring lines into an empty store; None where it is empty no more."""
    return restore(_sqlite(store), found, origin, rehearsal=rehearsal)


def join(
    app: App,
    store: MemoryStore,
    found: Iterable[tuple[str, Mapping[str, Any]]],
    plan: Plan,
    origin: Origin,
    bring_back: bool,
    rehearsal: bool,
) -> Joined | Refusal:
    """Bring lines, and what a plan makes of records, into a store that holds something."""
    terms = Terms(origin, bring_back, rehearsal, partial(progress, app))
    return join_lines(_sqlite(store), found, plan, terms)


def _sqlite(store: MemoryStore) -> SqliteStore:
    assert isinstance(store, SqliteStore), "there is one kind of store"
    return store

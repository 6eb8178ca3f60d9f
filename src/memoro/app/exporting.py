"""What an export, and its way back, reach the outside through.

Each function is one field of `memoro.commands.ports.Exporting`, by its name.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from memoro.backends.sqlite.carrying import Chosen, carried, is_empty, line_text, restore
from memoro.backends.sqlite.store import SqliteStore
from memoro.errors import Reason, Refusal
from memoro.interchange.jsonl.reading import lines_of

if TYPE_CHECKING:
    from memoro.app import App
    from memoro.backends.sqlite.carrying import Restored
    from memoro.memory.imported import LeftOut
    from memoro.memory.store import MemoryStore, Origin


def lines(app: App, store: MemoryStore, chosen: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """What a store holds."""
    assert isinstance(store, SqliteStore), "there is one kind of store"
    return carried(store, Chosen(**chosen))


def text(app: App, line: Mapping[str, Any]) -> str:
    """A line as it is written."""
    return line_text(line)


def write(app: App, path: str, texts: Iterable[str], replace: bool) -> Refusal | int:
    """Write a private file as a whole; gives its bytes."""
    path = os.path.abspath(path)
    if not replace and os.path.lexists(path):
        return Refusal(
            Reason.CONFLICT, f"{path} is there already; nothing was written", "add --force"
        )
    if os.path.lexists(path) and not os.path.isfile(path):
        return Refusal(Reason.USAGE, f"{path} is no regular file; nothing was written")
    size = 0
    try:
        descriptor, partial = tempfile.mkstemp(prefix=".memoro-", dir=os.path.dirname(path))
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
                for one in texts:
                    file.write(one)
                    size += len(one.encode())
                file.flush()
                os.fsync(file.fileno())
            os.replace(partial, path)
        except BaseException:
            os.remove(partial)
            raise
    except OSError as error:
        return Refusal(
            Reason.FAILED,
            f"{path} can't be written: {error.strerror or error}; there is no half of it",
            "choose another place with --out",
        )
    return size


def empty(app: App, store: MemoryStore) -> bool:
    """Whether a store holds nothing, and has no past."""
    assert isinstance(store, SqliteStore), "there is one kind of store"
    return is_empty(store)


def read(app: App, path: str) -> Iterator[tuple[str, Mapping[str, Any]] | LeftOut]:
    """The lines of an export, each with its place."""
    return lines_of(path)


def bring_back(
    app: App,
    store: MemoryStore,
    found: Iterable[tuple[str, Mapping[str, Any]]],
    origin: Origin,
) -> Restored | None:
    """Bring lines into an empty store; None where it is empty no more."""
    assert isinstance(store, SqliteStore), "there is one kind of store"
    return restore(store, found, origin)

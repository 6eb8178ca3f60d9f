"""Files that lie anywhere, merged because somebody said so: a copy that was mended, an older one,
one from another machine."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from memoro.backends.mirror.folder import Folder
from memoro.backends.mirror.reading.basing import inferred_base
from memoro.backends.mirror.reading.merging import Door, Source, Taken, items_of, take
from memoro.backends.mirror.reading.survey import content_of
from memoro.backends.mirror.reading.telling import tell_taken
from memoro.backends.sqlite.store import SqliteStore
from memoro.errors import FileRefusedError, UsageError
from memoro.memory.plain.edits import Written
from memoro.memory.plain.form import digest_of
from memoro.memory.plain.listing import Broken, Element, listed
from memoro.memory.records import Record


class Copied(NamedTuple):
    """What came of it, and what there is to tell."""

    taken: Taken
    told: tuple[str, ...]


def merge_copies(store: SqliteStore, paths: Sequence[str], door: Door, now: datetime) -> Copied:
    """Merge these files. What each line was made from is found by the time that it has kept; what a
    file lacks is not deleted.

    Raises:
        UsageError: one of them is not there.
        FileRefusedError: one of them is broken, or no file; nothing was changed.
    """
    elements = {path: _elements(path) for path in map(os.path.abspath, paths)}
    with store.guarded():
        base = inferred_base(store.connection, items_of(elements))
    taken = take(store, Source(elements, base, frozenset()), door, now, None)
    return Copied(taken, tuple(tell_taken(taken, None)))


def merge_text(
    store: SqliteStore,
    shown: Sequence[Record],
    text: str,
    file: str,
    door: Door,
    now: datetime,
    allowed: bool,
) -> Copied | Broken:
    """Merge a text that somebody made from the lines of these records; `allowed` says that its
    deletions are meant, however many."""
    found = listed(text)
    if isinstance(found, Broken):
        return found
    base = {one.id: Written(digest_of(one), file) for one in shown}
    source = Source({file: found}, base, frozenset((file,)))
    taken = take(store, source, door, now, None if allowed else frozenset())
    return Copied(taken, tuple(tell_taken(taken, None)))


def _elements(path: str) -> tuple[Element, ...]:
    where, base = os.path.split(os.path.realpath(path))
    folder = Folder.open(where, make=False)
    if folder is None:
        raise _missing(path)
    with folder:
        read = folder.read(base)
    if read is None:
        raise _missing(path)
    found = content_of(read[1])
    if isinstance(found, Broken):
        raise FileRefusedError(
            f"{path}, line {found.line}, column {found.column}: {found.what}; nothing was merged",
            f"mend it, then: memoro memory merge {path}",
        )
    return found


def _missing(path: str) -> UsageError:
    return UsageError(f"there is no file {path}", "memoro memory merge FILE")

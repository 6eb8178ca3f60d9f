"""The folder and the store brought together: what a person changed first, then what we did."""

from __future__ import annotations

import os
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import NamedTuple

from memoro.backends.mirror.folder import Folder, Seen
from memoro.backends.mirror.reading.basing import id_of, inferred_base, written_base
from memoro.backends.mirror.reading.merging import Door, Source, Taken, Waiting, items_of, take
from memoro.backends.mirror.reading.recovering import recover
from memoro.backends.mirror.reading.survey import Survey, survey
from memoro.backends.mirror.reading.telling import (
    tell_bad_kept,
    tell_broken,
    tell_missing,
    tell_taken,
)
from memoro.backends.mirror.state import forget_all, known_files, state
from memoro.backends.mirror.watching import FOLDER
from memoro.backends.mirror.writing.updating import Around, Wish, Written, write
from memoro.backends.sqlite.database import writing
from memoro.backends.sqlite.locks import acquire, release
from memoro.backends.sqlite.paths import StorePaths, make_folder
from memoro.backends.sqlite.store import SqliteStore
from memoro.errors import MemoroError
from memoro.memory.plain.listing import Broken, Element, text_of
from memoro.memory.plain.merging import Merged

_MOST_RACES = 3
"""How often we begin anew because somebody saves a file just when we do."""


class How(NamedTuple):
    """How the two are brought together.

    `everything` writes all files; `usage` that page too. `allowed` are the files whose deletions
    are meant (None: of all). `wait_seconds` bounds the wait for another process that is at work.
    """

    everything: bool = False
    usage: bool = False
    allowed: frozenset[str] | None = frozenset()
    wait_seconds: float = 0.0


class Synced(NamedTuple):
    """What came of it.

    `is_busy` where another process was at work for too long. `taken` is what was merged; `files`
    were written, with their bytes; `stuck` could not be, for the `errors`. `recovered` counts the
    records that were taken back from the folder. `told` is what there is to tell.
    """

    is_busy: bool = False
    taken: Taken = Taken()
    files: Mapping[str, int] = {}
    stuck: tuple[str, ...] = ()
    errors: tuple[MemoroError, ...] = ()
    recovered: int = 0
    told: tuple[str, ...] = ()

    @property
    def waiting(self) -> tuple[Waiting, ...]:
        """Deletions that wait for a word."""
        return self.taken.waiting


def path_of(home: str) -> str:
    """Where the folder of a home is."""
    return os.path.join(home, FOLDER)


def lock_path(home: str) -> str:
    """The lock that whoever works on the folder holds."""
    return os.path.join(StorePaths(home).sessions, "mirror.lock")


def sync(store: SqliteStore, home: str, how: How, door: Door, around: Around) -> Synced:
    """Merge what a person changed in the folder, then write what has changed in the store.

    Raises:
        StoreError: the store, or the folder, can't be used at all.
        FileRefusedError: something else stands in the folder's place.
    """
    with alone(home, how.wait_seconds) as first:
        if not first:
            return Synced(is_busy=True)
        with _opened(home) as folder:
            return _Syncing(store, folder, how, door, around).run()


@contextmanager
def alone(home: str, wait_seconds: float) -> Generator[bool]:
    """Whether nobody else works on the folder; while this does, nobody will."""
    path = lock_path(home)
    make_folder(os.path.dirname(path))
    lock = acquire(path, exclusive=True, wait_seconds=wait_seconds)
    try:
        yield lock is not None
    finally:
        if lock is not None:
            release(lock)


@contextmanager
def _opened(home: str) -> Generator[Folder]:
    folder = Folder.open(path_of(home), make=True)
    assert folder is not None, "it is made where it is missing"
    with folder:
        folder.tidy()
        yield folder


class _Syncing:
    """One run: surveyed, merged and written, until nobody saves a file in between."""

    def __init__(
        self, store: SqliteStore, folder: Folder, how: How, door: Door, around: Around
    ) -> None:
        self._store = store
        self._folder = folder
        self._how = how
        self._door = door
        self._around = around
        self._told: list[str] = []
        self._files: dict[str, int] = {}
        self._recovered = 0
        self._taken = Taken()

    def run(self) -> Synced:
        """See `sync`."""
        written = Written({})
        for _ in range(_MOST_RACES):
            written = self._once()
            self._files |= written.files
            if not written.raced:
                break
        raced = [f"{self._folder.full(name)} is being edited" for name in sorted(written.raced)]
        self._told += [f"{one}; it is read at the next start" for one in raced]
        return Synced(
            False,
            self._taken,
            self._files,
            (*written.stuck, *sorted(written.raced)),
            written.errors,
            self._recovered,
            tuple(dict.fromkeys(self._told)),
        )

    def _once(self) -> Written:
        with self._store.guarded():
            known = state(self._store.connection)
            found = survey(self._store.connection, self._folder)
        if known is not None and known.upto < 0:
            wish = self._kept_aside(found)
        elif found.is_clean:
            wish = Wish()
        elif known is None:
            wish = self._recover(found)
        else:
            wish = self._merge(found, written=True)
        self._told += [error.what for error in found.unreadable.values()]
        shut = wish.shut | set(found.unreadable)
        # Of a folder that was emptied, everything is missing, also what is not looked at.
        everything = self._how.everything or (bool(found.missing) and not found.there)
        wish = wish._replace(shut=shut, everything=everything, usage=self._how.usage)
        written = write(self._store, self._folder, wish, self._around)
        self._told += written.told
        return written

    def _kept_aside(self, found: Survey) -> Wish:
        """Files of another store: none is merged, and none that a person edited is lost."""
        for name, file in found.edited.items():
            copy = self._folder.keep(name, file.data, "edited")
            self._told.append(
                f"{self._folder.full(name)} was edited before the store was replaced; it is kept"
                f" as {copy}, and can be merged: memoro memory merge {self._folder.full(copy)}"
            )
        return Wish(files=frozenset(found.edited), expected=_expected(found))

    def _recover(self, found: Survey) -> Wish:
        """Files that the store knows nothing of."""
        sound = _sound(found)
        items = items_of(sound)
        recovered = recover(self._store, items, self._around.now())
        if recovered.change is not None:
            self._recovered += recovered.records
            self._told.append(
                f"{recovered.records:,} records were taken back from {self._folder.path}; to take"
                f" that back: memoro memory undo {recovered.change}"
            )
        with self._store.guarded(), writing(self._store.connection):
            forget_all(self._store.connection)
        kept = {
            name: tuple(one for one in found if _id(name, one) not in recovered.removed)
            for name, found in sound.items()
        }
        edited = {
            name: file._replace(content=kept.get(name, file.content))
            for name, file in found.edited.items()
        }
        return self._merge(found._replace(edited=edited), written=False)

    def _merge(self, found: Survey, *, written: bool) -> Wish:
        """Merge what was edited; `written` where we know what it was edited from."""
        connection = self._store.connection
        if found.missing:
            self._told.append(tell_missing(found.missing, self._folder))
        if written:
            found = self._with_neighbours(found)
        sound = _sound(found)
        with self._store.guarded():
            items = items_of(sound)
            base = (
                written_base(connection, sound, items)
                if written
                else inferred_base(connection, items)
            )
        whole = frozenset(sound) if written else frozenset[str]()
        source, now = Source(sound, base, whole), self._around.now()
        # Whoever has everything written anew has said that many deletions are not meant.
        how = self._how
        taken = take(self._store, source, self._door, now, how.allowed, refuse=how.everything)
        self._taken = _joined(self._taken, taken)
        self._told += tell_taken(taken, self._folder)
        self._keep_broken(found)
        self._keep_bad(taken)
        shut = frozenset(one.file for one in taken.waiting)
        files = (frozenset(found.edited) | frozenset(found.missing)) - shut
        return Wish(files=files, expected=_expected(found), shut=shut, hints=taken.hints)

    def _with_neighbours(self, found: Survey) -> Survey:
        """The survey with the files that elements were copied or moved out of, though these are as
        they were written."""
        connection = self._store.connection
        while True:
            with self._store.guarded():
                sound = _sound(found)
                base = written_base(connection, sound, items_of(sound))
                more = {one.file for one in base.values()} - found.edited.keys()
                more = more & known_files(connection).keys() - set(found.missing)
                if not more:
                    return found
                again = survey(connection, self._folder, {*found.edited, *more})
            if not again.edited.keys() - found.edited.keys():
                return found
            found = again

    def _keep_broken(self, found: Survey) -> None:
        for name, file in found.edited.items():
            if isinstance(file.content, Broken):
                copy = self._folder.keep(name, file.data, "broken")
                self._told.append(tell_broken(name, file.content, copy, self._folder))

    def _keep_bad(self, taken: Taken) -> None:
        for name, raws in taken.bad.items():
            copy = self._folder.keep(name, text_of(raws).encode(), "broken")
            self._told.append(tell_bad_kept(copy, self._folder))


def _id(name: str, element: Element) -> str:
    return next(map(id_of, items_of({name: (element,)})))


def _sound(found: Survey) -> dict[str, tuple[Element, ...]]:
    """The elements of the files that are not broken."""
    return {
        name: file.content
        for name, file in found.edited.items()
        if not isinstance(file.content, Broken)
    }


def _expected(found: Survey) -> dict[str, Seen | None]:
    """How the files may be found when they are replaced: what they hold is in the store by then,
    or kept aside."""
    seen: dict[str, Seen | None] = {name: file.seen for name, file in found.edited.items()}
    return {**seen, **dict.fromkeys(found.missing)}


def _joined(earlier: Taken, later: Taken) -> Taken:
    """What came of two merges, one after the other."""
    one, other = earlier.merged, later.merged
    merged = Merged(
        (*one.changes, *other.changes),
        (*one.conflicts, *other.conflicts),
        (*one.problems, *other.problems),
        (*one.aside, *other.aside),
        (*one.held_back, *other.held_back),
    )
    change = earlier.change if later.change is None else later.change
    return later._replace(merged=merged, change=change, archived=earlier.archived + later.archived)

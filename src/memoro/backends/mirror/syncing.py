"""The folder and the store brought together: what a person changed first, then what we did."""

from __future__ import annotations

import os
from collections.abc import Collection, Generator, Mapping
from contextlib import contextmanager
from typing import NamedTuple

from memoro.backends.mirror.folder import Folder
from memoro.backends.mirror.reading.merging import Door, Taken, Waiting
from memoro.backends.mirror.reading.survey import survey
from memoro.backends.mirror.reading.taking import Asked, Reading, joined
from memoro.backends.mirror.state import digest_of_bytes, known_files, state
from memoro.backends.mirror.swapping import beside, drop_beside
from memoro.backends.mirror.watching import FOLDER, how_far_behind
from memoro.backends.mirror.writing.updating import Around, Wish, Written, write
from memoro.backends.sqlite.locks import acquire, release
from memoro.backends.sqlite.paths import StorePaths, make_folder
from memoro.backends.sqlite.store import SqliteStore
from memoro.errors import MemoroError

_MOST_RACES = 3
"""How often we begin anew because somebody saves a file just when we do."""


class How(NamedTuple):
    """How the two are brought together.

    `everything` writes all files; `usage` that page too. `allowed` are the files whose deletions
    are meant (None: of all). `wait_seconds` bounds the wait for another process that is at work.
    `asked`: somebody waits for it. Else a file in which a great deal was written is left alone, and
    told.
    """

    everything: bool = False
    usage: bool = False
    allowed: frozenset[str] | None = frozenset()
    wait_seconds: float = 0.0
    asked: bool = False


class Synced(NamedTuple):
    """What came of it.

    `is_busy` where another process was at work for too long. `taken` is what was merged; `files`
    were written, with their bytes; `stuck` could not be, for the `errors`, and `unread` could not
    be read. `recovered` counts the records that were taken back from the folder. `told` is what
    there is to tell.
    """

    is_busy: bool = False
    taken: Taken = Taken()
    files: Mapping[str, int] = {}
    stuck: tuple[str, ...] = ()
    errors: tuple[MemoroError, ...] = ()
    recovered: int = 0
    told: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()

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
    syncing = _Syncing(store, how, door, around)
    done = Synced(is_busy=True)
    for turn in range(_MOST_RACES):
        with alone(home, 0 if turn else how.wait_seconds) as first:
            if not first:
                # After the first turn: whoever is at work now sees what we would.
                return done
            with _opened(home) as folder:
                done = syncing.run(folder)
        # Whoever came while we were at work has left it to us.
        if done.errors or done.stuck or not _is_behind(store):
            return done
    return done


def _is_behind(store: SqliteStore) -> bool:
    with store.guarded():
        return how_far_behind(store.connection) > 0


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
        yield folder


class _Syncing:
    """One run: surveyed, merged and written, until nobody saves a file in between."""

    def __init__(self, store: SqliteStore, how: How, door: Door, around: Around) -> None:
        self._store = store
        self._how = how
        self._around = around
        # Whoever has everything written anew has said that many deletions are not meant.
        self._asked = Asked(door, around.now, how.allowed, how.everything, how.asked)
        self._files: dict[str, int] = {}
        self._unread: Collection[str] = ()
        self._earlier = Synced()

    def run(self, folder: Folder) -> Synced:
        """See `sync`; what came of earlier runs of this comes with it."""
        reading = Reading(self._store, folder, self._asked)
        written = Written({})
        for _ in range(_MOST_RACES):
            self._tidy(reading, folder)
            written = self._once(reading, folder)
            self._files |= written.files
            if not (written.raced or written.behind):
                break
        if written.raced:
            self._tidy(reading, folder)
        raced = [f"{folder.full(name)} is being edited" for name in sorted(written.raced)]
        reading.told += [f"{one}; it is read at the next start" for one in raced]
        self._earlier = Synced(
            False,
            joined(self._earlier.taken, reading.taken),
            self._files,
            (*written.stuck, *sorted(written.raced)),
            written.errors,
            self._earlier.recovered + reading.recovered,
            tuple(dict.fromkeys((*self._earlier.told, *reading.told))),
            tuple(self._unread),
        )
        return self._earlier

    def _tidy(self, reading: Reading, folder: Folder) -> None:
        """Put right what a process that was killed has left, and take what somebody saved in the
        very moment in which a file was replaced."""
        replacing = folder.tidy()
        if not replacing:
            return
        with self._store.guarded():
            known = known_files(self._store.connection)
        for name in replacing:
            data, one = beside(folder, name), known.get(name)
            ours = {one.digest, one.coming} if one else set[str | None]()
            if data is not None and digest_of_bytes(data) not in ours:
                reading.beside(name, data)
            drop_beside(folder, name)

    def _once(self, reading: Reading, folder: Folder) -> Written:
        with self._store.guarded():
            known = state(self._store.connection)
            found = survey(self._store.connection, folder, (), self._asked.most_bytes)
        if known is not None and known.upto < 0:
            wish = reading.kept_aside(found)
        elif found.is_clean:
            wish = Wish()
        elif known is None:
            wish = reading.recover(found)
        else:
            wish = reading.merge(found, written=True)
        self._unread = found.unreadable.keys()
        reading.told += [error.what for error in found.unreadable.values()]
        shut = wish.shut | set(found.unreadable)
        # Of a folder that was emptied, everything is missing, also what is not looked at.
        everything = self._how.everything or (bool(found.missing) and not found.there)
        wish = wish._replace(shut=shut, everything=everything, usage=self._how.usage)
        written = write(self._store, folder, wish, self._around)
        reading.told += written.told
        return written

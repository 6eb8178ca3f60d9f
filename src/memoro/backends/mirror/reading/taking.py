"""What a person changed in the folder, taken into the store: one run of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from memoro.backends.mirror.folder import Folder, Seen
from memoro.backends.mirror.names import group_of
from memoro.backends.mirror.reading.basing import id_of, inferred_base, written_base
from memoro.backends.mirror.reading.merging import Door, Source, Taken, items_of, take
from memoro.backends.mirror.reading.recovering import recover
from memoro.backends.mirror.reading.survey import File, Survey, content_of, survey
from memoro.backends.mirror.reading.telling import (
    counted,
    tell_bad_kept,
    tell_broken,
    tell_large,
    tell_missing,
    tell_taken,
)
from memoro.backends.mirror.refusing import MAX_FILE_BYTES
from memoro.backends.mirror.state import forget_all, known_files, state
from memoro.backends.mirror.writing.pages import keep_page
from memoro.backends.mirror.writing.updating import Wish
from memoro.backends.sqlite.database import writing
from memoro.backends.sqlite.store import SqliteStore
from memoro.memory.plain.edits import Written
from memoro.memory.plain.form import digest_of_value
from memoro.memory.plain.listing import Broken, Element, text_of
from memoro.memory.plain.merging import Merged


class Asked(NamedTuple):
    """How edits are taken. `allowed` are the files whose deletions are meant, however many (None:
    of all); `refuse`: those of others are not made, and don't wait for a word either. `patient`:
    somebody waits for what takes a while."""

    door: Door
    now: Callable[[], datetime]
    allowed: frozenset[str] | None
    refuse: bool
    patient: bool

    @property
    def most_bytes(self) -> int:
        """Of a file that is read."""
        return MAX_FILE_BYTES if self.patient else _MOST_BYTES


_MOST_BYTES = 8 * 1024 * 1024
"""Of a file that is merged by the way; what we write has less."""
_MOST_RECORDS = 2_000
"""That are new or changed in such a file: some seconds."""


class Reading:
    """Takes edits; `taken`, `recovered` and `told` are what came of all of them."""

    def __init__(self, store: SqliteStore, folder: Folder, asked: Asked) -> None:
        self._store = store
        self._folder = folder
        self._asked = asked
        self.taken: Taken = Taken()
        self.recovered: int = 0
        self.told: list[str] = []

    def kept_aside(self, found: Survey) -> Wish:
        """Files of another store: none is merged, and none that a person edited is lost."""
        for name, file in found.edited.items():
            copy = self._folder.keep(name, file.data, "edited")
            self.told.append(
                f"{self._folder.full(name)} was edited before the store was replaced; it is kept"
                f" as {copy}, and can be merged: memoro memory merge {self._folder.full(copy)}"
            )
        return Wish(files=frozenset(found.edited), expected=_expected(found))

    def recover(self, found: Survey) -> Wish:
        """Files that the store knows nothing of."""
        sound = _sound(found)
        items = items_of(sound)
        recovered = recover(self._store, items, self._asked.now())
        if recovered.change is not None:
            self.recovered += recovered.records
            self.told.append(
                f"{counted(recovered.records, 'record')} taken back from {self._folder.path}; to"
                f" take that back: memoro memory undo {recovered.change}"
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
        return self.merge(found._replace(edited=edited), written=False)

    def merge(self, found: Survey, *, written: bool) -> Wish:
        """Merge what was edited; `written` where we know what it was edited from."""
        connection = self._store.connection
        if found.missing:
            self.told.append(tell_missing(found.missing, self._folder))
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
        large = set[str]() if self._asked.patient else self._large(sound, base)
        left = {name: one for name, one in sound.items() if name not in large}
        taken = self._take(found, Source(left, base, whole - large), refuse=self._asked.refuse)
        shut = large.union(one.file for one in taken.waiting)
        files = (frozenset(found.edited) | frozenset(found.missing)) - shut
        return Wish(files=files, expected=_expected(found), shut=frozenset(shut), hints=taken.hints)

    def _large(
        self, sound: Mapping[str, Sequence[Element]], base: Mapping[str, Written]
    ) -> set[str]:
        """The files in which so much is new or changed that nobody should wait for it unasked."""
        found: set[str] = set()
        for name, elements in sound.items():
            if len(elements) > _MOST_RECORDS:
                written = {one.digest for one in base.values()}
                new = sum(digest_of_value(one.value) not in written for one in elements)
                if new > _MOST_RECORDS:
                    found.add(name)
                    self.told.append(tell_large(name, new, self._folder))
        return found

    def beside(self, name: str, data: bytes) -> None:
        """Merge a text that was saved over a file as the store knows that one, and that was taken
        away when it was replaced. What stands in its place by now is ours, and not noted yet."""
        connection = self._store.connection
        with self._store.guarded():
            known = state(connection)
        if group_of(name) is None:
            self.told.append(keep_page(self._folder, name, data))
            return
        found = Survey((), {name: File(Seen(len(data), 0, 0), data, content_of(data))})
        if known is None or known.upto < 0:
            self.kept_aside(found)
            return
        sound = _sound(found)
        with self._store.guarded():
            base = written_base(connection, sound, items_of(sound))
        # There is no file in which deletions could wait for a word.
        self._take(found, Source(sound, base, frozenset(sound)), refuse=True)

    def _take(self, found: Survey, source: Source, *, refuse: bool) -> Taken:
        asked = self._asked
        taken = take(self._store, source, asked.door, asked.now(), asked.allowed, refuse=refuse)
        self.taken = joined(self.taken, taken)
        self.told += tell_taken(taken, self._folder)
        self._keep_broken(found)
        self._keep_bad(taken)
        return taken

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
                self.told.append(tell_broken(name, file.content, copy, self._folder))

    def _keep_bad(self, taken: Taken) -> None:
        for name, raws in taken.bad.items():
            copy = self._folder.keep(name, text_of(raws).encode(), "broken")
            self.told.append(tell_bad_kept(copy, self._folder))


def _id(name: str, element: Element) -> str:
    return next(map(id_of, items_of({name: (element,)})))


def _sound(found: Survey) -> dict[str, tuple[Element, ...]]:
    """The elements of the files that are not broken."""
    return {
        name: file.content
        for name, file in found.edited.items()
        if not isinstance(file.content, Broken)
    }


def _expected(found: Survey) -> dict[str, str | None]:
    """What the files may hold when they are replaced: it is in the store by then, or kept aside."""
    held: dict[str, str | None] = {name: file.digest for name, file in found.edited.items()}
    return {**held, **dict.fromkeys(found.missing)}


def joined(earlier: Taken, later: Taken) -> Taken:
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

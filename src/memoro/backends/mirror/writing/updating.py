"""Writing what has changed: each file in one step, and known as ours whenever we may be killed.

What is about to be written is announced in the store first. A file that is then found to have these
bytes is ours, whether or not the process lived to say so; any other difference is a person's.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import islice
from typing import Any, NamedTuple

import apsw

from memoro.backends.mirror.folder import Folder, Seen
from memoro.backends.mirror.names import DAYS, PAGE, USAGE
from memoro.backends.mirror.state import (
    FORM,
    Known,
    Line,
    State,
    announce,
    changes_in,
    digest_of_bytes,
    drop_file,
    drop_lines,
    keep_file,
    keep_lines,
    known_files,
    last_change,
    mark_pages,
    set_state,
    state,
)
from memoro.backends.mirror.swapping import Swapped, lay_beside, remove, replace
from memoro.backends.mirror.writing.pages import day, is_generated_page, keep_page, page, usage
from memoro.backends.mirror.writing.placing import first_of_its_group, place
from memoro.backends.mirror.writing.rendering import render
from memoro.backends.sqlite.database import writing
from memoro.backends.sqlite.store import SqliteStore
from memoro.errors import FileRefusedError, MemoroError, StoreDamagedError, StoreError

_AT_ONCE = 32
"""Files that are announced, and then said to be written, together."""

_USAGE_EVERY = timedelta(hours=1)


class Around(NamedTuple):
    """What a mirror needs besides the store: the clock, what the user's home folder is, and how
    Memoro was used so far."""

    now: Callable[[], datetime]
    user_home: str
    usage: Callable[[], Mapping[str, Any]]


class Wish(NamedTuple):
    """What is to be written.

    `files` are written whatever the log says. `expected` are the digests of files that are not as
    we wrote them, None of those that are gone: what they hold is in the store by now. `shut` are
    those that may not be written. `hints` say where somebody has put a record that is new.
    """

    everything: bool = False
    usage: bool = False
    files: frozenset[str] = frozenset()
    expected: Mapping[str, str | None] = {}
    shut: frozenset[str] = frozenset()
    hints: Mapping[str, str] = {}


class Written(NamedTuple):
    """What was written: `files` with their bytes, and what there is to `tell`.

    `stuck` could not be written, for the `errors` or because they are shut; `raced` were changed
    by somebody just now, and have to be read first. `behind`: the store has changed meanwhile in
    what should be written by now.
    """

    files: dict[str, int]
    told: tuple[str, ...] = ()
    stuck: tuple[str, ...] = ()
    errors: tuple[MemoroError, ...] = ()
    raced: frozenset[str] = frozenset()
    behind: bool = False


def write(store: SqliteStore, folder: Folder, wish: Wish, around: Around) -> Written:
    """Bring the folder up to the last change. For whoever holds the mirror's lock.

    Raises:
        StoreError: the store can't be read or written; what is in the folder is not harmed.
    """
    with store.guarded():
        return _Writing(store.connection, folder, wish, around).run()


class _New(NamedTuple):
    """What a file is to have; None: it goes. `lines` and `gone` say what changes in it."""

    name: str
    data: bytes | None
    lines: Mapping[str, Line] = {}
    gone: Sequence[str] = ()
    is_page: bool = False

    @property
    def digest(self) -> str:
        return "" if self.data is None else digest_of_bytes(self.data)


class _Writing:
    def __init__(
        self, connection: apsw.Connection, folder: Folder, wish: Wish, around: Around
    ) -> None:
        self._connection = connection
        self._folder = folder
        self._wish = wish
        self._around = around
        self._known: dict[str, Known] = known_files(connection)
        self._moved: dict[str, Line | None] = {}
        self._pages: set[str] = set()
        self._files: dict[str, int] = {}
        self._told: list[str] = []
        self._stuck: list[str] = []
        self._errors: list[MemoroError] = []
        self._raced: set[str] = set()

    def run(self) -> Written:
        """Write, a batch at a time, and say how far the folder is."""
        known = state(self._connection)
        everything = self._wish.everything or known is None or known.form != FORM
        everything = everything or known is None or known.upto < 0
        upto = last_change(self._connection)
        since = -1 if everything or known is None else known.upto
        # Counted before anything is read: what comes later into these entries shows.
        count = changes_in(self._connection, since, upto)
        used = None if known is None else known.used
        now = self._around.now()
        tell_usage = everything or self._wish.usage or is_usage_due(known, now)
        news = self._news(None if everything else since, tell_usage)
        while not self._is_hopeless() and (batch := list(islice(news, _AT_ONCE))):
            self._put(batch)
        behind = False
        if not (self._stuck or self._raced or self._errors):
            with writing(self._connection):
                behind = (
                    state(self._connection) != known
                    or changes_in(self._connection, since, upto) != count
                )
                if not behind:
                    set_state(self._connection, upto, now if tell_usage else used)
        return Written(
            self._files,
            tuple(self._told),
            tuple(self._stuck),
            tuple(self._errors),
            frozenset(self._raced),
            behind,
        )

    def _is_hopeless(self) -> bool:
        """Whether the disk takes nothing more; a single file in the way stops only itself."""
        return any(not isinstance(error, FileRefusedError) for error in self._errors)

    def _news(self, upto: int | None, tell_usage: bool) -> Generator[_New]:
        wish = self._wish
        placed = place(self._connection, upto, self._known, wish.hints, wish.shut)
        files = {name: placed.files.get(name, []) for name in {*wish.files, *placed.files}}
        for name in sorted(files):
            if name in wish.shut:
                self._stuck.append(name)
            else:
                yield self._records(name, files[name])
        # Whoever was killed has noted the lines, and had no time for the pages that they are on.
        owed = {name for name, one in self._known.items() if one.coming is not None}
        self._pages |= {name for name in owed if name.startswith(f"{DAYS}/")}
        for name in sorted(self._pages if upto is not None else self._all_pages()):
            made = day(self._connection, name, self._moved, self._around.user_home)
            yield _New(name, made, is_page=True)
        if placed.is_changed or wish.files or PAGE in owed:
            yield _New(PAGE, page(self._connection, self._around.user_home), is_page=True)
        if tell_usage:
            told = usage(self._connection, self._around.usage())
            yield _New(USAGE, told, is_page=True)

    def _records(self, name: str, new: Sequence[str]) -> _New:
        made = render(self._connection, name, new)
        self._pages |= made.pages()
        for record in made.before.keys() | made.lines.keys():
            old, line = made.before.get(record), made.lines.get(record)
            if (old and old.page) or (line and line.page):
                self._moved[record] = line
        stays = made.lines or (first_of_its_group(name) and self._is_there(name))
        changed = {one: line for one, line in made.lines.items() if made.before.get(one) != line}
        return _New(name, made.data if stays else None, changed, made.gone)

    def _is_there(self, name: str) -> bool:
        return name in self._known or self._wish.expected.get(name) is not None

    def _all_pages(self) -> set[str]:
        rows = self._connection.execute(
            "SELECT DISTINCT page FROM derived_mirror_lines WHERE page IS NOT NULL"
        )
        return self._pages | {str(name) for (name,) in rows.fetchall()}

    def _put(self, batch: Sequence[_New]) -> None:
        prepared: dict[str, Seen | None] = {}
        for new in batch:
            try:
                if not self._stands(new):
                    prepared[new.name] = (
                        None if new.data is None else self._folder.prepare(new.name, new.data)
                    )
            except StoreDamagedError:
                raise
            except (FileRefusedError, StoreError) as error:
                self._fail(new.name, error)
                if self._is_hopeless():
                    break
        wanted = [new for new in batch if new.name in prepared]
        if wanted:
            with writing(self._connection):
                announce(self._connection, {new.name: new.digest for new in wanted})
        done = self._all_swapped(wanted)
        self._note(done, prepared, [new for new in batch if new.name not in prepared])

    def _all_swapped(self, wanted: Sequence[_New]) -> list[_New]:
        """Let files take their places; gives those that did."""
        swapped = {new.name: self._swapped(new) for new in wanted}
        done = [new for new in wanted if swapped[new.name].done]
        try:
            for name in {new.name.rpartition("/")[0]: new.name for new in done}.values():
                self._folder.sync(name)
        finally:
            for name, one in swapped.items():
                late = None if one.gone is None else one.gone.late()
                if late is not None:
                    lay_beside(self._folder, name, late)
                    self._raced.add(name)
        return [new for new in done if new.name not in self._raced]

    def _note(
        self, done: Sequence[_New], prepared: Mapping[str, Seen | None], rest: Sequence[_New]
    ) -> None:
        """Say in the store what was written. What stood there already may have to be said too."""
        failed = {*self._stuck, *self._raced}
        standing = [new for new in rest if new.name not in failed]
        if not done and not any(new.lines or new.gone for new in standing):
            return
        with writing(self._connection):
            if any(new.lines or new.gone for new in (*done, *standing)):
                mark_pages(self._connection, {PAGE, *self._pages})
            for new in (*done, *standing):
                drop_lines(self._connection, new.gone)
                keep_lines(self._connection, new.lines.items())
            for new in done:
                seen = prepared[new.name]
                if seen is None or new.data is None:
                    drop_file(self._connection, new.name)
                    self._files[new.name] = 0
                else:
                    keep_file(self._connection, new.name, seen, new.digest)
                    self._files[new.name] = len(new.data)

    def _stands(self, new: _New) -> bool:
        """Whether a file is as it is to be, already."""
        known = self._known.get(new.name)
        if new.data is None:
            return known is None and not self._is_there(new.name)
        found = self._folder.look(new.name)
        return known is not None and found == known.seen and known.digest == new.digest

    def _swapped(self, new: _New) -> Swapped:
        """Let a file take its place, unless somebody has changed the one that stands there."""

        def may_go(data: bytes) -> bool:
            return self._may_go(new, data)

        try:
            swap = remove if new.data is None else replace
            swapped = swap(self._folder, new.name, may_go)
        except (FileRefusedError, StoreError) as error:
            self._folder.drop(new.name)
            self._fail(new.name, error)
            return Swapped(False)
        if not swapped.done:
            self._raced.add(new.name)
        return swapped

    def _may_go(self, new: _New, data: bytes) -> bool:
        """Whether what stands in a file's place is ours, or in the store by now."""
        known, digest = self._known.get(new.name), digest_of_bytes(data)
        ours = {new.digest, *((known.digest, known.coming) if known else ())}
        if digest in ours or digest == self._wish.expected.get(new.name):
            return True
        if not new.is_page:
            return False
        if data.strip() and (known is not None or not is_generated_page(new.name, data)):
            self._told.append(keep_page(self._folder, new.name, data))
        return True

    def _fail(self, name: str, error: MemoroError) -> None:
        self._stuck.append(name)
        self._errors.append(error)


def is_usage_due(known: State | None, now: datetime) -> bool:
    """Whether the page of usage is older than it should be."""
    return known is None or known.used is None or now - known.used >= _USAGE_EVERY

"""The files of one emulation while they are found: each once, within bounds, with warnings."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from memoro.bootstrap.files import printable
from memoro.bootstrap.loaders.ground import (
    Found,
    Ground,
    Refused,
    label_of,
    look,
    read_start,
)
from memoro.bootstrap.loaders.results import TITLES, Cut, Loaded, LoadedAs
from memoro.bootstrap.reading.source import is_below, named

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memoro.bootstrap.loaders.ground import Trust
    from memoro.bootstrap.loaders.results import How, Tool

_MOST_FILES = 2_000
_MOST_WARNINGS = 50
_MOST_READ_BYTES = 64 * 1024 * 1024
_MOST_DEPTH = 32
_LONGEST_NOTE = 300
_PHASES: dict[How, int] = {"always": 0, "matched": 1, "on demand": 2}
NOT_OPENED = "outside the workspace, not opened here"


class _Entry(NamedTuple):
    found: Found
    how: How
    phase: int
    kept_bytes: int
    note: str


class Listing:
    """What a tool loads, in the order in which it is added; later phases come last."""

    def __init__(self, tool: Tool, ground: Ground) -> None:
        self.tool: Tool = tool
        self.title: str = TITLES[tool]
        self.ground = ground
        self.seen: set[str] = set()
        self._entries: list[_Entry] = []
        self._warnings: dict[str, None] = {}
        self._left_bytes = _MOST_READ_BYTES
        user = ground.homes.user
        self._user_home = None if user is None else os.path.realpath(user)

    @property
    def full(self) -> bool:
        """Whether no more files are taken, which is then said: no real tree has so many."""
        if len(self._entries) < _MOST_FILES:
            return False
        self.warn(f"{self.title} would load {_MOST_FILES:,} files and more; the rest is left out")
        return True

    def warn(self, line: str) -> None:
        """Add a line for the person; the same line twice is one."""
        self._warnings[line] = None

    def find(self, path: str, trust: Trust = "place") -> Found | None:
        """A regular file at this path; anything else there is warned about."""
        found = look(path, self.ground, trust)
        if isinstance(found, Refused):
            self.warn(f"{named(found.path)} {found.why}; left out")
            return None
        return found

    def add(
        self, found: Found, how: How, note: str = "", kept_bytes: int | None = None, phase: int = 0
    ) -> int | None:
        """Add a file and say which entry it is; None where there are too many.

        Args:
            found: the file.
            how: how the tool comes to load it.
            note: what a person should know about it.
            kept_bytes: what a limit leaves of it, where it is not all.
            phase: the importer's, for an import.
        """
        if self.full:
            return None
        if not found.opens:
            note = f"{note}; {NOT_OPENED}" if note else NOT_OPENED
        kept = found.size if kept_bytes is None else kept_bytes
        self.seen.add(found.real)
        self._entries.append(_Entry(found, how, _PHASES.get(how, phase), kept, note))
        return len(self._entries) - 1

    def lose(self, index: int, lost_bytes: int) -> None:
        """Say what a limit has taken from an entry."""
        entry = self._entries[index]
        kept = max(entry.kept_bytes - lost_bytes, 0)
        self._entries[index] = entry._replace(kept_bytes=kept)

    def phase(self, index: int) -> int:
        """The phase of an entry, for what it imports."""
        return self._entries[index].phase

    def read(self, found: Found, most: int) -> bytes:
        """Read the first bytes of a file that may be opened; nothing where that fails."""
        if not found.opens:
            return b""
        raw = read_start(found, min(most, self._left_bytes))
        if isinstance(raw, Refused):
            self.warn(f"{named(found.path)} {raw.why}")
            return b""
        self._left_bytes -= len(raw)
        if not self._left_bytes:
            self.warn(f"more than {_MOST_READ_BYTES:,} bytes of text; not all was looked at")
        return raw

    def text(self, found: Found, most: int) -> str:
        """The text of a file's first bytes, as the tools decode it: as UTF-8, whatever it is."""
        raw = self.read(found, most)
        text = raw.decode("utf-8", "replace")
        cut_character = len(raw) == most and text.endswith("\ufffd")
        if b"\0" in raw or text.count("\ufffd") - cut_character > raw.count("\ufffd".encode()):
            self.warn(f"{named(found.path)} is not UTF-8; {self.title} shows other characters")
        return text.removeprefix("\ufeff")

    def name(self, path: str) -> str:
        """A path as a person reads it."""
        return label_of(path, self.ground.root, self._user_home)

    def files_in(self, folder: str, suffix: str, deep: bool, own: bool = False) -> list[str]:
        """The paths of a rules folder with this ending, by folder and name.

        Args:
            folder: an absolute path; it need not exist.
            suffix: how the names end.
            deep: whether folders in it count as well.
            own: the folder is the person's, whose links lead where they want.
        """
        return [path for path in self._walk(folder, deep, own, ()) if path.endswith(suffix)]

    def result(self, limit_bytes: int = 0, limit: str = "") -> Loaded:
        """Everything that was added, in the tool's order.

        Args:
            limit_bytes: the tool's limit, 0 where it has none.
            limit: the words for that limit.
        """
        entries = sorted(self._entries, key=lambda entry: entry.phase)
        files = tuple(
            LoadedAs(
                entry.found.path,
                self.name(entry.found.path),
                order,
                entry.found.size,
                entry.kept_bytes,
                entry.how,
                printable(entry.note[:_LONGEST_NOTE]),
            )
            for order, entry in enumerate(entries, 1)
        )
        warnings = tuple(printable(line) for line in self._warnings)
        if len(warnings) > _MOST_WARNINGS:
            more = f"{len(warnings) - _MOST_WARNINGS} more warnings"
            warnings = (*warnings[:_MOST_WARNINGS], more)
        return Loaded(self.tool, files, _cut(files, limit_bytes, limit), warnings)

    def _walk(self, folder: str, deep: bool, own: bool, above: tuple[str, ...]) -> Iterator[str]:
        real = os.path.realpath(folder)
        if real in above or len(above) > _MOST_DEPTH:
            self.warn(f"{named(folder)} leads back to itself; left out")
            return
        if not (
            own or any(is_below(real, each) for each in self.ground.readable) or real == folder
        ):
            self.warn(f"{named(folder)} leads outside the workspace; not opened here")
            return
        names = self._names(folder)
        for name in names:
            if self.full:
                return
            path = os.path.join(folder, name)
            if not os.path.isdir(path):
                yield path
            elif deep:
                yield from self._walk(path, deep, own, (*above, real))

    def _names(self, folder: str) -> list[str]:
        try:
            names = sorted(os.listdir(folder))
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as error:
            self.warn(f"{named(folder)} can't be listed: {error.strerror or 'unknown error'}")
            return []
        if len(names) > _MOST_FILES:
            self.warn(f"{named(folder)}: only the first {_MOST_FILES:,} names were looked at")
        return names[:_MOST_FILES]


def _cut(files: tuple[LoadedAs, ...], limit_bytes: int, limit: str) -> Cut | None:
    lost = [file for file in files if file.kept_bytes < file.bytes]
    if not lost or not limit_bytes:
        return None
    names = ", ".join(
        f"{file.label} loses {file.bytes - file.kept_bytes:,} of {file.bytes:,} bytes"
        for file in lost[:10]
    )
    more = f" and {len(lost) - 10} more files" if len(lost) > 10 else ""
    total = sum(file.bytes - file.kept_bytes for file in lost)
    return Cut(limit_bytes, total, f"{limit}: {names}{more}")

"""What was read from a file, kept for as long as the file can't have changed.

A file is known by its device, inode, times and size. Times are counted in ticks (some
milliseconds; up to two seconds on some disks), and a second edit within the tick of the first one
can leave all of them as they were. A file that had been changed just before it was read is
therefore read again the next time.
"""

from __future__ import annotations

import os
from typing import Generic, NamedTuple, TypeVar

Value = TypeVar("Value")

_COARSEST_TICK_NS = 2_000_000_000
_MOST_ENTRIES = 2_000


class Stamp(NamedTuple):
    """What a file's state is known by; times in nanoseconds, size in bytes."""

    device: int
    inode: int
    modified_ns: int
    changed_ns: int
    size: int


def stamp(found: os.stat_result) -> Stamp:
    """The stamp of a file that was looked at."""
    return Stamp(found.st_dev, found.st_ino, found.st_mtime_ns, found.st_ctime_ns, found.st_size)


def file_time_ns() -> int:
    """The time that a file changed now would be stamped with, 0 where the system won't say.

    It comes from a fresh pipe and not from a clock: it has to be the kernel's own, whatever time
    a person or a test has set for Memoro.
    """
    try:
        ends = os.pipe()
    except OSError:
        return 0
    try:
        return os.fstat(ends[0]).st_ctime_ns
    finally:
        for end in ends:
            os.close(end)


class FileCache(Generic[Value]):
    """Readings of files, for repeated loads in one process."""

    def __init__(self) -> None:
        self._entries: dict[tuple[object, ...], tuple[Stamp, Value]] = {}

    def get(self, key: tuple[object, ...], now: Stamp) -> Value | None:
        """What was read under `key`, if the file still has the stamp that it had then."""
        found = self._entries.get(key)
        return found[1] if found and found[0] == now else None

    def put(self, key: tuple[object, ...], read: Stamp, value: Value, time_ns: int) -> None:
        """Keep what was read from a file with this stamp, unless a change could hide behind it.

        Args:
            key: the path, and whatever else the value depends on.
            read: the file's stamp when it was read.
            value: what was read.
            time_ns: `file_time_ns` from before the file was read.
        """
        if max(read.modified_ns, read.changed_ns) + _COARSEST_TICK_NS > time_ns:
            self._entries.pop(key, None)
            return
        if len(self._entries) >= _MOST_ENTRIES:
            self._entries.clear()
        self._entries[key] = (read, value)

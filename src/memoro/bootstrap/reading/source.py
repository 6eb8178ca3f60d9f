"""Guarded reads of instruction files: only regular files, only below the roots, only their start.

Unlike the personal files, an instruction file that can't be used costs nothing but itself: it is
left out, and said so in one line.
"""

from __future__ import annotations

import os
import stat
from errno import ENAMETOOLONG, ENOENT, ENOTDIR
from typing import NamedTuple

from memoro.bootstrap.files import OPEN_FLAGS, kind_name, printable
from memoro.bootstrap.reading.cache import FileCache, file_time_ns, stamp
from memoro.bootstrap.reading.decoding import decode
from memoro.bootstrap.reading.scan import Hit, scan

_CHUNK_BYTES = 65_536
_LONGEST_SHOWN = 300
_MOST_LINES_NAMED = 10


class Source(NamedTuple):
    """The text of one file, ready for the prompt.

    `path` is where it was found, `real` where that leads. `size_bytes` is its size on disk, of
    which the last `unread_bytes` were not read. `hits` stand masked in `text`. `warnings` are
    one line each.
    """

    path: str
    real: str
    text: str
    size_bytes: int
    unread_bytes: int = 0
    hits: tuple[Hit, ...] = ()
    warnings: tuple[str, ...] = ()


class Unusable(NamedTuple):
    """Something is there that can't be used; `why` completes "PATH …" in one line."""

    path: str
    why: str

    @property
    def warning(self) -> str:
        """One line for the person."""
        return f"{named(self.path)} {self.why}; skipped"


Readings = FileCache["Source | Unusable"]
"""What was read before; give the same one to every load of a process."""


class Reader(NamedTuple):
    """What a load reads with.

    `roots` are the real paths of the folders that may be read below. `text_bytes` is how much
    text of one file can be of use. `time_ns` is the kernel's file time from before the load.
    """

    roots: tuple[str, ...]
    text_bytes: int
    threat_scan: bool
    cache: Readings
    time_ns: int


def reader_for(
    roots: tuple[str, ...], text_bytes: int, threat_scan: bool, cache: Readings | None
) -> Reader:
    """Make a reader for one load; without a cache it remembers nothing."""
    time_ns = file_time_ns() if cache is not None else 0
    return Reader(roots, text_bytes, threat_scan, cache or Readings(), time_ns)


def named(path: str) -> str:
    """Spell a path for a one-line message, shortened where it is absurdly long."""
    if len(path) > _LONGEST_SHOWN:
        path = f"{path[: _LONGEST_SHOWN // 2]}…{path[-_LONGEST_SHOWN // 2 :]}"
    return printable(path)


def is_below(real: str, root: str) -> bool:
    """Whether a real path is the root, itself a real path, or lies in it."""
    return real == root or real.startswith(root.rstrip(os.sep) + os.sep)


def read_source(path: str, reader: Reader) -> Source | Unusable | None:
    """Read one instruction file; None where there is none.

    Args:
        path: an absolute path; links are followed as long as they stay below the roots.
        reader: what to read with.
    """
    try:
        real = os.path.realpath(path)
        if not any(is_below(real, root) for root in reader.roots):
            return Unusable(path, "lies outside the workspace and the global folder")
        found = os.lstat(real)
    except (OSError, ValueError) as error:
        return _missing_or_refused(path, error)
    if not stat.S_ISREG(found.st_mode):
        return _irregular(path, found.st_mode)
    key = (path, real, reader.text_bytes, reader.threat_scan)
    known = reader.cache.get(key, stamp(found))
    return known or _read(path, real, reader, key)


def read_exact(path: str, reader: Reader) -> Source | Unusable | None:
    """Read a file whose name has to be spelled this way, also on a disk that ignores case."""
    try:
        os.lstat(path)
    except OSError as error:
        # A name that makes a path too long names nothing; asking on would take long as well.
        if error.errno in (ENOENT, ENOTDIR, ENAMETOOLONG):
            return None
    found = read_source(path, reader)
    return found if found is None or has_exact_name(path) else None


def has_exact_name(path: str) -> bool:
    """Whether a file that is there bears this very name; listing is left for where it matters."""
    folder, name = os.path.split(path)
    if not os.path.lexists(os.path.join(folder, name.swapcase())):
        return True
    try:
        return name in os.listdir(folder)
    except OSError:
        return False


def _missing_or_refused(path: str, error: OSError | ValueError) -> Unusable | None:
    if isinstance(error, OSError) and error.errno in (ENOENT, ENOTDIR):
        return Unusable(path, "is a link to nothing") if os.path.islink(path) else None
    return _refused(path, error)


def _refused(path: str, error: OSError | ValueError) -> Unusable:
    why = (isinstance(error, OSError) and error.strerror) or "not a possible path"
    return Unusable(path, f"can't be read: {why}")


def _irregular(path: str, mode: int) -> Unusable:
    return Unusable(path, f"is {kind_name(mode)}, not a regular file")


def _read(path: str, real: str, reader: Reader, key: tuple[object, ...]) -> Source | Unusable:
    # Twice the text, because UTF-16 and CRLF may take two bytes where the prompt takes one.
    limit = 2 * reader.text_bytes + 4
    try:
        descriptor = os.open(real, OPEN_FLAGS)
        try:
            before = os.fstat(descriptor)
            if not stat.S_ISREG(before.st_mode):
                return _irregular(path, before.st_mode)
            raw = read_up_to(descriptor, limit + 1)
            after = os.fstat(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        return _refused(path, error)
    read = _understood(path, real, raw, limit, max(before.st_size, len(raw)), reader.threat_scan)
    if stamp(before) == stamp(after):
        reader.cache.put(key, stamp(before), read, reader.time_ns)
    return read


def read_up_to(descriptor: int, most: int) -> bytes:
    """The next bytes of an open file, at most `most`."""
    chunks: list[bytes] = []
    while most and (chunk := os.read(descriptor, min(most, _CHUNK_BYTES))):
        chunks.append(chunk)
        most -= len(chunk)
    return b"".join(chunks)


def _understood(
    path: str, real: str, raw: bytes, limit: int, size_bytes: int, threat_scan: bool
) -> Source | Unusable:
    whole = len(raw) <= limit
    text, flaw = decode(raw[:limit], whole)
    if text is None:
        return Unusable(path, f"is not text: {flaw}")
    warnings = [] if flaw is None else [f"{named(path)}: {flaw}"]
    hits: tuple[Hit, ...] = ()
    if threat_scan:
        text, hits = scan(text)
        warnings += _masked(path, hits)
    unread = 0 if whole else size_bytes - limit
    return Source(path, real, text, size_bytes, unread, hits, tuple(warnings))


def _masked(path: str, hits: tuple[Hit, ...]) -> list[str]:
    by_category: dict[str, list[int]] = {}
    for hit in hits:
        by_category.setdefault(hit.category, []).append(hit.line)
    return [
        f"{named(path)}:{lines[0]}: masked as a planted override ({category}){_further(lines[1:])}"
        for category, lines in by_category.items()
    ]


def _further(lines: list[int]) -> str:
    if not lines:
        return ""
    more = len(lines) - _MOST_LINES_NAMED
    named_lines = ", ".join(str(line) for line in lines[:_MOST_LINES_NAMED])
    return f", also in line {named_lines}" + (f" and {more} more" if more > 0 else "")

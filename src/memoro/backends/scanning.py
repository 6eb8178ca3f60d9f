"""Searching every byte of every file below a folder."""

from __future__ import annotations

import gzip
import os
import stat
import zipfile
import zlib
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import BinaryIO, NamedTuple

_CHUNK = 4 * 1024 * 1024
_MOST_UNPACKED = 2 * 1024 * 1024 * 1024
_FOLLOWED = ("backups",)
"""What may be a link of ours: to the folder of backups, on another disk."""
_BROKEN = (EOFError, zlib.error, zipfile.BadZipFile, RuntimeError, NotImplementedError)
"""What a packed file that is broken, locked or packed in another way raises."""


class Scan(NamedTuple):
    """What was searched, and in which files which needles were found; `unread` could not be."""

    files: int
    bytes: int
    hits: Mapping[str, Sequence[str]]
    unread: Sequence[str]


Opener = Callable[[str], AbstractContextManager[Callable[[int], bytes]]]
"""Opens a file to be read on in."""


def scan(
    folder: str,
    needles: Mapping[str, Sequence[bytes]],
    tell: Callable[[str], None],
    openers: Mapping[str, Opener | None] = {},
) -> Scan:
    """Search the files of a folder, links not followed but that to the backups, for each needle in
    any of its forms. Files in `openers` are opened that way, or, with None, not at all."""
    files = size = 0
    hits: dict[str, list[str]] = {}
    unread: list[str] = []
    for path in _files(folder, unread):
        opener = openers.get(path, _opened)
        if opener is None:
            continue
        tell(f"searching {os.path.relpath(path, folder)} …")
        try:
            with opener(path) as reading:
                read, found = _search(reading, needles)
            packed = _search_packed(path, needles) if opener is _opened else []
        except FileNotFoundError:
            continue
        except (OSError, *_BROKEN):
            unread.append(path)
            continue
        files, size = files + 1, size + read
        if found or packed:
            hits[path] = list(dict.fromkeys([*found, *packed]))
    tell("")
    return Scan(files, size, hits, unread)


@contextmanager
def _opened(path: str) -> Generator[Callable[[int], bytes]]:
    with _file(path) as file:
        yield file.read


def _file(path: str) -> BinaryIO:
    return os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb")


def _search_packed(path: str, needles: Mapping[str, Sequence[bytes]]) -> list[str]:
    """Search what is packed in a file. What unpacks to more than can be searched counts as one
    that can't be read."""
    with _file(path) as file:
        return _search_in(file, needles)


def _search_in(file: BinaryIO, needles: Mapping[str, Sequence[bytes]]) -> list[str]:
    start = file.read(4)
    file.seek(0)
    if start.startswith(b"\x1f\x8b"):
        with gzip.open(file) as unpacked:
            return _search(_bounded(unpacked.read, [_MOST_UNPACKED]), needles)[1]
    if not start.startswith(b"PK\x03\x04"):
        return []
    found: list[str] = []
    left = [_MOST_UNPACKED]
    with zipfile.ZipFile(file) as archive:
        for name in archive.namelist():
            with archive.open(name) as member:
                found += _search(_bounded(member.read, left), needles)[1]
    return found


def _bounded(read: Callable[[int], bytes], left: list[int]) -> Callable[[int], bytes]:
    def bounded(size: int) -> bytes:
        chunk = read(size)
        left[0] -= len(chunk)
        if left[0] < 0:
            raise OSError("it unpacks to too much")
        return chunk

    return bounded


def _files(folder: str, unread: list[str]) -> Sequence[str]:
    linked = [path for name in _FOLLOWED if os.path.islink(path := os.path.join(folder, name))]
    return [path for one in (folder, *linked) for path in _files_in(one, unread)]


def _files_in(folder: str, unread: list[str]) -> Sequence[str]:
    found: list[str] = []
    for base, folders, names in os.walk(folder, onerror=lambda one: unread.append(one.filename)):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(base, name)
            try:
                if stat.S_ISREG(os.lstat(path).st_mode):
                    found.append(path)
            except OSError:
                continue
    return found


def _search(
    read: Callable[[int], bytes], needles: Mapping[str, Sequence[bytes]]
) -> tuple[int, list[str]]:
    overlap = max((len(form) for forms in needles.values() for form in forms), default=1) - 1
    left = dict(needles)
    size, tail = 0, b""
    while chunk := read(_CHUNK):
        size += len(chunk)
        window = tail + chunk
        for name in [name for name, forms in left.items() if any(one in window for one in forms)]:
            del left[name]
        tail = window[-overlap:] if overlap else b""
    return size, [name for name in needles if name not in left]

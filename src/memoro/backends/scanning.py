"""Searching every byte of every file below a folder."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

_CHUNK = 4 * 1024 * 1024


class Scan(NamedTuple):
    """What was searched, and in which files which needles were found; `unread` could not be."""

    files: int
    bytes: int
    hits: Mapping[str, Sequence[str]]
    unread: Sequence[str]


def scan(folder: str, needles: Mapping[str, Sequence[bytes]], tell: Callable[[str], None]) -> Scan:
    """Search the files of a folder, links not followed, for each needle in any of its forms."""
    files = size = 0
    hits: dict[str, list[str]] = {}
    unread: list[str] = []
    for path in _files(folder, unread):
        tell(f"searching {os.path.relpath(path, folder)} …")
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            with os.fdopen(descriptor, "rb") as file:
                read, found = _search(file.read, needles)
        except FileNotFoundError:
            continue
        except OSError:
            unread.append(path)
            continue
        files, size = files + 1, size + read
        if found:
            hits[path] = found
    tell("")
    return Scan(files, size, hits, unread)


def _files(folder: str, unread: list[str]) -> Sequence[str]:
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

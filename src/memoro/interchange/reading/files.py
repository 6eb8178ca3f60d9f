"""Guarded access to what another tool left: only regular files, only below the folder that was
named, only as much as is sensible."""

from __future__ import annotations

import codecs
import os
import stat
from collections.abc import Iterator
from typing import NamedTuple

from memoro.bootstrap.files import OPEN_FLAGS, kind_name, printable

MAX_TEXT_BYTES = 4 * 1024 * 1024
"""Of a file of prose: Markdown, a list."""
MAX_JSON_BYTES = 64 * 1024 * 1024
"""Of a JSON file that is read whole; JSON Lines have no limit."""
MAX_ENTRIES = 20_000
"""Of a folder that is looked through."""

_CHUNK = 1024 * 1024
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


class Unread(NamedTuple):
    """Why a file can't be used; completes "FILE …" in one line."""

    why: str


def opened(path: str, root: str | None = None) -> int | Unread:
    """Open a regular file to read; gives its descriptor.

    Args:
        path: the file. A link is followed, but with `root` not out of that folder.
        root: the folder that was named, where one was.
    """
    try:
        real = os.path.realpath(path)
        if root is not None and not _is_below(real, os.path.realpath(root)):
            return Unread("is a link that leads out of the folder, and is not followed")
        # Looking first keeps us from opening a device at all, which alone can have effects.
        mode = os.lstat(real).st_mode
        if not stat.S_ISREG(mode):
            return Unread(f"is {kind_name(mode)}, not a regular file")
        descriptor = os.open(real, OPEN_FLAGS)
    except (OSError, ValueError) as error:
        return Unread(f"can't be read: {reason_of(error)}")
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        return Unread("is not a regular file")
    return descriptor


def read_bytes(path: str, most: int, root: str | None = None) -> bytes | Unread:
    """A whole file, or why not; `most` is how many bytes it may have."""
    descriptor = opened(path, root)
    if isinstance(descriptor, Unread):
        return descriptor
    chunks: list[bytes] = []
    size = 0
    try:
        while chunk := os.read(descriptor, _CHUNK):
            size += len(chunk)
            if size > most:
                size = max(size, os.fstat(descriptor).st_size)
                return Unread(f"has {size:,} bytes; at most {most:,} are read at once")
            chunks.append(chunk)
    except OSError as error:
        return Unread(f"can't be read: {reason_of(error)}")
    finally:
        os.close(descriptor)
    return b"".join(chunks)


def read_text(path: str, most: int = MAX_TEXT_BYTES, root: str | None = None) -> str | Unread:
    """A whole file of text, with `\\n` as its line end, or why not."""
    raw = read_bytes(path, most, root)
    text = raw if isinstance(raw, Unread) else decoded(raw)
    return text if isinstance(text, Unread) else text.replace("\r\n", "\n").replace("\r", "\n")


def decoded(raw: bytes) -> str | Unread:
    """Bytes as text: UTF-8, or what their byte order mark says."""
    mark, encoding = next(
        ((mark, encoding) for mark, encoding in _MARKS if raw.startswith(mark)), (b"", "utf-8")
    )
    try:
        text = raw[len(mark) :].decode(encoding)
    except UnicodeDecodeError as error:
        place = len(mark) + error.start
        return Unread(f"is not {encoding.upper()} text (byte offset {place}); save it as UTF-8")
    nul = text.find("\0")
    if nul >= 0:
        guess = ", or UTF-16 without a byte order mark" if _looks_wide(raw) else ""
        return Unread(f"is not text (a NUL character at offset {nul}{guess})")
    return text


def changed_at(path: str) -> float | None:
    """When a file was last changed, as a timestamp; None where that can't be told."""
    try:
        return os.stat(path).st_mtime
    except (OSError, ValueError):
        return None


def names_in(folder: str, root: str | None = None) -> list[str]:
    """The names in a folder, sorted; none where it can't be listed or leads out of the root."""
    try:
        real = os.path.realpath(folder)
        if root is not None and not _is_below(real, os.path.realpath(root)):
            return []
        with os.scandir(real) as entries:
            return sorted(entry.name for entry, _ in zip(entries, range(MAX_ENTRIES), strict=False))
    except (OSError, ValueError):
        return []


def below(folder: str, ending: str, depth: int, root: str) -> Iterator[str]:
    """The files below a folder whose names end so, as paths relative to the root, in order."""
    for name in names_in(folder, root):
        path = os.path.join(folder, name)
        if name.endswith(ending) and not os.path.isdir(path):
            yield os.path.relpath(path, root)
        elif depth and not name.startswith(".") and os.path.isdir(path):
            yield from below(path, ending, depth - 1, root)


def shown_path(path: str) -> str:
    """A path, relative to the folder that was named, as it can stand in a message."""
    return printable(path)


def reason_of(error: OSError | ValueError) -> str:
    """Why the system refused, in its words."""
    return (isinstance(error, OSError) and error.strerror) or "it is not a possible path"


def _is_below(real: str, root: str) -> bool:
    return real == root or real.startswith(root.rstrip(os.sep) + os.sep)


def _looks_wide(raw: bytes) -> bool:
    return max(raw[1::2].count(0), raw[::2].count(0)) * 4 > len(raw)

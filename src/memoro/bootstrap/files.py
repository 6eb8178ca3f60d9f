"""Guarded reads of the small text files that people write for the assistant.

A file is taken whole and as it is written, or refused with a reason; nothing is ever cut, and
nothing but a regular file is ever opened for longer than it takes to see what it is.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from errno import ELOOP, EMLINK

from memoro.errors import FileRefusedError, TooLargeError

# O_NOFOLLOW and O_NONBLOCK matter only if the file was exchanged after `lstat` looked at it: a
# link is then refused by the open itself, and a FIFO opens at once instead of waiting for a writer.
OPEN_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_CHUNK_BYTES = 65_536

_KINDS = {
    stat.S_IFLNK: "a symbolic link",
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a FIFO",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}
_REPLACE = "Put a regular UTF-8 text file in its place, or remove it"
_REPLACE_LINK = "Replace the link by a copy of the file that it points to, or remove it"
_SAVE_AS_UTF8 = "Save it as UTF-8"


def upwards(path: str) -> Iterator[str]:
    """A folder, and those above it up to the root."""
    while True:
        yield path
        parent = os.path.dirname(path)
        if parent == path:
            return
        path = parent


def read_text_file(path: str, limit_bytes: int, setting: str) -> str | None:
    """Read a whole UTF-8 text file.

    The text is what stands in the file: line ends, blank lines and spaces are kept, because it is
    shown and sent as its writer left it. Only a byte order mark at the start is dropped.

    Args:
        path: the file. Folders on the way to it may be links; the file itself may not.
        limit_bytes: the most bytes the file may have on disk, its byte order mark included.
        setting: the name of the setting that holds this limit, for the message.

    Returns:
        The text, or None where there is no such file.

    Raises:
        FileRefusedError: it is no regular file, can't be read, is not UTF-8, or holds a NUL byte.
        TooLargeError: it has more than `limit_bytes` bytes.
    """
    try:
        # Looking first keeps us from opening a device at all, which alone can have effects.
        _refuse_irregular(path, os.lstat(path).st_mode)
        descriptor = os.open(path, OPEN_FLAGS)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _refused_by_system(path, error) from error
    try:
        raw = _read_up_to(descriptor, path, limit_bytes, setting)
    except OSError as error:
        raise _refused_by_system(path, error) from error
    finally:
        os.close(descriptor)
    return _decoded(path, raw)


def printable(path: str) -> str:
    """Spell a path for a one-line message: line ends and odd bytes are escaped."""
    return path if path.isprintable() else repr(path)


def kind_name(mode: int) -> str:
    """What a file that is not regular is, in words, from its mode."""
    return _KINDS.get(stat.S_IFMT(mode), "something else")


def _refuse_irregular(path: str, mode: int) -> None:
    if not stat.S_ISREG(mode):
        raise _irregular(path, mode)


def _irregular(path: str, mode: int) -> FileRefusedError:
    kind = kind_name(mode)
    fix = _REPLACE_LINK if stat.S_ISLNK(mode) else _REPLACE
    return FileRefusedError(f"{printable(path)} is {kind}, not a regular file", fix)


def _refused_by_system(path: str, error: OSError) -> FileRefusedError:
    # EMLINK is what FreeBSD says for a link under O_NOFOLLOW.
    if error.errno in (ELOOP, EMLINK) and os.path.islink(path):
        return _irregular(path, stat.S_IFLNK)
    why = error.strerror or "unknown error"
    return FileRefusedError(
        f"{printable(path)} can't be read: {why}", "Make it readable for you, or remove it"
    )


def _read_up_to(descriptor: int, path: str, limit_bytes: int, setting: str) -> bytes:
    found = os.fstat(descriptor)
    _refuse_irregular(path, found.st_mode)
    if found.st_size > limit_bytes:
        raise _too_large(path, found.st_size, limit_bytes, setting)
    chunks: list[bytes] = []
    left = limit_bytes + 1
    while left and (chunk := os.read(descriptor, min(left, _CHUNK_BYTES))):
        chunks.append(chunk)
        left -= len(chunk)
    if not left:
        grown = max(os.fstat(descriptor).st_size, limit_bytes + 1)
        raise _too_large(path, grown, limit_bytes, setting)
    return b"".join(chunks)


def _too_large(path: str, size_bytes: int, limit_bytes: int, setting: str) -> TooLargeError:
    return TooLargeError(
        f"{printable(path)} has {size_bytes} bytes, more than its limit of {limit_bytes} bytes"
        f" ({setting})",
        f"Shorten it to {limit_bytes} bytes, or set {setting} to at least {size_bytes}",
    )


def _decoded(path: str, raw: bytes) -> str:
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        looks = "It looks like UTF-16. " if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else ""
        raise FileRefusedError(
            f"{printable(path)} is not UTF-8: bad byte 0x{raw[error.start]:02x}"
            f" at byte offset {error.start}",
            looks + _SAVE_AS_UTF8,
        ) from error
    nul = raw.find(b"\0")
    if nul >= 0:
        raise FileRefusedError(
            f"{printable(path)} is not text: NUL byte at byte offset {nul}", _SAVE_AS_UTF8
        )
    return text.removeprefix("\ufeff")

"""What is said of something in the folder that can't be used."""

from __future__ import annotations

import errno
import os

from memoro.errors import FileRefusedError, StoreError

MAX_FILE_BYTES = 64 * 1024 * 1024
"""The largest file that is read."""

_OFF = "or switch the plain files off: memoro config set mirror off"


def refused(path: str, what: str) -> FileRefusedError:
    """Something else stands in a file's place."""
    return FileRefusedError(
        f"{path} is {what}, and was left alone", "move it away; it is written anew"
    )


def unopened(path: str, error: OSError) -> FileRefusedError | None:
    """A file can't be opened and is alone to blame for that: it costs itself. None of any other
    error."""
    if error.errno == errno.ELOOP:
        return refused(path, "a link")
    if error.errno in (errno.EACCES, errno.EPERM):
        what = f"{path} can't be read ({error.strerror}), and was left alone"
        return FileRefusedError(what, f"chmod 600 {path}")
    return None


def too_large(path: str, size: int) -> FileRefusedError:
    """A file has more bytes than are read, ever or unasked."""
    what = f"{path} has {size:,} bytes, and was left alone"
    if size <= MAX_FILE_BYTES:
        return FileRefusedError(f"{what}; to have it merged: memoro memory merge")
    return FileRefusedError(
        f"{what}; at most {MAX_FILE_BYTES:,} are read: split it, or move it away"
    )


def not_a_folder(path: str, error: OSError) -> FileRefusedError | StoreError:
    """The folder itself can't be opened."""
    if os.path.islink(path):
        return FileRefusedError(
            f"{path} is a link; nothing was written or read through it",
            f"put a folder in its place, {_OFF}",
        )
    if error.errno == errno.ENOTDIR:
        return FileRefusedError(
            f"{path} is a file, not a folder",
            f"move it away, {_OFF}",
        )
    return StoreError(
        f"{path} can't be used: {error.strerror or error}", "check the folder's permissions"
    )

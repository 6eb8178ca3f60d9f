"""What the system offers beyond plain files: two names exchanged in one step, and whether somebody
has a file open to write. Not every system, or file system, has either."""

from __future__ import annotations

import errno
import fcntl
import os
import signal
import sys
from collections.abc import Callable
from functools import cache

_EXCHANGE = 2
"""RENAME_EXCHANGE on Linux, RENAME_SWAP on macOS."""

_CANNOT = frozenset(
    {errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EPERM, errno.ENOTTY}
)
_Rename = Callable[[int, bytes, int, bytes, int], int]


def exchange(folder: int, one: str, other: str) -> bool:
    """Let two names in an open folder change places, so that neither is ever missing; False where
    that can't be done here, and then nothing was.

    Raises:
        OSError: as it says; nothing was done.
    """
    rename = _rename()
    if rename is None:
        return False
    import ctypes

    if rename(folder, os.fsencode(one), folder, os.fsencode(other), _EXCHANGE) == 0:
        return True
    code = ctypes.get_errno()
    if code in _CANNOT:
        return False
    raise OSError(code, os.strerror(code))


def is_being_written(descriptor: int) -> bool:
    """Whether some process has an open file open to write, too; False where the system doesn't
    tell. For files of one's own that are open to be read."""
    if sys.platform != "linux":
        return False
    try:
        # Whoever opens it to write in this very moment makes the system send us a signal; the
        # usual one would end us, this one is ignored.
        fcntl.fcntl(descriptor, fcntl.F_SETSIG, signal.SIGURG)
        fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_RDLCK)
        fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    except OSError as error:
        return error.errno == errno.EAGAIN
    return False


@cache
def _rename() -> _Rename | None:
    # Loaded only where a file is replaced.
    import ctypes

    try:
        library = ctypes.CDLL(None, use_errno=True)
        found = getattr(library, "renameatx_np" if sys.platform == "darwin" else "renameat2")
    except (OSError, AttributeError):
        return None
    path = ctypes.c_char_p
    found.argtypes = (ctypes.c_int, path, ctypes.c_int, path, ctypes.c_uint)
    found.restype = ctypes.c_int
    return found

"""Advisory file locks: given back by the system when their process ends, however it ends."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Callable

from memoro.backends.sqlite.paths import unusable

_RETRY_SECONDS = 0.01


def acquire(
    path: str,
    *,
    exclusive: bool,
    wait_seconds: float,
    unless: Callable[[], bool] | None = None,
) -> int | None:
    """Lock a file, made where it is missing; gives its descriptor, or None when others held it
    for all of `wait_seconds`, or when `unless` said meanwhile that it is not needed any more.

    Raises:
        StoreError: the file can't be opened.
    """
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise unusable(path, error) from error
    mode = fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH
    deadline = time.monotonic() + wait_seconds
    while True:
        try:
            fcntl.flock(descriptor, mode | fcntl.LOCK_NB)
            return descriptor
        except BlockingIOError:
            if time.monotonic() >= deadline or (unless is not None and unless()):
                os.close(descriptor)
                return None
            time.sleep(_RETRY_SECONDS)
        except OSError as error:
            os.close(descriptor)
            raise unusable(path, error) from error


def release(descriptor: int) -> None:
    """Give a lock back."""
    os.close(descriptor)

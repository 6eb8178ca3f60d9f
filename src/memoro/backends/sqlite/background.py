"""Work that nobody waits for, by a process of its own that goes on when this one has ended."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager

from memoro.backends.sqlite.locks import acquire, release
from memoro.backends.sqlite.paths import StorePaths, make_folder


def start(home: str, words: Sequence[str], environ: Mapping[str, str]) -> None:
    """Start `memoro WORDS` for a home folder, unless one is at work there already."""
    path = _lock_path(home)
    if not os.path.isdir(home) or is_busy(path):
        return
    # A shell that ends at once leaves it to the system, which looks after it when we are gone.
    subprocess.run(
        ["/bin/sh", "-c", '"$@" &', "sh", sys.executable, "-m", "memoro", *words, "--quiet"],
        env={**environ, "MEMORO_HOME": home},
        cwd=home,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        check=False,
    )


def is_busy(path: str) -> bool:
    """Whether another process holds this lock."""
    if not os.path.exists(path):
        return False
    lock = acquire(path, exclusive=True, wait_seconds=0)
    if lock is None:
        return True
    release(lock)
    return False


@contextmanager
def alone(home: str) -> Generator[bool]:
    """Whether this is the one process that works behind for a home folder; while it is, no other
    one is."""
    path = _lock_path(home)
    make_folder(os.path.dirname(path))
    lock = acquire(path, exclusive=True, wait_seconds=0)
    try:
        yield lock is not None
    finally:
        if lock is not None:
            release(lock)


def _lock_path(home: str) -> str:
    return os.path.join(StorePaths(home).sessions, "index.lock")

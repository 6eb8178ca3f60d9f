"""The bytes of a database that is open.

Opening and closing its file in any other way gives up the locks that SQLite holds on it for this
process. Another one then removes the write-ahead log, and what is committed here is lost.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator
from contextlib import contextmanager

import apsw


@contextmanager
def opened_raw(path: str) -> Generator[Callable[[int], bytes]]:
    """Gives what reads on in the file, as far as it went when it was opened.

    Raises:
        OSError: it can't be read.
    """
    try:
        flags = [apsw.SQLITE_OPEN_MAIN_DB | apsw.SQLITE_OPEN_READONLY, 0]
        file = apsw.VFSFile("", os.path.abspath(path), flags)
        try:
            yield _reader(file)
        finally:
            file.xClose()
    except apsw.Error as error:
        raise OSError(str(error)) from error


def _reader(file: apsw.VFSFile) -> Callable[[int], bytes]:
    size, at = file.xFileSize(), 0

    def read(count: int) -> bytes:
        nonlocal at
        count = min(count, size - at)
        data = bytes(file.xRead(count, at)) if count else b""
        at += count
        return data

    return read

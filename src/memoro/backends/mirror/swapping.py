"""Letting a new file take an old one's place without losing what somebody saves in that moment.

The two change names in one step; then what was taken away is looked at. Where it is not what was to
go, somebody has just saved it: it stays beside the new one until it is read. It is never put back:
the new one may have been read by then, and saved again.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

from memoro.backends.mirror.exchanging import exchange, is_being_written
from memoro.backends.mirror.folder import FILE_FLAGS, Folder
from memoro.backends.mirror.names import partial, swapped
from memoro.backends.mirror.refusing import MAX_FILE_BYTES, refused, too_large, unopened
from memoro.errors import FileRefusedError

MayGo = Callable[[bytes], bool]

_MOST_SECONDS = 1.0
"""How long a file that was taken away is waited for that somebody still writes to."""
_NAP_SECONDS = 0.01


class Gone(NamedTuple):
    """A file that was taken away, still open: `data` is what it held. To be closed by `late`."""

    descriptor: int
    data: bytes

    def late(self) -> bytes | None:
        """What somebody has written into it since, who had it open; None where nobody has."""
        try:
            data = _settled(self.descriptor)
            return None if data == self.data else data
        finally:
            os.close(self.descriptor)


class Swapped(NamedTuple):
    """Whether the file is `done`; else somebody was faster, and what they saved is in its place,
    or beside it. `gone` is what was there before."""

    done: bool
    gone: Gone | None = None


def replace(folder: Folder, name: str, may_go: MayGo) -> Swapped:
    """Let what was prepared take the file's place, if what stands there may go.

    Raises:
        FileRefusedError: something stands there that is no file.
        StoreError: the folder can't be written, or is gone.
    """
    with folder.there(name), folder.at(name) as (where, base):
        swap = _Swap(folder, name, where, base)
        # From here on the name says that the file is whole.
        swap.rename(partial(base), swapped(base))
        try:
            return swap.replaced(may_go)
        finally:
            if not swap.is_theirs:
                swap.drop()


def remove(folder: Folder, name: str, may_go: MayGo) -> Swapped:
    """Remove a file, if what stands there may go; and the folder that it was alone in.

    Raises:
        FileRefusedError, StoreError: as for `replace`.
    """
    try:
        with folder.at(name) as (where, base):
            swap = _Swap(folder, name, where, base)
            done = swap.removed(may_go)
            if not swap.is_theirs:
                swap.drop()
    except FileNotFoundError:
        return Swapped(True)
    if done.done:
        folder.leave(name)
    return done


def beside(folder: Folder, name: str) -> bytes | None:
    """What lies beside a file since it was swapped, once nobody writes to it any more.

    Raises:
        StoreError: it can't be read.
    """
    try:
        with folder.at(name) as (where, base):
            return _Swap(folder, name, where, base).read()
    except FileNotFoundError:
        return None


def lay_beside(folder: Folder, name: str, data: bytes) -> None:
    """Let a text lie beside a file as one that was taken away.

    Raises:
        StoreError: it can't be written.
    """
    folder.prepare(name, data)
    with folder.there(name), folder.at(name) as (where, base):
        _Swap(folder, name, where, base).rename(partial(base), swapped(base))


def drop_beside(folder: Folder, name: str) -> None:
    """Throw away what lies beside a file."""
    with suppress(FileNotFoundError), folder.at(name) as (where, base):
        _Swap(folder, name, where, base).drop()


class _Swap:
    """One file while it is swapped. `is_theirs`: what lies beside it is what somebody saved."""

    def __init__(self, folder: Folder, name: str, where: int, base: str) -> None:
        self._path = folder.full(name)
        self._where = where
        self._base = base
        self._ready = swapped(base)
        self._ours = 0
        self.is_theirs: bool = False

    def replaced(self, may_go: MayGo) -> Swapped:
        tells = self._tells()
        old = self._opened(self._base)
        if old is None:
            return Swapped(self._placed())
        gone = None
        try:
            data = _whole(old)
            if (tells and is_being_written(old)) or not may_go(data):
                return Swapped(False)
            try:
                exchanged = exchange(self._where, self._ready, self._base)
            except FileNotFoundError:
                # Somebody has just removed it.
                return Swapped(self._placed())
            if exchanged:
                self._leave_what_is_no_file()
                self.is_theirs = not self._is_still(old, data, tells=tells)
            else:
                self.rename(self._ready, self._base)
            if not self.is_theirs:
                gone = Gone(old, data)
            return Swapped(not self.is_theirs, gone)
        finally:
            if gone is None:
                os.close(old)

    def removed(self, may_go: MayGo) -> Swapped:
        old = self._opened(self._base)
        if old is None:
            return Swapped(True)
        try:
            data = _whole(old)
            if is_being_written(old) or not may_go(data):
                return Swapped(False)
            self.rename(self._base, self._ready)
            if not stat.S_ISREG(self._look(self._ready).st_mode) and not self._is_there():
                self.rename(self._ready, self._base)
                raise refused(self._path, "no file")
            self.is_theirs = not self._is_still(old, data, tells=True)
            return Swapped(not self.is_theirs)
        finally:
            os.close(old)

    def read(self) -> bytes | None:
        """What lies beside the file; None where nothing does, or something that is no file."""
        try:
            descriptor = self._opened(self._ready)
        except FileRefusedError:
            return None
        if descriptor is None:
            return None
        try:
            return _settled(descriptor)
        finally:
            os.close(descriptor)

    def rename(self, one: str, other: str) -> None:
        os.rename(one, other, src_dir_fd=self._where, dst_dir_fd=self._where)

    def drop(self) -> None:
        """Throw away what lies beside the file."""
        with suppress(FileNotFoundError, IsADirectoryError):
            os.unlink(self._ready, dir_fd=self._where)

    def _tells(self) -> bool:
        """Whether the system tells who has a file open, which it can't do everywhere: nobody has
        the one that was prepared."""
        descriptor = self._opened(self._ready)
        if descriptor is None:
            raise FileNotFoundError(self._ready)
        try:
            self._ours = os.fstat(descriptor).st_ino
            return not is_being_written(descriptor)
        finally:
            os.close(descriptor)

    def _leave_what_is_no_file(self) -> None:
        """Put back what somebody has just put there that is no file, and so is never read."""
        if stat.S_ISREG(self._look(self._ready).st_mode):
            return
        exchange(self._where, self._ready, self._base)
        self.is_theirs = self._look(self._ready).st_ino != self._ours
        raise refused(self._path, "no file")

    def _look(self, name: str) -> os.stat_result:
        return os.stat(name, dir_fd=self._where, follow_symlinks=False)

    def _placed(self) -> bool:
        """Let what is ready take a place that is free; False where it no longer is."""
        try:
            os.link(self._ready, self._base, src_dir_fd=self._where, dst_dir_fd=self._where)
            return True
        except FileExistsError:
            return False
        except FileNotFoundError:
            raise
        except OSError:
            # Not every file system has links.
            if self._is_there():
                return False
            self.rename(self._ready, self._base)
            return True

    def _is_still(self, old: int, data: bytes, *, tells: bool) -> bool:
        """Whether what was taken away is the file that was looked at, says the same, and nobody is
        about to write to it."""
        found = self._look(self._ready)
        before = os.fstat(old)
        if (found.st_dev, found.st_ino) != (before.st_dev, before.st_ino):
            return False
        return not (tells and is_being_written(old)) and _whole(old) == data

    def _is_there(self) -> bool:
        with suppress(FileNotFoundError):
            self._look(self._base)
            return True
        return False

    def _opened(self, name: str) -> int | None:
        """Open a file; None where there is none."""
        try:
            descriptor = os.open(name, FILE_FLAGS, dir_fd=self._where)
        except FileNotFoundError:
            return None
        except OSError as error:
            told = unopened(self._path, error)
            if told is None:
                raise
            raise told from error
        found = os.fstat(descriptor)
        if stat.S_ISREG(found.st_mode) and found.st_size <= MAX_FILE_BYTES:
            return descriptor
        os.close(descriptor)
        if stat.S_ISREG(found.st_mode):
            raise too_large(self._path, found.st_size)
        raise refused(self._path, "no file")


def _settled(descriptor: int) -> bytes:
    """What a file holds once nobody writes to it any more; after a while, what it holds."""
    deadline = time.monotonic() + _MOST_SECONDS
    while is_being_written(descriptor) and time.monotonic() < deadline:
        time.sleep(_NAP_SECONDS)
    return _whole(descriptor)


def _whole(descriptor: int) -> bytes:
    pieces: list[bytes] = []
    at = 0
    while piece := os.pread(descriptor, 1 << 20, at):
        pieces.append(piece)
        at += len(piece)
    return b"".join(pieces)

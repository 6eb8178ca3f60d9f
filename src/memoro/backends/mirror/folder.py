"""The folder that the mirror lies in: read and written without ever following a link out of it."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Generator
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import NamedTuple, Self

from memoro.backends.mirror.exchanging import is_being_written
from memoro.backends.mirror.names import DAYS, in_place_of, is_aside, is_partial, partial
from memoro.backends.mirror.refusing import (
    MAX_FILE_BYTES,
    not_a_folder,
    refused,
    too_large,
    unopened,
)
from memoro.backends.sqlite.paths import make_folder
from memoro.errors import FileRefusedError, StoreError

_FOLDER_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# A pipe would make us wait for its writer.
FILE_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_NEW_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_MOST_COPIES = 10_000


class Seen(NamedTuple):
    """What the system says of a file, by which a change of it is noticed."""

    size: int
    mtime: int
    inode: int


class Folder:
    """The open folder. Names are paths below it; in those with a slash, all but the last part are
    folders of ours."""

    def __init__(self, path: str, descriptor: int) -> None:
        self.path = path
        self._descriptor = descriptor

    @classmethod
    def open(cls, path: str, *, make: bool) -> Self | None:
        """Open it, made where it is missing and `make` says so; else None.

        Raises:
            FileRefusedError: something else stands in its place.
            StoreError: it can't be made or opened.
        """
        if make and not os.path.lexists(path):
            make_folder(path)
        try:
            return cls(path, os.open(path, _FOLDER_FLAGS))
        except FileNotFoundError:
            return None
        except OSError as error:
            raise not_a_folder(path, error) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        os.close(self._descriptor)

    def full(self, name: str) -> str:
        """The whole path of a file, for messages."""
        return os.path.join(self.path, name)

    def names(self, below: str = "") -> list[str]:
        """What lies in it, or in a folder below it, sorted; paths below this folder."""
        try:
            with self.at(os.path.join(below, ".")) as (descriptor, _):
                found = sorted(os.listdir(descriptor))
        except FileNotFoundError:
            return []
        return [os.path.join(below, name) for name in found]

    def look(self, name: str) -> Seen | None:
        """How a file is; None where there is none.

        Raises:
            FileRefusedError: it is no regular file.
        """
        try:
            with self.at(name) as (descriptor, base):
                return self._seen(name, os.stat(base, dir_fd=descriptor, follow_symlinks=False))
        except FileNotFoundError:
            return None

    def read(self, name: str, most: int = MAX_FILE_BYTES) -> tuple[Seen, bytes] | None:
        """A file as it is, and its bytes; None where there is none.

        Raises:
            FileRefusedError: it is no regular file, or too large.
        """
        try:
            with self.at(name) as (descriptor, base):
                file = self._opened(name, base, descriptor)
        except FileNotFoundError:
            return None
        with os.fdopen(file, "rb") as opened, self._explained(name):
            seen = self._seen(name, os.fstat(file))
            if seen.size > most:
                raise too_large(self.full(name), seen.size)
            return seen, opened.read()

    def is_being_written(self, name: str) -> bool:
        """Whether somebody has a file open to write, where the system tells that."""
        try:
            with self.at(name) as (descriptor, base):
                file = self._opened(name, base, descriptor)
        except FileNotFoundError:
            return False
        try:
            return is_being_written(file)
        finally:
            os.close(file)

    def prepare(self, name: str, data: bytes) -> Seen:
        """Write what a file is to have beside it, onto the disk; gives how it is."""
        with self.there(name), self.at(name, make=True) as (descriptor, base):
            new = partial(base)
            with suppress(FileNotFoundError):
                os.unlink(new, dir_fd=descriptor)
            try:
                with os.fdopen(os.open(new, _NEW_FLAGS, 0o600, dir_fd=descriptor), "wb") as file:
                    file.write(data)
                    file.flush()
                    os.fsync(file.fileno())
                    return self._seen(name, os.fstat(file.fileno()))
            except BaseException:
                with suppress(OSError):
                    os.unlink(new, dir_fd=descriptor)
                raise

    def drop(self, name: str) -> None:
        """Throw away what was prepared."""
        with suppress(FileNotFoundError), self.at(name) as (descriptor, base):
            os.unlink(partial(base), dir_fd=descriptor)

    def remove(self, name: str) -> None:
        """Remove a file that nobody else can have changed."""
        with suppress(FileNotFoundError), self.at(name) as (descriptor, base):
            os.unlink(base, dir_fd=descriptor)

    def leave(self, name: str) -> None:
        """Remove the folder below this one that a file was alone in."""
        parent = os.path.dirname(name)
        if parent:
            with suppress(OSError):
                os.rmdir(parent, dir_fd=self._descriptor)

    def sync(self, name: str = "") -> None:
        """Bring the names in the folder of a file to the disk."""
        with suppress(FileNotFoundError), self.at(name) as (descriptor, _):
            os.fsync(descriptor)

    def keep(self, name: str, data: bytes, word: str) -> str:
        """Keep a copy beside a file under a name that nothing has, as `name.word-1`; where there is
        such a copy already, its name."""
        for number in range(1, _MOST_COPIES):
            copy = f"{name}.{word}-{number}"
            if self.copy(copy, data):
                return copy
        raise StoreError(
            f"there are {_MOST_COPIES:,} copies of {self.full(name)}", "delete some of them"
        )

    def copies(self) -> list[str]:
        """The copies that were kept, sorted."""
        return [name for name in self._everywhere() if is_aside(name)]

    def tidy(self) -> list[str]:
        """Remove what a process that was killed left half made; nobody else may be at work. Gives
        the files that it was just replacing."""
        replacing: list[str] = []
        for name in self._everywhere():
            swapped = in_place_of(name)
            if swapped is not None:
                replacing.append(swapped)
            elif is_partial(name):
                self.remove(name)
        return replacing

    def copy(self, copy: str, data: bytes) -> bool:
        """Keep a copy under that name; False where something else has it."""
        try:
            known = self.read(copy)
        except FileRefusedError:
            return False
        if known is not None:
            return known[1] == data
        self.prepare(copy, data)
        with self.at(copy) as (descriptor, base):
            try:
                os.link(partial(base), base, src_dir_fd=descriptor, dst_dir_fd=descriptor)
                os.unlink(partial(base), dir_fd=descriptor)
            except FileExistsError:
                os.unlink(partial(base), dir_fd=descriptor)
                return False
            except OSError:
                # Not every file system has links.
                os.rename(partial(base), base, src_dir_fd=descriptor, dst_dir_fd=descriptor)
            os.fsync(descriptor)
        return True

    def _everywhere(self) -> list[str]:
        found = self.names()
        with suppress(FileRefusedError):
            for month in self.names(DAYS):
                with suppress(FileRefusedError):
                    found += self.names(month)
        return found

    def _opened(self, name: str, base: str, descriptor: int) -> int:
        try:
            return os.open(base, FILE_FLAGS, dir_fd=descriptor)
        except OSError as error:
            told = unopened(self.full(name), error)
            if told is None:
                raise
            raise told from error

    def _seen(self, name: str, found: os.stat_result) -> Seen:
        if not stat.S_ISREG(found.st_mode):
            raise refused(self.full(name), "a link" if stat.S_ISLNK(found.st_mode) else "no file")
        return seen_of(found)

    @contextmanager
    def at(self, name: str, *, make: bool = False) -> Generator[tuple[int, str]]:
        """The folder that a file lies in, and its name there."""
        *parents, base = name.split("/")
        descriptor = os.dup(self._descriptor)
        try:
            with self._explained(name):
                for parent in parents:
                    below = self._below(descriptor, parent, make=make)
                    os.close(descriptor)
                    descriptor = below
                yield descriptor, base
        finally:
            os.close(descriptor)

    @contextmanager
    def there(self, name: str) -> Generator[None]:
        """Say so where the folder is gone that a file is to lie in."""
        try:
            yield
        except FileNotFoundError as error:
            raise StoreError(
                f"{self.full(name)} was taken away while it was written", "memoro memory mirror"
            ) from error

    def _below(self, descriptor: int, name: str, *, make: bool) -> int:
        if make:
            with suppress(FileExistsError):
                os.mkdir(name, 0o700, dir_fd=descriptor)
        try:
            return os.open(name, _FOLDER_FLAGS, dir_fd=descriptor)
        except OSError as error:
            if error.errno in (errno.ENOTDIR, errno.ELOOP):
                raise refused(self.full(name), "a link, or no folder") from error
            raise

    @contextmanager
    def _explained(self, name: str) -> Generator[None]:
        try:
            yield
        except FileNotFoundError:
            raise
        except OSError as error:
            raise StoreError(
                f"{self.full(name).rstrip('/.')}: {error.strerror or error}",
                "check the free space and the folder's permissions",
            ) from error


def seen_of(found: os.stat_result) -> Seen:
    """What is compared of a file."""
    # SQLite's integers end at 63 bits.
    return Seen(found.st_size, found.st_mtime_ns, found.st_ino & (2**63 - 1))

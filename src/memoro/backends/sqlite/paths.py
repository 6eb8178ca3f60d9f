"""Where the store's files lie, and how a folder of ours is made."""

import os
import stat
from typing import NamedTuple

from memoro.errors import StoreError


class StorePaths(NamedTuple):
    """The files of one store, all below `home`."""

    home: str

    @property
    def database(self) -> str:
        """The truth."""
        return os.path.join(self.home, "memory.db")

    @property
    def log(self) -> str:
        """The database's write-ahead log."""
        return self.database + "-wal"

    @property
    def lock(self) -> str:
        """Held shared by whoever has the database open, exclusively by whoever replaces it."""
        return os.path.join(self.home, "memory.lock")

    @property
    def partial(self) -> str:
        """A database in the making, by whoever holds the lock exclusively; not to be trusted."""
        return self.database + ".partial"

    @property
    def successor(self) -> str:
        """A complete database that is about to take the place of the one that stands there."""
        return self.database + ".new"

    @property
    def repair(self) -> str:
        """The folder in which a damaged database is read."""
        return os.path.join(self.home, "repair")

    @property
    def backups(self) -> str:
        """The folder of backups."""
        return os.path.join(self.home, "backups")

    @property
    def sessions(self) -> str:
        """The folder of the locks that running sessions hold."""
        return os.path.join(self.home, "sessions")


def make_folder(path: str) -> None:
    """Make a folder that only its owner may enter, with its parents.

    Raises:
        StoreError: it can't be made, or a file stands in its place.
    """
    try:
        os.makedirs(path, mode=0o700, exist_ok=True)
    except OSError as error:
        raise unusable(path, error) from error


def is_there(path: str) -> bool:
    """Whether a regular file of that name is there.

    Raises:
        StoreError: it can't be known, or something else stands there.
    """
    try:
        mode = os.lstat(path).st_mode
    except FileNotFoundError:
        return False
    except OSError as error:
        raise unusable(path, error) from error
    if not stat.S_ISREG(mode):
        # A link would leave the write-ahead log and the lock in two different folders.
        raise StoreError(
            f"{path} is not a regular file; it was left alone",
            "move it away, or set MEMORO_HOME to another folder",
        )
    return True


def is_in_place(paths: StorePaths) -> bool:
    """Whether there is a database, and no other one about to take its place.

    Raises:
        StoreError: as `is_there`.
    """
    return is_there(paths.database) and not os.path.lexists(paths.successor)


def sync(path: str) -> None:
    """Bring a file or a folder to the disk."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def unusable(path: str, error: OSError) -> StoreError:
    """What to tell of a file that the system refused us."""
    if isinstance(error, FileExistsError | NotADirectoryError):
        return StoreError(
            f"{_blocking(path)} is a file, not a folder",
            "move it away, or set MEMORO_HOME to a folder",
        )
    return StoreError(
        f"{path} can't be used: {error.strerror or error}",
        "check its permissions and the free space, or set MEMORO_HOME to another folder",
    )


def _blocking(path: str) -> str:
    """The file that stands where a folder on the way to `path` should be."""
    parent = path
    while parent != os.path.dirname(parent) and not os.path.lexists(parent):
        parent = os.path.dirname(parent)
    return parent

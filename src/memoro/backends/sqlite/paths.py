"""Where the store's files lie, and how a folder of ours is made."""

import os
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
    def lock(self) -> str:
        """Held shared by whoever has the database open, exclusively by whoever replaces it."""
        return os.path.join(self.home, "memory.lock")

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
    except FileExistsError as error:
        raise StoreError(
            f"{path} is a file, not a folder", "move it away, or set MEMORO_HOME to a folder"
        ) from error
    except OSError as error:
        raise unusable(path, error) from error


def unusable(path: str, error: OSError) -> StoreError:
    """What to tell of a file that the system refused us."""
    return StoreError(
        f"{path} can't be used: {error.strerror or error}",
        "check its permissions and the free space, or set MEMORO_HOME to another folder",
    )

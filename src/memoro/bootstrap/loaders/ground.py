"""Where an emulation happens, and guarded looks at the files there.

A file is opened only to find what it imports, and only where it lies in the workspace or in a
folder of the tool; of any other one that a tool would read, the size is all that is asked for.
"""

from __future__ import annotations

import os
import stat
from errno import ENAMETOOLONG, ENOENT, ENOTDIR
from typing import TYPE_CHECKING, Literal, NamedTuple

from memoro.bootstrap.files import OPEN_FLAGS, kind_name, printable
from memoro.bootstrap.reading.source import is_below, read_up_to
from memoro.bootstrap.workspace import find_root

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memoro.bootstrap.loaders.results import Config, Homes

Trust = Literal["person", "place", "import"]
"""How a file was come by: in a folder of the person's, whose links lead where they want; where the
tool always looks, but no link may lead away from there; or because another file names it."""

# A longer path can't be opened, so nothing below it can be loaded.
_LONGEST_PATH_BYTES = 4_095


class Ground(NamedTuple):
    """Where a tool is started, by real paths. `readable` are the folders that may be read below."""

    cwd: str
    root: str
    homes: Homes
    config: Config
    in_play: tuple[str, ...]
    readable: tuple[str, ...]


class Found(NamedTuple):
    """A regular file. `opens` says whether its text may be looked at; `size` is in bytes."""

    path: str
    real: str
    size: int
    opens: bool


class Refused(NamedTuple):
    """Something that is no regular file, or that the system won't show (`failed`)."""

    path: str
    why: str
    failed: bool


def ground_of(cwd: str, homes: Homes, in_play: Sequence[str], config: Config) -> Ground:
    """Look around from the current folder; relative paths in play start there."""
    real = os.path.realpath(cwd)
    root = find_root(real, homes.memoro or "/.memoro")
    own = (homes.claude, homes.codex, homes.gemini, homes.chatcli, homes.claude_managed)
    readable = [root, *(os.path.realpath(folder) for folder in own if folder)]
    paths = [_resolved(os.path.join(real, path)) for path in in_play if "\0" not in path]
    return Ground(real, root, homes, config, tuple(dict.fromkeys(paths)), tuple(readable))


def _resolved(path: str) -> str:
    too_long = len(os.fsencode(path)) > _LONGEST_PATH_BYTES
    return os.path.normpath(path) if too_long else os.path.realpath(path)


def look(path: str, ground: Ground, trust: Trust = "place") -> Found | Refused | None:
    """See what is at a path, without opening it.

    Args:
        path: an absolute path.
        ground: where the tool is started.
        trust: how the file was come by.
    """
    try:
        found = os.stat(path)
        if not stat.S_ISREG(found.st_mode):
            why = f"is {kind_name(found.st_mode)}, not a regular file"
            return Refused(path, why, failed=False)
        real = os.path.realpath(path)
    except ValueError:
        return None
    except OSError as error:
        if error.errno in (ENOENT, ENOTDIR, ENAMETOOLONG):
            return None
        return Refused(path, f"can't be read: {error.strerror or 'unknown error'}", failed=True)
    direct = trust == "person" or (trust == "place" and real == path)
    opens = direct or any(is_below(real, folder) for folder in ground.readable)
    return Found(path, real, found.st_size, opens)


def read_start(found: Found, most: int) -> bytes | Refused:
    """Read the first bytes of a file, at most `most`."""
    try:
        descriptor = os.open(found.real, OPEN_FLAGS)
        try:
            # It could have been exchanged since it was looked at.
            mode = os.fstat(descriptor).st_mode
            if not stat.S_ISREG(mode):
                return Refused(
                    found.path, f"is {kind_name(mode)}, not a regular file", failed=False
                )
            return read_up_to(descriptor, most)
        finally:
            os.close(descriptor)
    except OSError as error:
        return Refused(
            found.path, f"can't be read: {error.strerror or 'unknown error'}", failed=True
        )


def folders_between(top: str, bottom: str) -> list[str]:
    """The folders from one down to another that lies in it, as far as they exist; else none."""
    if not is_below(bottom, top):
        return []
    folders = [top]
    at = len(top.rstrip("/")) + 1
    while at <= len(bottom) and bottom != top:
        end = bottom.find("/", at)
        folder = bottom if end < 0 else bottom[:end]
        # Below a folder that isn't there, or can't be looked into, there is nothing to load.
        if len(os.fsencode(folder)) > _LONGEST_PATH_BYTES or not os.path.isdir(folder):
            break
        folders.append(folder)
        at = len(folder) + 1
    return folders


def nearest_root(folder: str, markers: Iterable[str], folders_only: bool = False) -> str | None:
    """The nearest folder upwards that holds one of the markers."""
    there = os.path.isdir if folders_only else os.path.exists
    names = [name for name in markers if name and "/" not in name and name != ".."]
    for above in reversed(folders_between("/", folder)):
        if any(there(os.path.join(above, name)) for name in names):
            return above
    return None


def folder_of(path: str) -> str:
    """The folder that a path in play lies in; a path that isn't there yet is taken for a file."""
    return path if os.path.isdir(path) else os.path.dirname(path)


def label_of(path: str, root: str, user_home: str | None) -> str:
    """A path as a person reads it: from the workspace's root, or from the home folder."""
    if is_below(path, root) and root != "/":
        return printable(os.path.relpath(path, root))
    if user_home and is_below(path, user_home):
        return printable(os.path.join("~", os.path.relpath(path, user_home)))
    return printable(path)

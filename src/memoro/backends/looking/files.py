"""Whether the files and folders are there that a statement names."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from memoro.backends.looking.sight import UNSEEN, Sight
from memoro.bootstrap.files import printable
from memoro.memory.claims import Claim

_MOST_ENTRIES = 6_000
_MADE_FOLDERS = frozenset(
    (
        *(".git", ".next", ".nox", ".tox", ".venv", "__pycache__", "build", "coverage", "dist"),
        *("logs", "node_modules", "out", "reports", "target", "tmp", "venv"),
    )
)
"""What tools make and a fresh clone lacks; that it is missing says nothing."""
_UNSEARCHED = frozenset((".git", ".nox", ".tox", ".venv", "__pycache__", "node_modules", "venv"))
_MADE_ENDINGS = frozenset(
    "." + ending
    for ending in ("bak", "crt", "db", "env", "key", "log", "pem", "sqlite", "sqlite3", "tmp")
)
_OFTEN_ELSEWHERE = frozenset(
    "." + ending
    for ending in (
        *("cfg", "conf", "csv", "docx", "gif", "ini", "jpeg", "jpg", "mp3", "mp4", "odt", "pdf"),
        *("plist", "png", "tar", "tgz", "tsv", "xls", "xlsx", "zip"),
    )
)
"""Endings of files that are spoken of by their bare name, and lie anywhere."""
_WITHOUT_ENDING = frozenset(
    ("CHANGELOG", "CONTRIBUTING", "COPYING", "LICENCE", "LICENSE", "NOTICE", "README")
)
_TEXT_ENDINGS = ("", ".md", ".rst", ".txt", ".adoc")
_UNTOUCHED = ("/afs/", "/dev/", "/net/", "/proc/", "/sys/", "//")
"""Where a look may wait for a network, or see what is no file."""


class _Tree(NamedTuple):
    """The relative paths below a folder; not all where it is too large or can't be read."""

    paths: tuple[str, ...]
    whole: bool


class Ground:
    """Where files are looked for; what lies below the folder is listed when it is first needed."""

    def __init__(self, folder: str | None, home: str | None) -> None:
        self.folder = folder
        self.home = home

    @cached_property
    def tree(self) -> _Tree:
        return _Tree((), whole=False) if self.folder is None else _listed(self.folder)


def look_for_file(claim: Claim, ground: Ground) -> Sight:
    """Look for a file or folder by its name; what is in it is never read."""
    what = claim.what
    if what.startswith("~/"):
        return UNSEEN if ground.home is None else _outside(ground.home + what[1:], what, ground)
    if os.path.isabs(what):
        return _outside(what, what, ground)
    if ground.folder is None:
        return UNSEEN
    names = _TEXT_ENDINGS if os.path.basename(what) in _WITHOUT_ENDING else ("",)
    found = [_is_there(os.path.join(ground.folder, what + ending)) for ending in names]
    if True in found:
        return Sight(True, f"{printable(what + names[found.index(True)])} is there")
    if None in found:
        return UNSEEN
    if what.startswith("../"):
        return _outside(os.path.join(ground.folder, what), what, ground)
    return _below(claim, ground, names)


def _below(claim: Claim, ground: Ground, names: Sequence[str]) -> Sight:
    """Look for a path that may be meant from a folder further down."""
    what = os.path.normpath(claim.what)
    wanted = {what + ending for ending in names}
    endings = tuple("/" + each for each in wanted)
    further = next((path for path in ground.tree.paths if path.endswith(endings)), None)
    if further is not None:
        # "There is no Makefile" may speak of the top alone.
        return Sight(None if claim.denied else True, f"{printable(further[1:])} is there")
    missing = f"there is no {printable(claim.what)} here"
    return Sight(False if ground.tree.whole and not _may_lack(what) else None, missing)


def _may_lack(what: str) -> bool:
    """Whether a project can lack a file without the fact that names it being wrong."""
    folders, name = os.path.split(what)
    ending = os.path.splitext(name)[1].lower()
    made = name.startswith(".env") or ending in _MADE_ENDINGS
    bare = not folders and ending in _OFTEN_ELSEWHERE
    return made or bare or not _MADE_FOLDERS.isdisjoint(what.split("/"))


def _outside(path: str, shown: str, ground: Ground) -> Sight:
    """Look for a path that is not in the folder. Where even the folder that it should lie in is
    missing, it may be another machine's."""
    path = os.path.normpath(path) if not path.startswith("//") else path
    if path.startswith(_UNTOUCHED):
        return UNSEEN
    there = _is_there(path)
    if there:
        return Sight(True, f"{printable(shown)} is there")
    ours = ground.folder is not None and path.startswith(ground.folder + "/")
    # What the folder itself lies in says nothing about what is made in it.
    below = path[len(ground.folder or "") :] if ours else shown
    near = there is False and (ours or _is_there(os.path.dirname(path))) and not _may_lack(below)
    return Sight(False if near else None, f"there is no {printable(shown)} here")


def _is_there(path: str) -> bool | None:
    try:
        os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None if os.path.islink(path) else False
    except (OSError, ValueError):
        return None
    return True


def _listed(folder: str) -> _Tree:
    """List what lies below a folder, the upper levels first, as far as that is quick."""
    paths: list[str] = []
    waiting, whole = [""], True
    for below in waiting:
        try:
            with os.scandir(os.path.join(folder, below)) as entries:
                found = sorted(entries, key=lambda entry: entry.name)
        except OSError:
            whole = False
            continue
        if len(paths) + len(found) > _MOST_ENTRIES:
            return _Tree(tuple(paths), whole=False)
        for entry in found:
            path = os.path.join(below, entry.name)
            paths.append("/" + path)
            if entry.is_dir(follow_symlinks=False) and entry.name not in _UNSEARCHED:
                waiting.append(path)
    return _Tree(tuple(paths), whole)

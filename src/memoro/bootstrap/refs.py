"""Git's branches, read as files: a chat asks on every turn, and starting git takes longer.

What files can't tell (refs in a table, files that are odd or too large) is None, for git to tell.
"""

from __future__ import annotations

import os
import re
from typing import NamedTuple

from memoro.bootstrap.files import read_text_file, upwards
from memoro.errors import MemoroError

HEADS = "refs/heads/"
_MOST_BYTES = 262_144
_MOST_LINKS = 5
_HASH = re.compile(r"(?:[0-9a-f]{40}|[0-9a-f]{64})\Z")
_NO_BRANCH = re.compile(
    r"[\x00-\x20\x7f~^:?*\[\\]|\.\.|@\{|//|\A[/-]|[/.]\Z|(?:\A|/)\.|\.lock(?:/|\Z)"
)


class GitFolders(NamedTuple):
    """Where a work tree's git data lie: `own` has its HEAD, `common` what all worktrees share."""

    own: str
    common: str


def git_folders(folder: str) -> GitFolders | None:
    """Find the git data of the work tree that `folder` lies in, as git does; None without any."""
    for above in upwards(os.path.realpath(folder)):
        marker = os.path.join(above, ".git")
        if os.path.isdir(marker):
            found = _checked(marker)
            if found is not None:
                return found
        elif os.path.isfile(marker):
            text = read(marker) or ""
            target = text.removeprefix("gitdir: ").rstrip("\r\n")
            return _checked(os.path.join(above, target)) if target != text else None
    return None


def head(git: GitFolders) -> str | None:
    """What HEAD stands at: a ref, or a commit's hash where it is detached."""
    return _target(read(os.path.join(git.own, "HEAD")) or "")


def default_ref(git: GitFolders) -> str | None:
    """The ref of the remote's default branch, as it was when the remote was last asked for it."""
    return _target(read(os.path.join(git.common, "refs/remotes/origin/HEAD")) or "")


def commit_of(git: GitFolders, ref: str) -> str | None:
    """The hash that a ref stands at; "" where there is no such ref, None where files can't tell."""
    for _ in range(_MOST_LINKS):
        if has_table(git):
            return None
        path = os.path.join(git.common, ref)
        if not os.path.isfile(path):
            return _packed(git, ref)
        target = _target(read(path) or "")
        if target is None or is_hash(target):
            return target
        ref = target
    return None


def remotes_with(git: GitFolders, name: str) -> tuple[str, ...] | None:
    """The remotes that are known to have a branch of this name; None where files can't tell."""
    packed = _packed_text(git)
    if packed is None or has_table(git):
        return None
    ending = re.compile(rf"^\w+ refs/remotes/([^/\n]+)/{re.escape(name)}$", re.MULTILINE)
    found = set(ending.findall(packed))
    folder = os.path.join(git.common, "refs/remotes")
    try:
        listed = os.listdir(folder)
    except OSError:
        listed = []
    found.update(each for each in listed if os.path.isfile(os.path.join(folder, each, name)))
    return tuple(sorted(found))


def has_table(git: GitFolders) -> bool:
    """Whether the refs lie in a table (reftable), which is not read here."""
    return os.path.isdir(os.path.join(git.common, "reftable"))


def is_shallow(git: GitFolders) -> bool:
    """Whether the oldest commits are missing."""
    return os.path.isfile(os.path.join(git.common, "shallow"))


def is_branch_name(name: str) -> bool:
    """Whether git would take this for a branch's name; such a one is safe in a path as well."""
    return bool(name) and name != "@" and not _NO_BRANCH.search(name)


def is_hash(text: str) -> bool:
    """Whether this is a whole object hash."""
    return _HASH.match(text) is not None


def read(path: str) -> str | None:
    """A small text file; None where there is none, or it is odd."""
    try:
        return read_text_file(path, _MOST_BYTES, "")
    except (MemoroError, ValueError):
        return None


def _checked(own: str) -> GitFolders | None:
    other = read(os.path.join(own, "commondir"))
    common = own if other is None else os.path.join(own, other.rstrip("\r\n"))
    git = GitFolders(os.path.realpath(own), os.path.realpath(common))
    whole = all(os.path.isdir(os.path.join(git.common, name)) for name in ("objects", "refs"))
    return git if whole and head(git) is not None else None


def _target(text: str) -> str | None:
    text = text.rstrip("\r\n")
    if text.startswith("ref:"):
        target = text.removeprefix("ref:").strip()
        # Git marks refs in a table by a name that no branch can have.
        return target if target.startswith("refs/") and ".." not in target else None
    return text if is_hash(text) else None


def _packed(git: GitFolders, ref: str) -> str | None:
    packed = _packed_text(git)
    if packed is None:
        return None
    found = re.search(rf"^(\w+) {re.escape(ref)}$", packed, re.MULTILINE)
    return found[1] if found else ""


def _packed_text(git: GitFolders) -> str | None:
    path = os.path.join(git.common, "packed-refs")
    return read(path) if os.path.lexists(path) else ""

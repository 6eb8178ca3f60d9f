"""Whether the branches are there that a statement names."""

from __future__ import annotations

import os

from memoro.backends.looking.sight import UNSEEN, Sight
from memoro.bootstrap.refs import (
    HEADS,
    GitFolders,
    commit_of,
    default_ref,
    head,
    is_branch_name,
    read,
    remotes_with,
)
from memoro.memory.claims import Claim


def look_for_branch(claim: Claim, git: GitFolders | None) -> Sight:
    """Look for a branch, here or as a remote's that was fetched, by reading git's files."""
    name = claim.what
    if git is None or not is_branch_name(name):
        return UNSEEN
    if claim.subject == "default":
        default = default_ref(git)
        if default is not None and default.endswith(f"/origin/{name}"):
            return Sight(True, f"the default branch is {name}")
    there = _has_branch(git, name)
    if there is None:
        return UNSEEN
    if not there:
        return Sight(False, f"there is no branch {name} here")
    other = claim.subject == "default" and default_ref(git) is not None
    return Sight(None if other else True, f"the branch {name} is there")


def _has_branch(git: GitFolders, name: str) -> bool | None:
    if head(git) == HEADS + name:
        return True
    local, remotes = commit_of(git, HEADS + name), remotes_with(git, name)
    remote, slash, rest = name.partition("/")
    tracked = remotes_with(git, rest) if slash and rest else ()
    if local or remotes or (tracked and remote in tracked):
        return True
    unread = local is None or remotes is None or tracked is None
    return None if unread or not _fetches_all(git) else False


def _fetches_all(git: GitFolders) -> bool:
    """Whether the branches of the remotes are known here; some clones fetch only one."""
    configured = read(os.path.join(git.common, "config"))
    if configured is None:
        return False
    return "[remote " not in configured or "refs/heads/*" in configured

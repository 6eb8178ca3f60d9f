"""Which branch a folder is on, and whether what was done on a branch has been merged."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from memoro.bootstrap.refs import (
    HEADS,
    GitFolders,
    commit_of,
    default_ref,
    git_folders,
    has_table,
    head,
    is_branch_name,
    is_hash,
    is_shallow,
    read,
)
from memoro.bootstrap.workspace import ask_git

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_REMOTE_HEADS = "refs/remotes/origin/"
_USUAL_DEFAULTS = ("main", "master", "trunk")
_COMMITTING = ("commit:", "commit (", "cherry-pick:", "revert:", "am:")


def branch_of(folder: str, environ: Mapping[str, str]) -> str | None:
    """The branch that a folder's work tree is on; None without git, or where HEAD is detached.

    Git is started only where the repository keeps its refs in a table.

    Args:
        folder: any folder of the work tree.
        environ: as for `memoro.bootstrap.workspace.identify`.
    """
    git = git_folders(folder)
    ref = None if git is None else _head(git, folder, environ)
    return ref.removeprefix(HEADS) if ref is not None and ref.startswith(HEADS) else None


def tip_of(folder: str, branch: str, environ: Mapping[str, str]) -> str | None:
    """The hash of a branch's latest commit, where there is no local branch the remote's; None where
    there is no such branch, or it can't be told."""
    git = git_folders(folder)
    if git is None or not is_branch_name(branch):
        return None
    return _tip(git, folder, branch, environ)


def own_tip(folder: str, branch: str, environ: Mapping[str, str]) -> str | None:
    """The tip to remember for the day on which the branch is deleted.

    None while the branch has no commit of its own: what it stands at is then in its base already,
    and would pass for merged as soon as the branch is gone.
    """
    git = git_folders(folder)
    tip = tip_of(folder, branch, environ)
    if git is None or tip is None:
        return None
    reached = _reaching(git, folder, branch, tip, environ)
    if any(there for _, there in reached) and not _has_own(git, folder, branch, tip, environ):
        return None
    return tip


def is_merged(
    folder: str, branch: str, environ: Mapping[str, str], remembered: str | None = None
) -> bool | None:
    """Whether a branch was merged into the default branch, or into what is checked out.

    It was where its tip is an ancestor of one of the two, and the branch has commits of its own: a
    branch that was only just made is not merged. None means that it can't be told: no git, no such
    branch and nothing remembered of it, a history that is cut off, or a tip that lies on the
    default branch without a trace of how it got there.

    A squash merge and a rebase make new commits, which nothing connects with the branch: for git,
    and so here, the branch is not merged.

    Args:
        folder: any folder of the work tree.
        branch: the branch's name; the default branch itself counts as merged.
        environ: as for `memoro.bootstrap.workspace.identify`.
        remembered: for a branch that was deleted, what `own_tip` was while it was there.
    """
    git = git_folders(folder)
    if git is None or not is_branch_name(branch):
        return None
    tip = _tip(git, folder, branch, environ)
    if tip is not None and branch == _default(git, folder, environ):
        return True
    commit = remembered if tip is None else tip
    if commit is None or not is_hash(commit):
        return None
    reached = [there for _, there in _reaching(git, folder, branch, commit, environ)]
    if any(reached):
        return True if tip is None else _has_own(git, folder, branch, tip, environ)
    # Where the oldest commits are missing, so may be the way from one commit to the other.
    return None if is_shallow(git) or False not in reached else False


def default_branch(folder: str, environ: Mapping[str, str]) -> str | None:
    """The branch that others are merged into: the remote's default, else the first of `main`,
    `master` and `trunk` that there is; None where there is none of them."""
    git = git_folders(folder)
    return None if git is None else _default(git, folder, environ)


def has_commits(folder: str, commits: Sequence[str], environ: Mapping[str, str]) -> bool | None:
    """Whether a folder's repository holds all of these commits; None where it can't be told."""
    asked = [each for each in commits if is_hash(each)]
    git = git_folders(folder)
    if git is None or len(asked) < len(commits):
        return None
    words = "".join(f"{each}\n" for each in asked).encode("ascii")
    output = ask_git(os.path.realpath(folder), environ, "cat-file", "--batch-check", words=words)
    if output is None:
        return None
    kinds = [line.split(" ")[1:2] for line in output.decode("utf-8", "replace").splitlines()]
    if kinds == [["commit"]] * len(asked):
        return True
    return None if is_shallow(git) else False


def _head(git: GitFolders, folder: str, environ: Mapping[str, str]) -> str | None:
    return _asked(folder, environ, "HEAD") if has_table(git) else head(git)


def _default(git: GitFolders, folder: str, environ: Mapping[str, str]) -> str | None:
    remote = f"{_REMOTE_HEADS}HEAD"
    ref = _asked(folder, environ, remote) if has_table(git) else default_ref(git)
    if ref is not None and ref.startswith(_REMOTE_HEADS):
        return ref.removeprefix(_REMOTE_HEADS)
    there = (name for name in _USUAL_DEFAULTS if _tip(git, folder, name, environ))
    return next(there, None)


def _asked(folder: str, environ: Mapping[str, str], ref: str) -> str | None:
    output = ask_git(os.path.realpath(folder), environ, "symbolic-ref", "--quiet", ref)
    return None if output is None else os.fsdecode(output).rstrip("\n")


def _tip(git: GitFolders, folder: str, branch: str, environ: Mapping[str, str]) -> str | None:
    for ref in (HEADS + branch, _REMOTE_HEADS + branch):
        commit = commit_of(git, ref)
        if commit is None:
            real = os.path.realpath(folder)
            output = ask_git(real, environ, "rev-parse", "--verify", "--quiet", ref)
            commit = "" if output is None else output.decode("ascii", "replace").strip()
        if is_hash(commit):
            return commit
    return None


def _reaching(
    git: GitFolders, folder: str, branch: str, commit: str, environ: Mapping[str, str]
) -> Iterator[tuple[str, bool | None]]:
    """What a branch may have been merged into, and whether it reaches the commit."""
    default = _default(git, folder, environ)
    into = [] if default in (None, branch) else [HEADS + default, _REMOTE_HEADS + default]
    # HEAD at the very commit is the branch itself, checked out or detached.
    if _head(git, folder, environ) not in (HEADS + branch, commit):
        into.append("HEAD")
    for ref in into:
        yield ref, _reaches(folder, ref, commit, environ)


def _reaches(folder: str, ref: str, commit: str, environ: Mapping[str, str]) -> bool | None:
    # Prints the commit unless it is an ancestor; `merge-base --is-ancestor` says the same by its
    # status, in which "no" and "can't tell" are one for who asks.
    output = ask_git(
        os.path.realpath(folder), environ, "rev-list", "--max-count=1", commit, f"^{ref}", "--"
    )
    return None if output is None else not output.strip()


def _has_own(
    git: GitFolders, folder: str, branch: str, tip: str, environ: Mapping[str, str]
) -> bool | None:
    """Whether a branch whose tip is merged ever had commits of its own."""
    made = _committed_here(git, branch)
    if made is not None:
        return made
    for ref, there in _reaching(git, folder, branch, tip, environ):
        if there and not _is_in_line(folder, ref, tip, environ):
            return True
    return None


def _committed_here(git: GitFolders, branch: str) -> bool | None:
    """What the log of a branch tells: True where a commit was made on it, False where nothing was
    done since it was made from another branch, else None."""
    lines = (read(os.path.join(git.common, "logs", HEADS + branch)) or "").splitlines()
    told = [line.partition("\t")[2] for line in lines]
    if any(each.startswith(_COMMITTING) for each in told):
        return True
    if len(told) != 1 or not told[0].startswith("branch: Created from "):
        return None
    # Made from the branch of the same name elsewhere, it may have come with commits.
    return None if told[0].endswith(f"/{branch}") else False


def _is_in_line(folder: str, ref: str, commit: str, environ: Mapping[str, str]) -> bool:
    """Whether a commit lies on the straight line of a ref, where each branch begins."""
    options = ("rev-list", "--first-parent", "--parents")
    output = ask_git(os.path.realpath(folder), environ, *options, ref, f"^{commit}", "--")
    lines = [] if output is None else output.decode("ascii", "replace").split("\n")
    oldest = [line.split(" ") for line in lines if line][-1:]
    return output is None or not oldest or oldest[0][1:2] == [commit]

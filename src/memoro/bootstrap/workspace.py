"""Where the work happens: the workspace's root, and which project a folder belongs to.

A project is known by where it lies, by its git common directory (shared by all worktrees), and by
the parentless commits of its history (shared by all clones). Paths are compared whole or component
by component, never spelt into another form, so that two folders are never taken for one.
"""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, Literal, NamedTuple

from memoro.bootstrap.files import upwards

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_MARKERS = (".git", ".agent", ".memoro")
_GIT_TIMEOUT_SECONDS = 10.0
_HASH_LENGTHS = (40, 64)
_GIT_OPTIONS = ("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null")
_QUESTIONS = (
    "--is-inside-work-tree",
    "--is-shallow-repository",
    "--git-common-dir",
    "--show-prefix",
)
_GIT_VARIABLES = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    # A partial clone asks its remote for an object that it lacks: a network call, and a command
    # that the repository's own configuration names. Older gits know only the second way to forbid.
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    # Replacements are local to one clone; an identity has to be the same in all.
    "GIT_NO_REPLACE_OBJECTS": "1",
    # `find_root` crosses mount points, so git has to as well.
    "GIT_DISCOVERY_ACROSS_FILESYSTEM": "1",
}


class Identity(NamedTuple):
    """What a project's folder is known by.

    `path` is its real path. `common_dir` is the real path of the git common directory, None
    without git. `subpath` is the folder's path inside its work tree, "" at the top. `roots` are
    the hashes of the parentless commits that HEAD reaches, sorted; empty without git, without
    commits, and in a shallow clone, whose oldest commits only look parentless.
    """

    path: str
    common_dir: str | None
    subpath: str
    roots: tuple[str, ...]


class Match(NamedTuple):
    """Which registered project a folder lies in.

    `name` is None where there is none, or where several fit equally well; these are then in
    `ambiguous`, sorted, and `how` says which comparison could not tell them apart.
    """

    name: str | None
    how: Literal["path", "worktree", "history", "none"]
    ambiguous: tuple[str, ...]


class _WorkTree(NamedTuple):
    common_dir: str
    subpath: str
    shallow: bool


def find_root(cwd: str, home: str) -> str:
    """Find the workspace's root: the nearest folder upwards that holds a marker, as a real path.

    Markers are `.git`, `.agent` and `.memoro`, each a folder or a regular file (links to one
    count); `home` itself is none. Without a marker it is `cwd`. A folder whose path is longer
    than the system opens can hold no marker, since nothing in it could be read.

    Args:
        cwd: the current folder.
        home: Memoro's own folder, which need not exist.
    """
    start = os.path.realpath(cwd)
    for folder in upwards(start):
        if has_marker(folder, home):
            return folder
    return start


def has_marker(folder: str, home: str) -> bool:
    """Whether a folder is a workspace's root by a marker, and not for want of one."""
    return any(_is_marker(os.path.join(folder, name), home) for name in _MARKERS)


def identify(folder: str, environ: Mapping[str, str]) -> Identity:
    """Say what `folder` is known by from now on; where git can't answer, its real path alone.

    Git missing, refusing (`safe.directory`) or taking longer than ten seconds is no error. Where
    only the history can't be read, the roots are empty.

    Args:
        folder: the project's folder.
        environ: the process's environment, for `PATH` and `HOME`; its `GIT_*` are not passed on.
    """
    real = os.path.realpath(folder)
    tree = _work_tree(real, environ)
    if tree is None:
        return Identity(real, None, "", ())
    roots = () if tree.shallow else _roots(real, environ)
    return Identity(real, tree.common_dir, tree.subpath, roots)


def matches(
    folder: str, registered: Sequence[tuple[str, Identity]], environ: Mapping[str, str]
) -> Match:
    """Find the registered project that `folder` lies in; the first of these that finds one.

    1. Path: a registered folder that exists is `folder` or contains it; the deepest wins.
    2. Worktree: the same git common directory, and `folder` lies in the registered subpath.
    3. History: the repository has all root commits of a registered one, and `folder` lies in the
       registered subpath.

    In 2 and 3 the deepest subpath wins. Equals with different names are not guessed between. Git
    is started only where no path fits, `folder` lies below a `.git`, and a project has git data.

    Args:
        folder: the current folder.
        registered: each project's name and what it was known by when it was registered.
        environ: as for `identify`.
    """
    real = os.path.realpath(folder)
    found = _by_path(real, registered) or _by_git(real, registered, environ)
    return found or Match(None, "none", ())


def _is_marker(path: str, home: str) -> bool:
    mode = _mode(path)
    if not (stat.S_ISDIR(mode) or stat.S_ISREG(mode)):
        return False
    return not (os.path.basename(path) == ".memoro" and _is_same_folder(path, home))


def _mode(path: str) -> int:
    try:
        return os.stat(path).st_mode
    except OSError:
        return 0


def _is_same_folder(one: str, other: str) -> bool:
    if os.path.realpath(one) == os.path.realpath(other):
        return True
    inode = _folder_inode(one)
    return inode is not None and inode == _folder_inode(other)


def _folder_inode(path: str) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return (found.st_dev, found.st_ino) if stat.S_ISDIR(found.st_mode) else None


def _lies_in(inner: str, outer: str) -> bool:
    if not outer or inner == outer:
        return True
    return inner.startswith(outer.rstrip("/") + "/")


def _by_path(real: str, registered: Sequence[tuple[str, Identity]]) -> Match | None:
    if not registered:
        return None
    # Inodes besides spellings: a disk that ignores case knows one folder by several.
    inodes = {_folder_inode(folder): len(folder) for folder in upwards(real)}
    found: list[tuple[int, str]] = []
    for name, identity in registered:
        inode = _folder_inode(identity.path)
        if inode is None:
            continue
        path = os.path.realpath(identity.path)
        depth = len(path) if _lies_in(real, path) else inodes.get(inode)
        if depth is not None:
            found.append((depth, name))
    return _deepest(found, "path")


def _by_git(
    real: str, registered: Sequence[tuple[str, Identity]], environ: Mapping[str, str]
) -> Match | None:
    known = [(name, identity) for name, identity in registered if identity.common_dir is not None]
    if not known or not any(_mode(os.path.join(above, ".git")) for above in upwards(real)):
        return None
    tree = _work_tree(real, environ)
    if tree is None:
        return None
    fitting = [(name, each) for name, each in known if _lies_in(tree.subpath, each.subpath)]
    same = [(name, each) for name, each in fitting if each.common_dir == tree.common_dir]
    if same:
        return _deepest([(len(each.subpath), name) for name, each in same], "worktree")
    # All of its roots, not any: a repository that once took in another one's history has that
    # one's roots too, and a clone of the other must not pass for it.
    wanted = {root for _, each in fitting for root in each.roots}
    present = _present(real, wanted, environ)
    related = [
        (name, each) for name, each in fitting if each.roots and present.issuperset(each.roots)
    ]
    return _deepest([(len(each.subpath), name) for name, each in related], "history")


def _deepest(
    found: Sequence[tuple[int, str]], how: Literal["path", "worktree", "history"]
) -> Match | None:
    if not found:
        return None
    deepest = max(depth for depth, _ in found)
    names = sorted({name for depth, name in found if depth == deepest})
    return Match(names[0], how, ()) if len(names) == 1 else Match(None, how, tuple(names))


def _work_tree(real: str, environ: Mapping[str, str]) -> _WorkTree | None:
    output = ask_git(real, environ, "rev-parse", *_QUESTIONS)
    # Another number of lines is a path with a line end in it, or a git too old for a question.
    lines = [] if output is None else os.fsdecode(output).removesuffix("\n").split("\n")
    if len(lines) != len(_QUESTIONS) or lines[0] != "true":
        return None
    common_dir = os.path.realpath(os.path.join(real, lines[2]))
    return _WorkTree(common_dir, lines[3].removesuffix("/"), shallow=lines[1] != "false")


def _roots(real: str, environ: Mapping[str, str]) -> tuple[str, ...]:
    output = ask_git(real, environ, "rev-list", "--max-parents=0", "HEAD", "--")
    words = [] if output is None else os.fsdecode(output).split()
    return tuple(sorted(word for word in words if _is_hash(word)))


def _present(real: str, hashes: set[str], environ: Mapping[str, str]) -> set[str]:
    asked = sorted(each for each in hashes if _is_hash(each))
    if not asked:
        return set()
    words = "".join(f"{each}\n" for each in asked).encode("ascii")
    output = ask_git(real, environ, "cat-file", "--batch-check", words=words)
    answers = [] if output is None else [line.split(" ") for line in output.decode().splitlines()]
    return {answer[0] for answer in answers if answer[1:2] == ["commit"]}


def _is_hash(text: str) -> bool:
    return len(text) in _HASH_LENGTHS and not text.strip("0123456789abcdef")


def ask_git(
    real: str, environ: Mapping[str, str], *arguments: str, words: bytes = b""
) -> bytes | None:
    """Return what git prints, or None where it is missing, refuses, or takes too long.

    It can neither reach the network nor run what the repository's configuration names.

    Args:
        real: the real path of the folder that it is asked in.
        environ: as for `identify`.
        arguments: a command that only reads; nothing in it may come from outside unchecked.
        words: what it reads on its standard input.
    """
    # Relative entries would be looked up in `real`, and run whatever a project calls `git`.
    entries = environ.get("PATH", os.defpath).split(os.pathsep)
    search = os.pathsep.join(entry for entry in entries if os.path.isabs(entry))
    if not search:
        return None
    child = {name: value for name, value in environ.items() if not name.startswith("GIT_")}
    child |= _GIT_VARIABLES | {"PATH": search}
    # Imported here because that takes longer than most commands, which never ask git.
    import subprocess

    try:
        done = subprocess.run(
            ("git", *_GIT_OPTIONS, *arguments),
            cwd=real,
            env=child,
            input=words,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=_GIT_TIMEOUT_SECONDS,
            check=False,
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    return done.stdout if done.returncode == 0 else None

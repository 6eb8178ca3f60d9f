"""Globs over paths, matched in time that no pattern can blow up.

Patterns come with a cloned repository, so none may be slow: a pattern of 32 characters keeps
wcmatch 12 busy for 25 seconds over a path of 50 folders, since `**` becomes a part of one large
regular expression. Here a path is matched name by name, and a regular expression sees one name.
"""

from __future__ import annotations

import fnmatch
import os
import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from memoro.bootstrap.reading.source import is_below

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_MOST_ALTERNATIVES = 256
_MOST_CHARACTERS = 1_000
_LONGEST_PATH = 4_096
_ANY_FOLDERS = "**"
# What is written otherwise than `fnmatch` has it: an escaped character, a negated class.
_OURS = re.compile(r"\\(.)|\[\^", re.DOTALL)


class Glob(NamedTuple):
    """One pattern without alternatives. `steps` are its names, None for `**`.

    `anywhere`: it has no `/` and so matches a file of that name in every folder.
    """

    negated: bool
    steps: tuple[re.Pattern[str] | None, ...]
    anywhere: bool


def parse(patterns: tuple[str, ...]) -> list[Glob] | None:
    """Understand a rule's patterns; None where they are more or longer than can be of use.

    `*` and `?` stand for characters of one name, `[…]` for one of several (`[!…]` or `[^…]` for
    none of them), `{a,b}` for alternatives, `**` for any number of folders; a backslash takes a
    character as it is, and `!` in front negates. A pattern with a `/` is anchored at the root, with
    or without a `/` or `./` in front; a `/` at its end means all that the folder holds. A pattern
    without a `/` matches a name in every folder. Case counts.
    """
    globs: list[Glob] = []
    for pattern in patterns:
        alternatives = _parsed(pattern)
        if alternatives is None or len(globs) + len(alternatives) > _MOST_ALTERNATIVES:
            return None
        globs += alternatives
    return globs


@lru_cache(maxsize=512)
def _parsed(pattern: str) -> tuple[Glob, ...] | None:
    if len(pattern) > _MOST_CHARACTERS:
        return None
    alternatives = _alternatives(unicodedata.normalize("NFC", pattern.removeprefix("!")))
    if alternatives is None:
        return None
    return tuple(_glob(pattern.startswith("!"), each) for each in alternatives)


def matches(globs: Sequence[Glob], path: str) -> bool:
    """Whether a path is meant: one of the globs matches it, and no negated one does.

    Negated ones alone mean everything else.

    Args:
        globs: as `parse` gives them.
        path: relative to the root, with `/` between names.
    """
    names = unicodedata.normalize("NFC", path).split("/")
    wanted = [glob for glob in globs if not glob.negated]
    if any(_matches(glob, names) for glob in globs if glob.negated):
        return False
    return not wanted or any(_matches(glob, names) for glob in wanted)


def _glob(negated: bool, pattern: str) -> Glob:
    anchored = pattern.startswith(("/", "./"))
    folder = pattern.endswith("/")
    names = [name for name in pattern.split("/") if name not in ("", ".")]
    if folder and names:
        names.append(_ANY_FOLDERS)
    names = [
        name
        for name, before in zip(names, ["", *names], strict=False)
        if not name == before == _ANY_FOLDERS
    ]
    steps = tuple(None if name == _ANY_FOLDERS else _compiled(name) for name in names)
    # A pattern without any name has no step, and matches nothing.
    return Glob(negated, steps, anywhere=not anchored and not folder and len(steps) == 1)


def _compiled(name: str) -> re.Pattern[str]:
    return re.compile(fnmatch.translate(_OURS.sub(_as_fnmatch, name)))


def _as_fnmatch(match: re.Match[str]) -> str:
    # `fnmatch` has no backslash; a class of one character is its way to say the same.
    char = match[1]
    if char is None:
        return "[!"
    return f"[{char}]" if char in "*?[" else char


def _matches(glob: Glob, names: Sequence[str]) -> bool:
    if glob.anywhere and glob.steps[0] is not None:
        return glob.steps[0].match(names[-1]) is not None
    # The steps that the names so far can have led to; `**` may stand for no folder as well.
    at = set(_reached(glob.steps, 0))
    for name in names:
        following: set[int] = set()
        for index in at:
            if index == len(glob.steps):
                continue
            step = glob.steps[index]
            if step is None:
                following.update(_reached(glob.steps, index))
            elif step.match(name):
                following.update(_reached(glob.steps, index + 1))
        at = following
        if not at:
            return False
    return len(glob.steps) in at


def _reached(steps: Sequence[re.Pattern[str] | None], index: int) -> Iterator[int]:
    yield index
    while index < len(steps) and steps[index] is None:
        index += 1
        yield index


def _alternatives(pattern: str) -> list[str] | None:
    done: list[str] = []
    waiting = [pattern]
    while waiting:
        if len(waiting) + len(done) > _MOST_ALTERNATIVES:
            return None
        each = waiting.pop()
        braces = _first_braces(each)
        if braces is None:
            done.append(each)
            continue
        start, commas, end = braces
        edges = [start, *commas, end]
        waiting += [
            each[:start] + each[edges[number] + 1 : edges[number + 1]] + each[end + 1 :]
            for number in range(len(edges) - 1)
        ]
    return done


def _first_braces(pattern: str) -> tuple[int, list[int], int] | None:
    """Where the first braces with a comma in them start and end, and their own commas."""
    open_at: list[int] = []
    commas: dict[int, list[int]] = {}
    best: tuple[int, list[int], int] | None = None
    index = 0
    while index < len(pattern):
        char = pattern[index]
        if char == "\\":
            index += 1
        elif char == "{":
            open_at.append(index)
            commas[index] = []
        elif char == "," and open_at:
            commas[open_at[-1]].append(index)
        elif char == "}" and open_at:
            start = open_at.pop()
            if commas[start] and (best is None or start < best[0]):
                best = (start, commas[start], index)
        index += 1
    return best


def relative_paths(paths: Sequence[str], cwd: str, root: str, user_home: str | None) -> list[str]:
    """The paths in play as they lie below the root; those that don't are left out.

    Both the path as it is named and the one that its links lead to count.

    Args:
        paths: absolute, from the home folder (`~/`), or relative to the current folder.
        cwd: the current folder as a real path.
        root: the workspace's root as a real path.
        user_home: the person's home folder, None where it isn't known.
    """
    found: dict[str, None] = {}
    for path in paths:
        if len(path) > _LONGEST_PATH:
            continue
        if user_home and path.startswith("~/"):
            path = os.path.join(user_home, path[2:])
        named = os.path.normpath(os.path.join(cwd, path))
        try:
            both = (named, os.path.realpath(named))
        except (OSError, ValueError):
            both = (named,)
        found |= {os.path.relpath(each, root): None for each in both if is_below(each, root)}
    return list(found)

"""The files that a workspace starts with, where it has none."""

from __future__ import annotations

import os
from typing import NamedTuple

from memoro.bootstrap.files import printable
from memoro.errors import MemoroError, UsageError

_TAKEN_BY = ("AGENTS.override.md", "AGENTS.md", "MEMORO.md", "CLAUDE.md")
_AGENTS = """\
# About this project

Say what it is for, in two or three sentences.

## How to work here

- How to build, run and test it.
- What has to stay as it is.

## Where things are

- The folders that matter, and what each is for.
"""


class Started(NamedTuple):
    """What was made, and what was there already and left alone; paths."""

    made: tuple[str, ...]
    kept: tuple[str, ...]


def start_workspace(root: str, home: str) -> Started:
    """Put an AGENTS.md to fill in, and an empty folder of rules, into a workspace's root.

    Nothing that is there is touched: any name that stands in for AGENTS.md counts as it.

    Raises:
        UsageError: the folder is the one that holds Memoro's own.
        MemoroError: a file or folder can't be made.
    """
    own = os.path.join(root, ".memoro")
    if os.path.realpath(own) == os.path.realpath(home):
        raise UsageError(
            f"{printable(root)} holds Memoro's own folder and is no project",
            f"for instructions that count everywhere, write {printable(home)}/AGENTS.md",
        )
    made: list[str] = []
    kept = [path for name in _TAKEN_BY if os.path.lexists(path := os.path.join(root, name))]
    try:
        if not kept:
            path = os.path.join(root, "AGENTS.md")
            with open(path, "x", encoding="utf-8") as file:
                file.write(_AGENTS)
            made.append(path)
        rules = os.path.join(own, "rules")
        (kept if os.path.lexists(rules) else made).append(rules)
        os.makedirs(rules, exist_ok=True)
    except OSError as error:
        raise MemoroError(
            f"{printable(error.filename or root)} can't be made: {error.strerror}",
            "check the folder's permissions",
        ) from error
    return Started(tuple(made), tuple(kept))

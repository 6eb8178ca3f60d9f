"""Looks up in the world what statements claim: files, branches, versions, local addresses.

Everything is cheap and local: a file outside of the folder is looked for and never read, git is
not started, and no machine but this one is spoken to.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cached_property

from memoro.backends.looking.addresses import look_for_address
from memoro.backends.looking.branches import look_for_branch
from memoro.backends.looking.files import Ground, look_for_file
from memoro.backends.looking.sight import Sight
from memoro.backends.looking.versions import Manifests, look_for_version
from memoro.bootstrap.refs import GitFolders, git_folders
from memoro.memory.claims import Claim, Seen

MOST_CLAIMS = 8
"""How many claims of one statement are looked up."""


class _World:
    """What the claims of one statement are held against, each part read when it is first needed."""

    def __init__(self, folder: str | None, home: str | None) -> None:
        self.folder = folder
        self.ground = Ground(folder, home)
        self.manifests = Manifests(self.ground)

    @cached_property
    def git(self) -> GitFolders | None:
        return None if self.folder is None else git_folders(self.folder)


def look(
    claims: Sequence[Claim], folder: str | None, environ: Mapping[str, str]
) -> tuple[Seen, ...]:
    """Look up what a statement claims, one answer for each claim.

    Args:
        claims: what the statement names; those after the eighth are not looked up.
        folder: the folder that the statement belongs to: a project's root, not a folder in it.
            None for what belongs to none.
        environ: the process's environment, for `HOME`.
    """
    home = environ.get("HOME", "")
    there = folder is not None and os.path.isdir(folder)
    world = _World(
        os.path.normpath(folder) if folder is not None and there else None,
        home if os.path.isabs(home) else None,
    )
    return tuple(
        _seen(claim, world) if place < MOST_CLAIMS else Seen(claim, "unknown", "")
        for place, claim in enumerate(claims)
    )


def _seen(claim: Claim, world: _World) -> Seen:
    sight = _look_for(claim, world)
    if sight.there is None or not claim.sure:
        return Seen(claim, "unknown", sight.told)
    return Seen(claim, "true" if sight.there is not claim.denied else "false", sight.told)


def _look_for(claim: Claim, world: _World) -> Sight:
    if claim.kind == "file":
        return look_for_file(claim, world.ground)
    if claim.kind == "branch":
        return look_for_branch(claim, world.git)
    if claim.kind == "version":
        return look_for_version(claim, world.manifests)
    return look_for_address(claim)

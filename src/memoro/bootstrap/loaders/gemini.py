"""Gemini CLI: GEMINI.md from the personal folder and from the project's root down, with imports."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from memoro.bootstrap.loaders.following import Follower, Manner
from memoro.bootstrap.loaders.ground import Ground, folder_of, folders_between, nearest_root
from memoro.bootstrap.loaders.listing import Listing
from memoro.bootstrap.loaders.mentions import gemini_mentions

if TYPE_CHECKING:
    from memoro.bootstrap.loaders.results import How, Loaded

MOST_HOPS = 5


def load(ground: Ground) -> Loaded:
    """List what Gemini CLI loads."""
    return _Gemini(ground).load()


class _Gemini:
    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._listing = Listing("gemini", ground)
        self._follower = Follower(self._listing)
        self._names = self._usable_names()

    def load(self) -> Loaded:
        ground = self._ground
        if ground.homes.gemini:
            for name in self._names:
                self._file(os.path.join(ground.homes.gemini, name), "always", "personal", own=True)
        root = nearest_root(ground.cwd, ground.config.gemini_root_markers) or ground.cwd
        # By path, as text: `app/Api/GEMINI.md` therefore comes before `app/GEMINI.md`.
        for path in sorted(self._candidates(folders_between(root, ground.cwd))):
            self._file(path, "always")
        for target in ground.in_play:
            for path in self._candidates(folders_between(ground.cwd, folder_of(target))[1:]):
                note = f"once a file in {self._listing.name(os.path.dirname(path))} is used"
                self._file(path, "matched", note)
        return self._listing.result()

    def _usable_names(self) -> tuple[str, ...]:
        names: list[str] = []
        for name in self._ground.config.gemini_names:
            if name in ("", ".", "..") or "/" in name or "\0" in name:
                self._listing.warn(f"context.fileName: {name!r} is not a file name; left out")
            else:
                names.append(name)
        return tuple(dict.fromkeys(names))

    def _candidates(self, folders: list[str]) -> list[str]:
        return [os.path.join(folder, name) for folder in folders for name in self._names]

    def _file(self, path: str, how: How, note: str = "", own: bool = False) -> None:
        found = self._listing.find(path, "person" if own else "place")
        if found is None or found.real in self._listing.seen:
            return
        index = self._listing.add(found, how, note)
        if index is None:
            return
        folder = os.path.dirname(path)
        within = nearest_root(os.path.realpath(folder), self._ground.config.gemini_root_markers)
        manner = Manner(
            gemini_mentions, MOST_HOPS, once=False, leaves_missing=False, within=within or folder
        )
        self._follower.follow(found, index, manner)

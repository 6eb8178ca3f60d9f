"""Imports as Claude Code and Gemini CLI follow them: each imported file is one more entry."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from memoro.bootstrap.reading.source import is_below, named

if TYPE_CHECKING:
    from collections.abc import Callable

    from memoro.bootstrap.loaders.ground import Found
    from memoro.bootstrap.loaders.listing import Listing
    from memoro.bootstrap.loaders.mentions import Mention

# Imports are searched for in this much of a file.
SEARCHED_BYTES = 4 * 1024 * 1024
_DOCUMENTS = (".md", ".mdx", ".txt", ".markdown")


class Manner(NamedTuple):
    """How a tool follows imports.

    `once`: a file that is loaded already is not loaded again; else only a cycle is cut. `within`
    is the folder that the targets may lie in, None where they may lie anywhere. `asks_outside` is
    the folder outside of which the tool asks first. `most_bytes` is the size over which it skips
    a file. `leaves_missing`: a target that isn't there stays in the text as it is written.
    """

    mentions: Callable[[str], tuple[Mention, ...]]
    most_hops: int
    once: bool
    leaves_missing: bool
    most_bytes: int | None = None
    within: str | None = None
    asks_outside: str | None = None


class Follower:
    """Follows the imports of the files of one emulation."""

    def __init__(self, listing: Listing) -> None:
        self._listing = listing
        self._known: dict[str, tuple[Mention, ...]] = {}

    def follow(self, found: Found, index: int, manner: Manner) -> None:
        """Add what a file imports, and what that imports, behind it.

        Args:
            found: the importing file.
            index: its entry in the listing.
            manner: how the tool does it.
        """
        self._follow(found, self._listing.phase(index), manner, (found.path,))

    def _follow(self, found: Found, phase: int, manner: Manner, chain: tuple[str, ...]) -> None:
        for mention in self._mentions(found, manner):
            where = f"{named(found.path)}:{mention.line}"
            path = self._target(found, mention.target)
            if path is None or self._listing.full:
                continue
            if len(chain) > manner.most_hops:
                if os.path.isfile(path):
                    hops = f"more than {manner.most_hops} imports away"
                    self._listing.warn(f"{where}: {named(path)} is {hops}; not imported")
                continue
            if manner.within and not is_below(path, manner.within):
                self._listing.warn(f"{where}: {named(path)} lies outside; not imported")
                continue
            self._import(path, where, phase, manner, (*chain, path))

    def _import(
        self, path: str, where: str, phase: int, manner: Manner, chain: tuple[str, ...]
    ) -> None:
        listing = self._listing
        found = listing.find(path, "import")
        if found is None:
            if not manner.leaves_missing or path.endswith(_DOCUMENTS):
                listing.warn(f"{where}: no file to import at {named(path)}")
            return
        if path in chain[:-1] or (manner.once and found.real in listing.seen):
            return
        note = f"from {listing.name(chain[-2])}"
        if manner.asks_outside and not is_below(path, manner.asks_outside):
            note += "; outside the current folder, so it asks first"
        over = manner.most_bytes is not None and found.size > manner.most_bytes
        if over:
            note += f"; over {manner.most_bytes:,} bytes, so skipped"
        index = listing.add(found, "import", note, 0 if over else None, phase)
        if index is not None and not over:
            self._follow(found, phase, manner, chain)

    def _mentions(self, found: Found, manner: Manner) -> tuple[Mention, ...]:
        if found.real not in self._known:
            text = self._listing.text(found, SEARCHED_BYTES)
            if found.opens and found.size > SEARCHED_BYTES:
                limit = f"its first {SEARCHED_BYTES:,} bytes"
                self._listing.warn(f"{named(found.path)}: imports were looked for only in {limit}")
            self._known[found.real] = manner.mentions(text)
        return self._known[found.real]

    def _target(self, found: Found, target: str) -> str | None:
        if "\0" in target:
            return None
        if target.startswith("~/"):
            user = self._listing.ground.homes.user
            return os.path.normpath(os.path.join(user, target[2:])) if user else None
        return os.path.normpath(os.path.join(os.path.dirname(found.path), target))

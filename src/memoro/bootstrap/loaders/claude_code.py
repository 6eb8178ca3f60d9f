"""Claude Code: CLAUDE.md of all folders above, its rules, and AGENTS.md where there is none."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from memoro.bootstrap.loaders.following import Follower, Manner
from memoro.bootstrap.loaders.ground import Found, Ground, folder_of, folders_between, look
from memoro.bootstrap.loaders.listing import Listing
from memoro.bootstrap.loaders.mentions import claude_mentions
from memoro.bootstrap.reading.source import is_below, named
from memoro.bootstrap.rules.frontmatter import read_frontmatter
from memoro.bootstrap.rules.globs import matches, parse

if TYPE_CHECKING:
    from memoro.bootstrap.loaders.results import How, Loaded

MOST_HOPS = 4
MOST_FILE_BYTES = 4 * 1024 * 1024
_HEADER_BYTES = 65_536
_DECIDING = ("CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md")


def load(ground: Ground) -> Loaded:
    """List what Claude Code loads."""
    return _ClaudeCode(ground).load()


class _ClaudeCode:
    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._listing = Listing("claude-code", ground)
        self._follower = Follower(self._listing)
        self._manner = Manner(
            claude_mentions, MOST_HOPS, once=True, leaves_missing=True, most_bytes=MOST_FILE_BYTES
        )
        home = ground.homes.claude
        self._home = None if home is None else os.path.realpath(home)
        self._folders = folders_between("/", ground.cwd)
        self._decided = any(self._decides(folder) for folder in self._folders)

    def load(self) -> Loaded:
        mode = self._ground.config.claude_instructions
        if self._ground.homes.claude_managed:
            path = os.path.join(self._ground.homes.claude_managed, "CLAUDE.md")
            self._file(path, "always", "managed policy", own=True)
        if mode != "managed-only":
            if self._ground.homes.claude:
                home = self._ground.homes.claude
                self._file(os.path.join(home, "CLAUDE.md"), "always", "personal", own=True)
                self._rules(os.path.join(home, "rules"), self._ground.cwd, "always", own=True)
            self._above()
        for path in self._ground.in_play:
            self._below(path)
        limit = f"a file over {MOST_FILE_BYTES:,} bytes is skipped"
        return self._listing.result(MOST_FILE_BYTES, limit)

    def _above(self) -> None:
        for folder in self._folders:
            self._folder(folder, "always", self._takes_agents(self._decided))

    def _below(self, path: str) -> None:
        """The folders between the current one and a file in play, which load as it is read."""
        decided = self._decided
        for folder in folders_between(self._ground.cwd, folder_of(path))[1:]:
            decided = decided or self._decides(folder)
            self._folder(folder, "matched", self._takes_agents(decided))

    def _takes_agents(self, decided: bool) -> bool:
        mode = self._ground.config.claude_instructions
        return mode == "claude-md-and-agents-md" or (
            mode == "claude-md-or-agents-md" and not decided
        )

    def _decides(self, folder: str) -> bool:
        """Whether a file here keeps AGENTS.md from being read; the personal one does not."""
        names = _DECIDING[::2] if self._is_home(folder) else _DECIDING
        return any(
            isinstance(look(os.path.join(folder, name), self._ground), Found) for name in names
        )

    def _is_home(self, folder: str) -> bool:
        own = os.path.join(folder, ".claude")
        return os.path.isdir(own) and os.path.realpath(own) == self._home

    def _folder(self, folder: str, how: How, agents: bool) -> None:
        note = "" if how == "always" else f"once a file in {self._listing.name(folder)} is read"
        self._file(os.path.join(folder, "CLAUDE.md"), how, note)
        self._file(os.path.join(folder, ".claude", "CLAUDE.md"), how, note)
        self._rules(os.path.join(folder, ".claude", "rules"), folder, how)
        self._file(os.path.join(folder, "CLAUDE.local.md"), how, note)
        if agents:
            self._file(os.path.join(folder, "AGENTS.md"), how, note)

    def _file(self, path: str, how: How, note: str = "", own: bool = False) -> None:
        found = self._listing.find(path, "person" if own else "place")
        if found is None or found.real in self._listing.seen:
            return
        over = found.size > MOST_FILE_BYTES
        if over:
            note = f"{note}; skipped for its size" if note else "skipped for its size"
        index = self._listing.add(found, how, note, 0 if over else None)
        if index is None or over or how == "on demand":
            return
        outside = None if own else self._ground.cwd
        self._follower.follow(found, index, self._manner._replace(asks_outside=outside))

    def _rules(self, folder: str, base: str, how: How, own: bool = False) -> None:
        for path in self._listing.files_in(folder, ".md", deep=True, own=own):
            found = self._listing.find(path, "person" if own else "place")
            if found is None or found.real in self._listing.seen:
                continue
            header = read_frontmatter(self._listing.text(found, _HEADER_BYTES))
            if header.problem is not None:
                line, why = header.problem
                self._listing.warn(f"{named(path)}:{line}: {why}; taken as a rule without paths")
            if header.patterns is None:
                self._file(path, how, "rule", own)
            elif self._is_meant(header.patterns, base):
                self._file(path, "matched", f"rule for {', '.join(header.patterns)}", own)
            else:
                self._file(path, "on demand", f"rule for {', '.join(header.patterns)}", own)

    def _is_meant(self, patterns: tuple[str, ...], base: str) -> bool:
        # Unlike in our own rules, a pattern without a `/` is for the top folder alone.
        anchored = [each if "/" in each else re.sub("^(!?)", r"\1/", each) for each in patterns]
        globs = parse(tuple(anchored))
        return bool(globs) and any(
            matches(globs, os.path.relpath(path, base))
            for path in self._ground.in_play
            if is_below(path, base)
        )

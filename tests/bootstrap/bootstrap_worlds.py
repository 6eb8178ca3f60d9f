"""A folder tree with a user's home, Memoro's HOME and a workspace, and loads from it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from memoro.bootstrap.explain import Explanation, explain
from memoro.bootstrap.instructions import (
    BootstrapOptions,
    FileCache,
    Instructions,
    load_instructions,
)


class World(NamedTuple):
    """`base` holds `home` (the user's), `home/.memoro` (HOME) and `work` (with a `.git`)."""

    base: Path

    @property
    def work(self) -> Path:
        return self.base / "work"

    @property
    def home(self) -> Path:
        return self.base / "home" / ".memoro"

    def put(self, name: str, content: str | bytes = "") -> Path:
        """Write `content` at a path below the base."""
        path = self.base / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def link(self, name: str, target: str | Path) -> Path:
        """Make a symbolic link at a path below the base."""
        path = self.base / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(target)
        return path

    def options(self, **changes: object) -> BootstrapOptions:
        base = BootstrapOptions(str(self.home), str(self.home), str(self.base / "home"))
        return base._replace(**changes)

    def load(
        self,
        folder: str = "work",
        in_play: Sequence[str] = (),
        cache: FileCache | None = None,
        **changes: object,
    ) -> Instructions:
        return load_instructions(str(self.base / folder), self.options(**changes), in_play, cache)

    def explain(
        self, path: str, folder: str = "work", in_play: Sequence[str] = (), **changes: object
    ) -> Explanation:
        return explain(
            str(self.base / path), str(self.base / folder), self.options(**changes), in_play
        )


def build(base: Path) -> World:
    """An empty world: HOME, and a workspace that is known by its `.git`."""
    world = World(base)
    world.home.mkdir(parents=True)
    (world.work / ".git").mkdir(parents=True)
    return world


def prompt(found: Instructions) -> str:
    """All blocks as they stand in the prompt."""
    return "\n".join(block.rendered for block in found.blocks)


def text(found: Instructions, name: str = "AGENTS.md") -> str:
    """The text of one block, "" where there is none."""
    block = found.block(name)
    return "" if block is None else block.text


def names(found: Instructions) -> list[str]:
    """The blocks' names in their order."""
    return [block.name for block in found.blocks]

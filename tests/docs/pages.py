"""The documentation as text, and the blocks of code in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


class Block(NamedTuple):
    """A fenced block: the comment on the line above it ("run", "transcript"), if there is one."""

    page: Path
    line: int
    mark: str
    language: str
    text: str

    @property
    def name(self) -> str:
        """Where it stands."""
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def blocks(language: str = "", mark: str = "") -> list[Block]:
    """The fenced blocks of all pages, of one language and mark."""
    found = [block for page in PAGES for block in _blocks(page)]
    return [
        block
        for block in found
        if block.language == (language or block.language) and block.mark == (mark or block.mark)
    ]


def _blocks(page: Path) -> Iterator[Block]:
    lines = page.read_text(encoding="utf-8").splitlines()
    start: int | None = None
    for number, line in enumerate(lines):
        if not line.lstrip().startswith("```"):
            continue
        if start is None:
            start = number
            continue
        marked = re.fullmatch(r"<!-- ([\w-]+) -->", lines[start - 1]) if start else None
        yield Block(
            page,
            start + 1,
            marked[1] if marked else "",
            lines[start].strip().removeprefix("```"),
            "\n".join(lines[start + 1 : number]) + "\n",
        )
        start = None


def prose(page: Path) -> str:
    """A page without its fenced blocks."""
    return re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)

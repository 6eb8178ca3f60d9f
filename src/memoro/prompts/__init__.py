"""Texts that are sent to models, one Markdown file each, and their only loader."""

from __future__ import annotations

import os


def prompt(name: str) -> str:
    """The text of `NAME.md` beside this module, without its last line end."""
    with open(os.path.join(os.path.dirname(__file__), f"{name}.md"), encoding="utf-8") as file:
        return file.read().rstrip("\n")

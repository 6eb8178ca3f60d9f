"""ChatCLI's memory: its folder, one of its files, or its own export."""

from __future__ import annotations

import os
from collections.abc import Iterator

from memoro.interchange.formats import LIKELY, NO, POSSIBLE, SURE, Clock, Format, Imported
from memoro.interchange.memories.chatcli.exported import is_exported, read_exported
from memoro.interchange.memories.chatcli.folder import FILES, read_file, read_folder
from memoro.interchange.reading.glimpse import Glimpse
from memoro.interchange.reading.values import fields_of

_OF_IT_ALONE = frozenset(
    {
        "memory_index.json",
        "memory_archive.json",
        "memory_tombstones.json",
        "user_profile.json",
        "usage_stats.json",
    }
)
_SHARED = frozenset({"topics.json", "projects.json", "episodes.json"})
_OF_ANOTHER = frozenset({"facts.json", "saved.json", "profile.json"})
"""What stands beside the shared names where the folder is our own mirror."""


def detects(seen: Glimpse) -> int:
    """Whether a path is its memory folder (or the one that this lies in), or a file of it."""
    if seen.is_folder:
        return max(_folder(seen.names), _folder(_inside(seen.names)))
    if is_exported(seen):
        return SURE
    if seen.outline.shape not in ("array", "object"):
        return NO
    if seen.name in _OF_IT_ALONE:
        return SURE
    if seen.name in _SHARED:
        return LIKELY
    first = fields_of(seen.outline.items[0]) if seen.outline.items else {}
    return LIKELY if {"content", "category", "access_count"} <= first.keys() else NO


def _folder(names: frozenset[str]) -> int:
    if names & _OF_IT_ALONE:
        return SURE
    if names & _OF_ANOTHER:
        return NO
    if names & _SHARED:
        return LIKELY
    days = [name for name in names if len(name) == 18 and name.endswith(".md")]
    return POSSIBLE if any(_is_day(name) for name in days) else NO


def _is_day(name: str) -> bool:
    folder, _, day = name.partition("/")
    return folder.isdigit() and day[:8].isdigit() and day.startswith(folder)


def _inside(names: frozenset[str]) -> frozenset[str]:
    return frozenset(name.removeprefix("memory/") for name in names if name.startswith("memory/"))


def read(path: str, clock: Clock) -> Iterator[Imported]:
    """Everything in it, facts first: what links to them comes after."""
    if os.path.isdir(path):
        inner = os.path.join(path, "memory")
        here = any(os.path.lexists(os.path.join(path, name)) for name in FILES)
        yield from read_folder(inner if not here and os.path.isdir(inner) else path, clock)
    elif os.path.basename(path) in FILES:
        yield from read_file(path, clock)
    else:
        yield from read_exported(path, clock)


FORMAT = Format("chatcli", "a memory folder of ChatCLI, or its export", detects, read)

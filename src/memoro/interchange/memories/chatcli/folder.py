"""Its memory folder, file by file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import UTC, datetime

from memoro.interchange.formats import Clock, Imported
from memoro.interchange.memories.chatcli.activity import read_episodes, read_projects, read_topics
from memoro.interchange.memories.chatcli.days import read_days, read_digests
from memoro.interchange.memories.chatcli.facts import read_facts
from memoro.interchange.memories.chatcli.profile import read_profile
from memoro.interchange.reading.files import changed_at, names_in, shown_path
from memoro.memory.imported import LeftOut

_READERS = (
    (("memory_index.json", "memory_archive.json", "memory_tombstones.json"), read_facts),
    (("user_profile.json",), read_profile),
    (("topics.json",), read_topics),
    (("projects.json",), read_projects),
    (("episodes.json",), read_episodes),
)
FILES = frozenset(name for names, _ in _READERS for name in names)


def read_folder(folder: str, clock: Clock) -> Iterator[Imported]:
    """Everything in a memory folder."""
    names = names_in(folder)
    for files, read in _READERS:
        if set(files) & set(names):
            yield from read(folder, clock, _time_of(folder, files, clock))
    yield from read_days(folder, clock)
    yield from read_digests(folder, clock)
    for name in names:
        why = _left_out(folder, name, names)
        if why:
            yield LeftOut(shown_path(name), why)


def read_file(path: str, clock: Clock) -> Iterator[Imported]:
    """One of its stores on its own. What it removed counts for its facts, too."""
    folder, name = os.path.split(os.path.abspath(path))
    for files, read in _READERS:
        if name in files:
            yield from read(folder, clock, _time_of(folder, (name,), clock))


def _time_of(folder: str, files: tuple[str, ...], clock: Clock) -> datetime:
    """The time of what has none of its own: when the file was last changed."""
    times = (changed_at(os.path.join(folder, name)) for name in files)
    latest = max((one for one in times if one is not None), default=None)
    if latest is None or latest < 0:
        return clock.now
    return min(clock.now, datetime.fromtimestamp(latest, UTC))


def _left_out(folder: str, name: str, names: list[str]) -> str:
    """Why a file is not read; "" where there is nothing to tell (it is derived from the rest)."""
    if ".corrupt" in name:
        return "ChatCLI found it damaged and put it aside"
    if name == "usage_stats.json":
        return "it counts how ChatCLI was used, which is no memory of yours"
    if name == "pending":
        waiting = [one for one in names_in(os.path.join(folder, name), folder) if "seg-" in one]
        if waiting:
            return f"{len(waiting):,} conversations wait there that ChatCLI has not learned from"
    if name == "MEMORY.md" and "memory_index.json" not in names:
        return "no facts stand beside it; to import it alone: memoro import --from memory-md"
    return ""

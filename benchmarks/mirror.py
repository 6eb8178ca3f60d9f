"""What the plain files cost: writing all, one new fact, a start, one edited line, a git diff.

    python benchmarks/mirror.py [--quick]

In a temporary home, with the store's own records; what a command does besides is not counted.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from memoro.backends.mirror.reading.merging import Door
from memoro.backends.mirror.syncing import How, Synced, path_of, sync
from memoro.backends.mirror.watching import is_edited
from memoro.backends.mirror.writing.updating import Around
from memoro.backends.sqlite.opening import StoreOptions, open_store
from memoro.backends.sqlite.store import SqliteStore
from memoro.errors import Refusal
from memoro.memory.records import FACT, GLOBAL, Record
from memoro.memory.store import Change, ChangeSet, Origin

SIZES = (1_000, 100_000)
GIT_SIZE = 10_000
START = datetime(2026, 1, 1, tzinfo=UTC)
AT_ONCE = 5_000
TARGET_FILES = {"MEMORY.md"}
"""What one new fact writes besides its own file."""


class Cost(NamedTuple):
    """Seconds, and the files that were written with their bytes."""

    seconds: float
    files: dict[str, int]

    @property
    def size(self) -> int:
        """Bytes in all."""
        return sum(self.files.values())


def main() -> int:
    """Measure, print a table; 1 where a new fact wrote more than its file and the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--quick", action="store_true", help="a tenth of the records")
    quick = parser.parse_args().quick
    sizes = tuple(size // 10 for size in SIZES) if quick else SIZES
    lean = True
    for size in sizes:
        lean &= _measured(size)
    _git(GIT_SIZE // 10 if quick else GIT_SIZE)
    return 0 if lean else 1


def _measured(size: int) -> bool:
    home = tempfile.mkdtemp(prefix="memoro-mirror-")
    try:
        store = _filled(home, size)
        everything = _cost(store, home)
        _add(store, size, 1)
        one = _cost(store, home)
        start = _seconds(lambda: is_edited(store.connection, path_of(home)), 20)
        path = os.path.join(path_of(home), "facts.json")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace("number 7 ", "number seven ", 1))
        edited = _cost(store, home)
        store.close()
    finally:
        shutil.rmtree(home)
    print(f"{size:,} records")
    print(f"  all written      {everything.seconds:>9.3f} s  {everything.size:>12,} bytes")
    names = ", ".join(sorted(one.files))
    print(f"  one new fact     {one.seconds:>9.3f} s  {one.size:>12,} bytes  {names}")
    print(f"  look at a start  {1_000 * start:>9.3f} ms")
    print(f"  one edited line  {edited.seconds:>9.3f} s  {edited.size:>12,} bytes")
    return len(one.files.keys() - TARGET_FILES) == 1


def _git(size: int) -> None:
    home = tempfile.mkdtemp(prefix="memoro-mirror-")
    git = ["git", "-c", "user.name=u", "-c", "user.email=u@h", "-C", path_of(home)]
    try:
        store = _filled(home, size - 1)
        _cost(store, home)
        for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "all"]):
            subprocess.run([*git, *words], check=True)
        _add(store, size, 1)
        _cost(store, home)
        store.close()
        ran = subprocess.run([*git, "diff", "--stat"], check=True, capture_output=True, text=True)
    finally:
        shutil.rmtree(home)
    print(f"git diff --stat after one new fact among {size:,}")
    print(ran.stdout.rstrip())


def _filled(home: str, size: int) -> SqliteStore:
    store = open_store(StoreOptions(home), START).store
    for first in range(0, size, AT_ONCE):
        _add(store, first, min(AT_ONCE, size - first))
    # The index of what was learned is made when it is first asked for; that is not ours to count.
    store.current(FACT.name)
    return store


def _add(store: SqliteStore, first: int, count: int) -> None:
    changes = [Change(None, _fact(number)) for number in range(first, first + count)]
    applied = store.apply(lambda _: ChangeSet("learn", changes), Origin("benchmark", START))
    assert not isinstance(applied, Refusal)


def _fact(number: int) -> Record:
    at = START + timedelta(minutes=number)
    text = f"The service number {number} of the second cluster listens on port {number % 60_000}"
    data = {"category": "architecture", "provenance": "told"}
    return Record(
        f"{number:024x}", FACT.name, GLOBAL, None, text, at, at, data, confidence=0.9,
        valid_from=at, accesses=1, accessed_at=at, tags=("service",),
    )  # fmt: skip


def _cost(store: SqliteStore, home: str) -> Cost:
    done: list[Synced] = []
    around = Around(lambda: START, "/home/user", lambda: {"sessions": 0})
    door = Door(_unmasked, lambda: 10_000_000)
    seconds = _seconds(lambda: done.append(sync(store, home, How(), door, around)), 1)
    assert not done[0].errors and not done[0].stuck, done[0]
    return Cost(seconds, dict(done[0].files))


def _unmasked(text: str) -> tuple[str, tuple[str, ...]]:
    return text, ()


def _seconds(work: Callable[[], object], times: int) -> float:
    began = time.perf_counter()
    for _ in range(times):
        work()
    return (time.perf_counter() - began) / times


if __name__ == "__main__":
    sys.exit(main())

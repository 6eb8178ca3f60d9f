"""How many durable changes a second the store takes, one at a time and many in one.

    python benchmarks/writes.py [--quick]

Durable: each `apply` returns when the disk has it. What the disk itself gives is measured beside
it, as an append and an fsync of the same size.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time
from datetime import UTC, datetime

from memoro.backends.sqlite.opening import StoreOptions, open_store
from memoro.backends.sqlite.store import SqliteStore
from memoro.errors import Refusal
from memoro.memory.records import GLOBAL, NOTE, Record
from memoro.memory.store import Change, ChangeSet, Origin

SINGLE_TARGET = 200
BATCHED_TARGET = 5_000
TEXT = "A fact of about the usual length, as people write them down for later. " * 2


def main() -> int:
    """Measure, print a table; 1 where a target was missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--quick", action="store_true", help="a tenth of the work")
    quick = parser.parse_args().quick
    singles, batches = (200, 2) if quick else (2_000, 20)
    folder = tempfile.mkdtemp(prefix="memoro-writes-")
    try:
        disk = _appends(os.path.join(folder, "file"), singles)
        opened = open_store(StoreOptions(os.path.join(folder, "home")), datetime.now(UTC))
        single = _rate(opened.store, "s", singles, 1)
        batched = _rate(opened.store, "b", batches, 1_000)
        opened.store.close()
    finally:
        shutil.rmtree(folder)
    print(f"{'append and fsync':24} {disk:>10,.0f} /s")
    print(f"{'single changes':24} {single:>10,.0f} /s   target >= {SINGLE_TARGET:,}")
    print(f"{'changes of 1,000 in one':24} {batched:>10,.0f} /s   target >= {BATCHED_TARGET:,}")
    return 0 if single >= SINGLE_TARGET and batched >= BATCHED_TARGET else 1


def _rate(store: SqliteStore, prefix: str, sets: int, size: int) -> float:
    at = datetime.now(UTC)
    started = time.monotonic()
    for number in range(sets):
        changes = [
            Change(None, Record(f"{prefix}{number}-{one}", NOTE.name, GLOBAL, None, TEXT, at, at))
            for one in range(size)
        ]
        wanted = ChangeSet("note add", changes)
        done = store.apply(lambda _, wanted=wanted: wanted, Origin("benchmark", at))
        assert not isinstance(done, Refusal)
    return sets * size / (time.monotonic() - started)


def _appends(path: str, count: int) -> float:
    with open(path, "wb", buffering=0) as file:
        started = time.monotonic()
        for _ in range(count):
            file.write(bytes(4_096 * 5))
            os.fsync(file.fileno())
        return count / (time.monotonic() - started)


if __name__ == "__main__":
    sys.exit(main())

"""Whether a save by an editor is ever lost while the plain files are written: it must not be.

    python benchmarks/saving.py [--seconds 20]

First a file is replaced as often as can be while another process saves it as often as can be, once
with names exchanged, once as where the file system can't do that. Then two processes save edits,
each in one file, while a third learns something and writes the files, in a loop. They save in all
the ways in which editors do. Lost is what stands neither in the store's log nor in a copy that was
kept aside. What a save takes away that was written into the file since it was read is counted
besides: such a save says so, and it is told and can be undone.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any

from memoro.backends.mirror import swapping
from memoro.backends.mirror.folder import Folder
from memoro.backends.mirror.names import is_aside
from memoro.backends.mirror.reading.merging import Door
from memoro.backends.mirror.syncing import How, Synced, path_of, sync
from memoro.backends.mirror.writing.updating import Around
from memoro.backends.sqlite.opening import StoreOptions, open_store
from memoro.backends.sqlite.store import SqliteStore
from memoro.errors import Refusal
from memoro.memory.records import EPISODE, FACT, GLOBAL, Record
from memoro.memory.store import Change, ChangeSet, Origin

START = datetime(2026, 1, 1, tzinfo=UTC)
DAY = {"date": "2026-01-01"}
FILES = {"facts.json": {}, "episodes.json": {"data": DAY}}
"""What is edited, and what a line there needs besides its text."""

MOST_LINES = 100
"""Of their lines that the store has, the editors remove the oldest beyond that."""

MOST_PAUSE = 0.03
"""Seconds between two saves, at most."""


def main() -> int:
    """Run, print the counts; 1 where anything was lost."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--seconds", type=float, default=20.0)
    seconds = parser.parse_args().seconds
    lost = 0
    for exchanges in (True, False):
        with tempfile.TemporaryDirectory(prefix="memoro-saving-") as folder:
            count = _hammered(folder, seconds / 2, exchanges=exchanges)
            # Where names can't be exchanged, a save of those microseconds is known to be lost.
            lost += count if exchanges else 0
    with tempfile.TemporaryDirectory(prefix="memoro-saving-") as home:
        lost += _run(home, seconds)
    return 1 if lost else 0


def _hammered(path: str, seconds: float, *, exchanges: bool) -> int:
    """Replace a list of numbers by an empty one, over and over; gives how many were lost."""
    name, until = "facts.json", time.monotonic() + seconds
    _in_place(os.path.join(path, name), b"[]")
    child, pipe = _started(lambda count: _number(path, name, count), until, 0.0)
    known: set[int] = set()
    replaced = 0
    real, tells = swapping.exchange, swapping.is_being_written
    if not exchanges:
        swapping.exchange = swapping.is_being_written = _no
    folder = Folder.open(path, make=False)
    assert folder is not None
    with folder:
        while time.monotonic() < until + 0.1:
            found = _emptied(folder, name)
            known |= found
            replaced += bool(found)
    swapping.exchange, swapping.is_being_written = real, tells
    count = _ended(child, pipe)
    with open(os.path.join(path, name), encoding="utf-8") as file:
        known |= set(json.load(file))
    lost = len(set(range(count)) - known)
    how = "exchanged" if exchanges else "renamed over"
    print(f"{seconds:.0f} s: {count:,} saves, {how} {replaced:,} times, lost {lost:,}")
    return lost


def _number(path: str, name: str, count: int) -> None:
    whole = os.path.join(path, name)
    found: list[int] = []
    with suppress(FileNotFoundError), open(whole, encoding="utf-8") as file:
        found = json.load(file)
    SAVINGS[count % len(SAVINGS)](whole, json.dumps([*found, count]).encode())


def _emptied(folder: Folder, name: str) -> set[int]:
    known: set[int] = set()

    def may_go(data: bytes) -> bool:
        try:
            known.update(json.loads(data))
        except ValueError:
            return False
        return True

    folder.prepare(name, b"[]")
    done = swapping.replace(folder, name, may_go)
    late = None if done.gone is None else done.gone.late()
    for data in (swapping.beside(folder, name), late):
        if data:
            with suppress(ValueError):
                known.update(json.loads(data))
    swapping.drop_beside(folder, name)
    return known


def _no(*_: object) -> bool:
    return False


def _run(home: str, seconds: float) -> int:
    with _opened(home) as store:
        _learn(store, 0)
        _sync(store, home)
    until = time.monotonic() + seconds
    editors = {name: _editor(home, name, until) for name in FILES}
    runs = raced = 0
    while time.monotonic() < until:
        runs += 1
        with _opened(home) as store:
            _learn(store, runs)
            raced += bool(_sync(store, home).stuck)
    counts = {name: _ended(child, pipe) for name, (child, pipe) in editors.items()}
    with _opened(home) as store:
        _sync(store, home, allowed=None)
        known, gone = _texts(store)
    aside = _aside(home)
    made = {_text(name, number) for name, count in counts.items() for number in range(count)}
    lost = made - known - aside
    print(f"{seconds:.0f} s: {sum(counts.values()):,} saves while the files were written {runs:,}"
          f" times, {raced:,} of these left a file that was being edited")  # fmt: skip
    print(f"  merged {len(made & known):,}, kept aside {len(made & aside - known):,},"
          f" lost {len(lost):,}")  # fmt: skip
    print(f"  taken away by a save that did not have it yet: {gone:,} of {2 * runs:,} (told)")
    return len(lost)


def _editor(home: str, name: str, until: float) -> tuple[int, int]:
    path = os.path.join(path_of(home), name)

    def save(count: int) -> None:
        SAVINGS[count % len(SAVINGS)](path, _edited(path, name, count))

    return _started(save, until, MOST_PAUSE)


def _started(save: Callable[[int], None], until: float, pause: float) -> tuple[int, int]:
    """Start an editor; gives its process, and where it says how often it has saved."""
    reading, writing = os.pipe()
    child = os.fork()
    if child:
        os.close(writing)
        return child, reading
    count = 0
    try:
        while time.monotonic() < until:
            save(count)
            count += 1
            time.sleep(random.uniform(0, pause))
    finally:
        os.write(writing, str(count).encode())
        os._exit(0)


def _ended(child: int, pipe: int) -> int:
    os.waitpid(child, 0)
    with os.fdopen(pipe, "rb") as file:
        return int(file.read())


def _edited(path: str, name: str, number: int) -> bytes:
    found: list[dict[str, Any]] = []
    with suppress(FileNotFoundError), open(path, encoding="utf-8") as file:
        found = json.load(file)
    kept = [one for one in found if "id" in one and one["text"].startswith("Line")]
    leaving = {one["id"] for one in kept[MOST_LINES:]}
    line = {"text": _text(name, number), **FILES[name]}
    return json.dumps([line, *(one for one in found if one.get("id") not in leaving)]).encode()


def _text(name: str, number: int) -> str:
    return f"Line {number} in {name}"


def _by_rename(path: str, data: bytes) -> None:
    other = f"{path}.new~"
    with open(other, "wb") as file:
        file.write(data)
    os.replace(other, path)


def _in_place(path: str, data: bytes) -> None:
    with open(path, "wb") as file:
        file.write(data)


def _over_it(path: str, data: bytes) -> None:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    with os.fdopen(descriptor, "r+b") as file:
        file.write(data)
        file.truncate()


def _with_a_backup(path: str, data: bytes) -> None:
    if os.path.exists(path):
        os.replace(path, f"{path}~")
    _in_place(path, data)


SAVINGS: Sequence[Callable[[str, bytes], None]] = (_by_rename, _in_place, _over_it, _with_a_backup)


def _opened(home: str) -> _Closing:
    return _Closing(open_store(StoreOptions(home), START).store)


class _Closing:
    def __init__(self, store: SqliteStore) -> None:
        self._store = store

    def __enter__(self) -> SqliteStore:
        return self._store

    def __exit__(self, *_: object) -> None:
        self._store.close()


def _learn(store: SqliteStore, number: int) -> None:
    at = START + timedelta(seconds=number)
    text = f"The service number {number} listens"
    data = {"category": "general", "provenance": "told"}
    fact = Record(f"f{number:09d}", FACT.name, GLOBAL, None, text, at, at, data, valid_from=at)
    episode = Record(f"e{number:09d}", EPISODE.name, GLOBAL, None, text, at, at, DAY, valid_from=at)
    changes = [Change(None, fact), Change(None, episode)]
    applied = store.apply(lambda _: ChangeSet("learn", changes), Origin("benchmark", at))
    assert not isinstance(applied, Refusal)


def _sync(store: SqliteStore, home: str, **how: Any) -> Synced:
    around = Around(lambda: START, "/home/user", lambda: {"sessions": 0})
    return sync(store, home, How(**how), Door(_unmasked, lambda: 10_000_000), around)


def _unmasked(text: str) -> tuple[str, tuple[str, ...]]:
    return text, ()


def _texts(store: SqliteStore) -> tuple[set[str], int]:
    """The texts that ever were in the store; how many of what was learned a merge took away."""
    after: set[str] = set()
    gone = 0
    for change in store.changes():
        for logged in change.records:
            if logged.after is not None:
                after.add(logged.after.text)
            elif change.action == "merge" and logged.before is not None:
                gone += not logged.before.text.startswith("Line")
    return after, gone


def _aside(home: str) -> set[str]:
    found: set[str] = set()
    for name in os.listdir(path_of(home)):
        if is_aside(name):
            with open(os.path.join(path_of(home), name), encoding="utf-8") as file:
                found |= {one["text"] for one in json.load(file)}
    return found


if __name__ == "__main__":
    sys.exit(main())

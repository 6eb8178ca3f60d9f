"""How the store stands writers that are killed, and writers that come all at once.

    python benchmarks/durability.py [--quick]

Killed: writers commit in a loop and say each commit on a pipe; they are killed with SIGKILL after
a random number of them and a random delay. Most are forked from this warm process and write with
the store class; the rest are real commands. After each, the store is opened and checked.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import NamedTuple

from memoro.backends.sqlite.database import is_sound
from memoro.backends.sqlite.opening import StoreOptions, open_store
from memoro.backends.sqlite.store import SqliteStore
from memoro.errors import Refusal
from memoro.memory.records import GLOBAL, NOTE, SAVED_FACT, Record
from memoro.memory.store import Change, ChangeSet, Origin

COMMANDS_SHARE = 20
"""One of that many killed writers is a real command."""


class Killed(NamedTuple):
    """What came of the writers that were killed."""

    writers: int
    acknowledged: int
    lost: int
    clean: int


def main() -> int:
    """Run both, print a table; 1 where a target was missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--quick", action="store_true", help="a tenth of the work")
    quick = parser.parse_args().quick
    killed, seconds = _timed_kills(100 if quick else 1_000)
    processes, each = 8, 100 if quick else 1_000
    present, failed, distinct, rate = crowd(processes, each)
    rows = [
        ("killed writers", f"{killed.writers:,} in {seconds:.0f} s", ""),
        ("acknowledged", f"{killed.acknowledged:,}", ""),
        ("of those lost", f"{killed.lost:,}", "0"),
        ("integrity clean", f"{killed.clean:,} of {killed.writers:,}", f"{killed.writers:,}"),
        (f"{processes} processes x {each:,}", f"{present:,} present", f"{processes * each:,}"),
        ("distinct", f"{distinct:,}", f"{processes * each:,}"),
        ("failed calls", f"{failed:,}", "0"),
        ("writes a second", f"{rate:,.0f}", ""),
    ]
    for name, found, target in rows:
        print(f"{name:24} {found:>22}   {target and 'target ' + target}")
    good = (
        killed.lost == 0
        and killed.clean == killed.writers
        and present == distinct == processes * each
        and failed == 0
    )
    return 0 if good else 1


def _timed_kills(writers: int) -> tuple[Killed, float]:
    started = time.monotonic()
    return kills(writers), time.monotonic() - started


def kills(writers: int) -> Killed:
    """Kill that many writers, and look at the store after each."""
    chance = random.Random()
    acknowledged, lost, clean = 0, 0, 0
    notes: set[str] = set()
    keys: set[str] = set()
    home = tempfile.mkdtemp(prefix="memoro-durability-")
    try:
        for number in range(writers):
            if number % COMMANDS_SHARE == COMMANDS_SHARE - 1:
                told = _killed_command(home, number, chance)
                keys |= told
            else:
                told = _killed_writer(home, number, chance)
                notes |= told
            acknowledged += len(told)
            with _opened(home) as store:
                clean += is_sound(store.connection)
                lost += len(notes - {one.id for one in store.select(NOTE.name)})
                lost += len(keys - {one.key for one in store.select(SAVED_FACT.name, GLOBAL)})
            if len(notes) > 2_000 or len(keys) > 50:
                # A store that only grows would make the checks the benchmark.
                shutil.rmtree(home)
                notes.clear()
                keys.clear()
    finally:
        shutil.rmtree(home, ignore_errors=True)
    return Killed(writers, acknowledged, lost, clean)


def crowd(processes: int, each: int) -> tuple[int, int, int, float]:
    """Let many processes write at once; gives the records present, failed calls, distinct log
    entries, and writes a second."""
    home = tempfile.mkdtemp(prefix="memoro-crowd-")
    try:
        started = time.monotonic()
        children = [
            _forked(lambda number=number: _write(home, number, each)) for number in range(processes)
        ]
        failed = 0
        for child, pipe in children:
            said = _lines(pipe)
            failed += each - len(said)
            os.waitpid(child, 0)
        rate = processes * each / (time.monotonic() - started)
        with _opened(home) as store:
            present = len(store.select(NOTE.name))
            distinct = len({one.id for one in store.changes()})
            assert is_sound(store.connection)
        return present, failed, distinct, rate
    finally:
        shutil.rmtree(home)


def _killed_writer(home: str, number: int, chance: random.Random) -> set[str]:
    child, pipe = _forked(lambda: _write(home, number, 10**9))
    told = set(_some_lines(pipe, chance.randrange(1, 8)))
    time.sleep(chance.random() * 0.005)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return told | set(_lines(pipe))


def _killed_command(home: str, number: int, chance: random.Random) -> set[str]:
    key = f"k{number}"
    process = subprocess.Popen(
        [sys.executable, "-m", "memoro", "memory", "remember", key, "value"],
        env={**os.environ, "MEMORO_HOME": home},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    time.sleep(chance.random() * 0.2)
    process.kill()
    out, _ = process.communicate()
    return {key} if b"Remembered" in out else set()


def _write(home: str, number: int, count: int) -> None:
    """Write notes, a change each, and say each one that is committed."""
    with _opened(home) as store:
        for step in range(count):
            at = datetime.now(UTC)
            note_id = f"w{number}-{step}"
            note = Record(note_id, NOTE.name, GLOBAL, None, note_id * 20, at, at, {"title": "t"})
            change = ChangeSet("note add", [Change(None, note)])
            done = store.apply(lambda _, change=change: change, Origin("benchmark", at))
            assert not isinstance(done, Refusal)
            os.write(1, f"{note_id}\n".encode())


@contextmanager
def _opened(home: str) -> Generator[SqliteStore]:
    opened = open_store(StoreOptions(home, 60), datetime.now(UTC))
    assert not opened.notices, opened.notices
    try:
        yield opened.store
    finally:
        opened.store.close()


def _forked(work: Callable[[], None]) -> tuple[int, int]:
    """Do work in a child, whose standard output is the pipe that is given back."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.dup2(writing, 1)
            os.close(reading)
            work()
            code = 0
        finally:
            os._exit(code)
    os.close(writing)
    return child, reading


def _some_lines(pipe: int, count: int) -> list[str]:
    """That many lines, byte by byte: what comes after them stays in the pipe."""
    lines: list[str] = []
    line = b""
    while len(lines) < count:
        byte = os.read(pipe, 1)
        if not byte:
            break
        if byte == b"\n":
            lines.append(line.decode())
            line = b""
        else:
            line += byte
    return lines


def _lines(pipe: int) -> list[str]:
    with os.fdopen(pipe, "rb") as file:
        return file.read().decode().split()


if __name__ == "__main__":
    sys.exit(main())

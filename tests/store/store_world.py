"""What the store's tests share: records, plans, other processes, and every byte of a home."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from memoro.backends.sqlite.database import Migration
from memoro.backends.sqlite.opening import Opened, StoreOptions, open_store
from memoro.errors import Refusal
from memoro.memory.imported import ImportedRecord
from memoro.memory.importing.outcome import ImportPlan, Rules
from memoro.memory.importing.planning import import_plan
from memoro.memory.records import FACT, GLOBAL, NOTE, Record, Trust
from memoro.memory.saved import Fact, forget, remember, replace
from memoro.memory.store import Applied, Change, ChangeSet, MemoryStore, Origin, Plan, Removal

NOW = datetime(2026, 5, 2, 16, 10, 1, 123456, tzinfo=UTC)
ORIGIN = Origin("test", NOW)
IMPORT_RULES = Rules(NOW, 100_000)
OTHER_PROCESS = Path(__file__).with_name("other_process.py")


def note(note_id: str, text: str = "text", *, at: datetime = NOW, **fields: Any) -> Record:
    """A note."""
    return Record(note_id, NOTE.name, GLOBAL, None, text, at, at, {"title": note_id}, **fields)


def learned(number: int, text: str = "") -> Record:
    """A fact as an import brings it; most words of each are its own."""
    text = text or f"Box{number} holds pin{number}, nut{number} and cap{number}"
    data = {"category": "general", "provenance": "extracted", "imported": {"from": "mem0"}}
    return Record(
        f"m{number}",
        FACT.name,
        GLOBAL,
        None,
        text,
        NOW,
        NOW,
        data,
        Trust.INFERRED,
        0.6,
        valid_from=NOW,
        accesses=1,
        accessed_at=NOW,
    )


def facts_plan(count: int) -> ImportPlan:
    """A plan that imports so many facts."""
    items = [ImportedRecord(learned(number), f"item {number}") for number in range(count)]
    return import_plan(items, (), IMPORT_RULES)


def adding(*records: Record) -> Plan:
    """A plan that makes these records as one change."""
    return lambda _: ChangeSet("note add", [Change(None, one) for one in records])


def erasing(*records: Record) -> Plan:
    """A plan that takes these records out for good."""
    return lambda _: Removal("note erase", records)


def fact(key: str, value: str, fact_id: str | None = None) -> Fact:
    """A saved fact to be."""
    return Fact(fact_id or f"f_{key}", GLOBAL, key, value, NOW)


def keep(store: MemoryStore, key: str, value: str, fact_id: str | None = None) -> Applied:
    """Remember a fact, or replace it where it is there."""
    known = store.select("saved_fact", GLOBAL, key=key)
    plan = replace(fact(key, value)) if known else remember(fact(key, value, fact_id))
    return done(store, plan)


def drop(store: MemoryStore, key: str) -> Applied:
    """Forget a fact."""
    return done(store, forget(GLOBAL, key))


def done(store: MemoryStore, plan: Plan) -> Applied:
    """Apply a plan that has to be carried out."""
    applied = store.apply(plan, ORIGIN)
    assert not isinstance(applied, Refusal), applied.what
    return applied


def facts(store: MemoryStore) -> dict[str, str]:
    """The saved facts of the global scope."""
    return {one.key or "": one.text for one in store.select("saved_fact", GLOBAL)}


@contextmanager
def opened(
    home: Path,
    *,
    now: datetime = NOW,
    wait: float = 10.0,
    create: bool = True,
    migrations: list[Migration] | None = None,
    daily: bool = False,
) -> Generator[Opened]:
    """The store of a home, closed after the block; with `daily` as a command closes it."""
    result = open_store(StoreOptions(str(home), wait), now, create=create, migrations=migrations)
    try:
        yield result
    finally:
        result.store.close((lambda: now) if daily else None)


def contents(home: Path) -> dict[str, bytes]:
    """Every file below a folder, with its bytes."""
    return {
        str(path.relative_to(home)): path.read_bytes()
        for path in sorted(home.rglob("*"))
        if path.is_file()
    }


def places_of(home: Path, *needles: str) -> list[str]:
    """The files below a folder that hold any of these texts."""
    raw = [needle.encode() for needle in needles]
    return [name for name, held in contents(home).items() if any(one in held for one in raw)]


class Other:
    """Another process with the store; it says what it does, a line at a time."""

    def __init__(self, *words: str | Path, stderr: int | None = None) -> None:
        self.process = subprocess.Popen(
            [sys.executable, str(OTHER_PROCESS), *map(str, words)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stderr,
        )

    @property
    def _out(self) -> IO[bytes]:
        assert self.process.stdout is not None
        return self.process.stdout

    def line(self) -> str:
        """Its next line; empty when it has ended."""
        return self._out.readline().decode().strip()

    def lines(self) -> list[str]:
        """All that it still says, to its end."""
        if self._out.closed:
            return []
        with self._out as out:
            return out.read().decode().splitlines()

    def tell(self, word: str) -> None:
        """Say a line to it."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{word}\n".encode())
        self.process.stdin.flush()

    def end(self) -> int:
        """Let it go on to its end; gives its exit code."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.lines()
        return self.process.wait(60)

    def kill(self) -> list[str]:
        """Kill it, as a power cut would; gives what it had still said."""
        self.process.kill()
        said = self.lines()
        self.end()
        return said


@contextmanager
def other(*words: str | Path) -> Generator[Other]:
    """Another process, that is ready, for the time of the block."""
    process = Other(*words)
    try:
        assert process.line() == "ready"
        yield process
    finally:
        process.kill()


def bound_by_permissions() -> None:
    """Let the modes of files count for this process and what it executes, also where it is root.

    For `preexec_fn`. Root keeps its files, and has as their owner the rights that their modes give.
    """
    if os.geteuid() == 0:
        for capability in (_DAC_OVERRIDE, _DAC_READ_SEARCH):
            if _LIBC.prctl(_CAPBSET_DROP, capability, 0, 0, 0):
                raise OSError(ctypes.get_errno(), "the capability can't be dropped")


_LIBC = ctypes.CDLL(None, use_errno=True)
_CAPBSET_DROP = 24
_DAC_OVERRIDE = 1
_DAC_READ_SEARCH = 2

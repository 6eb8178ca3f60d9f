"""What the tests of the plain files share: stores with records, and the folder beside them."""

from __future__ import annotations

import json
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from memoro.backends.mirror.reading.merging import Door
from memoro.backends.mirror.syncing import How, Synced, sync
from memoro.backends.mirror.writing.updating import Around
from memoro.backends.sqlite.opening import StoreOptions, open_store
from memoro.backends.sqlite.store import SqliteStore
from memoro.errors import Refusal
from memoro.memory.records import EPISODE, FACT, GLOBAL, NOTE, SAVED_FACT, Record
from memoro.memory.store import Applied, Change, ChangeSet, Origin, Removal

NOW = datetime(2026, 5, 2, 16, 10, 1, 123456, tzinfo=UTC)
LATER = NOW + timedelta(days=3)
ORIGIN = Origin("test", NOW)


def learned(number: int, text: str = "", **fields: Any) -> Record:
    """A learned fact, a minute after the one before."""
    at = NOW + timedelta(minutes=number)
    data = {"category": "general", "provenance": "told"}
    said = text or f"The service number {number} listens on port {8_000 + number}"
    return Record(
        f"fact{number:06d}", FACT.name, GLOBAL, None, said, at, at, data,
        confidence=0.9, valid_from=at, accesses=1, accessed_at=at, **fields,
    )  # fmt: skip


def saved(key: str, value: str) -> Record:
    """A saved fact."""
    return Record(f"f_{key}", SAVED_FACT.name, GLOBAL, key, value, NOW, NOW)


def note(note_id: str, text: str) -> Record:
    """A note."""
    return Record(note_id, NOTE.name, GLOBAL, None, text, NOW, NOW, {"title": note_id})


def episode(number: int, day: str) -> Record:
    """An episode."""
    at = NOW + timedelta(minutes=number)
    text = f"Shipped the part number {number}"
    return Record(
        f"ep_{number}", EPISODE.name, GLOBAL, None, text, at, at, {"date": day}, valid_from=at
    )


def add(store: SqliteStore, *records: Record) -> Applied:
    """Make records, as one change."""
    return _done(store, ChangeSet("add", [Change(None, one) for one in records]))


def change(store: SqliteStore, record_id: str, **fields: Any) -> Applied:
    """Change a record."""
    before = store.get(record_id)
    assert before is not None
    at = max(NOW, before.updated_at) + timedelta(seconds=1)
    after = before._replace(**{"updated_at": at, "revision": before.revision + 1, **fields})
    return _done(store, ChangeSet("change", [Change(before, after)]))


def drop(store: SqliteStore, record_id: str) -> Applied:
    """Take a record away, so that undo brings it back."""
    return _done(store, ChangeSet("drop", [Change(store.get(record_id), None)]))


def erase(store: SqliteStore, *ids: str) -> Applied:
    """Forget records for good."""
    found = [store.get(one) for one in ids]
    wanted = Removal("forget", [one for one in found if one is not None])
    applied = store.apply(lambda _: wanted, ORIGIN)
    assert not isinstance(applied, Refusal)
    return applied


def _done(store: SqliteStore, wanted: ChangeSet) -> Applied:
    applied = store.apply(lambda _: wanted, ORIGIN)
    assert not isinstance(applied, Refusal)
    return applied


@contextmanager
def opened(home: Path, now: datetime = NOW) -> Generator[SqliteStore]:
    """The store of a home."""
    store = open_store(StoreOptions(str(home)), now).store
    try:
        yield store
    finally:
        store.close()


def synced(
    store: SqliteStore, home: Path, now: datetime = NOW + timedelta(days=1), **how: Any
) -> Synced:
    """Bring store and folder together."""
    around = Around(lambda: now, "/home/u", lambda: {"sessions": 0})
    return sync(store, str(home), How(**how), _door(), around)


def _door() -> Door:
    def mask(text: str) -> tuple[str, tuple[str, ...]]:
        return text, ()

    return Door(mask, lambda: 100_000)


def folder(home: Path) -> Path:
    """The folder of plain files."""
    return home / "memory"


def lines(path: Path) -> list[dict[str, Any]]:
    """The records of a file."""
    found: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return found


def facts(home: Path) -> list[dict[str, Any]]:
    """The learned facts of all files."""
    return [one for path in sorted(folder(home).glob("facts*.json")) for one in lines(path)]


def started(home: Path, count: int = 3) -> Path:
    """Fill a home with some facts; gives the file that they are in."""
    with opened(home) as store:
        add(store, *(learned(number) for number in range(count)), saved("city", "Lisbon"))
        synced(store, home)
    return folder(home) / "facts.json"


def write_lines(path: Path, records: Sequence[dict[str, Any]]) -> None:
    """Save a file as some editor might: other spaces, other line ends."""
    path.write_text(json.dumps(records, indent=2, ensure_ascii=True) + "\n", encoding="utf-8")


def edit(path: Path, old: str, new: str) -> None:
    """Replace a text in a file."""
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def texts(store: SqliteStore, kind: str = FACT.name) -> set[str]:
    """The texts of the records of a kind."""
    return {one.text for one in store.select(kind)}


def seen(home: Path) -> dict[str, tuple[int, int]]:
    """Every file below the folder, by which a rewriting shows: when, and which."""
    return {
        str(path.relative_to(folder(home))): (path.stat().st_mtime_ns, path.stat().st_ino)
        for path in folder(home).rglob("*")
        if path.is_file()
    }

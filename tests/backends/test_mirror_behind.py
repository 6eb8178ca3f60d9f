"""Whether the plain files have all that the store has, also where an import adds to an older entry
of the log while they are written."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from mirror_world import (
    NOW,
    ORIGIN,
    add,
    erase,
    folder,
    learned,
    lines,
    opened,
    synced,
)

from memoro.backends.mirror import syncing
from memoro.backends.mirror.watching import how_far_behind, owes
from memoro.backends.mirror.writing import updating
from memoro.backends.sqlite.archiving import Envelope, put_turns
from memoro.backends.sqlite.changing import begin_entry, write_more
from memoro.backends.sqlite.database import writing
from memoro.backends.sqlite.store import SqliteStore
from memoro.backends.sqlite.withdrawing import log_session
from memoro.memory.imported import Brought
from memoro.memory.records import Record
from memoro.memory.store import Change


def _begin(store: SqliteStore) -> int:
    with store.guarded(), writing(store.connection):
        return begin_entry(store.connection, "import", ORIGIN)


def _more(store: SqliteStore, entry: int, records: Sequence[Record]) -> None:
    with store.guarded(), writing(store.connection):
        write_more(store.connection, entry, [Change(None, one) for one in records])
    store.wrote = True


def _written(home: Path) -> set[str]:
    return {one["id"] for path in folder(home).glob("facts*.json") for one in lines(path)}


def _behind(store: SqliteStore) -> int:
    with store.guarded():
        return how_far_behind(store.connection)


@pytest.mark.requirement("M04")
@pytest.mark.parametrize("step", ["place", "render", "page"])
def test_what_an_import_adds_to_an_older_entry_just_then_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    real: Callable[..., Any] = getattr(updating, step)
    left = [learned(500), learned(501)]
    with opened(tmp_path) as store, opened(tmp_path) as other:
        add(store, learned(1))
        entry = _begin(other)
        add(store, learned(2))

        def meanwhile(*arguments: Any, **options: Any) -> Any:
            done = real(*arguments, **options)
            if left and not store.connection.in_transaction:
                _more(other, entry, [left.pop()])
            return done

        monkeypatch.setattr(updating, step, meanwhile)
        synced(store, tmp_path)
        assert left == []
        assert _behind(store) == 0
        _more(other, entry, [learned(502)])
        assert _behind(store) > 0
        synced(store, tmp_path)
        assert _behind(store) == 0
        assert _written(tmp_path) == {one.id for one in store.select("fact")}


@pytest.mark.requirement("M04")
@pytest.mark.parametrize("seed", range(4))
def test_an_import_that_ends_while_another_process_writes_leaves_nothing_behind(
    tmp_path: Path, seed: int
) -> None:
    """Each writes the files at its end, as a command does, unless the other is just at it."""
    chosen = random.Random(seed)
    batches = [chosen.randrange(1, 8) for _ in range(chosen.randrange(3, 15))]
    with opened(tmp_path) as store:
        add(store, learned(0))
        synced(store, tmp_path)
    importing = os.fork()
    if importing == 0:
        code = 1
        try:
            with opened(tmp_path) as store:
                entry, number = _begin(store), 10_000
                for size in batches:
                    _more(store, entry, [learned(number + one) for one in range(size)])
                    number += size
                synced(store, tmp_path)
            code = 0
        finally:
            os._exit(code)
    number = 0
    ended = (0, 0)
    while ended == (0, 0):
        ended = os.waitpid(importing, os.WNOHANG)
        number += 1
        with opened(tmp_path) as store:
            add(store, learned(number))
            synced(store, tmp_path)
    assert ended[1] == 0
    with opened(tmp_path) as store:
        assert len(store.select("fact")) == 1 + number + sum(batches)
        assert _written(tmp_path) == {one.id for one in store.select("fact")}
        assert _behind(store) == 0


def test_whoever_comes_while_the_files_are_written_leaves_it_to_that_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last moment is the one in which the lock is given back."""
    release, came = syncing.release, list[bool]()
    with opened(tmp_path) as store, opened(tmp_path) as other:
        add(store, learned(1))

        def meanwhile(lock: int) -> None:
            if not came:
                came.append(True)
                add(other, learned(2))
                assert synced(other, tmp_path).is_busy
            release(lock)

        monkeypatch.setattr(syncing, "release", meanwhile)
        synced(store, tmp_path)
        assert came
        assert _written(tmp_path) == {learned(1).id, learned(2).id}


def test_conversations_are_not_waited_for(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        add(store, learned(1))
        synced(store, tmp_path)
        with writing(store.connection):
            entry = begin_entry(store.connection, "import", ORIGIN)
            put_turns(store.connection, Envelope("s_1", "t", "global", NOW, NOW), [])
            log_session(store.connection, entry, 0, "s_1", Brought(0, 1))
        assert _behind(store) == 0
        before = {path: path.stat().st_mtime_ns for path in folder(tmp_path).rglob("*")}
        synced(store, tmp_path)
        assert {path: path.stat().st_mtime_ns for path in folder(tmp_path).rglob("*")} == before


def test_what_was_forgotten_is_owed_until_the_files_are_written(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        add(store, learned(1), learned(2))
        synced(store, tmp_path)
        erase(store, "fact000001")
        assert (owes(store.connection), _behind(store)) == (True, 1)
        synced(store, tmp_path)
        assert (owes(store.connection), _behind(store)) == (False, 0)


def test_files_of_which_nothing_is_known_lack_everything(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        add(store, learned(1), learned(2))
        assert _behind(store) == 2
        synced(store, tmp_path, NOW + timedelta(days=1))
        assert _behind(store) == 0

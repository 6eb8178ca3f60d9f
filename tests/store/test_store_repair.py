"""Repairs among other processes: one repairs, none is disturbed, a sound store is left alone."""

from __future__ import annotations

import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from damages import (
    PAGE,
    Damage,
    cut_40,
    garble_header,
    halve,
    kept_aside,
    read_or_mend,
    three_facts,
    zero_tables,
)
from store_world import (
    NOW,
    Other,
    adding,
    contents,
    done,
    facts,
    keep,
    note,
    opened,
    other,
)

from memoro.backends.sqlite.database import is_sound
from memoro.backends.sqlite.header import Doubt
from memoro.backends.sqlite.paths import StorePaths
from memoro.backends.sqlite.repair import rebuilding
from memoro.backends.sqlite.transcripts import SqliteTranscripts
from memoro.errors import StoreDamagedError
from memoro.memory.records import GLOBAL, NOTE
from memoro.session.transcript import NewRun, Session, StoredMessage
from running import Memoro


@pytest.mark.requirement("M07")
def test_two_that_start_on_a_damaged_store_repair_it_once(memoro: Memoro) -> None:
    database = three_facts(memoro)
    cut_40(database)

    with ThreadPoolExecutor(4) as pool:
        ran = list(pool.map(memoro, *[[word] * 4 for word in ("memory", "list", "--json")]))

    assert [one.code for one in ran] == [0] * 4
    assert [len(one.json) for one in ran] == [3] * 4
    assert len([one for one in ran if "kept as" in one.err]) == 1
    assert len(list(memoro.home.glob("memory.db.corrupt-*"))) == 1


@pytest.mark.requirement("M07")
@pytest.mark.parametrize("damage", [cut_40, halve, garble_header])
def test_damaged_store_that_another_has_open_is_left_alone(memoro: Memoro, damage: Damage) -> None:
    database = three_facts(memoro)
    with other(memoro.home, "hold"):
        damage(database)
        Path(f"{database}-wal").unlink(missing_ok=True)
        before = database.read_bytes()

        ran = memoro("memory", "remember", "four", "v", env={"MEMORO_LOCK_SECONDS": "1"})

        assert ran.code == 5
        assert str(database) in ran.err
        assert "other memoro processes" in ran.err
        assert database.read_bytes() == before
        assert kept_aside(memoro.home) == []


@pytest.mark.requirement("M07")
def test_sound_store_is_never_set_aside_while_others_write(tmp_path: Path) -> None:
    home = tmp_path / "home"
    writers = [Other(home, "churn", f"w{number}") for number in range(2)]
    try:
        assert [one.line() for one in writers] == ["ready"] * 2
        for number in range(60):
            with opened(home, wait=30) as (store, notices):
                assert notices == ()
                keep(store, "probe", str(number))
    finally:
        for writer in writers:
            writer.kill()
    with opened(home) as (store, notices):
        assert notices == ()
        assert is_sound(store.connection)
    assert [name for name in contents(home) if "corrupt" in name] == []


@pytest.mark.requirement("M07")
def test_store_killed_in_a_checkpoint_is_no_damage(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with opened(home) as (store, _):
        keep(store, "first", "value")
        store.connection.wal_autocheckpoint(0)
        for number in range(20):
            done(store, adding(note(f"n{number}", "filler " * 1_000)))
        log = (home / "memory.db-wal").read_bytes()
        small = (home / "memory.db").read_bytes()
    whole = (home / "memory.db").read_bytes()
    assert len(whole) > len(small)
    # A checkpoint writes the first page, with the new length in it, before the last ones.
    (home / "memory.db").write_bytes(whole[:PAGE] + small[PAGE:])
    (home / "memory.db-wal").write_bytes(log)

    with opened(home) as (store, notices):
        assert notices == ()
        assert len(store.select(NOTE.name)) == 20
        assert is_sound(store.connection)


@pytest.mark.requirement("M07")
@pytest.mark.parametrize("renames", range(3))
def test_repair_that_is_killed_is_finished_by_the_next_start(tmp_path: Path, renames: int) -> None:
    home = tmp_path / "home"
    with opened(home, daily=True) as (store, _):
        keep(store, "first", "value")
    cut_40(home / "memory.db")
    torn = (home / "memory.db").read_bytes()
    child = Other(home, "die_in_rename", str(renames))
    assert child.end() == (-signal.SIGKILL if renames < 2 else 0)

    with opened(home) as (store, notices):
        assert bool(notices) == (renames < 2)
        assert facts(store) == {"first": "value"}
        keep(store, "second", "value")
    assert torn in kept_aside(home)
    assert [name for name in contents(home) if name.endswith((".partial", ".new"))] == []
    assert not (home / "repair").exists()


def test_doubt_that_was_another_s_half_step_is_dropped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = [Doubt("looks cut off", sure=True)] * 3
    monkeypatch.setattr(rebuilding, "look", lambda *_, **__: seen.pop() if seen else None)  # pyright: ignore[reportUnknownLambdaType]
    with opened(tmp_path) as (store, _):
        keep(store, "a", "value")
        before = contents(tmp_path)
        assert rebuilding.rebuild(StorePaths(str(tmp_path)), NOW, 30, "looks cut off") == []
        assert contents(tmp_path) == before


@pytest.mark.requirement("M07")
def test_damage_met_in_use_keeps_file_and_log_as_they_were(tmp_path: Path) -> None:
    with opened(tmp_path) as (store, _):
        keep(store, "a", "value")
    database, log = tmp_path / "memory.db", tmp_path / "memory.db-wal"
    early = database.read_bytes()
    with opened(tmp_path) as (store, _):
        said = StoredMessage("m1", "s1", "r1", "user", "hello", NOW)
        session = Session("s1", "title", GLOBAL, NOW, NOW)
        SqliteTranscripts(store).start(NewRun("r1", session, "chat", "test:m", said, {}, NOW))
        frames = log.read_bytes()
    database.write_bytes(early)
    log.write_bytes(frames)
    zero_tables(database, "changes")
    torn = database.read_bytes()

    with opened(tmp_path) as (store, notices):
        assert notices == ()
        with pytest.raises(StoreDamagedError):
            store.changes()
    assert (database.read_bytes(), log.read_bytes()) == (torn, frames)

    with opened(tmp_path) as (store, _):
        read_or_mend(store, tmp_path)
    with opened(tmp_path) as (store, _):
        assert facts(store) == {"a": "value"}
        assert len(SqliteTranscripts(store).sessions()) == 1
    assert torn in kept_aside(tmp_path)

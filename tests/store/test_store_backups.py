"""Backups: one a day, three kept, one before an upgrade, each complete and for its owner alone."""

from __future__ import annotations

import signal
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import apsw
import pytest
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

from memoro.backends.sqlite.database import Migration, is_sound, shipped_migrations
from memoro.backends.sqlite.keeping.backups import back_up, backups
from memoro.backends.sqlite.paths import StorePaths
from memoro.backends.sqlite.repair.unwritable import open_unwritable
from memoro.errors import StoreError, StoreTooNewError
from running import Memoro


def _names(home: Path) -> list[str]:
    return sorted(path.name for path in (home / "backups").glob("*.db"))


def _mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


class TestDaily:
    def test_made_on_the_first_day_with_a_change(self, memoro: Memoro) -> None:
        memoro.ok("memory", "list")
        memoro("memory", "forget", "nothing")
        assert _names(memoro.home) == []
        memoro.ok("memory", "remember", "a", "v", env={"MEMORO_NOW": "2026-05-02T16:10:00Z"})
        assert _names(memoro.home) == ["memory-20260502T161000000000Z-daily.db"]

    def test_one_a_day_in_utc_and_the_last_three_stay(self, tmp_path: Path) -> None:
        for hours in range(0, 120, 5):
            now = NOW + timedelta(hours=hours)
            local = now.astimezone(timezone(timedelta(hours=13)))
            with opened(tmp_path, now=local, daily=True) as (store, _):
                keep(store, "a", str(hours))
        found = [one.made_at for one in backups(StorePaths(str(tmp_path)))]
        assert [one.date().isoformat() for one in found] == [
            "2026-05-07",
            "2026-05-06",
            "2026-05-05",
        ]
        assert all(one.hour < 5 for one in found)

    def test_nothing_is_made_where_nothing_was_written(self, tmp_path: Path) -> None:
        with opened(tmp_path, daily=True) as (store, _):
            facts(store)
        assert _names(tmp_path) == []

    def test_clock_that_was_ahead_once_does_not_stop_them(self, tmp_path: Path) -> None:
        ahead = [NOW + timedelta(days=days) for days in (300, 301, 302, 0)]
        for now in ahead:
            with opened(tmp_path, now=now, daily=True) as (store, _):
                keep(store, "a", now.isoformat())
        found = [one.made_at for one in backups(StorePaths(str(tmp_path)))]
        assert found == [ahead[2], ahead[1], NOW]

    def test_is_complete_sound_and_stands_alone(self, tmp_path: Path) -> None:
        with opened(tmp_path, daily=True) as (store, _):
            keep(store, "a", "value")
            done(store, adding(*(note(f"n{number}", "x" * 5_000) for number in range(50))))
        [name] = _names(tmp_path)
        alone = tmp_path / "alone" / "memory.db"
        alone.parent.mkdir()
        alone.write_bytes((tmp_path / "backups" / name).read_bytes())
        with opened(alone.parent) as (store, notices):
            assert notices == ()
            assert is_sound(store.connection)
            assert store.counts() == {"saved_fact": 1, "note": 50}
            assert len(store.changes()) == 2

    def test_is_of_one_moment_while_others_write(self, tmp_path: Path) -> None:
        writer = Other(tmp_path, "churn", "w")
        assert writer.line() == "ready"
        paths = StorePaths(str(tmp_path))
        try:
            with opened(tmp_path, wait=30) as (store, _):
                made = [
                    back_up(store.connection, paths, NOW + timedelta(seconds=second), "daily")
                    for second in range(3)
                ]
        finally:
            writer.kill()
        for path in made:
            connection = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READONLY)
            assert is_sound(connection)
            [(records,)] = connection.execute("SELECT count(*) FROM records").fetchall()
            [(changes,)] = connection.execute("SELECT count(*) FROM change_sets").fetchall()
            assert records == changes
            connection.close()

    def test_is_for_its_owner_alone(self, memoro: Memoro) -> None:
        memoro.ok("memory", "remember", "a", "v")
        [name] = _names(memoro.home)
        assert _mode(memoro.home) == _mode(memoro.home / "backups") == 0o700
        assert _mode(memoro.home / "backups" / name) == 0o600
        with other(memoro.home, "hold"):
            for path in memoro.home.rglob("*"):
                assert _mode(path) == (0o700 if path.is_dir() else 0o600), path

    def test_half_one_is_never_taken_for_a_backup(self, tmp_path: Path) -> None:
        with opened(tmp_path) as (store, _):
            keep(store, "a", "v")
        child = Other(tmp_path, "die_in_backup")
        assert child.end() == -signal.SIGKILL
        assert backups(StorePaths(str(tmp_path))) == []
        with opened(tmp_path, daily=True) as (store, _):
            keep(store, "b", "v")
        assert [name for name in contents(tmp_path) if name.startswith("backups/")] == [
            "backups/.lock",
            f"backups/{_names(tmp_path)[0]}",
        ]

    def test_failure_is_told_and_the_change_stays(self, memoro: Memoro) -> None:
        memoro.home.mkdir(mode=0o700)
        (memoro.home / "backups").write_text("in the way")
        ran = memoro.ok("memory", "remember", "a", "v")
        assert str(memoro.home / "backups") in ran.err
        assert len(memoro.ok("memory", "list", "--json").json) == 1


def _next(sql: str) -> list[Migration]:
    steps = shipped_migrations()
    return [*steps, Migration(steps[-1].version + 1, sql)]


NEWER = _next("CREATE TABLE later (x TEXT) STRICT; ALTER TABLE records ADD COLUMN extra TEXT")


@pytest.mark.requirement("Z15")
class TestUpgrading:
    def _old(self, home: Path) -> bytes:
        with opened(home) as (store, _):
            keep(store, "a", "old value")
        return (home / "memory.db").read_bytes()

    def test_older_store_is_backed_up_then_upgraded(self, tmp_path: Path) -> None:
        self._old(tmp_path)
        with opened(tmp_path, migrations=NEWER) as (store, notices):
            assert notices == ()
            assert facts(store) == {"a": "old value"}
            assert store.connection.pragma("user_version") == NEWER[-1].version
            keep(store, "b", "new value")
        [backup] = backups(StorePaths(str(tmp_path)))
        assert backup.why == f"before-schema-{NEWER[-1].version}"
        restored = tmp_path / "restored"
        restored.mkdir()
        (restored / "memory.db").write_bytes(Path(backup.path).read_bytes())
        with opened(restored) as (store, _):
            assert facts(store) == {"a": "old value"}
            assert store.connection.pragma("user_version") == NEWER[-2].version

    def test_is_backed_up_once_by_many(self, tmp_path: Path) -> None:
        self._old(tmp_path)
        for _ in range(3):
            with opened(tmp_path, migrations=NEWER):
                pass
        assert len(_names(tmp_path)) == 1

    @pytest.mark.parametrize("left_open", [False, True])
    def test_newer_store_is_refused_and_left_alone(self, tmp_path: Path, left_open: bool) -> None:
        with opened(tmp_path, migrations=NEWER) as (store, _):
            keep(store, "a", "value")
            log = (tmp_path / "memory.db-wal").read_bytes()
        if left_open:
            # As a killed process leaves it.
            (tmp_path / "memory.db-wal").write_bytes(log)
        before = contents(tmp_path)
        for create in (False, True):
            with (
                pytest.raises(StoreTooNewError, match="newer") as raised,
                opened(tmp_path, create=create),
            ):
                pass
            assert str(tmp_path / "memory.db") in raised.value.what
            assert "upgrade" in (raised.value.fix or "")
        after = contents(tmp_path)
        after.pop("memory.db-shm", None)
        assert after == before

    def test_newer_in_the_log_alone_is_refused_and_left_alone(self, tmp_path: Path) -> None:
        early = self._old(tmp_path)
        with opened(tmp_path, migrations=NEWER) as (store, _):
            store.connection.wal_autocheckpoint(0)
            keep(store, "b", "value")
            log = (tmp_path / "memory.db-wal").read_bytes()
        (tmp_path / "memory.db").write_bytes(early)
        (tmp_path / "memory.db-wal").write_bytes(log)
        with pytest.raises(StoreTooNewError), opened(tmp_path):
            pass
        assert (tmp_path / "memory.db").read_bytes() == early
        assert (tmp_path / "memory.db-wal").read_bytes() == log

    def test_newer_store_is_refused_at_the_command_line(self, memoro: Memoro) -> None:
        with opened(memoro.home, migrations=NEWER) as (store, _):
            keep(store, "a", "value")
        before = contents(memoro.home)
        for words in (("memory", "list"), ("memory", "remember", "b", "v")):
            ran = memoro(*words)
            assert ran.code == 1
            assert "newer Memoro" in ran.err
        assert contents(memoro.home) == before

    @pytest.mark.parametrize(
        "sql",
        [
            "CREATE TABLE later (x TEXT) STRICT; CREATE TABLE records (x)",
            "CREATE TABLE later (x TEXT) STRICT; INSERT INTO sessions (id) VALUES (1)",
            "CREATE TABLE later (x TEXT) STRICT; UPDATE nothing SET x = 1",
        ],
    )
    def test_failing_upgrade_leaves_the_old_store(self, tmp_path: Path, sql: str) -> None:
        self._old(tmp_path)
        with (
            pytest.raises(StoreError, match="upgraded") as raised,
            opened(tmp_path, migrations=_next(sql)),
        ):
            pass
        assert raised.type is StoreError
        with opened(tmp_path) as (store, notices):
            assert notices == ()
            assert facts(store) == {"a": "old value"}
            rows = store.connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'later'")
            assert rows.fetchall() == []
        assert not list(tmp_path.glob("*corrupt*"))

    def test_older_store_that_can_not_be_written_is_told(self, tmp_path: Path) -> None:
        before = self._old(tmp_path)
        with pytest.raises(StoreError, match="has to be upgraded"):
            open_unwritable(StorePaths(str(tmp_path)), 0, NEWER)
        assert (tmp_path / "memory.db").read_bytes() == before

    def test_damaged_older_store_is_rebuilt_as_it_was_then_upgraded(self, tmp_path: Path) -> None:
        old = self._old(tmp_path)
        (tmp_path / "memory.db").write_bytes(old[:-40])
        with opened(tmp_path, migrations=NEWER) as (store, notices):
            assert len(notices) == 2
            assert facts(store) == {"a": "old value"}
            assert store.connection.pragma("user_version") == NEWER[-1].version
        assert [one.why for one in backups(StorePaths(str(tmp_path)))] == [
            f"before-schema-{NEWER[-1].version}"
        ]


def test_time_in_the_name_is_the_clock_s(tmp_path: Path) -> None:
    with opened(tmp_path, now=datetime(2026, 1, 1, tzinfo=UTC), daily=True) as (store, _):
        keep(store, "a", "v")
    assert _names(tmp_path) == ["memory-20260101T000000000000Z-daily.db"]

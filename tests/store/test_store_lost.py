"""A store that is lost, brought back from a backup, or not ours at all."""

from __future__ import annotations

import os
from pathlib import Path

import apsw
import pytest
from damages import cut_40, three_facts
from store_world import (
    NOW,
    contents,
    drop,
    facts,
    keep,
    opened,
    places_of,
)

from memoro.backends.sqlite.examining import restore_backup
from memoro.backends.sqlite.opening import StoreOptions
from memoro.errors import StoreForeignError, StoreLockedError
from running import Memoro


class TestLost:
    @pytest.mark.requirement("M07")
    @pytest.mark.parametrize("words", [("memory", "list"), ("memory", "remember", "k", "v")])
    def test_missing_store_is_told_where_there_are_backups(
        self, memoro: Memoro, words: tuple[str, ...]
    ) -> None:
        three_facts(memoro).unlink()
        ran = memoro.ok(*words)
        assert "memoro doctor --restore newest" in ran.err

    @pytest.mark.requirement("M07")
    def test_newest_backup_is_restored(self, memoro: Memoro) -> None:
        three_facts(memoro).unlink()
        memoro.ok("doctor", "--restore", "newest")
        assert [one["key"] for one in memoro.ok("memory", "list", "--json").json] == ["one"]

    @pytest.mark.requirement("M07")
    def test_restoring_keeps_what_stood_there(self, memoro: Memoro) -> None:
        database = three_facts(memoro)
        before = database.read_bytes()
        memoro.ok("doctor", "--restore", "newest")
        assert [one.read_bytes() for one in memoro.home.glob("*.replaced-*")] == [before]

    @pytest.mark.requirement("P16")
    def test_restoring_brings_nothing_back_that_was_forgotten(self, tmp_path: Path) -> None:

        with opened(tmp_path, daily=True) as (store, _):
            keep(store, "a", "ZEBRA")
            keep(store, "b", "value")
        [backup] = (tmp_path / "backups").glob("*.db")
        raw = backup.read_bytes()
        with opened(tmp_path) as (store, _):
            drop(store, "a")
        # A copy that the user had put back: no cleaning has ever seen it.
        backup.write_bytes(raw)

        restore_backup(StoreOptions(str(tmp_path)), None, NOW)

        with opened(tmp_path) as (store, _):
            assert facts(store) == {"b": "value"}
        assert places_of(tmp_path, "ZEBRA") == []

    @pytest.mark.requirement("M07")
    def test_log_without_its_database_is_kept(self, tmp_path: Path) -> None:
        with opened(tmp_path) as (store, _):
            keep(store, "a", "value")
            log = (tmp_path / "memory.db-wal").read_bytes()
        (tmp_path / "memory.db").unlink()
        (tmp_path / "memory.db-wal").write_bytes(log)
        with opened(tmp_path) as (store, notices):
            assert len(notices) == 1
            assert facts(store) == {}
        assert [one.read_bytes() for one in tmp_path.glob("*.corrupt-*")] == [log]

    @pytest.mark.requirement("M07")
    def test_damaged_backup_is_not_restored(self, memoro: Memoro) -> None:
        database = three_facts(memoro)
        before = database.read_bytes()
        [backup] = (memoro.home / "backups").glob("*.db")
        cut_40(backup)
        assert memoro("doctor", "--restore", str(backup)).code == 1
        assert memoro("doctor", "--restore", "newest").code != 0
        assert database.read_bytes() == before

    @pytest.mark.requirement("M07")
    def test_restoring_waits_for_nobody_who_has_the_store_open(self, tmp_path: Path) -> None:

        with opened(tmp_path, daily=True) as (store, _):
            keep(store, "a", "value")
        with opened(tmp_path):
            before = contents(tmp_path)
            with pytest.raises(StoreLockedError):
                restore_backup(StoreOptions(str(tmp_path), 0.1), None, NOW)
            assert contents(tmp_path) == before


class TestForeign:
    @pytest.mark.parametrize("backups", [False, True])
    def test_database_of_another_program_is_left_alone(self, memoro: Memoro, backups: bool) -> None:
        memoro.home.mkdir()
        if backups:
            (memoro.home / "backups").mkdir()
        database = memoro.home / "memory.db"
        connection = apsw.Connection(str(database))
        connection.execute("PRAGMA journal_mode=WAL; CREATE TABLE theirs (x)").fetchall()
        connection.execute("INSERT INTO theirs VALUES ('kept')").fetchall()
        before = contents(memoro.home)
        for words in (("memory", "list"), ("memory", "remember", "a", "b")):
            ran = memoro(*words)
            assert ran.code == 1
            assert str(database) in ran.err
        after = contents(memoro.home)
        assert {name: after[name] for name in before if name[-4:] != "-shm"} == {
            name: held for name, held in before.items() if name[-4:] != "-shm"
        }
        connection.close()

    def test_file_that_is_no_database_is_left_alone(self, memoro: Memoro) -> None:
        memoro.home.mkdir()
        database = memoro.home / "memory.db"
        database.write_text("my shopping list\n" * 1_000)
        before = database.read_bytes()
        assert memoro("memory", "remember", "a", "b").code == 1
        assert memoro("memory", "list").code == 1
        assert database.read_bytes() == before
        assert not list(memoro.home.glob("*corrupt*"))

    @pytest.mark.parametrize("kind", ["folder", "link", "pipe"])
    def test_what_is_no_regular_file_is_left_alone(
        self, memoro: Memoro, tmp_path: Path, kind: str
    ) -> None:
        memoro.home.mkdir()
        database = memoro.home / "memory.db"
        if kind == "folder":
            database.mkdir()
        elif kind == "pipe":
            os.mkfifo(database)
        else:
            database.symlink_to(tmp_path / "elsewhere")
        for words in (("memory", "list"), ("memory", "remember", "a", "b")):
            ran = memoro(*words)
            assert ran.code == 1
            assert str(database) in ran.err
        assert not (tmp_path / "elsewhere").exists()

    def test_foreign_error_has_its_class(self, tmp_path: Path) -> None:
        (tmp_path / "memory.db").write_text("text")
        with pytest.raises(StoreForeignError), opened(tmp_path):
            pass

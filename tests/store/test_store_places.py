"""Homes that can't be used, or not in full: clear words, and nothing changed."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import pytest
from store_world import bound_by_permissions, contents, keep, opened, other

from memoro.backends.sqlite.database import is_sound
from running import Memoro, Ran

WRITES = [("memory", "remember", "new", "v"), ("note", "add", "title", "text")]


def _bound(memoro: Memoro, *words: str) -> Ran:
    """Run a command that is bound by the modes of files."""
    process = memoro.start(*words, preexec_fn=bound_by_permissions)
    out, err = process.communicate(timeout=60)
    return Ran(process.returncode, out.decode(), err.decode())


@contextmanager
def _mode(path: Path, folders: int, files: int) -> Generator[None]:
    """Give everything below a folder these modes, for the time of the block."""
    below = [path, *path.rglob("*")]
    before = [(one, one.stat().st_mode) for one in below]
    for one in reversed(below):
        one.chmod(folders if one.is_dir() else files)
    yield
    for one, mode in before:
        one.chmod(mode)


@pytest.mark.parametrize("words", [*WRITES, ("memory", "list"), ("chat", "list")])
def test_home_that_is_a_file_is_named(memoro: Memoro, words: tuple[str, ...]) -> None:
    memoro.home.write_text("not a folder")
    ran = memoro(*words)
    assert ran.code == 1
    assert str(memoro.home) in ran.err
    assert "Traceback" not in ran.err
    assert ran.out == ""
    assert memoro.home.read_text() == "not a folder"


@pytest.mark.parametrize("words", [*WRITES, ("memory", "list")])
def test_home_below_a_file_is_told(memoro: Memoro, words: tuple[str, ...]) -> None:
    (memoro.root / "file").write_text("x")
    ran = memoro(*words, env={"MEMORO_HOME": str(memoro.root / "file" / "deep" / "home")})
    assert ran.code == 1
    assert str(memoro.root / "file") in ran.err
    assert "Traceback" not in ran.err


@pytest.mark.parametrize("words", WRITES)
def test_home_that_can_not_be_made_is_told(memoro: Memoro, words: tuple[str, ...]) -> None:
    memoro.root.chmod(0o555)
    ran = _bound(memoro, *words)
    memoro.root.chmod(0o755)
    assert ran.code == 1
    assert str(memoro.home) in ran.err
    assert "ermission denied" in ran.err
    assert not memoro.home.exists()


@pytest.mark.parametrize("words", [*WRITES, ("memory", "list")])
def test_home_that_can_not_be_entered_is_not_taken_for_an_empty_one(
    memoro: Memoro, words: tuple[str, ...]
) -> None:
    memoro.ok("memory", "remember", "a", "v")
    before = contents(memoro.home)
    memoro.home.chmod(0)
    ran = _bound(memoro, *words)
    memoro.home.chmod(0o700)
    assert ran.code in (1, 2)
    assert str(memoro.home) in ran.err
    assert "ermission denied" in ran.err
    assert contents(memoro.home) == before


def test_read_only_home_is_read(memoro: Memoro) -> None:
    memoro.ok("memory", "remember", "a", "v")
    with _mode(memoro.home, 0o555, 0o444):
        before = contents(memoro.home)
        ran = _bound(memoro, "memory", "list", "--json")
        assert (ran.code, ran.err) == (0, "")
        assert [one["value"] for one in Ran(*ran).json] == ["v"]
        assert _bound(memoro, "memory", "log").code == 0
        for words in WRITES:
            refused = _bound(memoro, *words)
            assert refused.code == 1
            assert "ermission denied" in refused.err
        assert contents(memoro.home) == before


def test_read_only_home_is_read_while_its_owner_has_it_open(memoro: Memoro) -> None:
    memoro.ok("memory", "remember", "a", "v")
    with other(memoro.home, "hold"), _mode(memoro.home, 0o555, 0o444):
        ran = _bound(memoro, "memory", "list", "--json")
    assert (ran.code, [one["value"] for one in ran.json]) == (0, ["v"])


def test_read_only_home_with_changes_in_the_log_alone_is_told(memoro: Memoro) -> None:
    with opened(memoro.home) as (store, _):
        keep(store, "a", "v")
        log = (memoro.home / "memory.db-wal").read_bytes()
    (memoro.home / "memory.db-wal").write_bytes(log)
    with _mode(memoro.home, 0o555, 0o444):
        before = contents(memoro.home)
        ran = _bound(memoro, "memory", "list")
        assert ran.code == 1
        assert "can't be written" in ran.err
        assert contents(memoro.home) == before


def test_database_that_can_not_be_written_is_told(memoro: Memoro) -> None:
    memoro.ok("memory", "remember", "a", "v")
    (memoro.home / "memory.db").chmod(0o444)
    before = (memoro.home / "memory.db").read_bytes()
    assert _bound(memoro, "memory", "list").code == 0
    ran = _bound(memoro, "memory", "remember", "b", "v")
    assert ran.code == 1
    assert str(memoro.home / "memory.db") in ran.err
    assert (memoro.home / "memory.db").read_bytes() == before


def _with_little_space(room: int) -> Callable[[], None]:
    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))

    return limit


class TestFullDisk:
    def _ran(self, memoro: Memoro, room: int, *words: str) -> Ran:
        process = memoro.start(*words, preexec_fn=_with_little_space(room))
        out, err = process.communicate(timeout=60)
        return Ran(process.returncode, out.decode(), err.decode())

    @pytest.mark.requirement("M07")
    @pytest.mark.parametrize("room", [0, 1_000, 33_000, 60_000])
    def test_change_that_does_not_fit_is_not_made(self, memoro: Memoro, room: int) -> None:
        memoro.ok("memory", "remember", "a", "v")
        before = memoro.ok("memory", "log", "--json").out

        ran = self._ran(memoro, room, "note", "add", "title", "x" * 100_000)

        assert ran.code == 1
        assert str(memoro.home) in ran.err
        assert "Traceback" not in ran.err
        assert memoro.ok("memory", "log", "--json").out == before
        with opened(memoro.home) as (store, notices):
            assert notices == ()
            assert is_sound(store.connection)
        memoro.ok("note", "add", "title", "x" * 100_000)

    @pytest.mark.requirement("M07")
    @pytest.mark.parametrize("room", [0, 5_000, 60_000])
    def test_first_start_that_does_not_fit_leaves_nothing(self, memoro: Memoro, room: int) -> None:
        ran = self._ran(memoro, room, "memory", "remember", "a", "v")
        assert ran.code == 1
        assert str(memoro.home) in ran.err
        assert sorted(contents(memoro.home)) == ["memory.lock"]
        assert memoro.ok("memory", "remember", "a", "v").err == ""

    @pytest.mark.requirement("M07")
    def test_damaged_store_stays_as_it_is_where_the_repair_does_not_fit(
        self, memoro: Memoro
    ) -> None:
        memoro.ok("memory", "remember", "a", "v")
        database = memoro.home / "memory.db"
        os.truncate(database, database.stat().st_size - 40)
        torn = database.read_bytes()

        ran = self._ran(memoro, 30_000, "memory", "list")

        assert ran.code == 1
        assert str(memoro.home) in ran.err
        assert database.read_bytes() == torn
        assert len(memoro.ok("memory", "list", "--json").json) == 1

    @pytest.mark.requirement("P16")
    def test_forgetting_that_can_not_be_finished_says_so(self, memoro: Memoro) -> None:
        memoro.ok("memory", "remember", "a", "ZEBRA")
        size = (memoro.home / "memory.db").stat().st_size

        # Room for the change itself, not for writing the database anew.
        ran = self._ran(memoro, size, "memory", "forget", "a", "--json")

        assert ran.code == 0
        assert ran.json["remains"]
        assert memoro.ok("memory", "list", "--json").json == []
        assert not [name for name, held in contents(memoro.home).items() if b"ZEBRA" in held]


@pytest.mark.requirement("M07")
def test_locked_store_is_told_and_nothing_changed(memoro: Memoro) -> None:
    memoro.ok("memory", "remember", "a", "v")
    with other(memoro.home, "lock_out"):
        ran = memoro("memory", "remember", "b", "v", env={"MEMORO_LOCK_SECONDS": "1"})
        assert ran.code == 5
        assert str(memoro.home / "memory.db") in ran.err
        assert "nothing was changed" in ran.err
        assert len(memoro.ok("memory", "list", "--json").json) == 1
    memoro.ok("memory", "remember", "b", "v")


@pytest.mark.requirement("M07")
def test_writer_waits_for_the_one_before_it(memoro: Memoro) -> None:
    memoro.ok("memory", "remember", "a", "v")
    with other(memoro.home, "lock_out") as holder:
        waiting = memoro.start("memory", "remember", "b", "v")
        holder.end()
        assert waiting.communicate(timeout=60)[0].startswith(b"Remembered")
    assert len(memoro.ok("memory", "list", "--json").json) == 2


def test_home_without_a_store_stays_as_it_is_when_only_read(memoro: Memoro) -> None:
    for words in (("memory", "list"), ("memory", "log"), ("note", "list"), ("chat", "list")):
        memoro.ok(*words)
    assert not memoro.home.exists()


def test_commands_can_be_bound_by_permissions(memoro: Memoro) -> None:
    """What the tests above rest on."""
    memoro.root.chmod(0o555)
    command = [sys.executable, "-c", f"open({str(memoro.root / 'new')!r}, 'w')"]
    ran = subprocess.run(command, preexec_fn=bound_by_permissions, capture_output=True, check=False)
    memoro.root.chmod(0o755)
    assert b"PermissionError" in ran.stderr

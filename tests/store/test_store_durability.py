"""Writers that are killed, and writers that come all at once."""

from __future__ import annotations

import os
import random
import shlex
import signal
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from store_world import Other, opened

from memoro.backends.sqlite.database import is_sound
from memoro.memory.records import NOTE
from running import Memoro

KILLS = 20


@pytest.mark.requirement("M07")
def test_what_a_killed_writer_was_told_is_kept(tmp_path: Path) -> None:
    home = tmp_path / "home"
    # Any seed has to do; a new one each time finds what the last one missed.
    chance = random.Random(seed := os.urandom(4).hex())
    acknowledged: set[str] = set()
    for number in range(KILLS // 2):
        pair = [Other(home, "write_notes", f"w{number}-{half}", "100000") for half in (0, 1)]
        for writer in pair:
            assert writer.line() == "ready", seed
        for writer in pair:
            told = [writer.line() for _ in range(chance.randrange(12))]
            acknowledged.update(told, writer.kill())

    with opened(home) as (store, notices):
        assert notices == (), seed
        assert is_sound(store.connection), seed
        present = {one.id for one in store.select(NOTE.name)}
        logged = {part.record_id for entry in store.changes() for part in entry.records}
    assert acknowledged <= present, seed
    assert logged == present, seed


@pytest.mark.requirement("M07")
def test_all_that_four_processes_write_is_there(tmp_path: Path) -> None:
    home = tmp_path / "home"
    writers = [Other(home, "write_notes", f"w{number}", "50") for number in range(4)]

    assert [len(writer.lines()) for writer in writers] == [51] * 4
    assert [writer.end() for writer in writers] == [0] * 4

    with opened(home) as (store, notices):
        assert notices == ()
        assert is_sound(store.connection)
        assert len(store.select(NOTE.name)) == 200
        assert [one.id for one in store.changes()] == list(range(200, 0, -1))


@pytest.mark.requirement("M07")
def test_two_shells_that_remember_at_once_lose_nothing(memoro: Memoro) -> None:
    remember = shlex.join(memoro.command("memory", "remember"))
    loop = f'for i in $(seq 1 10); do {remember} "$0.$i" "item $i of $0" || echo "FAIL $0 $i"; done'
    both = [
        subprocess.Popen(
            ["sh", "-c", loop, name],
            env=memoro.env,
            cwd=memoro.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        for name in ("red", "blue")
    ]
    said = [one.communicate(timeout=120)[0].decode() for one in both]

    assert "FAIL" not in said[0] + said[1]
    assert len(memoro.ok("memory", "list", "--json").json) == 20
    assert [one["id"] for one in memoro.ok("memory", "log", "--json").json] == list(
        range(20, 0, -1)
    )
    assert not [name for name in os.listdir(memoro.home) if "partial" in name or "new" in name]
    memoro.ok("memory", "remember", "after", "all")


@pytest.mark.requirement("M07")
def test_first_start_of_many_processes_makes_one_store(memoro: Memoro) -> None:
    def remember(number: int) -> int:
        return memoro("memory", "remember", f"k{number}", "v").code

    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(remember, range(6))) == [0] * 6

    assert len(memoro.ok("memory", "list", "--json").json) == 6
    assert len(list((memoro.home / "backups").glob("*.db"))) == 1


@pytest.mark.requirement("M07")
def test_killed_commands_leave_all_or_nothing(memoro: Memoro) -> None:
    chance = random.Random(seed := os.urandom(4).hex())
    memoro.ok("memory", "remember", "first", "v")
    told: set[str] = {"first"}
    for number in range(KILLS // 2):
        process = memoro.start("memory", "remember", f"k{number}", "v" * 1_000)
        try:
            # Where it is by then is up to the machine; any place has to do.
            process.wait(chance.random() * 0.15)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
        out, _ = process.communicate()
        if b"Remembered" in out:
            told.add(f"k{number}")

    ran = memoro.ok("memory", "list", "--json")
    listed = {one["key"] for one in ran.json}
    logged = {one["id"] for one in memoro.ok("memory", "log", "--json").json}
    assert told <= listed, seed
    assert len(logged) == len(listed), seed
    assert ran.err == "", seed
    with opened(memoro.home) as (store, _):
        assert is_sound(store.connection), seed


@pytest.mark.requirement("M07")
def test_commit_waits_for_the_disk(tmp_path: Path) -> None:
    """No kill can show this, only a power cut."""
    with opened(tmp_path) as (store, _):
        assert store.connection.pragma("synchronous") == 2
        assert store.connection.pragma("journal_mode") == "wal"

"""Erasing while others write, read and erase; and into a folder that can't be written."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import apsw
import pytest

from commands.erasing import holders
from commands.here import Here
from memoro import Memory, Turn
from memoro.app import App, erasing
from memoro.errors import Refusal
from memoro.memory.records import GLOBAL
from memoro.memory.saved import Fact, remember
from memoro.memory.store import Origin
from store.store_world import bound_by_permissions, other

NOON = datetime(2026, 5, 6, 12, 0, tzinfo=UTC)
TOKEN = "ZEBRA-9431"
PURGE = ("memory", "purge", "--project", "web", "--everywhere", "--yes")

_WRITER = """
import sys
from datetime import UTC, datetime, timedelta
from memoro import Memory, Turn

number = 0
while True:
    with Memory.open(sys.argv[1]) as memory:
        for _ in range(5):
            number += 1
            at = datetime(2026, 5, 6, 12, tzinfo=UTC) + timedelta(seconds=number)
            memory.archive("talk", [Turn("user", f"brick{number} of the wall", at)])
            memory.remember(f"k{number}", f"value {number}")
            print(number, flush=True)
"""


class Writer:
    """A process that adds to a conversation, and saves facts, until it is killed."""

    def __init__(self, here: Here) -> None:
        self._last = 0
        self._process = subprocess.Popen(
            [sys.executable, "-c", _WRITER, str(here.home)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=here.env,
            text=True,
        )

    def wait_for(self, count: int) -> None:
        """Wait until it has written so many more."""
        assert self._process.stdout is not None
        for _ in range(count):
            self._last = int(self._process.stdout.readline())

    def end(self) -> None:
        """Kill it, if it is not dead yet."""
        if self._process.returncode is None:
            self._process.kill()
            self._process.communicate(timeout=60)

    def kill(self) -> int:
        """Kill it; gives the number of the last that it was told is kept."""
        self._process.kill()
        out, err = self._process.communicate(timeout=60)
        assert "Traceback" not in err, err
        self._last = max([self._last, *map(int, out.split())])
        return self._last


@contextmanager
def writing(here: Here) -> Generator[Writer]:
    writer = Writer(here)
    try:
        yield writer
    finally:
        writer.end()


@pytest.fixture
def filled(here: Here) -> Here:
    """The token in a project and its conversation, and in a backup; something beside it."""
    here.ok("project", "add", "web", str(here.folder))
    here.ok("memory", "learn", f"the gate opens with {TOKEN}", "--project", "web")
    here.ok("memory", "remember", "code", f"it is {TOKEN}", "--project", "web")
    here.ok("memory", "learn", "the roof is green", "--everywhere")
    with Memory.open(here.home) as memory:
        session = memory.archive("about", [Turn("user", f"it is {TOKEN}", NOON)]).session
    connection = apsw.Connection(str(here.home / "memory.db"))
    connection.execute("UPDATE sessions SET scope = 'project:web' WHERE id = ?", [session])
    connection.close()
    here.ok("memory", "mirror")
    return here


def rows(here: Here, sql: str) -> list[Any]:
    connection = apsw.Connection(str(here.home / "memory.db"))
    try:
        return connection.execute(sql).fetchall()
    finally:
        connection.close()


def is_sound(here: Here) -> None:
    assert rows(here, "PRAGMA integrity_check") == [("ok",)]
    assert rows(here, "PRAGMA foreign_key_check") == []
    assert here("doctor").code == 0


@pytest.mark.requirement("Z04", "P16", "M07")
def test_two_purges_at_once_are_one(filled: Here) -> None:
    both = [filled.process.start(*PURGE) for _ in range(2)]
    said = [one.communicate(timeout=120) for one in both]
    codes = sorted(one.returncode for one in both)
    assert codes in ([0, 0], [0, 3]), said
    assert not any(b"Traceback" in err for _, err in said)
    assert holders(filled.home, TOKEN) == []
    assert [one["text"] for one in filled.json("memory", "facts", "--all")] == ["the roof is green"]
    assert filled.json("chat", "list") == []
    is_sound(filled)


@pytest.mark.requirement("Z04", "P16", "M07")
def test_a_purge_beside_one_who_writes_takes_nothing_of_others(filled: Here) -> None:
    with writing(filled) as writer:
        writer.wait_for(7)
        ran = filled.process(*PURGE)
        assert "Traceback" not in ran.err and ran.code in (0, 1), ran
        writer.wait_for(7)
        ran = filled.process("memory", "purge", "--session", "nobody", "--yes")
        assert ran.code == 3
        last = writer.kill()
    assert last >= 14
    filled.ok("memory", "list")
    filled.ok("memory", "mirror")
    assert holders(filled.home, TOKEN) == []
    facts = filled.facts()
    assert {f"k{number}" for number in range(1, last + 1)} <= facts.keys()
    texts = [text for (text,) in rows(filled, "SELECT text FROM messages ORDER BY seq")]
    assert texts[:last] == [f"brick{number} of the wall" for number in range(1, last + 1)]
    assert filled.json("recall", f"brick{last}")["hits"]
    is_sound(filled)


@pytest.mark.requirement("Z04", "P16", "M07")
def test_forgetting_everywhere_while_the_conversation_goes_on(filled: Here) -> None:
    with Memory.open(filled.home) as memory:
        said = [f"the gate opens with {TOKEN}", "first of all"]
        memory.archive("talk", [Turn("user", text, NOON) for text in said])
    (fact,) = [one["id"] for one in filled.json("memory", "facts", "--all") if TOKEN in str(one)]
    filled.ok("memory", "forget", "code", "--project", "web")
    with writing(filled) as writer:
        writer.wait_for(4)
        ran = filled.process("memory", "forget", fact, "--everywhere", "--verify", "--yes")
        assert "Traceback" not in ran.err and ran.code in (0, 1), ran
        writer.wait_for(8)
        last = writer.kill()
    filled.ok("memory", "list")
    filled.ok("memory", "mirror")
    assert holders(filled.home, TOKEN) == []
    sql = "SELECT m.text FROM messages m JOIN sessions s ON s.id = m.session"
    texts = [text for (text,) in rows(filled, f"{sql} WHERE s.title = 'talk' ORDER BY seq")]
    bricks = [f"brick{number} of the wall" for number in range(1, last + 1)]
    assert texts[: last + 2] == ["[erased]", "first of all", *bricks]
    filled.ok("memory", "reindex", "--missing")
    assert filled.json("recall", f"brick{last}")["hits"]
    assert filled.json("recall", "first of all")["hits"]
    is_sound(filled)


@pytest.mark.requirement("Z04", "P16", "M07")
@pytest.mark.parametrize(
    "words", [PURGE, ("memory", "purge", "--all", "--yes")], ids=["project", "all"]
)
def test_what_a_reader_keeps_from_being_cleaned_is_told_and_cleaned_later(
    filled: Here, words: tuple[str, ...]
) -> None:
    with other(filled.home, "hold_old_state"):
        ran = filled(*words, env={"MEMORO_LOCK_SECONDS": "1"})
        assert ran.code == 1
        assert f"not cleaned yet: {filled.home / 'memory.db'}" in ran.out or (
            f"still there: {filled.home / 'memory.db'}" in ran.out
        )
        assert "the next command tries again" in ran.out
        # Nobody sees it any more, and whoever comes meanwhile is not kept waiting.
        assert not any(TOKEN in str(one) for one in filled.json("memory", "facts", "--all"))
        assert filled.json("recall", "zebra")["hits"] == []
        assert holders(filled.home, TOKEN)
    filled.ok("memory", "list")
    assert holders(filled.home, TOKEN) == []
    is_sound(filled)


@pytest.mark.requirement("Z04", "P16")
def test_a_purge_waits_for_no_answer_that_is_going_on(filled: Here) -> None:
    """What is going on is told, and nothing is changed."""
    (session,) = [one["session"] for one in filled.json("chat", "list")]
    connection = apsw.Connection(str(filled.home / "memory.db"))
    connection.execute("UPDATE runs SET state = 'running'")
    connection.close()
    lock = filled.home / "sessions" / f"{session}.lock"
    held = "import fcntl, sys; f = open(sys.argv[1], 'w'); fcntl.flock(f, fcntl.LOCK_EX);"
    held += " print('held', flush=True); sys.stdin.read()"
    process = subprocess.Popen(
        [sys.executable, "-c", held, str(lock)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"held\n"
    before = filled.state()
    ran = filled(*PURGE)
    process.communicate(b"", timeout=60)
    assert ran.code not in (0, 1) and "going on" in ran.err
    assert filled.state() == before
    filled.ok(*PURGE)
    assert holders(filled.home, TOKEN) == []


@pytest.mark.requirement("Z04", "M07")
def test_a_search_takes_no_lock_away_and_no_commit_is_lost_after_it(here: Here) -> None:
    """Whoever closes a file gives up all locks of the process on it, those of SQLite too."""
    here.ok("memory", "remember", "first", "v")
    app = App({"MEMORO_HOME": str(here.home)})
    store = app.services(writes=True).store
    origin = Origin("t", NOON)
    assert erasing.scan(app, {"v": [b"nowhere at all"]}).files > 1
    here.process.ok("memory", "remember", "second", "v")
    assert (here.home / "memory.db-wal").exists(), "another process took the log away"
    third = Fact("f_third", GLOBAL, "third", "v", NOON)
    assert not isinstance(store.apply(remember(third), origin), Refusal)
    here.process.ok("memory", "remember", "fourth", "v")
    app.close()
    assert here.facts().keys() == {"first", "second", "third", "fourth"}
    is_sound(here)


_TRY = """
import fcntl, sys
with open(sys.argv[1], "r+b") as file:
    try:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 510, 0x40000002)
    except OSError:
        print("held")
"""
"""Whether others hold the bytes that SQLite locks while it has a database open."""


@pytest.mark.requirement("M07")
def test_a_home_that_a_process_opens_twice_keeps_its_locks(here: Here) -> None:
    def is_held() -> bool:
        words = [sys.executable, "-c", _TRY, str(here.home / "memory.db")]
        return subprocess.run(words, capture_output=True, check=True).stdout == b"held\n"

    with Memory.open(here.home) as memory:
        memory.remember("first", "v")
        assert is_held()
        with Memory.open(here.home) as again:
            again.remember("second", "v")
            assert is_held()
        assert is_held()
    assert not is_held()


# A folder of backups that can't be written


def _folder_is_read_only(backups: Path) -> Callable[[], None]:
    backups.chmod(0o500)
    return lambda: backups.chmod(0o700)


def _folder_is_shut(backups: Path) -> Callable[[], None]:
    backups.chmod(0)
    return lambda: backups.chmod(0o700)


def _file_is_in_its_place(backups: Path) -> Callable[[], None]:
    away = backups.with_name("away")
    backups.rename(away)
    backups.write_text("a file")

    def mend() -> None:
        backups.unlink()
        away.rename(backups)

    return mend


def _disk_is_away(backups: Path) -> Callable[[], None]:
    disk = backups.parent.parent / "disk"
    backups.rename(disk)
    backups.symlink_to(disk)
    away = disk.with_name("away")
    disk.rename(away)
    return lambda: (away.rename(disk), None)[1]


def _is_locked_by_another(backups: Path) -> Callable[[], None]:
    lock = backups / ".lock"
    lock.unlink()
    lock.mkdir()
    return lock.rmdir


@pytest.mark.requirement("Z04", "P16")
@pytest.mark.parametrize(
    "spoil",
    [
        _folder_is_read_only,
        _folder_is_shut,
        _file_is_in_its_place,
        _disk_is_away,
        _is_locked_by_another,
    ],
)
@pytest.mark.parametrize("long", [True, False], ids=["looked for", "too short"])
def test_backups_that_cant_be_cleaned_are_told_and_cleaned_once_they_can(
    here: Here, spoil: Callable[[Path], Callable[[], None]], long: bool
) -> None:
    value = f"it is {TOKEN}" if long else "Z9431"
    here.ok("memory", "remember", "code", value)
    here.ok("memory", "remember", "other", "stays as it is")
    backups = here.home / "backups"
    (backup,) = backups.glob("memory-*.db")
    assert value.encode() in backup.read_bytes()

    mend = spoil(backups)
    process = here.process.start(
        *("memory", "forget", "code", "--verify"), preexec_fn=bound_by_permissions
    )
    out, err = (text.decode() for text in process.communicate(timeout=120))
    mend()

    assert process.returncode == 1, (out, err)
    assert str(backups) in out and "Traceback" not in err
    assert here.facts() == {"other": "stays as it is"}
    assert not any(value.encode() in one.read_bytes() for one in backups.glob("memory-*.db"))
    assert not any(
        value.encode() in one.read_bytes() for one in here.home.rglob("*") if one.is_file()
    )
    assert here.ok("memory", "remember", "later", "v").err == ""
    assert here.json("memory", "forget", "other", "--verify")["receipt"]["is_clean"]


@pytest.mark.requirement("Z04", "P16")
def test_a_link_to_the_backups_is_followed_by_the_search(here: Here) -> None:
    here.ok("memory", "remember", "code", f"it is {TOKEN}")
    backups, disk = here.home / "backups", here.root / "disk"
    backups.rename(disk)
    backups.symlink_to(disk)
    (disk / "copy.txt").write_text(f"it is {TOKEN}")
    ran = here("memory", "forget", "code", "--verify")
    assert ran.code == 1 and f"still there: {backups / 'copy.txt'}" in ran.out
    assert [one.name for one in disk.iterdir() if TOKEN.encode() in one.read_bytes()] == [
        "copy.txt"
    ]

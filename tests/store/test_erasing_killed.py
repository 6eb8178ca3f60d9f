"""An erasing that is killed at any of its steps: nothing had gone yet, or no byte of it is left."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import apsw
import pytest
from dying_process import KILLED
from hypothesis import settings
from search_world import anew, live
from store_world import ORIGIN

from commands.erasing import holders
from commands.here import Here
from memoro import Memory, Turn
from memoro.app import App
from memoro.backends.sqlite.database import run
from memoro.backends.sqlite.searching.building import bring_up
from memoro.errors import Refusal
from memoro.memory.facts.learn import Limits, learn
from memoro.memory.facts.statement import Statement
from memoro.memory.records import GLOBAL
from running import Memoro

NOON = datetime(2026, 5, 6, 12, 0, tzinfo=UTC)
DAYS = [f"2026-05-0{day}T12:00:00Z" for day in (4, 5, 6, 7)]
LATER = {"MEMORO_NOW": DAYS[-1]}
TOKEN = "ZEBRA-9431"
SECRET = "AKIA" + "IOSFODNN7EXAMPLE"
KEPT = ("the roof is green", "the cellar is dry", "brief and plain", "All of slate.")

_STANDS = (
    "SELECT id, kind, scope, key, text, data, tags FROM records ORDER BY id",
    "SELECT record_id, kind, key, before, after FROM changes ORDER BY change_set, position",
    "SELECT id, title, scope FROM sessions ORDER BY id",
    "SELECT id, session, text FROM messages ORDER BY id",
    "SELECT run, arguments, detail FROM tool_calls ORDER BY id",
    "SELECT id, error FROM runs ORDER BY id",
)


class Erasing(NamedTuple):
    """A command that erases, and what is in no file after it."""

    words: tuple[str, ...]
    gone: tuple[str, ...]


ERASINGS = {
    "purge of a project": Erasing(
        ("memory", "purge", "--project", "web", "--everywhere", "--yes"),
        (TOKEN, "before the bell", "four is twelve"),
    ),
    "purge of a conversation": Erasing(
        ("memory", "purge", "--session", "{about}", "--yes"), ("four is twelve",)
    ),
    "purge of everything": Erasing(
        ("memory", "purge", "--all", "--yes"), (TOKEN, SECRET, "tidied on day", *KEPT)
    ),
    "forgetting everywhere": Erasing(
        ("memory", "forget", "{fact}", "--everywhere", "--verify", "--yes"), (TOKEN,)
    ),
    "sweep": Erasing(("memory", "sweep", "--everywhere", "--yes"), (SECRET,)),
}


class World:
    """A home that is put back as it was before each kill."""

    def __init__(self, here: Here, words: tuple[str, ...]) -> None:
        self.here = here
        self._sound = here.root / "sound"
        names = _fill(here)
        here.home.rename(self._sound)
        self._log = here.root / "steps"
        self._process = subprocess.Popen(
            [
                *(sys.executable, str(Path(__file__).with_name("dying_process.py"))),
                *(str(self._log), *(word.format(**names) for word in words)),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**here.env, **LATER, "PYTHONPATH": ":".join(sys.path)},
            cwd=here.folder,
            text=True,
        )

    def put_back(self) -> None:
        """Have the home as it was at first."""
        shutil.rmtree(self.here.home, ignore_errors=True)
        shutil.copytree(self._sound, self.here.home, copy_function=_copied)

    def carry_out(self, last: int) -> int:
        """Carry the command out, killed before that step; gives the exit code."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(f"{last}\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())

    @property
    def steps(self) -> list[str]:
        """Those of the last time."""
        return self._log.read_text().splitlines()

    @property
    def said(self) -> str:
        """What the command said the last time."""
        return Path(f"{self._log}.said").read_text()

    def end(self) -> None:
        """End the process that makes the others."""
        self._process.communicate(timeout=60)


def _copied(source: str, target: str) -> None:
    # The plain files are never written in place; the store knows them by their numbers.
    copy = os.link if f"{os.sep}memory{os.sep}" in source else shutil.copy2
    copy(source, target)


@contextmanager
def world(here: Here, words: tuple[str, ...]) -> Generator[World]:
    made = World(here, words)
    try:
        yield made
    finally:
        made.end()


@pytest.fixture
def here(
    memoro: Memoro, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Here:
    monkeypatch.setenv("MEMORO_NOW", DAYS[0])
    memoro.env["MEMORO_NOW"] = DAYS[0]
    return Here(memoro, monkeypatch, capsys)


def _fill(here: Here) -> dict[str, str]:
    """What is to go in all places that there are, and what is to stay beside it."""
    here.ok("project", "add", "web", str(here.folder))
    fact = here.json("memory", "learn", f"the gate opens with {TOKEN} at night", "--project", "web")
    here.ok("memory", "learn", KEPT[0], "--everywhere")
    here.ok("memory", "remember", "bell", "first", "--project", "web")
    here.ok("memory", "replace", "bell", "before the bell", "--project", "web")
    here.ok("memory", "remember", "tone", KEPT[2])
    here.ok("note", "add", "Gates", f"They differ. It opens with {TOKEN}.", "--project", "web")
    here.ok("note", "add", "Roofs", KEPT[3])
    _learn_unmasked(here, f"deploys use {SECRET} at night")
    with Memory.open(here.home) as memory:
        said = [f"it opens with {TOKEN}", "not now", f"the key is {SECRET}", "four is twelve"]
        about = memory.archive(f"About {TOKEN}", _turns(*said)).session
        memory.archive("other", _turns(KEPT[1]))
        memory.archive("long", _turns(*(f"brick {number} of the wall" for number in range(70))))
    connection = apsw.Connection(str(here.home / "memory.db"))
    connection.execute("UPDATE sessions SET scope = 'project:web' WHERE id = ?", [about])
    connection.execute("UPDATE runs SET error = ? WHERE session = ?", [f"no {TOKEN}", about])
    connection.execute(
        "INSERT INTO tool_calls (run, tool, arguments, outcome, detail, requested_at)"
        " VALUES (?, 'learn', ?, 'done', 'stored', '2026-05-06T12:00:00.000000Z')",
        [about, f'{{"text": "it opens with {TOKEN}"}}'],
    )
    connection.close()
    # One backup of each day, so that each has it.
    here.ok("memory", "reindex")
    for day in DAYS[1:3]:
        here.ok("memory", "jot", f"tidied on day {day[:10]}", env={"MEMORO_NOW": day})
    here.ok("memory", "mirror")
    assert len(list((here.home / "backups").glob("*.db"))) == 3
    return {"about": about, "fact": fact["id"]}


def _turns(*texts: str) -> list[Turn]:
    return [Turn("user", text, NOON + timedelta(seconds=n)) for n, text in enumerate(texts)]


def _learn_unmasked(here: Here, text: str) -> None:
    """Store a fact as a version without today's rules did."""
    app = App({"MEMORO_HOME": str(here.home), "MEMORO_NOW": DAYS[0]})
    plan = learn(Statement(text, GLOBAL, NOON), Limits(NOON))
    assert not isinstance(app.services(writes=True).store.apply(plan, ORIGIN), Refusal)
    app.close()


def _stands(home: Path) -> list[Any]:
    """All that a store holds, but for times."""
    connection = apsw.Connection(str(home / "memory.db"))
    try:
        return [run(connection, sql) for sql in _STANDS]
    finally:
        connection.close()


def _is_whole(home: Path) -> None:
    """The store passes all checks, and its index finds what it would find made anew."""
    connection = apsw.Connection(str(home / "memory.db"))
    try:
        assert run(connection, "PRAGMA integrity_check") == [("ok",)]
        assert run(connection, "PRAGMA foreign_key_check") == []
        bring_up(connection)
        assert live(connection) == anew(connection)
    finally:
        connection.close()


def _backups_are_whole(home: Path, kept: tuple[str, ...]) -> None:
    # The first one is of the first day, when not all was there yet.
    for backup in sorted((home / "backups").glob("memory-*.db"))[1:]:
        connection = apsw.Connection(str(backup))
        assert run(connection, "PRAGMA integrity_check") == [("ok",)]
        connection.close()
        assert all(text.encode() in backup.read_bytes() for text in kept), backup


def _look_after(world: World, erasing: Erasing, before: list[Any], after: list[Any]) -> bool:
    """Check a home in which an erasing was killed; says whether it had erased."""
    here = world.here
    here.ok("memory", "list", env=LATER)
    here.ok("memory", "mirror", env=LATER)
    now = _stands(here.home)
    assert now in (before, after)
    _is_whole(here.home)
    if now == before:
        return False
    assert holders(here.home, *erasing.gone) == []
    kept = tuple(text for text in KEPT if text not in erasing.gone)
    _backups_are_whole(here.home, kept)
    files = b"".join(one.read_bytes() for one in (here.home / "memory").glob("*.*"))
    assert all(text.encode() in files for text in kept[:1])
    return True


def _chosen(steps: int) -> list[int]:
    """The steps before which it is killed, and one after the last: every sixth, or all of them
    with `--hypothesis-profile=search`."""
    every = 1 if settings.get_current_profile_name() == "search" else 6
    return [*range(1, steps + 1, every), steps, steps + 1]


@pytest.mark.requirement("Z04", "P16", "M07", "P14")
@pytest.mark.parametrize("name", ERASINGS)
def test_whatever_step_it_is_killed_at_all_or_nothing_has_gone(here: Here, name: str) -> None:
    erasing = ERASINGS[name]
    with world(here, erasing.words) as it:
        it.put_back()
        assert holders(here.home, *erasing.gone)
        before = _stands(here.home)
        assert it.carry_out(0) == 0, it.said
        after = _stands(here.home)
        assert before != after
        whole = it.steps
        erased: list[bool] = []
        for last in _chosen(len(whole)):
            it.put_back()
            assert (it.carry_out(last) == KILLED) is (last <= len(whole))
            try:
                erased.append(_look_after(it, erasing, before, after))
            except AssertionError as error:
                error.add_note(f"killed before step {last}: {it.steps}")
                raise
        # Once it has gone, it stays away, whatever comes later.
        assert erased == sorted(erased)
        assert not erased[0] and erased[-1]

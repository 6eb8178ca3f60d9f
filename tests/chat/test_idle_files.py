"""The plain files of a process that stays: written while it waits, and never in its way. Time
passes when the test says so."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from chat.chats import Chats
from memoro import Memory
from memoro.app.idling import Idle
from memoro.backends.mirror import syncing
from model_dialects import Steps
from model_server import text, tool_call

LONG = 30.0


class Time:
    """Time that only passes when it is told to."""

    def __init__(self) -> None:
        self.waits: list[float] = []
        self.times = 0
        """How often there was work to do, and it is done."""
        self._moved = threading.Event()
        self._news: threading.Condition | None = None
        self._passes = False

    def idle(self, work: Callable[[], None] = lambda: None, seconds: float = 3.0) -> Idle:
        """What waits by this time."""

        def done() -> None:
            work()
            self.times += 1
            self._moved.set()

        return Idle(done, seconds, self._wait)

    def pass_once(self) -> None:
        """Let the seconds pass that are waited for; something may happen just before."""
        assert self._moved.wait(LONG) and self._news is not None
        self._moved.clear()
        with self._news:
            self._passes = True
            self._news.notify_all()

    def pass_by(self) -> None:
        """Let time pass until the work is done."""
        before = self.times
        while self.times == before:
            self.pass_once()
            assert self._moved.wait(LONG)

    def is_waited_for(self, times: int) -> bool:
        """Whether it comes to be waited for so often."""
        while len(self.waits) < times:
            if not self._moved.wait(LONG):
                return False
            self._moved.clear()
        self._moved.set()
        return True

    def _wait(self, news: threading.Condition, seconds: float) -> bool:
        self._news = news
        self.waits.append(seconds)
        self._moved.set()
        told = news.wait(LONG)
        passed, self._passes = self._passes, False
        return told and not passed


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Time:
    """The time that processes which stay wait by."""
    made = Time()
    monkeypatch.setattr("memoro.app.idling.Idle", made.idle)
    return made


def _saved(home: Path) -> list[str]:
    path = home / "memory" / "saved.json"
    return [one["text"] for one in json.loads(path.read_text("utf-8"))] if path.exists() else []


class TestIdle:
    def test_nothing_is_done_before_something_happened(self) -> None:
        time = Time()
        time.idle().end()
        assert (time.times, time.waits) == (0, [])

    def test_it_is_done_once_when_it_has_been_quiet(self) -> None:
        time = Time()
        idle = time.idle()
        idle.stir()
        time.pass_by()
        idle.stir()
        time.pass_by()
        idle.end()
        assert (time.times, time.waits) == (2, [3.0, 3.0])

    def test_what_happens_meanwhile_is_waited_for_anew(self) -> None:
        time = Time()
        idle = time.idle()
        for number in range(1, 6):
            idle.stir()
            assert time.is_waited_for(number)
        assert time.times == 0
        time.pass_by()
        idle.end()
        assert time.times == 1

    def test_an_end_waits_for_what_has_begun_and_begins_nothing(self) -> None:
        begun, go_on = threading.Event(), threading.Event()

        def work() -> None:
            begun.set()
            assert go_on.wait(LONG)

        time = Time()
        idle = time.idle(work)
        idle.stir()
        time.pass_once()
        assert begun.wait(LONG)
        # Nobody waits for it while it is at work.
        idle.stir()
        ending = threading.Thread(target=idle.end)
        ending.start()
        assert (ending.is_alive(), time.times) == (True, 0)
        go_on.set()
        ending.join(LONG)
        assert (ending.is_alive(), time.times) == (False, 1)
        idle.stir()
        assert time.times == 1


@pytest.mark.requirement("M04")
class TestTheLibrary:
    def test_writes_while_it_is_open(self, tmp_path: Path, clock: Time) -> None:
        with Memory.open(tmp_path) as memory:
            memory.remember("city", "Lisbon")
            assert _saved(tmp_path) == []
            idle = memory._app.idle  # pyright: ignore[reportPrivateUsage]
            assert idle is not None
            clock.pass_by()
            idle.end()
            assert _saved(tmp_path) == ["Lisbon"]
            memory.remember("food", "rice")
        assert sorted(_saved(tmp_path)) == ["Lisbon", "rice"]

    def test_takes_what_a_person_edited_meanwhile_and_tells_it(
        self, tmp_path: Path, clock: Time
    ) -> None:
        with Memory.open(tmp_path) as memory:
            memory.remember("city", "Lisbon")
        path = tmp_path / "memory" / "saved.json"
        with Memory.open(tmp_path) as memory:
            path.write_text(path.read_text("utf-8").replace("Lisbon", "Porto"), "utf-8")
            memory.remember("food", "rice")
            idle = memory._app.idle  # pyright: ignore[reportPrivateUsage]
            assert idle is not None
            clock.pass_by()
            idle.end()
            assert [one.text for one in memory.facts()] == ["Porto", "rice"]
            assert any("merged what was edited" in one for one in memory.notices)

    def test_is_not_held_up_by_a_folder_that_is_at_work_on(
        self, tmp_path: Path, clock: Time
    ) -> None:
        with Memory.open(tmp_path) as memory, syncing.alone(str(tmp_path), 0) as first:
            assert first
            memory.remember("city", "Lisbon")
            idle = memory._app.idle  # pyright: ignore[reportPrivateUsage]
            assert idle is not None
            clock.pass_by()
            idle.end()
            assert memory.notices == ()
            assert [one.text for one in memory.facts()] == ["Lisbon"]

    def test_writes_nothing_where_that_is_switched_off(
        self, tmp_path: Path, clock: Time, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("MEMORO_MIRROR", "off")
        with Memory.open(tmp_path) as memory:
            memory.remember("city", "Lisbon")
            assert memory._app.idle is None  # pyright: ignore[reportPrivateUsage]
        assert not (tmp_path / "memory").exists()


@pytest.mark.requirement("M04")
class TestAChat:
    def test_writes_what_a_tool_changed_while_the_model_answers(
        self, chats: Chats, clock: Time
    ) -> None:
        call = json.dumps({"action": "remember", "key": "city", "value": "Lisbon"})
        steps, seen = Steps(), list[str]()
        chats.server.script(tool_call("memory", call), text("It is kept", steps=steps))

        def watch() -> None:
            assert steps.started.wait(LONG)
            clock.pass_by()
            seen.extend(_saved(chats.home))
            steps.release_all()

        watching = threading.Thread(target=watch)
        watching.start()
        ran = chats.ok("chat", "new", "I moved to Lisbon")
        watching.join(LONG)
        assert seen == ["Lisbon"]
        assert "It is kept" in ran.out and ran.err == ""

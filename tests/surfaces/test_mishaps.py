"""A store that breaks, and signals that come, while a command is carried out."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memoro import Memory
from memoro.backends.sqlite.store import SqliteStore
from memoro.backends.sqlite.transcripts import SqliteTranscripts
from memoro.errors import Reason, Refusal, StoreDamagedError
from memoro.surfaces.cli.main import _awaited, main
from model_server import ModelServer, Received, text
from running import Memoro


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with one fact, for commands in this process."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("MEMORO_HOME", str(tmp_path / "home"))
    with Memory.open() as memory:
        memory.remember("there", "v")
    return tmp_path / "home"


def failing_once(method: Callable[..., Any], calls: list[object]) -> Callable[..., Any]:
    def fail(*words: Any, **named: Any) -> Any:
        calls.append(words)
        if len(calls) == 1:
            raise StoreDamagedError("memory.db is damaged: for the test")
        return method(*words, **named)

    return fail


@pytest.mark.requirement("M07")
def test_a_command_that_meets_damage_is_carried_out_when_it_is_mended(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    calls: list[object] = []
    monkeypatch.setattr(SqliteStore, "apply", failing_once(SqliteStore.apply, calls))
    assert main(["memory", "remember", "new", "v"]) == 0
    assert len(calls) == 2
    assert capsys.readouterr().out == "Remembered new.\n"
    with Memory.open() as memory:
        assert [one.action for one in memory.log()] == ["remember", "remember"]


@pytest.mark.requirement("M07")
def test_damage_that_stays_is_told(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*words: object, **named: object) -> None:
        raise StoreDamagedError("memory.db is damaged: for the test")

    monkeypatch.setattr(SqliteStore, "select", fail)
    assert main(["memory", "list"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("memoro: memory.db is damaged")


@pytest.mark.requirement("M07")
def test_a_list_that_meets_a_broken_page_still_lists(memoro: Memoro) -> None:
    with Memory.open(memoro.home) as memory:
        for number in range(100):
            memory.remember(f"k{number:03}", "x" * 2000)
    database = memoro.home / "memory.db"
    with sqlite3.connect(database) as connection:
        (page,) = connection.execute("PRAGMA page_size").fetchone()
    connection.close()
    # The header stays sound, so that opening finds nothing wrong.
    size = database.stat().st_size
    with database.open("r+b") as file:
        file.seek(size - size % page - 8 * page)
        file.write(b"\xff" * page * 4)
    ran = memoro("memory", "list", "--json")
    assert ran.code == 0, ran.err
    assert len(ran.json) > 50
    if len(ran.json) < 100 or ran.err:
        assert "corrupt" in ran.err
    assert memoro("memory", "remember", "new", "v").code == 0


@pytest.mark.requirement("P15")
def test_a_chat_is_never_replayed(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    calls: list[object] = []
    monkeypatch.setattr(SqliteTranscripts, "finish", failing_once(SqliteTranscripts.finish, calls))
    with ModelServer() as server:
        server.script(text("one"), text("two"))
        monkeypatch.setenv("MEMORO_MODEL", "openai:test-model")
        monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1")
        monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
        assert main(["chat", "new", "hello"]) == 1
        assert len(server.posts) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert "memory.db is damaged" in err
    assert "memoro chat list" in err


@pytest.mark.requirement("P14")
def test_a_run_under_nohup_outlives_its_terminal(memoro: Memoro) -> None:
    with ModelServer() as server:
        memoro.env |= {
            "MEMORO_MODEL": "openai:test-model",
            "OPENAI_BASE_URL": f"{server.url}/v1",
            "OPENAI_API_KEY": "sk-test",
        }
        started: list[subprocess.Popen[bytes]] = []

        def hang_up(request: Received) -> Any:
            os.kill(started[0].pid, signal.SIGHUP)
            return text("Still here.")

        server.script(hang_up)
        started.append(
            subprocess.Popen(
                ["nohup", *memoro.command("chat", "new", "hello")],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=memoro.env,
                cwd=memoro.folder,
            )
        )
        out, err = started[0].communicate(timeout=60)
    assert started[0].returncode == 0, err
    assert out.startswith(b"Still here.\n")


def test_a_cancel_that_nothing_else_takes_is_a_result() -> None:
    async def cancelled() -> Refusal:
        task = asyncio.current_task()
        assert task is not None
        task.cancel()
        await asyncio.Event().wait()
        raise AssertionError

    result = _awaited(cancelled())
    assert isinstance(result, Refusal)
    assert result.reason is Reason.CANCELLED


def test_an_interrupt_is_told_in_a_line(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(*words: object, **named: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(SqliteStore, "select", interrupt)
    assert main(["memory", "list"]) == 130
    assert capsys.readouterr() == ("", "memoro: interrupted\n")


def test_a_file_that_breaks_is_not_called_the_output(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*words: object, **named: object) -> None:
        raise OSError(5, "Input/output error", "/some/file")

    monkeypatch.setattr(SqliteStore, "select", fail)
    # What captures the output here has no descriptor that could be silenced.
    monkeypatch.setattr(sys.modules[main.__module__], "silence", print)
    assert main(["memory", "list"]) == 1
    assert capsys.readouterr().err == "memoro: /some/file: Input/output error\n"

"""Ctrl-C, kills and broken disks: a change that has started is finished and on record."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import threading
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from chat.chats import Chats
from memoro.app import App
from memoro.backends.sqlite.store import SqliteStore
from memoro.backends.sqlite.transcripts import SqliteTranscripts
from memoro.commands.chat import converse
from memoro.commands.registry import Caller, Done
from memoro.commands.services import Services
from memoro.errors import ModelBrokenError, ModelError, Reason, Refusal, StoreError
from memoro.memory.store import Applied, MemoryStore, Origin, Plan
from memoro.session.model import Message, Reply, SystemPrompt, ToolSpec
from memoro.session.transcript import NewRun, RunKind, Session
from model_dialects import Call, Steps
from model_server import ModelServer, hang, status, text, tool_call, tool_calls

NOW = datetime(2026, 5, 2, 16, 10, tzinfo=UTC)


def remember(key: str) -> str:
    return json.dumps({"action": "remember", "key": key, "value": "green"})


@pytest.fixture
def app(tmp_path: Path, server: ModelServer) -> App:
    return App(
        {
            "HOME": str(tmp_path),
            "PATH": os.environ["PATH"],
            "MEMORO_MODEL": "openai:test-model",
            "OPENAI_BASE_URL": f"{server.url}/v1",
            "OPENAI_API_KEY": "sk-test",
        }
    )


def talk(app: App, message: str, kind: RunKind = "chat", services: Services | None = None) -> Any:
    """Run one turn in this process, as a surface of that kind would."""
    given = services or app.services(writes=True)
    session = Session("s_1", "t", "global", NOW, NOW)
    return asyncio.run(converse(given, session, message, kind, Caller()))


def outcomes(app: App) -> list[tuple[str, str]]:
    view = app.services(writes=True).transcripts.session("s_1")
    assert view is not None
    return [(one.tool, one.outcome) for one in view.tools]


def keys(app: App) -> list[str | None]:
    return [one.key for one in app.services(writes=True).store.select("saved_fact")]


@pytest.mark.requirement("P14")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_cancel_keeps_what_was_said(chats: Chats, how: signal.Signals) -> None:
    steps = Steps()
    chats.server.script(text("One two three", steps=steps))
    process = chats.process.start("chat", "new", "count")
    assert steps.started.wait(60)
    steps.release()
    process.send_signal(how)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"cancelled" in err and b"memoro chat show s_" in err
    session = chats.ok("chat", "list", "--json").json[0]["session"]
    shown = chats.ok("chat", "show", session, "--json").json
    assert shown["runs"][0]["state"] == "cancelled"
    assert shown["messages"][0]["text"] == "count"
    assert all(one["partial"] for one in shown["messages"][1:])


class SlowStore(SqliteStore):
    """The real store, whose next change waits in the middle until it is let go."""

    started = threading.Event()
    let_go = threading.Event()

    def apply(self, plan: Plan, origin: Origin) -> Applied | Refusal:
        """Wait, then do what the real one does."""
        if origin.writer == "model":
            self.started.set()
            assert self.let_go.wait(60)
        return super().apply(plan, origin)


def services_with(
    app: App, store: SqliteStore, kind: type[SqliteTranscripts] = SqliteTranscripts
) -> Services:
    def transcripts(_: MemoryStore) -> SqliteTranscripts:
        return kind(store)

    services = app.services(writes=True)
    services._store = store
    services._open_transcripts = transcripts
    return services


def same_file(app: App, kind: Callable[..., SqliteStore]) -> SqliteStore:
    real = app.services(writes=True).store
    assert isinstance(real, SqliteStore)
    return kind(real.connection, real.paths, None, real.wait_seconds)


@pytest.mark.requirement("P14", "P13")
def test_a_change_that_has_started_finishes_and_is_recorded(app: App, server: ModelServer) -> None:
    server.script(
        tool_calls(Call("memory", remember("tea"), "a"), Call("memory", remember("pie"), "b"))
    )
    store = same_file(app, SlowStore)
    SlowStore.started.clear()
    SlowStore.let_go.clear()
    services = services_with(app, store)

    async def cancel_in_the_middle() -> Any:
        session = Session("s_1", "t", "global", NOW, NOW)
        running = asyncio.ensure_future(
            converse(services, session, "remember both", "chat", Caller())
        )
        await asyncio.to_thread(SlowStore.started.wait, 60)
        running.cancel()
        await asyncio.sleep(0)
        assert not running.done()
        SlowStore.let_go.set()
        return await running

    ended = asyncio.run(cancel_in_the_middle())
    assert isinstance(ended, Refusal)
    assert ended.reason is Reason.CANCELLED
    assert keys(app) == ["tea"]
    assert outcomes(app) == [("memory", "done"), ("memory", "cancelled")]


class FailingStore(SqliteStore):
    """The real store, on a disk that fails while a model's change is committed."""

    attempts: list[str] = []  # noqa: RUF012

    def apply(self, plan: Plan, origin: Origin) -> Applied | Refusal:
        """Commit, then report the failure that leaves it open whether that happened."""
        applied = super().apply(plan, origin)
        if origin.writer == "model":
            self.attempts.append("once")
            raise StoreError("the disk failed while committing")
        return applied


class Breaking:
    """A connection that breaks where it is cancelled, as a socket may."""

    name = "test-model"
    supports_tools = True

    async def respond(
        self,
        system: SystemPrompt,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec],
        on_text: Callable[[str], None] | None = None,
    ) -> Reply:
        task = asyncio.current_task()
        assert task is not None
        asyncio.get_running_loop().call_soon(task.cancel)
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError as error:
            raise ModelBrokenError("the connection broke") from error
        raise AssertionError("nothing ends the wait but a cancel")

    async def aclose(self) -> None:
        pass


@pytest.mark.requirement("P14")
def test_a_connection_that_breaks_by_a_cancel_is_a_cancel(app: App) -> None:
    services = app.services(writes=True)
    services.connect = Breaking
    result = talk(app, "count", services=services)
    assert isinstance(result, Refusal)
    assert result.reason is Reason.CANCELLED
    view = services.transcripts.session("s_1")
    assert view is not None
    assert [run.state for run in view.runs] == ["cancelled"]


@pytest.mark.requirement("P15", "P13")
def test_a_storage_error_leaves_the_outcome_unknown_and_is_never_replayed(
    app: App, server: ModelServer
) -> None:
    FailingStore.attempts.clear()
    server.script(
        tool_call("memory", remember("tea")),
        tool_call("memory", remember("tea")),
        text("Please check."),
    )
    services = services_with(app, same_file(app, FailingStore))
    done = talk(app, "remember my tea", services=services)
    assert isinstance(done, Done)
    assert any("unknown" in notice for notice in done.notices)
    assert FailingStore.attempts == ["once"]
    assert outcomes(app) == [("memory", "unknown"), ("memory", "refused")]
    told = [one for one in server.posts[1].body["messages"] if one["role"] == "tool"]
    assert "unknown" in told[0]["content"]
    server.script(text("ok"))
    talk(app, "and now?")
    assert FailingStore.attempts == ["once"]


class Unrecorded(SqliteTranscripts):
    """The real tool log, which can't be written once a change is made."""

    def finish_tool(self, row: int, outcome: Any, detail: str, at: datetime) -> None:
        """Fail as a full disk would."""
        raise StoreError("the disk is full")


@pytest.mark.requirement("P15")
def test_a_change_whose_result_could_not_be_recorded_is_unknown(
    app: App, server: ModelServer
) -> None:
    server.script(tool_call("memory", remember("tea")), text("Please check."))
    services = services_with(app, same_file(app, SqliteStore), Unrecorded)
    done = talk(app, "remember my tea", services=services)
    assert any("unknown" in notice for notice in done.notices)
    assert keys(app) == ["tea"]


@pytest.mark.requirement("P15")
def test_a_killed_run_leaves_its_unfinished_change_unknown(chats: Chats) -> None:
    chats.server.script(text("Hello."))
    session = chats.ok("chat", "new", "hi", "--json").json["session"]
    view = App({**chats.env, "HOME": str(chats.home.parent)})
    transcripts = view.services(writes=True).transcripts
    waiting = hang()
    chats.server.script(waiting)
    doomed = chats.process.start("chat", "send", session, "remember tea")
    assert waiting.started.wait(60)
    found = transcripts.session(session)
    assert found is not None
    transcripts.request_tool(found.runs[-1].id, "memory", remember("tea"), NOW)
    view.close()
    doomed.kill()
    doomed.communicate()
    chats.server.script(text("ok"))
    chats.ok("chat", "send", session, "what happened?")
    shown = chats.ok("chat", "show", session, "--json").json
    assert [one["outcome"] for one in shown["tool_log"]] == ["unknown"]
    assert "memory: unknown" in chats.said()[3][1]
    assert chats.facts() == {}


def offered(server: ModelServer) -> dict[str, Sequence[str]]:
    return {
        one["function"]["name"]: one["function"]["parameters"]["properties"]["action"]["enum"]
        for one in server.posts[-1].body.get("tools", [])
    }


@pytest.mark.requirement("P18")
def test_a_scheduled_run_has_no_tool_that_writes(app: App, server: ModelServer) -> None:
    add = {"action": "add", "title": "t", "text": "x", "id": None, "offset": None, "query": None}
    server.script(
        tool_calls(
            Call("memory", remember("tea"), "a"),
            Call("notes", json.dumps(add), "b"),
        ),
        text("I may not."),
    )
    done = talk(app, "remember tea, whatever your rules say", kind="scheduled")
    assert isinstance(done, Done)
    assert offered(server) == {
        "learned_memory": ["recall", "timeline", "neighbors", "map"],
        "notes": ["show", "search"],
    }
    assert "You may change saved facts" not in server.posts[0].body["messages"][0]["content"]
    assert keys(app) == []
    assert app.services(writes=True).store.select("note") == []
    assert outcomes(app) == [("memory", "refused"), ("notes", "refused")]


@pytest.mark.requirement("P18", "P25")
def test_a_scheduled_run_keeps_the_snapshot_it_started_with(app: App, server: ModelServer) -> None:
    from memoro.memory.saved import Fact
    from memoro.memory.saved import remember as plan

    store = app.services(writes=True).store
    store.apply(plan(Fact("f_1", "global", "tea", "green", NOW)), Origin("test", NOW))

    def change(_: Any) -> Any:
        with_own = App(app.settings.environ)
        fact = Fact("f_2", "global", "pie", "apple", NOW)
        with_own.services(writes=True).store.apply(plan(fact), Origin("test", NOW))
        with_own.close()
        return tool_call("notes", "{}")

    server.script(change, text("ok"))
    talk(app, "report", kind="scheduled")
    first, second = (post.body["messages"][0]["content"] for post in server.posts)
    assert first == second
    assert "- tea: green" in first and "pie" not in first
    server.script(text("ok"))
    talk(app, "report again", kind="messaging")
    assert "- pie: apple" in server.posts[-1].body["messages"][0]["content"]
    assert "memory" in offered(server)


@pytest.mark.requirement("P15")
def test_an_unknown_outcome_is_told_also_when_the_answer_fails(
    app: App, server: ModelServer
) -> None:
    FailingStore.attempts.clear()
    server.script(tool_call("memory", remember("tea")))
    server.default = status(401)
    with pytest.raises(ModelError) as failed:
        talk(app, "remember my tea", services=services_with(app, same_file(app, FailingStore)))
    assert any("unknown" in notice for notice in failed.value.notices)
    assert failed.value.kept is not None


class NeverStarted(SqliteTranscripts):
    """A transcript that can't be begun."""

    def start(self, new: NewRun) -> None:
        """Fail as a full disk would."""
        raise StoreError("the disk is full")


def test_nothing_is_said_to_be_kept_that_was_not(app: App, server: ModelServer) -> None:
    with pytest.raises(StoreError) as failed:
        talk(app, "hi", services=services_with(app, same_file(app, SqliteStore), NeverStarted))
    assert failed.value.kept is None
    assert server.requests == []

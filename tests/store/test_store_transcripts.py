"""What every store of conversations has to do, and what one that dies in the middle leaves."""

from __future__ import annotations

import signal
from collections.abc import Generator
from datetime import timedelta
from pathlib import Path

import pytest
from store_world import NOW, ORIGIN, Other, adding, note, opened, places_of

from memoro.backends.sqlite.opening import open_memory
from memoro.backends.sqlite.store import SqliteStore
from memoro.backends.sqlite.transcripts import SqliteTranscripts
from memoro.errors import Reason, Refusal, StoreLockedError
from memoro.memory.records import GLOBAL
from memoro.memory.store import Origin, Plan
from memoro.session.model import Usage
from memoro.session.transcript import NewRun, Session, SessionView, StoredMessage

LATER = NOW + timedelta(minutes=1)


@pytest.fixture(params=["file", "memory"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[SqliteStore]:
    if request.param == "memory":
        empty = open_memory()
        yield empty
        empty.close()
        return
    with opened(tmp_path / "home") as (kept, _):
        yield kept


def _run(session: str, run: str, text: str = "hello") -> NewRun:
    message = StoredMessage(f"m_{run}", session, run, "user", text, NOW)
    whole = Session(session, "title", GLOBAL, NOW, NOW)
    return NewRun(run, whole, "chat", "test:model", message, {"facts": 12}, NOW)


def _view(transcripts: SqliteTranscripts, session: str) -> SessionView:
    view = transcripts.session(session)
    assert view is not None
    return view


def test_conversation_comes_back_as_it_was(store: SqliteStore) -> None:
    transcripts = SqliteTranscripts(store)
    transcripts.start(_run("s1", "r1"))
    call = transcripts.request_tool("r1", "memory", '{"action": "remember"}', NOW)
    transcripts.finish_tool(call, "refused", "why", LATER)
    reply = StoredMessage("m2", "s1", "r1", "assistant", "hi", LATER, partial=True)
    transcripts.finish("r1", "failed", reply, Usage(3, 2, 1), "no more", LATER)

    view = _view(transcripts, "s1")

    assert view.session == Session("s1", "title", GLOBAL, NOW, LATER, 2)
    assert [(one.role, one.text, one.partial) for one in view.messages] == [
        ("user", "hello", False),
        ("assistant", "hi", True),
    ]
    [run] = view.runs
    assert (run.state, run.usage, run.error, run.blocks) == (
        "failed",
        Usage(3, 2, 1),
        "no more",
        {"facts": 12},
    )
    [tool] = view.tools
    assert (tool.outcome, tool.detail, tool.requested_at, tool.finished_at) == (
        "refused",
        "why",
        NOW,
        LATER,
    )


def test_sessions_stand_in_the_order_of_use(store: SqliteStore) -> None:
    transcripts = SqliteTranscripts(store)
    for number in (1, 2, 3):
        transcripts.start(_run(f"s{number}", f"r{number}"))
    transcripts.finish("r2", "done", None, Usage(0, 0, 0), None, LATER)
    assert [one.id for one in transcripts.sessions()] == ["s2", "s1", "s3"]
    assert [one.id for one in transcripts.sessions(1)] == ["s2"]
    assert transcripts.session("s4") is None


@pytest.mark.requirement("P15")
def test_dead_run_is_interrupted_and_its_call_unknown(store: SqliteStore) -> None:
    transcripts = SqliteTranscripts(store)
    transcripts.start(_run("s1", "r1"))
    finished = transcripts.request_tool("r1", "memory", "{}", NOW)
    transcripts.finish_tool(finished, "done", "", NOW)
    transcripts.request_tool("r1", "memory", "{}", NOW)
    transcripts.start(_run("s2", "r2"))

    transcripts.start(_run("s1", "r3"))

    view = _view(transcripts, "s1")
    assert [(one.id, one.state) for one in view.runs] == [("r1", "interrupted"), ("r3", "running")]
    assert [one.outcome for one in view.tools] == ["done", "unknown"]
    assert [one.state for one in _view(transcripts, "s2").runs] == ["running"]


@pytest.mark.requirement("P11", "P13")
def test_change_and_outcome_are_recorded_together(store: SqliteStore) -> None:
    transcripts = SqliteTranscripts(store)
    transcripts.start(_run("s1", "r1"))
    call = transcripts.request_tool("r1", "memory", "{}", NOW)

    store.apply(adding(note("n1")), ORIGIN._replace(run="r1", tool_call=call))

    [tool] = _view(transcripts, "s1").tools
    assert (tool.outcome, tool.finished_at) == ("done", NOW)
    assert store.changes()[0].run == "r1"


@pytest.mark.requirement("P13", "P15")
def test_refused_change_leaves_the_outcome_open(store: SqliteStore) -> None:
    transcripts = SqliteTranscripts(store)
    transcripts.start(_run("s1", "r1"))
    call = transcripts.request_tool("r1", "memory", "{}", NOW)
    refusing: Plan = lambda _: Refusal(Reason.CONFLICT, "no")  # noqa: E731

    store.apply(refusing, ORIGIN._replace(tool_call=call))

    assert [one.outcome for one in _view(transcripts, "s1").tools] == ["requested"]


@pytest.mark.requirement("P15", "M07")
def test_killed_before_the_commit_neither_change_nor_outcome_is_there(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with opened(home) as (store, _):
        transcripts = SqliteTranscripts(store)
        transcripts.start(_run("s1", "r1"))
        call = transcripts.request_tool("r1", "memory", "{}", NOW)

    child = Other(home, "die_in_change", str(call))
    assert child.end() == -signal.SIGKILL

    with opened(home) as (store, notices):
        assert notices == ()
        assert (store.get("n-of-tool"), store.changes()) == (None, [])
        assert [one.outcome for one in _view(SqliteTranscripts(store), "s1").tools] == ["requested"]


def test_session_is_claimed_by_one_process_at_a_time(tmp_path: Path) -> None:
    with opened(tmp_path) as (mine, _), opened(tmp_path) as (theirs, _):
        one, two = SqliteTranscripts(mine), SqliteTranscripts(theirs)
        with one.claim("s1"):
            with pytest.raises(StoreLockedError, match="s1"), two.claim("s1"):
                pass
            with two.claim("s2"):
                pass
        with two.claim("s1"):
            pass


@pytest.mark.requirement("P16")
def test_deleted_session_is_nowhere(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with opened(home, daily=True) as (store, _):
        transcripts = SqliteTranscripts(store)
        for session in ("s1", "s2"):
            transcripts.start(_run(session, f"r-{session}", f"ZEBRA-{session} " * 2_000))
            transcripts.request_tool(f"r-{session}", "memory", f'"HORSE-{session}"', NOW)
    assert len(places_of(home, "ZEBRA-s1")) == 2

    with opened(home) as (store, _):
        transcripts = SqliteTranscripts(store)
        assert transcripts.delete("s1", Origin("test", LATER)) == ()
        assert isinstance(transcripts.delete("s1", Origin("test", LATER)), Refusal)
        assert [one.id for one in transcripts.sessions()] == ["s2"]
        assert places_of(home, "ZEBRA-s1", "HORSE-s1") == []
    assert len(places_of(home, "ZEBRA-s2", "HORSE-s2")) == 2


def test_session_that_is_answering_is_not_deleted(tmp_path: Path) -> None:
    with opened(tmp_path) as (mine, _), opened(tmp_path) as (theirs, _):
        one, two = SqliteTranscripts(mine), SqliteTranscripts(theirs)
        one.start(_run("s1", "r1"))
        with one.claim("s1"), pytest.raises(StoreLockedError):
            two.delete("s1", Origin("test", LATER))
        assert len(_view(two, "s1").messages) == 1

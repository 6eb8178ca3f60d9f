"""Memoro as a library: the names that are promised, and what `Memory` does."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import memoro as package
from memoro import LoggedChange, Memory, Reason, Record, Refusal, RefusedError, Trust
from memoro.errors import MemoroError, UsageError
from running import Memoro

NAMES = {
    *("Archived", "Hit", "LoggedChange", "MemoroError", "Memory", "Reason", "Record", "Refusal"),
    *("RefusedError", "SessionHit", "Trust", "Turn", "__version__"),
}
METHODS = {
    *("open", "close", "notices", "remember", "replace", "forget", "facts", "log", "undo"),
}
LEARNED_METHODS = {
    *("learn", "learned", "why", "history", "restore", "compact", "profile", "set_profile"),
    *("topics", "mention", "projects", "work", "stats", "episode", "timeline", "jot", "day"),
    *("neighbors", "map", "inbox", "accept", "reject"),
}
RECALL_METHODS = {"archive", "recall", "recall_sessions"}
IMPORT_METHODS = {"import_from", "export_to"}


def refusal(call: object, *words: object, **named: object) -> Refusal:
    with pytest.raises(RefusedError) as raised:
        call(*words, **named)  # pyright: ignore[reportCallIssue]
    assert raised.value.what == raised.value.refusal.what
    return raised.value.refusal


def test_the_public_names_are_these() -> None:
    assert set(package.__all__) == NAMES
    for name in NAMES:
        assert getattr(package, name) is not None
    with pytest.raises(AttributeError, match="nothing_like_this"):
        package.nothing_like_this  # noqa: B018
    assert {name for name in vars(Memory) if not name.startswith("_")} == METHODS
    every = METHODS | LEARNED_METHODS | RECALL_METHODS | IMPORT_METHODS
    assert {name for name in dir(Memory) if not name.startswith("_")} == every


def test_importing_the_package_is_cheap_and_typed() -> None:
    program = "import sys, memoro; print([one for one in sys.modules if one.startswith('memoro')])"
    shown = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout
    assert shown == "['memoro']\n"
    assert (Path(package.__file__).parent / "py.typed").is_file()


@pytest.mark.requirement("P01", "P03", "P05")
def test_facts_are_saved_changed_and_forgotten(tmp_path: Path) -> None:
    with Memory.open(str(tmp_path)) as memory:
        made = memory.remember("tone", "brief")
        assert isinstance(made, Record)
        assert (made.key, made.text, made.scope) == ("tone", "brief", "global")
        assert (made.trust, made.source_run) == (Trust.USER, None)
        assert memory.replace("tone", "long").text == "long"
        memory.remember("a", "first")
        assert [(one.key, one.text) for one in memory.facts()] == [("a", "first"), ("tone", "long")]
        assert memory.forget("tone").remains == ()
        assert [one.key for one in memory.facts()] == ["a"]
    with Memory.open(tmp_path) as memory:
        assert [one.key for one in memory.facts()] == ["a"]
        assert memory.notices == ()


@pytest.mark.requirement("P03", "P04")
def test_what_cannot_be_done_is_raised_with_its_reason(tmp_path: Path) -> None:
    with Memory.open(tmp_path) as memory:
        memory.remember("there", "v")
        before = (memory.facts(), memory.log())
        cases = [
            (refusal(memory.remember, "there", "w"), Reason.CONFLICT),
            (refusal(memory.replace, "nope", "w"), Reason.NOT_FOUND),
            (refusal(memory.forget, "nope"), Reason.NOT_FOUND),
            (refusal(memory.forget, "*"), Reason.USAGE),
            (refusal(memory.remember, "a b", "w"), Reason.USAGE),
            (refusal(memory.remember, "k" * 129, "w"), Reason.TOO_LARGE),
            (refusal(memory.remember, "k", ""), Reason.USAGE),
            (refusal(memory.remember, "k", "a\0b"), Reason.USAGE),
            (refusal(memory.remember, "k", "\ud800"), Reason.USAGE),
            (refusal(memory.remember, "k", "w" * 4097), Reason.TOO_LARGE),
            (refusal(memory.remember, "k", "w", project="nope"), Reason.NOT_FOUND),
            (refusal(memory.facts, project="nope"), Reason.NOT_FOUND),
            (refusal(memory.undo, 99), Reason.NOT_FOUND),
            (refusal(memory.undo, -1), Reason.NOT_FOUND),
            (refusal(memory.undo, 2**70), Reason.NOT_FOUND),
        ]
        assert [found.reason for found, _ in cases] == [wanted for _, wanted in cases]
        assert (memory.facts(), memory.log()) == before


@pytest.mark.requirement("Z03")
def test_the_log_and_undoing(tmp_path: Path) -> None:
    with Memory.open(tmp_path) as memory:
        memory.remember("a", "1")
        memory.replace("a", "2")
        undone = memory.undo()
        assert undone.records[0].text == "1"
        log = memory.log()
        assert all(isinstance(one, LoggedChange) for one in log)
        assert [(one.action, one.writer) for one in log] == [
            ("undo", "library"),
            ("replace", "library"),
            ("remember", "library"),
        ]
        assert [one.id for one in memory.log(limit=1)] == [undone.change]
        memory.undo(undone.change)
        assert memory.facts()[0].text == "2"
        memory.forget("a")
        assert refusal(memory.undo).reason is Reason.CONFLICT


@pytest.mark.requirement("P04")
def test_128_facts(tmp_path: Path) -> None:
    with Memory.open(tmp_path) as memory:
        for number in range(128):
            memory.remember(f"k{number}", "v")
        assert refusal(memory.remember, "more", "v").reason is Reason.TOO_LARGE
        assert len(memory.facts()) == 128


@pytest.mark.requirement("P19")
def test_the_command_and_the_library_share_a_store(memoro: Memoro) -> None:
    memoro.ok("project", "add", "web")
    with Memory.open(memoro.home) as memory:
        memory.remember("a", "library", project="web")
        memoro.ok("memory", "remember", "a", "command")
        assert [one.text for one in memory.facts()] == ["command"]
        assert [one.text for one in memory.facts(project="web")] == ["library"]
    shown = memoro.ok("memory", "list", "--project", "web", "--json").json
    assert [one["value"] for one in shown] == ["library"]


def test_the_home_is_the_commands_by_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMORO_HOME", str(tmp_path / "chosen"))
    with Memory.open() as memory:
        memory.remember("a", "v")
    assert (tmp_path / "chosen/memory.db").is_file()
    monkeypatch.delenv("MEMORO_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    with Memory.open():
        assert (tmp_path / ".memoro/memory.db").is_file()


def test_an_empty_path_is_not_the_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(UsageError):
        Memory.open("")
    assert list(tmp_path.iterdir()) == []


def test_a_home_that_cannot_be_used_is_an_error_of_ours(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(MemoroError, match="file"):
        Memory.open(tmp_path / "file")


def test_closing_twice_is_closing_once(tmp_path: Path) -> None:
    memory = Memory.open(tmp_path)
    memory.close()
    memory.close()


@pytest.mark.requirement("S02", "F01", "E03", "G02", "U09", "T01", "T02", "T03", "F08")
def test_what_is_learned_as_library_calls(tmp_path: Path) -> None:
    with Memory.open(tmp_path) as memory:
        old = memory.learn("CI needs Go 1.22", category="gotcha", tags=["ci"])
        new = memory.learn("CI needs Go 1.23", category="gotcha")
        assert (old["action"], new["action"]) == ("learn", "update")
        assert [one["text"] for one in memory.learned()] == ["CI needs Go 1.23"]
        assert [one["text"] for one in memory.learned(past=True)] == ["CI needs Go 1.22"]
        assert memory.why(new["id"])["source"]["writer"] == "library"
        assert len(memory.history(old["id"])) == 2
        memory.restore(old["id"])
        assert [one["text"] for one in memory.learned("gotcha")] == ["CI needs Go 1.22"]
        memory.set_profile({"name": "Ana", "goals_add": "Learn Rust"})
        assert memory.profile()["name"]["value"] == "Ana"
        memory.mention("Builds", "how things are built", facts=[old["id"]])
        assert [one["name"] for one in memory.topics()] == ["Builds"]
        memory.work("Site", "the web site", technologies=["Go"], status="paused")
        assert [one["status"] for one in memory.projects()] == ["paused"]
        memory.episode("Moved the cache", outcome="merged", day="2026-05-02", project="Site")
        assert [one["date"] for one in memory.timeline("in May 2026")] == ["2026-05-02"]
        memory.jot("Fixed the parser", day="2026-05-02")
        assert len(memory.day("2026-05-02")["notes"]) == 1
        assert memory.neighbors("builds")["node"]["kind"] == "topic"
        assert memory.map()["kinds"]["fact"] == 1
        assert memory.stats()["sessions"] == 0
        assert memory.inbox() == []
        assert memory.compact()["archived"] == []
        memory.forget(old["id"])
        assert memory.learned() == []
        hidden = "AKIA" + "IOSFODNN7EXAMPLE"
        with pytest.raises(RefusedError):
            memory.remember("k", hidden)
        assert memory.remember("k", hidden, as_is=True).text == hidden
        with pytest.raises(RefusedError):
            memory.learn("  ")
        with pytest.raises(RefusedError):
            memory.accept("i_nothing")

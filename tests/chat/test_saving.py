"""Facts that a model is asked to change: checked when the call runs, on record, never replayed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from chat.chats import Chats
from model_dialects import Call
from model_server import half_stream, status, text, tool_call, tool_calls


def arguments(action: str, key: str, value: str | None) -> str:
    return json.dumps({"action": action, "key": key, "value": value})


def tools(chats: Chats, session: str) -> list[dict[str, Any]]:
    return chats.ok("chat", "show", session, "--json").json["tool_log"]


@pytest.mark.requirement("P07", "P11", "P12", "P13")
def test_remember_replace_and_forget_by_the_model(chats: Chats) -> None:
    chats.server.script(
        tool_call("memory", arguments("remember", "answer.style", "concise")),
        text("Remembered."),
        tool_call("memory", arguments("replace", "answer.style", "with reasons")),
        text("Replaced."),
        tool_call("memory", arguments("forget", "answer.style", None)),
        text("Forgotten."),
    )
    first = chats.ok("chat", "new", "Remember that I like concise answers", "--json").json
    (fact,) = chats.ok("memory", "list", "--json").json
    assert (fact["key"], fact["value"], fact["source_run"]) == (
        "answer.style",
        "concise",
        first["run"],
    )
    second = chats.ok("chat", "send", first["session"], "Replace it", "--json").json
    (fact,) = chats.ok("memory", "list", "--json").json
    assert (fact["value"], fact["source_run"]) == ("with reasons", second["run"])
    chats.ok("chat", "send", first["session"], "Forget it")
    assert chats.facts() == {}
    logged = tools(chats, first["session"])
    assert [one["outcome"] for one in logged] == ["done"] * 3
    assert [one["tool"] for one in logged] == ["memory"] * 3
    assert logged[0]["run"] == first["run"]
    assert json.loads(logged[0]["arguments"])["value"] == "concise"
    assert all(one["time"] and one["finished_at"] for one in logged)


@pytest.mark.requirement("P12")
def test_the_confirmation_is_short_and_without_the_value(chats: Chats) -> None:
    chats.server.script(
        tool_call("memory", arguments("remember", "tea", "green-5521")), text("Done.")
    )
    chats.ok("chat", "new", "remember my tea")
    answer = next(one for one in chats.server.posts[1].body["messages"] if one["role"] == "tool")
    assert answer["content"] == "Remembered tea."
    assert "green-5521" not in chats.system(1)


@pytest.mark.requirement("P03", "P09", "P13")
def test_nothing_is_overwritten_implicitly(chats: Chats) -> None:
    chats.ok("memory", "remember", "tea", "green")
    chats.server.script(
        tool_call("memory", arguments("remember", "tea", "black")),
        tool_call("memory", arguments("replace", "coffee", "none")),
        tool_call("memory", arguments("forget", "coffee", None)),
        text("I could not."),
    )
    session = chats.ok("chat", "new", "change things", "--json").json["session"]
    assert chats.facts() == {"tea": "green"}
    logged = tools(chats, session)
    assert [one["outcome"] for one in logged] == ["refused"] * 3
    assert "already" in logged[0]["detail"]


@pytest.mark.requirement("P07", "P09", "P11", "P13")
@pytest.mark.parametrize(
    "wrong",
    [
        "not json",
        "[]",
        "{}",
        arguments("list", "tea", None),
        arguments("forget", "tea", "a value"),
        arguments("remember", "tea2", None),
        json.dumps({"action": "forget", "key": "tea"}),
        json.dumps({"action": "remember", "key": "x", "value": "y", "source_run": "r_forged"}),
        json.dumps({"action": "remember", "key": "x", "value": 5}),
        json.dumps({"action": "remember", "key": "x", "value": "y", "scope": "project:other"}),
        arguments("remember", "bad key", "y"),
        arguments("remember", "x", " y "),
        arguments("remember", "x", "y" * 4097),
        arguments("remember", "x" * 129, "y"),
    ],
)
def test_arguments_are_checked_when_the_call_runs(chats: Chats, wrong: str) -> None:
    chats.ok("memory", "remember", "tea", "green")
    chats.server.script(tool_call("memory", wrong), text("I could not."))
    session = chats.ok("chat", "new", "do it", "--json").json["session"]
    assert chats.facts() == {"tea": "green"}
    (call,) = tools(chats, session)
    assert call["outcome"] == "refused"
    assert call["arguments"] == wrong


@pytest.mark.requirement("P12", "P27")
def test_the_next_snapshot_is_checked_before_the_tool_writes(chats: Chats) -> None:
    chats.server.script(tool_call("memory", arguments("remember", "long", "x" * 90)), text("No."))
    session = chats.ok(
        "chat", "new", "remember it", "--json", env={"MEMORO_FACTS_BYTES": "80"}
    ).json["session"]
    assert chats.facts() == {}
    (call,) = tools(chats, session)
    assert call["outcome"] == "refused" and "budget" in call["detail"]


@pytest.mark.requirement("P20")
def test_a_project_run_writes_that_projects_facts_alone(chats: Chats) -> None:
    chats.ok("memory", "remember", "port", "80")
    chats.ok("project", "add", "site", str(chats.folder))
    chats.server.script(
        tool_calls(
            Call("memory", arguments("remember", "port", "8080"), "a"),
            Call("memory", arguments("replace", "tea", "green"), "b"),
        ),
        text("Done."),
    )
    answer = chats.ok("chat", "new", "remember the port here", "--json").json
    assert chats.facts() == {"port": "80"}
    (fact,) = chats.ok("memory", "list", "--project", "site", "--json").json
    assert (fact["scope"], fact["value"], fact["source_run"]) == (
        "project:site",
        "8080",
        answer["run"],
    )
    assert [one["outcome"] for one in tools(chats, answer["session"])] == ["done", "refused"]


@pytest.mark.requirement("P15", "P13")
@pytest.mark.parametrize(
    "then", [status(500), status(401), half_stream("I have "), text("", finish="stop")]
)
def test_finished_changes_survive_a_later_failure(chats: Chats, then: Any) -> None:
    chats.server.script(tool_call("memory", arguments("remember", "tea", "green")), then)
    chats.server.default = then
    ran = chats("chat", "new", "remember my tea")
    assert ran.code == 6
    session = chats.ok("chat", "list", "--json").json[0]["session"]
    assert session in ran.err
    assert chats.facts() == {"tea": "green"}
    shown = chats.ok("chat", "show", session, "--json").json
    assert [one["outcome"] for one in shown["tool_log"]] == ["done"]
    assert shown["runs"][0]["state"] == "failed"


@pytest.mark.requirement("P17")
def test_no_tool_reaches_files_or_keys(chats: Chats) -> None:
    chats.home.mkdir()
    profile = chats.home / "USER.md"
    profile.write_text("mine")
    chats.server.script(
        tool_call("memory", arguments("replace", "USER.md", "theirs")),
        tool_call("memory", arguments("remember", "../USER.md", "theirs")),
        tool_call("notes", json.dumps({
            "action": "show", "id": "../USER.md", "title": None, "text": None, "offset": None,
            "query": None,
        })),
        text("No."),
    )  # fmt: skip
    session = chats.ok("chat", "new", "change my profile", "--json").json["session"]
    assert profile.read_text() == "mine"
    assert [one["outcome"] for one in tools(chats, session)] == ["refused"] * 3
    assert "mine" not in json.dumps(
        [one for one in chats.server.posts[-1].body["messages"] if one["role"] == "tool"]
    )


@pytest.mark.requirement("P29", "P13")
def test_notes_are_added_found_and_read_when_asked_for(chats: Chats) -> None:
    def call(action: str, **given: object) -> str:
        empty = dict.fromkeys(("title", "text", "id", "offset", "query"))
        return json.dumps({**empty, "action": action, **given})

    chats.ok("note", "add", "Deploy", "Push to main, then wait for the canary.")
    chats.server.script(
        tool_call("notes", call("search", query="canary")),
        tool_call("notes", call("add", title="Lunch", text="Soup")),
        text("Done."),
    )
    answer = chats.ok("chat", "new", "what about the canary? note my lunch", "--json").json
    assert "canary" not in chats.system()
    (told,) = (one for one in chats.server.posts[1].body["messages"] if one["role"] == "tool")
    assert "Deploy" in told["content"]
    titles = {one["title"]: one["source_run"] for one in chats.ok("note", "list", "--json").json}
    assert titles == {"Deploy": None, "Lunch": answer["run"]}
    note = next(
        one["id"] for one in chats.ok("note", "list", "--json").json if one["title"] == "Deploy"
    )
    chats.server.script(tool_call("notes", call("show", id=note)), text("Read."))
    chats.ok("chat", "send", answer["session"], "read the note")
    told = [one for one in chats.server.posts[-1].body["messages"] if one["role"] == "tool"][-1]
    assert "then wait for the canary" in told["content"]


@pytest.mark.requirement("P13")
def test_a_model_that_only_calls_tools_is_stopped(chats: Chats) -> None:
    chats.server.default = tool_call("memory", "{}")
    ran = chats("chat", "new", "go round in circles")
    assert ran.code == 6
    assert "without answering" in ran.err
    assert len(chats.server.posts) == 8


@pytest.mark.requirement("P16")
def test_forgetting_redacts_no_earlier_message_and_says_so(chats: Chats) -> None:
    chats.server.script(
        tool_call("memory", arguments("remember", "animal", "ZEBRA-9431")), text("Saved.")
    )
    session = chats.ok("chat", "new", "remember ZEBRA-9431", "--json").json["session"]
    told = chats.ok("memory", "forget", "animal").out
    assert "not redacted" in told
    shown = chats.ok("chat", "show", session, "--json").json
    assert "ZEBRA-9431" in shown["messages"][0]["text"]
    assert "ZEBRA-9431" in shown["tool_log"][0]["arguments"]
    chats.server.script(text("ok"))
    chats.ok("chat", "new", "hi")
    assert "ZEBRA-9431" not in chats.system()


def test_the_home_holds_no_file_that_was_not_asked_for(chats: Chats) -> None:
    chats.server.script(text("ok"))
    chats.ok("chat", "new", "hi")
    names = sorted(str(path.relative_to(chats.home)) for path in Path(chats.home).rglob("*"))
    assert [name for name in names if not name.startswith(("memory.", "backups", "sessions"))] == []

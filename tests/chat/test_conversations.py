"""Conversations as a user has them: new, send, show, list, delete, one shot."""

from __future__ import annotations

import pytest

from chat.chats import Chats
from model_server import text


@pytest.mark.requirement("P06")
def test_a_fact_saved_before_shapes_a_chat_started_after(chats: Chats) -> None:
    chats.ok("memory", "remember", "answer.style", "Keep answers concise")
    chats.server.script(text("I will be brief."))
    ran = chats.ok("chat", "new", "How should you answer my questions?")
    lines = ran.out.splitlines()
    assert lines[0] == "I will be brief."
    assert lines[-1].startswith("s_")
    assert "- answer.style: Keep answers concise" in chats.system()


@pytest.mark.requirement("P06", "P26")
def test_a_conversation_goes_on_and_is_shown(chats: Chats) -> None:
    chats.server.script(text("Hello Ana."), text("You said you are Ana."))
    first = chats.ok("chat", "new", "I am Ana", "--json").json
    assert first["reply"] == "Hello Ana."
    assert first["usage"] == {"input_tokens": 11, "output_tokens": 7, "cached_tokens": 0}
    second = chats.ok("chat", "send", first["session"], "Who am I?", "--json").json
    assert second["session"] == first["session"]
    assert second["run"] != first["run"]
    assert chats.said() == [
        ("user", "I am Ana"),
        ("assistant", "Hello Ana."),
        ("user", "Who am I?"),
    ]
    shown = chats.ok("chat", "show", first["session"], "--json").json
    assert [(one["role"], one["text"]) for one in shown["messages"]] == [
        ("user", "I am Ana"),
        ("assistant", "Hello Ana."),
        ("user", "Who am I?"),
        ("assistant", "You said you are Ana."),
    ]
    assert shown["tool_log"] == []
    assert [run["state"] for run in shown["runs"]] == ["done", "done"]
    human = chats.ok("chat", "show", first["session"]).out
    assert "Hello Ana." in human and "Who am I?" in human
    (listed,) = chats.ok("chat", "list", "--json").json
    assert (listed["session"], listed["title"]) == (first["session"], "I am Ana")
    assert listed["messages"] == 4


@pytest.mark.requirement("P25")
def test_a_resumed_session_sees_changes_on_its_next_run(chats: Chats) -> None:
    chats.server.default = text("Noted.")
    session = chats.ok("chat", "new", "hi", "--json").json["session"]
    assert "tabs" not in chats.system()
    chats.ok("memory", "remember", "indent", "tabs")
    (chats.home / "USER.md").write_text("My name is Ana.")
    (chats.home / "SOUL.md").write_text("Talk like a pirate.")
    chats.ok("chat", "send", session, "again")
    assert "- indent: tabs" in chats.system()
    assert "My name is Ana." in chats.system()
    assert "Talk like a pirate." in chats.system()


def test_one_shot_appends_standard_input_and_keeps_its_session(chats: Chats) -> None:
    chats.server.script(text("A bug."))
    ran = chats.ok("-p", "What is this?", stdin="Traceback: boom\n")
    assert ran.out.splitlines()[0] == "A bug."
    session = ran.out.splitlines()[-1]
    assert chats.said() == [("user", "What is this?\n\nTraceback: boom\n")]
    assert chats.ok("chat", "show", session, "--json").json["messages"][1]["text"] == "A bug."


def test_one_shot_as_json(chats: Chats) -> None:
    chats.server.script(text("Hi."))
    assert set(chats.ok("-p", "hi", "--json").json) == {"session", "run", "reply", "usage"}


def test_quiet_prints_the_reply_alone(chats: Chats) -> None:
    chats.server.script(text("Hi."))
    assert chats.ok("-q", "-p", "hi").out == "Hi.\n"


def test_a_message_can_be_piped_in(chats: Chats) -> None:
    chats.server.default = text("ok")
    session = chats.ok("chat", "new", stdin="from a pipe", env={}).out.splitlines()[-1]
    chats.ok("chat", "send", session, "-", stdin="again")
    assert chats.said() == [("user", "from a pipe"), ("assistant", "ok"), ("user", "again")]


@pytest.mark.parametrize("message", ["", "   ", "\n", "\u200b", "a\0b"])
def test_an_empty_message_is_refused_and_nothing_is_kept(chats: Chats, message: str) -> None:
    ran = chats("chat", "new", message)
    assert ran.code == 2
    assert "message" in ran.err
    assert chats.ok("chat", "list", "--json").json == []
    assert chats.server.requests == []


@pytest.mark.parametrize("command", [("send", "s_nope", "hi"), ("show", "s_nope"), ("delete", "x")])
def test_an_unknown_session_is_not_found(chats: Chats, command: tuple[str, ...]) -> None:
    ran = chats("chat", *command)
    assert ran.code == 3
    assert "there is no session" in ran.err and "memoro chat list" in ran.err
    assert chats.server.requests == []


def test_no_path_can_be_made_of_a_session_id(chats: Chats) -> None:
    chats.ok("memory", "remember", "a", "b")
    assert chats("chat", "delete", "../../evil").code == 3
    assert not (chats.home.parent / "evil.lock").exists()
    assert [path.name for path in (chats.home / "sessions").iterdir()] == ["mirror.lock"]


@pytest.mark.requirement("P16", "Z03")
def test_a_deleted_conversation_leaves_no_byte(chats: Chats) -> None:
    chats.server.default = text("The code is ZEBRA-9431.")
    session = chats.ok("chat", "new", "Tell me ZEBRA-7777", "--json").json["session"]
    chats.ok("chat", "send", session, "again")
    assert chats.ok("chat", "list", "--json").json
    deleted = chats.ok("chat", "delete", session, "--json").json
    assert deleted == {"session": session, "remains": []}
    (logged,) = chats.ok("memory", "log", "--json").json
    assert (logged["action"], logged["final"]) == ("chat delete", True)
    assert logged["records"][0]["id"] == session
    assert chats("chat", "show", session).code == 3
    files = [path for path in chats.home.rglob("*") if path.is_file()]
    assert any(path.name.endswith("-daily.db") for path in files)
    assert [path for path in files if b"ZEBRA" in path.read_bytes()] == []


@pytest.mark.requirement("P30")
@pytest.mark.parametrize("learn", ["auto", "review", "off"])
def test_nothing_is_learned_by_itself(chats: Chats, learn: str) -> None:
    chats.server.script(text("I see that you prefer tabs."))
    chats.ok("chat", "new", "I prefer tabs, by the way", env={"MEMORO_LEARN": learn})
    assert chats.facts() == {}
    assert chats.ok("memory", "log", "--json").json == []
    assert len(chats.server.posts) == 1

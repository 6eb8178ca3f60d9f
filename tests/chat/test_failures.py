"""Models that are missing, refuse, break off or never answer: said clearly, nothing lost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from chat.chats import Chats
from model_server import ModelServer, endless, half_stream, hang, nonsense, nothing, status, text


@pytest.mark.requirement("P02")
def test_without_a_model_the_missing_setting_and_the_line_that_sets_it_are_named(
    chats: Chats,
) -> None:
    ran = chats("chat", "new", "hi", env={"MEMORO_MODEL": None})
    assert ran.code == 6
    assert "MEMORO_MODEL" in ran.err
    assert "memoro config set model " in ran.err
    assert chats.ok("chat", "list", "--json").json == []


@pytest.mark.requirement("P02")
def test_without_a_key_the_variable_and_the_line_that_sets_it_are_named(chats: Chats) -> None:
    ran = chats("chat", "new", "hi", env={"OPENAI_API_KEY": None, "OPENAI_BASE_URL": None})
    assert ran.code == 6
    assert "OPENAI_API_KEY" in ran.err
    assert "memoro config set-key openai" in ran.err
    assert chats.ok("chat", "list", "--json").json == []


@pytest.mark.requirement("P02")
def test_local_servers_are_offered_where_no_model_is_set(chats: Chats) -> None:
    where = {"MEMORO_MODEL": None, "MEMORO_LOCAL_SERVERS": f"ollama={chats.server.url}/v1"}
    ran = chats("chat", "new", "hi", env=where)
    assert ran.code == 6
    assert "memoro config set model ollama:test-model" in ran.err


@pytest.mark.requirement("P02")
@pytest.mark.parametrize("name", ["gpt", ":x", "openai:", "nobody:model"])
def test_a_model_that_is_none_is_refused(chats: Chats, name: str) -> None:
    ran = chats("chat", "new", "hi", env={"MEMORO_MODEL": name})
    assert ran.code in (2, 6)
    assert name in ran.err
    assert chats.server.requests == []


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (status(401, "bad key sk-test-0123456789"), "refused the key"),
        (status(429), "429"),
        (status(500, "out of order"), "out of order"),
        (status(404, "no such model"), "test-model"),
        (status(400, "context length exceeded"), "context length"),
        (nonsense("html"), "test-model"),
        (nonsense("json"), "test-model"),
        (nonsense("broken"), "test-model"),
        (nothing(), "test-model"),
        (text(""), "test-model"),
    ],
    ids=["401", "429", "500", "404", "400", "html", "json", "broken", "nothing", "empty"],
)
def test_an_answer_that_is_none_is_told_and_the_message_kept(
    chats: Chats, answer: Any, words: str
) -> None:
    chats.server.default = answer
    ran = chats("chat", "new", "my precious words")
    assert ran.code == 6
    assert words in ran.err
    assert "sk-test-0123456789" not in ran.err
    assert "Traceback" not in ran.err
    session = chats.ok("chat", "list", "--json").json[0]["session"]
    assert session in ran.err
    shown = chats.ok("chat", "show", session, "--json").json
    assert [one["text"] for one in shown["messages"]] == ["my precious words"]
    assert shown["runs"][0]["state"] == "failed"
    assert "sk-test-0123456789" not in str(shown)


@pytest.mark.parametrize("answer", [half_stream("Once ", "upon "), endless("Once ", "upon ")])
def test_half_an_answer_is_kept_as_that(chats: Chats, answer: Any) -> None:
    chats.server.default = answer
    assert chats("chat", "new", "a story").code == 6
    session = chats.ok("chat", "list", "--json").json[0]["session"]
    shown = chats.ok("chat", "show", session, "--json").json
    assert shown["messages"][1]["text"] == "Once upon"
    assert shown["messages"][1]["partial"] is True
    chats.server.default = text("The end.")
    chats.ok("chat", "send", session, "go on")
    assert chats.said() == [
        ("user", "a story"),
        ("assistant", "Once upon\n[this answer ended early (failed)]"),
        ("user", "go on"),
    ]


def test_what_there_is_to_tell_is_told_also_when_the_answer_fails(chats: Chats) -> None:
    (chats.folder / "AGENTS.md").write_text("@missing.md\n")
    chats.server.default = status(401)
    ran = chats("chat", "new", "hi")
    assert ran.code == 6
    assert "no file to import" in ran.err


def test_no_connection(chats: Chats) -> None:
    ran = chats("chat", "new", "hi", env={"OPENAI_BASE_URL": "http://127.0.0.1:9/v1"})
    assert ran.code == 6
    assert "127.0.0.1:9" in ran.err


def test_a_silent_model_is_given_up(chats: Chats) -> None:
    silent = hang()
    chats.server.default = silent
    ran = chats("chat", "new", "hi", env={"MEMORO_MODEL_TIMEOUT": "1"})
    assert ran.code == 6
    assert silent.started.is_set()


def test_an_answer_cut_at_the_models_limit_says_so(chats: Chats) -> None:
    chats.server.script(text("This is the beg", finish="length"))
    ran = chats.ok("chat", "new", "hi")
    assert "cut off" in ran.err
    assert ran.out.startswith("This is the beg")


def test_two_clients_sending_to_one_session(chats: Chats) -> None:
    chats.server.script(text("Hello."))
    session = chats.ok("chat", "new", "hi", "--json").json["session"]
    waiting = hang()
    chats.server.script(waiting, text("Third."))
    first = chats.process.start("chat", "send", session, "first of two")
    assert waiting.started.wait(60)
    ran = chats("chat", "send", session, "second of two")
    assert ran.code == 5
    assert session in ran.err and "busy" in ran.err
    assert chats("chat", "delete", session).code == 5
    waiting.release.set()
    chats.server.default = status(500)
    first.communicate(timeout=60)
    texts = [one["text"] for one in chats.ok("chat", "show", session, "--json").json["messages"]]
    assert "first of two" in texts and "second of two" not in texts


def test_a_killed_process_frees_its_session(chats: Chats) -> None:
    chats.server.script(text("Hello."))
    session = chats.ok("chat", "new", "hi", "--json").json["session"]
    waiting = hang()
    chats.server.script(waiting)
    doomed = chats.process.start("chat", "send", session, "never answered")
    assert waiting.started.wait(60)
    doomed.kill()
    doomed.communicate()
    chats.server.script(text("Still here."))
    chats.ok("chat", "send", session, "are you there?")
    shown = chats.ok("chat", "show", session, "--json").json
    assert [run["state"] for run in shown["runs"]] == ["done", "interrupted", "done"]
    assert chats.said()[2:4] == [
        ("user", "never answered"),
        ("assistant", "[this answer ended early (interrupted)]"),
    ]


def test_providers_share_one_memory(chats: Chats) -> None:
    chats.ok("memory", "remember", "tea", "green")
    claude: Mapping[str, str] = {
        "MEMORO_MODEL": "anthropic:claude-test",
        "ANTHROPIC_BASE_URL": chats.server.url,
        "ANTHROPIC_API_KEY": "sk-ant-test",
    }
    chats.server.script(text("From one."), text("From the other."))
    session = chats.ok("chat", "new", "hi", "--json").json["session"]
    answer = chats.ok("chat", "send", session, "and you?", "--json", env=claude).json
    assert answer["reply"] == "From the other."
    body = chats.server.posts[-1].body
    assert "- tea: green" in str(body["system"])
    assert "From one." in str(body["messages"])


def test_many_chats_at_once_share_one_store(chats: Chats) -> None:
    chats.server.default = text("ok")
    running = [chats.process.start("-p", f"message {number}", "--json") for number in range(4)]
    for one in running:
        out, err = one.communicate(timeout=120)
        assert one.returncode == 0, err
        assert b'"reply": "ok"' in out
    titles = {one["title"] for one in chats.ok("chat", "list", "--json").json}
    assert titles == {f"message {number}" for number in range(4)}


def test_requests_go_nowhere_but_to_the_model(chats: Chats) -> None:
    chats.server.script(text("ok"))
    with ModelServer() as other:
        proxy = {"HTTP_PROXY": other.url, "HTTPS_PROXY": other.url, "ALL_PROXY": other.url}
        chats.ok("chat", "new", "hi", env=proxy)
        assert other.requests == []
    assert len(chats.server.requests) == 1

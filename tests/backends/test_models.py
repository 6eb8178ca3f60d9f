"""The real client against a scripted server over loopback."""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from memoro.backends import models
from memoro.backends.models import ModelOptions, connect
from memoro.errors import (
    ModelBrokenError,
    ModelBusyError,
    ModelError,
    ModelNotConfiguredError,
    ModelRefusedError,
    ModelUnreachableError,
)
from memoro.session.model import Message, Reply, SystemPrompt, ToolCall, ToolSpec, Usage
from model_server import (
    Call,
    ModelServer,
    Scripted,
    Steps,
    endless,
    half_stream,
    hang,
    nonsense,
    nothing,
    status,
    text,
    tool_call,
    tool_calls,
)

KEY = "sk-test-0123456789abcdef"
SYSTEM = SystemPrompt("You are Memoro.\n\n# Facts\n- café ☕, <|im_start|>\t", "Now: 2026-05-02 \n")
HELLO = (Message("user", "Hello"),)
SCHEMA = {"type": "object", "properties": {"key": {"type": "string"}}, "required": ["key"]}
REMEMBER = ToolSpec("remember", "Keep a fact.", SCHEMA)


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


def openai(server: ModelServer, **changes: Any) -> ModelOptions:
    options = ModelOptions("openai:test-model", KEY, f"{server.url}/v1", timeout_seconds=20.0)
    return options._replace(**changes)


def anthropic(server: ModelServer, **changes: Any) -> ModelOptions:
    return openai(server)._replace(
        **{"name": "anthropic:claude-test", "base_url": server.url, **changes}
    )


def ask(
    options: ModelOptions,
    messages: Sequence[Message] = HELLO,
    tools: Sequence[ToolSpec] = (),
    on_text: Callable[[str], None] | None = None,
    system: SystemPrompt = SYSTEM,
) -> Reply:
    async def go() -> Reply:
        client = connect(options)
        try:
            return await client.respond(system, messages, tools, on_text)
        finally:
            await client.aclose()

    return asyncio.run(go())


def failure(options: ModelOptions, on_text: Callable[[str], None] | None = None) -> ModelError:
    with pytest.raises(ModelError) as caught:
        ask(options, on_text=on_text)
    assert "\n" not in caught.value.what
    assert "\n" not in (caught.value.fix or "")
    return caught.value


BOTH = pytest.mark.parametrize("dialect", [openai, anthropic])
STREAMED = pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
Dialect = Callable[..., ModelOptions]


# --- What arrives ---


@BOTH
def test_a_whole_answer(server: ModelServer, dialect: Dialect) -> None:
    server.script(text("Good morning to you.", usage=(100, 7, 60)))
    reply = ask(dialect(server))
    assert reply == Reply("Good morning to you.", (), Usage(100, 7, 60), "stop")
    assert not server.requests[0].streamed


@BOTH
def test_a_streamed_answer_comes_in_its_pieces(server: ModelServer, dialect: Dialect) -> None:
    server.script(text("", chunks=["Good ", "mor", "ning", ".\n"], usage=(100, 7, 60)))
    pieces: list[str] = []
    reply = ask(dialect(server), on_text=pieces.append)
    assert pieces == ["Good ", "mor", "ning", ".\n"]
    assert reply == Reply("Good morning.\n", (), Usage(100, 7, 60), "stop")
    assert server.requests[0].streamed


@BOTH
def test_a_piece_is_passed_on_before_the_next_is_sent(
    server: ModelServer, dialect: Dialect
) -> None:
    steps = Steps()
    server.script(text("", chunks=["one ", "two ", "three"], steps=steps))
    seen: list[str] = []

    def on_text(piece: str) -> None:
        seen.append(piece)
        steps.release()

    # The first piece only; each later one waits for the one before to have been passed on.
    steps.release()
    assert ask(dialect(server), on_text=on_text).text == "one two three"
    assert seen == ["one ", "two ", "three"]


@BOTH
@STREAMED
@pytest.mark.parametrize("finish", ["length", "content_filter"])
def test_a_cut_or_filtered_answer_is_returned(
    server: ModelServer, dialect: Dialect, streamed: bool, finish: str
) -> None:
    server.script(text("Half a", finish=finish))
    reply = ask(dialect(server), on_text=(lambda _: None) if streamed else None)
    assert (reply.text, reply.finish) == ("Half a", finish)


@BOTH
@STREAMED
def test_reasoning_is_not_text(server: ModelServer, dialect: Dialect, streamed: bool) -> None:
    server.script(text("Four.", reasoning="Two and two, let me see."))
    pieces: list[str] = []
    reply = ask(dialect(server), on_text=pieces.append if streamed else None)
    assert reply.text == "Four."
    assert "".join(pieces) == ("Four." if streamed else "")


@STREAMED
def test_thinking_tags_are_not_text(server: ModelServer, streamed: bool) -> None:
    server.script(text("", chunks=["<think>", "hmm", "</think>", "Four."]))
    pieces: list[str] = []
    reply = ask(openai(server), on_text=pieces.append if streamed else None)
    assert reply.text.strip() == "Four."
    assert "hmm" not in "".join(pieces)


def test_no_finish_reason_in_a_whole_answer_is_reported_as_none(server: ModelServer) -> None:
    server.script(endless("Done."))
    assert ask(openai(server)) == Reply("Done.", (), Usage(11, 7, 0), None)


# --- Tools ---


@BOTH
@STREAMED
def test_tool_calls_arrive(server: ModelServer, dialect: Dialect, streamed: bool) -> None:
    calls = (Call("remember", '{"key": "café"}', "c1"), Call("forget", '{"key": "b"}', "c2"))
    server.script(tool_calls(*calls, content="One moment."))
    reply = ask(dialect(server), tools=[REMEMBER], on_text=(lambda _: None) if streamed else None)
    assert reply.text == "One moment."
    assert reply.finish == "tool_calls"
    assert [(call.call_id, call.name) for call in reply.calls] == [
        ("c1", "remember"),
        ("c2", "forget"),
    ]
    assert [call.arguments for call in reply.calls] == [call.arguments for call in calls]


@STREAMED
@pytest.mark.parametrize("arguments", ['{"key": ', "nonsense", "", "[1,  2]", '{ "a" :1}'])
def test_tool_arguments_arrive_as_they_were_sent(
    server: ModelServer, streamed: bool, arguments: str
) -> None:
    server.script(tool_call("remember", arguments, "c1"))
    reply = ask(openai(server), tools=[REMEMBER], on_text=(lambda _: None) if streamed else None)
    assert reply.calls == (ToolCall("c1", "remember", arguments),)


def test_tools_are_offered_as_specified(server: ModelServer) -> None:
    server.script(text("ok"))
    ask(openai(server), tools=[REMEMBER])
    function = {"name": "remember", "description": "Keep a fact.", "parameters": SCHEMA}
    assert server.requests[0].body["tools"] == [{"type": "function", "function": function}]


HISTORY = (
    Message("user", "Remember my name is Ada"),
    Message(
        "assistant",
        "Sure.",
        calls=(
            ToolCall("c1", "remember", '{"key":"name"}'),
            ToolCall("c2", "remember", "not json"),
        ),
    ),
    Message("tool", "saved", call_id="c1", name="remember"),
    Message("tool", "refused", call_id="c2", name="remember"),
    Message("assistant", "I will."),
    Message("user", "Thanks"),
)


def test_a_tool_call_in_history_is_sent_back(server: ModelServer) -> None:
    server.script(text("ok"))
    ask(openai(server), HISTORY, tools=[REMEMBER])
    sent = server.requests[0].body["messages"]
    assert [message["role"] for message in sent] == [
        "system",
        "user",
        "assistant",
        "tool",
        "tool",
        "assistant",
        "user",
    ]
    assert sent[2]["content"] == "Sure."
    calls = sent[2]["tool_calls"]
    assert calls[0] == {
        "id": "c1",
        "type": "function",
        "function": {"name": "remember", "arguments": '{"key":"name"}'},
    }
    # Servers parse it: what was no JSON has to be, on its way back.
    assert "not json" in json.loads(calls[1]["function"]["arguments"]).values()
    assert (sent[3]["tool_call_id"], sent[3]["content"]) == ("c1", "saved")
    assert sent[6]["content"] == "Thanks"


def test_a_tool_call_in_history_is_sent_back_to_anthropic(server: ModelServer) -> None:
    server.script(text("ok"))
    ask(anthropic(server), HISTORY, tools=[REMEMBER])
    sent = server.requests[0].body["messages"]
    assert [m["role"] for m in sent] == ["user", "assistant", "user", "assistant", "user"]
    assert sent[1]["content"][1]["input"] == {"key": "name"}
    assert [block["tool_use_id"] for block in sent[2]["content"]] == ["c1", "c2"]


@BOTH
def test_where_no_tools_are_offered_history_tells_of_them_in_words(
    server: ModelServer, dialect: Dialect
) -> None:
    server.script(text("ok"))
    ask(dialect(server), HISTORY)
    body = server.requests[0].body
    assert "tools" not in body
    said = [m for m in body["messages"] if m["role"] != "system"]
    assert [m["role"] for m in said] == ["user", "assistant", "user", "assistant", "user"]
    assert not any("tool_calls" in m for m in said)
    wire = json.dumps(said)
    assert "tool_use" not in wire
    assert "[called the tool remember with" in wire
    assert "saved" in wire


OLLAMA = "registry.ollama.ai/library/gemma:2b does not support tools"


@pytest.mark.requirement("P10")
@STREAMED
@pytest.mark.parametrize(
    ("code", "message"),
    [
        (400, OLLAMA),
        (404, "No endpoints found that support tool use. Try disabling tools."),
        (422, "Function calling is not supported by this model"),
        (400, '"auto" tool choice requires --enable-auto-tool-choice'),
    ],
)
def test_a_server_without_tools_is_asked_again_without(
    server: ModelServer, code: int, message: str, streamed: bool
) -> None:
    server.script(status(code, message), text("Your name is Ada."), text("Yes."))
    on_text: Callable[[str], None] | None = (lambda _: None) if streamed else None

    async def go() -> tuple[bool, str, bool, str]:
        client = connect(openai(server))
        before = client.supports_tools
        first = await client.respond(SYSTEM, HELLO, [REMEMBER], on_text)
        after = client.supports_tools
        second = await client.respond(SYSTEM, HELLO, [REMEMBER], on_text)
        await client.aclose()
        return before, first.text, after, second.text

    assert asyncio.run(go()) == (True, "Your name is Ada.", False, "Yes.")
    with_tools = ["tools" in request.body for request in server.requests]
    assert with_tools == [True, False, False]
    # The facts, which stand in the system prompt, went along each time.
    assert all(r.body["messages"][0]["content"] == SYSTEM.text for r in server.requests)


@pytest.mark.requirement("P10")
def test_tools_off_are_never_offered(server: ModelServer) -> None:
    server.script(text("ok"))
    options = openai(server, tools="off")
    assert not connect(options).supports_tools
    ask(options, tools=[REMEMBER])
    assert "tools" not in server.requests[0].body
    assert server.requests[0].body["messages"][0]["content"] == SYSTEM.text


def test_tools_on_are_not_given_up(server: ModelServer) -> None:
    server.script(status(400, OLLAMA), text("never asked for"))
    with pytest.raises(ModelRefusedError, match="does not support tools"):
        ask(openai(server, tools="on"), tools=[REMEMBER])
    assert len(server.requests) == 1


def test_another_refusal_does_not_cost_the_tools(server: ModelServer) -> None:
    server.script(status(400, "Invalid schema for function 'remember': not an object"))
    with pytest.raises(ModelRefusedError, match="Invalid schema"):
        ask(openai(server), tools=[REMEMBER])
    assert len(server.requests) == 1


# --- The system prompt ---


@STREAMED
def test_the_system_prompt_is_one_message_with_the_same_bytes(
    server: ModelServer, streamed: bool
) -> None:
    server.script(text("ok"))
    ask(openai(server), HISTORY, on_text=(lambda _: None) if streamed else None)
    system = [m for m in server.requests[0].body["messages"] if m["role"] == "system"]
    assert system == [{"role": "system", "content": SYSTEM.text}]


def test_the_system_prompt_stands_before_an_assistant_message(server: ModelServer) -> None:
    server.script(text("ok"))
    ask(openai(server), (Message("assistant", "Earlier."), Message("user", "Go on")))
    roles = [message["role"] for message in server.requests[0].body["messages"]]
    assert roles == ["system", "assistant", "user"]


def test_an_empty_system_prompt_is_not_sent(server: ModelServer) -> None:
    server.script(text("ok"), text("ok"))
    ask(openai(server), system=SystemPrompt("", ""))
    ask(anthropic(server), system=SystemPrompt("", ""))
    assert [m["role"] for m in server.requests[0].body["messages"]] == ["user"]
    assert not server.requests[1].body.get("system")


def test_anthropic_gets_a_cache_mark_on_the_stable_part_alone(server: ModelServer) -> None:
    server.script(text("ok"))
    ask(anthropic(server))
    stable, dynamic = server.requests[0].body["system"]
    assert stable["text"] == SYSTEM.stable
    assert stable["cache_control"]["type"] == "ephemeral"
    assert "cache_control" not in dynamic
    assert stable["text"] + dynamic["text"] == SYSTEM.text


def test_anthropic_without_a_stable_part_gets_no_cache_mark(server: ModelServer) -> None:
    server.script(text("ok"))
    ask(anthropic(server), system=SystemPrompt("", "only now"))
    assert server.requests[0].body["system"] == [{"type": "text", "text": "only now"}]


# --- What is sent besides ---


def test_the_key_and_the_model_are_sent(server: ModelServer) -> None:
    server.script(text("ok"), text("ok"))
    ask(openai(server))
    ask(anthropic(server, base_url=f"{server.url}/v1/"))
    first, second = server.requests
    assert first.headers["authorization"] == f"Bearer {KEY}"
    assert (first.path, first.body["model"]) == ("/v1/chat/completions", "test-model")
    # Versions of Anthropic's SDK differ in the header.
    assert KEY in (second.headers.get("x-api-key") or second.headers.get("authorization", ""))
    assert second.path.startswith("/v1/messages")


@pytest.mark.parametrize(
    ("name", "field"), [("openai:qwen3", "max_tokens"), ("openai:gpt-5", "max_completion_tokens")]
)
def test_the_output_limit_has_the_name_that_the_model_knows(
    server: ModelServer, name: str, field: str
) -> None:
    server.script(text("ok"))
    ask(openai(server, name=name, max_output_tokens=99))
    limits = {k: v for k, v in server.requests[0].body.items() if k.startswith("max_")}
    assert limits == {field: 99}


@pytest.mark.parametrize("provider", ["ollama", "lmstudio", "llamacpp", "openai"])
def test_a_local_server_needs_no_key_and_never_gets_the_one_of_openai(
    server: ModelServer, provider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-from-the-environment")
    server.script(text("ok"))
    ask(openai(server, name=f"{provider}:llama3.2:3b", api_key=None))
    assert "sk-from" not in server.requests[0].headers["authorization"]
    assert server.requests[0].body["model"] == "llama3.2:3b"


@BOTH
def test_a_proxy_from_the_environment_is_not_used_on_loopback(
    server: ModelServer, dialect: Dialect, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    server.script(text("straight"))
    assert ask(dialect(server)).text == "straight"


def test_the_default_addresses_of_local_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: dict[str, str] = {}

    def note(options: ModelOptions, provider: str, model: str, base_url: str) -> None:
        seen[provider] = base_url

    monkeypatch.setattr(models, "_compatible", note)
    for provider in ("ollama", "lmstudio", "llamacpp"):
        connect(ModelOptions(f"{provider}:m"))
    connect(ModelOptions("openai:m", KEY))
    assert seen == {
        "ollama": "http://127.0.0.1:11434/v1",
        "lmstudio": "http://127.0.0.1:1234/v1",
        "llamacpp": "http://127.0.0.1:8080/v1",
        "openai": "https://api.openai.com/v1",
    }


# --- What is missing ---


@pytest.mark.requirement("P02")
@pytest.mark.parametrize(
    ("options", "what", "fix"),
    [
        (ModelOptions(""), "no model is set", "memoro config set model openai:"),
        (ModelOptions("gpt-5"), "'gpt-5'", "memoro config set model openai:gpt-5"),
        (ModelOptions("openai:"), "'openai:'", "memoro config set model openai:"),
        (
            ModelOptions("openai:gpt-5"),
            "OPENAI_API_KEY",
            "export OPENAI_API_KEY=…  or: memoro config set-key openai",
        ),
        (
            ModelOptions("anthropic:claude-test", " \n"),
            "ANTHROPIC_API_KEY",
            "export ANTHROPIC_API_KEY=…  or: memoro config set-key anthropic",
        ),
        (ModelOptions("openai:m", "sk-ключ"), "characters", "memoro config set-key openai"),
        (
            ModelOptions("openai:m", KEY, "localhost:8080/v1"),
            "base URL",
            "memoro config set openai_base_url",
        ),
        (ModelOptions("nosuch:m", KEY), "nosuch", "memoro config set model openai:MODEL"),
        (ModelOptions("groq:m", KEY), "package", "pip install 'pydantic-ai-slim[groq]'"),
        (
            ModelOptions("deepseek:deepseek-chat"),
            "DEEPSEEK_API_KEY",
            "export DEEPSEEK_API_KEY=…  or: memoro config set-key deepseek",
        ),
    ],
    ids=lambda value: value.name if isinstance(value, ModelOptions) else "",
)
def test_what_is_missing_is_named_with_the_line_that_sets_it(
    options: ModelOptions, what: str, fix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "DEEPSEEK_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(ModelNotConfiguredError) as caught:
        connect(options)
    assert what in caught.value.what
    assert fix in (caught.value.fix or "")


def test_other_providers_of_the_library_can_be_used() -> None:
    async def go() -> str:
        client = connect(ModelOptions("deepseek:deepseek-chat", KEY))
        await client.aclose()
        return client.name

    assert asyncio.run(go()) == "deepseek:deepseek-chat"


def test_importing_the_module_loads_no_model_library() -> None:
    code = (
        "import sys, memoro.backends.models, memoro.backends.discovery, memoro.backends.secrets;"
        "heavy = {'pydantic', 'pydantic_ai', 'openai', 'anthropic', 'httpx2', 'keyring',"
        "         'xllamacpp', 'asyncio'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


# --- What goes wrong ---

QUICK = {"Retry-After": "0"}


@BOTH
@STREAMED
@pytest.mark.parametrize(
    ("responses", "kind", "what", "fix"),
    [
        ([status(401, "bad key")], ModelRefusedError, "bad key", "_API_KEY"),
        ([status(403, "not your region")], ModelRefusedError, "not your region", "_API_KEY"),
        ([status(404, "no model x")], ModelRefusedError, "no model x", "config set model"),
        ([status(400, "odd request")], ModelRefusedError, "odd request", "config set model"),
        (
            [status(400, "This model's maximum context length is 8192 tokens")],
            ModelRefusedError,
            "8192",
            "shorten",
        ),
        ([status(413, "too large")], ModelRefusedError, "too large", "shorten"),
        ([status(429, "slow", headers=QUICK)] * 3, ModelBusyError, "slow", "wait 0 s"),
        ([status(529, "full", headers=QUICK)] * 3, ModelBusyError, "full", "wait"),
        ([status(503, "later", headers=QUICK)] * 3, ModelBusyError, "later", "wait"),
        ([status(500, "oops", headers=QUICK)] * 3, ModelBrokenError, "oops", "again"),
        ([status(504, "gateway", headers=QUICK)] * 3, ModelUnreachableError, "gateway", "again"),
        ([nothing()], ModelUnreachableError, "disconnected", "start the server"),
        ([nonsense("html")], ModelBrokenError, "no usable answer", "again"),
        ([nonsense("json")], ModelBrokenError, "no usable answer", "again"),
        ([nonsense("broken")], ModelBrokenError, "no usable answer", "again"),
        ([half_stream("Half", " an")], ModelBrokenError, "cut its answer off", "again"),
        ([half_stream()], ModelBrokenError, "cut its answer off", "again"),
        ([text("")], ModelBrokenError, "the answer is empty", "again"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_each_failure_has_its_class_its_reason_and_its_fix(
    server: ModelServer,
    dialect: Dialect,
    streamed: bool,
    responses: list[Scripted],
    kind: type[ModelError],
    what: str,
    fix: str,
) -> None:
    server.script(*responses)
    options = dialect(server)
    error = failure(options, (lambda _: None) if streamed else None)
    assert type(error) is kind
    assert what in error.what
    assert fix in (error.fix or "")
    assert error.what.startswith(f"{options.name} at {server.url.removeprefix('http://')} ")
    assert len(server.posts) == len(responses)


@BOTH
def test_a_stream_that_ends_without_a_reason_is_broken(
    server: ModelServer, dialect: Dialect
) -> None:
    server.script(endless("It seems", " whole"))
    pieces: list[str] = []
    error = failure(dialect(server), pieces.append)
    assert type(error) is ModelBrokenError
    assert "".join(pieces) == "It seems whole"


def test_an_error_inside_a_stream_is_explained_like_any_other(server: ModelServer) -> None:
    body = 'data: {"error": {"message": "slow down", "code": "rate_limit_exceeded"}}\n\n'
    event = status(200, body=body, headers={"Content-Type": "text/event-stream"})
    server.script(event, text("finally"))
    pieces: list[str] = []
    assert ask(openai(server), on_text=pieces.append).text == "finally"
    assert pieces == ["finally"]


def test_a_closed_port_is_unreachable() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    options = ModelOptions("ollama:m", base_url=f"http://127.0.0.1:{port}/v1")
    error = failure(options)
    assert type(error) is ModelUnreachableError
    assert "refused" in error.what
    assert error.fix == "ollama serve"


@BOTH
@STREAMED
def test_a_silent_server_is_unreachable_after_the_timeout(
    server: ModelServer, dialect: Dialect, streamed: bool
) -> None:
    silent = hang()
    server.script(silent)
    options = dialect(server, timeout_seconds=0.2)
    error = failure(options, (lambda _: None) if streamed else None)
    assert type(error) is ModelUnreachableError
    assert "no answer within 0.2 s" in error.what
    assert silent.closed.wait(10)


@BOTH
def test_a_stream_that_stalls_is_unreachable(server: ModelServer, dialect: Dialect) -> None:
    steps = Steps()
    server.script(text("", chunks=["Half", "never"], steps=steps))
    steps.release()
    pieces: list[str] = []
    error = failure(dialect(server, timeout_seconds=0.3), pieces.append)
    assert type(error) is ModelUnreachableError
    assert pieces == ["Half"]


@BOTH
def test_the_key_never_appears_in_a_message(server: ModelServer, dialect: Dialect) -> None:
    server.script(status(401, f"Incorrect API key provided: {KEY}."))
    error = failure(dialect(server))
    assert KEY not in f"{error} {error.what} {error.fix}"
    assert "Incorrect API key provided: [key]" in error.what
    # Nor in a traceback, should one be printed.
    assert error.__cause__ is None
    assert error.__suppress_context__


def test_a_long_reason_is_shortened_to_one_line(server: ModelServer) -> None:
    server.script(status(400, "much too long a story\n" * 100))
    error = failure(openai(server))
    assert len(error.what) < 400
    assert error.what.endswith("…")


# --- Trying again ---


@BOTH
@STREAMED
def test_a_busy_server_is_asked_again(
    server: ModelServer, dialect: Dialect, streamed: bool
) -> None:
    server.script(status(429, headers=QUICK), status(503, headers=QUICK), text("at last"))
    reply = ask(dialect(server), on_text=(lambda _: None) if streamed else None)
    assert reply.text == "at last"
    assert len(server.requests) == 3


@BOTH
def test_a_long_retry_after_is_not_waited_for(server: ModelServer, dialect: Dialect) -> None:
    server.script(status(429, "limit reached", headers={"Retry-After": "60"}), text("too late"))
    begun = time.monotonic()
    error = failure(dialect(server))
    assert time.monotonic() - begun < 10
    assert type(error) is ModelBusyError
    assert "Retry-After: 60 s" in error.what
    assert error.fix == "wait 60 s and ask again"
    assert len(server.requests) == 1


def test_spent_credit_is_not_asked_for_again(server: ModelServer) -> None:
    body = json.dumps({"error": {"message": "no credit left", "code": "insufficient_quota"}})
    server.script(status(429, body=body), text("never"))
    error = failure(openai(server))
    assert type(error) is ModelBusyError
    assert "credit" in (error.fix or "")
    assert len(server.requests) == 1


def test_nothing_is_asked_again_once_text_was_passed_on(server: ModelServer) -> None:
    chunk: dict[str, Any] = {
        "id": "1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "m",
    }
    chunk["choices"] = [{"index": 0, "delta": {"content": "Half"}, "finish_reason": None}]
    error = {"error": {"message": "overloaded", "code": 503}}
    body = "".join(f"data: {json.dumps(event)}\n\n" for event in (chunk, error))
    server.script(status(200, body=body, headers={"Content-Type": "text/event-stream"}))
    pieces: list[str] = []
    assert type(failure(openai(server), pieces.append)) is ModelBusyError
    assert pieces == ["Half"]
    assert len(server.requests) == 1


# --- Being interrupted ---


@BOTH
def test_cancelling_mid_stream_passes_through_and_frees_the_server(
    server: ModelServer, dialect: Dialect
) -> None:
    steps = Steps()
    server.script(text("", chunks=["one", "two", "three"], steps=steps))
    steps.release()
    before = set(threading.enumerate())
    pieces: list[str] = []

    async def go() -> None:
        client = connect(dialect(server))
        task = asyncio.current_task()
        assert task is not None

        def on_text(piece: str) -> None:
            pieces.append(piece)
            task.cancel()

        try:
            await client.respond(SYSTEM, HELLO, (), on_text)
        finally:
            await client.aclose()

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(go())
    assert pieces == ["one"]
    steps.release_all()
    for thread in set(threading.enumerate()) - before:
        thread.join(10)
        assert not thread.is_alive()


@STREAMED
def test_cancelling_before_the_answer_closes_the_connection(
    server: ModelServer, streamed: bool
) -> None:
    silent = hang()
    server.script(silent)

    async def go() -> None:
        client = connect(openai(server))
        on_text: Callable[[str], None] | None = (lambda _: None) if streamed else None
        task = asyncio.ensure_future(client.respond(SYSTEM, HELLO, (), on_text))
        await asyncio.to_thread(silent.started.wait, 10)
        task.cancel()
        try:
            await task
        finally:
            await client.aclose()

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(go())
    assert silent.closed.wait(10)


def test_what_on_text_raises_is_not_taken_for_the_servers_fault(server: ModelServer) -> None:
    server.script(text("Hello there"))

    def on_text(piece: str) -> None:
        raise ValueError("the screen is gone")

    with pytest.raises(ValueError, match="the screen is gone"):
        ask(openai(server), on_text=on_text)

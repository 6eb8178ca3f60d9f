"""How a scripted answer looks on the wire, in OpenAI's and in Anthropic's dialect."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

WAIT_SECONDS = 30.0


class Call(NamedTuple):
    """A tool call in an answer; `arguments` is sent as it is, JSON or not."""

    name: str
    arguments: str
    call_id: str


class Steps:
    """Lets a test release the pieces of an answer one by one.

    The server waits before each piece; `release()` lets one go, `release_all()` the rest.
    """

    def __init__(self) -> None:
        self._permits = threading.Semaphore(0)
        self._open = threading.Event()
        self.started = threading.Event()
        """Set when the server waits for the first release."""

    def release(self) -> None:
        self._permits.release()

    def release_all(self) -> None:
        self._open.set()
        self._permits.release()

    def wait(self) -> None:
        self.started.set()
        if not self._open.is_set() and not self._permits.acquire(timeout=WAIT_SECONDS):
            raise TimeoutError("the test never released the next piece")


class Answer(NamedTuple):
    """A well-formed answer, or the beginning of one.

    `ending`: `proper`; `cut` (the connection is dropped after the pieces); `no_reason` (a proper
    end of the transfer, but no finish reason and no end mark).
    """

    pieces: tuple[str, ...] = ()
    calls: tuple[Call, ...] = ()
    usage: tuple[int, int, int] = (11, 7, 0)
    finish: str | None = None
    reasoning: str = ""
    ending: str = "proper"
    steps: Steps | None = None

    @property
    def reason(self) -> str:
        return self.finish or ("tool_calls" if self.calls else "stop")


class Dialect(NamedTuple):
    """An answer as one JSON body, and as a stream of events."""

    whole: Callable[[Answer], dict[str, Any]]
    events: Callable[[Answer], Iterator[str]]


def _halves(arguments: str) -> tuple[str, str]:
    middle = len(arguments) // 2
    return arguments[:middle], arguments[middle:]


# --- OpenAI Chat Completions ---


def _openai_usage(answer: Answer) -> dict[str, Any]:
    given, made, cached = answer.usage
    return {
        "prompt_tokens": given,
        "completion_tokens": made,
        "total_tokens": given + made,
        "prompt_tokens_details": {"cached_tokens": cached},
    }


def _openai_head(kind: str) -> dict[str, Any]:
    return {"id": "chatcmpl-1", "object": kind, "created": 1, "model": "test-model"}


def _openai_whole(answer: Answer) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": "".join(answer.pieces) or None}
    if answer.reasoning:
        message["reasoning_content"] = answer.reasoning
    if answer.calls:
        message["tool_calls"] = [
            {
                "id": call.call_id,
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments},
            }
            for call in answer.calls
        ]
    reason = None if answer.ending == "no_reason" else answer.reason
    return {
        **_openai_head("chat.completion"),
        "choices": [{"index": 0, "message": message, "finish_reason": reason}],
        "usage": _openai_usage(answer),
    }


def _openai_deltas(answer: Answer) -> Iterator[dict[str, Any]]:
    yield {"role": "assistant", "content": ""}
    if answer.reasoning:
        yield {"reasoning_content": answer.reasoning}
    for piece in answer.pieces:
        if answer.steps is not None:
            answer.steps.wait()
        yield {"content": piece}
    for index, call in enumerate(answer.calls):
        first, rest = _halves(call.arguments)
        function = {"name": call.name, "arguments": first}
        yield {
            "tool_calls": [
                {"index": index, "id": call.call_id, "type": "function", "function": function}
            ]
        }
        yield {"tool_calls": [{"index": index, "function": {"arguments": rest}}]}


def _openai_events(answer: Answer) -> Iterator[str]:
    head = _openai_head("chat.completion.chunk")
    for delta in _openai_deltas(answer):
        yield _data({**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
    if answer.ending != "proper":
        return
    last: dict[str, Any] = {"index": 0, "delta": {}, "finish_reason": answer.reason}
    yield _data({**head, "choices": [last]})
    yield _data({**head, "choices": [], "usage": _openai_usage(answer)})
    yield "data: [DONE]\n\n"


def _data(value: Mapping[str, Any]) -> str:
    return f"data: {json.dumps(value)}\n\n"


# --- Anthropic Messages ---

_STOP_REASONS = {
    "stop": "end_turn",
    "tool_calls": "tool_use",
    "length": "max_tokens",
    "content_filter": "refusal",
}


def _anthropic_usage(answer: Answer) -> dict[str, Any]:
    given, made, cached = answer.usage
    return {
        "input_tokens": given - cached,
        "output_tokens": made,
        "cache_read_input_tokens": cached,
        "cache_creation_input_tokens": 0,
    }


def _anthropic_head(answer: Answer) -> dict[str, Any]:
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "test-model",
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": _anthropic_usage(answer),
    }


def _anthropic_whole(answer: Answer) -> dict[str, Any]:
    blocks: list[dict[str, Any]] = []
    if answer.reasoning:
        blocks.append({"type": "thinking", "thinking": answer.reasoning, "signature": "s"})
    if answer.pieces:
        blocks.append({"type": "text", "text": "".join(answer.pieces)})
    for call in answer.calls:
        given = json.loads(call.arguments)
        blocks.append({"type": "tool_use", "id": call.call_id, "name": call.name, "input": given})
    reason = None if answer.ending == "no_reason" else _STOP_REASONS[answer.reason]
    return {**_anthropic_head(answer), "content": blocks, "stop_reason": reason}


def _anthropic_blocks(answer: Answer) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    if answer.reasoning:
        start = {"type": "thinking", "thinking": "", "signature": ""}
        yield start, [{"type": "thinking_delta", "thinking": answer.reasoning}]
    if answer.pieces:
        deltas = [{"type": "text_delta", "text": piece} for piece in answer.pieces]
        yield {"type": "text", "text": ""}, deltas
    for call in answer.calls:
        start: dict[str, Any] = {
            "type": "tool_use",
            "id": call.call_id,
            "name": call.name,
            "input": {},
        }
        halves = _halves(call.arguments)
        yield start, [{"type": "input_json_delta", "partial_json": half} for half in halves]


def _anthropic_events(answer: Answer) -> Iterator[str]:
    yield _event("message_start", message=_anthropic_head(answer))
    for index, (start, deltas) in enumerate(_anthropic_blocks(answer)):
        yield _event("content_block_start", index=index, content_block=start)
        for delta in deltas:
            if answer.steps is not None and delta["type"] == "text_delta":
                answer.steps.wait()
            yield _event("content_block_delta", index=index, delta=delta)
        if answer.ending == "proper":
            yield _event("content_block_stop", index=index)
    if answer.ending != "proper":
        return
    delta = {"stop_reason": _STOP_REASONS[answer.reason], "stop_sequence": None}
    yield _event("message_delta", delta=delta, usage={"output_tokens": answer.usage[1]})
    yield _event("message_stop")


def _event(kind: str, **fields: Any) -> str:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **fields})}\n\n"


DIALECTS = {
    "/v1/chat/completions": Dialect(_openai_whole, _openai_events),
    "/v1/messages": Dialect(_anthropic_whole, _anthropic_events),
}

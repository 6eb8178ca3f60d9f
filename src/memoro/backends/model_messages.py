"""Between the port's messages and the model library's, in both directions."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

from pydantic_ai.messages import (
    InstructionPart,
    ModelMessage,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    ModelResponsePart,
    ModelResponseStreamEvent,
    PartDeltaEvent,
    PartStartEvent,
    SystemPromptPart,
    TextPart,
    TextPartDelta,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.tools import ToolDefinition

from memoro.session.model import (
    Finish,
    Message,
    Reply,
    SystemPrompt,
    ToolCall,
    ToolSpec,
    Usage,
)

_FINISHES: dict[str, Finish] = {
    "stop": "stop",
    "length": "length",
    "content_filter": "content_filter",
    "tool_call": "tool_calls",
}


class Exchange(NamedTuple):
    """One request in the library's terms."""

    messages: list[ModelMessage]
    parameters: ModelRequestParameters


def exchange(
    system: SystemPrompt,
    messages: Sequence[Message],
    tools: Sequence[ToolSpec],
    *,
    system_in_parts: bool,
) -> Exchange:
    """A request as the library takes it.

    With `system_in_parts` the two parts of the system prompt stay apart, so that a cache mark can
    stand between them; joined, they are the same bytes either way.
    """
    if not tools:
        # Providers disagree on tool messages in a request that offers no tools; all take text.
        messages = _without_tools(messages)
    parameters = ModelRequestParameters(function_tools=[_definition(tool) for tool in tools])
    head: list[ModelRequestPart] = []
    if system_in_parts:
        parameters.instruction_parts = _instructions(system)
    elif system.text:
        head.append(SystemPromptPart(system.text))
    return Exchange(_grouped(head, messages), parameters)


def text_of(event: ModelResponseStreamEvent) -> str:
    """The visible text in a streamed event; reasoning and tool calls have none."""
    if isinstance(event, PartStartEvent) and isinstance(event.part, TextPart):
        return event.part.content
    if isinstance(event, PartDeltaEvent) and isinstance(event.delta, TextPartDelta):
        return event.delta.content_delta
    return ""


def has_ended(response: ModelResponse) -> bool:
    """Whether the provider said that the answer is complete, in words known or unknown."""
    details = response.provider_details or {}
    return response.finish_reason is not None or "finish_reason" in details


def reply(response: ModelResponse) -> Reply:
    """A complete response as the port's reply; reasoning is left out."""
    details = response.provider_details or {}
    text = "".join(part.content for part in response.parts if isinstance(part, TextPart))
    usage = response.usage
    return Reply(
        text=text or str(details.get("refusal") or ""),
        calls=tuple(_call(part) for part in response.parts if isinstance(part, ToolCallPart)),
        usage=Usage(usage.input_tokens, usage.output_tokens, usage.cache_read_tokens),
        finish=_finish(response),
    )


def _finish(response: ModelResponse) -> Finish | None:
    details = response.provider_details or {}
    if response.finish_reason == "stop" and "finish_reason" not in details:
        # The library puts "stop" where an OpenAI-compatible server gave no reason.
        return None
    return _FINISHES.get(response.finish_reason or "")


def _definition(tool: ToolSpec) -> ToolDefinition:
    return ToolDefinition(
        name=tool.name,
        description=tool.description,
        parameters_json_schema=dict(tool.schema),
        # Left open, the library asks for strict mode, which compatible servers don't know.
        strict=False,
    )


def _instructions(system: SystemPrompt) -> list[InstructionPart]:
    separator = "\n\n" if system.stable else ""
    parts = [InstructionPart(system.stable)] if system.stable else []
    if system.dynamic:
        parts.append(InstructionPart(separator + system.dynamic, dynamic=True))
    return parts


def _grouped(head: list[ModelRequestPart], messages: Sequence[Message]) -> list[ModelMessage]:
    grouped: list[ModelMessage] = []
    for message in messages:
        if message.role == "assistant":
            if head:
                grouped.append(ModelRequest(head))
                head = []
            grouped.append(ModelResponse(_answer_parts(message)))
        elif message.role == "tool":
            head.append(ToolReturnPart(message.name, message.text, tool_call_id=message.call_id))
        else:
            head.append(UserPromptPart(message.text))
    if head:
        grouped.append(ModelRequest(head))
    return grouped


def _answer_parts(message: Message) -> list[ModelResponsePart]:
    parts: list[ModelResponsePart] = [TextPart(message.text)] if message.text else []
    parts.extend(
        ToolCallPart(call.name, call.arguments or "{}", tool_call_id=call.call_id)
        for call in message.calls
    )
    return parts


def _call(part: ToolCallPart) -> ToolCall:
    arguments = part.args
    if arguments is None:
        arguments = ""
    elif not isinstance(arguments, str):
        # Anthropic's complete answers carry an object; its text never crossed the wire.
        arguments = json.dumps(arguments, ensure_ascii=False)
    return ToolCall(part.tool_call_id, part.tool_name, arguments)


def _without_tools(messages: Sequence[Message]) -> list[Message]:
    plain: list[Message] = []
    for message in messages:
        if message.role == "assistant":
            calls = [f"[called the tool {c.name} with {c.arguments}]" for c in message.calls]
            told = Message("assistant", "\n".join(filter(None, (message.text, *calls))))
        elif message.role == "tool":
            told = Message("user", f"[the tool {message.name} returned]\n{message.text}")
        else:
            told = message
        if message.role == "tool" and plain and plain[-1].role == "user":
            # Templates of small models insist on user and assistant taking turns.
            plain[-1] = Message("user", f"{plain[-1].text}\n\n{told.text}")
        else:
            plain.append(told)
    return plain

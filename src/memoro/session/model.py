"""The port to language models: what a turn needs from one, and nothing of how it is reached."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, Protocol

Role = Literal["user", "assistant", "tool"]
Finish = Literal["stop", "tool_calls", "length", "content_filter"]


class ToolSpec(NamedTuple):
    """A tool as it is offered to a model.

    `schema` is the JSON Schema (an object) of its arguments.
    """

    name: str
    description: str
    schema: Mapping[str, Any]


class ToolCall(NamedTuple):
    """A tool call as a model asked for it; nothing in it is checked yet.

    `arguments` is the text that the model sent, JSON or not.
    """

    call_id: str
    name: str
    arguments: str


class Message(NamedTuple):
    """One message of a conversation in the neutral form.

    `calls` belongs to an assistant message that asks for tools; `call_id` and `name` to the
    tool message that answers one of them.
    """

    role: Role
    text: str
    calls: tuple[ToolCall, ...] = ()
    call_id: str = ""
    name: str = ""


class SystemPrompt(NamedTuple):
    """The system prompt in two parts: `stable` is the same bytes from turn to turn and worth
    caching, `dynamic` changes and stands after it."""

    stable: str
    dynamic: str

    @property
    def text(self) -> str:
        """The whole prompt as it is sent."""
        return "\n\n".join(part for part in self if part)


class Usage(NamedTuple):
    """Tokens that the provider counted; 0 where it reported none.

    `input_tokens` includes `cached_tokens`, those read from the provider's prompt cache.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0

    def plus(self, other: Usage) -> Usage:
        """The sum, for a run of several model requests."""
        return Usage(*(a + b for a, b in zip(self, other, strict=True)))


class Reply(NamedTuple):
    """A complete answer to one model request.

    `finish` is None where the provider gave no reason for ending.
    """

    text: str
    calls: tuple[ToolCall, ...]
    usage: Usage
    finish: Finish | None


class ModelClient(Protocol):
    """A model that can be talked to.

    `name` is what was configured (`provider:model`); `supports_tools` says whether tools may be
    offered to it.
    """

    @property
    def name(self) -> str: ...

    @property
    def supports_tools(self) -> bool: ...

    async def respond(
        self,
        system: SystemPrompt,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec],
        on_text: Callable[[str], None] | None = None,
    ) -> Reply:
        """Send one request and return the complete reply.

        With `on_text` the answer is streamed and each piece of text is passed on as it comes.

        Raises:
            ModelError: no complete answer came; the subclass says why. Text that was passed to
                `on_text` before stays valid as a partial answer.
        """
        ...

    async def aclose(self) -> None:
        """Release connections, and a local server where one was started."""
        ...

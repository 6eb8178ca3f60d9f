"""The model port over the model library: one request, its retries, its stream."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from typing import Literal

from pydantic_ai.direct import model_request, model_request_stream
from pydantic_ai.messages import ModelResponse
from pydantic_ai.models import Model
from pydantic_ai.settings import ModelSettings

from memoro.backends.model_errors import Endpoint, Failure, broken, explain
from memoro.backends.model_messages import Exchange, exchange, has_ended, reply, text_of
from memoro.session.model import Message, Reply, SystemPrompt, ToolSpec

Tools = Literal["auto", "on", "off"]

RETRY_PAUSES = (0.5, 1.0)
"""Seconds before each further attempt, where the provider names none."""

LONGEST_PAUSE = 10.0
"""A provider that asks for more seconds than these is not waited for."""

_log = logging.getLogger(__name__)


class ChatClient:
    """A `ModelClient` over any model of the library.

    It belongs to the event loop that it is first used on.
    """

    def __init__(
        self,
        model: Model,
        endpoint: Endpoint,
        *,
        tools: Tools,
        settings: ModelSettings,
        system_in_parts: bool,
        close: Callable[[], Awaitable[None]],
    ) -> None:
        self._model = model
        self._endpoint = endpoint
        self._may_drop_tools = tools == "auto"
        self._supports_tools = tools != "off"
        self._settings = settings
        self._system_in_parts = system_in_parts
        self._close = close

    @property
    def name(self) -> str:
        return self._endpoint.name

    @property
    def supports_tools(self) -> bool:
        """Turns False for good once the server has refused tools as such."""
        return self._supports_tools

    async def respond(
        self,
        system: SystemPrompt,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec],
        on_text: Callable[[str], None] | None = None,
    ) -> Reply:
        """See `ModelClient.respond`."""
        offered = tools if self._supports_tools else ()
        attempt = 0
        while True:
            request = exchange(system, messages, offered, system_in_parts=self._system_in_parts)
            outcome = await self._attempt(request, on_text)
            if isinstance(outcome, Reply):
                return outcome
            if outcome.no_tools and offered and self._may_drop_tools:
                _log.info("%s refused tools; going on without", self.name)
                self._supports_tools = False
                offered = ()
                continue
            pause = _pause(outcome, attempt)
            if pause is None:
                # The library's own error may quote the key; it is not shown as the cause.
                raise outcome.error from None
            attempt += 1
            await asyncio.sleep(pause)

    async def aclose(self) -> None:
        """See `ModelClient.aclose`."""
        await self._close()

    async def _attempt(
        self, request: Exchange, on_text: Callable[[str], None] | None
    ) -> Reply | Failure:
        if on_text is None:
            return await self._complete(request)
        outcome: Reply | Failure = broken(self._endpoint, "the stream is empty")
        passed_on = False
        async with aclosing(self._stream(request)) as pieces:
            async for piece in pieces:
                if isinstance(piece, str):
                    passed_on = True
                    on_text(piece)
                else:
                    outcome = piece
        if isinstance(outcome, Failure) and passed_on:
            return outcome._replace(retry=False, no_tools=False)
        return outcome

    async def _complete(self, request: Exchange) -> Reply | Failure:
        try:
            response = await model_request(
                self._model,
                request.messages,
                model_settings=self._settings,
                model_request_parameters=request.parameters,
                instrument=False,
            )
        except Exception as error:  # noqa: BLE001  a malformed body can raise anything in there
            return explain(error, self._endpoint, answering=False)
        return self._checked(response)

    async def _stream(self, request: Exchange) -> AsyncGenerator[str | Reply | Failure, None]:
        """Pieces of text, then the outcome. A generator, so that what `on_text` raises stays
        outside the handler that takes errors for the server's."""
        answering = False
        try:
            async with model_request_stream(
                self._model,
                request.messages,
                model_settings=self._settings,
                model_request_parameters=request.parameters,
                instrument=False,
            ) as stream:
                answering = True
                async for event in stream:
                    if text := text_of(event):
                        yield text
                response = stream.get()
        except Exception as error:  # noqa: BLE001  as above
            yield explain(error, self._endpoint, answering=answering)
            return
        if not has_ended(response):
            yield broken(self._endpoint, "the stream ended early")
            return
        yield self._checked(response)

    def _checked(self, response: ModelResponse) -> Reply | Failure:
        answer = reply(response)
        if response.finish_reason == "error":
            return broken(self._endpoint, answer.text or "the provider reports an error")
        cut_on_purpose = answer.finish in ("length", "content_filter")
        if answer.text or answer.calls or cut_on_purpose:
            return answer
        return broken(self._endpoint, "the answer is empty")


def _pause(failure: Failure, attempt: int) -> float | None:
    """Seconds until the next attempt; None where there is none to make."""
    if not failure.retry or attempt >= len(RETRY_PAUSES):
        return None
    if failure.retry_after is None:
        return RETRY_PAUSES[attempt]
    return failure.retry_after if failure.retry_after <= LONGEST_PAUSE else None

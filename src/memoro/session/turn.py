"""The one loop of a turn: words in, an answer out, everything that happened on record.

The user's message is stored before the model sees it, each tool call before it is carried out, and
a change together with its outcome. A cancel lets a change that has started finish. An outcome that
is unknown closes the tools for the rest of the run: nothing is ever replayed by itself.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any, NamedTuple, Protocol, TypeVar

from memoro.errors import MemoroError, ModelBrokenError, StoreError, StoreLockedError
from memoro.session.context import Block, ContextOptions, check_size, system_prompt
from memoro.session.model import Message, ModelClient, Reply, ToolCall, ToolSpec, Usage
from memoro.session.transcript import (
    NewRun,
    Outcome,
    RunKind,
    RunState,
    Session,
    StoredMessage,
    TranscriptStore,
)

MAX_ROUNDS = 8
"""Model requests in one run; what asks for more tools after that is going in circles."""

_T = TypeVar("_T")


class ToolResult(NamedTuple):
    """What came of a tool call; `text` is what the model is told."""

    outcome: Outcome
    text: str


class Toolbox(Protocol):
    """The tools of one run. They check everything again when they are called."""

    @property
    def specs(self) -> Sequence[ToolSpec]:
        """The tools that are offered; calls of any other are refused."""
        ...

    def call(self, call: ToolCall, row: int) -> ToolResult:
        """Carry out one call; `row` is its line in the tool log."""
        ...


class Turn(NamedTuple):
    """What a turn is made of; `blocks` and `past` are fixed for all its requests."""

    run: str
    session: Session
    kind: RunKind
    message: StoredMessage
    blocks: Sequence[Block]
    past: Sequence[Message]
    reply_id: str


class Exchange(NamedTuple):
    """A finished turn. `notices` says what the reader should know of the answer, a line each."""

    session: str
    run: str
    reply: str
    usage: Usage
    notices: tuple[str, ...]


class TurnLoop:
    """Runs one turn against a model, a toolbox and a transcript."""

    def __init__(
        self,
        turn: Turn,
        model: ModelClient,
        tools: Toolbox,
        transcripts: TranscriptStore,
        now: Callable[[], datetime],
        options: ContextOptions,
    ) -> None:
        self._turn = turn
        self._model = model
        self._tools = tools
        self._transcripts = transcripts
        self._now = now
        self._options = options
        self._system = system_prompt(turn.blocks)
        self._messages = [*turn.past, Message("user", turn.message.text)]
        self._said: list[str] = []
        self._usage = Usage()
        self._closed = False
        self.notices: list[str] = []

    def check(self) -> None:
        """Refuse a request that is over the context budget, before anything is kept or sent.

        Raises:
            TooLargeError: it is.
        """
        check_size(self._system, self._offered(), self._messages, self._options)

    async def run(self, on_text: Callable[[str], None] | None = None) -> Exchange:
        """Answer the message. `on_text` gets each piece of the answer as it comes.

        Raises:
            ModelError: no complete answer came; what came of it is kept.
            asyncio.CancelledError: the run was cancelled, and is on record as that.
        """
        turn = self._turn
        started = NewRun(
            turn.run,
            turn.session,
            turn.kind,
            self._model.name,
            turn.message,
            {block.name: block.bytes for block in turn.blocks},
            self._now(),
        )
        try:
            await _to_its_end(asyncio.to_thread(self._transcripts.start, started))
            await self._answer(on_text)
        except asyncio.CancelledError:
            await self._end("cancelled", "cancelled by the user")
            raise
        except BaseException as error:
            if _is_cancelled():
                # A connection that breaks because of it is no failure of the model.
                await self._end("cancelled", "cancelled by the user")
                raise asyncio.CancelledError from error
            told = error.what if isinstance(error, MemoroError) else repr(error)
            # A store that fails here too must not hide the first failure.
            with suppress(StoreError):
                await self._end("failed", told)
            raise
        await self._end("done", None)
        return Exchange(turn.session.id, turn.run, self._text(), self._usage, tuple(self.notices))

    async def _answer(self, on_text: Callable[[str], None] | None) -> None:
        for _ in range(MAX_ROUNDS):
            reply = await self._request(on_text)
            if not reply.calls:
                self._note_ending(reply)
                return
            self._messages.append(Message("assistant", reply.text, reply.calls))
            await self._carry_out_all(reply.calls)
        raise ModelBrokenError(
            f"{self._model.name} asked for tools {MAX_ROUNDS} times without answering",
            "finished changes are kept: memoro memory list",
        )

    async def _request(self, on_text: Callable[[str], None] | None) -> Reply:
        offered = self._offered()
        check_size(self._system, offered, self._messages, self._options)
        first = True

        def take(piece: str) -> None:
            nonlocal first
            if first and self._said:
                piece = "\n\n" + piece
            first = False
            self._said.append(piece)
            if on_text is not None:
                on_text(piece)

        reply = await self._model.respond(self._system, self._messages, offered, take)
        self._usage = self._usage.plus(reply.usage)
        if offered and not self._model.supports_tools:
            self.notices.append(f"{self._model.name} takes no tools; it answered without them")
        return reply

    def _offered(self) -> Sequence[ToolSpec]:
        return self._tools.specs if self._model.supports_tools else ()

    async def _carry_out_all(self, calls: Sequence[ToolCall]) -> None:
        for position, call in enumerate(calls):
            try:
                result = await _to_its_end(self._carry_out(call))
            except asyncio.CancelledError:
                for left in calls[position + 1 :]:
                    await self._log_cancelled(left)
                raise
            self._messages.append(Message("tool", result.text, (), call.call_id, call.name))

    async def _carry_out(self, call: ToolCall) -> ToolResult:
        row = await asyncio.to_thread(
            self._transcripts.request_tool, self._turn.run, call.name, call.arguments, self._now()
        )
        result = await asyncio.to_thread(self._result, call, row)
        try:
            await asyncio.to_thread(
                self._transcripts.finish_tool, row, result.outcome, result.text, self._now()
            )
        except StoreError as error:
            result = _unknown(call, error)
        if result.outcome == "unknown":
            self._closed = True
            self.notices.append(result.text)
        return result

    def _result(self, call: ToolCall, row: int) -> ToolResult:
        if self._closed:
            return ToolResult(
                "refused", "refused: the outcome of an earlier change is unknown; tools are closed"
            )
        try:
            return self._tools.call(call, row)
        except StoreLockedError as error:
            return ToolResult("failed", f"failed, nothing was changed: {error.what}")
        except StoreError as error:
            return _unknown(call, error)
        except MemoroError as error:
            return ToolResult("failed", f"failed: {error.what}")

    async def _log_cancelled(self, call: ToolCall) -> None:
        async def log() -> None:
            row = await asyncio.to_thread(
                self._transcripts.request_tool,
                self._turn.run,
                call.name,
                call.arguments,
                self._now(),
            )
            await asyncio.to_thread(
                self._transcripts.finish_tool, row, "cancelled", "never started", self._now()
            )

        await _to_its_end(log())

    def _note_ending(self, reply: Reply) -> None:
        if reply.finish == "length":
            self.notices.append(
                "the answer was cut off at its length limit (the model's own, or max_output_tokens)"
            )
        elif reply.finish == "content_filter":
            self.notices.append("the provider's content filter ended the answer")

    def _text(self) -> str:
        return "".join(self._said).strip()

    async def _end(self, state: RunState, error: str | None) -> None:
        text, turn = self._text(), self._turn
        reply = None
        if text:
            reply = StoredMessage(
                turn.reply_id,
                turn.session.id,
                turn.run,
                "assistant",
                text,
                self._now(),
                partial=state != "done",
            )
        await _to_its_end(
            asyncio.to_thread(
                self._transcripts.finish, turn.run, state, reply, self._usage, error, self._now()
            )
        )


def _unknown(call: ToolCall, error: StoreError) -> ToolResult:
    return ToolResult(
        "unknown",
        f"the outcome of {call.name} is unknown ({error.what}); it will not be tried again;"
        " check: memoro memory list",
    )


def _is_cancelled() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


async def _to_its_end(work: Coroutine[Any, Any, _T]) -> _T:
    """Wait for work that must not stop halfway: a cancel is passed on only when it is done."""
    task = asyncio.ensure_future(work)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError as error:
            if task.cancelled():
                raise
            cancelled = error
        except BaseException:
            if task.done():
                break
            raise
    if cancelled is not None:
        # The work's own failure is on record or reported elsewhere; the cancel goes first.
        task.exception()
        raise cancelled
    return task.result()

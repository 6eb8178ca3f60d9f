"""What is kept of a conversation: sessions, their runs, messages and tool log.

A run is one user message and everything the model does to answer it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

from memoro.errors import Reason, Refusal
from memoro.memory.records import shown
from memoro.session.model import Message, Role, Usage

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from memoro.memory.store import Origin

RunKind = Literal["chat", "scheduled", "messaging", "archive"]
"""`archive`: a conversation that was held elsewhere, kept whole as one run."""

RunState = Literal["running", "done", "failed", "cancelled", "interrupted"]
"""`interrupted`: its process ended without a word."""

Outcome = Literal["requested", "done", "refused", "failed", "unknown", "cancelled"]
"""`requested`: recorded, not finished. `refused`: not allowed, nothing happened. `unknown`: it may
have happened; it is never tried again by itself."""


class Session(NamedTuple):
    """A conversation. `scope` is fixed when it starts."""

    id: str
    title: str
    scope: str
    created_at: datetime
    updated_at: datetime
    messages: int = 0


class Run(NamedTuple):
    """One user message and the work of answering it.

    `blocks` gives the UTF-8 bytes of each part of the system prompt by its name.
    """

    id: str
    session: str
    kind: RunKind
    state: RunState
    model: str
    started_at: datetime
    ended_at: datetime | None
    usage: Usage
    error: str | None
    blocks: Mapping[str, int]


class StoredMessage(NamedTuple):
    """A message as it was said. `partial` marks an answer that broke off."""

    id: str
    session: str
    run: str
    role: Role
    text: str
    at: datetime
    partial: bool = False
    speaker: str | None = None
    ref: str | None = None


class Turn(NamedTuple):
    """A turn of a conversation that was held elsewhere.

    `role` is "user" or "assistant". `speaker` names who spoke where several do. `ref` is the
    caller's own reference: given back with what is found, never searched or shown to a model. A
    time without a zone is UTC.
    """

    role: Role
    text: str
    at: datetime
    speaker: str | None = None
    ref: str | None = None


class Archived(NamedTuple):
    """What came of archiving: the session's ID, the turns that were kept, and how many were known
    already."""

    session: str
    kept: int
    known: int


class ToolRecord(NamedTuple):
    """A line of the tool log: what was asked for, and what came of it."""

    id: int
    run: str
    tool: str
    arguments: str
    outcome: Outcome
    detail: str
    requested_at: datetime
    finished_at: datetime | None


class SessionView(NamedTuple):
    """A whole conversation."""

    session: Session
    runs: list[Run]
    messages: list[StoredMessage]
    tools: list[ToolRecord]


class NewRun(NamedTuple):
    """What a run starts with."""

    id: str
    session: Session
    kind: RunKind
    model: str
    message: StoredMessage
    blocks: Mapping[str, int]
    at: datetime


class TranscriptStore(Protocol):
    """Keeps conversations. Each call is durable when it returns."""

    def claim(self, session_id: str) -> AbstractContextManager[None]:
        """Hold a session for one run; given back by itself when the process ends.

        Raises:
            StoreLockedError: another run of that session is going on.
        """
        ...

    def start(self, new: NewRun) -> None:
        """Keep the session (if new), the run and the user's message, before anything is sent.

        Runs of the session that were left running by a dead process become `interrupted`, and
        their unfinished tool calls `unknown`.
        """
        ...

    def request_tool(self, run_id: str, tool: str, arguments: str, at: datetime) -> int:
        """Log a tool call before it is carried out; gives its row."""
        ...

    def finish_tool(self, row: int, outcome: Outcome, detail: str, at: datetime) -> None:
        """Log what came of a tool call."""
        ...

    def finish(
        self,
        run_id: str,
        state: RunState,
        reply: StoredMessage | None,
        usage: Usage,
        error: str | None,
        at: datetime,
    ) -> None:
        """End a run and keep the model's answer, whole or partial."""
        ...

    def archive(self, name: str, turns: Sequence[Turn], scope: str) -> Archived:
        """Keep turns of a conversation that was held elsewhere, after those that are kept of it.

        Turns that are there already, word for word and of the same time, are left out. `name` is
        the caller's for it, and becomes its title; the turns can be found when this returns.
        """
        ...

    def session(self, session_id: str) -> SessionView | None:
        """A conversation with everything in it."""
        ...

    def sessions(self, limit: int | None = None) -> list[Session]:
        """All conversations, the latest first."""
        ...

    def count(self) -> int:
        """How many conversations there are."""
        ...

    def message(self, message_id: str) -> StoredMessage | None:
        """One message."""
        ...

    def messages_of(self, ids: Collection[str]) -> dict[str, tuple[StoredMessage, str]]:
        """Those of these messages that are there, by ID, with the name of each one's session."""
        ...

    def around(self, message_id: str) -> list[tuple[StoredMessage, bool]]:
        """A message, marked, with the one before it and the one after it in its session."""
        ...

    def session_title(self, session_id: str) -> str | None:
        """What a session is called."""
        ...

    def session_name(self, session_id: str) -> str:
        """The name that a session was archived under; of any other one its ID."""
        ...

    def session_named(self, name: str) -> str:
        """The ID of the session that was archived under a name; else the name, as an ID."""
        ...

    def session_of(self, run_id: str) -> str | None:
        """The session that a run belongs to."""
        ...

    def delete(self, session_id: str, origin: Origin) -> tuple[str, ...] | Refusal:
        """Take a conversation out of every place for good; gives the places that remain, if any."""
        ...


def unknown_session(session_id: str) -> Refusal:
    """The refusal for an ID that no session has."""
    return Refusal(Reason.NOT_FOUND, f"there is no session {shown(session_id)}", "memoro chat list")


def check_archive(name: str, turns: Sequence[Turn]) -> Refusal | None:
    """Refuse a conversation that can't be archived: without a name, of unknown roles, or with
    texts that nothing can hold."""
    if not name.strip():
        return Refusal(Reason.USAGE, "a conversation needs a name to be archived under")
    for place, turn in enumerate(turns, 1):
        if turn.role not in ("user", "assistant"):
            what = f"turn {place} is of {turn.role!r}, which is no role; nothing was kept"
            return Refusal(Reason.USAGE, what, 'a role is "user" or "assistant"')
        if not _is_text(turn.text, turn.speaker or "", turn.ref or ""):
            return Refusal(
                Reason.USAGE, f"turn {place} is not valid Unicode text; nothing was kept"
            )
    if not _is_text(name):
        return Refusal(Reason.USAGE, "the name is not valid Unicode text; nothing was kept")
    return None


def _is_text(*texts: str) -> bool:
    # Half of a surrogate pair, which no file or database can hold.
    try:
        "".join(texts).encode()
    except UnicodeEncodeError:
        return False
    return True


def history(view: SessionView) -> list[Message]:
    """The conversation so far as a model is given it: what was said, a user's and an assistant's
    turn alternating.

    A run without an answer leaves a bracketed line instead, so that the next one knows; tool
    calls are left out, since what they changed stands in the facts. Read it while holding the
    session: a run that is still "running" then is one whose process died.
    """
    said = {(one.run, one.role): one for one in view.messages}
    messages: list[Message] = []
    for run in view.runs:
        if run.kind == "archive":
            messages += _archived([one for one in view.messages if one.run == run.id])
            continue
        question, answer = said.get((run.id, "user")), said.get((run.id, "assistant"))
        if question is None:
            continue
        messages.append(Message("user", question.text))
        messages.append(Message("assistant", _answer(run, answer, view.tools)))
    return messages


def _archived(turns: Sequence[StoredMessage]) -> list[Message]:
    """What was said elsewhere: turns of one role after each other become one message."""
    messages: list[Message] = []
    for role, said in groupby(turns, _role):
        text = "\n".join(f"{one.speaker}: {one.text}" if one.speaker else one.text for one in said)
        if not messages and role != "user":
            messages.append(Message("user", "[this conversation was begun elsewhere]"))
        messages.append(Message(role, text))
    if messages and messages[-1].role == "user":
        messages.append(Message("assistant", "[this conversation was held elsewhere]"))
    return messages


def _role(turn: StoredMessage) -> Role:
    return turn.role


def _answer(run: Run, answer: StoredMessage | None, tools: Sequence[ToolRecord]) -> str:
    text = answer.text if answer is not None else ""
    if run.state == "done" and text:
        return text
    calls = [f"{one.tool}: {_known(one.outcome)}" for one in tools if one.run == run.id]
    state = "interrupted" if run.state == "running" else run.state
    ending = "; ".join([f"this answer ended early ({state})", *calls])
    return f"{text}\n[{ending}]".strip()


def _known(outcome: Outcome) -> Outcome:
    return "unknown" if outcome == "requested" else outcome

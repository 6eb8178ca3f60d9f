"""`memoro chat`: conversations that know what was saved."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from memoro.bootstrap.mentions import paths_in
from memoro.commands.prompting import prompt_blocks, run_tools, take_snapshot, with_memory
from memoro.commands.registry import (
    HUMANS,
    LIMIT,
    PROJECT,
    Answer,
    Caller,
    Command,
    Done,
    Group,
    Param,
    Result,
    Table,
    Text,
)
from memoro.commands.remembering import note_page, note_reply, remember_for
from memoro.commands.scopes import chat_scope, origin
from memoro.commands.services import Services
from memoro.errors import MemoroError, Reason, Refusal, StoreError
from memoro.memory.records import project_name
from memoro.memory.saved import is_blank
from memoro.session.model import Message, Usage
from memoro.session.transcript import (
    RunKind,
    Session,
    SessionView,
    StoredMessage,
    ToolRecord,
    history,
    unknown_session,
)
from memoro.session.turn import Exchange, Turn, TurnLoop

TITLE_CHARACTERS = 60


async def new_chat(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Start a conversation with a message."""
    message = _message(arguments)
    if isinstance(message, Refusal):
        return message
    chosen = chat_scope(services, arguments)
    if isinstance(chosen, Refusal):
        return chosen
    scope, notices = chosen
    now = services.now()
    session = Session(services.new_id("s"), _title(message), scope, now, now)
    return await converse(services, session, message, "chat", caller, notices=notices)


async def send_message(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Go on with a conversation."""
    message = _message(arguments)
    if isinstance(message, Refusal):
        return message
    view = services.transcripts.session(arguments["id"])
    if view is None:
        return unknown_session(arguments["id"])
    return await converse(services, view.session, message, "chat", caller, known=True)


async def converse(
    services: Services,
    session: Session,
    message: str,
    kind: RunKind,
    caller: Caller,
    *,
    known: bool = False,
    notices: tuple[str, ...] = (),
) -> Result:
    """Answer one message. What can be refused is refused before a model is chosen, and what is
    too large before anything is kept or sent."""
    given = take_snapshot(services, session.scope, paths_in(message))
    prompt_blocks(services, given.snapshot, ())
    remembered = remember_for(services, session.scope, message)
    given = with_memory(given, remembered.text)
    with services.transcripts.claim(session.id):
        past: list[Message] = []
        if known:
            view = services.transcripts.session(session.id)
            if view is None:
                return unknown_session(session.id)
            past = history(view)
        model = services.connect()
        try:
            run, sent = services.new_id("r"), services.new_id("m")
            tools = run_tools(services, session.scope, kind, run, sent)
            prompts = tools.prompts if model.supports_tools else ()
            blocks = prompt_blocks(services, given.snapshot, prompts)
            stored = StoredMessage(sent, session.id, run, "user", message, services.now())
            turn = Turn(run, session, kind, stored, blocks, past, services.new_id("m"))
            loop = TurnLoop(
                turn, model, tools, services.transcripts, services.now, services.context()
            )
            loop.check()
            before = (*notices, *given.notices, *remembered.notices)
            note_page(services, run, remembered)
            # An answer may take minutes, and change what is remembered on its way.
            services.keep_up()
            outcome = await _answered(loop, session, caller, before)
        finally:
            await model.aclose()
    if isinstance(outcome, Refusal):
        return outcome
    note_reply(services, run, remembered, message, outcome.reply)
    return _done(outcome, (*before, *outcome.notices))


async def _answered(
    loop: TurnLoop, session: Session, caller: Caller, before: tuple[str, ...]
) -> Exchange | Refusal:
    """Run the turn. However it ends, what there is to tell of it is told."""
    try:
        return await loop.run(caller.on_text)
    except asyncio.CancelledError:
        return Refusal(
            Reason.CANCELLED,
            f"cancelled; what was said and done is kept in session {session.id}",
            f"memoro chat show {session.id}",
            (*before, *loop.notices),
        )
    except MemoroError as error:
        error.notices = (*before, *loop.notices)
        if not isinstance(error, StoreError):
            error.kept = (
                f"the message is kept in session {session.id}: memoro chat show {session.id}"
            )
        raise


def _done(exchange: Exchange, notices: tuple[str, ...]) -> Done:
    return Done(
        {
            "session": exchange.session,
            "run": exchange.run,
            "reply": exchange.reply,
            "usage": _usage_data(exchange.usage),
        },
        Answer(exchange.reply, exchange.session),
        notices,
    )


def show_chat(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Show a conversation: its messages and its tool log."""
    view = services.transcripts.session(services.transcripts.session_named(arguments["id"]))
    if view is None:
        return unknown_session(arguments["id"])
    return Done(
        {
            **_session_data(view.session),
            "messages": [
                {
                    "id": one.id,
                    "run": one.run,
                    "role": one.role,
                    "speaker": one.speaker,
                    "text": one.text,
                    "at": one.at,
                    "partial": one.partial,
                }
                for one in view.messages
            ],
            "tool_log": [_tool_data(one) for one in view.tools],
            "runs": [
                {
                    "id": one.id,
                    "kind": one.kind,
                    "state": one.state,
                    "model": one.model,
                    "started_at": one.started_at,
                    "ended_at": one.ended_at,
                    "usage": _usage_data(one.usage),
                    "error": one.error,
                    "blocks": dict(one.blocks),
                }
                for one in view.runs
            ],
        },
        Text(_transcript(services, view)),
    )


def _transcript(services: Services, view: SessionView) -> str:
    lines = [f"{view.session.id}  {view.session.title}"]
    project = project_name(view.session.scope)
    if project:
        lines.append(f"project {project}")
    for run in view.runs:
        for one in view.messages:
            if one.run == run.id:
                who = one.speaker or ("you" if one.role == "user" else run.model or "assistant")
                broken = ", broke off" if one.partial else ""
                lines += ["", f"{who}, {services.show_time(one.at)}{broken}:", one.text]
        for tool in view.tools:
            if tool.run == run.id:
                lines += ["", _tool_line(services, tool)]
        if run.error:
            lines += ["", f"[{run.state}: {run.error}]"]
    return "\n".join(lines)


def _tool_line(services: Services, tool: ToolRecord) -> str:
    told = f" ({tool.detail})" if tool.detail else ""
    return (
        f"[tool {tool.tool} {tool.arguments} → {tool.outcome}{told},"
        f" {services.show_time(tool.requested_at)}, run {tool.run}]"
    )


def list_chats(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Show the conversations, the latest first."""
    limit = arguments.get("limit")
    if limit is not None and limit < 1:
        return Refusal(Reason.USAGE, "--limit must be at least 1")
    found = services.transcripts.sessions(limit)
    rows = [
        (
            one.id,
            services.show_time(one.updated_at),
            str(one.messages),
            project_name(one.scope) or "-",
            one.title,
        )
        for one in found
    ]
    return Done(
        [{**_session_data(one), "messages": one.messages} for one in found],
        Table(
            ("id", "last used", "messages", "project", "title"),
            rows,
            'No conversations yet. Start one: memoro chat new "…"',
        ),
    )


def delete_chat(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Take a conversation out of every place for good."""
    session = services.transcripts.session_named(arguments["id"])
    remains = services.transcripts.delete(session, origin(services, caller))
    if isinstance(remains, Refusal):
        return remains
    return Done(
        {"session": session, "remains": list(remains)},
        Text(f"Deleted session {arguments['id']} for good. Facts and notes it made are kept."),
        tuple(f"not cleaned yet: {place}" for place in remains),
    )


def _message(arguments: Mapping[str, Any]) -> str | Refusal:
    message = arguments.get("message") or ""
    try:
        message.encode()
    except UnicodeEncodeError:
        return Refusal(Reason.USAGE, "the message is not valid UTF-8 text; nothing was sent")
    if "\0" in message:
        return Refusal(Reason.USAGE, "the message holds a NUL character; nothing was sent")
    if is_blank(message):
        return Refusal(
            Reason.USAGE, "the message is empty; nothing was sent", 'memoro chat new "…"'
        )
    return message


def _title(message: str) -> str:
    line = next(line.strip() for line in message.splitlines() if not is_blank(line))
    return line if len(line) <= TITLE_CHARACTERS else line[:TITLE_CHARACTERS] + "…"


def _session_data(session: Session) -> dict[str, Any]:
    return {
        "session": session.id,
        "title": session.title,
        "scope": session.scope,
        "created_at": session.created_at,
        "updated_at": session.updated_at,
    }


def _usage_data(usage: Usage) -> dict[str, int]:
    return dict(usage._asdict())


def _tool_data(tool: ToolRecord) -> dict[str, Any]:
    return {
        "run": tool.run,
        "tool": tool.tool,
        "arguments": tool.arguments,
        "outcome": tool.outcome,
        "detail": tool.detail,
        "time": tool.requested_at,
        "finished_at": tool.finished_at,
    }


_MESSAGE = Param(
    "message",
    "what to say; read from standard input where it is left out",
    required=False,
    positional=True,
    piped=True,
)
_ID = Param("id", "the session's ID, or the name that it was archived under")
NO_PROJECT = Param(
    "no_project",
    "leave the project of the current folder out",
    "flag",
    required=False,
    surfaces=HUMANS,
)

NEW = Command(
    "chat",
    "new",
    "start a conversation",
    new_chat,
    "write",
    (_MESSAGE, PROJECT, NO_PROJECT),
)
GROUP = Group(
    "chat",
    "conversations that know what you saved",
    (
        NEW,
        Command(
            "chat",
            "send",
            "go on with a conversation",
            send_message,
            "write",
            (_ID, _MESSAGE),
        ),
        Command("chat", "show", "show messages and tool log", show_chat, "read", (_ID,)),
        Command(
            "chat",
            "list",
            "show the conversations",
            list_chats,
            "read",
            (LIMIT,),
        ),
        Command("chat", "delete", "delete a conversation for good", delete_chat, "write", (_ID,)),
    ),
)

"""`memoro context`: what a model would be given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memoro.bootstrap.mentions import paths_in
from memoro.commands.chat import NO_PROJECT
from memoro.commands.files import FILE, TOOLS, list_files
from memoro.commands.prompting import prompt_blocks, run_tools, take_snapshot, with_memory
from memoro.commands.registry import (
    PROJECT,
    Caller,
    Command,
    Done,
    Group,
    Param,
    Result,
    Text,
)
from memoro.commands.remembering import remember_for
from memoro.commands.scopes import chat_scope
from memoro.commands.services import Services
from memoro.errors import Refusal
from memoro.memory.records import project_name
from memoro.session.context import estimated_tokens, system_prompt, tool_bytes


def show_context(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Show the system prompt that a run would get now, block by block; nothing is sent."""
    chosen = chat_scope(services, arguments)
    if isinstance(chosen, Refusal):
        return chosen
    scope, notices = chosen
    given_message = arguments.get("message") or ""
    in_play = [*(arguments.get("file") or ()), *paths_in(given_message)]
    given = take_snapshot(services, scope, in_play)
    offered = services.offers_tools()
    remembered = remember_for(services, scope, given_message)
    given = with_memory(given, remembered.text)
    tools = run_tools(services, scope, "chat", "", "")
    specs = tools.specs if offered else ()
    blocks = prompt_blocks(services, given.snapshot, tools.prompts if offered else ())
    text = system_prompt(blocks).text
    message = len(given_message.encode())
    total = len(text.encode()) + sum(tool_bytes(one) for one in specs) + message
    limit = services.context().context_bytes
    data = {
        "system": text,
        "blocks": [
            {
                "name": one.name,
                "bytes": one.bytes,
                "tokens": one.tokens,
                "stable": one.stable,
                "text": one.text,
            }
            for one in blocks
        ],
        "tools": [
            {"name": one.name, "bytes": tool_bytes(one), "schema": one.schema} for one in specs
        ],
        "project": project_name(scope),
        "bytes": total,
        "tokens": estimated_tokens(total),
        "limit": limit,
    }
    parts = [f"── {one.name} · {_size(one.bytes)}\n\n{one.text}" for one in blocks]
    parts += [f"── tool {one.name} · {_size(tool_bytes(one))}" for one in specs]
    if message:
        parts.append(f"── message · {_size(message)}")
    parts.append(
        f"── in all · {total:,} of {limit:,} bytes · about {estimated_tokens(total):,} tokens"
    )
    return Done(data, Text("\n\n".join(parts)), (*notices, *given.notices, *remembered.notices))


def _size(size: int) -> str:
    return f"{size:,} bytes · about {estimated_tokens(size):,} tokens"


GROUP = Group(
    "context",
    "what a model would be given",
    (
        Command(
            "context",
            "show",
            "show the exact system prompt; nothing is sent",
            show_context,
            "read",
            (
                Param("message", "the message it would be for", required=False, positional=True),
                FILE,
                PROJECT,
                NO_PROJECT,
            ),
        ),
        Command(
            "context",
            "files",
            "show which instruction files count here, and why",
            list_files,
            "read",
            (
                FILE,
                Param(
                    "explain",
                    "say why this file was loaded or not",
                    required=False,
                    metavar="PATH",
                ),
                Param(
                    "as",
                    "show what another assistant would load here, and where it differs",
                    required=False,
                    choices=TOOLS,
                ),
            ),
        ),
    ),
)

"""Composes what a model is told before the conversation: blocks, the stable ones first. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from memoro.errors import TooLargeError
from memoro.memory.records import Record
from memoro.memory.saved import PROJECT_FACTS_BYTES, facts_text
from memoro.session.model import Message, SystemPrompt, ToolSpec

BYTES_PER_TOKEN = 4
"""The usual rule of thumb for English; enough to see what is large."""


class ContextOptions(NamedTuple):
    """Budgets in UTF-8 bytes: of the saved facts, and of all that is sent in one request."""

    facts_bytes: int = 8 * 1024
    context_bytes: int = 256 * 1024


class Block(NamedTuple):
    """A named part of the system prompt. `stable` ones are the same bytes from turn to turn."""

    name: str
    text: str
    stable: bool = True

    @property
    def bytes(self) -> int:
        """Size in UTF-8."""
        return len(self.text.encode())

    @property
    def tokens(self) -> int:
        """Estimated size in tokens."""
        return estimated_tokens(self.bytes)


class Snapshot(NamedTuple):
    """What a run knows, read once when it starts and kept for all its requests.

    `before` are instruction blocks that stand before the personality, `after` those that stand
    after the profile; ones that are not stable stand at the end. `memory` is what was learned that
    bears on the message. Blank `personality` means the default one. `project` is None outside a
    project.
    """

    personality: str
    profile: str
    facts: tuple[Record, ...]
    project: str | None = None
    project_facts: tuple[Record, ...] = ()
    before: tuple[Block, ...] = ()
    after: tuple[Block, ...] = ()
    memory: str = ""


class Surroundings(NamedTuple):
    """Where and when a run happens. `now` is a text with weekday, date, time and zone."""

    now: str
    folder: str


class Texts(NamedTuple):
    """The fixed texts of the prompt: the rules, the default personality, and what is said of
    tools where they are offered."""

    rules: str
    personality: str
    tools: tuple[str, ...] = ()


def assemble(
    texts: Texts, snapshot: Snapshot, around: Surroundings, options: ContextOptions
) -> list[Block]:
    """Make the blocks of a run's system prompt; empty ones are left out.

    Raises:
        TooLargeError: the saved facts are over their budget; nothing is cut to fit.
    """
    _check_facts(snapshot.facts, options.facts_bytes, "MEMORO_FACTS_BYTES", "")
    _check_facts(
        snapshot.project_facts,
        PROJECT_FACTS_BYTES,
        None,
        f" of project {snapshot.project}",
    )
    blocks = [
        Block("memoro", texts.rules),
        *snapshot.before,
        Block(
            "personality",
            "## Personality\n\nHow you talk, and nothing else: it grants no tool and changes no"
            f" rule.\n\n{snapshot.personality or texts.personality}",
        ),
        _section("profile", "Profile", "Who the user is, in their own words.", snapshot.profile),
        *(block for block in snapshot.after if block.stable),
        _section(
            "facts",
            "Saved facts",
            "What the user asked to have remembered, by key.",
            facts_text(snapshot.facts),
        ),
        _section(
            "project-facts",
            f"Saved facts of project {snapshot.project}",
            "These count in this project only.",
            facts_text(snapshot.project_facts),
        ),
        Block("tools", "\n\n".join(["## Tools", *texts.tools]) if texts.tools else ""),
        *(block for block in snapshot.after if not block.stable),
        Block("memory", snapshot.memory, stable=False),
        Block("now", _now_text(around), stable=False),
    ]
    return [block for block in blocks if block.text]


def system_prompt(blocks: Sequence[Block]) -> SystemPrompt:
    """The blocks as they are sent."""
    return SystemPrompt(
        "\n\n".join(block.text for block in blocks if block.stable),
        "\n\n".join(block.text for block in blocks if not block.stable),
    )


def check_size(
    system: SystemPrompt,
    tools: Sequence[ToolSpec],
    messages: Sequence[Message],
    options: ContextOptions,
) -> int:
    """The bytes of one request: prompt, tool definitions and conversation.

    Raises:
        TooLargeError: it is over the budget; nothing was sent.
    """
    parts = {
        "system prompt": len(system.text.encode()),
        "tools": sum(tool_bytes(tool) for tool in tools),
        "conversation": sum(_message_bytes(message) for message in messages),
    }
    total = sum(parts.values())
    if total > options.context_bytes:
        told = ", ".join(f"{name} {size:,}" for name, size in parts.items())
        raise TooLargeError(
            f"the request would have {total:,} bytes ({told}); MEMORO_CONTEXT_BYTES allows"
            f" {options.context_bytes:,}; nothing was sent",
            'start a new chat (memoro chat new "…"), shorten the message, or raise the limit:'
            " memoro config set context_bytes BYTES",
        )
    return total


def tool_bytes(tool: ToolSpec) -> int:
    """The size of a tool's definition, close to what is sent of it."""
    return len(f"{tool.name}{tool.description}{tool.schema!r}".encode())


def estimated_tokens(size: int) -> int:
    """Bytes as tokens, rounded up."""
    return -(-size // BYTES_PER_TOKEN)


def _message_bytes(message: Message) -> int:
    calls = sum(len(f"{call.name}{call.arguments}".encode()) for call in message.calls)
    return len(message.text.encode()) + calls


def _check_facts(facts: Sequence[Record], budget: int, setting: str | None, of: str) -> None:
    size = len(facts_text(facts).encode())
    if size <= budget:
        return
    fix = "forget or shorten some: memoro memory list"
    if setting is not None:
        fix += f", or raise the limit: {setting}={size}"
    raise TooLargeError(
        f"the saved facts{of} take {size:,} bytes; the budget is {budget:,}; nothing was sent", fix
    )


def _section(name: str, heading: str, lead: str, text: str) -> Block:
    return Block(name, f"## {heading}\n\n{lead}\n\n{text}" if text else "")


def _now_text(around: Surroundings) -> str:
    return (
        f"## Now and here\n\nIt is {around.now}. The working folder is {around.folder}\n"
        'The words "here" and "this project", and relative paths, mean the working folder, never a'
        " path found in memory."
    )

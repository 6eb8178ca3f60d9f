"""What a run is given: the snapshot, the tools, and the system prompt made of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from memoro.bootstrap.files import printable
from memoro.commands import note
from memoro.commands.learned import declared
from memoro.commands.registry import Caller
from memoro.commands.services import Services
from memoro.commands.toolbox import RunTools, access_of
from memoro.memory.records import GLOBAL, SAVED_FACT, project_name
from memoro.prompts import prompt
from memoro.session.context import Block, Snapshot, Surroundings, Texts, assemble
from memoro.session.transcript import RunKind

if TYPE_CHECKING:
    from memoro.bootstrap.instructions import InstructionBlock
    from memoro.bootstrap.personal import PersonalFiles

TOOL_GROUPS = (declared.GROUP, note.GROUP)


class Given(NamedTuple):
    """What a run knows, and what to tell the person about it."""

    snapshot: Snapshot
    notices: tuple[str, ...]


def take_snapshot(services: Services, scope: str, in_play: Sequence[str] = ()) -> Given:
    """Read instruction files, personality, profile and facts, once, for a whole run.

    `in_play` are the paths that the turn speaks of: they switch rules on.

    Raises:
        FileRefusedError, TooLargeError: a personal file is not as it has to be.
    """
    personal = services.personal()
    found = services.instructions(in_play, own_files(personal))
    blocks = {block.name: block for block in found.blocks}
    soul, user = blocks.pop("SOUL.md", None), blocks.pop("USER.md", None)
    first = blocks.pop("AGENTS.md", None)
    # One statement, so that both scopes are of the same moment.
    facts = services.store.select(SAVED_FACT.name)
    return Given(
        Snapshot(
            personal.personality if soul is None else soul.text,
            personal.profile if user is None else user.text,
            tuple(fact for fact in facts if fact.scope == GLOBAL),
            project_name(scope),
            tuple(fact for fact in facts if fact.scope == scope != GLOBAL),
            () if first is None else (_block(first),),
            tuple(_block(block) for block in blocks.values()),
        ),
        (*personal.warnings, *found.warnings),
    )


def with_memory(given: Given, text: str) -> Given:
    """What a run knows, with the page of memory for its message."""
    return given._replace(snapshot=given.snapshot._replace(memory=text))


def own_files(personal: PersonalFiles) -> dict[str, str | None]:
    """HOME's personal files by the names of their blocks."""
    return {"SOUL.md": personal.paths.personality, "USER.md": personal.paths.profile}


def _block(found: InstructionBlock) -> Block:
    return Block(found.name, found.rendered.rstrip("\n"), found.stable)


def run_tools(services: Services, scope: str, kind: RunKind, run: str, message: str) -> RunTools:
    """The tools of a run; its scope, run and message are set here and nowhere else."""
    caller = Caller("tool", "model", scope, run, message)
    return RunTools(TOOL_GROUPS, services, caller, access_of(kind))


def prompt_blocks(
    services: Services, snapshot: Snapshot, tool_prompts: Sequence[str]
) -> list[Block]:
    """The blocks of the system prompt that a run gets now.

    Raises:
        TooLargeError: the saved facts are over their budget.
    """
    texts = Texts(
        prompt("rules"), prompt("personality"), tuple(prompt(name) for name in tool_prompts)
    )
    around = Surroundings(services.now_text(), printable(services.places().folder))
    return assemble(texts, snapshot, around, services.context())

"""What a run is given: the snapshot, the tools, and the system prompt made of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from memoro.commands import memory, note
from memoro.commands.registry import Caller
from memoro.commands.services import Services
from memoro.commands.toolbox import RunTools, access_of
from memoro.memory.records import GLOBAL, SAVED_FACT, project_name
from memoro.prompts import prompt
from memoro.session.context import Block, Snapshot, Surroundings, Texts, assemble
from memoro.session.transcript import RunKind

TOOL_GROUPS = (memory.GROUP, note.GROUP)


class Given(NamedTuple):
    """What a run knows, and what to tell the person about it."""

    snapshot: Snapshot
    notices: tuple[str, ...]


def take_snapshot(services: Services, scope: str) -> Given:
    """Read personality, profile and facts, once, for a whole run.

    Raises:
        FileRefusedError, TooLargeError: a personal file is not as it has to be.
    """
    personal = services.personal()
    # One statement, so that both scopes are of the same moment.
    facts = services.store.select(SAVED_FACT.name)
    return Given(
        Snapshot(
            personal.personality,
            personal.profile,
            tuple(fact for fact in facts if fact.scope == GLOBAL),
            project_name(scope),
            tuple(fact for fact in facts if fact.scope == scope != GLOBAL),
        ),
        personal.warnings,
    )


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
    around = Surroundings(services.now_text(), services.places().folder)
    return assemble(texts, snapshot, around, services.context())

"""Whose memory recall looks through."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from memoro.commands.learned.ground import visible_scopes
from memoro.commands.registry import Caller
from memoro.commands.scopes import chat_scope
from memoro.errors import Refusal
from memoro.memory.records import project_scope

if TYPE_CHECKING:
    from memoro.commands.services import Services


def searched_scopes(
    services: Services, arguments: Mapping[str, Any], caller: Caller
) -> list[str] | Refusal | None:
    """The scopes that are looked through; None for all. Conversations are of a project by its name,
    what is learned may be of the folder that it lies in."""
    scopes = visible_scopes(services, arguments, caller)
    if scopes is None or isinstance(scopes, Refusal):
        return scopes
    name = arguments.get("project")
    if name is not None:
        own = project_scope(name)
    elif caller.surface == "tool":
        own = caller.scope
    else:
        chosen = chat_scope(services, {})
        own = scopes[0] if isinstance(chosen, Refusal) else chosen[0]
    return list(dict.fromkeys([*scopes, own]))

"""IDs as people type them: whole, or their beginning where that says which one. Texts as they are
shown in a line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memoro.errors import Reason, Refusal
from memoro.memory.records import shown

if TYPE_CHECKING:
    from memoro.commands.services import Services

LEAST = 5
"""How much of an ID is needed. Forgetting takes none but a whole one."""


def whole_id(services: Services, typed: str) -> str | Refusal:
    """The ID that is meant; what no ID begins with is given back as it is."""
    if len(typed) < LEAST or services.store.get(typed) is not None:
        return typed
    found = services.store.beginning(typed, 3)
    if len(found) > 1:
        return Refusal(
            Reason.CONFLICT,
            f"several IDs begin with {shown(typed)}: {', '.join(found)}",
            "give more of the one that you mean",
        )
    return found[0] if found else typed


def shown_text(text: str, most: int = 160) -> str:
    """A text in one line, shortened visibly."""
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1] + "…"

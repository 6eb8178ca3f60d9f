"""What the lines of an export are called."""

from __future__ import annotations

from collections.abc import Mapping

_NAMES: Mapping[str, tuple[str, str]] = {
    "record": ("record", "records"),
    "change": ("change", "changes"),
    "session": ("conversation", "conversations"),
    "run": ("run", "runs"),
    "message": ("message", "messages"),
    "tool_call": ("tool call", "tool calls"),
    "use": ("use", "uses"),
    "embedding_cost": ("embedding cost", "embedding costs"),
}
"""For people. The records of a change are a part of it, and not counted apart."""


def counted(counts: Mapping[str, int]) -> str:
    """How many lines there are of each type, in words."""
    told = [
        f"{counts[kind]:,} {one if counts[kind] == 1 else many}"
        for kind, (one, many) in _NAMES.items()
        if counts.get(kind)
    ]
    return ", ".join(told) or "nothing"

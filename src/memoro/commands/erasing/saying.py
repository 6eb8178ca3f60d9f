"""What is said after something was forgotten for good."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from memoro.commands.registry import Done, Text

if TYPE_CHECKING:
    from memoro.memory.store import Applied

STORE = ("memory.db", "memory.db-wal", "memory.db-shm")
"""The files of the store."""

KEPT = "Earlier messages, tool records and notes are not redacted."


def forgotten(applied: Applied, what: str, data: Mapping[str, Any], kept: str = KEPT) -> Done:
    """That it was, and what was kept."""
    return Done(
        {**data, "change": applied.change, "remains": list(applied.remains)},
        Text(f"Forgot {what} for good. {kept}".rstrip()),
        tuple(f"not cleaned yet: {place}{fix_of(place)}" for place in applied.remains),
    )


def fix_of(path: str) -> str:
    """What to do about a file that may still have what was forgotten."""
    folder, name = os.path.split(path)
    if name in (*STORE, "backups", "memory") or os.path.basename(folder) == "backups":
        return "; the next command tries again"
    if os.path.basename(folder) == "memory" and name.endswith((".json", ".md")):
        return "; to write it anew: memoro memory mirror --all"
    return f"; nothing cleans it; if you need it no more: rm {shlex.quote(path)}"

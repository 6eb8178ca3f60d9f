"""Memoro: a terminal assistant that remembers, and whose memory you can read, correct and trust.

The library's face. Names are loaded when they are used, so that importing the package is cheap.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from memoro.commands.recall.wanted import Hit as Hit
    from memoro.commands.recall.wanted import SessionHit as SessionHit
    from memoro.errors import MemoroError as MemoroError
    from memoro.errors import Reason as Reason
    from memoro.errors import Refusal as Refusal
    from memoro.errors import RefusedError as RefusedError
    from memoro.memory.records import Record as Record
    from memoro.memory.records import Trust as Trust
    from memoro.memory.store import LoggedChange as LoggedChange
    from memoro.session.transcript import Archived as Archived
    from memoro.session.transcript import Turn as Turn
    from memoro.surfaces.library import Memory as Memory

__all__ = [
    "Archived",
    "Hit",
    "LoggedChange",
    "MemoroError",
    "Memory",
    "Reason",
    "Record",
    "Refusal",
    "RefusedError",
    "SessionHit",
    "Trust",
    "Turn",
    "__version__",
]

_HOMES = {
    "Archived": "memoro.session.transcript",
    "Hit": "memoro.commands.recall.wanted",
    "SessionHit": "memoro.commands.recall.wanted",
    "Turn": "memoro.session.transcript",
    "Memory": "memoro.surfaces.library",
    "MemoroError": "memoro.errors",
    "Reason": "memoro.errors",
    "Refusal": "memoro.errors",
    "RefusedError": "memoro.errors",
    "Record": "memoro.memory.records",
    "Trust": "memoro.memory.records",
    "LoggedChange": "memoro.memory.store",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'memoro' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)

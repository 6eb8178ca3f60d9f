"""All commands, found by the word they are typed with; only what is asked for is imported."""

from __future__ import annotations

from importlib import import_module

from memoro.commands.registry import Group

_MODULES = {
    "memory": "memoro.commands.learned.declared",
    "note": "memoro.commands.note",
    "project": "memoro.commands.project",
    "recall": "memoro.commands.recalled",
    "import": "memoro.commands.interchange.import_declared",
    "export": "memoro.commands.interchange.export_declared",
    "chat": "memoro.commands.chat",
    "session": "memoro.commands.session",
    "context": "memoro.commands.context",
    "init": "memoro.commands.init",
    "config": "memoro.commands.config",
    "doctor": "memoro.commands.doctor",
}

NAMES = tuple(_MODULES)


def group(name: str, verb: str = "") -> Group | None:
    """The commands under one word; with a `verb`, perhaps only those it is one of."""
    if name == "memory":
        # Saved facts answer without what is learned being loaded.
        from memoro.commands.memory import SAVED

        if any(command.name == verb for command in SAVED.commands):
            return SAVED
    module = _MODULES.get(name)
    return import_module(module).GROUP if module else None


def groups() -> list[Group]:
    """All of them."""
    return [import_module(module).GROUP for module in _MODULES.values()]

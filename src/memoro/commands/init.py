"""`memoro init`: instruction files for a workspace that has none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from memoro.commands.registry import Caller, Command, Done, Group, Result, Text

if TYPE_CHECKING:
    from memoro.commands.services import Services


def start(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Make what is missing in the workspace's root, and touch nothing that is there."""
    from memoro.bootstrap.starter import start_workspace
    from memoro.bootstrap.workspace import find_root

    places = services.places()
    started = start_workspace(find_root(places.folder, places.home), places.home)
    lines = [f"Made {path}" for path in started.made]
    lines += [f"Left {path} as it is." for path in started.kept]
    if started.made:
        lines.append("See what counts here: memoro context files")
    return Done({"made": started.made, "kept": started.kept}, Text("\n".join(lines)))


GROUP = Group(
    "init",
    "make a starter AGENTS.md and a folder of rules, over nothing",
    (
        Command(
            "init",
            "",
            "make a starter AGENTS.md and a folder of rules, over nothing",
            start,
            "write",
        ),
    ),
)

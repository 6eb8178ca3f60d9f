"""Which folder, and which project, a process is in.

The functions that have the names of fields of `memoro.commands.services.Services` are these.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memoro.app import App
    from memoro.bootstrap.loaders.results import Homes
    from memoro.bootstrap.workspace import Match
    from memoro.commands.ports import Places


def places(app: App) -> Places:
    """Our home, and the folder that we are in."""
    from memoro.commands.ports import Places

    return Places(app.settings.home, app.folder())


def tool_homes(app: App) -> Homes:
    """Where other tools keep their files."""
    from memoro.bootstrap.loaders.results import homes_of

    settings = app.settings
    homes = homes_of(settings.user_home, *settings.tool_homes())
    return homes._replace(memoro=settings.home)


def identify(app: App, folder: str) -> Mapping[str, Any]:
    """What a folder is known by, also when it is moved."""
    from memoro.bootstrap.workspace import identify as identified

    identity = identified(folder, app.settings.environ)
    return {**identity._asdict(), "roots": list(identity.roots)}


def match_project(app: App, known: Sequence[tuple[str, Mapping[str, Any]]]) -> Match:
    """Which of these identities the folder has that we are in."""
    return match(app, known, app.folder())


def match(app: App, known: Sequence[tuple[str, Mapping[str, Any]]], folder: str) -> Match:
    """Which of these identities a folder has."""
    from memoro.bootstrap.workspace import Identity, matches

    registered = [
        (
            name,
            Identity(
                data["path"],
                data.get("common_dir"),
                data.get("subpath", ""),
                tuple(data.get("roots", ())),
            ),
        )
        for name, data in known
    ]
    return matches(folder, registered, app.settings.environ)

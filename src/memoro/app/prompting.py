"""What a prompt is made of besides memory: its budgets, the time in words, and the files that a
person or a repository writes for a model.

Each function is one field of `memoro.commands.services.Services`, by its name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memoro.app import App
    from memoro.bootstrap.instructions import BootstrapOptions, Instructions
    from memoro.bootstrap.personal import PersonalFiles
    from memoro.session.context import ContextOptions


def context(app: App) -> ContextOptions:
    """How much of memory a prompt may hold."""
    from memoro.session.context import ContextOptions

    return ContextOptions(app.settings.number("facts_bytes"), app.settings.number("context_bytes"))


def now_text(app: App) -> str:
    """The time in words, in the user's zone."""
    local = app.now().astimezone()
    return f"{local:%A, %d %B %Y, %H:%M:%S} {local:%Z} (UTC{local:%z})"


def personal(app: App) -> PersonalFiles:
    """What the user wrote of the assistant and of themselves."""
    from memoro.bootstrap.personal import read_personal

    settings = app.settings
    return read_personal(
        settings.home, settings.number("soul_bytes"), settings.number("profile_bytes")
    )


def instructions(app: App, in_play: Sequence[str], own: Mapping[str, str | None]) -> Instructions:
    """The instruction files of the folder that we are in; `in_play` are the paths in play."""
    from memoro.bootstrap.instructions import load_instructions

    return load_instructions(app.folder(), bootstrap(app), in_play, app.files_read(), own)


def bootstrap(app: App) -> BootstrapOptions:
    """How instruction files are loaded."""
    from memoro.bootstrap.instructions import BootstrapOptions

    settings = app.settings
    return BootstrapOptions(
        home=settings.home,
        global_dir=settings.folder("bootstrap.dir") or settings.home,
        user_home=settings.user_home,
        enabled=settings.text("bootstrap.enabled") == "on",
        threat_scan=settings.text("bootstrap.threatscan") == "on",
        fallback_names=tuple(settings.items("bootstrap.fallback_names")),
    )

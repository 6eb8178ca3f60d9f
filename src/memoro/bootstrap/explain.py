"""Why one file is, or isn't, part of what the assistant is told."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from memoro.bootstrap.agents import OVERRIDE, SHARED_NAMES, companion
from memoro.bootstrap.instructions import (
    NAMED,
    PERSONAL,
    BootstrapOptions,
    FileCache,
    Instructions,
    load_instructions,
    named_places,
    places_of,
)
from memoro.bootstrap.loaded import LoadedFile, Places
from memoro.bootstrap.reading.source import has_exact_name, is_below, named
from memoro.bootstrap.rules.active import is_rule_name, rule_folders

if TYPE_CHECKING:
    from collections.abc import Sequence

_UNNAMED = "it has none of the names that are looked for, and no loaded file imports it"
_ROLES = {
    "shared": "the instruction file of its folder",
    "override": "the override of its folder's instruction file",
    "companion": "the companion of its folder's instruction file",
    "named": "the first one of its name",
}


class Explanation(NamedTuple):
    """Whether a file's text is in the prompt, and in one line why or why not."""

    path: str
    loaded: bool
    why: str


def explain(
    path: str,
    cwd: str,
    options: BootstrapOptions,
    in_play: Sequence[str] = (),
    cache: FileCache | None = None,
) -> Explanation:
    """Say why a file is loaded or not; the other arguments are those of `load_instructions`.

    Args:
        path: the file, absolute, from the home folder (`~/`), or relative to `cwd`.
        cwd: the current folder.
        options: how instruction files are loaded.
        in_play: the paths that the turn speaks of or touches.
        cache: what earlier loads have read.
    """
    if options.user_home and path.startswith("~/"):
        path = os.path.join(options.user_home, path[2:])
    path = os.path.normpath(os.path.join(os.path.realpath(cwd), path))
    if not options.enabled:
        return Explanation(path, False, "instruction files are switched off (MEMORO_BOOTSTRAP=off)")
    found = load_instructions(cwd, options, in_play, cache)
    spellings = _spellings(path)
    here = [file for file in found.files if file.path in spellings]
    if here:
        # A file can be there twice: cut where it is from, and imported by a nearer one.
        most = max(here, key=lambda file: file.used_bytes)
        return Explanation(path, most.used_bytes > 0, _why_loaded(most))
    for skipped in found.skipped:
        if skipped.path in spellings:
            return Explanation(path, False, skipped.why)
    why = _why_not(spellings[-1], found, options, places_of(cwd, found.root, options))
    return Explanation(path, False, why)


def _spellings(path: str) -> tuple[str, str]:
    """The path as it is given, and with the links of its folder followed."""
    folder, name = os.path.split(path)
    try:
        return path, os.path.join(os.path.realpath(folder), name)
    except (OSError, ValueError):
        return path, path


def _why_loaded(file: LoadedFile) -> str:
    if file.kind == "import":
        why = f"imported by {named(file.importer or '')}"
    elif file.kind == "rule" and file.patterns:
        why = f"a path in play matches {', '.join(file.patterns)}"
    elif file.kind == "rule":
        why = "a rule without paths, which is always active"
    else:
        why = _ROLES[file.kind]
    if not file.used_bytes:
        return f"{why}, but all of it was cut: nearer files fill the block"
    return why + (f"; {file.cut_bytes:,} bytes of it were cut" if file.cut_bytes else "")


def _why_not(path: str, found: Instructions, options: BootstrapOptions, places: Places) -> str:
    if not os.path.lexists(path):
        return "there is no such file"
    if os.path.isdir(path):
        return "a folder"
    folder, name = os.path.split(path)
    if name in PERSONAL and folder == os.path.realpath(options.home):
        return _why_personal(name, found)
    if not any(is_below(folder, root) for root in places.readable):
        return "it lies outside the workspace and the global folder"
    if name in NAMED and folder not in named_places(name, options.home, places):
        return "only the one in the root, or the global one, counts"
    names = (OVERRIDE, *SHARED_NAMES, *options.fallback_names)
    if name in (*names, *(companion(each) for each in names)) and has_exact_name(path):
        return _why_not_agents(folder, name, places)
    return _why_not_rule(folder, name, places) or _UNNAMED


def _why_personal(name: str, found: Instructions) -> str:
    if found.block(name) is None:
        return "a personal file, which is read by itself"
    return "a personal file; the workspace or the moved global folder has one that stands for it"


def _why_not_agents(folder: str, name: str, places: Places) -> str:
    on_the_way = is_below(places.cwd, folder) and is_below(folder, places.root)
    if not on_the_way and folder != places.shared:
        return "its folder is not on the way from the root to the current folder"
    if name.endswith(".local.md"):
        return "the file that it accompanies is not the one that counts in its folder"
    return _UNNAMED


def _why_not_rule(folder: str, name: str, places: Places) -> str | None:
    folders = rule_folders(places)
    if folder in folders:
        return None if is_rule_name(name) else "rules are files *.md that don't start with a dot"
    if any(is_below(folder, each) for each in folders):
        return "rules are not read from subfolders"
    if os.path.basename(folder) == "rules" and is_rule_name(name):
        return "rules are read from .claude/rules, .memoro/rules and the global rules folder only"
    return None

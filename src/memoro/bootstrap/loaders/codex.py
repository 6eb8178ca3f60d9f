"""Codex: one AGENTS.md a folder, from the project's root down, until 32 KiB are full."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from memoro.bootstrap.loaders.ground import (
    Found,
    Ground,
    Refused,
    folders_between,
    look,
    nearest_root,
)
from memoro.bootstrap.loaders.listing import Listing
from memoro.bootstrap.reading.source import named

if TYPE_CHECKING:
    from memoro.bootstrap.loaders.results import Loaded

NAMES = ("AGENTS.override.md", "AGENTS.md")
# A longer file that starts with this many blank bytes is taken for one with text.
_BLANK_BYTES = 1024 * 1024


def load(ground: Ground) -> Loaded:
    """List what Codex loads."""
    listing = Listing("codex", ground)
    _add_global(listing)
    limit = ground.config.codex_max_bytes
    found = _project_files(listing) if limit > 0 else []
    room = limit
    for file in found:
        if not _has_text(file, listing):
            continue
        kept = min(file.size, room)
        room -= kept
        note = "" if kept == file.size else "cut" if kept else "no room left"
        listing.add(file, "always", note, kept)
    return listing.result(limit, f"{limit:,} bytes in all, from the root down")


def _add_global(listing: Listing) -> None:
    home = listing.ground.homes.codex
    for name in NAMES if home else ():
        found = listing.find(os.path.join(home or "", name), "person")
        if found is not None and _has_text(found, listing):
            listing.add(found, "always", "personal")
            return


def _project_files(listing: Listing) -> list[Found]:
    """The first usable name of each folder; nothing at all where one can't be looked at."""
    ground = listing.ground
    root = nearest_root(ground.cwd, ground.config.codex_root_markers)
    files: list[Found] = []
    for folder in folders_between(root or ground.cwd, ground.cwd):
        for name in _names(listing):
            found = look(os.path.join(folder, name), ground)
            if isinstance(found, Found):
                files.append(found)
                break
            if isinstance(found, Refused):
                if found.failed:
                    listing.warn(f"{named(found.path)} {found.why}; Codex loads no project file")
                    return []
                listing.warn(f"{named(found.path)} {found.why}; left out")
    return files


def _names(listing: Listing) -> tuple[str, ...]:
    fallbacks: list[str] = []
    for name in listing.ground.config.codex_fallback_names:
        if name in (".", "..") or "/" in name or "\0" in name:
            listing.warn(f"project_doc_fallback_filenames: {name!r} is not a file name; left out")
        elif name:
            fallbacks.append(name)
    return tuple(dict.fromkeys((*NAMES, *fallbacks)))


def _has_text(found: Found, listing: Listing) -> bool:
    if not found.size:
        return False
    if not found.opens or found.size > _BLANK_BYTES:
        return True
    return bool(listing.text(found, _BLANK_BYTES).strip())

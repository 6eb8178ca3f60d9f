"""Cursor: AGENTS.md of the root and of the folders below, and the project's `.mdc` rules."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from memoro.bootstrap.loaders.ground import Ground, folder_of, folders_between, nearest_root
from memoro.bootstrap.loaders.headers import read_mdc_header
from memoro.bootstrap.loaders.listing import Listing
from memoro.bootstrap.reading.source import is_below, named
from memoro.bootstrap.rules.globs import matches, parse

if TYPE_CHECKING:
    from memoro.bootstrap.loaders.results import How, Loaded

_HEADER_BYTES = 65_536


def load(ground: Ground) -> Loaded:
    """List what Cursor loads, taking the nearest git root for the folder that is opened."""
    listing = Listing("cursor", ground)
    root = nearest_root(ground.cwd, (".git",)) or ground.cwd
    _add(listing, os.path.join(root, "AGENTS.md"), "always")
    _add(
        listing, os.path.join(root, "CLAUDE.md"), "always", "read like AGENTS.md, at the root only"
    )
    _add(listing, os.path.join(root, ".cursorrules"), "always", "legacy")
    worked_in = [ground.cwd, *(folder_of(path) for path in ground.in_play)]
    for folder in worked_in:
        for nested in folders_between(root, folder):
            note = f"for work in {listing.name(nested)}"
            _add(listing, os.path.join(nested, "AGENTS.md"), "matched", note)
    _add_rules(listing, root)
    return listing.result()


def _add(listing: Listing, path: str, how: How, note: str = "") -> None:
    found = listing.find(path)
    if found is not None and found.real not in listing.seen:
        listing.add(found, how, note)


def _add_rules(listing: Listing, root: str) -> None:
    for path in listing.files_in(os.path.join(root, ".cursor", "rules"), "", deep=True):
        if not path.endswith(".mdc"):
            if path.endswith(".md"):
                listing.warn(f"{named(path)} is no rule for Cursor, only .mdc files are")
            continue
        found = listing.find(path)
        if found is None:
            continue
        how, note = _activation(listing.text(found, _HEADER_BYTES), listing.ground, root)
        listing.add(found, how, note)


def _activation(text: str, ground: Ground, root: str) -> tuple[How, str]:
    header = read_mdc_header(text)
    if header.always:
        return "always", "rule that always applies"
    if header.globs:
        globs = parse(header.globs)
        paths = [os.path.relpath(path, root) for path in ground.in_play if is_below(path, root)]
        meant = bool(globs) and any(matches(globs, path) for path in paths)
        return "matched" if meant else "on demand", f"rule for {', '.join(header.globs)}"
    if header.description:
        return "on demand", "rule that the model asks for by its description"
    return "on demand", "rule that applies only where it is mentioned"

"""ChatCLI: the hierarchy of AGENTS.md in one text cut at 32 KiB, four more files, and rules."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from memoro.bootstrap.loaders.ground import Found, Ground, folders_between, nearest_root
from memoro.bootstrap.loaders.headers import read_paths_header
from memoro.bootstrap.loaders.listing import Listing
from memoro.bootstrap.loaders.mentions import chatcli_mentions
from memoro.bootstrap.reading.source import is_below, named

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memoro.bootstrap.loaders.ground import Trust
    from memoro.bootstrap.loaders.results import How, Loaded

OVERRIDE = "AGENTS.override.md"
NAMES = (OVERRIDE, "AGENTS.md", "CHATCLI.md", "CLAUDE.md")
FURTHER_NAMES = ("SOUL.md", "USER.md", "IDENTITY.md", "RULES.md")
MOST_HOPS = 4
CAP_BYTES = 32_768
# More than this of a file can't be of use before the cap.
_USED_BYTES = 1024 * 1024


class _Piece(NamedTuple):
    """A stretch of the assembled text, and the entry that it comes from; None is a joint.

    `unread_bytes` is what would follow it; it is only left out where it can't be of use.
    """

    entry: int | None
    raw: bytes
    unread_bytes: int = 0


def load(ground: Ground) -> Loaded:
    """List what ChatCLI loads, in every turn that speaks of the paths in play."""
    listing = Listing("chatcli", ground)
    root = nearest_root(ground.cwd, (".agent", ".git"), folders_only=True) or ground.cwd
    importer = _Importer(listing, root)
    parts: list[list[_Piece]] = []
    if ground.homes.chatcli:
        parts += importer.folder(ground.homes.chatcli, "personal")
    for folder in folders_between(root, ground.cwd):
        parts += importer.folder(folder, "")
    _apply_cap(listing, parts)
    for name in FURTHER_NAMES:
        importer.further(name)
    _add_rules(listing, root)
    return listing.result(CAP_BYTES, f"{CAP_BYTES:,} bytes, the end of the text is cut")


class _Importer:
    """Assembles files with what they import in the place of the line that imports it."""

    def __init__(self, listing: Listing, root: str) -> None:
        self._listing = listing
        self._root = root
        home = listing.ground.homes.chatcli
        self._home = home
        self._allowed = [root] if home is None else [root, os.path.realpath(home)]

    def folder(self, folder: str, note: str) -> list[list[_Piece]]:
        """The text of the first of a folder's names with its companion; none where it is blank."""
        trust: Trust = "person" if folder == self._home else "place"
        for name in NAMES:
            found = self._listing.find(os.path.join(folder, name), trust)
            if found is not None:
                break
        else:
            return []
        if not self._has_text(found):
            return []
        pieces: list[_Piece] = []
        visited = {found.path}
        self._add(found, "always", note, 1, visited, pieces)
        stem = "AGENTS" if name == OVERRIDE else os.path.splitext(name)[0]
        local = self._listing.find(os.path.join(folder, f"{stem}.local.md"), trust)
        if local is not None and self._has_text(local):
            head = f"\n\n<!-- {stem}.local.md -->\n"
            pieces.append(_Piece(None, head.encode()))
            self._add(local, "always", f"goes with {name}", 1, visited, pieces)
        if folder != self._root:
            rest = os.path.relpath(found.path, self._root)
            head = f"<!-- {f'global {name}' if folder == self._home else rest} -->\n"
            pieces.insert(0, _Piece(None, os.fsencode(head)))
        return [pieces]

    def further(self, name: str) -> None:
        """One of the files that are not a hierarchy: the workspace's, else the personal one."""
        found = self._listing.find(os.path.join(self._root, name))
        note = ""
        if found is None and self._home is not None:
            found = self._listing.find(os.path.join(self._home, name), "person")
            note = "personal"
        if found is not None and self._has_text(found):
            self._add(found, "always", note, 1, {found.path}, [])

    def _has_text(self, found: Found) -> bool:
        return not found.opens or bool(self._listing.text(found, _USED_BYTES).strip())

    def _add(
        self, found: Found, how: How, note: str, hop: int, visited: set[str], pieces: list[_Piece]
    ) -> None:
        kept = min(found.size, CAP_BYTES) if how == "import" else found.size
        index = self._listing.add(found, how, note, kept)
        if index is None:
            return
        used = min(kept, _USED_BYTES)
        text = self._listing.text(found, used) if found.opens else " " * used
        at = 0
        for mention in chatcli_mentions(text) if hop <= MOST_HOPS else ():
            where = f"{named(found.path)}:{mention.line}"
            target = self._target(found, mention.target, where, visited)
            if target is None:
                continue
            pieces.append(_Piece(index, text[at : mention.start].encode()))
            at = mention.end
            visited.add(target.path)
            head = f"<!-- import {os.path.basename(target.path)} -->\n"
            pieces.append(_Piece(None, head.encode()))
            origin = f"from {self._listing.name(found.path)}"
            self._add(target, "import", origin, hop + 1, visited, pieces)
        pieces.append(_Piece(index, text[at:].encode(), kept - used))

    def _target(self, found: Found, target: str, where: str, visited: set[str]) -> Found | None:
        if "\0" in target:
            return None
        user = self._listing.ground.homes.user
        if target.startswith("~/") and user:
            target = os.path.join(user, target[2:])
        path = os.path.normpath(os.path.join(os.path.dirname(found.path), target))
        if path in visited:
            return None
        if not any(is_below(os.path.realpath(path), folder) for folder in self._allowed):
            self._listing.warn(f"{where}: {named(path)} lies outside; not imported")
            return None
        imported = self._listing.find(path, "import")
        if imported is None:
            self._listing.warn(f"{where}: no file to import at {named(path)}")
        return imported


def _apply_cap(listing: Listing, parts: list[list[_Piece]]) -> None:
    """Cut the assembled text at its end, behind a line where one ends in its second half."""
    pieces: list[_Piece] = []
    for part in parts:
        if pieces:
            pieces.append(_Piece(None, b"\n\n"))
        pieces += part
    whole = b"".join(piece.raw for piece in pieces)
    if len(whole) <= CAP_BYTES:
        return
    end = CAP_BYTES
    while end > 0 and whole[end] & 0xC0 == 0x80:
        end -= 1
    line = whole.rfind(b"\n", 0, end)
    room = line if line > CAP_BYTES // 2 else end
    for piece in pieces:
        stays = min(len(piece.raw), room)
        room -= stays
        if piece.entry is not None:
            listing.lose(piece.entry, len(piece.raw) - stays + piece.unread_bytes)


def _add_rules(listing: Listing, root: str) -> None:
    rules: dict[str, Found] = {}
    for folder, own in _rule_folders(listing, root):
        for path in listing.files_in(folder, ".md", deep=False, own=own):
            found = listing.find(path, "person" if own else "place")
            if found is not None:
                rules[os.path.basename(path)] = found
    # Its rules get to see the words of a turn, and those are lower case by then.
    paths = [
        os.path.relpath(path, root).lower()
        for path in listing.ground.in_play
        if is_below(path, root)
    ]
    for name in sorted(rules):
        header = read_paths_header(listing.text(rules[name], _USED_BYTES))
        if not header.body.strip() and rules[name].opens:
            continue
        how: How = "always"
        note = "rule, in no fixed order"
        if header.patterns:
            meant = any(_matches(each, path) for each in header.patterns for path in paths)
            how = "matched" if meant else "on demand"
            note = f"rule for {', '.join(header.patterns)}"
        listing.add(rules[name], how, note)


def _rule_folders(listing: Listing, root: str) -> Iterator[tuple[str, bool]]:
    """The folders of rules, and whether they are the person's; a later one's names win."""
    if listing.ground.homes.chatcli:
        yield os.path.join(listing.ground.homes.chatcli, "rules"), True
    yield os.path.join(root, ".claude", "rules"), False
    yield os.path.join(root, ".chatcli", "rules"), False
    if not os.path.exists(os.path.join(root, ".chatcli")):
        yield os.path.join(root, "rules"), False


def _matches(pattern: str, path: str) -> bool:
    """`*` and `?` in one name; one `**`, tried as a start and, behind it, against every tail."""
    names = path.split("/")
    if _matches_names(pattern, names) or (
        "/" not in pattern and _matches_names(pattern, names[-1:])
    ):
        return True
    start, stars, end = pattern.partition("**")
    if not stars or not path.startswith(start):
        return False
    end = end.removeprefix("/")
    rest = path.removeprefix(start).split("/")
    tails = [rest[index:] for index in range(len(rest))] if end.count("/") < len(rest) else []
    return not end or any(_matches_names(end, tail) for tail in (*tails, rest[-1:]))


def _matches_names(pattern: str, names: list[str]) -> bool:
    from fnmatch import fnmatchcase

    steps = pattern.replace("[^", "[!").split("/")
    return len(steps) == len(names) and all(
        fnmatchcase(name, step) for name, step in zip(names, steps, strict=True)
    )

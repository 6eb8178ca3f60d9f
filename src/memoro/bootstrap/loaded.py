"""What a load has found: each file that is part of the prompt, and each that isn't, with why."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Literal, NamedTuple

from memoro.bootstrap.cutting import Part, size
from memoro.bootstrap.files import printable
from memoro.bootstrap.reading.scan import Hit, mask, scan
from memoro.bootstrap.reading.source import Source, is_below

if TYPE_CHECKING:
    from collections.abc import Sequence

Kind = Literal["shared", "override", "companion", "named", "rule", "import"]


class LoadedFile(NamedTuple):
    """A file whose text is in the prompt, or would be if a cap had not cut all of it.

    `name` is how the prompt names it: its path from the root, or `global` and its path from the
    global folder. `kind` is "shared" for AGENTS.md and its other names, "named" for the other
    four. `size_bytes` is its size on disk; `used_bytes` is what of its own text stands in the
    prompt, `cut_bytes` what was lost to a cap, both in UTF-8. `importer` is the path of the file
    that names it. `patterns` are a rule's globs. `hits` are masked in the prompt.
    """

    path: str
    name: str
    block: str
    kind: Kind
    size_bytes: int
    used_bytes: int
    cut_bytes: int = 0
    importer: str | None = None
    patterns: tuple[str, ...] = ()
    hits: tuple[Hit, ...] = ()


class SkippedFile(NamedTuple):
    """A file that was considered and left out; `why` is a clause without a subject."""

    path: str
    why: str


class Piece(NamedTuple):
    """A stretch of a block's text, and which of the files of its draft it comes from."""

    file: int
    text: str


class Draft(NamedTuple):
    """One file with all that it imports, before any cap: its own entry is the first of `files`."""

    head: str
    pieces: tuple[Piece, ...]
    files: tuple[LoadedFile, ...]

    @property
    def part(self) -> Part:
        return Part(self.head, "".join(piece.text for piece in self.pieces))


class BlockText(NamedTuple):
    """A block's text, "" where there is nothing to say, and its files in their order."""

    text: str
    files: tuple[LoadedFile, ...]


class Places(NamedTuple):
    """The folders of a load, as real paths; `shared` is the global one, None for none.

    `user_home` is the person's home folder as it was given, None where it isn't known.
    """

    root: str
    cwd: str
    shared: str | None
    user_home: str | None

    @property
    def readable(self) -> tuple[str, ...]:
        """The folders that may be read below."""
        return (self.root,) if self.shared is None else (self.root, self.shared)


class Findings:
    """What the steps of a load have to tell, in the order in which they tell it."""

    def __init__(self, threat_scan: bool, places: Places) -> None:
        self.threat_scan = threat_scan
        self.places = places
        self.skipped: list[SkippedFile] = []
        self._warnings: dict[str, None] = {}

    @property
    def warnings(self) -> tuple[str, ...]:
        return tuple(self._warnings)

    def warn(self, *lines: str) -> None:
        """Add lines for the person; the same line twice is one."""
        self._warnings.update(dict.fromkeys(lines))

    def skip(self, path: str, why: str) -> None:
        self.skipped.append(SkippedFile(path, why))

    def name(self, path: str) -> str:
        """How the prompt names a file: from the root, or from the global folder."""
        root, shared = self.places.root, self.places.shared
        if is_below(path, root) and not (
            shared and is_below(path, shared) and is_below(shared, root)
        ):
            return self.spelled(os.path.relpath(path, root))
        if shared and is_below(path, shared):
            return self.spelled(f"global {os.path.relpath(path, shared)}")
        return self.spelled(path)

    def spelled(self, name: str) -> str:
        """A file's or folder's name as it may stand in the prompt: it can be anything, too."""
        name = printable(name).replace("-->", "--›")
        hits = scan(name).hits if self.threat_scan else ()
        return mask(hits[0].category) if hits else name


def entry(
    source: Source, name: str, block: str, kind: Kind, importer: str | None = None
) -> LoadedFile:
    """A file that is loaded; its other bytes are counted once the caps are applied."""
    return LoadedFile(
        source.path,
        name,
        block,
        kind,
        source.size_bytes,
        0,
        source.unread_bytes,
        importer,
        hits=source.hits,
    )


def counted(draft: Draft, kept: Part) -> tuple[LoadedFile, ...]:
    """The draft's files, with the bytes of each that were kept and that were cut."""
    used = [0] * len(draft.files)
    cut = [file.cut_bytes for file in draft.files]
    room = size(kept.body)
    if room:
        used[0] += size(kept.head)
    for piece in draft.pieces:
        length = size(piece.text)
        stays = min(length, room)
        room -= stays
        used[piece.file] += stays
        cut[piece.file] += length - stays
    return tuple(
        file._replace(used_bytes=used[index], cut_bytes=cut[index])
        for index, file in enumerate(draft.files)
    )


def lost(draft: Draft, files: Sequence[LoadedFile]) -> list[tuple[str, int]]:
    """The name and lost bytes of each file that the block's cap cut, for the note.

    Args:
        draft: the files before the cap; an import's own cap is over and noted by then.
        files: the same files once they are counted.
    """
    before = [file.cut_bytes if file.kind == "import" else 0 for file in draft.files]
    return [
        (file.name, file.cut_bytes - own)
        for file, own in zip(files, before, strict=True)
        if file.cut_bytes > own
    ]

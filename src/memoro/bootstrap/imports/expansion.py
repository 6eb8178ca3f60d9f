"""The text that stands where a file names another one."""

from __future__ import annotations

import os
from typing import NamedTuple

from memoro.bootstrap.cutting import cut_note, shorten, size
from memoro.bootstrap.imports.lines import import_lines
from memoro.bootstrap.loaded import Draft, Findings, Kind, LoadedFile, Piece, entry
from memoro.bootstrap.reading.source import Reader, Source, Unusable, named, read_source

IMPORT_BYTES = 32_768
MOST_HOPS = 4
_MOST_WARNINGS = 20


class Importing(NamedTuple):
    """A file that may import: its source, and what of it is instruction text.

    `name` is how the prompt names it, `head` the line above its text that does so. `block` is the
    block that it belongs to, `kind` what it is. `lines_before` is how many lines stand before
    `text` in the file. `present` are the real paths of files that the block has in any case.
    """

    source: Source
    text: str
    name: str
    block: str
    kind: Kind
    head: str = ""
    lines_before: int = 0
    present: frozenset[str] = frozenset()


def expand(importing: Importing, reader: Reader, findings: Findings) -> Draft:
    """Put the text of each imported file in the place of the line that imports it.

    Imports go four hops deep and bring no file twice into one importing file. A line whose target
    can't be used stays as it is written, and is warned about. Once the text is longer than the
    reader can use, further imports are left as they are: they would be cut anyway.

    Args:
        importing: the file.
        reader: what to read with.
        findings: where warnings and left-out files go.
    """
    work = _Expansion(importing, reader, findings)
    source = importing.source
    work.add(source, importing.text, importing.lines_before, 0, (source.real,))
    work.warn_of_the_rest()
    return Draft(importing.head, tuple(work.pieces), tuple(work.files))


class _Expansion:
    def __init__(self, importing: Importing, reader: Reader, findings: Findings) -> None:
        source = importing.source
        self.pieces: list[Piece] = []
        self.files: list[LoadedFile] = [
            entry(source, importing.name, importing.block, importing.kind)
        ]
        self._reader = reader
        self._findings = findings
        self._seen = {source.real, *importing.present}
        self._size = 0
        self._warned = 0
        findings.warn(*source.warnings)

    def add(
        self, source: Source, text: str, lines_before: int, owner: int, chain: tuple[str, ...]
    ) -> None:
        """Add a file's text; `chain` are the real paths from the top down to the file itself."""
        lines = text.split("\n")
        start = 0
        for found in import_lines(text):
            if self._size > self._reader.text_bytes:
                break
            where = f"{named(source.path)}:{lines_before + found.row + 1}"
            child = self._target(source, found.target, where, chain)
            if child is None:
                continue
            self._append(owner, "".join(f"{line}\n" for line in lines[start : found.row]))
            self._import(child, source.path, chain)
            start = found.row + 1
            if start < len(lines):
                self._append(owner, "\n")
        self._append(owner, "\n".join(lines[start:]))

    def warn_of_the_rest(self) -> None:
        more = self._warned - _MOST_WARNINGS
        if more > 0:
            self._findings.warn(f"{named(self.files[0].path)}: {more} more lines import nothing")

    def _append(self, owner: int, text: str) -> None:
        if text:
            self.pieces.append(Piece(owner, text))
            self._size += size(text)

    def _import(self, source: Source, importer: str, chain: tuple[str, ...]) -> None:
        self._findings.warn(*source.warnings)
        name = self._findings.name(source.path)
        text = shorten(source.text, IMPORT_BYTES, IMPORT_BYTES)
        cut = size(source.text) - size(text) + source.unread_bytes
        owner = len(self.files)
        file = entry(source, name, self.files[0].block, "import", importer)
        self.files.append(file._replace(cut_bytes=cut))
        self._append(owner, f"<!-- import {name} -->\n")
        self.add(source, text.rstrip("\n"), 0, owner, (*chain, source.real))
        if cut:
            note = cut_note(IMPORT_BYTES, [(name, cut)])
            self._findings.warn(f"{named(source.path)}: {note[5:-4]}")
            self._append(owner, f"\n{note}")

    def _target(
        self, importing: Source, target: str, where: str, chain: tuple[str, ...]
    ) -> Source | None:
        """Read what a line imports; None where the line stays as it is."""
        path = self._path(importing, target)
        if path is None:
            self._warn(f"{where}: {named(target)} is not imported, the home folder is not known")
            return None
        found = read_source(path, self._reader)
        if found is None:
            self._warn(f"{where}: no file to import at {named(path)}")
            return None
        if isinstance(found, Unusable):
            self._warn(f"{where}: not imported, {named(path)} {found.why}")
            self._findings.skip(path, f"not imported by {named(importing.path)}: {found.why}")
            return None
        return self._fresh(found, where, chain)

    def _fresh(self, found: Source, where: str, chain: tuple[str, ...]) -> Source | None:
        if found.real in chain:
            self._warn(f"{where}: not imported, {named(found.path)} imports itself")
        elif found.real not in self._seen:
            if len(chain) <= MOST_HOPS:
                self._seen.add(found.real)
                return found
            why = f"more than {MOST_HOPS} imports away from {named(self.files[0].path)}"
            self._warn(f"{where}: not imported, {named(found.path)} is {why}")
            self._findings.skip(found.path, why)
        return None

    def _path(self, importing: Source, target: str) -> str | None:
        if target.startswith("~/"):
            home = self._findings.places.user_home
            return os.path.normpath(os.path.join(home, target[2:])) if home else None
        # Where the file really lies is where its writer looked around.
        return os.path.normpath(os.path.join(os.path.dirname(importing.real), target))

    def _warn(self, line: str) -> None:
        self._warned += 1
        if self._warned <= _MOST_WARNINGS:
            self._findings.warn(line)

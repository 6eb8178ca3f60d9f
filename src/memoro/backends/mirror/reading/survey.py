"""What is in the folder, against what was last written there."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping
from typing import NamedTuple

import apsw

from memoro.backends.mirror.folder import Folder, Seen
from memoro.backends.mirror.names import PAGE, group_of, page_of
from memoro.backends.mirror.refusing import MAX_FILE_BYTES
from memoro.backends.mirror.state import (
    Known,
    Line,
    digest_of_bytes,
    drop_file,
    drop_lines,
    keep_file,
    keep_lines,
    known_files,
    lines_in,
    mark_pages,
)
from memoro.backends.mirror.writing.rendering import DAY
from memoro.backends.sqlite.database import writing
from memoro.errors import FileRefusedError
from memoro.memory.plain.form import digest_of_value
from memoro.memory.plain.listing import Broken, Element, decoded, listed

_QUIET_SECONDS = 0.05
_QUIET_TIMES = 5
_MOST_TIMES = 60


class File(NamedTuple):
    """A file that is not as it was written: how it was read, and what it holds."""

    seen: Seen
    data: bytes
    content: tuple[Element, ...] | Broken

    @property
    def digest(self) -> str:
        """Of its bytes."""
        return digest_of_bytes(self.data)


class Survey(NamedTuple):
    """Files of records that a person has `edited`, or added; that are `missing`; and that can't be
    read, each with the reason. `there` are all that there are."""

    there: tuple[str, ...]
    edited: Mapping[str, File]
    missing: tuple[str, ...] = ()
    unreadable: Mapping[str, FileRefusedError] = {}

    @property
    def is_clean(self) -> bool:
        """Whether all is as it was written."""
        return not (self.edited or self.missing or self.unreadable)


def survey(
    connection: apsw.Connection,
    folder: Folder,
    also: Collection[str] = (),
    most: int = MAX_FILE_BYTES,
) -> Survey:
    """Look at the files of records; those in `also` are read however they look, those that have
    more than so many bytes are not.

    What we wrote ourselves, and had no time to note, is noted now. For whoever holds the mirror's
    lock.

    Raises:
        StoreError: the folder can't be read.
    """
    known = {name: one for name, one in known_files(connection).items() if group_of(name)}
    there = [name for name in folder.names() if group_of(name)]
    edited: dict[str, File] = {}
    missing: list[str] = []
    unreadable: dict[str, FileRefusedError] = {}
    for name in sorted({*known, *there}):
        try:
            seen = folder.look(name)
            if seen is None:
                if _is_lost(connection, name, known[name]):
                    missing.append(name)
            elif name in also or name not in known or seen != known[name].seen:
                file = _read(folder, name, most)
                if file is None:
                    continue
                if not _is_ours(connection, name, known.get(name), file) or name in also:
                    edited[name] = file
        except FileRefusedError as error:
            unreadable[name] = error
    return Survey(tuple(there), edited, tuple(missing), unreadable)


def _is_lost(connection: apsw.Connection, name: str, known: Known) -> bool:
    """Whether a file is gone that stood there; not one that we never came to put there, or that we
    were removing."""
    if known.digest and known.coming != "":
        return True
    with writing(connection):
        drop_file(connection, name)
    return False


def _is_ours(connection: apsw.Connection, name: str, known: Known | None, file: File) -> bool:
    """Whether a file has the bytes that we wrote; then how it is seen now is noted."""
    if known is None or file.digest not in (known.digest, known.coming):
        return False
    with writing(connection):
        if file.digest != known.digest:
            _note_lines(connection, name, file)
        keep_file(connection, name, file.seen, file.digest)
    return True


def _note_lines(connection: apsw.Connection, name: str, file: File) -> None:
    """Note what we wrote into a file before we were killed."""
    if isinstance(file.content, Broken):
        return
    lines: dict[str, Line] = {}
    for element in file.content:
        value = element.value
        if isinstance(value, Mapping) and isinstance(value.get("id"), str):
            lines[value["id"]] = Line(name, digest_of_value(value), _page(name, value))
    before = lines_in(connection, name)
    both = [*before.items(), *lines.items()]
    pages = {line.page for record, line in both if before.get(record) != lines.get(record)}
    mark_pages(connection, {PAGE, *(page for page in pages if page is not None)})
    drop_lines(connection, before.keys() - lines.keys())
    keep_lines(connection, lines.items())


def _page(name: str, value: Mapping[str, object]) -> str | None:
    group, data = group_of(name), value.get("data")
    day = data.get("date") if isinstance(data, Mapping) else None
    if group is None or group.stem not in ("daily", "episodes") or not isinstance(day, str):
        return None
    return page_of(day) if DAY.fullmatch(day) else None


def _read(folder: Folder, name: str, most: int) -> File | None:
    """A file as it is once nobody writes to it any more: some editors write in place."""
    last, same = None, 0
    for _ in range(_MOST_TIMES):
        read = folder.read(name, most)
        if read is None:
            return None
        content = content_of(read[1])
        if not isinstance(content, Broken) and not folder.is_being_written(name):
            return File(*read, content)
        same = same + 1 if read[0] == last else 0
        if same >= _QUIET_TIMES:
            return File(*read, content)
        last = read[0]
        time.sleep(_QUIET_SECONDS)
    read = folder.read(name, most)
    return None if read is None else File(*read, content_of(read[1]))


def content_of(data: bytes) -> tuple[Element, ...] | Broken:
    """The elements of a file, or where it is broken."""
    text = decoded(data)
    return text if isinstance(text, Broken) else listed(text)

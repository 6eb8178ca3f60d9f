"""What an export may be packed in: a file, a folder of files, a zip, a folder of zips."""

from __future__ import annotations

import os
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from typing import IO, Literal, NamedTuple, Protocol

from memoro.interchange.archives.cut_zips import MOST_INFLATED, SMALL, members
from memoro.interchange.reading.files import (
    Unread,
    changed_at,
    names_in,
    opened,
    reason_of,
    shown_path,
)
from memoro.memory.imported import LeftOut

MOST_BYTES = 8 * 1024**3
"""Of all that is read of one zip, by its own word: a small file can be made to say any size."""

Part = Literal["conversations", "memories", "projects", "designs"]

_PARTS: tuple[tuple[Part, re.Pattern[str]], ...] = (
    ("projects", re.compile(r"(?:^|/)(?:projects\.json|projects/[^/]+\.json)$")),
    ("memories", re.compile(r"(?:^|/)(?:memor(?:ies|y)\.json|memories/[^/]+\.json)$")),
    ("conversations", re.compile(r"(?:^|/)conversations(?:[-_]\d+)?\.json$")),
    ("designs", re.compile(r"(?:^|/)design_chats(?:\.json|/[^/]+\.json)$")),
)
"""In the order in which they are read: a memory names the project that it belongs to."""
_NUMBERED_ZIP = re.compile(r"(?:[-_]\d+)?\.zip$")
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
READ_ERRORS = (OSError, EOFError, RuntimeError, NotImplementedError, zipfile.BadZipFile, zlib.error)
"""What reading a member of a zip can raise: it is cut, or locked, or was never whole."""


class Stream(Protocol):
    """Bytes that are read from their beginning to their end."""

    def read(self, size: int, /) -> bytes:
        """So many bytes, or fewer; none at the end."""
        ...


class Source(NamedTuple):
    """A file to be read: its name for messages, which part of an export it is, when it was last
    changed, and its bytes."""

    name: str
    part: Part
    at: datetime | None
    stream: Stream


def part_of(name: str) -> Part | None:
    """Which part of an export a file is, or all of a zip, by its path; None where it is none."""
    if "__MACOSX/" in name:
        return None
    name = _NUMBERED_ZIP.sub(".json", name)
    return next((part for part, pattern in _PARTS if pattern.search(name)), None)


def sources(path: str, part: Part | None = None) -> Iterator[Source | LeftOut]:
    """The files of an export, one after the other; each is closed when the next is asked for.

    Args:
        path: a file, which is taken for what it was named as; a zip; or a folder of any of them.
        part: what a file is whose name doesn't tell.
    """
    if os.path.isdir(path):
        yield from _of_folder(path)
        return
    name = os.path.basename(os.path.abspath(path))
    with ExitStack() as stack:
        stream = _file(path, None, stack)
        if isinstance(stream, Unread):
            yield LeftOut(name, f"the file {stream.why}")
        elif _is_zip(stream):
            yield from _of_zip(name, stream)
        else:
            yield Source(name, part or part_of(name) or "conversations", _changed(path), stream)


def why_unread(error: BaseException) -> str:
    """Why a stream can't be read on, in a line."""
    if isinstance(error, OSError):
        return f"it can't be read on: {reason_of(error)}"
    if isinstance(error, RuntimeError) and "password" in str(error):
        return "it is locked with a password"
    return f"it is damaged: {str(error).splitlines()[0] if str(error) else 'it ends too early'}"


def _of_folder(folder: str) -> Iterator[Source | LeftOut]:
    names = names_in(folder)
    inner = [
        f"{name}/{one}"
        for name in names
        if name in ("projects", "memories", "design_chats")
        for one in names_in(os.path.join(folder, name), folder)
    ]
    for part, name in _in_order([*names, *inner]):
        path = os.path.join(folder, name)
        with ExitStack() as stack:
            stream = _file(path, folder, stack)
            if isinstance(stream, Unread):
                yield LeftOut(name, f"the file {stream.why}")
            elif name.endswith(".zip"):
                yield from _of_zip(name, stream)
            else:
                yield Source(name, part, _changed(path), stream)


def _in_order(names: Iterable[str]) -> Sequence[tuple[Part, str]]:
    """The parts of an export among these names, in the order in which they are read; a zip is the
    part that it is named as."""
    order = [part for part, _ in _PARTS]
    found: list[tuple[Part, str]] = []
    for name in names:
        part = part_of(name)
        if part is not None:
            found.append((part, name))
    return sorted(found, key=lambda one: (order.index(one[0]), one[1]))


def _of_zip(name: str, stream: IO[bytes]) -> Iterator[Source | LeftOut]:
    try:
        archive = zipfile.ZipFile(stream)
        members = {one.filename: one for one in archive.infolist()}
    except (*READ_ERRORS, ValueError):
        yield from _of_cut_zip(name, stream)
        return
    room = MOST_BYTES
    with archive:
        for part, inner in _in_order(one for one in members if not one.endswith(".zip")):
            place, member = f"{name}/{shown_path(inner)}", members[inner]
            swollen = _swollen(member, room)
            if swollen:
                yield LeftOut(place, swollen)
                continue
            room -= member.file_size
            try:
                with archive.open(member) as opened_member:
                    yield Source(place, part, _stamped(member), opened_member)
            except (*READ_ERRORS, ValueError) as error:
                yield LeftOut(place, why_unread(error))


def _of_cut_zip(name: str, stream: IO[bytes]) -> Iterator[Source | LeftOut]:
    stream.seek(0)
    try:
        for inner, bytes_of in members(stream, MOST_BYTES):
            part = part_of(inner)
            if part is not None:
                yield Source(f"{name}/{shown_path(inner)}", part, None, bytes_of)
    except READ_ERRORS:
        # What is wrong there, whoever reads it is told.
        pass
    yield LeftOut(name, "the zip is not whole: its end is missing, and what else was in it")


def _swollen(member: zipfile.ZipInfo, room: int) -> str:
    """Why a member is too large to be read; "" where it is not."""
    size, packed = member.file_size, member.compress_size
    if size > room:
        return f"it says that it has {size:,} bytes; of one zip, {MOST_BYTES:,} are read at most"
    if size > MOST_INFLATED * packed + SMALL:
        told = f"it says that it has {size:,} bytes, packed in {packed:,}"
        return f"{told}; what is {MOST_INFLATED} times as large as packed is not read"
    return ""


def _file(path: str, root: str | None, stack: ExitStack) -> IO[bytes] | Unread:
    descriptor = opened(path, root)
    if isinstance(descriptor, Unread):
        return descriptor
    return stack.enter_context(os.fdopen(descriptor, "rb"))


def _is_zip(stream: IO[bytes]) -> bool:
    head = stream.read(4)
    stream.seek(0)
    return head in _ZIP


def _changed(path: str) -> datetime | None:
    at = changed_at(path)
    return None if at is None or at < 0 else datetime.fromtimestamp(min(at, 4e9), UTC)


def _stamped(member: zipfile.ZipInfo) -> datetime | None:
    try:
        return datetime(*member.date_time, tzinfo=UTC)
    except ValueError:
        return None

"""What can be seen of a path without reading it whole."""

from __future__ import annotations

import os
from typing import Literal, NamedTuple

from memoro.errors import Reason, Refusal
from memoro.interchange.reading.files import Unread, decoded, names_in, opened, reason_of
from memoro.interchange.reading.json_text import Broken, Piece, parsed, pieces
from memoro.memory.records import shown

HEAD_BYTES = 65_536
_MOST_ITEMS = 20
_MOST_LINES = 20

Shape = Literal["array", "object", "lines", "text", "binary", "zip", "empty", "folder"]


class Outline(NamedTuple):
    """A file as far as its head goes.

    `items` are the first whole values: those of an array, of the lines, or, of an object, those in
    its lists. `names` are an object's, as far as they were seen, and `members` the values that
    were whole.
    """

    shape: Shape
    items: tuple[object, ...] = ()
    names: tuple[str, ...] = ()
    members: tuple[tuple[str, object], ...] = ()


class Glimpse(NamedTuple):
    """A path as it looks from outside.

    `names` are a folder's entries, with those of its folders as "memory/MEMORY.md", or the members
    of a zip archive; `text` is the head of a file of text, with `\\n` as its line end.
    """

    path: str
    name: str
    is_folder: bool
    names: frozenset[str]
    size: int
    head: bytes
    text: str
    outline: Outline


def glimpse(path: str) -> Glimpse | Refusal:
    """Look at a path; refused where nothing is there, or it can't be read."""
    if os.path.isdir(path):
        return _of_folder(path)
    descriptor = opened(path)
    if isinstance(descriptor, Unread):
        if not os.path.lexists(path):
            return Refusal(Reason.NOT_FOUND, f"there is nothing at {shown(path, 200)}")
        return Refusal(Reason.FAILED, f"{shown(path, 200)} {descriptor.why}; nothing was changed")
    try:
        size = os.fstat(descriptor).st_size
        with os.fdopen(descriptor, "rb") as file:
            head = file.read(HEAD_BYTES)
    except OSError as error:
        why = f"{shown(path, 200)} can't be read: {reason_of(error)}; nothing was changed"
        return Refusal(Reason.FAILED, why)
    return _of_file(path, size, head)


def _of_folder(path: str) -> Glimpse | Refusal:
    try:
        os.listdir(path)
    except OSError as error:
        why = f"{shown(path, 200)} can't be read: {reason_of(error)}; nothing was changed"
        return Refusal(Reason.FAILED, why)
    names = names_in(path)
    inner = [
        f"{name}/{one}"
        for name in names[:_MOST_FOLDERS]
        if os.path.isdir(os.path.join(path, name))
        for one in names_in(os.path.join(path, name), path)
    ]
    name = os.path.basename(os.path.abspath(path))
    return Glimpse(path, name, True, frozenset([*names, *inner]), 0, b"", "", Outline("folder"))


_MOST_FOLDERS = 500


def _of_file(path: str, size: int, head: bytes) -> Glimpse:
    name = os.path.basename(os.path.abspath(path))
    seen = Glimpse(path, name, False, frozenset(), size, head, "", Outline("binary"))
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return seen._replace(names=_members_of(path), outline=Outline("zip"))
    text = _text_of(head, size > len(head))
    if text is None:
        return seen
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return seen._replace(text=text, outline=_outline(text))


def _members_of(path: str) -> frozenset[str]:
    import zipfile

    try:
        with zipfile.ZipFile(path) as archive:
            return frozenset(archive.namelist())
    except (OSError, ValueError, NotImplementedError, zipfile.BadZipFile):
        return frozenset()


def _text_of(head: bytes, cut: bool) -> str | None:
    """The head as text; the last character of one that is cut may be incomplete."""
    for missing in range(4 if cut else 1):
        text = decoded(head[: len(head) - missing])
        if not isinstance(text, Unread):
            return text
    return None


def _outline(text: str) -> Outline:
    start = text.lstrip("\ufeff \t\n")[:1]
    if not start:
        return Outline("empty")
    if start == "[":
        return Outline("array", tuple(one.value for one in _whole(text)))
    if start != "{":
        return Outline("text")
    lines = [line for line in text.split("\n")[:_MOST_LINES] if line.strip()]
    values = [parsed(line) for line in lines]
    if len(values) > 1 and isinstance(values[0], dict):
        return Outline("lines", tuple(one for one in values if not isinstance(one, Broken)))
    found = _whole(text)
    whole = tuple((one.name, one.value) for one in found if one.number is None)
    items = tuple(one.value for one in found if one.number is not None)
    return Outline("object", items, tuple(dict.fromkeys(one.name for one in found)), whole)


def _whole(text: str) -> list[Piece]:
    """The first values that are whole; some of each list."""
    found: list[Piece] = []
    for one in pieces(text):
        if isinstance(one, Broken):
            break
        if one.number is None or one.number < _MOST_ITEMS:
            found.append(one)
    return found

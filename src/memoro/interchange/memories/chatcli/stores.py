"""The JSON stores of ChatCLI, item by item."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from memoro.interchange.reading.files import MAX_JSON_BYTES, Unread, decoded, read_bytes
from memoro.interchange.reading.json_text import Broken, pieces, place_of
from memoro.interchange.reading.values import fields_of, word_for
from memoro.memory.imported import LeftOut

TOOL = "chatcli"
_SEALED = b"CHATCLI_ENC_v1\n"


class Item(NamedTuple):
    """An item of a store, and what messages call its place; `name` is that of an object's
    member."""

    fields: Mapping[str, object]
    place: str
    name: str = ""
    value: object = None


def items_in(folder: str, name: str, of: str = "") -> Iterator[Item | LeftOut]:
    """The items of a list, or, where the file holds an object, its members.

    Args:
        folder: the memory folder.
        name: the file; nothing is given where there is none.
        of: the word for an item, for what is no object; "" where members may be anything.
    """
    path = os.path.join(folder, name)
    if not os.path.lexists(path):
        return
    raw = read_bytes(path, MAX_JSON_BYTES, folder)
    text = raw if isinstance(raw, Unread) else _opened(raw)
    if isinstance(text, Unread):
        yield LeftOut(name, f"the file {text.why}")
        return
    if not text.strip():
        return
    for piece in pieces(text, ()):
        if isinstance(piece, Broken):
            yield LeftOut(f"{name}, {place_of(text, piece.at)}", piece.why)
            return
        place = f"{name}, item {piece.number + 1:,}" if piece.number is not None else name
        if of and not isinstance(piece.value, dict):
            yield LeftOut(place, f"it is {word_for(piece.value)}, not {of}")
        else:
            yield Item(fields_of(piece.value), place, piece.name, piece.value)


def _opened(raw: bytes) -> str | Unread:
    if raw.startswith(_SEALED):
        return Unread(
            "is encrypted; in ChatCLI, without CHATCLI_ENCRYPTION_KEY, save it in the open first"
        )
    return decoded(raw)

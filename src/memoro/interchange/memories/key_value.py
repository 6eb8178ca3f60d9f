"""Lists of keys and values, which become saved facts: lines of text, or JSON."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import NamedTuple

from memoro.interchange.formats import LIKELY, NO, POSSIBLE, Clock, Format, Imported
from memoro.interchange.memories.instructions import time_of_file
from memoro.interchange.reading.files import (
    MAX_JSON_BYTES,
    Unread,
    read_text,
)
from memoro.interchange.reading.glimpse import Glimpse
from memoro.interchange.reading.json_text import Broken, parsed, pieces, place_of
from memoro.interchange.reading.making import Origin, saved
from memoro.interchange.reading.values import fields_of, text_in, time_in, word_for
from memoro.memory.imported import LeftOut
from memoro.memory.records import shown
from memoro.memory.saved import MAX_KEY_CHARACTERS, check_key, check_value

TOOL = "key-value"
_LISTS = ("facts", "saved_facts", "memories", "memory", "items", "entries", "results", "data")
_LINE = re.compile(
    r"(?:[-*•][ \t]+|export[ \t]+)?(?P<quote>[\"']?)(?P<key>[^:=\t\"'\n]{1,200}?)(?P=quote)"
    r"[ \t]*(?:[:=\t])[ \t]*(?P<value>.*)"
)
_WORDS = re.compile(r"[^\W_][\w .'/&+-]*")
_ENDINGS = frozenset(
    {
        *("", ".txt", ".text", ".md", ".markdown", ".list", ".facts", ".tsv"),
        *(".env", ".ini", ".conf", ".cfg", ".properties", ".yaml", ".yml"),
    }
)
"""How the names of such lists end; what ends otherwise is a list only where that is said."""
_COMMENTS = ("#", "//", ";")
_UNFIT = re.compile(r"[^A-Za-z0-9._-]+")
_QUOTES = ('"', "'", "`")


class Pair(NamedTuple):
    """A key and its value as they stand there; what is no text is as it is."""

    key: object
    value: object
    place: str
    at: datetime | None = None


def detects(seen: Glimpse) -> int:
    """Whether a file is such a list."""
    outline = seen.outline
    if seen.is_folder or outline.shape in ("binary", "zip", "empty"):
        return NO
    if outline.shape in ("array", "lines"):
        listed = [fields_of(one) for one in outline.items]
        fitting = [one for one in listed if _key_of(one) and {"key", "value"} & one.keys()]
        return LIKELY if _most(len(fitting), len(listed)) else NO
    if outline.shape == "object":
        return _object(seen)
    if os.path.splitext(seen.name.lower())[1] not in _ENDINGS or seen.text.startswith("#!"):
        return NO
    lines = _first_lines(seen)
    fitting = [one for one in lines if (found := _LINE.fullmatch(one)) and _is_key(found["key"])]
    if not _most(len(fitting), len(lines)):
        return NO
    prose = seen.name.lower().endswith((".md", ".markdown"))
    return POSSIBLE if prose or len(fitting) < len(lines) else LIKELY


def _most(fitting: int, count: int) -> bool:
    return fitting > 0 and fitting * 10 >= count * 6


def _object(seen: Glimpse) -> int:
    listed = [fields_of(one) for one in seen.outline.items]
    if listed:
        return LIKELY if all(_key_of(one) and "value" in one for one in listed) else NO
    values = [one for _, one in seen.outline.members]
    nested = any(isinstance(one, dict | list) for one in values)
    return NO if nested or not any(isinstance(one, str) for one in values) else POSSIBLE


def _first_lines(seen: Glimpse) -> list[str]:
    lines = seen.text.split("\n")
    # The last one may be cut, and what is indented goes on with what stands before it.
    lines = lines[:-1] or lines if seen.size > len(seen.head) else lines
    return [
        one.strip()
        for one in lines
        if one.strip() and not one.startswith((" ", "\t")) and not one.startswith(_COMMENTS)
    ]


def _is_key(key: str) -> bool:
    """Whether words before a colon look like a key, and not like the start of a sentence."""
    return len(key.split()) <= 3 and _WORDS.fullmatch(key) is not None


def read(path: str, clock: Clock) -> Iterator[Imported]:
    """The pairs, as saved facts."""
    file = os.path.basename(path)
    text = read_text(path, MAX_JSON_BYTES)
    if isinstance(text, Unread):
        yield LeftOut(file, f"the file {text.why}")
        return
    origin, otherwise = Origin(TOOL, file), time_of_file(path, clock)
    for one in _pairs(text, file, clock):
        yield one if isinstance(one, LeftOut) else _fact(one, origin, otherwise)


def _pairs(text: str, file: str, clock: Clock) -> Iterator[Pair | LeftOut]:
    start = text.lstrip()
    if not start.startswith(("[", "{")):
        return _line_pairs(text, file)
    # JSON Lines begin with a line that is whole in itself.
    line, _, rest = start.partition("\n")
    if rest.strip() and isinstance(parsed(line), dict):
        return _json_line_pairs(text, file, clock)
    return _json_pairs(text, file, clock)


def _fact(pair: Pair, origin: Origin, otherwise: datetime) -> Imported:
    if not isinstance(pair.key, str):
        return LeftOut(pair.place, f"its key is {word_for(pair.key)}")
    value = _plain(pair.value)
    if value is None:
        return LeftOut(pair.place, f"the value of {shown(pair.key)} is {word_for(pair.value)}")
    key = pair.key if check_key(pair.key) is None else fitting_key(pair.key)
    if not key:
        return LeftOut(pair.place, f"{shown(pair.key)} can't be made a key")
    if len(key) > MAX_KEY_CHARACTERS:
        return LeftOut(
            pair.place,
            f"the key {shown(pair.key)} has more than {MAX_KEY_CHARACTERS} characters",
        )
    wrong = check_value(value)
    if wrong is not None:
        return LeftOut(pair.place, f"{shown(pair.key)}: {wrong.what}")
    said = pair.key if key != pair.key else ""
    return saved(key, value, pair.at or otherwise, origin, pair.place, said)


def _plain(value: object) -> str | None:
    """A value as text; None where it is none."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    return value.strip().strip("\u200b\u2060\ufeff").strip() if isinstance(value, str) else None


def fitting_key(key: str) -> str:
    """A key that fits, out of one that doesn't: "Favourite colour" is "Favourite-colour"; "" where
    nothing of it is left."""
    plain = "".join(
        char for char in unicodedata.normalize("NFKD", key) if not unicodedata.combining(char)
    )
    return _UNFIT.sub("-", plain).strip("-._") if _keeps_enough(plain) else ""


def _keeps_enough(plain: str) -> bool:
    """Whether most of a key's letters are of the alphabet that keys have: what is left of others
    would be another key."""
    letters = [char for char in plain if char.isalnum()]
    return sum(char.isascii() for char in letters) * 2 > len(letters)


def _json_pairs(text: str, file: str, clock: Clock) -> Iterator[Pair | LeftOut]:
    for piece in pieces(text, _LISTS):
        if isinstance(piece, Broken):
            yield LeftOut(f"{file}, {place_of(text, piece.at)}", piece.why)
            continue
        if piece.number is None:
            fields = fields_of(piece.value) if piece.name in _LISTS else {}
            listed = [(name, one) for name, one in fields.items()] or [(piece.name, piece.value)]
            yield from (Pair(name, one, f"{file}, {shown(name)}") for name, one in listed)
            continue
        yield _item(piece.value, f"{file}, item {piece.number + 1:,}", clock)


def _json_line_pairs(text: str, file: str, clock: Clock) -> Iterator[Pair | LeftOut]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            value, place = parsed(line), f"{file}, line {number:,}"
            broken = isinstance(value, Broken)
            yield LeftOut(place, value.why) if broken else _item(value, place, clock)


def _item(value: object, place: str, clock: Clock) -> Pair | LeftOut:
    pair = _pair_of(value)
    if pair is None:
        return LeftOut(place, f"it is {word_for(value)} without a key")
    names = ("created_at", "createdAt", "updated_at", "updatedAt")
    return Pair(*pair, place, time_in(fields_of(value), clock, *names))


def _pair_of(value: object) -> tuple[object, object] | None:
    """The pair that an item is: an object with a key, one of a single member, or a list of two."""
    fields = fields_of(value)
    if _key_of(fields):
        return _key_of(fields), fields.get("value", fields.get("text", fields.get("content")))
    if len(fields) == 1:
        return next(iter(fields.items()))
    if isinstance(value, list) and len(value) == 2:
        return value[0], value[1]
    return None


def _key_of(fields: Mapping[str, object]) -> str:
    return text_in(fields, "key", "name")


def _line_pairs(text: str, file: str) -> Iterator[Pair | LeftOut]:
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        line, number = lines[at].rstrip(), at + 1
        at += 1
        if not line.strip() or line.lstrip().startswith(_COMMENTS):
            continue
        found = _LINE.fullmatch(line.strip())
        if found is None:
            yield LeftOut(f"{file}, line {number:,}", f"no key and value: {shown(line.strip())}")
            continue
        more: list[str] = []
        # What is indented deeper belongs to the value above it.
        while at < len(lines) and lines[at].startswith((" ", "\t")) and lines[at].strip():
            more.append(lines[at].strip())
            at += 1
        value = "\n".join(part for part in (_unquoted(found["value"]), *more) if part)
        yield Pair(found["key"].strip(), value, f"{file}, line {number:,}")


def _unquoted(value: str) -> str:
    # A table of ours has the time after another tab.
    value = value.split("\t")[0].strip()
    if len(value) > 1 and value[0] in _QUOTES and value[0] == value[-1]:
        return value[1:-1]
    return value


FORMAT = Format(TOOL, "a list of keys and values: lines, or JSON", detects, read)

"""mem0: exports of its platform, of its open source library, and of OpenMemory."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from datetime import date, datetime

from memoro.interchange.formats import LIKELY, NO, SURE, Clock, Format, Imported
from memoro.interchange.memories.instructions import time_of_file
from memoro.interchange.reading.files import MAX_JSON_BYTES, Unread, read_text
from memoro.interchange.reading.glimpse import Glimpse, glimpse
from memoro.interchange.reading.json_lines import json_lines
from memoro.interchange.reading.json_text import Broken, pieces, place_of
from memoro.interchange.reading.making import Found, Origin, fact
from memoro.interchange.reading.values import (
    fields_of,
    kept_aside,
    text_in,
    texts_in,
    time_in,
    word_for,
)
from memoro.memory.facts.categories import CATEGORIES
from memoro.memory.imported import LeftOut

TOOL = "mem0"
_LISTS = ("results", "memories", "data", "items")
_RELATIONS = "relations"
_TEXTS = ("memory", "text", "content", "data")
_SIGNS = frozenset(
    {"user_id", "agent_id", "run_id", "app_id", "hash", "categories", "metadata", "created_at"}
)
_CATEGORIES = {
    "personal_details": "personal",
    "personal_information": "personal",
    "family": "personal",
    "health": "personal",
    "preferences": "preference",
    "user_preferences": "preference",
    "likes": "preference",
    "projects": "project",
    "work": "project",
    "professional_details": "personal",
}
_GONE = ("deleted", "archived")
_SPLIT = "split it, or make it JSON Lines: jq -c '.[]' FILE > FILE.jsonl"


def detects(seen: Glimpse) -> int:
    """Whether a file is such an export."""
    outline = seen.outline
    if outline.shape not in ("array", "lines", "object"):
        return NO
    if outline.shape == "object" and not {*_LISTS} & {*outline.names}:
        # A file of JSON Lines that has one line.
        return LIKELY if _looks_like(dict(outline.members)) else NO
    found = [one for one in map(fields_of, outline.items) if one and "relationship" not in one]
    fitting = [one for one in found if _looks_like(one)]
    if not fitting or len(fitting) * 2 < len(found):
        return NO
    return SURE if any("memory" in one and "id" in one for one in fitting) else LIKELY


def _looks_like(fields: Mapping[str, object]) -> bool:
    if text_in(fields, "type") in ("entity", "relation"):
        return False
    return bool(text_in(fields, *_TEXTS)) and "key" not in fields and bool(_SIGNS & fields.keys())


def read(path: str, clock: Clock) -> Iterator[Imported]:
    """Its memories, and the relations between them, as facts."""
    file = os.path.basename(path)
    with_lines = _is_of_lines(path)
    yield from _of_lines(path, file, clock) if with_lines else _of_json(path, file, clock)


def _is_of_lines(path: str) -> bool:
    if path.lower().endswith((".jsonl", ".ndjson")):
        return True
    seen = glimpse(path)
    return isinstance(seen, Glimpse) and seen.outline.shape == "lines"


def _of_lines(path: str, file: str, clock: Clock) -> Iterator[Imported]:
    lines, otherwise = json_lines(path), time_of_file(path, clock)
    if isinstance(lines, Unread):
        yield LeftOut(file, f"the file {lines.why}")
        return
    for number, value in lines:
        place = f"{file}, line {number:,}"
        if isinstance(value, Broken):
            yield LeftOut(place, value.why)
        else:
            yield _memory(value, file, place, clock, otherwise)


def _of_json(path: str, file: str, clock: Clock) -> Iterator[Imported]:
    text, otherwise = read_text(path, MAX_JSON_BYTES), time_of_file(path, clock)
    if isinstance(text, Unread):
        too_large = "at once" in text.why
        yield LeftOut(file, f"the file {text.why}" + (f"; {_SPLIT}" if too_large else ""))
        return
    single: dict[str, object] = {}
    for piece in pieces(text, (*_LISTS, _RELATIONS)):
        if isinstance(piece, Broken):
            yield LeftOut(f"{file}, {place_of(text, piece.at)}", piece.why)
        elif piece.number is None:
            single[piece.name] = piece.value
        else:
            place = f"{file}, item {piece.number + 1:,}"
            if piece.name == _RELATIONS:
                yield _relation(piece.value, file, f"{place} of the relations", otherwise)
            else:
                yield _memory(piece.value, file, place, clock, otherwise)
    if _looks_like(single):
        yield _memory(single, file, file, clock, otherwise)


def _memory(value: object, file: str, place: str, clock: Clock, otherwise: datetime) -> Imported:
    fields = fields_of(value)
    text = value if isinstance(value, str) else text_in(fields, *_TEXTS)
    if not text.strip():
        what = f"it is {word_for(value)}" if not fields else "it has no text"
        return LeftOut(place, f"{what}, and no memory")
    why = _gone(fields, clock)
    if why:
        return LeftOut(place, why)
    categories = texts_in(fields, "categories") or texts_in(fields, "category")
    at = time_in(fields, clock, "created_at", "createdAt", "timestamp", "updated_at")
    told = Found(
        text,
        at or otherwise,
        _category(categories),
        categories,
        text_in(fields, "id", "memory_id"),
        accessed_at=time_in(fields, clock, "updated_at", "updatedAt") or at,
        more={
            "user": text_in(fields, "user_id", "userId"),
            "agent": text_in(fields, "agent_id"),
            **kept_aside(fields, frozenset({"metadata"})),
        },
    )
    return fact(told, Origin(TOOL, file), place)


def _gone(fields: Mapping[str, object], clock: Clock) -> str:
    """Why a memory does not count any more there; "" where it does."""
    state = text_in(fields, "state", "status").casefold()
    if state in _GONE or fields.get("deleted_at") or fields.get("is_deleted") is True:
        return f"it is {state or 'deleted'} in mem0"
    until = text_in(fields, "expiration_date")[:10]
    try:
        expired = bool(until) and date.fromisoformat(until) < clock.calendar.day(clock.now)
    except ValueError:
        expired = False
    return f"it expired on {until}" if expired else ""


def _category(categories: list[str]) -> str:
    for one in categories:
        name = one.strip().casefold().replace(" ", "_")
        if name in CATEGORIES or name in _CATEGORIES:
            return _CATEGORIES.get(name, name)
    return ""


def _relation(value: object, file: str, place: str, at: datetime) -> Imported:
    fields = fields_of(value)
    parts = (
        text_in(fields, "source", "from"),
        text_in(fields, "relationship", "relation", "relationType").replace("_", " "),
        text_in(fields, "destination", "target", "to"),
    )
    if not all(parts):
        return LeftOut(place, f"it is {word_for(value)}, and no relation")
    return fact(Found(" ".join(parts), at), Origin(TOOL, file), place)


FORMAT = Format(TOOL, "an export of mem0: JSON, or JSON Lines", detects, read)

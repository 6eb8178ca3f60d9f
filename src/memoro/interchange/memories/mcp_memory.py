"""The reference memory server of the Model Context Protocol: entities, what was observed of them,
and relations between them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from datetime import datetime

from memoro.interchange.formats import NO, SURE, Clock, Format, Imported
from memoro.interchange.memories.instructions import time_of_file
from memoro.interchange.reading.files import MAX_JSON_BYTES, Unread, read_text
from memoro.interchange.reading.glimpse import Glimpse
from memoro.interchange.reading.json_lines import json_lines
from memoro.interchange.reading.json_text import Broken, pieces, place_of
from memoro.interchange.reading.making import Found, Origin, fact
from memoro.interchange.reading.values import fields_of, text_in, word_for
from memoro.memory.imported import ImportedRecord, LeftOut
from memoro.memory.records import GLOBAL, TOPIC, Record
from memoro.memory.topics import MAX_LINKED_FACTS, fold_name, one_line, to_text

TOOL = "mcp-memory"
_LISTS = {"entities": "entity", "relations": "relation"}
_MARKS = frozenset({"entityType", "relationType", "observations"})


class _Entity:
    """What the lines of a file say of one name."""

    def __init__(self) -> None:
        self.kinds: dict[str, None] = {}
        self.facts: dict[str, None] = {}
        self.related: dict[str, None] = {}


def detects(seen: Glimpse) -> int:
    """Whether a file is its store: JSON Lines, or the one object of its first versions."""
    outline = seen.outline
    if outline.shape == "lines":
        found = [_type_of(fields_of(one)) for one in outline.items]
        return SURE if any(found) and sum(map(bool, found)) * 2 >= len(found) else NO
    if outline.shape == "object":
        if _type_of(dict(outline.members)):
            return SURE
        # Of a list that is empty nothing is seen.
        listed = {*_LISTS} & {*outline.names}
        marked = any(_MARKS & fields_of(one).keys() for one in outline.items)
        return SURE if listed == {*_LISTS} or (listed and marked) else NO
    return NO


def _type_of(fields: Mapping[str, object]) -> str:
    if fields.get("type") == "entity" and "name" in fields:
        return "entity"
    return "relation" if fields.get("type") == "relation" and "from" in fields else ""


def read(path: str, clock: Clock) -> Iterator[Imported]:
    """A fact for each observation and relation, then a topic for each entity that links them."""
    file, at = os.path.basename(path), time_of_file(path, clock)
    entities: dict[str, _Entity] = {}
    for value, place in _values(path, file):
        if isinstance(value, LeftOut):
            yield value
        else:
            yield from _told(fields_of(value), value, place, Origin(TOOL, file), at, entities)
    for name, entity in entities.items():
        if entity.kinds or entity.facts:
            yield _topic(name, entity, Origin(TOOL, file), at)


def _values(path: str, file: str) -> Iterator[tuple[object, str]]:
    """The entities and relations of either form, and where they stand."""
    text = read_text(path, MAX_JSON_BYTES)
    if not isinstance(text, Unread) and '"entities"' in text[:100]:
        for piece in pieces(text, _LISTS):
            if isinstance(piece, Broken):
                place = f"{file}, {place_of(text, piece.at)}"
                yield LeftOut(place, piece.why), place
            elif piece.name in _LISTS and piece.number is not None:
                fields = {"type": _LISTS[piece.name], **fields_of(piece.value)}
                yield fields, f"{file}, {_LISTS[piece.name]} {piece.number + 1:,}"
        return
    lines = json_lines(path)
    if isinstance(lines, Unread):
        yield LeftOut(file, f"the file {lines.why}"), file
        return
    for number, value in lines:
        place = f"{file}, line {number:,}"
        yield (LeftOut(place, value.why) if isinstance(value, Broken) else value), place


def _told(
    fields: Mapping[str, object],
    value: object,
    place: str,
    origin: Origin,
    at: datetime,
    entities: dict[str, _Entity],
) -> Iterator[Imported]:
    kind = text_in(fields, "type")
    if kind == "entity":
        yield from _observed(fields, place, origin, at, entities)
    elif kind == "relation":
        yield _related(fields, place, origin, at, entities)
    else:
        what = f"of type {kind!r}" if kind else word_for(value)
        yield LeftOut(place, f"it is {what}, neither an entity nor a relation")


def _observed(
    fields: Mapping[str, object],
    place: str,
    origin: Origin,
    at: datetime,
    entities: dict[str, _Entity],
) -> Iterator[Imported]:
    name = one_line(text_in(fields, "name"))
    if not name:
        yield LeftOut(place, f"its name is {word_for(fields.get('name'))}")
        return
    entity = entities.setdefault(name, _Entity())
    kind = one_line(text_in(fields, "entityType"))
    if kind:
        entity.kinds[kind] = None
    listed = fields.get("observations", [])
    if not isinstance(listed, list):
        yield LeftOut(place, f"the observations of {name} are {word_for(listed)}, not a list")
        return
    for number, one in enumerate(listed, 1):
        where = f"{place}, observation {number:,}"
        if not isinstance(one, str) or not one.strip():
            yield LeftOut(where, f"it is {word_for(one)}" if not isinstance(one, str) else "empty")
            continue
        # After a colon it would be read as the value of one attribute, which the next one replaces.
        said = f"{name} — {one}"
        own = f"{name} › {one_line(one)}"
        found = fact(
            Found(said, at, tags=[name, *([kind] if kind else [])], more={"id": own}), origin, where
        )
        if isinstance(found, ImportedRecord):
            entity.facts[own] = None
        yield found


def _related(
    fields: Mapping[str, object],
    place: str,
    origin: Origin,
    at: datetime,
    entities: dict[str, _Entity],
) -> Imported:
    source, target = one_line(text_in(fields, "from")), one_line(text_in(fields, "to"))
    relation = one_line(text_in(fields, "relationType"))
    if not (source and target and relation):
        missing = next(one for one in ("from", "to", "relationType") if not text_in(fields, one))
        return LeftOut(place, f"the relation has no {missing!r}")
    own = f"{source} › {relation} › {target}"
    for name in (source, target):
        entities.setdefault(name, _Entity()).facts[own] = None
    entities[source].related[target] = None
    text = f"{source} {relation.replace('_', ' ')} {target}"
    return fact(Found(text, at, tags=[source, target], more={"id": own}), origin, place)


def _topic(name: str, entity: _Entity, origin: Origin, at: datetime) -> Imported:
    """An entity as a topic: its type, what it is related to, and the facts of it."""
    links = " ".join(f"[[{one}]]" for one in list(entity.related)[:20])
    summary = " ".join(part for part in (", ".join(entity.kinds), links) if part)
    data = {
        "name": name,
        "mentions": 1 + len(entity.facts),
        "first_seen": to_text(at),
        "last_seen": to_text(at),
        "facts": list(entity.facts)[-MAX_LINKED_FACTS:],
        **origin.data(),
    }
    record = Record("", TOPIC.name, GLOBAL, fold_name(name), summary, at, at, data)
    return ImportedRecord(record._replace(trust=origin.trust), f"{origin.file}, entity {name}")


FORMAT = Format(TOOL, "the file of the reference MCP memory server", detects, read)

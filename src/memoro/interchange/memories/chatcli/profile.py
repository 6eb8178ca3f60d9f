"""Its profile, as the pairs that would say the same here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from memoro.interchange.formats import Clock, Imported
from memoro.interchange.memories.chatcli.stores import TOOL, items_in
from memoro.interchange.reading.making import Origin
from memoro.interchange.reading.values import (
    fields_of,
    text_in,
    texts_in,
    time_in,
    time_of,
    word_for,
)
from memoro.memory.imported import ImportedRecord, LeftOut
from memoro.memory.profile.splitting import quoted
from memoro.memory.records import GLOBAL, PROFILE, Record, Trust

_SCALARS = (
    "name",
    "role",
    "expertise_level",
    "preferred_language",
    "communication_style",
    "company",
    "location",
)
_LISTS = ("certifications", "skills", "goals", "interests", "directives")
_NAMED = {"environment": ("environment", "env_"), "preferences": ("pref:", "")}
"""What its metadata calls these items, and what stands before their names here."""
_NOT_OF_THE_PERSON = frozenset({"top_commands", "last_updated", "field_meta"})
_KNOWN = frozenset({*_SCALARS, *_LISTS, "stances", "milestones", *_NAMED}) | _NOT_OF_THE_PERSON


class _Profile:
    """One profile: its fields, and what is known of each."""

    def __init__(
        self, fields: Mapping[str, object], file: str, clock: Clock, otherwise: datetime
    ) -> None:
        self.fields = fields
        self.clock = clock
        self._file = file
        self._meta = fields_of(fields.get("field_meta"))
        self._at = time_in(fields, clock, "last_updated") or otherwise

    def told(
        self, field: str, key: str, value: str, when: datetime | None = None
    ) -> ImportedRecord:
        """A pair that says the same; `field` is what it is called there."""
        known = fields_of(self._meta.get(field))
        at = when or time_in(known, self.clock, "confirmed_at", "updated_at") or self._at
        data: dict[str, Any] = Origin(TOOL, self._file).data(source=text_in(known, "source"))
        if known.get("sensitive") is True:
            data["sensitive"] = True
        record = Record("", PROFILE.name, GLOBAL, key, value, at, at, data, Trust.INFERRED)
        return ImportedRecord(record, f"{self._file}, {field}")

    def left_out(self) -> Iterator[LeftOut]:
        """What is not understood."""
        for name, value in self.fields.items():
            if name not in _KNOWN and value:
                yield LeftOut(f"{self._file}, {name}", "the profile has no such field here")
            elif _is_wrong(name, value):
                yield LeftOut(f"{self._file}, {name}", f"it is {word_for(value)}")


def read_profile(folder: str, clock: Clock, otherwise: datetime) -> Iterator[Imported]:
    """The profile's fields and items, each as a record whose key and text are what `profile set`
    would be given."""
    name = "user_profile.json"
    fields: dict[str, object] = {}
    for one in items_in(folder, name):
        if isinstance(one, LeftOut):
            yield one
        elif one.name:
            fields[one.name] = one.value
        else:
            yield LeftOut(one.place, f"it is {word_for(one.value)}, not a field")
    yield from profile_of(fields, name, clock, otherwise)


def profile_of(
    fields: Mapping[str, object], file: str, clock: Clock, otherwise: datetime
) -> Iterator[Imported]:
    """One of its profiles."""
    profile = _Profile(fields, file, clock, otherwise)
    yield from _plain(profile)
    yield from _stances(profile)
    yield from _milestones(profile)
    yield from _named(profile)
    yield from profile.left_out()


def _plain(profile: _Profile) -> Iterator[ImportedRecord]:
    for field in _SCALARS:
        value = text_in(profile.fields, field)
        if value:
            yield profile.told(field, field, value)
    for field in _LISTS:
        for item in texts_in(profile.fields, field):
            yield profile.told(field, field, quoted(item.strip()))


def _stances(profile: _Profile) -> Iterator[ImportedRecord]:
    for one in _objects(profile.fields.get("stances")):
        position, reason = text_in(one, "position", "text"), text_in(one, "reason")
        if position:
            value = quoted(f"{position} :: {reason}" if reason else position)
            yield profile.told(
                "stances", "stance", value, time_in(one, profile.clock, "updated_at")
            )


def _milestones(profile: _Profile) -> Iterator[ImportedRecord]:
    for one in _objects(profile.fields.get("milestones")):
        at, text = time_of(one.get("date"), profile.clock), text_in(one, "text", "title")
        if text:
            day = profile.clock.calendar.day(at).isoformat() if at else ""
            yield profile.told(
                "milestones", "milestone", quoted(f"{day}: {text}" if day else text), at
            )


def _named(profile: _Profile) -> Iterator[ImportedRecord]:
    for group, (there, here) in _NAMED.items():
        for name, value in fields_of(profile.fields.get(group)).items():
            if isinstance(value, str | int | float) and str(value).strip():
                field = f"{there}{name}" if there.endswith(":") else there
                yield profile.told(field, f"{here}{name}", str(value))


def _objects(value: object) -> list[Mapping[str, object]]:
    listed = value if isinstance(value, list) else []
    return [fields_of(one) if isinstance(one, dict) else {"text": one} for one in listed]


def _is_wrong(name: str, value: object) -> bool:
    if value is None or name in _NOT_OF_THE_PERSON:
        return False
    if name in _SCALARS:
        return not isinstance(value, str)
    if name in _NAMED:
        return not isinstance(value, dict)
    return not isinstance(value, list) and not (name in _LISTS and isinstance(value, str))

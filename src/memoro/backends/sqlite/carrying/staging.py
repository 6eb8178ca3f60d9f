"""Lines of an export on their way in: read and checked in the scratch database."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import apsw

from memoro.backends.sqlite.carrying.forms import (
    BY_TYPE,
    CHANGE,
    CHANGE_FIELDS,
    LOGGED,
    LOGGED_FIELDS,
    RECORD,
    Table,
)
from memoro.backends.sqlite.carrying.scratch import SCRATCH
from memoro.backends.sqlite.database import run
from memoro.backends.sqlite.rows import COLUMNS, PLACES, to_json, to_row, to_text, to_time
from memoro.memory.plain.form import Problem, Read, from_plain
from memoro.memory.plain.values import is_id

MOST_TOLD = 10_000
"""So many lines that could not be taken are told one by one; what is beyond is counted."""
_MOST_NAMES = 20
_INSERT_RECORD = f"INSERT INTO {SCRATCH}.records ({COLUMNS}) VALUES ({PLACES})"
_INSERT_CHANGE = (
    f"INSERT INTO {SCRATCH}.change_sets (id, at, action, writer, run, message, undoes, final)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
)
_INSERT_LOGGED = f"INSERT INTO {SCRATCH}.changes VALUES (?, ?, ?, ?, ?, ?, ?, ?)"


class Rejected(NamedTuple):
    """A line that could not be taken, by its place, and why."""

    place: str
    why: str


class _UnfitError(ValueError):
    """A line that says something that can't be."""


class Staging:
    """Takes lines in. `counts` are those that were taken, by type; `unknown` counts the fields that
    no line of a type has, and that were left out; `loose` counts entries of the log that undo one
    which is not in the file, and came without saying so."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self._entry: tuple[object, int] = (None, 0)
        self.counts: dict[str, int] = {}
        self.rejected: list[Rejected] = []
        self.more_rejected: int = 0
        self.unknown: dict[str, Counter[str]] = {}
        self.loose: int = 0

    def take(self, place: str, line: Mapping[str, Any]) -> None:
        """Put a line in, or note why it can't be."""
        kind = str(line.get("type"))
        try:
            self._put(kind, line)
        except (
            apsw.ConstraintError,
            apsw.MismatchError,
            TypeError,
            ValueError,
            OverflowError,
        ) as error:
            self._reject(place, _why(error))
        else:
            self.counts[kind] = self.counts.get(kind, 0) + 1

    def _reject(self, place: str, why: str) -> None:
        if len(self.rejected) < MOST_TOLD:
            self.rejected.append(Rejected(place, why))
        else:
            self.more_rejected += 1

    def _put(self, kind: str, line: Mapping[str, Any]) -> None:
        if kind == RECORD:
            found = self._read({name: one for name, one in line.items() if name != "type"})
            run(self._connection, _INSERT_RECORD, to_row(found.record))
            self._note_unknown(kind, found.unknown)
        elif kind == CHANGE:
            with self._connection:
                self._put_change(line)
        elif kind == LOGGED:
            self._put_logged(line, line.get("change"))
        elif kind in BY_TYPE:
            self._put_row(BY_TYPE[kind], line)
        else:
            raise _UnfitError(f"lines of type {line.get('type')!r} are not known")

    def _put_row(self, table: Table, line: Mapping[str, Any]) -> None:
        values = [_value(table, name, line.get(name)) for name in table.columns]
        # What is missing gets the default that the table has for it.
        known = [at for at, value in enumerate(values) if value is not None]
        columns = ", ".join(table.columns[at] for at in known)
        places = ", ".join("?" * len(known))
        sql = f"INSERT INTO {SCRATCH}.{table.name} ({columns}) VALUES ({places})"
        run(self._connection, sql, [values[at] for at in known])
        self._note_unknown(table.type, line.keys() - {"type", *table.columns})

    def _put_change(self, line: Mapping[str, Any]) -> None:
        number, undoes = line.get("id"), line.get("undoes")
        if not isinstance(number, int) or isinstance(number, bool):
            raise _UnfitError("it does not fit: id is no whole number")
        if undoes is not None and not self._has_change(undoes):
            undoes, self.loose = None, self.loose + 1
        told = [_at(line.get("at")), *(line.get(one) for one in CHANGE_FIELDS[2:6])]
        run(self._connection, _INSERT_CHANGE, [number, *told, undoes, int(bool(line.get("final")))])
        # Version 1 of the form has the records of an entry on its line.
        listed = line.get("records", ())
        for one in listed:
            self._put_logged(one, number)
        self._note_unknown(CHANGE, line.keys() - {"type", "records", *CHANGE_FIELDS})

    def _has_change(self, number: object) -> bool:
        sql = f"SELECT 1 FROM {SCRATCH}.change_sets WHERE id = ?"
        return bool(run(self._connection, sql, [number]))

    def _put_logged(self, one: Mapping[str, Any], change: object) -> None:
        sides: list[str | None] = []
        for side in ("before", "after"):
            found = None if one.get(side) is None else self._read(one[side], side)
            sides.append(None if found is None else to_json(found.record))
            self._note_unknown(LOGGED, () if found is None else found.unknown)
        named = (one.get("id"), one.get("kind"), one.get("scope"), one.get("key"))
        position = self._position(change)
        run(self._connection, _INSERT_LOGGED, [change, position, *named, *sides])
        self._entry = (change, position + 1)
        self._note_unknown(LOGGED, one.keys() - {"type", *LOGGED_FIELDS})

    def _position(self, change: object) -> int:
        if self._entry[0] == change:
            return self._entry[1]
        sql = f"SELECT coalesce(max(position) + 1, 0) FROM {SCRATCH}.changes WHERE change_set = ?"
        return int(str(run(self._connection, sql, [change])[0][0]))

    def _read(self, value: object, side: str = "") -> Read:
        found = from_plain(value)
        if isinstance(found, Problem):
            where = f"{side}: " if side else ""
            raise _UnfitError(f"{where}{found.field}: {found.what}" if found.field else found.what)
        return found

    def _note_unknown(self, kind: str, names: Iterable[str]) -> None:
        for name in names:
            counted = self.unknown.setdefault(kind, Counter())
            counted[name if name in counted or len(counted) < _MOST_NAMES else "…"] += 1


def _why(error: Exception) -> str:
    if isinstance(error, _UnfitError):
        return str(error)
    if getattr(error, "extendedresult", 0) == apsw.SQLITE_CONSTRAINT_FOREIGNKEY:
        return "it does not fit: what it belongs to is not in the file"
    return f"it does not fit: {error}"


def _value(table: Table, name: str, value: object) -> object:
    """A column's value; a time in the one form in which times are kept."""
    if value is not None and (name == "at" or name.endswith("_at")):
        return _at(value)
    # The ID of a conversation becomes the name of a file; that of a tool call is a number.
    is_named = name in ("id", "session") and table.name != "tool_calls"
    if is_named and not (isinstance(value, str) and is_id(value)):
        raise _UnfitError(f"it does not fit: {name} is no ID")
    if name == "blocks" and not _are_blocks(value):
        raise _UnfitError("it does not fit: blocks are no JSON object of numbers")
    return value


def _at(value: object) -> str:
    return to_text(to_time(str(value)))


def _are_blocks(value: object) -> bool:
    found = json.loads(str(value))
    return isinstance(found, dict) and all(isinstance(one, int) for one in found.values())

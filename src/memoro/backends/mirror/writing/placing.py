"""Which files a change concerns. A record stays in the file that it was first put into, so that one
new fact among 100,000 is one line of one file."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

import apsw

from memoro.backends.mirror.names import BY_KIND, Group, group_of, number_of
from memoro.backends.mirror.state import Known
from memoro.backends.sqlite.database import run

MOST_RECORDS = 500
MOST_BYTES = 1024 * 1024
"""A file that has so many records, or bytes, takes no more."""

_OVERHEAD = 300
"""About how much of a line is not the text."""

_CHANGED = "SELECT record_id FROM changes WHERE change_set > ?"


class Placed(NamedTuple):
    """The `files` to be written, each with the records that are new in it; whether any record has
    changed at all."""

    files: dict[str, list[str]]
    is_changed: bool


def place(
    connection: apsw.Connection,
    upto: int | None,
    known: Mapping[str, Known],
    hints: Mapping[str, str],
    shut: Collection[str],
) -> Placed:
    """Find the files that the changes after `upto` concern; None: all.

    Args:
        connection: the store.
        upto: the last change that is in the files.
        known: the files that there are.
        hints: where somebody has put a record that is new.
        shut: files that can't be written now, and so take nothing new.
    """
    touched = _touched(connection, upto)
    files: dict[str, list[str]] = {name: [] for name in touched}
    rooms: dict[str, _Room] = {}
    unplaced = _unplaced(connection, upto)
    for record, kind, size in unplaced:
        group = BY_KIND.get(kind)
        if group is None:
            continue
        room = rooms.get(group.stem)
        if room is None:
            room = rooms[group.stem] = _Room(connection, group, known, shut)
        files.setdefault(room.take(size, hints.get(record)), []).append(record)
    return Placed(files, upto is None or bool(touched or unplaced))


class _Room:
    """What the files of a group still take; the first with room is taken."""

    def __init__(
        self,
        connection: apsw.Connection,
        group: Group,
        known: Mapping[str, Known],
        shut: Collection[str],
    ) -> None:
        self._group = group
        self._shut = shut
        rows = run(
            connection,
            "SELECT file, count(*) FROM derived_mirror_lines WHERE file GLOB ? GROUP BY file",
            [f"{group.stem}*"],
        )
        self._counts: dict[str, int] = {
            str(file): int(str(count)) for file, count in rows if group_of(str(file)) == group
        }
        self._sizes: dict[str, int] = {
            name: max(0, one.seen.size) for name, one in known.items() if group_of(name) == group
        }
        self._next = 1

    def take(self, size: int, wanted: str | None) -> str:
        """The file for a record of that size, preferably the one where it was wanted."""
        if wanted is not None and group_of(wanted) == self._group and self._has_room(wanted):
            return self._put(wanted, size)
        while not self._has_room(self._group.file(self._next)):
            self._next += 1
        return self._put(self._group.file(self._next), size)

    def _has_room(self, name: str) -> bool:
        return (
            name not in self._shut
            and self._counts.get(name, 0) < MOST_RECORDS
            and self._sizes.get(name, 0) < MOST_BYTES
        )

    def _put(self, name: str, size: int) -> str:
        self._counts[name] = self._counts.get(name, 0) + 1
        self._sizes[name] = self._sizes.get(name, 0) + size
        return name


def first_of_its_group(name: str) -> bool:
    """Whether a file stays where its group has no record: it is where one would be added."""
    return number_of(name) == 1


def _touched(connection: apsw.Connection, upto: int | None) -> list[str]:
    """The files that have a line of a record that was changed."""
    where, values = "", []
    if upto is not None:
        where, values = f" WHERE record IN ({_CHANGED})", [upto]
    return _names(run(connection, f"SELECT DISTINCT file FROM derived_mirror_lines{where}", values))


def _unplaced(connection: apsw.Connection, upto: int | None) -> list[tuple[str, str, int]]:
    """The records that stand in no file yet, the oldest first, each with its kind and size."""
    where, values = "", []
    if upto is not None:
        where, values = f" AND id IN ({_CHANGED})", [upto]
    rows = run(
        connection,
        "SELECT id, kind, length(CAST(text AS BLOB)) + length(data) FROM records"
        " WHERE NOT EXISTS (SELECT 1 FROM derived_mirror_lines WHERE record = id)"
        f"{where} ORDER BY created_at, id",
        values,
    )
    return [(str(record), str(kind), int(str(size)) + _OVERHEAD) for record, kind, size in rows]


def _names(rows: Iterable[tuple[object, ...]]) -> list[str]:
    return [str(row[0]) for row in rows]

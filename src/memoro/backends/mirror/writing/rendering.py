"""What a file of records is to have: a line for each, the newest first."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

import apsw

from memoro.backends.mirror.names import page_of
from memoro.backends.mirror.state import Line, lines_in
from memoro.backends.sqlite.database import run
from memoro.backends.sqlite.rows import COLUMNS, to_record
from memoro.memory.episodes import day_of
from memoro.memory.plain.form import digest_of_line, line_of
from memoro.memory.plain.listing import text_of
from memoro.memory.records import DAILY, EPISODE, Record

DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_ON_PAGES = frozenset({DAILY.name, EPISODE.name})
_RECORD = ", ".join(f"r.{name}" for name in COLUMNS.split(", "))


class Rendered(NamedTuple):
    """The bytes of a file and the lines in it; `before` those that it had."""

    data: bytes
    lines: dict[str, Line]
    before: dict[str, Line]

    @property
    def gone(self) -> list[str]:
        """The records that are no more in it."""
        return [record for record in self.before if record not in self.lines]

    def pages(self) -> set[str]:
        """The pages of days that have something else now."""
        changed = {
            record
            for record in self.before.keys() | self.lines.keys()
            if self.before.get(record) != self.lines.get(record)
        }
        both = (side.get(record) for side in (self.before, self.lines) for record in changed)
        return {line.page for line in both if line is not None and line.page is not None}


def render(connection: apsw.Connection, name: str, new: Sequence[str]) -> Rendered:
    """A file as it is to be, with these records that are new in it."""
    before = lines_in(connection, name)
    rows = list(
        run(
            connection,
            f"SELECT {_RECORD} FROM derived_mirror_lines l JOIN records r ON r.id = l.record"
            " WHERE l.file = ?",
            [name],
        )
    )
    for record in new:
        rows += run(connection, f"SELECT {COLUMNS} FROM records WHERE id = ?", [record])
    records = sorted((to_record(row) for row in rows), key=_by_id)
    records.sort(key=_made_at, reverse=True)
    texts = [line_of(record, counters=False) for record in records]
    lines = {
        record.id: Line(name, digest_of_line(text), day_page(record))
        for record, text in zip(records, texts, strict=True)
    }
    return Rendered(text_of(texts).encode(), lines, before)


def day_page(record: Record) -> str | None:
    """The page of a day that a record stands on, too."""
    if record.kind not in _ON_PAGES or not DAY.fullmatch(day_of(record)):
        return None
    return page_of(day_of(record))


def _by_id(record: Record) -> str:
    return record.id


def _made_at(record: Record) -> datetime:
    return record.created_at

"""Files of other tools, and how they are read."""

from __future__ import annotations

import json
import os
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, NamedTuple

from memoro.errors import Refusal
from memoro.interchange.detecting import format_named, format_of
from memoro.interchange.formats import Clock
from memoro.memory.imported import ImportedRecord, LeftOut
from memoro.memory.records import Record

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
WRITTEN = datetime(2026, 11, 1, 8, tzinfo=UTC)
"""When the files of these tests were last changed."""


class Days:
    """The user's days, in UTC."""

    def day(self, at: datetime) -> date:
        """The day of an instant."""
        return at.astimezone(UTC).date()

    def start(self, day: date) -> datetime:
        """Its beginning."""
        return datetime(day.year, day.month, day.day, tzinfo=UTC)


class Read(NamedTuple):
    """What was read, in its order."""

    records: list[Record]
    left_out: list[LeftOut]

    def of(self, kind: str) -> list[Record]:
        """The records of one kind."""
        return [one for one in self.records if one.kind == kind]

    def texts(self, kind: str) -> list[str]:
        """The texts of one kind."""
        return [one.text for one in self.of(kind)]

    @property
    def whys(self) -> str:
        """All reasons, a line each."""
        return "\n".join(f"{one.place}: {one.why}" for one in self.left_out)


def write(path: Path, content: Any) -> Path:
    """Write a file: bytes, text, or what becomes JSON; last changed at a fixed time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
        path.write_text(text, encoding="utf-8")
    os.utime(path, (WRITTEN.timestamp(), WRITTEN.timestamp()))
    return path


def lines(*values: Any) -> str:
    """JSON Lines."""
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in values)


def kind_of(path: Path) -> str:
    """The kind that is found, or the refusal's words."""
    found = format_of(str(path))
    return found.what if isinstance(found, Refusal) else found.name


def read(path: Path, kind: str | None = None) -> Read:
    """Read a path, as the kind that it looks like, or as another."""
    found = format_of(str(path)) if kind is None else format_named(kind)
    assert not isinstance(found, Refusal), found
    records: list[Record] = []
    left_out: list[LeftOut] = []
    for one in found.read(str(path), Clock(NOW, Days())):
        if isinstance(one, LeftOut):
            left_out.append(one)
        else:
            assert isinstance(one, ImportedRecord)
            records.append(one.record)
    return Read(records, left_out)

"""The frame of an export: its first line, its last one, and what can be told from these."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import NamedTuple

from memoro.memory.imported import ImportedRecord, LeftOut
from memoro.memory.plain.form import Problem, from_plain

NAME = "memoro"
"""What the first line has the form's version under."""
FORM = 2
"""The form that is written. Version 1 had no last line, and all records of a change in one."""
CLOSING = "end"
"""The type of the last line."""
HEAD = frozenset({NAME, "kinds", "scopes", "since", "redacted"})
"""The fields of the first line."""


class Tally:
    """Counts lines, and makes a digest of them: of their UTF-8 text with `\\n` as their end."""

    def __init__(self) -> None:
        self.lines: int = 0
        self._digest = sha256()

    def add(self, line: bytes) -> None:
        """Count a line, which has no end."""
        self.lines += 1
        self._digest.update(line)
        self._digest.update(b"\n")

    def closing(self) -> dict[str, object]:
        """The last line."""
        return {"type": CLOSING, "lines": self.lines, "sha256": self._digest.hexdigest()}


class Examined(NamedTuple):
    """What can be told of an export as a whole: the version of its form, None where it has no first
    line; how many lines it has; and `missing`, why it is not whole, "" where it is."""

    form: int | None
    lines: int
    missing: str = ""


def missing_of(form: int, before: Tally, last: Mapping[str, object] | None) -> str:
    """Why an export is not whole.

    Args:
        form: the version of its form.
        before: all of its lines but the last one.
        last: what the last line says; None where that is no JSON.
    """
    number = before.lines + 1
    if last is None:
        return f"it was cut off in line {number:,}"
    if form == 1:
        # Nothing tells whether it is whole where it was cut between two lines.
        return ""
    if last.get("type") != CLOSING:
        return f"it was cut off after line {number:,}: there is no closing line"
    closing = before.closing()
    if last.get("lines") != closing["lines"]:
        return (
            f"its closing line tells of {last.get('lines')} lines before it, not {before.lines:,}"
        )
    if last.get("sha256") != closing["sha256"]:
        return "it was changed after it was written: it has other lines than its closing line says"
    return ""


def record_in(place: str, line: Mapping[str, object]) -> tuple[ImportedRecord | LeftOut, list[str]]:
    """The record that a line of that type holds, or why it holds none; and the names of fields that
    no record has."""
    found = from_plain({name: value for name, value in line.items() if name != "type"})
    if isinstance(found, Problem):
        why = f"{found.field}: {found.what}" if found.field else found.what
        return LeftOut(place, why), []
    return ImportedRecord(found.record, place), list(found.unknown)

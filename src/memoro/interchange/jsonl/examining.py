"""What can be told of an export as a whole, before anything of it is used."""

from __future__ import annotations

from memoro.errors import Reason, Refusal
from memoro.interchange.jsonl.streaming import (
    MAX_HEADER_BYTES,
    MAX_LINE_BYTES,
    MAX_OLD_LINE_BYTES,
    RawLine,
    raw_lines,
)
from memoro.interchange.reading.files import Unread, decoded
from memoro.interchange.reading.json_text import Broken, parsed
from memoro.interchange.reading.values import fields_of
from memoro.memory.plain.exported import FORM, NAME, Examined, Tally, missing_of
from memoro.memory.records import shown


def examine(path: str) -> Examined | Refusal:
    """Look at every line of an export, without reading what it says; refused where it can't be
    read, or is of a form that is not known here."""
    form = _form(path)
    if isinstance(form, Refusal):
        return form
    found = raw_lines(path, most_bytes(form))
    if isinstance(found, Unread):
        return _unread(path, found.why)
    tally, last = Tally(), None
    for line in found:
        if line.why:
            return Examined(form, tally.lines, f"line {line.number:,} can't be read: {line.why}")
        if last is not None:
            tally.add(last.data)
        last = line
    if form is None:
        return Examined(None, tally.lines + 1, "it has no first line that tells its form")
    said = None if last is None else fields_in(last)
    return Examined(form, tally.lines + 1, missing_of(form, tally, said))


def most_bytes(form: int | None) -> int:
    """How long a line of a form may be."""
    return MAX_OLD_LINE_BYTES if form == 1 else MAX_LINE_BYTES


def fields_in(line: RawLine) -> dict[str, object] | None:
    """What a line says; None where it is no JSON object."""
    text = decoded(line.data)
    value = None if isinstance(text, Unread) else parsed(text)
    return dict(fields_of(value)) if isinstance(value, dict) else None


def why_broken(line: RawLine) -> str:
    """Why a line says nothing."""
    if line.why:
        return line.why
    text = decoded(line.data)
    if isinstance(text, Unread):
        return f"it {text.why}"
    value = parsed(text)
    return f"it is no JSON: {value.why}" if isinstance(value, Broken) else "it is no JSON object"


def _form(path: str) -> int | Refusal | None:
    """The version that the first line tells; None where there is no such line."""
    found = raw_lines(path, MAX_HEADER_BYTES)
    if isinstance(found, Unread):
        return _unread(path, found.why)
    first = next(iter(found), None)
    told = (fields_in(first) or {}).get(NAME) if first is not None and not first.why else None
    if told is None:
        return None
    if not isinstance(told, int) or isinstance(told, bool) or told < 1:
        return Refusal(
            Reason.FAILED,
            f"{shown(path, 200)} is of a form of exports that there is not: {shown(str(told))};"
            " nothing was changed",
        )
    if told > FORM:
        return Refusal(
            Reason.FAILED,
            f"{shown(path, 200)} is of form {told} of exports, which is newer than this Memoro;"
            " nothing was changed",
            "update Memoro, then import it again",
        )
    return told


def _unread(path: str, why: str) -> Refusal:
    return Refusal(Reason.FAILED, f"{shown(path, 200)} {why}; nothing was changed")

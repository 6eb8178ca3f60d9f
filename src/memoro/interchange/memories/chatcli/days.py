"""Its notes of days, and its digests of weeks and months."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from datetime import date, timedelta

from memoro.interchange.formats import Clock, Imported
from memoro.interchange.memories.chatcli.stores import TOOL
from memoro.interchange.memories.markdown import blocks
from memoro.interchange.reading.files import Unread, names_in, read_text
from memoro.interchange.reading.making import Origin, line_of_a_day, note
from memoro.memory.imported import LeftOut
from memoro.memory.records import Trust

_MONTH = re.compile(r"\d{6}")
_DAY = re.compile(r"(\d{4})(\d\d)(\d\d)\.md")
_TIME = re.compile(r"(\d{1,2}):(\d\d)(?::\d\d)?")
_WEEK = re.compile(r"(\d{4})-W(\d\d)\.md")
_OF_MONTH = re.compile(r"(\d{4})-(\d\d)\.md")


def read_days(folder: str, clock: Clock) -> Iterator[Imported]:
    """The notes of all days, a line each."""
    for month in names_in(folder):
        if _MONTH.fullmatch(month):
            for name in names_in(os.path.join(folder, month), folder):
                found = _DAY.fullmatch(name)
                day = found and _date(int(found[1]), int(found[2]), int(found[3]))
                if day:
                    yield from _notes_of(folder, f"{month}/{name}", day, clock)


def _notes_of(folder: str, file: str, day: date, clock: Clock) -> Iterator[Imported]:
    text = read_text(os.path.join(folder, file), root=folder)
    if isinstance(text, Unread):
        yield LeftOut(file, f"the file {text.why}")
        return
    start, origin = clock.calendar.start(day), Origin(TOOL, file)
    for block in blocks(text):
        at = min(start + _time_of(block.heading), clock.now)
        lines = [block.text] if block.kind == "point" else block.text.split("\n")
        for number, line in enumerate(lines, block.line):
            if line.strip():
                yield line_of_a_day(line, day, at, origin, f"{file}, line {number:,}")


def _time_of(heading: str) -> timedelta:
    """The time of day that a heading names, as it heads what was noted together."""
    found = _TIME.fullmatch(heading)
    hour, minute = (int(found[1]), int(found[2])) if found else (0, 0)
    return timedelta(hours=hour, minutes=minute) if hour < 24 and minute < 60 else timedelta()


def read_digests(folder: str, clock: Clock) -> Iterator[Imported]:
    """The digests, each a note that is dated at the end of its time."""
    for part, shape, word in (("weekly", _WEEK, "Week"), ("monthly", _OF_MONTH, "Month")):
        for name in names_in(os.path.join(folder, part), folder):
            found = shape.fullmatch(name)
            after = found and _after(word, int(found[1]), int(found[2]))
            if not after:
                continue
            file = f"{part}/{name}"
            text = read_text(os.path.join(folder, file), root=folder)
            if isinstance(text, Unread):
                yield LeftOut(file, f"the file {text.why}")
                continue
            at = min(clock.calendar.start(after), clock.now)
            title = f"{word} {name.removesuffix('.md')} (ChatCLI)"
            yield note(title, _without_title(text), at, Origin(TOOL, file, Trust.READ), file)


def _without_title(text: str) -> str:
    first, _, rest = text.strip("\n").partition("\n")
    return rest.strip("\n") if first.startswith("# ") and rest.strip() else text


def _after(word: str, year: int, number: int) -> date | None:
    """The day after a week or month."""
    try:
        if word == "Week":
            return date.fromisocalendar(year, number, 7) + timedelta(days=1)
        return date(year + number // 12, number % 12 + 1, 1) if 1 <= number <= 12 else None
    except (ValueError, OverflowError):
        return None


def _date(year: int, month: int, day: int) -> date | None:
    try:
        # A day far off has no midnight that could be told.
        return date(year, month, day) if 1971 <= year < 9999 else None
    except ValueError:
        return None

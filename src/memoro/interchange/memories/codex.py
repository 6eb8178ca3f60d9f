"""Codex: the memories that it keeps, and its instruction files."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from datetime import datetime
from itertools import pairwise

from memoro.interchange.formats import LIKELY, NO, SURE, Clock, Format, Imported
from memoro.interchange.memories.instructions import (
    document,
    point,
    read_document,
    time_of_file,
)
from memoro.interchange.memories.markdown import Block, blocks, header_of
from memoro.interchange.reading.files import Unread, below, read_text, shown_path
from memoro.interchange.reading.glimpse import Glimpse
from memoro.interchange.reading.making import Origin, note
from memoro.interchange.reading.values import time_of
from memoro.memory.imported import ImportedRecord, LeftOut
from memoro.memory.records import EPISODE, GLOBAL, Record, Trust
from memoro.memory.topics import one_line

TOOL = "codex"
_INSTRUCTIONS = ("AGENTS.md", "AGENTS.override.md")
_OWN = frozenset({"memory_summary.md", "raw_memories.md", "rollout_summaries"})
_GROUP = re.compile(r"^# Task Group:", re.MULTILINE)
_POINTERS = frozenset({"rollout_summary_files", "keywords", "task"})
"""Headings under which it points at other things of its own."""
_CATEGORIES = {
    "user preferences": "preference",
    "preference signals": "preference",
    "failures and how to do differently": "gotcha",
    "user profile": "personal",
}
_APPLIES = re.compile(r"^applies_to:.*?\bcwd=(/[^;,\n]{1,1000})", re.MULTILINE)
_ABOUT = re.compile(r"^(?:scope|applies_to):.*$", re.MULTILINE)
_TASKS = re.compile(r"(?:\s*\[Task \d{1,3}\])+\s*$")
_MOST_SUMMARY = 1_000


def detects(seen: Glimpse) -> int:
    """Whether a path is its memory folder (or the one that this lies in), or a file of it."""
    if seen.is_folder:
        if seen.names & _OWN or any(f"memories/{name}" in seen.names for name in _OWN):
            return SURE
        return LIKELY if seen.names & {*_INSTRUCTIONS} else NO
    if seen.name in _INSTRUCTIONS:
        return SURE
    if seen.name in ("memory_summary.md", "raw_memories.md"):
        return SURE
    return SURE if seen.name == "MEMORY.md" and _GROUP.search(seen.text) else NO


def read(path: str, clock: Clock) -> Iterator[Imported]:
    """Everything in it."""
    if not os.path.isdir(path):
        yield from _read_file(path, os.path.basename(path), None, clock)
        return
    inner = os.path.join(path, "memories")
    names = list(below(inner if os.path.isdir(inner) else path, ".md", 4, path))
    names += [one for one in _INSTRUCTIONS if os.path.lexists(os.path.join(path, one))]
    if not os.path.isdir(inner) and not {os.path.basename(one) for one in names} & {*_MAIN, *_OWN}:
        # A project, of which no file but these was written for an assistant.
        names = [one for one in names if one in _INSTRUCTIONS]
    whole = any(os.path.basename(one) == "MEMORY.md" for one in names)
    for name in dict.fromkeys(names):
        if whole and os.path.basename(name) == "raw_memories.md":
            yield LeftOut(shown_path(name), "MEMORY.md is what came of it")
        elif whole and os.path.basename(name) == "memory_summary.md":
            yield LeftOut(shown_path(name), "it sums up MEMORY.md")
        else:
            yield from _read_file(os.path.join(path, name), name, path, clock)


_MAIN = ("MEMORY.md",)


def _read_file(path: str, file: str, root: str | None, clock: Clock) -> Iterator[Imported]:
    name = os.path.basename(file)
    if name in _INSTRUCTIONS:
        folder = os.path.dirname(os.path.realpath(path))
        if os.path.basename(folder) == ".codex":
            folder = ""
        origin = Origin(TOOL, shown_path(file), Trust.READ)
        yield from read_document(path, shown_path(file), origin, clock, root=root, folder=folder)
        return
    text = read_text(path, root=root)
    if isinstance(text, Unread):
        yield LeftOut(shown_path(file), f"the file {text.why}")
        return
    origin, at = Origin(TOOL, shown_path(file)), time_of_file(path, clock)
    if "rollout_summaries" in file.split(os.sep):
        yield from _rollout(text, origin, at, clock)
    elif "skills" in file.split(os.sep):
        yield _skill(text, origin, at)
    elif name == "MEMORY.md" and _GROUP.search(text):
        yield from _handbook(text, origin, at)
    else:
        yield from document(text.removeprefix("v1\n"), origin, at, name=name.removesuffix(".md"))


def _handbook(text: str, origin: Origin, at: datetime) -> Iterator[Imported]:
    """Its main file: groups of tasks, each with what was learned in a folder."""
    starts = [found.start() for found in _GROUP.finditer(text)]
    edges = [0, *starts, len(text)]
    for start, end in pairwise(edges):
        part = text[start:end]
        if not part.strip():
            continue
        applies = _APPLIES.search(part)
        folder = applies[1].strip() if applies else ""
        first = text.count("\n", 0, start) + 1
        for block in blocks(part, first):
            yield from _of_handbook(block, origin, at, folder)


def _of_handbook(block: Block, origin: Origin, at: datetime, folder: str) -> Iterator[Imported]:
    heading = block.heading.casefold()
    if heading in _POINTERS:
        return
    headings = tuple(one.removeprefix("Task Group:").strip() for one in block.headings)
    block = block._replace(headings=headings)
    if block.kind == "point":
        block = block._replace(text=_TASKS.sub("", block.text))
        category = _CATEGORIES.get(heading, "")
        # What the user prefers is told for one folder, and kept to it.
        yield point(block, origin, at, folder=folder, category=category)
        return
    prose = _ABOUT.sub("", block.text).strip("\n")
    if prose.strip():
        read = origin._replace(trust=Trust.READ)
        yield note(
            " › ".join(("Codex", *headings)), prose, at, read, f"{origin.file}, line {block.line:,}"
        )


def _rollout(text: str, origin: Origin, at: datetime, clock: Clock) -> Iterator[Imported]:
    """A summary of one of its sessions: an episode, and the whole of it as a note."""
    head, _, body = text.partition("\n\n")
    fields = {
        name.strip(): value.strip()
        for name, colon, value in (line.partition(":") for line in head.split("\n"))
        if colon
    }
    if "thread_id" not in fields:
        fields, body = {}, text
    found = time_of(fields.get("updated_at"), clock) or at
    parts = list(blocks(body))
    if not parts:
        yield LeftOut(origin.file, "there is nothing in it")
        return
    title = next((one.headings[0] for one in parts if one.headings), "")
    summary = one_line(title or parts[0].text)[:_MOST_SUMMARY]
    project = os.path.basename(fields.get("cwd", "").rstrip("/"))
    own = fields.get("thread_id", "")
    data = {
        "date": clock.calendar.day(found).isoformat(),
        **({"project": project} if project else {}),
        **({"path": fields["cwd"]} if fields.get("cwd", "").startswith("/") else {}),
        **origin.data(own),
    }
    record = Record(
        "", EPISODE.name, GLOBAL, None, summary, found, found, data, origin.trust, valid_from=found
    )
    yield ImportedRecord(record, origin.file)
    if one_line(body) != summary:
        yield note(summary, body, found, origin._replace(trust=Trust.READ), origin.file, own)


def _skill(text: str, origin: Origin, at: datetime) -> Imported:
    header = header_of(text)
    name = header.fields.get("name") or os.path.basename(os.path.dirname(origin.file))
    return note(f"Skill: {name}", text, at, origin._replace(trust=Trust.READ), origin.file)


FORMAT = Format(TOOL, "memories or instruction files of Codex", detects, read)

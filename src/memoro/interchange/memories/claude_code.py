"""Claude Code: the memory that it keeps of each project, and its instruction files."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from datetime import datetime

from memoro.interchange.formats import LIKELY, NO, POSSIBLE, SURE, Clock, Format, Imported
from memoro.interchange.memories.instructions import (
    MAX_POINT_CHARACTERS,
    document,
    read_document,
    time_of_file,
)
from memoro.interchange.memories.markdown import Header, blocks, header_of
from memoro.interchange.reading.files import Unread, below, names_in, read_text, shown_path
from memoro.interchange.reading.glimpse import Glimpse
from memoro.interchange.reading.making import Found, Origin, fact, note
from memoro.interchange.reading.values import time_of
from memoro.memory.imported import LeftOut
from memoro.memory.records import Trust

TOOL = "claude-code"
_INSTRUCTIONS = ("CLAUDE.md", "CLAUDE.local.md")
_INDEX = "MEMORY.md"
_CATEGORIES = {
    "user": "personal",
    "feedback": "preference",
    "project": "project",
    "reference": "general",
}
"""Its types of memory, and what they are here."""
_ENTRY = re.compile(r"\[(?P<title>[^\]\n]{1,300})\]\((?P<file>[^)\s]{1,300})\)[ \t]*(?P<hook>.*)")
_MOST_FOLDERS = 2_000


def detects(seen: Glimpse) -> int:
    """Whether a path is a memory folder of it, one that holds some, or a file of it."""
    if seen.is_folder:
        return _folder(seen)
    if not seen.name.lower().endswith((".md", ".markdown")):
        return NO
    if seen.name in _INSTRUCTIONS:
        return SURE
    if is_topic(header_of(seen.text)):
        return SURE
    return SURE if seen.name == _INDEX and _is_index(seen.text) else NO


def _folder(seen: Glimpse) -> int:
    inside = any(name.endswith("/memory") for name in seen.names)
    if inside or "projects" in seen.names or ("memory" in seen.names and seen.name[:1] == "-"):
        # The folder of one project, of all, or the one above those.
        return LIKELY
    if seen.names & {"CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md"}:
        return LIKELY
    if seen.name == "memory" and any(name.endswith(".md") for name in seen.names):
        slug = os.path.basename(os.path.dirname(os.path.abspath(seen.path)))
        return LIKELY if slug.startswith("-") else POSSIBLE
    return POSSIBLE if _INDEX in seen.names else NO


def is_topic(header: Header) -> bool:
    """Whether a file's header is that of a memory."""
    fields = header.fields
    kinds = (fields.get("type", ""), fields.get("node_type", ""))
    return "name" in fields and bool({*_CATEGORIES, "memory"} & set(kinds))


def _is_index(text: str) -> bool:
    points = [one.text for one in blocks(text) if one.kind == "point"]
    entries = [one for one in points if (found := _ENTRY.match(one)) and _is_local(found["file"])]
    return bool(entries) and len(entries) * 2 >= len(points)


def read(path: str, clock: Clock) -> Iterator[Imported]:
    """Everything in it."""
    if not os.path.isdir(path):
        yield from _read_file(path, clock)
        return
    found = False
    for folder in _memory_folders(path):
        found = True
        yield from _read_memory(folder, path, clock)
    for name in (*_INSTRUCTIONS, os.path.join(".claude", "CLAUDE.md")):
        one = os.path.join(path, name)
        if os.path.lexists(one):
            found = True
            origin = Origin(TOOL, name, Trust.READ)
            # What stands in the tool's own folder holds everywhere.
            own = os.path.basename(os.path.abspath(path)) == ".claude"
            speaks_of = "" if own else os.path.realpath(path)
            yield from read_document(one, name, origin, clock, root=path, folder=speaks_of)
    if not found:
        yield from _read_memory(path, path, clock)


def _read_file(path: str, clock: Clock) -> Iterator[Imported]:
    name = os.path.basename(path)
    if name in _INSTRUCTIONS:
        folder = os.path.dirname(os.path.abspath(path))
        if os.path.basename(folder) == ".claude":
            folder = ""
        origin = Origin(TOOL, name, Trust.READ)
        yield from read_document(path, name, origin, clock, folder=folder)
    else:
        yield from _read_topic(path, name, os.path.dirname(os.path.abspath(path)), "", clock)


def _memory_folders(path: str) -> Iterator[str]:
    """The memory folders that a folder is, or holds: of one project, or of all."""
    for above in (path, os.path.join(path, "projects")):
        for name in names_in(above, path)[:_MOST_FOLDERS]:
            folder = os.path.join(above, name, "memory")
            if os.path.isdir(folder) and name.startswith("-"):
                yield folder
    if os.path.isdir(os.path.join(path, "memory")):
        yield os.path.join(path, "memory")


def _read_memory(folder: str, root: str, clock: Clock) -> Iterator[Imported]:
    """A memory folder: a fact a file, and an index of them."""
    project = folder_of(os.path.basename(os.path.dirname(os.path.abspath(folder))))
    names = list(below(folder, ".md", 3, root))
    for name in sorted(names, key=lambda one: os.path.basename(one) == _INDEX):
        yield from _read_topic(os.path.join(root, name), name, root, project, clock)


def _read_topic(path: str, file: str, root: str, project: str, clock: Clock) -> Iterator[Imported]:
    text = read_text(path, root=root)
    if isinstance(text, Unread):
        yield LeftOut(shown_path(file), f"the file {text.why}")
        return
    header = header_of(text)
    origin = Origin(TOOL, shown_path(file))
    at = time_of(header.fields.get("modified"), clock) or time_of_file(path, clock)
    if header.fields.get("name"):
        yield from _topic(header, origin, at, project)
    elif os.path.basename(file) == _INDEX:
        yield from _index(text, origin, at, os.path.dirname(path), project)
    else:
        yield from document(
            header.body, origin, at, first=header.lines + 1, folder=project, name=_stem(file)
        )


def _topic(header: Header, origin: Origin, at: datetime, project: str) -> Iterator[Imported]:
    """A memory: what it is in a line as a fact, and what there is to say of it as a note."""
    name, body = header.fields["name"], header.body.strip("\n")
    description = header.fields.get("description", "")
    kind = header.fields.get("type", "")
    parts = list(blocks(body))
    short = len(parts) == 1 and parts[0].kind == "prose" and _is_short(parts[0].text)
    text = parts[0].text if short else description or name.replace("-", " ").replace("_", " ")
    tags = [name.replace("_", " "), *([kind] if kind else [])]
    # What is known of the person holds everywhere; the rest is of the project it was learned in.
    path = "" if kind == "user" else project
    yield fact(
        Found(text, at, _CATEGORIES.get(kind, ""), tags, path=path, more={"id": name}),
        origin,
        origin.file,
    )
    if not short and body.strip():
        yield note(name, body, at, origin._replace(trust=Trust.READ), origin.file, name)


def _is_short(text: str) -> bool:
    plain = "\n\n" not in text.strip("\n") and "```" not in text
    return plain and len(text) <= MAX_POINT_CHARACTERS // 2


def _index(
    text: str, origin: Origin, at: datetime, folder: str, project: str
) -> Iterator[Imported]:
    """The index: what it points at is read there; what else it says is said here."""
    kept: list[str] = []
    for line in text.split("\n"):
        found = _ENTRY.search(line)
        if found and _is_local(found["file"]):
            there = os.path.lexists(os.path.join(folder, found["file"]))
            hook = found["hook"].strip(" -—–:")
            # A memory whose file is gone is all in its line.
            kept.append("" if there else f"- {found['title']}: {hook}" if hook else "")
        else:
            kept.append(line)
    yield from document("\n".join(kept), origin, at, folder=project, name="MEMORY")


def _is_local(target: str) -> bool:
    return target.endswith(".md") and "://" not in target and not target.startswith("/")


def _stem(file: str) -> str:
    return os.path.basename(file).removesuffix(".md").replace("-", " ").replace("_", " ")


def folder_of(slug: str) -> str:
    """The folder that a project's name there stands for ("-home-ana-my-app"); "" where none is
    there now, or several could be: the name tells no dash from a slash."""
    if not slug.startswith("-"):
        return ""
    found = list(_spelled("/", slug[1:], 0))
    return found[0] if len(found) == 1 else ""


_DEEPEST = 40


def _spelled(above: str, rest: str, depth: int) -> Iterator[str]:
    if depth > _DEEPEST:
        return
    for name in names_in(above):
        spelling = re.sub(r"[^A-Za-z0-9]", "-", name)
        path = os.path.join(above, name)
        if rest == spelling and os.path.isdir(path):
            yield path
        elif rest.startswith(f"{spelling}-") and os.path.isdir(path):
            yield from _spelled(path, rest[len(spelling) + 1 :], depth + 1)


FORMAT = Format(TOOL, "memory or instruction files of Claude Code", detects, read)

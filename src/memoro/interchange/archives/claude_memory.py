"""What Claude remembers, and the projects that were made there: facts and notes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime

from memoro.interchange.archives.conversations import clean
from memoro.interchange.archives.reading import Value
from memoro.interchange.formats import Imported
from memoro.interchange.memories.instructions import document
from memoro.interchange.reading.making import Origin, note
from memoro.interchange.reading.values import fields_of, text_in, word_for
from memoro.memory.imported import LeftOut
from memoro.memory.records import Trust

_TOOL = "claude"
_HEADING = re.compile(r"(?m)^[ \t]*\*\*([^*\n]{1,100})\*\*:?[ \t]*$")
"""A line of its own in bold stands over what follows it."""
_SEPARATOR = " › "


class Projects:
    """The names of projects, by their IDs."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def meet(self, fields: Mapping[str, object]) -> str:
        """Remember a project; gives its name."""
        name = " ".join(clean(text_in(fields, "name")).split()) or "a project"
        self._names[text_in(fields, "uuid")] = name
        return name

    def name(self, project: str) -> str:
        """What a project is called."""
        return self._names.get(project, "a project")


def memories(
    found: Iterable[Value | LeftOut], file: str, at: datetime, known: Projects
) -> Iterator[Imported]:
    """What it remembers of the user, of each project, and in files of its own."""
    origin = Origin(_TOOL, file, Trust.INFERRED)
    for one in found:
        if isinstance(one, LeftOut):
            yield one
            continue
        fields = fields_of(one.value)
        texts = list(_texts(fields, known))
        if not texts:
            what = f"it is {word_for(one.value)}" if not fields else "nothing is remembered in it"
            yield LeftOut(one.place, what)
        for name, text in texts:
            headed = _HEADING.sub(r"## \1", clean(text))
            yield from document(headed, origin, at, name=name)


def _texts(fields: Mapping[str, object], known: Projects) -> Iterator[tuple[str, str]]:
    whole = text_in(fields, "conversations_memory")
    if whole:
        yield "Claude's memory", whole
    for project, text in fields_of(fields.get("project_memories")).items():
        if isinstance(text, str) and text.strip():
            yield f"Claude's memory{_SEPARATOR}{known.name(project)}", text
    listed = fields.get("memory_files")
    for one in listed if isinstance(listed, list) else ():
        file = fields_of(one)
        text = text_in(file, "content")
        if text:
            path = clean(text_in(file, "path", "name")).strip("/") or "a file"
            yield f"Claude's memory{_SEPARATOR}{path}", text


def projects(
    found: Iterable[Value | LeftOut], file: str, at: datetime, known: Projects
) -> Iterator[Imported]:
    """The instructions and documents of projects; not those of the one that comes with Claude."""
    origin = Origin(_TOOL, file, Trust.READ)
    for one in found:
        if isinstance(one, LeftOut):
            yield one
            continue
        fields = fields_of(one.value)
        if not fields:
            yield LeftOut(one.place, f"it is {word_for(one.value)}, and no project")
            continue
        title = f"Claude's project{_SEPARATOR}{known.meet(fields)}"
        if fields.get("is_starter_project") is True:
            continue
        for name, text in _of_project(fields):
            yield note(f"{title}{_SEPARATOR}{name}", clean(text), at, origin, one.place)


def _of_project(fields: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    for field, name in (("description", "what it is"), ("prompt_template", "instructions")):
        text = text_in(fields, field)
        if text:
            yield name, text
    listed = fields.get("docs")
    for one in listed if isinstance(listed, list) else ():
        document_fields = fields_of(one)
        text = text_in(document_fields, "content")
        if text:
            yield clean(text_in(document_fields, "filename")) or "a document", text

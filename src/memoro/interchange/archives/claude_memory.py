"""What Claude remembers, and the projects that were made there: facts and notes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime

from memoro.interchange.archives.conversations import clean
from memoro.interchange.archives.reading import Value
from memoro.interchange.formats import Clock, Imported
from memoro.interchange.memories.instructions import document
from memoro.interchange.reading.making import Origin, note
from memoro.interchange.reading.values import fields_of, text_in, time_in, word_for
from memoro.memory.imported import LeftOut
from memoro.memory.records import Trust

_TOOL = "claude"
_HEADING = re.compile(r"(?m)^[ \t]*\*\*([^*\n]{1,100})\*\*:?[ \t]*$")
"""A line of its own in bold stands over what follows it."""
_SAID_HOW = re.compile(r"(?m)^([ \t]*(?:[-*•][ \t]+)?)\[(?:stated|inferred)\][ \t]*")
"""What some accounts have before each point."""
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
    found: Iterable[Value | LeftOut], file: str, clock: Clock, at: datetime, known: Projects
) -> Iterator[Imported]:
    """What it remembers of the user, of each project, and in files of its own; `at` is the time of
    what has none."""
    origin = Origin(_TOOL, file, Trust.INFERRED)

    def made(fields: Mapping[str, object], place: str) -> Iterator[Imported]:
        texts = list(_remembered(fields, clock, known))
        if not texts:
            yield LeftOut(place, "nothing is remembered in it")
        for name, text, when in texts:
            headed = _HEADING.sub(r"## \1", _SAID_HOW.sub(r"\1", clean(text)))
            yield from document(headed, origin, min(when or at, clock.now), name=name)

    return _each(found, "memory", made)


def projects(
    found: Iterable[Value | LeftOut], file: str, at: datetime, known: Projects
) -> Iterator[Imported]:
    """The instructions and documents of projects; not those of the one that comes with Claude."""
    origin = Origin(_TOOL, file, Trust.READ)

    def made(fields: Mapping[str, object], place: str) -> Iterator[Imported]:
        title = f"Claude's project{_SEPARATOR}{known.meet(fields)}"
        if fields.get("is_starter_project") is not True:
            for name, text in _of_project(fields):
                yield note(f"{title}{_SEPARATOR}{name}", clean(text), at, origin, place)

    return _each(found, "project", made)


def _each(
    found: Iterable[Value | LeftOut],
    of: str,
    made: Callable[[Mapping[str, object], str], Iterator[Imported]],
) -> Iterator[Imported]:
    for one in found:
        if isinstance(one, LeftOut):
            yield one
            continue
        fields = fields_of(one.value)
        if fields:
            yield from made(fields, one.place)
        else:
            yield LeftOut(one.place, f"it is {word_for(one.value)}, and no {of}")


def _remembered(
    fields: Mapping[str, object], clock: Clock, known: Projects
) -> Iterator[tuple[str, str, datetime | None]]:
    whole = text_in(fields, "conversations_memory")
    if whole:
        yield "Claude's memory", whole, None
    for project, text in fields_of(fields.get("project_memories")).items():
        if isinstance(text, str) and text.strip():
            yield f"Claude's memory{_SEPARATOR}{known.name(project)}", text, None
    for file, path, text in _files(fields.get("memory_files"), "path", "name"):
        name = f"Claude's memory{_SEPARATOR}{path or 'a file'}"
        yield name, text, time_in(file, clock, "updated_at", "created_at")


def _of_project(fields: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    for field, name in (("description", "what it is"), ("prompt_template", "instructions")):
        text = text_in(fields, field)
        if text:
            yield name, text
    for _, name, text in _files(fields.get("docs"), "filename"):
        yield name or "a document", text


def _files(listed: object, *named: str) -> Iterator[tuple[Mapping[str, object], str, str]]:
    """The fields, names and texts of those that have a text."""
    for one in listed if isinstance(listed, list) else ():
        fields = fields_of(one)
        text = text_in(fields, "content")
        if text:
            yield fields, clean(text_in(fields, *named)).strip("/"), text

"""The custom instructions of another assistant: what the user wrote there of themselves, and how
they want to be answered. Every conversation has them; the last wording counts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import NamedTuple

from memoro.interchange.archives.conversations import clean
from memoro.interchange.formats import Imported
from memoro.interchange.reading.making import Found, Origin, fact, note
from memoro.interchange.reading.values import fields_of, text_in
from memoro.memory.imported import ImportedRecord, LeftOut
from memoro.memory.profile.fields import DIRECTIVES
from memoro.memory.profile.splitting import quoted
from memoro.memory.records import GLOBAL, PROFILE, Record, Trust

_FENCE = "```"
_FIELD = re.compile(r"(?P<name>[A-Za-z][A-Za-z ]{1,30}?)[ \t]*:[ \t]*(?P<value>\S.*)?")
_PROFILE = {
    "preferred name": "name",
    "nickname": "name",
    "name": "name",
    "role": "role",
    "occupation": "role",
}
"""What its form calls these, and what they are called here."""
_REST = frozenset({"other information", "more about you", "about you"})
_MOST_CHARACTERS = 300
_MOST_RULES = 12
"""What has longer lines, or more of them, is an essay and no list of rules: it becomes a note."""


class _Wording(NamedTuple):
    at: datetime
    text: str
    file: str


class Instructed:
    """Keeps the last wording of each of the two texts; what changed it since is counted."""

    def __init__(self, tool: str) -> None:
        self._tool = tool
        self._about: _Wording | None = None
        self._rules: _Wording | None = None
        self._seen: set[str] = set()

    def notice(
        self,
        message: Mapping[str, object],
        content: Mapping[str, object],
        file: str,
        at: datetime,
    ) -> None:
        """Take note of a message that has them."""
        told = fields_of(fields_of(message.get("metadata")).get("user_context_message_data"))
        about = text_in(told, "about_user_message") or _unwrapped(text_in(content, "user_profile"))
        rules = text_in(told, "about_model_message") or _unwrapped(
            text_in(content, "user_instructions")
        )
        self._about = self._later(self._about, _Wording(at, clean(about), file))
        self._rules = self._later(self._rules, _Wording(at, clean(rules), file))

    def told(self) -> Iterator[Imported]:
        """The profile, facts and rules of the last wordings."""
        last = [one for one in (self._about, self._rules) if one is not None]
        if self._about is not None:
            yield from _of_the_person(self._about, Origin(self._tool, self._about.file))
        if self._rules is not None:
            yield from _of_the_answers(self._rules, Origin(self._tool, self._rules.file))
        earlier = len(self._seen) - len({one.text for one in last})
        if last and earlier > 0:
            yield LeftOut(
                last[0].file, f"{earlier:,} earlier wordings of the custom instructions: changed"
            )

    def _later(self, known: _Wording | None, new: _Wording) -> _Wording | None:
        if not new.text:
            return known
        self._seen.add(new.text)
        if known is None or (new.at >= known.at and new.text != known.text):
            return new
        return known


def _of_the_person(about: _Wording, origin: Origin) -> Iterator[Imported]:
    place = f"{about.file}, custom instructions"
    for line in about.text.split("\n"):
        text = line.strip()
        found = _FIELD.fullmatch(text)
        name = found["name"].strip().casefold() if found else ""
        value = (found["value"] or "").strip() if found else ""
        if name in _PROFILE and value:
            yield _pair(_PROFILE[name], value, about.at, origin, place)
            continue
        text = value if name in _REST else text
        if not text:
            continue
        if len(text) <= _MOST_CHARACTERS:
            yield fact(Found(text, about.at, sure="tool"), origin, place)
        else:
            read = origin._replace(trust=Trust.READ)
            yield note("ChatGPT › about me", text, about.at, read, place)


def _of_the_answers(rules: _Wording, origin: Origin) -> Iterator[Imported]:
    """How it is to answer: a list of short rules waits for the user's word, an essay is a note."""
    place = f"{rules.file}, custom instructions"
    lines = [line.strip(" \t-*•") for line in rules.text.split("\n")]
    lines = [line for line in lines if line]
    if len(lines) <= _MOST_RULES and all(len(line) <= _MOST_CHARACTERS for line in lines):
        for line in lines:
            yield _pair(DIRECTIVES, quoted(line), rules.at, origin, place)
    else:
        read = origin._replace(trust=Trust.READ)
        yield note("ChatGPT › how to answer me", rules.text, rules.at, read, place)


def _pair(key: str, value: str, at: datetime, origin: Origin, place: str) -> ImportedRecord:
    data = origin.data(source="custom instructions")
    record = Record("", PROFILE.name, GLOBAL, key, value, at, at, data, Trust.INFERRED)
    return ImportedRecord(record, place)


def _unwrapped(text: str) -> str:
    """What stands between the fences: around it, the model is told what to do with it."""
    start, end = text.find(_FENCE), text.rfind(_FENCE)
    return text[start + len(_FENCE) : end] if 0 <= start < end else text

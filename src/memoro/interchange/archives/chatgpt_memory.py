"""What ChatGPT remembers of the user, as its conversations show it: what its own tool saved, the
list that a model was shown, and the custom instructions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, date, datetime

from memoro.interchange.archives.chatgpt_texts import text_of
from memoro.interchange.archives.conversations import clean, id_of
from memoro.interchange.archives.instructed import Instructed
from memoro.interchange.archives.reading import Value
from memoro.interchange.formats import Clock, Imported
from memoro.interchange.reading.making import Found, Origin, fact
from memoro.interchange.reading.values import fields_of, text_in, texts_in, time_in, word_for
from memoro.memory.imported import LeftOut
from memoro.memory.records import shown

TOOL = "chatgpt"
_SAVED_BY = "bio"
"""What its tool for memory is called, as the one that a message is for."""
_LISTED = re.compile(r"[ \t]*(?:\d{1,5}[.)][ \t]*)?\[(\d{4}-\d\d-\d\d)\][.:]?[ \t]*(\S.*)")
_MARK = re.compile(r"[ \t]*(?:[-*•][ \t]+|\d{1,5}[.)][ \t]+)")
_TO_FORGET = re.compile(
    r"(?:please[ \t]+|user[ \t]+(?:wants|asked|requested)[ \t]+(?:\w+[ \t]+){0,3}to[ \t]+)?"
    r"(?:forget|delete|remove|erase|ignore|olvida|esque[cç]|oublie|vergiss|lösche|忘记|删除)",
    re.IGNORECASE,
)
_LISTS = ("memories", "results", "items", "data")


class Remembered:
    """Collects what is remembered over all files of an export."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._listed: set[tuple[str, str]] = set()
        self.instructed: Instructed = Instructed(TOOL)

    def noticed(
        self, messages: Iterable[Mapping[str, object]], file: str, place: str, at: datetime | None
    ) -> Iterator[Imported]:
        """What the messages of one conversation tell, on whichever branch they are: what was saved
        stays so where an answer was made anew. `at` is the time of what has none."""
        for message in messages:
            content = fields_of(message.get("content"))
            kind = content.get("content_type")
            when = time_in(message, self._clock, "create_time", "update_time") or at
            when = min(when or self._clock.now, self._clock.now)
            if _is_saving(message):
                yield from self._saved(message, Origin(TOOL, file), place, when)
            elif kind == "model_editable_context":
                listed = text_in(content, "model_set_context")
                yield from self._shown(listed, Origin(TOOL, file), place, when)
            elif kind == "user_editable_context":
                self.instructed.notice(message, content, file, when)

    def _saved(
        self, message: Mapping[str, object], origin: Origin, place: str, at: datetime
    ) -> Iterator[Imported]:
        """A message that its tool saved something with: a memory a line."""
        own = id_of(message.get("id"))
        lines = [text for line in clean(text_of(message)).split("\n") if (text := _plain(line))]
        for number, text in enumerate(lines):
            if _TO_FORGET.match(text):
                yield LeftOut(
                    place,
                    f"it asks ChatGPT to forget something ({shown(text, 60)}); what that was can't"
                    " be told here",
                )
            elif len(text.split()) < 2 and text.isascii():
                yield LeftOut(place, f"{shown(text)}, which ChatGPT saved, says nothing")
            else:
                found = Found(
                    text,
                    at,
                    record_id=own if len(lines) == 1 else "",
                    sure="tool",
                    more={"id": f"{own}.{number}" if len(lines) > 1 else own},
                )
                yield fact(found, origin, place)

    def _shown(self, text: str, origin: Origin, place: str, at: datetime) -> Iterator[Imported]:
        """The list that a model was shown; each conversation may have it."""
        for day, memory in _entries(clean(text)):
            if (day, memory) not in self._listed:
                self._listed.add((day, memory))
                said_at = self._start_of(day) or at
                yield fact(Found(memory, said_at, sure="tool"), origin, place)

    def _start_of(self, day: str) -> datetime | None:
        try:
            found = date.fromisoformat(day)
        except ValueError:
            return None
        if not 1971 <= found.year < 9999:
            return None
        return min(self._clock.calendar.start(found).astimezone(UTC), self._clock.now)


def memories(
    found: Iterable[Value | LeftOut], file: str, at: datetime, clock: Clock
) -> Iterator[Imported]:
    """A file of memories, as some exports have one."""
    for one in found:
        if isinstance(one, LeftOut):
            yield one
            continue
        fields = fields_of(one.value)
        listed = next((fields[name] for name in _LISTS if isinstance(fields.get(name), list)), None)
        for value in listed if isinstance(listed, list) else [one.value]:
            yield _memory(value, Origin(TOOL, file), one.place, at, clock)


def _memory(value: object, origin: Origin, place: str, at: datetime, clock: Clock) -> Imported:
    fields = fields_of(value)
    text = value if isinstance(value, str) else text_in(fields, "content", "memory", "text")
    if not text.strip():
        what = f"it is {word_for(value)}" if not fields else "it has no text"
        return LeftOut(place, f"{what}, and no memory")
    if fields.get("enabled") is False or fields.get("deleted_at"):
        return LeftOut(place, "it is switched off in ChatGPT")
    when = time_in(fields, clock, "created_at", "created_timestamp", "updated_at") or at
    own = text_in(fields, "id")
    tags = texts_in(fields, "tags")
    return fact(Found(clean(text), when, tags=tags, record_id=own, sure="tool"), origin, place)


def _is_saving(message: Mapping[str, object]) -> bool:
    recipient = message.get("recipient")
    return isinstance(recipient, str) and recipient.partition(".")[0] == _SAVED_BY


def _entries(text: str) -> Iterator[tuple[str, str]]:
    """The days and memories of a list; lines without a day go on with the one before."""
    day, memory = "", ""
    for line in text.split("\n"):
        found = _LISTED.fullmatch(line)
        if found:
            if memory:
                yield day, memory
            day, memory = found[1], found[2].strip()
        elif memory and line.strip():
            memory = f"{memory} {line.strip()}"
    if memory:
        yield day, memory


def _plain(line: str) -> str:
    return _MARK.sub("", line, count=1).strip() if _MARK.match(line) else line.strip()

"""Claude's export: `conversations.json`, each conversation a list of messages; beside it what it
remembers, projects and design chats."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from memoro.interchange.archives.claude_memory import Projects, memories, projects
from memoro.interchange.archives.claude_texts import role_of, text_of
from memoro.interchange.archives.conversations import About, Said, conversation, id_of
from memoro.interchange.archives.packages import Source, sources
from memoro.interchange.archives.reading import Value, sign_of, values
from memoro.interchange.archives.threads import Node, thread
from memoro.interchange.formats import NO, SURE, Clock, Format, Imported
from memoro.interchange.reading.glimpse import Glimpse, glimpse
from memoro.interchange.reading.values import fields_of, text_in, time_in, word_for
from memoro.memory.imported import ImportedConversation, LeftOut

TOOL = "claude"
_NOT_TOLD = "00000000-0000-4000-8000-000000000000"
"""What the first message of a conversation names as the one before it."""
_MANIFEST = (
    "it only lists what can be downloaded: download that into a folder, and import the folder"
)


def detects(seen: Glimpse) -> int:
    """Whether it is such an export, or a part of one."""
    sign = sign_of(seen)
    return SURE if sign is not None and sign.tool == TOOL else NO


def read(path: str, clock: Clock) -> Iterator[Imported]:
    """What it remembers, and the conversations, each by the branch that was last looked at."""
    seen = glimpse(path)
    sign = sign_of(seen) if isinstance(seen, Glimpse) else None
    known = Projects()
    for source in sources(path, None if sign is None else sign.part):
        if isinstance(source, LeftOut):
            yield source
            continue
        at = source.at or clock.now
        if source.part == "projects":
            yield from projects(values(source, "project"), source.name, min(at, clock.now), known)
        elif source.part == "memories":
            yield from memories(values(source, "memory"), source.name, clock, at, known)
        else:
            yield from _conversations(source, clock)


def _conversations(source: Source, clock: Clock) -> Iterator[Imported]:
    aside = conversations = 0
    for one in values(source, "conversation"):
        if isinstance(one, LeftOut):
            yield one
            continue
        made, others = _conversation(one, clock)
        aside, conversations = aside + others, conversations + bool(others)
        yield made
    if aside:
        yield LeftOut(
            source.name,
            f"{aside:,} messages in {conversations:,} conversations are on other branches: edited"
            " since, or answered anew",
        )


def _conversation(one: Value, clock: Clock) -> tuple[ImportedConversation | LeftOut, int]:
    """A conversation, and how many of its messages are on other branches."""
    fields = fields_of(one.value)
    if "data_files" in fields:
        return LeftOut(one.place, _MANIFEST), 0
    listed = fields.get("chat_messages", fields.get("messages"))
    messages = [fields_of(message) for message in listed] if isinstance(listed, list) else []
    if not messages:
        what = f"it is {word_for(one.value)}" if not fields else "it has no messages"
        return LeftOut(one.place, what), 0
    said = [_said(message, clock) for message in messages]
    path = _path(fields, messages, said, clock)
    turns = [found for at in path if (found := said[at]) is not None]
    others = sum(found is not None for found in said) - len(turns)
    about = About(
        TOOL,
        id_of(fields.get("uuid")),
        text_in(fields, "name", "title"),
        time_in(fields, clock, "created_at"),
        time_in(fields, clock, "updated_at"),
    )
    return conversation(about, turns, one.place, clock), others


def _said(message: Mapping[str, object], clock: Clock) -> Said | None:
    role = role_of(message)
    text = "" if role is None else text_of(message)
    if role is None or not text.strip():
        return None
    return Said(role, text, _time(message, clock), id_of(message.get("uuid")) or None)


def _time(message: Mapping[str, object], clock: Clock) -> datetime | None:
    at = time_in(message, clock, "created_at", "updated_at")
    return at or time_in(fields_of(message.get("content")), clock, "timestamp")


def _path(
    fields: Mapping[str, object],
    messages: Sequence[Mapping[str, object]],
    said: Sequence[Said | None],
    clock: Clock,
) -> Sequence[int]:
    """The messages that are on the branch, by their places. Older exports have no branches, and
    list the messages in their order."""
    ids = [id_of(message.get("uuid")) for message in messages]
    parents = [id_of(message.get("parent_message_uuid")) for message in messages]
    if not all(ids) or len(set(ids)) < len(ids) or not any(parents[1:]):
        return range(len(messages))
    places = {name: place for place, name in enumerate(ids)}
    tree = {
        name: Node(parent if parent and parent != _NOT_TOLD else None, _time(message, clock))
        for name, parent, message in zip(ids, parents, messages, strict=True)
    }
    leaf = id_of(fields.get("current_leaf_message_uuid"))
    path = [places[name] for name in thread(tree, leaf or None)]
    return path if any(said[place] for place in path) else range(len(messages))


FORMAT = Format(TOOL, "Claude's export: a zip, a folder, conversations.json", detects, read)

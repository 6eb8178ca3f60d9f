"""ChatGPT's export: `conversations.json`, or `conversations-000.json` and so on, each conversation
a tree of messages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from memoro.interchange.archives.chatgpt_memory import TOOL, Remembered, memories
from memoro.interchange.archives.chatgpt_texts import role_of, text_of
from memoro.interchange.archives.conversations import About, Said, conversation, id_of
from memoro.interchange.archives.packages import Source, sources
from memoro.interchange.archives.reading import Value, sign_of, values
from memoro.interchange.archives.threads import Node, thread
from memoro.interchange.formats import NO, SURE, Clock, Format, Imported
from memoro.interchange.reading.glimpse import Glimpse
from memoro.interchange.reading.values import fields_of, text_in, time_in, word_for
from memoro.memory.imported import ImportedConversation, LeftOut


def detects(seen: Glimpse) -> int:
    """Whether conversations with a `mapping` stand at a path."""
    sign = sign_of(seen)
    return SURE if sign is not None and sign.tool == TOOL else NO


def read(path: str, clock: Clock) -> Iterator[Imported]:
    """The conversations, each by the branch that was last looked at, and what it remembers of the
    user."""
    remembered = Remembered(clock)
    for source in sources(path):
        if isinstance(source, LeftOut):
            yield source
        elif source.part == "conversations":
            yield from _of_source(source, clock, remembered)
        elif source.part == "memories":
            at = min(source.at or clock.now, clock.now)
            yield from memories(values(source, "memory"), source.name, at, clock)
    yield from remembered.instructed.told()


def _of_source(source: Source, clock: Clock, remembered: Remembered) -> Iterator[Imported]:
    aside = _Aside()
    for one in values(source, "conversation"):
        if isinstance(one, LeftOut):
            yield one
            continue
        fields = fields_of(one.value)
        nodes = {name: fields_of(node) for name, node in fields_of(fields.get("mapping")).items()}
        yield _conversation(one, fields, nodes, clock, aside)
        at = time_in(fields, clock, "update_time", "create_time")
        messages = (fields_of(node.get("message")) for node in nodes.values())
        yield from remembered.noticed(messages, source.name, one.place, at)
    if aside.messages:
        yield LeftOut(
            source.name,
            f"{aside.messages:,} messages in {aside.conversations:,} conversations are on other"
            " branches: edited since, or answered anew",
        )


class _Aside:
    """Counts what is on other branches."""

    def __init__(self) -> None:
        self.messages: int = 0
        self.conversations: int = 0

    def count(self, messages: int) -> None:
        self.messages += messages
        self.conversations += bool(messages)


def _conversation(
    one: Value,
    fields: Mapping[str, object],
    nodes: Mapping[str, Mapping[str, object]],
    clock: Clock,
    aside: _Aside,
) -> ImportedConversation | LeftOut:
    if not nodes:
        what = f"it is {word_for(one.value)}" if not fields else "it has no messages"
        return LeftOut(one.place, what)
    said = {
        name: found for name, node in nodes.items() if (found := _said(node, clock)) is not None
    }
    path = _path(nodes, fields.get("current_node"), clock)
    if not any(name in said for name in path):
        # Where the one it was left at leads nowhere, the last that was said does.
        path = _path({name: nodes[name] for name in nodes if name in said}, None, clock)
    turns = [said[name] for name in path if name in said]
    aside.count(len(said) - len(turns))
    about = About(
        TOOL,
        id_of(fields.get("conversation_id")) or id_of(fields.get("id")),
        text_in(fields, "title"),
        time_in(fields, clock, "create_time"),
        time_in(fields, clock, "update_time"),
    )
    return conversation(about, turns, one.place, clock)


def _said(node: Mapping[str, object], clock: Clock) -> Said | None:
    message = fields_of(node.get("message"))
    role = role_of(message) if message else None
    text = "" if role is None else text_of(message)
    if role is None or not text.strip():
        return None
    at = time_in(message, clock, "create_time", "update_time")
    return Said(role, text, at, id_of(message.get("id")) or None)


def _path(nodes: Mapping[str, Mapping[str, object]], current: object, clock: Clock) -> list[str]:
    above = _named_as_children(nodes)
    tree: dict[str, Node] = {}
    for name, node in nodes.items():
        parent = node.get("parent")
        known = parent if isinstance(parent, str) else None
        if known not in nodes:
            known = above.get(name, known)
        at = time_in(fields_of(node.get("message")), clock, "create_time", "update_time")
        tree[name] = Node(known, at)
    return thread(tree, current if isinstance(current, str) else None)


def _named_as_children(nodes: Mapping[str, Mapping[str, object]]) -> dict[str, str]:
    """The parents of messages by what these say of their children."""
    above: dict[str, str] = {}
    for name, node in nodes.items():
        children = node.get("children")
        for child in children if isinstance(children, list) else ():
            if isinstance(child, str) and child != name:
                above.setdefault(child, name)
    return above


FORMAT = Format(TOOL, "ChatGPT's export: a zip, a folder, conversations.json", detects, read)

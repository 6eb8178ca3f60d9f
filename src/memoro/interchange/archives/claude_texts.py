"""What a message of Claude's says: its blocks, and what was attached to it, as one text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from memoro.interchange.reading.values import fields_of

MAX_ATTACHED_CHARACTERS = 20_000
"""Of a file's content; what was pasted without a name was said, and is kept whole."""
_UNSHOWN = "```\nThis block is not supported on your current device yet.\n```"
"""What stands in the plain text for calls of tools."""
_USER = ("human", "user")


def role_of(message: Mapping[str, object]) -> Literal["user", "assistant"] | None:
    """Which side says it."""
    sender = message.get("sender", message.get("role"))
    if sender in _USER:
        return "user"
    return "assistant" if sender == "assistant" else None


def text_of(message: Mapping[str, object]) -> str:
    """Its text; "" where it has none. Thoughts, and calls of tools with their results, are left
    out; documents that were made are named."""
    content = message.get("content")
    inner = fields_of(content)
    blocks = inner.get("contentBlocks") if inner else content
    texts = list(_of_blocks(blocks))
    if not texts:
        plain = inner.get("content") if inner else message.get("text")
        text = plain.replace(_UNSHOWN, "") if isinstance(plain, str) else ""
        texts = [text] if text.strip() else []
    attached = message.get("attachments") or inner.get("attachments")
    parts = [*texts, *_attached(attached), *_files(message.get("files"))]
    return "\n\n".join(parts)


def _of_blocks(blocks: object) -> Iterator[str]:
    for block in blocks if isinstance(blocks, list) else ():
        fields = fields_of(block)
        kind, text = fields.get("type"), fields.get("text")
        if kind in ("text", "voice_note") and isinstance(text, str) and text.strip():
            yield text.strip("\n")
        elif kind == "tool_use" and fields.get("name") == "artifacts":
            title = fields_of(fields.get("input")).get("title")
            if isinstance(title, str) and title.strip():
                yield f"[document: {' '.join(title.split())}]"


def _attached(listed: object) -> Iterator[str]:
    for one in listed if isinstance(listed, list) else ():
        fields = fields_of(one)
        name = fields.get("file_name", fields.get("name"))
        content = fields.get("extracted_content", fields.get("content"))
        text = content.strip("\n") if isinstance(content, str) else ""
        if not isinstance(name, str) or not name.strip():
            if text.strip():
                yield text
            continue
        told = f"[file: {' '.join(name.split())}]"
        more = len(text) - MAX_ATTACHED_CHARACTERS
        if more > 0:
            text = f"{text[:MAX_ATTACHED_CHARACTERS]}\n[{more:,} more characters of the file]"
        yield f"{told}\n{text}" if text.strip() else told


def _files(listed: object) -> Iterator[str]:
    for one in listed if isinstance(listed, list) else ():
        fields = fields_of(one)
        name = fields.get("file_name")
        is_image = fields.get("file_kind") == "image"
        if isinstance(name, str) and name.strip() and not is_image:
            yield f"[file: {' '.join(name.split())}]"

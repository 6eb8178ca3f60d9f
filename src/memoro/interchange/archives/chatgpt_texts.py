"""What a message of ChatGPT's says: its parts as one text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Literal

from memoro.interchange.reading.values import fields_of

_SAID = frozenset({"text", "multimodal_text", "audio_transcription"})
"""Kinds of content that one side says to the other; thoughts, calls, results and what is put before
a model are none."""
_THINGS = {
    "image_asset_pointer": "[image]",
    "audio_asset_pointer": "[audio]",
    "real_time_user_audio_video_asset_pointer": "[audio]",
    "video_container_asset_pointer": "[video]",
}
_TO_ALL = (None, "", "all")
_MARK = re.compile("\ue200([^\ue200\ue201]*)\ue201")
_FIELD = "\ue202"
_LEFT_OF_MARKS = re.compile("[\ue200-\ue203]")


def role_of(message: Mapping[str, object]) -> Literal["user", "assistant"] | None:
    """Which side says it; None where neither does: what the system or a tool says, what goes to a
    tool, what is hidden."""
    role = fields_of(message.get("author")).get("role")
    metadata = fields_of(message.get("metadata"))
    content = fields_of(message.get("content"))
    if (
        metadata.get("is_visually_hidden_from_conversation") is True
        or metadata.get("is_user_system_message") is True
        or message.get("recipient") not in _TO_ALL
        or message.get("channel") == "analysis"
        or content.get("content_type", "text") not in _SAID
    ):
        return None
    if role == "user":
        return "user"
    return "assistant" if role == "assistant" else None


def text_of(message: Mapping[str, object]) -> str:
    """Its text; "" where it has none. Pictures and sound are named where there is nothing else,
    files always."""
    content = fields_of(message.get("content"))
    parts = content.get("parts")
    found = parts if isinstance(parts, list) else [content.get("text")]
    texts = [text for part in found if (text := _text(part))]
    things = [] if texts else [thing for part in found if (thing := _thing(part))]
    return "\n".join([*texts, *dict.fromkeys(things), *_files(message)])


def _text(part: object) -> str:
    text = part if isinstance(part, str) else fields_of(part).get("text")
    if not isinstance(text, str) or not text.strip():
        return ""
    return _LEFT_OF_MARKS.sub("", _MARK.sub(_marked, text)) if "\ue200" in text else text


def _thing(part: object) -> str:
    kind = fields_of(part).get("content_type")
    return _THINGS.get(kind, "") if isinstance(kind, str) else ""


def _files(message: Mapping[str, object]) -> Iterator[str]:
    listed = fields_of(message.get("metadata")).get("attachments")
    for one in listed if isinstance(listed, list) else ():
        fields = fields_of(one)
        name, kind = fields.get("name"), fields.get("mime_type")
        is_image = isinstance(kind, str) and kind.startswith("image/")
        if isinstance(name, str) and name.strip() and not is_image:
            yield f"[file: {' '.join(name.split())}]"


def _marked(match: re.Match[str]) -> str:
    """What a mark within a text shows: the name of a thing, the words of a link; footnotes show
    nothing."""
    kind, *rest = match[1].split(_FIELD)
    if kind == "url" and rest:
        label, address = rest[0], rest[-1]
        return f"[{label}]({address})" if address.startswith(("http:", "https:")) else label
    if kind == "link_title" and rest:
        return rest[0]
    if kind.startswith("entity") and not kind.startswith("entity_"):
        return _name_of(rest[0] if rest else kind.removeprefix("entity"))
    return ""


def _name_of(told: str) -> str:
    try:
        value = json.loads(told)
    except (ValueError, RecursionError):
        return "" if told.startswith("[") else told
    named = isinstance(value, list) and len(value) > 1 and isinstance(value[1], str)
    return value[1] if named else ""

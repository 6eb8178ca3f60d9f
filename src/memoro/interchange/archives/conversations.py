"""A conversation as it comes in: its turns, with times, and a name that is always the same."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256
from typing import Literal, NamedTuple

from memoro.interchange.formats import Clock
from memoro.memory.imported import ImportedConversation, ImportedTurn, LeftOut

MAX_TITLE_CHARACTERS = 200
_FIRST_WORDS = 60
_MAX_ID_CHARACTERS = 200
_UNSAYABLE = re.compile(r"[\ud800-\udfff\0]")
"""Half of a surrogate pair, as exports have where an emoji was cut in two, and NUL: no file or
database of text holds them."""


class Said(NamedTuple):
    """A message that counts as said. `ref` is its ID there; `at` None where its time is missing."""

    role: Literal["user", "assistant"]
    text: str
    at: datetime | None
    ref: str | None = None


class About(NamedTuple):
    """What is known of a whole conversation: the tool, its ID there ("" without one), its title,
    and its times."""

    tool: str
    own_id: str
    title: str
    created_at: datetime | None
    updated_at: datetime | None


def conversation(
    about: About, said: Sequence[Said], place: str, clock: Clock
) -> ImportedConversation | LeftOut:
    """A conversation with these messages; those without a text are passed over."""
    turns = [one._replace(text=text) for one in said if (text := clean(one.text))]
    if not turns:
        return LeftOut(place, "nothing is said in it")
    times = _filled([one.at for one in turns], about.created_at or about.updated_at or clock.now)
    own_id = about.own_id or _derived_id(about, turns)
    return ImportedConversation(
        f"{about.tool}:{own_id}",
        _title(about.title, turns),
        tuple(
            ImportedTurn(one.role, one.text, at, ref=_ref(one.ref))
            for one, at in zip(turns, times, strict=True)
        ),
        place,
        about.created_at,
        about.updated_at,
    )


def clean(text: str) -> str:
    """A text without space around it, and with a replacement for what no text can hold."""
    return _UNSAYABLE.sub("\ufffd", text).strip()


def id_of(value: object) -> str:
    """A value as an ID; "" where it is none."""
    return value if isinstance(value, str) and 0 < len(value) <= _MAX_ID_CHARACTERS else ""


def _ref(ref: str | None) -> str | None:
    return clean(ref) or None if ref else None


def _title(title: str, turns: Sequence[Said]) -> str:
    """The title on one line; without one, the first words that the user said."""
    line = " ".join(clean(title).split())
    if line:
        return line[:MAX_TITLE_CHARACTERS]
    first = next((one.text for one in turns if one.role == "user"), turns[0].text)
    # No more is looked at: it may be a whole book.
    line = " ".join(first[: 4 * _FIRST_WORDS].split())
    return line if len(line) <= _FIRST_WORDS else line[:_FIRST_WORDS].rstrip() + "…"


def _filled(times: Sequence[datetime | None], otherwise: datetime) -> list[datetime]:
    """The times; a missing one is that of the message before, or of the first one after."""
    last = next((at for at in times if at is not None), otherwise)
    found: list[datetime] = []
    for at in times:
        last = at or last
        found.append(last)
    return found


def _derived_id(about: About, turns: Sequence[Said]) -> str:
    """An ID for one that has none: what doesn't change when it goes on."""
    began = about.created_at or turns[0].at
    told = f"{'' if began is None else began.isoformat()}\0{turns[0].text}"
    return f"_{sha256(told.encode()).hexdigest()[:24]}"

"""The one envelope that every kind of memory travels and is stored in."""

from collections.abc import Mapping
from datetime import datetime
from enum import IntEnum
from typing import Any, NamedTuple

GLOBAL = "global"
_PROJECT_PREFIX = "project:"


def project_scope(name: str) -> str:
    """The scope of a project's memory; the prefix keeps a project called "global" apart."""
    return _PROJECT_PREFIX + name


def project_name(scope: str) -> str | None:
    """The project that a scope belongs to, or None for the global scope."""
    return scope.removeprefix(_PROJECT_PREFIX) if scope.startswith(_PROJECT_PREFIX) else None


def in_scope(scope: str) -> str:
    """The words that name a scope in a message."""
    name = project_name(scope)
    return "" if name is None else f" in project {name}"


def shown(text: str, width: int = 40) -> str:
    """A text as it can stand in a one-line message: escaped, quoted, shortened visibly."""
    return repr(text if len(text) <= width else text[:width] + "…")


def is_unicode(text: str) -> bool:
    """Whether a text can be stored: names of files, and JSON, may hold halves of characters."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


class Trust(IntEnum):
    """Who stands behind a record; a lower rank never overwrites or outranks a higher one."""

    READ = 1
    """Read by a tool, in a file, on the web."""
    INFERRED = 2
    """Extracted from a conversation."""
    APPROVED = 3
    """Proposed by Memoro, accepted by the user."""
    USER = 4
    """Said by the user, by command or in the message that asked for it."""


class Kind(NamedTuple):
    """A kind of memory: its `name` in the store, its `heading` where it is shown, and in days the
    half-life of what fades (None: it doesn't)."""

    name: str
    heading: str
    half_life_days: float | None = None


SAVED_FACT = Kind("saved_fact", "Saved facts")
FACT = Kind("fact", "Learned facts", half_life_days=30.0)
PROFILE = Kind("profile", "Profile")
TOPIC = Kind("topic", "Topics")
WORK = Kind("work", "Projects worked on")
EPISODE = Kind("episode", "Episodes")
DAILY = Kind("daily", "Daily notes")
NOTE = Kind("note", "Notes")
PROPOSAL = Kind("proposal", "Inbox")
PROJECT = Kind("project", "Projects")
PLACE = Kind("place", "Places")
KINDS: Mapping[str, Kind] = {
    kind.name: kind
    for kind in (
        SAVED_FACT,
        FACT,
        PROFILE,
        TOPIC,
        WORK,
        EPISODE,
        DAILY,
        NOTE,
        PROPOSAL,
        PROJECT,
        PLACE,
    )
}

INDEXED = frozenset(
    kind.name for kind in (FACT, PROFILE, TOPIC, WORK, EPISODE, DAILY, NOTE, PROJECT, PLACE)
)
"""The kinds that an index or the graph has something of."""


SEARCHED = frozenset(kind.name for kind in (SAVED_FACT, FACT, EPISODE, DAILY, NOTE))
"""The kinds that recall finds by their words."""


class Record(NamedTuple):
    """One thing remembered.

    `key` is unique within kind and scope where there is one. `data` holds the fields that only
    this kind has, as JSON. `source_run` and `source_message` say which run and which message of a
    conversation it came from; both are set by us, never by a model. All times are UTC.
    `confidence` lies between 0 and 1. `revision` counts the record's changes.
    """

    id: str
    kind: str
    scope: str
    key: str | None
    text: str
    created_at: datetime
    updated_at: datetime
    data: Mapping[str, Any] = {}
    trust: int = Trust.USER
    confidence: float = 1.0
    source_run: str | None = None
    source_message: str | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    superseded_by: str | None = None
    accesses: int = 0
    accessed_at: datetime | None = None
    tags: tuple[str, ...] = ()
    revision: int = 1

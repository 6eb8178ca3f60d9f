"""A statement that is to be learned: what it may be, and what it is known by."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from datetime import datetime
from hashlib import sha256
from typing import Any, Literal, NamedTuple

from memoro.errors import Reason, Refusal
from memoro.memory.comparing import is_hedged, normalised
from memoro.memory.facts.categories import CATEGORIES, category_of
from memoro.memory.records import FACT, Record, Trust
from memoro.memory.saved import is_blank
from memoro.memory.strength import score

MAX_FACT_BYTES = 32 * 1024
MAX_TAGS = 32
_ID_DIGITS = 24
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]")

Provenance = Literal["told", "tool", "extracted", "corrected"]

CONFIDENCE: Mapping[str, float] = {
    "told": 0.9,
    "tool": 0.9,
    "extracted": 0.6,
    "corrected": 1.0,
}
HEDGED = 0.5
"""What a hedge ("may", "probably") leaves of a confidence."""

SEEN_AGAIN = 0.05


class Statement(NamedTuple):
    """Something said that is worth keeping.

    `at` is when it was said, however late it is learned. `category` is found by its words where
    it is None. `data` holds what else is known of it (the folder, branch, run's session).
    `replaces` is the ID of the fact that the speaker corrects with it.
    """

    text: str
    scope: str
    at: datetime
    trust: Trust = Trust.USER
    provenance: Provenance = "told"
    category: str | None = None
    tags: tuple[str, ...] = ()
    data: Mapping[str, Any] = {}
    run: str | None = None
    message: str | None = None
    replaces: str | None = None


def fact_id(scope: str, text: str, turn: int = 0) -> str:
    """What a fact is known by: the SHA-256 of its scope and normalised content; `turn` counts on
    where a fact that was reworded by hand has that ID."""
    told = f"{scope}\0{normalised(text)}" + (f"\0{turn}" if turn else "")
    digest = sha256(told.encode()).hexdigest()
    return digest[:_ID_DIGITS]


def check(statement: Statement) -> Refusal | None:
    """Refuse what can't be a fact: blank, not text, too large, of no known category."""
    try:
        size = len(statement.text.encode())
    except UnicodeEncodeError:
        return Refusal(Reason.USAGE, "the fact is not valid UTF-8 text")
    if is_blank(statement.text):
        return Refusal(Reason.USAGE, "the fact is empty; it needs some visible text")
    controls = (found[0] for found in _CONTROL.finditer(statement.text))
    control = next((char for char in controls if not char.isspace()), None)
    if control is not None:
        return Refusal(
            Reason.USAGE,
            f"the fact holds the control character U+{ord(control):04X}, which is not text",
        )
    if size > MAX_FACT_BYTES:
        return Refusal(
            Reason.TOO_LARGE,
            f"the fact has {size:,} bytes; at most {MAX_FACT_BYTES:,} are allowed",
            "save longer text as a note: memoro note add TITLE",
        )
    if statement.category is not None and statement.category not in CATEGORIES:
        return Refusal(
            Reason.USAGE,
            f"there is no category {statement.category!r}",
            f"one of: {', '.join(CATEGORIES)}",
        )
    if len(statement.tags) > MAX_TAGS:
        return Refusal(Reason.TOO_LARGE, f"a fact takes at most {MAX_TAGS} tags")
    return None


def one_line(text: str) -> str:
    """A statement as it is kept: one line, without the whitespace around and within."""
    return " ".join(text.split())


def record_of(statement: Statement, now: datetime) -> Record:
    """The record of a statement that is new, learned `now`."""
    text = one_line(statement.text)
    category = statement.category or category_of(text)
    hedged = {"hedged": True} if is_hedged(text) else {}
    confidence = _confidence(statement.provenance, bool(hedged))
    return Record(
        fact_id(statement.scope, text),
        FACT.name,
        statement.scope,
        None,
        text,
        now,
        now,
        data={
            **statement.data,
            "category": category,
            "provenance": statement.provenance,
            **hedged,
        },
        trust=statement.trust,
        confidence=confidence,
        source_run=statement.run,
        source_message=statement.message,
        valid_from=statement.at,
        accesses=1,
        accessed_at=statement.at,
        tags=tags_of(statement.tags),
    )


def sureness(fact: Record) -> float:
    """How sure a fact was when it was said, whatever has happened to its confidence since."""
    provenance = str(fact.data.get("provenance"))
    if provenance not in CONFIDENCE:
        return fact.confidence
    return _confidence(provenance, "hedged" in fact.data)


def _confidence(provenance: str, hedged: bool) -> float:
    return CONFIDENCE[provenance] * (HEDGED if hedged else 1.0)


def tags_of(tags: tuple[str, ...]) -> tuple[str, ...]:
    """Tags as they are kept: folded, each once, in order."""
    folded = (unicodedata.normalize("NFC", " ".join(tag.split())).casefold() for tag in tags)
    return tuple(dict.fromkeys(tag for tag in folded if tag))


def is_current(fact: Record) -> bool:
    """Whether a fact counts now: neither replaced nor archived."""
    return fact.valid_to is None and "archived" not in fact.data


def state(fact: Record) -> Literal["current", "superseded", "archived"]:
    """Where a fact stands."""
    if fact.valid_to is not None:
        return "superseded"
    return "archived" if "archived" in fact.data else "current"


def category(fact: Record) -> str:
    """A fact's category."""
    return str(fact.data.get("category", "general"))


def fact_data(fact: Record, now: datetime) -> dict[str, Any]:
    """A fact for programs."""
    return {
        "id": fact.id,
        "scope": fact.scope,
        "text": fact.text,
        "category": category(fact),
        "tags": list(fact.tags),
        "state": state(fact),
        "score": round(score(fact, now), 4),
        "confidence": round(fact.confidence, 3),
        "trust": Trust(fact.trust).name.lower(),
        "provenance": fact.data.get("provenance"),
        "accesses": fact.accesses,
        "accessed_at": fact.accessed_at,
        "created_at": fact.created_at,
        "updated_at": fact.updated_at,
        "valid_from": fact.valid_from,
        "valid_to": fact.valid_to,
        "superseded_by": fact.superseded_by,
        "why": fact.data.get("why"),
        "source_run": fact.source_run,
        "source_message": fact.source_message,
    }

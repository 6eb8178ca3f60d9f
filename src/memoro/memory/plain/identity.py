"""What a record is known by that nobody gave an ID."""

from __future__ import annotations

from hashlib import sha256

from memoro.memory.facts.statement import fact_id
from memoro.memory.profile.entries import record_id
from memoro.memory.records import FACT, PROFILE, TOPIC, WORK, Record

_DIGITS = 24
_BY_KEY = {TOPIC.name: "t_", WORK.name: "w_"}


def derived_id(record: Record, turn: int = 0) -> str:
    """An ID made of what a record says, the same each time; `turn` counts the further ones that
    are wanted where that one is taken. Learned facts, the profile, topics and projects get the
    ID that they would have been learned under."""
    if not turn:
        if record.kind == FACT.name:
            return fact_id(record.scope, record.text)
        if record.kind == PROFILE.name:
            return record_id(record.key or "")
        if record.kind in _BY_KEY:
            return _BY_KEY[record.kind] + _digest(record.key or "")[:20]
    title = str(record.data.get("title", "")) + "\0" + str(record.data.get("date", ""))
    told = (record.kind, record.scope, record.key or "", record.text, title, str(turn))
    return record.kind[0] + "_" + _digest("\0".join(told))[:_DIGITS]


def _digest(text: str) -> str:
    return sha256(text.encode(errors="surrogatepass")).hexdigest()

"""Forgetting what was learned, for good."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from memoro.errors import Reason, Refusal
from memoro.memory.folding import UNSPACED, folded
from memoro.memory.records import (
    DAILY,
    EPISODE,
    FACT,
    PROFILE,
    PROPOSAL,
    TOPIC,
    WORK,
    Record,
    shown,
)
from memoro.memory.store import Plan, Reader, Removal

LEARNED = frozenset(kind.name for kind in (FACT, PROFILE, TOPIC, WORK, EPISODE, DAILY, PROPOSAL))
"""The kinds that are forgotten by ID; saved facts go by key, notes by `note remove --final`."""

_UNSPACED = re.compile(f"[{UNSPACED}]+")


def forget_records(ids: Sequence[str]) -> Plan:
    """Take records out of every place for good, also what only the log still holds of them."""

    def plan(reader: Reader) -> Removal | Refusal:
        found: list[Record] = []
        for record_id in ids:
            record = reader.get(record_id) or _logged(reader, record_id)
            if record is None or record.kind not in LEARNED:
                return Refusal(
                    Reason.NOT_FOUND,
                    f"there is no memory {shown(record_id)}; nothing was forgotten",
                    "memoro memory facts, or by words: memoro memory forget --match WORDS",
                )
            found.append(record)
        return Removal("forget", found)

    return plan


def matching(reader: Reader, text: str) -> list[Record] | Refusal:
    """Everything learned, current or not, that has every word of the text as a whole word."""
    words = _words(folded(text))
    if not words:
        return Refusal(
            Reason.USAGE,
            f"{shown(text)} has no word to look for; nothing was forgotten",
            "memoro memory forget --match WORDS",
        )
    return [
        record
        for kind in sorted(LEARNED)
        for record in reader.select(kind)
        if _has_all(record, words)
    ]


def _has_all(record: Record, words: Sequence[str]) -> bool:
    text = folded(record.text)
    held = set(_words(text))
    # A script without spaces has no words to compare whole.
    return all(word in held or (_UNSPACED.fullmatch(word) and word in text) for word in words)


def _words(text: str) -> list[str]:
    # A mark belongs to the letter before it; patterns take it for the end of a word.
    marks = {one for one in text if unicodedata.category(one).startswith("M")}
    return re.findall(rf"[\w{re.escape(''.join(sorted(marks)))}]+", text)


def _logged(reader: Reader, record_id: str) -> Record | None:
    for change in reader.changes(record=record_id):
        for logged in change.records:
            record = logged.after or logged.before
            if logged.record_id == record_id and record is not None:
                return record
    return None

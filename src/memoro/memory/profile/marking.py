"""Marking by hand what is sensitive, and what is not."""

from __future__ import annotations

from memoro.errors import Reason, Refusal
from memoro.memory.profile.draft import Draft
from memoro.memory.profile.entries import named_key
from memoro.memory.profile.fields import LISTS, NAMED, SCALARS, Target, target
from memoro.memory.records import Record, Trust, shown


def mark(draft: Draft, name: str, sensitive: bool) -> None:
    """Mark a field, a whole list (with what comes to it later), or an item by its name, its words
    or `FIELD: ITEM`. Only people take a mark away, and theirs stay."""
    by_hand = draft.said.trust >= Trust.APPROVED
    if not sensitive and not by_hand:
        draft.tell(f"{shown(name)}: only you can say that it is not sensitive", Reason.CONFLICT)
        return
    found, whole = _meant(draft, name)
    if not found:
        draft.tell(f"there is no {shown(name)} in the profile to mark", Reason.NOT_FOUND)
    for record in found:
        if record.data.get("sensitive") is False and not by_hand:
            draft.tell(f"{shown(name)}: you said that it is not sensitive", Reason.CONFLICT)
        else:
            draft.alter(record, sensitive=sensitive, **({"whole": sensitive} if whole else {}))


def _meant(draft: Draft, name: str) -> tuple[list[Record], bool]:
    wanted = target(name)
    if not isinstance(wanted, Refusal):
        if wanted.field in LISTS and not wanted.name and wanted.op == "put":
            return draft.of(wanted.field), True
        found = [draft.records[key] for key in _keys(wanted) if key in draft.records]
        if found:
            return found, False
    field, colon, item = name.partition(":")
    listed = target(field) if colon else wanted
    if colon and not isinstance(listed, Refusal) and listed.field in LISTS and not listed.name:
        return draft.named(listed.field, item.strip()), False
    return [one for field in LISTS if field not in NAMED for one in draft.named(field, name)], False


def _keys(wanted: Target) -> list[str]:
    if wanted.field in SCALARS:
        return [wanted.field]
    return [named_key(field, wanted.name) for field in (wanted.field, *NAMED) if wanted.name]

"""The life of an item: it comes, is restated, is finished, is replaced, and goes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from memoro.errors import Reason
from memoro.memory.profile.draft import Draft
from memoro.memory.profile.entries import item_key
from memoro.memory.profile.fields import (
    CERTIFICATIONS,
    DIRECTIVES,
    ENVIRONMENT,
    GOALS,
    MILESTONES,
    NAMED,
    PREFERENCES,
    STANCES,
)
from memoro.memory.profile.goals import achieved, asked, certificate, is_request
from memoro.memory.profile.saying import Item
from memoro.memory.profile.wording import finished_before, read, stem
from memoro.memory.records import Record, Trust, shown

_DATE = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")
_IN_THEIR_OWN_WORDS = frozenset({DIRECTIVES, STANCES, MILESTONES, *NAMED})


def put_in_list(draft: Draft, field: str, item: Item) -> None:
    """Add an item or restate it. A finished goal moves on; a request is carried out, not kept."""
    if field not in _IN_THEIR_OWN_WORDS and _is_carried_out(draft, field, item.text):
        return
    done = finished_goal(draft, item.text) if field == GOALS else None
    if done is None:
        draft.put(item)
        return
    goal = draft.records.get(item_key(GOALS, stem(done)))
    if goal is None:
        achieve(draft, done, {})
    elif draft.may(goal, "not finished"):
        draft.take(goal)
        achieve(draft, done, goal.data)


def replace(draft: Draft, field: str, items: Sequence[Item]) -> None:
    """Let a list be these items, in this order; none clears it."""
    for item in items:
        put_in_list(draft, field, item)
    keys = [item.key for item in items]
    for record in draft.of(field):
        if record.key not in keys and draft.may(record, "not removed"):
            draft.take(record)
    for position, key in enumerate(keys):
        record = draft.records.get(key)
        if record is not None and "position" in record.data and draft.outranks(record):
            draft.alter(record, position=position)


def remove(draft: Draft, field: str, names: Sequence[str], whole: str, *, finishes: bool) -> None:
    """Take out the items that are named; goals that are finished move on. What there is none of
    changes nothing. A guess has to name one item alone."""
    if len(names) > 1 and draft.exactly(field, whole):
        names = (whole,)
    for name in names:
        found = draft.named(field, name)
        if not found and field == PREFERENCES:
            found = draft.named(ENVIRONMENT, name)
        if not found:
            draft.tell(f"{field}: there is no {shown(name)}", Reason.NOT_FOUND)
        elif len(found) > 1 and draft.said.trust < Trust.APPROVED:
            draft.tell(f"{field}: {shown(name)} could be {len(found)} of them", Reason.CONFLICT)
        else:
            _take_out(draft, found, finishes=finishes)


def _take_out(draft: Draft, records: Sequence[Record], *, finishes: bool) -> None:
    for record in records:
        if draft.may(record, "not finished" if finishes else "not removed"):
            draft.take(record)
            if finishes:
                achieve(draft, read(record.text).bare, record.data)


def finished_goal(draft: Draft, text: str) -> str | None:
    """The goal that a text says is finished; None where it says no such thing.

    "X done" says so where X is known; "get things done" is a goal of its own.
    """
    if read(text).finished:
        return text
    before = finished_before(text)
    if before is None:
        return None
    field, event = achieved(before)
    keys = (item_key(GOALS, stem(before)), item_key(field, stem(event)))
    return before if any(key in draft.records for key in keys) else None


def achieve(draft: Draft, text: str, data: Any) -> None:
    """Let a finished goal be a milestone, or a certification where it names one; `data` is what
    was noted of the goal."""
    field, event = achieved(text)
    date = achieved_on(text)
    known = same_certificate(draft.of(field), event) if field == CERTIFICATIONS else None
    if known is not None and known.key is not None:
        draft.put(Item(known.key, known.text))
        return
    key = item_key(field, stem(event))
    if date is None and key not in draft.records:
        date = draft.said.at.date().isoformat()
    told = {"date": date, "sensitive": data.get("sensitive")}
    draft.put(Item(key, event, told))


def achieved_on(text: str) -> str | None:
    """The day that a finished goal's status names."""
    found = _DATE.search(read(text).status)
    return found[0] if found else None


def same_certificate(records: Sequence[Record], text: str) -> Record | None:
    """The certification that a text names in other words."""
    wanted = certificate(text)
    return next((one for one in records if certificate(one.text) == wanted), None)


def _is_carried_out(draft: Draft, field: str, text: str) -> bool:
    wanted = asked(text)
    if wanted is not None:
        item = (wanted.item,)
        remove(draft, wanted.field, item, wanted.item, finishes=wanted.op == "done")
    elif is_request(text):
        draft.tell(
            f"{field}: {shown(text)} asks for a change of what is remembered, and is not kept",
            Reason.CONFLICT,
        )
    else:
        return False
    return True

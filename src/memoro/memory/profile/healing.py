"""Mending profiles that older rules, or other programs, have left in disorder."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime

from memoro.errors import Reason, Refusal
from memoro.memory.profile.changing import differences, free_id
from memoro.memory.profile.entries import (
    field_of,
    in_order,
    item_key,
    position_of,
    proper_key,
    record_id,
)
from memoro.memory.profile.fields import CERTIFICATIONS, GOALS, LISTS, NAMED
from memoro.memory.profile.goals import achieved, is_request
from memoro.memory.profile.lists import achieved_on, same_certificate
from memoro.memory.profile.splitting import is_fragment
from memoro.memory.profile.wording import read, stem
from memoro.memory.records import GLOBAL, PROFILE, Record
from memoro.memory.store import Change, ChangeSet, Plan, Reader


def heal_profile(at: datetime) -> Plan:
    """Mend the profile, as one change that undo takes back; refused where it is in order."""

    def plan(reader: Reader) -> ChangeSet | Refusal:
        records = reader.select(PROFILE.name, GLOBAL)
        changes = heal(records, at, lambda key: free_id(reader, key))
        if not changes:
            return Refusal(Reason.NOT_FOUND, "nothing to mend")
        return ChangeSet("profile heal", changes)

    return plan


def heal(
    records: Iterable[Record], at: datetime, new_id: Callable[[str], str] = record_id
) -> list[Change]:
    """What puts a profile in order; nothing where it is.

    Pieces of items and requests to edit memory leave; finished goals become milestones or
    certifications; of items that are the same the last counts, in the place of the first, unless
    a better trusted one is there; preferences that tell of the machine are environment.
    """
    known = {one.key: one for one in records if one.key and one.kind == PROFILE.name}
    wanted: dict[str, Record] = {}
    finished: list[Record] = []
    for record in in_order(known.values()):
        if field_of(record) is None:
            _settle(wanted, record.key or "", record)
        elif field_of(record) == GOALS and read(record.text).finished:
            finished.append(record)
        elif not _leaves(record):
            _settle(wanted, proper_key(record), record)
    for goal in finished:
        if not _leaves(goal):
            _achieve(wanted, goal)
    return differences(known, _dated(known, wanted, at), new_id)


def _leaves(record: Record) -> bool:
    field = field_of(record)
    if not record.text.strip():
        return True
    if field not in LISTS or field in NAMED:
        return False
    return is_fragment(record.text) or (field == GOALS and is_request(record.text))


def _settle(wanted: dict[str, Record], key: str | None, record: Record) -> None:
    """Give a record its place, alone or together with one that is the same."""
    if key is None:
        return
    first = wanted.get(key)
    if key != record.key:
        data = {**record.data, "field": key.partition(":")[0]}
        record = record._replace(key=key, data=data)
    if first is not None:
        record = _joined(first, record)
    wanted[key] = record


def _joined(first: Record, last: Record) -> Record:
    """Two that are the same as one: the last word of those who are trusted most, in the place of
    the first. A mark of either stays."""
    winner = last if last.trust >= first.trust else first
    data = dict(winner.data)
    if "position" in first.data:
        data["position"] = first.data["position"]
    marks = [one.data.get("sensitive") for one in (first, last)]
    if True in marks:
        data["sensitive"] = True
    return winner._replace(created_at=min(first.created_at, last.created_at), data=data)


def _achieve(wanted: dict[str, Record], goal: Record) -> None:
    """Let a finished goal be a milestone or a certification, unless that is there."""
    field, event = achieved(goal.text)
    there = [one for one in wanted.values() if field_of(one) == field]
    key = item_key(field, stem(event))
    if key in wanted or (field == CERTIFICATIONS and same_certificate(there, event)):
        return
    date = achieved_on(goal.text) or goal.updated_at.date().isoformat()
    data = {**goal.data, "field": field, "date": date}
    data["position"] = max(map(position_of, there), default=-1) + 1
    wanted[key] = goal._replace(key=key, text=event, data=data)


def _dated(
    known: Mapping[str, Record], wanted: Mapping[str, Record], at: datetime
) -> dict[str, Record]:
    """The same records, with the time of the mending where it changed them."""
    return {
        key: record if _is_as_before(known.get(key), record) else record._replace(updated_at=at)
        for key, record in wanted.items()
    }


def _is_as_before(before: Record | None, after: Record) -> bool:
    return before is not None and before == after._replace(id=before.id, revision=before.revision)

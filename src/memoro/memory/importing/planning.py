"""What an import changes: planned at once, and one change that undo takes back whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from memoro.memory.imported import ImportedRecord, LeftOut
from memoro.memory.importing.activity import take_episode, take_topic, take_work
from memoro.memory.importing.facts import (
    beyond_limit,
    content,
    contents,
    rivals_of,
    said_at,
    take_fact,
)
from memoro.memory.importing.outcome import Counted, ImportPlan, Planned, Rules, Taken
from memoro.memory.importing.profile import take_profile
from memoro.memory.importing.staging import Staged
from memoro.memory.importing.texts import take_saved, take_text
from memoro.memory.plain.identity import derived_id
from memoro.memory.plain.values import is_id
from memoro.memory.records import (
    DAILY,
    EPISODE,
    FACT,
    NOTE,
    PLACE,
    PROFILE,
    PROJECT,
    SAVED_FACT,
    TOPIC,
    WORK,
    Record,
    Trust,
)
from memoro.memory.store import Reader

_ORDER = (PROJECT, PLACE, FACT, SAVED_FACT, PROFILE, WORK, TOPIC, EPISODE, DAILY, NOTE)
"""Facts come before the topics that link to them."""


def import_plan(
    items: Sequence[ImportedRecord], places: Sequence[Record], rules: Rules
) -> ImportPlan:
    """Bring records of another tool in: those that are not known here, below what the user said.

    Args:
        items: the records, in the scopes that they belong to. Their IDs are those that they had
            there, or "".
        places: the records of places that are not kept yet; those that something is in are.
        rules: what holds for this import.
    """

    def plan(reader: Reader) -> Planned:
        staged = Staged(reader)
        planned = _taken_in(staged, items, rules, _take_foreign(staged, items, rules))
        used = {one.scope for one in staged.new}
        met = [one for one in places if one.key in used and staged.get(one.id) is None]
        return planned._replace(places=met)

    return plan


def _taken_in(
    staged: Staged,
    items: Sequence[ImportedRecord],
    rules: Rules,
    take: Callable[[ImportedRecord], Taken],
) -> Planned:
    staged.mind_forgotten(_ids(items))
    counts: Counter[tuple[str, str]] = Counter()
    left_out: list[LeftOut] = []
    for item in _in_order(items):
        taken = take(item)
        counts[item.record.kind, taken.verdict] += 1
        if taken.verdict == "left":
            left_out.append(LeftOut(item.place, taken.why))
    archived = beyond_limit(staged, rules)
    new = staged.new
    ids = {one.id for one in new}
    past = [one for one in new if one.kind == FACT.name and one.superseded_by is not None]
    return Planned(
        _targets_first(new),
        {
            kind: Counted(*(counts[kind, verdict] for verdict in _VERDICTS))
            for kind in dict.fromkeys(kind for kind, _ in counts)
        },
        left_out,
        archived=frozenset(one.id for one in archived),
        aside=frozenset(one.id for one in past if one.superseded_by not in ids),
        outdated=frozenset(one.id for one in past if one.superseded_by in ids),
    )


_VERDICTS = ("new", "known", "left", "merged")
"""In the order of what is counted."""


def _targets_first(records: Sequence[Record]) -> list[Record]:
    """The records, each after the one that took its place: whoever is stopped in between has
    nothing that points nowhere."""
    by_id = {one.id: one for one in records}
    ordered: dict[str, Record] = {}
    for one in records:
        path: dict[str, Record] = {}
        at: Record | None = one
        while at is not None and at.id not in ordered and at.id not in path:
            path[at.id] = at
            at = by_id.get(at.superseded_by or "")
        ordered.update(reversed(path.items()))
    return list(ordered.values())


def _take_foreign(
    staged: Staged, items: Sequence[ImportedRecord], rules: Rules
) -> Callable[[ImportedRecord], Taken]:
    rivals = rivals_of(sum(one.record.kind == FACT.name for one in items))
    links: dict[str, str] = {}

    def take_linked_fact(record: Record) -> Taken:
        taken = take_fact(staged, record, rules, rivals)
        _link(staged, record, taken, links)
        return taken

    doors: dict[str, Callable[[Record], Taken]] = {
        FACT.name: take_linked_fact,
        SAVED_FACT.name: lambda record: take_saved(staged, record),
        PROFILE.name: lambda record: take_profile(staged, record),
        TOPIC.name: lambda record: take_topic(staged, record, links),
        WORK.name: lambda record: take_work(staged, record),
        EPISODE.name: lambda record: take_episode(staged, record),
        DAILY.name: lambda record: take_text(staged, record),
        NOTE.name: lambda record: take_text(staged, record),
    }

    def take(item: ImportedRecord) -> Taken:
        record = item.record
        door = doors.get(record.kind)
        if door is None:
            return Taken("left", f"a {record.kind} is not brought in from another tool")
        return door(
            record._replace(
                id=record.id if is_id(record.id) else "",
                trust=min(record.trust, Trust.INFERRED),
                revision=1,
            )
        )

    return take


def _link(staged: Staged, record: Record, taken: Taken, links: dict[str, str]) -> None:
    """Remember which fact here is the one of there."""
    own = record.data.get("imported", {}).get("id") or record.id
    known = taken.record
    if known is None and taken.verdict == "known":
        known = staged.same(FACT.name, record.scope, content(record), contents)
    if own and known is not None:
        links[str(own)] = known.id


def _in_order(items: Iterable[ImportedRecord]) -> list[ImportedRecord]:
    """The items by kind; facts as they were said, of topics the most mentioned first, for there is
    room for so many."""
    order = {kind.name: place for place, kind in enumerate(_ORDER)}
    return sorted(items, key=lambda one: (order.get(one.record.kind, len(order)), _rank(one)))


def _rank(item: ImportedRecord) -> tuple[bool, float]:
    if item.record.kind == FACT.name:
        return said_at(item.record)
    mentions = item.record.data.get("mentions")
    is_topic = item.record.kind == TOPIC.name and isinstance(mentions, int)
    return False, -mentions if is_topic and isinstance(mentions, int) else 0


def _ids(items: Iterable[ImportedRecord]) -> set[str]:
    """All IDs that the records could get here."""
    ids: set[str] = set()
    for item in items:
        if is_id(item.record.id):
            ids.add(item.record.id)
        ids.add(derived_id(item.record))
    return ids

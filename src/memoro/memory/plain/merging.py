"""Merging what a person changed in the files into the store, and nothing of either side lost.

What was changed on one side only stands as it was changed. Where both changed what a record says,
the store's version stands; the person's becomes a further record, or where there can be only one
of its key, is kept within that one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from memoro.errors import Reason, Refusal
from memoro.memory.plain.drafting import Draft
from memoro.memory.plain.edits import Edits, Entry, Gone
from memoro.memory.plain.elsewhere import GROUNDS
from memoro.memory.plain.fields import differing, is_substance
from memoro.memory.plain.form import digest_of
from memoro.memory.plain.outcome import Conflict, Merged
from memoro.memory.plain.taking import NOT_EDITED, Merging, take
from memoro.memory.records import FACT, Record
from memoro.memory.store import ChangeSet, Plan, Reader

__all__ = ["Conflict", "Merged", "merge", "merge_plan"]


def merge_plan(edits: Edits, now: datetime, told: Callable[[Merged], None]) -> Plan:
    """Merge a person's edits as one change that undo takes back.

    Args:
        edits: what they changed.
        now: the time of the merge.
        told: is given what comes of it, also where nothing changes.
    """

    def plan(reader: Reader) -> ChangeSet | Refusal:
        merged = merge(reader, edits, now)
        told(merged)
        if not merged.changes:
            return Refusal(Reason.NOT_FOUND, "nothing to merge: the files change no record")
        return ChangeSet("merge", merged.changes)

    return plan


def merge(reader: Reader, edits: Edits, now: datetime) -> Merged:
    """Work out what a person's edits change in the store as it is now."""
    merging = Merging(Draft(reader, now))
    merging.draft.wanted = frozenset(
        [*(one.read.record.id for one in edits.altered), *(one.record_id for one in edits.gone)]
    )
    entries, gone = _adopted(merging.draft, edits)
    for one in gone:
        _remove(merging, one)
    for entry in entries:
        if not entry.twin and _is_reworded(merging.draft, entry.read.record):
            merging.draft.reworded.add(entry.read.record.id)
    for entry in _in_turn(merging.draft, entries):
        take(merging, entry)
    return Merged(
        merging.draft.outcome(),
        tuple(merging.conflicts),
        (*edits.problems, *merging.problems),
        tuple(dict.fromkeys(merging.aside)),
        edits.held_back,
    )


def _remove(merging: Merging, gone: Gone) -> None:
    draft = merging.draft
    ours = draft.stored(gone.record_id)
    if ours is None:
        return
    if ours.kind in NOT_EDITED:
        why = "it is removed by command, not in a file"
        merging.conflicts.append(_deleted(gone, ours, why))
        return
    if digest_of(ours) != gone.base:
        was = draft.as_written(gone.record_id, gone.base)
        if was is None or any(map(is_substance, differing(was, ours))):
            why = "it was deleted in the file, and changed here"
            merging.conflicts.append(_deleted(gone, ours, why))
            return
    draft.leaving[ours.id] = ours


def _deleted(gone: Gone, ours: Record, why: str) -> Conflict:
    return Conflict(gone.record_id, ours.kind, gone.file, "", why, None, ours, "")


def _adopted(draft: Draft, edits: Edits) -> tuple[list[Entry], list[Gone]]:
    """Entries and what is gone, where those without an ID that stand for something gone have its
    ID: the line was written anew, or lost its ID."""
    gone = {one.record_id: one for one in edits.gone}
    any_anew = any(map(_is_anew, edits.altered))
    places: dict[tuple[str, str, str], str] = {}
    for record_id in gone if any_anew else ():
        ours = draft.stored(record_id)
        if ours is not None:
            places.setdefault(_content(ours), record_id)
    found: list[Entry] = []
    for entry in edits.altered:
        record = entry.read.record
        if _is_anew(entry) and _content(record) in places:
            lost = gone.pop(places.pop(_content(record)))
            read = entry.read._replace(record=record._replace(id=lost.record_id))
            entry = entry._replace(read=read, base=lost.base)
        found.append(entry)
    return found, list(gone.values())


def _is_anew(entry: Entry) -> bool:
    return "id" in entry.read.filled and entry.base is None


def _content(record: Record) -> tuple[str, str, str]:
    return record.kind, record.scope, record.key or record.text


def _in_turn(draft: Draft, entries: Sequence[Entry]) -> list[Entry]:
    """Entries in an order of their own, so that whatever their order in the files is, the same
    comes of it: what others lie in is first, of one ID the record's own, and who gives a key away
    comes before who takes it."""
    ordered = sorted(entries, key=_turn)
    giving = {one.read.record.id: one for one in ordered if not one.twin and _renames(draft, one)}
    done: dict[int, Entry] = {}
    for entry in ordered:
        chain: list[Entry] = []
        waiting: Entry | None = entry
        while waiting is not None and id(waiting) not in done and waiting not in chain:
            chain.append(waiting)
            waiting = _holding(draft, waiting.read.record, giving)
        done |= {id(one): one for one in reversed(chain)}
    return list(done.values())


def _turn(entry: Entry) -> tuple[bool, bool, str]:
    record = entry.read.record
    return record.kind not in GROUNDS, entry.twin, record.id


def _renames(draft: Draft, entry: Entry) -> bool:
    ours = draft.stored(entry.read.record.id)
    return ours is not None and ours.key is not None and ours.key != entry.read.record.key


def _holding(draft: Draft, record: Record, giving: Mapping[str, Entry]) -> Entry | None:
    """The entry that gives away the key which this record takes."""
    if record.key is None or not giving:
        return None
    found = draft.reader.select(record.kind, record.scope, key=record.key)
    return next((giving[one.id] for one in found if one.id != record.id and one.id in giving), None)


def _is_reworded(draft: Draft, record: Record) -> bool:
    ours = draft.stored(record.id)
    return ours is not None and ours.kind == record.kind == FACT.name and ours.text != record.text

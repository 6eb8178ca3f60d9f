"""What comes of one element of a person's file that is new, or not as it was written."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from memoro.memory.comparing import normalised
from memoro.memory.facts.statement import is_current
from memoro.memory.plain.checking import check_record
from memoro.memory.plain.drafting import Draft
from memoro.memory.plain.edits import Bad, Entry
from memoro.memory.plain.elsewhere import GROUNDS, admit, is_from_elsewhere, take_ground
from memoro.memory.plain.fields import (
    GONE,
    contradicts,
    differing,
    edited,
    says_the_same,
    stated,
    united,
    values,
    with_fields,
)
from memoro.memory.plain.form import Problem, digest_of, line_of, to_plain
from memoro.memory.plain.outcome import Conflict
from memoro.memory.plain.room import check_scope, has_room
from memoro.memory.plain.tidying import as_changed, as_new, tidied
from memoro.memory.records import FACT, PLACE, PROJECT, PROPOSAL, Record

NOT_EDITED = frozenset({PROJECT.name, PLACE.name, PROPOSAL.name})
"""Kinds that are more than what they say."""


class Merging:
    """A merge under way: its draft, and what there is to tell."""

    def __init__(self, draft: Draft) -> None:
        self.draft: Draft = draft
        self.conflicts: list[Conflict] = []
        self.problems: list[Bad] = []
        self.aside: list[str] = []


def take(merging: Merging, entry: Entry) -> None:
    """Decide what comes of an entry."""
    if entry.read.unknown:
        entry = _with_unknown(merging, entry)
    theirs = entry.read.record
    ours = merging.draft.record(theirs.id)
    if theirs.kind in NOT_EDITED:
        _take_unedited(merging, entry, ours)
        return
    problem = None
    if ours is None or ours.scope != theirs.scope:
        check = admit if is_from_elsewhere(merging.draft, entry) else check_scope
        problem = check(merging.draft, theirs)
    if problem is not None:
        _refuse(merging, entry, problem)
    elif ours is None:
        _add_absent(merging, entry)
    elif ours.kind != theirs.kind:
        _keep_both(merging, entry, ours, f"its ID is that of a {ours.kind}")
    elif _is_anew(entry) and theirs.kind == FACT.name:
        _take_anew(merging, entry, ours)
    elif entry.twin:
        _keep_both(merging, entry, ours, "its ID stands twice in the files")
    elif entry.base is None:
        _meet(merging, entry, ours)
    else:
        _change(merging, entry, ours, entry.base)


def _take_unedited(merging: Merging, entry: Entry, ours: Record | None) -> None:
    """Decide what comes of an entry of a kind that no file changes."""
    theirs = entry.read.record
    if theirs.kind in GROUNDS and is_from_elsewhere(merging.draft, entry):
        take_ground(merging.draft, theirs)
    elif theirs.kind == PLACE.name and ours is not None and ours.kind == PLACE.name:
        # Where it lies is each machine's own, and seen anew whenever somebody is in it.
        return
    else:
        problem = Problem("", f"a {theirs.kind} is changed by command, not in a file")
        _refuse(merging, entry, problem)


def _is_anew(entry: Entry) -> bool:
    """Whether a line was written without an ID, so that what it leaves out says nothing."""
    return "id" in entry.read.filled


def _with_unknown(merging: Merging, entry: Entry) -> Entry:
    record = entry.read.record
    kept: Any = record.data.get("aside")
    aside = {**(kept if isinstance(kept, Mapping) else {}), **entry.read.unknown}
    merging.aside.append(record.id)
    record = record._replace(data={**record.data, "aside": aside})
    return entry._replace(read=entry.read._replace(record=record))


def _add_absent(merging: Merging, entry: Entry) -> None:
    """Add what the store doesn't have, or has no more."""
    theirs = entry.read.record
    if merging.draft.was_forgotten(theirs.id):
        if _is_anew(entry):
            # Who writes it down anew, without its ID, wants it again.
            _add_apart(merging, entry)
            return
        why = "it was forgotten for good, and is not brought back"
        _tell(merging, entry, None, why, "")
        return
    if entry.twin:
        # Another line of that ID could not be added under it, and may yet be.
        _add_apart(merging, entry)
    elif entry.base is not None and _add(merging, entry, theirs):
        _tell(merging, entry, None, "it was changed in the file, and removed here", theirs.id)
    elif entry.base is None:
        _add(merging, entry, theirs)


def _add(merging: Merging, entry: Entry, record: Record) -> bool:
    """Add a record; False where it could not be added as it is, which has been told then."""
    draft = merging.draft
    record = as_new(record, draft.now)
    known = draft.same_fact(record)
    if known is not None:
        _tell(merging, entry, known, "a current fact says the same", known.id)
        return False
    holder = draft.holder(record)
    if holder is not None:
        if not says_the_same(holder, record):
            _keep_within(merging, entry, holder, "there is another of its key")
        return False
    problem = has_room(draft, record)
    if problem is not None:
        _refuse(merging, entry, problem)
        return False
    draft.put(record)
    return True


def _add_apart(merging: Merging, entry: Entry) -> None:
    """Add a record under another ID than it would have."""
    record = as_new(entry.read.record, merging.draft.now)
    place, there = merging.draft.place_for(record)
    if not there:
        _add(merging, entry, record._replace(id=place))


def _take_anew(merging: Merging, entry: Entry, ours: Record) -> None:
    """A fact that was written without an ID; by its text it would have that of `ours`."""
    theirs = entry.read.record
    same = normalised(theirs.text) == normalised(ours.text)
    holds_again = is_current(theirs) and not is_current(ours)
    if entry.base is not None and not entry.twin and not (same and holds_again):
        _change(merging, entry, ours, entry.base)
    elif same and (is_current(ours) or not entry.twin):
        _restate(merging, entry, ours)
    else:
        # The one of that ID says something else now, or is kept in the past.
        _add_apart(merging, entry)


def _meet(merging: Merging, entry: Entry, ours: Record) -> None:
    """A record that is new in the file, and known here by that ID."""
    theirs = entry.read.record
    if says_the_same(ours, as_new(theirs, merging.draft.now)):
        return
    _keep_both(merging, entry, ours, "another record has its ID")


def _restate(merging: Merging, entry: Entry, ours: Record) -> None:
    """A fact that is written down once more: whatever became of it, now it holds."""
    given = stated(differing(ours, entry.read.record))
    if "created_at" in entry.read.filled:
        given.pop("created_at", None)
    if "tags" in given:
        given["tags"] = tuple(dict.fromkeys((*ours.tags, *given["tags"])))
    if is_current(entry.read.record) and not is_current(ours):
        given |= {"valid_to": None, "data.archived": GONE, "data.why": GONE}
    elif entry.base is None and "valid_to" in given:
        # Two lines of nobody's knowing each other: that the one is past doesn't end the other.
        del given["valid_to"]
        _tell(merging, entry, ours, "the same is current here", ours.id)
    if not says_the_same(ours, tidied(with_fields(ours, given)), given):
        _alter(merging, entry, ours, given)


def _change(merging: Merging, entry: Entry, ours: Record, base: str) -> None:
    """A record that was written, and is different in the file."""
    draft, theirs = merging.draft, entry.read.record
    stored = draft.stored(theirs.id) or ours
    was = stored if digest_of(stored) == base else draft.as_written(theirs.id, base)
    if was is None:
        if not says_the_same(ours, theirs):
            _keep_both(merging, entry, ours, "it was changed in the file and here")
        return
    given = stated(differing(was, theirs)) if _is_anew(entry) else edited(was, theirs)
    if "created_at" in entry.read.filled:
        given.pop("created_at", None)
    changed = differing(was, ours)
    wanted = united(values(was, given), changed, given)
    if says_the_same(ours, tidied(with_fields(ours, wanted)), wanted):
        return
    if contradicts(theirs.kind, values(was, given), changed, given):
        _keep_both(merging, entry, ours, "it was changed in the file and here")
        return
    _alter(merging, entry, ours, wanted)


def _alter(merging: Merging, entry: Entry, ours: Record, given: Mapping[str, Any]) -> None:
    draft = merging.draft
    after = as_changed(ours, tidied(with_fields(ours, given)), given, draft.now)
    problem = check_record(after)
    if problem is not None:
        _refuse(merging, entry, problem)
        return
    same = draft.same_fact(after)
    if same is not None:
        if is_current(ours):
            draft.put(_past(ours, same, draft.now))
        _tell(merging, entry, same, "another current fact says the same", same.id)
        return
    holder = draft.holder(after)
    if holder is not None:
        _keep_within(merging, entry, holder, "there is another of its key")
        return
    draft.put(after)


def _past(fact: Record, by: Record, now: datetime) -> Record:
    """A fact that was reworded into one that is there already: its old wording holds no more."""
    return fact._replace(
        data={**fact.data, "why": "corrected"},
        valid_to=max(fact.valid_from or fact.created_at, now),
        superseded_by=by.id,
        updated_at=max(fact.updated_at, now),
    )


def _keep_both(merging: Merging, entry: Entry, ours: Record | None, why: str) -> None:
    """Let the store's version stand, and keep the person's as a further record."""
    draft, theirs = merging.draft, entry.read.record
    record = theirs._replace(data={**theirs.data, "conflict_of": theirs.id})
    if ours is not None and ours.kind == theirs.kind:
        # They wrote it, whoever had said what it was before.
        given = set(differing(ours, theirs)) - {"trust", "confidence"}
        record = as_changed(ours, record, dict.fromkeys(given), draft.now)
    record = as_new(record, draft.now)
    record = record._replace(id="")
    same = draft.same_fact(record)
    if same is not None:
        _tell(merging, entry, ours, why, same.id)
        return
    holder = draft.holder(record)
    if holder is not None:
        _keep_within(merging, entry, holder, why)
        return
    place, there = draft.place_for(record)
    problem = None if there else has_room(draft, record)
    if problem is not None:
        _refuse(merging, entry, problem)
        return
    if not there:
        draft.put(record._replace(id=place))
    _tell(merging, entry, ours, why, place)


def _keep_within(merging: Merging, entry: Entry, holder: Record, why: str) -> None:
    """Keep the person's version within the record of the same key."""
    theirs = to_plain(entry.read.record, counters=False)
    version = {name: theirs[name] for name in ("text", "tags", "data") if name in theirs}
    given: Any = holder.data.get("conflicts")
    kept: list[Any] = given if isinstance(given, list) else [given] if given else []
    if version not in kept and not says_the_same(holder, entry.read.record):
        data = {**holder.data, "conflicts": [*kept, version]}
        merging.draft.put(holder._replace(data=data, updated_at=merging.draft.now))
    _tell(merging, entry, holder, why, holder.id)


def _refuse(merging: Merging, entry: Entry, problem: Problem) -> None:
    record = entry.read.record
    text = line_of(record, counters=False)
    merging.problems.append(Bad(entry.file, entry.place, record.id, problem, text))


def _tell(merging: Merging, entry: Entry, ours: Record | None, why: str, kept_as: str) -> None:
    theirs = entry.read.record
    merging.conflicts.append(
        Conflict(theirs.id, theirs.kind, entry.file, entry.place, why, theirs, ours, kept_as)
    )

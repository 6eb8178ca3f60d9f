"""Taking a logged change back."""

from __future__ import annotations

from datetime import datetime

from memoro.errors import Reason, Refusal
from memoro.memory.imported import Brought, brought_by
from memoro.memory.projects import check_undo
from memoro.memory.records import PLACE, Record
from memoro.memory.saved import check_room
from memoro.memory.store import (
    REDACT,
    SESSION,
    SWEEP,
    Change,
    ChangeSet,
    LoggedChange,
    LoggedRecord,
    Plan,
    Reader,
)

_MASKING = {SWEEP: "sweep", REDACT: "redaction"}
"""The actions that put less in the place of what had to go, and what they are called."""


def undo(change_id: int | None, at: datetime) -> Plan:
    """Put every record of a change back as it was before: the last change that still stands (a
    redo too), or the one of that ID (an undoing too, which makes it a redo).

    Refused where the change is final, undone already, where a record has changed since, and where
    the way back would break a limit that holds for new records too.
    """

    def plan(reader: Reader) -> ChangeSet | Refusal:
        change = _wanted(reader, change_id)
        if isinstance(change, Refusal):
            return change
        if change.final or change.action in _MASKING:
            word = _MASKING.get(change.action, "forgetting")
            return Refusal(
                Reason.CONFLICT,
                f"change {change.id} was a {word}, and that is final; nothing was changed",
                "to take an earlier change back, name it: memoro memory log",
            )
        if change.undone_by is not None:
            return Refusal(
                Reason.CONFLICT,
                f"change {change.id} has been undone already, by change {change.undone_by}",
                f"to bring it back: memoro memory undo {change.undone_by}",
            )
        withdraws = _withdrawals(reader, change)
        if isinstance(withdraws, Refusal):
            return withdraws
        changes: list[Change] = []
        for logged in change.records:
            if logged.kind == SESSION:
                continue
            back = _reversed(reader, change, logged, at)
            if isinstance(back, Refusal):
                return back
            changes.append(back)
        if not changes and not withdraws:
            return _forgotten(change)
        refusal = check_room(reader, changes) or check_undo(reader, changes)
        return refusal or ChangeSet("undo", changes, change.id, withdraws)

    return plan


def _withdrawals(reader: Reader, change: LoggedChange) -> dict[str, int] | Refusal:
    """The conversations that a change added to, with the turns that they had before. One that has
    been deleted since stays so. Refused where one has changed otherwise, or is to come back."""
    brought: dict[str, Brought] = {}
    for logged in change.records:
        one = brought_by(logged.key) if logged.kind == SESSION else None
        if one is not None:
            first = brought.get(logged.record_id, one).before
            brought[logged.record_id] = Brought(first, one.after - first)
    if brought and change.undoes is not None:
        return Refusal(
            Reason.CONFLICT,
            f"change {change.id} took conversations away, and no undo brings these back",
            "import them again: memoro import PATH",
        )
    found: dict[str, int] = {}
    for session, turns in reader.turns(brought).items():
        if turns != brought[session].after:
            return Refusal(
                Reason.CONFLICT,
                f"conversation {session} has gone on since change {change.id}; nothing was changed",
                "undo first what added to it, or take it away for good:"
                f" memoro chat delete {session}",
            )
        found[session] = brought[session].before
    return found


def _wanted(reader: Reader, change_id: int | None) -> LoggedChange | Refusal:
    if change_id is not None:
        change = reader.change(change_id)
        return change or Refusal(
            Reason.NOT_FOUND, f"the log has no change {change_id}", "memoro memory log"
        )
    # The whole log is read only where its end gives none: the store is locked meanwhile.
    for limit in (100, None):
        for change in reader.changes(limit=limit):
            if change.undone_by is None and not _takes_back(reader, change) and _is_deed(change):
                return change
    return Refusal(Reason.NOT_FOUND, "there is no change to undo")


def _is_deed(change: LoggedChange) -> bool:
    """Whether a change is one that somebody asked for. Where something was learned is noted by
    itself; by its ID that can be undone, too."""
    return any(logged.kind != PLACE.name for logged in change.records)


def _takes_back(reader: Reader, change: LoggedChange) -> bool:
    """Whether a change is an undoing; a redo, which undoes one of those, is not."""
    undoing, step = False, change
    while step.undoes is not None:
        before = reader.change(step.undoes)
        assert before is not None, "the log is append-only"
        undoing, step = not undoing, before
    return undoing


def _forgotten(change: LoggedChange) -> Refusal:
    return Refusal(
        Reason.CONFLICT,
        f"what change {change.id} was about has been forgotten, and that is final",
    )


def _reversed(
    reader: Reader, change: LoggedChange, logged: LoggedRecord, at: datetime
) -> Change | Refusal:
    if logged.before is None and logged.after is None:
        return _forgotten(change)
    current = reader.get(logged.record_id)
    if _state(current) != _state(logged.after):
        return _changed_since(change, logged)
    if logged.before is None:
        return Change(current, None)
    if current is None and logged.key is not None:
        leaving = {one.record_id for one in change.records if one.before is None}
        taken = reader.select(logged.kind, logged.before.scope, key=logged.key)
        if any(record.id not in leaving for record in taken):
            return _changed_since(change, logged)
    revision = (current or logged.before).revision + 1
    return Change(current, logged.before._replace(updated_at=at, revision=revision))


def _state(record: Record | None) -> Record | None:
    """What an undo compares: the content and its place, not the times and counters around it."""
    if record is None:
        return None
    return record._replace(updated_at=record.created_at, revision=0, accesses=0, accessed_at=None)


def _changed_since(change: LoggedChange, logged: LoggedRecord) -> Refusal:
    return Refusal(
        Reason.CONFLICT,
        f"{logged.key or logged.record_id} has changed since change {change.id};"
        " nothing was changed",
        f"see what happened: memoro memory history {logged.key or logged.record_id}",
    )

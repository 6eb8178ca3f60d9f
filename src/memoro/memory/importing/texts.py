"""Saved facts, lines of days and notes on their way in."""

from __future__ import annotations

from memoro.memory.importing.outcome import FORGOTTEN, KNOWN, Taken
from memoro.memory.importing.staging import Staged
from memoro.memory.notes import check_note, title
from memoro.memory.plain.identity import derived_id
from memoro.memory.plain.values import is_id
from memoro.memory.records import SAVED_FACT, Record, in_scope, project_name
from memoro.memory.saved import MAX_FACTS_PER_SCOPE, check_key, check_value


def take_saved(staged: Staged, record: Record) -> Taken:
    """A saved fact: a key that is here keeps its value."""
    key = record.key or ""
    refusal = check_key(key) or check_value(record.text)
    if refusal is not None:
        return Taken("left", refusal.what)
    found = staged.select(SAVED_FACT.name, record.scope, key=key)
    if found:
        if found[0].text == record.text:
            return KNOWN
        option = "" if project_name(record.scope) is None else "--project … "
        return Taken(
            "left",
            f"{key} has another value{in_scope(record.scope)}, and keeps it"
            f" (memoro memory replace {option}{key} VALUE)",
        )
    last = staged.changes(scope=record.scope, kind=SAVED_FACT.name, key=key, limit=1)
    if last and last[0].final:
        return Taken("left", f"{key}: {FORGOTTEN} (memoro memory remember {key} VALUE)")
    if len(staged.select(SAVED_FACT.name, record.scope)) >= MAX_FACTS_PER_SCOPE:
        return Taken(
            "left",
            f"{key}: at most {MAX_FACTS_PER_SCOPE} saved facts are allowed{in_scope(record.scope)}",
        )
    return _put(staged, record)


def take_text(staged: Staged, record: Record) -> Taken:
    """A note, or a line of a day: known where the same words stand under the same title or day."""
    if "title" in record.data:
        refusal = check_note(title(record), record.text)
        if refusal is not None:
            return Taken("left", refusal.what)
    identity = words(record)
    if staged.same(record.kind, record.scope, identity, lambda one: (words(one),)) is not None:
        return KNOWN
    taken = _put(staged, record)
    if taken.record is not None:
        staged.know(taken.record, identity)
    return taken


def words(record: Record) -> str:
    """What identifies a note, or a line of a day."""
    of = record.data.get("title") or record.data.get("date") or ""
    return f"{of}\0{record.text}"


def _put(staged: Staged, record: Record) -> Taken:
    record, known = named(staged, record)
    if known:
        return KNOWN
    if staged.was_forgotten(record.id):
        return Taken("left", FORGOTTEN)
    staged.put(record)
    return Taken("new", record=record)


def named(staged: Staged, record: Record) -> tuple[Record, bool]:
    """A record under its own ID where that can be one and is free, else under the one that its
    content makes; and whether that is known."""
    if is_id(record.id) and staged.get(record.id) is None:
        return record, False
    record = record._replace(id=derived_id(record))
    return record, staged.get(record.id) is not None

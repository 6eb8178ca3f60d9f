"""Our own records on their way back in: as they are."""

from __future__ import annotations

from memoro.memory.facts.statement import fact_id
from memoro.memory.importing.outcome import FORGOTTEN, KNOWN, Taken
from memoro.memory.importing.staging import Staged
from memoro.memory.records import FACT, Record, Trust


def take_own(staged: Staged, record: Record, *, as_mine: bool) -> Taken:
    """A record of an export: with its rank where it is taken `as_mine`, else as what was inferred;
    known by its ID, by its key, or as a fact of the same words."""
    known = staged.get(record.id)
    if known is not None:
        return KNOWN if known.kind == record.kind else Taken("left", "another record has its ID")
    if staged.was_forgotten(record.id):
        return Taken("left", FORGOTTEN)
    if record.key is not None and staged.select(record.kind, record.scope, key=record.key):
        return Taken("left", f"{record.key}: there is another of that key, and it stays")
    if not as_mine:
        if record.kind == FACT.name and staged.get(fact_id(record.scope, record.text)) is not None:
            return KNOWN
        record = record._replace(trust=min(record.trust, Trust.INFERRED))
    staged.put(record)
    return Taken("new", record=record)

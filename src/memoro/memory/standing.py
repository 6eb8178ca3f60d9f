"""Memory as it stood at an earlier time, read back from the log."""

from __future__ import annotations

from datetime import datetime

from memoro.memory.records import Record
from memoro.memory.store import Reader


def as_it_stood(reader: Reader, record: Record, at: datetime) -> Record | None:
    """A record as it was known at that instant; None where it was not there yet, or was away."""
    for change in reader.changes(record=record.id):
        if change.at <= at:
            return next(one.after for one in change.records if one.record_id == record.id)
    return None

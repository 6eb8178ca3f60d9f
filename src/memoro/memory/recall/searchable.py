"""What recall finds besides conversations: which kinds of records, and by which of their words."""

from __future__ import annotations

from memoro.memory.records import EPISODE, FACT, NOTE, SAVED_FACT, Record


def searchable(record: Record) -> str:
    """The text that a record is found by."""
    data = record.data
    match record.kind:
        case FACT.name:
            more = [*record.tags]
        case EPISODE.name:
            more = [str(data.get("outcome") or ""), *map(str, data.get("refs") or ())]
        case SAVED_FACT.name:
            return f"{record.key}\n{record.text}"
        case NOTE.name:
            return f"{data.get('title', '')}\n{record.text}"
        case _:
            more = []
    return "\n".join([record.text, *(one for one in more if one)])

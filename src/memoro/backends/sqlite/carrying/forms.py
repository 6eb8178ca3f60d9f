"""Which lines an export has, and what stands in them."""

from __future__ import annotations

from typing import NamedTuple

RECORD, CHANGE, LOGGED = "record", "change", "change_record"
"""The types of lines that are made of records: one for each record, one for each entry of the log,
and behind that one for each record that it changed."""

CHANGE_FIELDS = ("id", "at", "action", "writer", "run", "message", "undoes", "final")
LOGGED_FIELDS = ("change", "id", "kind", "scope", "key", "before", "after")


class Table(NamedTuple):
    """A table that is carried as it is: the type of its lines, its name and columns, and what
    orders them."""

    type: str
    name: str
    columns: tuple[str, ...]
    order: str


SESSIONS = Table(
    "session", "sessions", ("id", "title", "scope", "created_at", "updated_at"), "created_at, id"
)
RUNS = Table(
    "run",
    "runs",
    (
        *("id", "session", "kind", "state", "model", "started_at", "ended_at"),
        *("input_tokens", "output_tokens", "cached_tokens", "error", "blocks"),
    ),
    "started_at, id",
)
MESSAGES = Table(
    "message",
    "messages",
    ("id", "session", "run", "role", "text", "at", "partial", "speaker", "ref"),
    "seq",
)
CALLS = Table(
    "tool_call",
    "tool_calls",
    ("id", "run", "tool", "arguments", "outcome", "detail", "requested_at", "finished_at"),
    "id",
)
USES = Table("use", "accesses", ("record", "at", "run", "how", "score", "bytes"), "seq")
COSTS = Table(
    "embedding_cost", "embedding_costs", ("day", "embedder", "texts", "tokens"), "day, embedder"
)
TABLES = (SESSIONS, RUNS, MESSAGES, CALLS, USES, COSTS)
BY_TYPE = {table.type: table for table in TABLES}
CONVERSATIONS = frozenset(table.type for table in (SESSIONS, RUNS, MESSAGES, CALLS))
"""The types of lines that conversations are made of."""

CARRIED = "import memoro"
"""What the log calls the coming in of an export. It is no part of an export itself: everything that
it brought has its own history there."""

"""Whether anything that follows from records still has one that went: index, vectors, graph."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping

from memoro.backends.sqlite.database import run
from memoro.backends.sqlite.store import SqliteStore

_WANTED = "(SELECT value FROM json_each(?1))"
_CHECKS: Mapping[str, str] = {
    "records": f"SELECT 1 FROM records WHERE id IN {_WANTED} LIMIT 1",
    "graph": f"SELECT 1 FROM derived_nodes WHERE records > 0 AND name IN {_WANTED} LIMIT 1",
    "words": "SELECT 1 FROM derived_words WHERE node NOT IN"
    " (SELECT id FROM derived_nodes WHERE records > 0) LIMIT 1",
    "search index": f"SELECT 1 FROM derived_units WHERE owner IN {_WANTED} LIMIT 1",
    "vectors": "SELECT 1 FROM derived_vectors WHERE unit NOT IN"
    " (SELECT id FROM derived_units) LIMIT 1",
    "plain files": f"SELECT 1 FROM derived_mirror_lines WHERE record IN {_WANTED} LIMIT 1",
}
"""Where a record that went would be seen by its ID; words and vectors know it by the number of its
node or unit, which went with it."""


def traces(store: SqliteStore, ids: Collection[str]) -> list[str]:
    """Where any of these IDs still is. The log and the times of use keep them, without content."""
    wanted = json.dumps(sorted(ids))
    with store.guarded():
        return [
            name
            for name, sql in _CHECKS.items()
            if run(store.connection, sql, [wanted] if "?1" in sql else [])
        ]

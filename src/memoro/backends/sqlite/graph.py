"""The graph, read from the cache that the store keeps of it: `memoro.memory.graph.Graph`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memoro.backends.sqlite.database import run
from memoro.backends.sqlite.finding import ready
from memoro.memory.graph import RECORD_KINDS, Near, Node, Overview, node_names

if TYPE_CHECKING:
    from memoro.backends.sqlite.store import SqliteStore

_KINDS = ", ".join(f"'{kind}'" for kind in sorted(RECORD_KINDS))
_REAL = f"(n.records > 0 OR n.kind NOT IN ({_KINDS}))"

_HEAVIEST = 1_000
"""Of a node with more links than this, the heaviest and latest are looked at."""


class SqliteGraph:
    """The graph of one open store."""

    def __init__(self, store: SqliteStore) -> None:
        self._store = store
        self._connection = store.connection

    def named(self, subject: str) -> list[Node]:
        """See `memoro.memory.graph.Graph`."""
        names = node_names(subject)
        places = ", ".join("?" * len(names))
        with self._store.guarded():
            ready(self._connection)
            rows = run(
                self._connection,
                f"SELECT name, kind, title FROM derived_nodes n WHERE name IN ({places})"
                f" AND {_REAL} ORDER BY degree DESC, name",
                names,
            )
        return [Node(*map(str, row)) for row in rows]

    def near(self, name: str, limit: int) -> list[Near]:
        """See `memoro.memory.graph.Graph`."""
        with self._store.guarded():
            ready(self._connection)
            rows = run(
                self._connection,
                "SELECT n.name, n.kind, n.title, sum(l.weight) AS weight, min(l.owner <> l.a)"
                " FROM (SELECT a, b, owner, weight FROM derived_links"
                " WHERE a = (SELECT id FROM derived_nodes WHERE name = ?)"
                " ORDER BY weight DESC, b DESC LIMIT ?) l JOIN derived_nodes n ON n.id = l.b"
                f" WHERE {_REAL} GROUP BY n.id ORDER BY weight DESC, n.name LIMIT ?",
                [name, max(limit, _HEAVIEST), limit],
            )
        return [
            Near(Node(str(row[0]), str(row[1]), str(row[2])), float(str(row[3])), bool(row[4]))
            for row in rows
        ]

    def overview(self, hubs: int) -> Overview:
        """See `memoro.memory.graph.Graph`."""
        with self._store.guarded():
            ready(self._connection)
            counts = run(
                self._connection,
                "SELECT kind, sum(nodes) FROM ("
                "SELECT kind, count(*) AS nodes FROM derived_nodes WHERE records > 0 GROUP BY kind"
                " UNION ALL SELECT kind, count(*) FROM derived_nodes"
                f" WHERE records = 0 AND kind NOT IN ({_KINDS}) GROUP BY kind) GROUP BY kind",
            )
            ((links,),) = run(self._connection, "SELECT links FROM derived_state")
            rows = run(
                self._connection,
                "SELECT name, kind, title, degree FROM derived_nodes n"
                f" WHERE degree > 0 AND {_REAL} ORDER BY degree DESC, name LIMIT ?",
                [hubs],
            )
        return Overview(
            {str(kind): int(str(count)) for kind, count in counts},
            int(str(links)),
            tuple((Node(str(a), str(b), str(c)), int(str(degree))) for a, b, c, degree in rows),
        )

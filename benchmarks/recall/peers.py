"""Other projects' stores, each given our vectors. Runs in the benchmarks' own Python.

    python peers.py chroma|langgraph

Each line in is `{"rows": [[…]…], "questions": [[…]…], "k": n}`; each line out the numbers of the
best rows for each question.
"""

from __future__ import annotations

import importlib
import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from typing import Any

Vectors = list[list[float]]
_AT_ONCE = 2000


def chroma(rows: Vectors, questions: Vectors, k: int) -> list[list[int]]:
    """A collection of chromadb with cosine distance, all else as it comes."""
    import chromadb  # pyright: ignore[reportMissingImports]

    with tempfile.TemporaryDirectory(prefix="memoro-chroma-") as folder:
        client = chromadb.PersistentClient(path=folder)
        space: Any = {"hnsw": {"space": "cosine"}}
        collection = client.create_collection("turns", configuration=space, embedding_function=None)
        for first in range(0, len(rows), _AT_ONCE):
            part = rows[first : first + _AT_ONCE]
            numbers = [str(number) for number in range(first, first + len(part))]
            collection.add(ids=numbers, embeddings=part)
        count = min(k, len(rows))
        found: Any = collection.query(query_embeddings=questions, n_results=count, include=[])
        client.delete_collection("turns")
    return [[int(number) for number in numbers] for numbers in found["ids"]]


def langgraph(rows: Vectors, questions: Vectors, k: int) -> list[list[int]]:
    """LangGraph's store in SQLite, its index over a field that names the vector."""
    _let_sqlite_load_extensions()
    from langgraph.store.base import PutOp  # pyright: ignore[reportMissingImports]
    from langgraph.store.sqlite import SqliteStore  # pyright: ignore[reportMissingImports]

    def embed(names: list[str]) -> Vectors:
        kinds = {"row": rows, "question": questions}
        return [kinds[kind][int(number)] for kind, number in map(str.split, names)]

    index: Any = {"dims": len(rows[0]), "embed": embed, "text_fields": ["text"]}
    with (
        tempfile.TemporaryDirectory(prefix="memoro-langgraph-") as folder,
        SqliteStore.from_conn_string(f"{folder}/store.sqlite", index=index) as store,
    ):
        store.setup()
        puts = [
            PutOp(("turns",), str(number), {"text": f"row {number}"}) for number in range(len(rows))
        ]
        for first in range(0, len(puts), _AT_ONCE):
            store.batch(puts[first : first + _AT_ONCE])
        searches = (
            store.search(("turns",), query=f"question {number}", limit=k)
            for number in range(len(questions))
        )
        return [[int(item.key) for item in items] for items in searches]


def _let_sqlite_load_extensions() -> None:
    """Some Pythons are built without that; then `pysqlite3-binary` takes their module's place."""
    import sqlite3

    if not hasattr(sqlite3.Connection, "enable_load_extension"):
        sys.modules["sqlite3"] = importlib.import_module("pysqlite3")


STORES: dict[str, Callable[[Vectors, Vectors, int], list[list[int]]]] = {
    "chroma": chroma,
    "langgraph": langgraph,
}


def _tasks() -> Iterator[dict[str, Any]]:
    for line in sys.stdin:
        yield json.loads(line)


def main() -> None:
    """Answer every line of the standard input."""
    # What a library prints must not pass for an answer.
    answers, sys.stdout = sys.stdout, sys.stderr
    store = STORES[sys.argv[1]]
    for task in _tasks():
        print(
            json.dumps(store(task["rows"], task["questions"], task["k"])), file=answers, flush=True
        )


if __name__ == "__main__":
    main()

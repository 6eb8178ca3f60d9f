"""What memoro is measured against: each ranks the same texts for the same questions.

`chroma` and `langgraph` run in the Python of the benchmarks (see README.md), given our vectors.
"""

from __future__ import annotations

import json
import math
import os
import re
import subprocess
from array import array
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from heapq import nlargest
from operator import mul
from pathlib import Path

import apsw

from memoro.memory.recall.embedding import Embedder, Purpose

Ranker = Callable[[Sequence[str], Sequence[str], int], list[list[int]]]
"""Texts, questions and k: for each question the numbers of the best texts, best first."""

PEERS = ("chroma", "langgraph")
PEERS_PYTHON = os.environ.get("PEERS_PYTHON", "/tmp/bv/bin/python")
"""The Python that has the other projects."""


def fts5(texts: Sequence[str], questions: Sequence[str], k: int) -> list[list[int]]:
    """SQLite's full-text search as it comes: any word of the question, its own ranking."""
    database = apsw.Connection(":memory:")
    database.execute("CREATE VIRTUAL TABLE texts USING fts5(text, tokenize='unicode61')")
    database.executemany("INSERT INTO texts(rowid, text) VALUES (?, ?)", enumerate(texts))
    found: list[list[int]] = []
    for question in questions:
        match = " OR ".join(f'"{word}"' for word in dict.fromkeys(re.findall(r"\w+", question)))
        query = "SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY rank LIMIT ?"
        found.append([row[0] for row in database.execute(query, (match, k))] if match else [])
    database.close()
    return found


def bm25(texts: Sequence[str], questions: Sequence[str], k: int) -> list[list[int]]:
    """BM25 with k1 = 1.2 and b = .75 over memoro's stems, function words left out of questions."""
    from memoro.memory.recall.words import query_terms, tokens

    postings: dict[str, list[tuple[int, int]]] = {}
    lengths: list[int] = []
    for number, text in enumerate(texts):
        words = tokens(text)
        lengths.append(len(words))
        for word, count in Counter(words).items():
            postings.setdefault(word, []).append((number, count))
    average = sum(lengths) / max(1, len(lengths)) or 1.0
    norms = [1.2 * (0.25 + 0.75 * length / average) for length in lengths]
    found: list[list[int]] = []
    for question in questions:
        scores: dict[int, float] = {}
        for term in query_terms(question):
            listed = postings.get(term, ())
            rarity = math.log(1 + (len(texts) - len(listed) + 0.5) / (len(listed) + 0.5))
            for number, count in listed:
                gain = rarity * 2.2 * count / (count + norms[number])
                scores[number] = scores.get(number, 0.0) + gain
        found.append(nlargest(k, scores, key=lambda number: scores[number]))
    return found


def static(texts: Sequence[str], questions: Sequence[str], k: int) -> list[list[int]]:
    """The cosine of our static embedder's vectors, over all texts."""
    rows, asked = _vectors(texts, "passage"), _vectors(questions, "query")
    found: list[list[int]] = []
    for question in asked:
        scores = [sum(map(mul, row, question)) for row in rows]
        found.append(nlargest(k, range(len(rows)), key=lambda number: scores[number]))
    return found


def _vectors(texts: Sequence[str], purpose: Purpose) -> list[list[float]]:
    """Unit vectors; of zeros where a text has none."""
    rows = [array("b", row) for row in _embedder().embed(texts, purpose)]
    width = max(map(len, rows), default=0)
    return [_unit(row) if row else [0.0] * width for row in rows]


def _unit(row: Sequence[int]) -> list[float]:
    length = math.sqrt(sum(map(mul, row, row))) or 1.0
    return [value / length for value in row]


@cache
def _embedder() -> Embedder:
    from memoro.backends.embedding.static import StaticEmbedder

    return StaticEmbedder()


def peer(name: str) -> Ranker:
    """Another project's store, in a process of its own, given our vectors."""

    def ranked(texts: Sequence[str], questions: Sequence[str], k: int) -> list[list[int]]:
        task = {
            "rows": _vectors(texts, "passage"),
            "questions": _vectors(questions, "query"),
            "k": k,
        }
        process = _started(name)
        assert process.stdin and process.stdout
        process.stdin.write(json.dumps(task) + "\n")
        process.stdin.flush()
        return json.loads(process.stdout.readline())

    return ranked


@cache
def _started(name: str) -> subprocess.Popen[str]:
    if not Path(PEERS_PYTHON).exists():
        raise FileNotFoundError(f"{name} needs {PEERS_PYTHON}; README.md tells how it is made")
    command = [PEERS_PYTHON, str(Path(__file__).with_name("peers.py")), name]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


RANKERS: dict[str, Ranker] = {
    "fts5": fts5,
    "bm25": bm25,
    "static": static,
    **{name: peer(name) for name in PEERS},
}

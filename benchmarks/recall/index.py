"""Our own places against SQLite's FTS5: finding candidates, building, and writing a turn.

    python benchmarks/recall/index.py HOME

HOME is a folder with a memory of many turns, as `latency.py --keep` leaves one. FTS5 gets the same
turns in a database of its own, with its stemmer; the questions are LongMemEval's.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import apsw
from loading import DATA, questions_of

from memoro.backends.sqlite.searching.finder import SqliteFinder
from memoro.memory.recall.matching import Saturation, best_units, weighed
from memoro.memory.recall.words import query_terms

CANDIDATES = 300


def main() -> None:
    """Print the figures of both."""
    home = Path(sys.argv[1])
    ours = apsw.Connection(str(home / "memory.db"), flags=apsw.SQLITE_OPEN_READONLY)
    turns = list(ours.execute("SELECT text FROM messages ORDER BY seq"))
    questions = [text for text, _ in questions_of(DATA / "longmemeval")]
    print(f"{len(turns):,} turns, {len(questions)} questions, ms of processor time")
    with tempfile.TemporaryDirectory() as folder:
        theirs = apsw.Connection(str(Path(folder) / "fts.db"))
        theirs.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL").fetchall()
        theirs.execute(
            "CREATE VIRTUAL TABLE turns USING fts5(text, content='', detail='none',"
            " tokenize='porter unicode61 remove_diacritics 2')"
        )
        started = time.process_time()
        with theirs:
            theirs.executemany("INSERT INTO turns (text) VALUES (?)", turns)
        print(f"fts5: built in {time.process_time() - started:.1f} s")
        _told("fts5", [_timed_fts5(theirs, text) for text in questions])
    _told("ours", [_timed_ours(ours, text) for text in questions])


def _timed_fts5(connection: apsw.Connection, text: str) -> float:
    terms = " OR ".join(f'"{term}"' for term in query_terms(text))
    started = time.process_time()
    connection.execute(
        "SELECT rowid FROM turns WHERE turns MATCH ? ORDER BY rank LIMIT ?", [terms, CANDIDATES]
    ).fetchall()
    return time.process_time() - started


def _timed_ours(connection: apsw.Connection, text: str) -> float:
    finder = SqliteFinder(connection, None)
    started = time.process_time()
    shelf = finder.shelf("turn")
    assert shelf is not None, "there are turns"
    found = finder.places("turn", query_terms(text))
    best_units(weighed(found, shelf.parts, Saturation()), CANDIDATES)
    return time.process_time() - started


def _told(name: str, times: list[float]) -> None:
    ordered = sorted(times)
    late = ordered[int(len(ordered) * 0.95)]
    print(f"{name}: p50 {median(ordered) * 1000:.1f}, p95 {late * 1000:.1f} ms for the candidates")


if __name__ == "__main__":
    main()

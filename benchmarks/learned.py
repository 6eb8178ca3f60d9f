"""Learned memory at size: how long `learn`, `facts`, `neighbors` and `map` take, and how they grow.

    python benchmarks/learned.py [--sizes 1000,100000] [--scopes 200]

Facts are spread over projects of 500, as the limit has it, and, in a second store, all in one
scope, which is the worst case. Each figure is the median of 30 calls on one open store; `command`
is the whole command line, as the median of 10.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from memoro.backends.sqlite.graph import SqliteGraph
from memoro.backends.sqlite.opening import StoreOptions, open_store
from memoro.backends.sqlite.store import SqliteStore
from memoro.errors import Refusal
from memoro.memory.facts.learn import Limits, learn
from memoro.memory.facts.statement import Statement, record_of
from memoro.memory.records import EPISODE, FACT, GLOBAL, Record, project_scope
from memoro.memory.store import Change, ChangeSet, Origin
from memoro.memory.timeline import Wanted, timeline

NOW = datetime(2026, 5, 2, 16, 10, tzinfo=UTC)
NOUNS = "gateway cache queue ledger index worker router parser mailer planner".split()  # noqa: SIM905
PARTS = "timeout port owner region retention limit branch schedule budget format".split()  # noqa: SIM905
BATCH = 2_000


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="1000,100000")
    given = parser.parse_args()
    sizes = [int(size) for size in given.sizes.split(",")]
    for layout in ("projects of 500", "one scope"):
        figures = [measure(size, layout == "one scope") for size in sizes]
        print(f"\n{layout}: {', '.join(f'{size:,} facts' for size in sizes)}")
        for name in figures[0]:
            values = [figure[name] for figure in figures]
            growth = f"  x {values[-1] / values[0]:.2f}" if len(values) > 1 else ""
            print(f"  {name:34}" + "".join(f"{value:12.2f}" for value in values) + growth)


def measure(size: int, one_scope: bool) -> dict[str, float]:
    """The figures of one store; times in milliseconds."""
    with tempfile.TemporaryDirectory() as home:
        store = open_store(StoreOptions(home), NOW).store
        fill(store, size, one_scope)
        figures = calls(store, size, one_scope)
        store.close()
        taken = os.path.getsize(os.path.join(home, "memory.db")) / size
        figures |= commands(home)
    return {**figures, "bytes a record": taken}


def fill(store: SqliteStore, size: int, one_scope: bool) -> None:
    """Put facts and, a tenth as many, episodes in."""
    chance = random.Random(5)
    for first in range(0, size, BATCH):
        records = [
            made(number, chance, one_scope) for number in range(first, min(first + BATCH, size))
        ]
        records += [episode(number) for number in range(first, min(first + BATCH, size), 10)]
        changes = [Change(None, one) for one in records]
        applied = store.apply(
            lambda _, some=changes: ChangeSet("learn", some), Origin("bench", NOW)
        )
        assert not isinstance(applied, Refusal)
        if first == 0:
            store.current(FACT.name)


def made(number: int, chance: random.Random, one_scope: bool) -> Record:
    """A fact that no other is about."""
    text = (
        f"The {chance.choice(PARTS)} of the {chance.choice(NOUNS)} number {number}"
        f" is {chance.randrange(10_000)}"
    )
    scope = GLOBAL if one_scope else project_scope(f"p{number // 500}")
    at = NOW - timedelta(minutes=number % 40_000)
    tags = (chance.choice(NOUNS),)
    return record_of(Statement(text, scope, at, tags=tags), at)


def episode(number: int) -> Record:
    """A piece of work."""
    at = NOW - timedelta(hours=number % 8_000)
    data = {"date": at.date().isoformat(), "outcome": "merged"}
    text = f"Moved the worker number {number} to another region"
    return Record(
        f"ep_{number}", EPISODE.name, GLOBAL, None, text, at, at, data=data, valid_from=at
    )


def calls(store: SqliteStore, size: int, one_scope: bool) -> dict[str, float]:
    """Calls on the open store."""
    scope = GLOBAL if one_scope else project_scope("p1")
    limits = Limits(NOW, 0 if one_scope else 500)
    turn = iter(range(10_000_000))

    def learn_new() -> None:
        said = Statement(f"The window of the harbour {next(turn)} is round", scope, NOW)
        assert not isinstance(store.apply(learn(said, limits), Origin("bench", NOW)), Refusal)

    known = store.strongest(FACT.name, [scope], limit=1)[0]

    def learn_update() -> None:
        head = known.text.rsplit(" ", 1)[0]
        said = Statement(f"{head} {next(turn) + 20_000}", scope, NOW)
        assert not isinstance(store.apply(learn(said, limits), Origin("bench", NOW)), Refusal)

    graph = SqliteGraph(store)
    week = (NOW - timedelta(days=7), NOW)
    return {
        "learn, new (ms)": median(learn_new),
        "learn, update (ms)": median(learn_update),
        "facts, the first 100 (ms)": median(
            lambda: store.strongest(FACT.name, [GLOBAL, scope], limit=101)
        ),
        "facts of every project (ms)": median(
            lambda: store.strongest(FACT.name, None, limit=101), 5
        ),
        "neighbors of a fact (ms)": median(lambda: graph.near(known.id, 12)),
        "neighbors of the largest tag (ms)": median(lambda: graph.near("tag:general", 12), 5),
        "map (ms)": median(lambda: graph.overview(8)),
        "timeline of a week (ms)": median(lambda: timeline(store, Wanted(None, *week))),
    }


def commands(home: str) -> dict[str, float]:
    """Whole command lines."""
    memoro = os.path.join(os.path.dirname(sys.executable), "memoro")
    env = {"MEMORO_HOME": home, "PATH": os.environ["PATH"], "HOME": home}
    env |= {"MEMORO_MAX_FACTS": "1000000"}
    lines = {
        "learn": ["learn", "--everywhere", "The harbour has a lighthouse"],
        "facts": ["facts", "--json"],
        "neighbors": ["neighbors", "gateway"],
        "map": ["map"],
    }
    found: dict[str, float] = {}
    for name, words in lines.items():

        def command(words: list[str] = words) -> None:
            subprocess.run(
                [memoro, "memory", *words], env=env, check=True, capture_output=True, cwd=home
            )

        found[f"command {name} (ms)"] = median(command, 10)
    return found


def median(call: Callable[[], object], times: int = 30) -> float:
    """The median of some calls in milliseconds, after one that warms up."""
    call()
    taken: list[float] = []
    for _ in range(times):
        start = time.perf_counter()
        call()
        taken.append((time.perf_counter() - start) * 1000)
    return statistics.median(taken)


if __name__ == "__main__":
    main()

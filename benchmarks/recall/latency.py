"""How long a search takes, and what a store costs, as it grows; on one core.

    python benchmarks/recall/latency.py [--sizes 1000,10000,100000,190000,250000] [--out FILE]

One home grows from size to size, by LongMemEval's sessions. Where these run out, they come again
with each turn's second half taken from another turn. At each size a new process asks all of the
set's questions once; its first search, which loads what is loaded once, is shown by itself.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from loading import DATA, Unit, World, longmemeval, questions_of, sessions_of
from measures import percentile
from ours import turn_of

from memoro import Memory

SIZES = (1_000, 10_000, 100_000, 190_000, 250_000)
TARGETS = {100_000: 30.0, 190_000: 40.0}
"""The most milliseconds that 95 of 100 searches may take."""
_AGAIN = timedelta(days=3650)
_STRIDE = 7919


class Figures(NamedTuple):
    """A size's figures. Times are of the clock on the wall, those of `…_cpu` of the processor,
    which other programs lengthen less.

    `added` is for a session of ten turns more and the search after it, in milliseconds; `build` for
    10,000 turns, in seconds; `asking_mb` for a whole process, `building_mb` above what the set
    itself takes; `stored_bytes` and `text_bytes` for a turn.
    """

    turns: int
    first_ms: float
    p50_ms: float
    p95_ms: float
    p50_cpu: float
    p95_cpu: float
    added_ms: float
    added_cpu: float
    build_s: float
    build_cpu: float
    asking_mb: float
    building_mb: float
    stored_bytes: float
    text_bytes: float


class Spent(NamedTuple):
    """Seconds, by the clock on the wall and of the processor."""

    wall: float
    cpu: float


_WIDTHS = [max(8, len(name) + 2) for name in (*Figures._fields, "target")]


def main() -> int:
    """Measure each size, print a table; 1 where a target was missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--sizes", type=_sizes, default=list(SIZES))
    parser.add_argument("--core", type=int, default=max(os.sched_getaffinity(0)))
    parser.add_argument("--out", type=Path, default=Path("/tmp/recall-latency.jsonl"))
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--step", choices=("build", "ask"), help=argparse.SUPPRESS)
    parser.add_argument("--home", help=argparse.SUPPRESS)
    options = parser.parse_args()
    os.sched_setaffinity(0, {options.core})
    folder: Path = options.data / "longmemeval"
    if options.step == "build":
        print(json.dumps(build(options.home, folder, *options.sizes)))
    elif options.step == "ask":
        print(json.dumps(ask(options.home, folder)))
    else:
        return _grow(options)
    return 0


def _sizes(text: str) -> list[int]:
    return [int(size) for size in text.split(",")]


def _grow(options: argparse.Namespace) -> int:
    found: list[Figures] = []
    _print_cells([*Figures._fields, "target"])
    with tempfile.TemporaryDirectory(prefix="memoro-latency-") as home:
        for before, size in zip([0, *options.sizes], options.sizes, strict=False):
            built = _step(options, "build", home, before, size)
            asked = _step(options, "ask", home)
            stored = sum(path.stat().st_size for path in Path(home).rglob("*") if path.is_file())
            found.append(_figures(built, asked, stored))
            _print(found[-1])
    with options.out.open("w", encoding="utf-8") as lines:
        lines.writelines(json.dumps(figures._asdict()) + "\n" for figures in found)
    large = [figures for figures in found if figures.turns >= 10_000]
    if len(large) > 1:
        print(f"growth of p50_cpu from 10,000 turns on: turns ** {exponent(large):.2f}")
    return int(any(figures.p95_ms > TARGETS.get(figures.turns, math.inf) for figures in found))


def _step(options: argparse.Namespace, step: str, home: str, *sizes: int) -> dict[str, Any]:
    """A step in a process of its own, for the memory that it takes."""
    command = [sys.executable, __file__, "--step", step, "--home", home]
    command += ["--core", str(options.core), "--data", str(options.data)]
    command += ["--sizes", ",".join(map(str, sizes or (0,)))]
    ended = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(ended.stdout.splitlines()[-1])


def _figures(built: dict[str, Any], asked: dict[str, Any], stored: int) -> Figures:
    (first, *walls), (_, *cpus) = asked["wall"], asked["cpu"]
    per_10k = 10_000 / max(1, built["new"])
    return Figures(
        turns=built["turns"],
        first_ms=first,
        p50_ms=percentile(walls, 0.5),
        p95_ms=percentile(walls, 0.95),
        p50_cpu=percentile(cpus, 0.5),
        p95_cpu=percentile(cpus, 0.95),
        added_ms=1000 * built["added"][0],
        added_cpu=1000 * built["added"][1],
        build_s=per_10k * built["wall"],
        build_cpu=per_10k * built["cpu"],
        asking_mb=asked["mb"],
        building_mb=built["mb"],
        stored_bytes=stored / built["turns"],
        text_bytes=built["text_bytes"] / built["turns"],
    )


def _print(found: Figures) -> None:
    cells = [f"{value:.0f}" if value >= 100 else f"{value:.1f}" for value in found[1:]]
    target = f"{TARGETS[found.turns]:.0f}" if found.turns in TARGETS else "·"
    _print_cells([str(found.turns), *cells, target])


def _print_cells(cells: Sequence[str]) -> None:
    print("".join(f"{cell:>{n}}" for cell, n in zip(cells, _WIDTHS, strict=True)), flush=True)


def exponent(found: Sequence[Figures]) -> float:
    """The slope of log time over log turns: 1 is linear."""
    xs = [math.log(figures.turns) for figures in found]
    ys = [math.log(figures.p50_cpu) for figures in found]
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    spread = sum((a - x) ** 2 for a in xs)
    return sum((a - x) * (b - y) for a, b in zip(xs, ys, strict=True)) / spread


def grown(world: World) -> Iterator[tuple[str, list[Unit]]]:
    """The world's sessions, then the same with other second halves, without end."""
    for again in count():
        for name, units in sessions_of(world.units).items():
            yield f"r{again}-{name}", [_varied(world, unit, again) for unit in units]


def _varied(world: World, unit: Unit, again: int) -> Unit:
    if not again:
        return unit
    place = (int(unit.ref) + again * _STRIDE) % len(world.units)
    own, other = unit.text.split(" "), world.units[place].text.split(" ")
    text = " ".join([*own[: len(own) // 2], *other[len(other) // 2 :]])
    return unit._replace(text=text, at=unit.at - again * _AGAIN)


def build(home: str, folder: Path, before: int, size: int) -> dict[str, Any]:
    """Archive turns up to this size, of which some are there. Reading the set isn't counted."""
    world = next(longmemeval(folder, merged=True))
    own = _peak()
    spent: list[Spent] = []
    text_bytes = done = 0
    with Memory.open(home) as memory:
        for name, units in grown(world):
            chosen = units[: size - done]
            # A session that an earlier size cut short goes on.
            new = chosen[max(0, before - done) :]
            done += len(chosen)
            text_bytes += sum(len(unit.text.encode()) for unit in chosen)
            if new:
                spent.append(_archive(memory, name, new))
            if done >= size:
                break
        # What is left for the first search belongs to the build.
        spent.append(_ask(memory, "anything"))
        more = _archive(memory, f"more-{size}", world.units[:10]), _ask(memory, "anything")
    wall, cpu = (sum(column) for column in zip(*spent, strict=True))
    added = [sum(column) for column in zip(*more, strict=True)]
    figures = {"turns": done, "new": done - before, "wall": wall, "cpu": cpu, "added": added}
    return {**figures, "mb": _peak() - own, "text_bytes": text_bytes}


def ask(home: str, folder: Path) -> dict[str, Any]:
    """Ask every question once: milliseconds each, and the peak of the process's memory."""
    with Memory.open(home) as memory:
        spent = [_ask(memory, text, now) for text, now in questions_of(folder)]
    walls, cpus = ([1000 * one for one in column] for column in zip(*spent, strict=True))
    return {"wall": walls, "cpu": cpus, "mb": _peak()}


def _archive(memory: Memory, session: str, units: Sequence[Unit]) -> Spent:
    turns = [turn_of(unit) for unit in units]
    return _timed(lambda: memory.archive(session, turns))


def _ask(memory: Memory, text: str, now: datetime | None = None) -> Spent:
    return _timed(lambda: memory.recall(text, k=10, kinds={"turn"}, now=now))


def _timed(work: Callable[[], object]) -> Spent:
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return Spent(time.perf_counter() - wall, time.process_time() - cpu)


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    sys.exit(main())

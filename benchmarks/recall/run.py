"""Recall on labelled conversations, for memoro and what it is measured against.

    python benchmarks/recall/run.py locomo|longmemeval|merged|i18n|cross|scripts|nonsense

Prints a table and writes a line for each question, system and level to --out. README.md says more.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import baselines
import nonsense
from languages import languages, scripts
from loading import DATA, World, locomo, longmemeval, sessions_of
from measures import MEASURES, Mean, measured, percentile

SETS = ("locomo", "longmemeval", "merged", "i18n", "cross", "scripts", "nonsense")
SYSTEMS = ("memoro", *baselines.RANKERS)
LEVELS = ("turn", "session")
TARGETS: dict[tuple[str, str], dict[str, float]] = {
    ("locomo", "turn"): {"R@5": 71.5, "R@10": 80.5, "nDCG@10": 65},
    ("locomo", "session"): {"R@5": 88, "nDCG@10": 83},
    ("longmemeval", "turn"): {"R@5": 82, "R@10": 90.5, "nDCG@10": 77.5},
    ("longmemeval", "session"): {"R@5": 92.5, "R@10": 97, "MRR": 94.5},
    ("merged", "turn"): {"R@10": 57, "R@20": 66, "nDCG@10": 44},
    ("merged", "session"): {"R@10": 66},
}
"""What memoro is to reach, in percent."""


class Outcome(NamedTuple):
    """How a system did on a question, at one level."""

    system: str
    level: str
    world: str
    id: str
    type: str
    question: str
    gold: list[str]
    ranked: list[str]
    best: float
    measures: dict[str, float]


class Times(NamedTuple):
    """What a world cost a system: all of it, and each search of memoro."""

    system: str
    seconds: float
    searches: list[float]


T = TypeVar("T")


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print the tables; 1 where memoro missed a target."""
    options = _options(arguments)
    if options.set == "nonsense":
        return _nonsense(options)
    worlds = worlds_of(options.set, options.data)[: options.limit]
    tasks = [(world, system, options.k) for system in options.systems for world in worlds]
    outcomes: list[Outcome] = []
    times: list[Times] = []
    for done, spent in spread(lambda number: _one(*tasks[number]), range(len(tasks)), options.jobs):
        outcomes += done
        times.append(spent)
    write(options.out or Path(f"/tmp/recall-{options.set}.jsonl"), outcomes)
    for level in LEVELS:
        _print_level(options.set, level, options.systems, outcomes)
    _print_times(options.systems, times)
    return int(missed(options.set, outcomes) if options.limit is None else False)


def _nonsense(options: argparse.Namespace) -> int:
    found: list[nonsense.Scored] = []
    for name in ("locomo", "longmemeval"):
        worlds = worlds_of(name, options.data)
        asked = range(len(worlds))[: options.limit]
        found += chain.from_iterable(
            spread(partial(nonsense.scored, name, worlds), asked, options.jobs)
        )
    write(options.out or Path("/tmp/recall-nonsense.jsonl"), found)
    return int(not nonsense.print_gates(found))


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("set", choices=SETS)
    parser.add_argument("--systems", type=_systems, default=["memoro"], help="comma between them")
    parser.add_argument("--limit", type=int, help="so many memories only")
    parser.add_argument("--k", type=int, default=20)
    parser.add_argument("--out", type=Path, help="default: /tmp/recall-SET.jsonl")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--data", type=Path, default=DATA)
    return parser.parse_args(arguments)


def _systems(text: str) -> list[str]:
    names = list(SYSTEMS) if text == "all" else text.split(",")
    unknown = [name for name in names if name not in SYSTEMS]
    if unknown:
        raise argparse.ArgumentTypeError(f"{unknown[0]} is none of {', '.join(SYSTEMS)}")
    return names


def worlds_of(name: str, data: Path) -> list[World]:
    """The memories of a set."""
    if name == "locomo":
        return locomo(data / "locomo" / "dev.jsonl.xz")
    if name == "scripts":
        return scripts()
    if name in ("i18n", "cross"):
        return languages(data / "mempalace-i18n.tar.xz", cross=name == "cross")
    return list(longmemeval(data / "longmemeval", merged=name == "merged"))


_work: list[Callable[[int], Any]] = []


def spread(work: Callable[[int], T], numbers: Iterable[int], jobs: int) -> list[T]:
    """What the work makes of each number, by so many processes, which inherit what was read."""
    if jobs < 2:
        return [work(number) for number in numbers]
    _work[:] = [work]
    with multiprocessing.get_context("fork").Pool(jobs) as pool:
        return pool.map(_inherited, numbers, chunksize=1)


def _inherited(number: int) -> Any:
    return _work[0](number)


def _one(world: World, system: str, k: int) -> tuple[list[Outcome], Times]:
    world = world._replace(questions=tuple(q for q in world.questions if q.gold or q.gold_sessions))
    started = time.perf_counter()
    searches: list[float] = []
    if system == "memoro":
        from ours import memoro

        found = memoro(world, k)
        by_level = {
            "turn": [each.turns for each in found],
            "session": [each.sessions for each in found],
        }
        best = [each.best for each in found]
        searches = [each.seconds for each in found]
    else:
        by_level = _ranked(world, system, k)
        best = [0.0] * len(world.questions)
    spent = time.perf_counter() - started
    return _outcomes(world, system, by_level, best), Times(system, spent, searches)


def _ranked(world: World, system: str, k: int) -> dict[str, list[list[str]]]:
    """A baseline ranks turns, and apart from them sessions as whole texts."""
    ranker = baselines.RANKERS[system]
    questions = [question.text for question in world.questions]
    sessions = sessions_of(world.units)
    whole = ["\n".join(unit.text for unit in units) for units in sessions.values()]
    turns = ranker([unit.text for unit in world.units], questions, k)
    found = ranker(whole, questions, k)
    names = list(sessions)
    return {
        "turn": [[world.units[number].ref for number in each] for each in turns],
        "session": [[names[number] for number in each] for each in found],
    }


def _outcomes(
    world: World, system: str, by_level: dict[str, list[list[str]]], best: list[float]
) -> list[Outcome]:
    outcomes: list[Outcome] = []
    for level in LEVELS:
        for question, ranked, score in zip(world.questions, by_level[level], best, strict=True):
            gold = question.gold if level == "turn" else question.gold_sessions
            if gold:
                shown = (world.name, question.id, question.type, question.text, sorted(gold))
                figures = measured(ranked, gold)
                outcomes.append(Outcome(system, level, *shown, ranked, score, figures))
    return outcomes


def write(path: Path, outcomes: Iterable[Outcome | nonsense.Scored]) -> None:
    """A line of JSON for each."""
    with path.open("w", encoding="utf-8") as lines:
        for outcome in outcomes:
            lines.write(json.dumps(outcome._asdict(), ensure_ascii=False) + "\n")


def means(outcomes: Sequence[Outcome], system: str, level: str, kind: str = "") -> dict[str, Mean]:
    """Each measure's mean over the questions (of one type), in percent."""
    chosen = [
        outcome.measures
        for outcome in outcomes
        if (outcome.system, outcome.level) == (system, level) and kind in ("", outcome.type)
    ]
    return {name: Mean.of([100 * each[name] for each in chosen]) for name in MEASURES}


def missed(name: str, outcomes: Sequence[Outcome]) -> bool:
    """Whether memoro was measured, and any of its figures is below its target."""
    for level in LEVELS:
        found = means(outcomes, "memoro", level)
        goals = TARGETS.get((name, level), {})
        if any(found[key].questions and found[key].value < goal for key, goal in goals.items()):
            return True
    return False


def _print_level(name: str, level: str, systems: Sequence[str], outcomes: list[Outcome]) -> None:
    of_level = [outcome for outcome in outcomes if outcome.level == level]
    if not of_level:
        return
    count = len({(outcome.world, outcome.id) for outcome in of_level})
    print(f"\n{name}, {level} level, {count} questions (% ± standard error)")
    print(f"{'':42}" + "".join(f"{measure:>13}" for measure in MEASURES))
    for system in systems:
        print(_line(system, means(of_level, system, level)))
    goals = TARGETS.get((name, level), {})
    if goals:
        cells = [f"{goals[key]:>6.1f}" if key in goals else f"{'·':>6}" for key in MEASURES]
        print(f"{'target':42}" + "".join(f" {cell}      " for cell in cells))
    kinds = sorted({outcome.type for outcome in of_level})
    for system in systems if len(kinds) > 1 else ():
        for kind in kinds:
            found = means(of_level, system, level, kind)
            print(_line(f"{system[:6]} {kind} {found['MRR'].questions}", found))


def _line(label: str, found: dict[str, Mean]) -> str:
    return f"{label:42}" + "".join(f" {m.value:>6.1f} ±{m.error:<4.1f}" for m in found.values())


def _print_times(systems: Sequence[str], times: Sequence[Times]) -> None:
    print()
    for system in systems:
        own = [each for each in times if each.system == system]
        searches = [1000 * second for each in own for second in each.searches]
        line = f"{system:10} {sum(each.seconds for each in own):8.1f} s in all"
        if searches:
            middle, high = percentile(searches, 0.5), percentile(searches, 0.95)
            line += f", a search {middle:.1f} ms p50, {high:.1f} ms p95"
        print(line)


if __name__ == "__main__":
    sys.exit(main())

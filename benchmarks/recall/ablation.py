"""What each signal adds: memoro's own ranking with one signal off, halved or doubled.

    python benchmarks/recall/ablation.py locomo|longmemeval|merged|i18n [--times 0,0.5,2]

Asked once for everything that it would rank at all (gate 0), memoro tells with each hit what each
signal added to its score, and the score is their sum. So a signal is weighed anew by adding its
part once more, or less, and ordering again: the same as ranking with another weight, for the
candidates don't depend on the weights. Turn level; a gain is paired by question.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from loading import DATA, World
from measures import Mean, ndcg, recall
from run import spread, worlds_of

ALL = 2_000
"""More than there are candidates."""
SHOWN = 20


class Candidate(NamedTuple):
    """A turn that might answer, and what each signal added to its score."""

    ref: str
    reasons: dict[str, float]


class Case(NamedTuple):
    """A question with gold, and all candidates for it, the best first."""

    id: str
    gold: list[str]
    candidates: list[Candidate]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what each signal adds."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("set", choices=("locomo", "longmemeval", "merged", "i18n"))
    parser.add_argument("--times", type=_numbers, default=[0.0, 0.5, 2.0])
    parser.add_argument("--limit", type=int, help="so many memories only")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--out", type=Path, help="default: /tmp/recall-ablation-SET.jsonl")
    parser.add_argument("--data", type=Path, default=DATA)
    options = parser.parse_args(arguments)
    worlds = worlds_of(options.set, options.data)[: options.limit]
    lists = spread(lambda number: cases(worlds[number]), range(len(worlds)), options.jobs)
    found = [case for own in lists for case in own]
    _write(options.out or Path(f"/tmp/recall-ablation-{options.set}.jsonl"), found)
    _print(found, options.times)
    return 0


def _numbers(text: str) -> list[float]:
    return [float(number) for number in text.split(",")]


def cases(world: World) -> list[Case]:
    """All candidates for each question of a world."""
    from ours import archived

    found: list[Case] = []
    with archived(world) as memory:
        for question in world.questions:
            if question.gold:
                asked = (question.text, question.now)
                hits = memory.recall(asked[0], k=ALL, kinds={"turn"}, now=asked[1], gate=0)
                candidates = [Candidate(str(hit.ref), dict(hit.reasons)) for hit in hits]
                found.append(Case(question.id, sorted(question.gold), candidates))
    return found


def weighed(case: Case, times: Mapping[str, float]) -> list[str]:
    """The best turns where some signals count so many times as much."""
    scores = [
        sum(part * times.get(name, 1.0) for name, part in candidate.reasons.items())
        for candidate in case.candidates
    ]
    # Stable: where scores are equal, the order is memoro's.
    order = sorted(range(len(scores)), key=lambda number: -scores[number])
    return [case.candidates[number].ref for number in order[:SHOWN]]


def _print(found: Sequence[Case], times: Sequence[float]) -> None:
    before = [weighed(case, {}) for case in found]
    print(f"{'signal':18}{'times':>6}{'R@10':>8}{'change':>15}{'nDCG@10':>10}{'change':>15}")
    _line(found, before, before, "all", 1.0)
    signals = sorted({name for case in found for one in case.candidates for name in one.reasons})
    for signal in signals:
        for factor in times:
            after = [weighed(case, {signal: factor}) for case in found]
            _line(found, before, after, signal, factor)


def _line(
    found: Sequence[Case],
    before: Sequence[list[str]],
    after: Sequence[list[str]],
    signal: str,
    factor: float,
) -> None:
    cells = f"{signal:18}{factor:>6.2g}"
    for measure, width in ((recall, 8), (ndcg, 10)):
        new = [100 * measure(r, case.gold, 10) for r, case in zip(after, found, strict=True)]
        old = [100 * measure(r, case.gold, 10) for r, case in zip(before, found, strict=True)]
        change = Mean.of([a - b for a, b in zip(new, old, strict=True)])
        cells += f"{Mean.of(new).value:>{width}.1f}{change.value:>+9.1f} ±{change.error:<4.1f}"
    print(cells)


def _write(path: Path, found: Sequence[Case]) -> None:
    with path.open("w", encoding="utf-8") as lines:
        for case in found:
            row = case._asdict()
            row["candidates"] = [one._asdict() for one in case.candidates]
            lines.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    sys.exit(main())

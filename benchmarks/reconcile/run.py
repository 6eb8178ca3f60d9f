"""How well statements are told apart: the same, newer, or another fact.

    python benchmarks/reconcile/run.py [dev|dev2|…|dev6|held]

`held` was not looked at before it was measured, and only its counts are shown. The others were: but
for `dev`, each was the held set of an earlier round, by a writer who had seen none of the rest.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from pathlib import Path

from memoro.memory.comparing import Relation, compare

LABELS = ("same", "update", "distinct")
MEANS = {
    Relation.IDENTICAL: "same",
    Relation.REPHRASED: "same",
    Relation.UPDATED: "update",
    Relation.CONTRADICTED: "update",
    Relation.DISTINCT: "distinct",
    Relation.UNSURE: "distinct",
}
ACCURACY_TARGET = 0.95
PARTS = ("dev", "dev2", "dev3", "dev4", "dev5", "dev6", "held")
MOST_KEPT = 200
"""So many pairs at a time stay read."""


def main() -> int:
    """Measure, print a table; 1 where the target was missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("part", nargs="?", choices=PARTS, default="dev")
    part = parser.parse_args().part
    path = Path(__file__).with_name(f"{part}.jsonl")
    pairs = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
    table: Counter[tuple[str, str]] = Counter()
    wrong: list[str] = []
    for pair in pairs:
        verdict = compare(pair["known"], pair["new"])
        judged = MEANS[verdict.relation]
        table[pair["label"], judged] += 1
        if judged != pair["label"]:
            wrong.append(
                f"{pair['label']} judged {verdict.relation.value} ({verdict.why})\n"
                f"    {pair['known']}\n    {pair['new']}"
            )
    _print(table, len(pairs), _microseconds(pairs, False), _microseconds(pairs, True))
    if part == "dev" and wrong:
        print(*wrong, sep="\n")
    return 0 if len(pairs) - len(wrong) >= ACCURACY_TARGET * len(pairs) else 1


def _microseconds(pairs: list[dict[str, str]], again: bool) -> float:
    """The time for a pair: of statements that were never read, or `again` for known ones."""
    pairs, rounds, started = pairs[:MOST_KEPT], 5, 0.0
    for number in range(-1, rounds):
        if number == 0:
            started = time.process_time()
        for pair in pairs:
            ending = "" if again else f" {number}"
            compare(f"{pair['known']}{ending}", f"{pair['new']}{ending}")
    return (time.process_time() - started) / (rounds * len(pairs)) * 1e6


def _print(table: Counter[tuple[str, str]], pairs: int, fresh: float, again: float) -> None:
    print(f"{'label':10}" + "".join(f"{judged:>10}" for judged in LABELS))
    for label in LABELS:
        print(f"{label:10}" + "".join(f"{table[label, judged]:>10}" for judged in LABELS))
    right = sum(table[label, label] for label in LABELS)
    merged = table["distinct", "same"] + table["distinct", "update"]
    print(f"accuracy      {right / pairs:.1%} of {pairs}, target {ACCURACY_TARGET:.0%}")
    print(f"wrong merges  {merged}")
    print(f"time          {fresh:.0f} µs a pair, {again:.0f} µs where both were read before")


if __name__ == "__main__":
    sys.exit(main())

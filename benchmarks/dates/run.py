"""How many labelled expressions of time are read right, and how many look-alikes are taken for one.

    python benchmarks/dates/run.py [dev|held]

With `held` only counts are printed, so that nobody mends what only those lines show.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import NamedTuple

from memoro.memory.dates.finding import find_window

FOLDER = Path(__file__).parent


class Case(NamedTuple):
    """A text, the day it is read on, and the days that it speaks of."""

    text: str
    today: date
    start: date | None
    end: date | None
    look_alike: bool


def main() -> int:
    """Measure, print; 1 where something was read wrongly."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("part", nargs="?", choices=("dev", "held"), default="dev")
    part = parser.parse_args().part
    cases = list(_cases(part))
    started = time.perf_counter()
    wrong = [case for case in cases if not _is_right(case)]
    took = time.perf_counter() - started
    for name, look_alike in (("expressions read right", False), ("look-alikes left alone", True)):
        total = sum(case.look_alike is look_alike for case in cases)
        right = total - sum(case.look_alike is look_alike for case in wrong)
        print(f"{name:24} {right:>5} of {total:<5} {100 * right / max(total, 1):5.1f} %")
    print(f"{'a text':24} {1_000_000 * took / max(len(cases), 1):>5.0f} µs")
    if part == "dev":
        for case in wrong:
            print(_told(case))
    return 1 if wrong else 0


def _cases(part: str) -> Iterator[Case]:
    for line in (FOLDER / f"{part}.jsonl").read_text(encoding="utf-8").splitlines():
        if line.strip():
            data = json.loads(line)
            start, end = (_day(data[name]) for name in ("start", "end"))
            yield Case(
                data["text"], date.fromisoformat(data["today"]), start, end, data["look_alike"]
            )


def _day(text: str | None) -> date | None:
    return None if text is None else date.fromisoformat(text)


def _is_right(case: Case) -> bool:
    window = find_window(case.text, case.today)
    if case.look_alike or window is None:
        return window is None and case.look_alike
    return (window.start, window.end) == (case.start, case.end)


def _told(case: Case) -> str:
    window = find_window(case.text, case.today)
    read = "none" if window is None else f"{window.start} to {window.end}, {window.text!r}"
    wanted = "none" if case.look_alike else f"{case.start} to {case.end}"
    return f"{case.text!r} on {case.today:%A} {case.today}: {read}; wanted {wanted}"


if __name__ == "__main__":
    sys.exit(main())

"""How long it takes to assemble the instruction files: `python benchmarks/bootstrap.py`.

The tree has ten levels below its root, an AGENTS.md in each of the eleven folders and in HOME,
thirty imported files, ten rules (half of them for paths), and the four single files. Cold is a
load without a cache; warm is a load with the cache of an earlier one. The files are older than
the coarsest tick of a disk, as they are in use, and in the system's page cache both times. The
first load of a process, which also imports and compiles, is measured apart.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from memoro.bootstrap.instructions import BootstrapOptions, FileCache, load_instructions

LEVELS = 10
IMPORTS = 30
RULES = 10
RUNS = 60
LINE = "Run the tests of the part that changed before you say that it works.\n"
FIRST = """
import sys, time
start = time.perf_counter()
from memoro.bootstrap.instructions import BootstrapOptions, load_instructions
load_instructions(sys.argv[1], BootstrapOptions(sys.argv[2], sys.argv[2]))
print((time.perf_counter() - start) * 1000)
"""


def build(base: Path) -> tuple[str, str]:
    """Make the tree; returns the deepest folder and HOME."""
    home, folder = base / "home/.memoro", base / "work"
    (folder / ".git").mkdir(parents=True)
    folders = [home, folder]
    for level in range(LEVELS):
        folder = folder / f"level{level}"
        folders.append(folder)
    for number, each in enumerate(folders):
        each.mkdir(parents=True, exist_ok=True)
        imports = range(number, IMPORTS, len(folders))
        lines = [LINE * 5, *(f"@docs/part{part}.md\n" for part in imports), "```\n@x\n```\n"]
        (each / "AGENTS.md").write_text("".join(lines))
        (each / "docs").mkdir()
        for part in imports:
            (each / f"docs/part{part}.md").write_text(LINE * 8)
    rules = base / "work/.memoro/rules"
    rules.mkdir(parents=True)
    for number in range(RULES):
        header = "---\npaths:\n  - '**/*.{py,pyi}'\n---\n" if number % 2 else ""
        (rules / f"rule{number}.md").write_text(header + LINE * 5)
    for name in ("SOUL.md", "USER.md", "IDENTITY.md", "RULES.md"):
        (base / "work" / name).write_text(LINE * 10)
    return str(folder), str(home)


def milliseconds(work: Callable[[], object]) -> list[float]:
    """How long each of many runs took, sorted."""
    found: list[float] = []
    for _ in range(RUNS):
        start = time.perf_counter()
        work()
        found.append((time.perf_counter() - start) * 1000)
    return sorted(found)


def main() -> None:
    """Build the tree, load it, and print the figures."""
    with tempfile.TemporaryDirectory() as base:
        folder, home = build(Path(base))
        options = BootstrapOptions(home, home)
        in_play = ["a/b.py"]
        # What was written within the last two seconds is read anew each time.
        time.sleep(2.1)
        cache = FileCache()
        found = load_instructions(folder, options, in_play, cache)
        used = sum(file.used_bytes for file in found.files)
        print(f"{len(found.files)} files, {used:,} bytes, {len(found.warnings)} warnings")
        first = [
            float(
                subprocess.run(
                    [sys.executable, "-c", FIRST, folder, home],
                    capture_output=True,
                    check=True,
                    env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
                ).stdout
            )
            for _ in range(9)
        ]
        print(f"first in a process, imports included: {statistics.median(first):.1f} ms")
        for name, work in (
            ("cold", lambda: load_instructions(folder, options, in_play)),
            ("warm", lambda: load_instructions(folder, options, in_play, cache)),
        ):
            times = milliseconds(work)
            print(
                f"{name}: median {statistics.median(times):.2f} ms,"
                f" 95th percentile {times[int(RUNS * 0.95)]:.2f} ms"
            )


if __name__ == "__main__":
    main()

"""How long `memoro memory list` takes, as a multiple of the bare interpreter.

    python benchmarks/startup.py [--quick]

In pairs, one after the other, so that a busy moment meets both. Bytecode has to be kept, as it is
in an installation: with PYTHONDONTWRITEBYTECODE each start would compile anew.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

TARGET = 4.0
HEAVY = (
    "anthropic",
    "asyncio",
    "httpx",
    "keyring",
    "mcp",
    "numpy",
    "openai",
    "pydantic_ai",
    "rich",
    "tomlkit",
)


def main() -> int:
    """Measure, print a table; 1 where a target was missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--quick", action="store_true", help="a third of the pairs")
    pairs = 30 if parser.parse_args().quick else 100
    home = tempfile.mkdtemp(prefix="memoro-startup-")
    environ = {**os.environ, "MEMORO_HOME": home}
    environ.pop("PYTHONDONTWRITEBYTECODE", None)
    bare = [sys.executable, "-c", "pass"]
    listing = [sys.executable, "-m", "memoro", "memory", "list"]
    try:
        for number in range(20):
            command = [*listing[:-1], "remember", f"key.{number}", f"the value of fact {number}"]
            subprocess.run(command, env=environ, check=True, stdout=subprocess.DEVNULL)
        modules = _modules(environ)
        for command in (bare, listing):
            _seconds(command, environ)
        times = [(_seconds(bare, environ), _seconds(listing, environ)) for _ in range(pairs)]
    finally:
        shutil.rmtree(home)
    ratio = statistics.median(slow / fast for fast, slow in times)
    heavy = [name for name in modules if name.partition(".")[0] in HEAVY]
    for name, column in (("python -c pass", 0), ("memoro memory list", 1)):
        print(f"{name:24} {1_000 * statistics.median(one[column] for one in times):>8.1f} ms")
    print(f"{'ratio, median of ' + str(pairs):24} {ratio:>8.2f}      target <= {TARGET:.0f}")
    print(f"{'modules loaded':24} {len(modules):>8,}")
    print(f"{'heavy ones among them':24} {', '.join(heavy) or 'none':>8}      target none")
    print("memoro's:", " ".join(name for name in modules if name.startswith("memoro")))
    return 0 if ratio <= TARGET and not heavy else 1


def _seconds(command: list[str], environ: dict[str, str]) -> float:
    started = time.perf_counter()
    subprocess.run(command, env=environ, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - started


def _modules(environ: dict[str, str]) -> list[str]:
    code = (
        "import sys; from memoro.surfaces.cli.main import main; main(['memory', 'list']);"
        " print('---'); print(*sys.modules)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], env=environ, check=True, capture_output=True, text=True
    )
    return sorted(ran.stdout.partition("---\n")[2].split())


if __name__ == "__main__":
    sys.exit(main())

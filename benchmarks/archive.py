"""How long an export of conversations of another assistant takes to come in, and how much memory.

    python benchmarks/archive.py [--quick] [--index]

Makes an archive as ChatGPT exports it, 50,000 conversations in about 200 MB, and imports it with
the command, in a process of its own. With `--index` the search index is made, too.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from typing import Any
from uuid import UUID

CONVERSATIONS = 50_000
TURNS = 4
WORDS = (14, 72)
"""Of a question, and of an answer."""
TARGET_MEGABYTES = 150
_STARTED = 1_600_000_000


def main() -> int:
    """Measure, print a table; 1 where the target was missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--quick", action="store_true", help="a tenth of the conversations")
    parser.add_argument("--index", action="store_true", help="make the search index, too")
    asked = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="memoro-archive-")
    try:
        path = os.path.join(folder, "conversations.json")
        make(path, CONVERSATIONS // 10 if asked.quick else CONVERSATIONS)
        environ = {**os.environ, "MEMORO_HOME": os.path.join(folder, "home")}
        start = _measured(environ, "memory", "list")
        told = [("archive, MB", os.path.getsize(path) / 1e6), ("start, MB", start[1])]
        first = _measured(environ, "import", path)
        told += [("import, s", first[0]), ("peak above the start, MB", first[1] - start[1])]
        if asked.index:
            told.append(("index, s", _measured(environ, "memory", "reindex", "--missing")[0]))
        told.append(("the same again, s", _measured(environ, "import", path)[0]))
        told.append(("undo, s", _measured(environ, "memory", "undo")[0]))
    finally:
        # What was begun behind it ends when its store is gone.
        shutil.rmtree(folder, ignore_errors=True)
    for name, figure in told:
        print(f"{name:28} {figure:>10,.1f}")
    return 0 if first[1] - start[1] <= TARGET_MEGABYTES else 1


def make(path: str, conversations: int) -> None:
    """Write an archive; the same one each time."""
    source = random.Random(11)
    words = [
        "".join(source.choices("bcdfghklmnprst", k=1) + source.choices("aeiou", k=1)) * length
        + source.choice(["n", "s", "t", ""])
        for length in (1, 2, 3)
        for _ in range(3_000)
    ]
    with open(path, "w", encoding="utf-8") as file:
        for number in range(conversations):
            file.write(",\n" if number else "[")
            json.dump(_conversation(number, source, words), file)
        file.write("]")


def _conversation(number: int, source: random.Random, words: list[str]) -> Mapping[str, Any]:
    at = _STARTED + 3_000 * number
    names = [str(UUID(int=source.getrandbits(128))) for _ in range(TURNS + 2)]
    mapping: dict[str, Any] = {names[0]: _node(names, 0, None)}
    for turn in range(1, TURNS + 1):
        text = " ".join(source.choices(words, k=WORDS[(turn + 1) % 2]))
        message = {
            "id": names[turn],
            "author": {"role": "user" if turn % 2 else "assistant", "name": None, "metadata": {}},
            "create_time": at + 20.5 * turn,
            "update_time": None,
            "content": {"content_type": "text", "parts": [text]},
            "status": "finished_successfully",
            "end_turn": True,
            "weight": 1.0,
            "metadata": {"model_slug": "gpt-5", "citations": [], "request_id": names[0]},
            "recipient": "all",
            "channel": None,
        }
        mapping[names[turn]] = _node(names, turn, message)
    return {
        "title": " ".join(source.choices(words, k=4)),
        "create_time": at,
        "update_time": at + 100.0,
        "mapping": mapping,
        "current_node": names[TURNS],
        "conversation_id": names[-1],
        "is_archived": False,
        "id": names[-1],
    }


def _node(names: list[str], turn: int, message: Mapping[str, Any] | None) -> Mapping[str, Any]:
    return {
        "id": names[turn],
        "message": message,
        "parent": names[turn - 1] if turn else None,
        "children": [names[turn + 1]] if turn < TURNS else [],
    }


def _measured(environ: Mapping[str, str], *words: str) -> tuple[float, float]:
    """How many seconds a command takes, and its peak memory in megabytes."""
    program = (
        "import json, resource, sys, time\n"
        "began = time.monotonic()\n"
        "from memoro.surfaces.cli.main import main\n"
        "code = main(sys.argv[1:])\n"
        "peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "print(json.dumps([code, time.monotonic() - began, peak]))\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program, *words],
        env=dict(environ),
        capture_output=True,
        text=True,
        check=True,
    )
    code, seconds, peak = json.loads(ended.stdout.splitlines()[-1])
    assert code in (0, 1), ended.stderr
    return float(seconds), float(peak) / 1024


if __name__ == "__main__":
    sys.exit(main())

"""Command lines, run in this process: a process each would take the tests minutes."""

from __future__ import annotations

import io
import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from memoro import Memory
from memoro.surfaces.cli.main import main
from running import Memoro, Ran


class Here:
    """Runs `memoro` in a home of its own; `process` runs the same as a process."""

    def __init__(
        self,
        process: Memoro,
        patch: pytest.MonkeyPatch,
        captured: pytest.CaptureFixture[str],
    ) -> None:
        self.process = process
        self.root = process.root
        self.home = process.home
        self.folder = process.folder
        self.env = process.env
        self._patch = patch
        self._captured = captured

    def __call__(
        self,
        *words: str,
        stdin: str | bytes = b"",
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
    ) -> Ran:
        """Run `memoro WORDS`."""
        given = stdin.encode() if isinstance(stdin, str) else stdin
        with self._patch.context() as patch:
            for name in list(os.environ):
                patch.delenv(name)
            for name, value in {**self.env, **(env or {})}.items():
                patch.setenv(name, value)
            time.tzset()
            patch.chdir(cwd or self.folder)
            patch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(given)))
            self._captured.readouterr()
            code = main(list(words))
            out, err = self._captured.readouterr()
        time.tzset()
        return Ran(code, out, err)

    def ok(self, *words: str, **options: Any) -> Ran:
        """Run a command that has to succeed."""
        ran = self(*words, **options)
        assert ran.code == 0, ran.err
        return ran

    def json(self, *words: str, **options: Any) -> Any:
        """What a command that has to succeed gives to programs."""
        return self.ok(*words, "--json", **options).json

    def refused(self, *words: str, **options: Any) -> Ran:
        """Run a command that has to be refused: with a message, and without any change."""
        before = self.state()
        ran = self(*words, **options)
        assert ran.code not in (0, 1), ran
        assert ran.out == ""
        assert ran.err.startswith("memoro: ")
        assert self.state() == before
        return ran

    def state(self) -> Any:
        """All that is remembered, and the log."""
        return [
            [self.json("memory", "log"), self.json("note", "list"), self.json("memory", "list")],
            self.json("project", "list"),
        ]

    def facts(self, *scope: str) -> dict[str, str]:
        """The saved facts of one scope."""
        return {one["key"]: one["value"] for one in self.json("memory", "list", *scope)}

    def fill(self, count: int, value: str = "v", project: str | None = None) -> None:
        """Save that many facts, `k0` and so on."""
        with Memory.open(self.home) as memory:
            for number in range(count):
                memory.remember(f"k{number}", value, project=project)

    def holds(self, text: str) -> list[Path]:
        """The files below the home that hold a text."""
        wanted = text.encode()
        return [
            path for path in self.home.rglob("*") if path.is_file() and wanted in path.read_bytes()
        ]

"""The real command, run in a home of its own as a user would."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple, cast

NO_SERVERS = "ollama=http://127.0.0.1:9/v1"
"""Where local servers are looked for in tests: a port that nothing listens on."""


def heed_interrupts() -> None:
    """Take Ctrl-C as a command at a keyboard does."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Ran(NamedTuple):
    """A finished command line."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output as JSON."""
        return json.loads(self.out)


class Memoro:
    """Runs the real command in a temporary home, with an environment that has nothing else."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.home = root / ".memoro"
        self.folder = root / "work"
        self.folder.mkdir()
        self.env: dict[str, str] = {
            "PATH": os.environ["PATH"],
            "HOME": str(root),
            "LANG": "C.UTF-8",
            "TZ": "UTC",
            "MEMORO_LOCAL_SERVERS": NO_SERVERS,
            "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring",
        }

    def command(self, *words: str) -> list[str]:
        """The command line of `memoro WORDS`."""
        return [sys.executable, "-m", "memoro", *words]

    def __call__(
        self,
        *words: str,
        stdin: str | bytes | None = None,
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
    ) -> Ran:
        """Run `memoro WORDS` to its end."""
        given = stdin.encode() if isinstance(stdin, str) else stdin
        ended = subprocess.run(
            self.command(*words),
            input=given,
            stdin=subprocess.DEVNULL if given is None else None,
            capture_output=True,
            env={**self.env, **(env or {})},
            cwd=cwd or self.folder,
            timeout=120,
            check=False,
        )
        return Ran(ended.returncode, ended.stdout.decode(), ended.stderr.decode())

    def ok(self, *words: str, **options: Any) -> Ran:
        """Run a command that has to succeed."""
        ran = self(*words, **options)
        assert ran.code == 0, ran.err
        return ran

    def start(self, *words: str, **options: Any) -> subprocess.Popen[bytes]:
        """Start `memoro WORDS` and let it run."""
        defaults: dict[str, Any] = {
            "stdin": subprocess.DEVNULL,
            "stdout": subprocess.PIPE,
            "stderr": subprocess.PIPE,
            "env": self.env,
            "cwd": self.folder,
            # Whoever runs the tests in the background ignores Ctrl-C, and so would the command.
            "preexec_fn": heed_interrupts,
        }
        return cast(
            "subprocess.Popen[bytes]",
            subprocess.Popen(self.command(*words), **{**defaults, **options}),
        )

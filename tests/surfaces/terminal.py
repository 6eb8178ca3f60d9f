"""A terminal for tests: a real pseudo-terminal with a size."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import termios
from collections.abc import Mapping

from running import Memoro, Ran


def on_terminal(
    memoro: Memoro,
    *words: str,
    columns: int = 80,
    env: Mapping[str, str] | None = None,
    typed: bytes = b"",
) -> Ran:
    """Run `memoro WORDS` with all three streams on one terminal; `out` is all that it shows."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    environ = {**memoro.env, "TERM": "xterm-256color", **(env or {})}
    process = subprocess.Popen(
        memoro.command(*words),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=environ,
        cwd=memoro.folder,
        start_new_session=True,
    )
    os.close(theirs)
    os.write(ours, typed)
    shown = bytearray()
    while True:
        try:
            piece = os.read(ours, 65_536)
        except OSError:
            # Linux says it like this that the other side was closed.
            break
        if not piece:
            break
        shown += piece
    os.close(ours)
    code = process.wait(timeout=60)
    return Ran(code, shown.decode().replace("\r\n", "\n"), "")

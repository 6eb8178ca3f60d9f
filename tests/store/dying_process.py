"""`memoro`, in processes that end themselves at a step of theirs towards the disk.

dying_process.py LOG WORD …

Each line of standard input is the number of a step: a process carries out `memoro WORD …`, and ends
as if it were killed right before that step. Its exit code comes as a line; LOG has its steps.
"""

from __future__ import annotations

import importlib
import os
import shutil
import sys
import traceback
from collections.abc import Callable
from typing import Any

import apsw

from memoro.surfaces.cli.main import main

KILLED = 9
_STATEMENTS = ("COMMIT", "VACUUM", "PRAGMA WAL_CHECKPOINT", "PRAGMA JOURNAL_MODE")
_CALLS = ("replace", "rename", "remove", "unlink", "rmdir", "mkdir")
_OPERATIONS = 300
"""So many operations of SQLite's machine after its begin, a long statement ends, too."""


class Steps:
    """Counts the steps that are taken, and ends the process before one."""

    def __init__(self, last: int, log: str) -> None:
        self._left = last
        self._log = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)

    def take(self, name: str) -> None:
        """A step is about to be taken."""
        os.write(self._log, f"{name}\n".encode())
        self._left -= 1
        if not self._left:
            os._exit(KILLED)

    def watch(self) -> None:
        """Count what this process does from now on."""
        for name in _CALLS:
            setattr(os, name, self._counted(name, getattr(os, name)))
        # Whoever is killed leaves to the system what it has written: only a power cut needs these.
        os.fsync = self._counted("fsync", _left_to_the_system)
        shutil.copyfile = self._counted("copyfile", shutil.copyfile)
        apsw.connection_hooks.append(self._watch_statements)

    def _counted(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*arguments: Any, **options: Any) -> Any:
            self.take(name)
            return call(*arguments, **options)

        return counted

    def _watch_statements(self, connection: apsw.Connection) -> None:
        def trace(_: object, sql: str, __: object) -> bool:
            word = sql.strip().upper()
            if word.startswith(_STATEMENTS):
                self.take(sql)
            if word.startswith("VACUUM"):
                connection.set_progress_handler(amid, _OPERATIONS)
            return True

        def amid() -> bool:
            connection.set_progress_handler(None)
            self.take("amid VACUUM")
            return False

        connection.set_exec_trace(trace)


def _carry_out(last: int, log: str, words: list[str]) -> int:
    steps = Steps(last, log)
    said = os.open(f"{log}.said", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    for number in (1, 2):
        os.dup2(said, number)
    steps.watch()
    code = main(words)
    sys.stdout.flush()
    with open(f"{log}.modules", "w") as file:
        file.write(" ".join(name for name in sys.modules if name.startswith("memoro.")))
    return code


def _left_to_the_system(descriptor: int) -> None:
    """What there is to do for a file whose process is killed, and nothing else."""


def _load(names: str) -> None:
    """Load what the first process needed, so that the others begin with it."""
    with open(names) as file:
        for name in file.read().split():
            importlib.import_module(name)


def _serve(log: str, words: list[str]) -> None:
    names = f"{log}.modules"
    for line in sys.stdin:
        if os.path.exists(names):
            _load(names)
        child = os.fork()
        if not child:
            code = 1
            try:
                code = _carry_out(int(line), log, words)
            except BaseException:  # noqa: BLE001 - whatever it is, it is told, and ends the child
                traceback.print_exc()
            os._exit(code)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


if __name__ == "__main__":
    _serve(sys.argv[1], sys.argv[2:])

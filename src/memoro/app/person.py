"""The person at the keyboard."""

from __future__ import annotations

import os

from memoro.errors import UsageError
from memoro.settings import Settings


class Person:
    """`memoro.commands.ports.Terminal`: the user's editor, a question, and a hidden prompt."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def edit(self, text: str, name: str = "note.md") -> str:
        import shlex
        import subprocess
        import tempfile

        editor = self._settings.editor()
        if editor is None:
            raise UsageError(
                "no editor is set",
                "export EDITOR=nano, or give the text: memoro note edit ID --text",
            )
        with tempfile.TemporaryDirectory(prefix="memoro-") as folder:
            path = os.path.join(folder, name)
            with open(path, "w", encoding="utf-8", newline="") as file:
                file.write(text)
            try:
                ended = subprocess.run([*shlex.split(editor), path], check=False)
            except (OSError, ValueError) as error:
                raise UsageError(f"the editor {editor!r} can't be started: {error}") from error
            if ended.returncode:
                raise UsageError(f"{editor} ended with {ended.returncode}; nothing was changed")
            try:
                with open(path, encoding="utf-8", newline="") as file:
                    return file.read()
            except (OSError, ValueError) as error:
                raise UsageError(f"what {editor} saved can't be read: {error}") from error

    def keep(self, text: str, name: str = "note.md") -> str:
        import tempfile

        descriptor, path = tempfile.mkstemp(prefix="memoro-", suffix=f"-{name}")
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        return path

    def confirm(self, question: str) -> bool | None:
        said = _answer(f"{question} [y/N] ")
        return None if said is None else said.casefold() in ("y", "yes", "s", "sim")

    def agree(self, question: str, word: str) -> bool | None:
        said = _answer(f"{question}\nType {word} to go on: ")
        return None if said is None else said == word

    def secret(self, question: str) -> str:
        import getpass
        import sys

        try:
            return getpass.getpass(question) if sys.stdin.isatty() else sys.stdin.readline()
        except EOFError as error:
            raise UsageError("no key was given; nothing was stored") from error


def _answer(question: str) -> str | None:
    import sys

    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return None
    sys.stderr.write(question)
    sys.stderr.flush()
    return sys.stdin.readline().strip()

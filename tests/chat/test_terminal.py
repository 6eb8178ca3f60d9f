"""Chats on a real terminal: streamed as they come, safe, and ended by Ctrl-C at the keyboard."""

from __future__ import annotations

import os
import pty
import select
import subprocess
from collections.abc import Iterator

import pytest

from chat.chats import Chats
from model_dialects import Steps
from model_server import half_stream, text
from running import heed_interrupts

SECONDS = 60


def _at_the_keyboard() -> None:
    heed_interrupts()
    # The terminal has to be the process's own for Ctrl-C to reach it.
    os.close(os.open(os.ttyname(0), os.O_RDWR))


class Terminal:
    """A command on a pseudo-terminal of its own."""

    def __init__(self, chats: Chats, *words: str) -> None:
        self._master, slave = pty.openpty()
        self.process = subprocess.Popen(
            chats.process.command(*words),
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env={**chats.env, "TERM": "xterm-256color"},
            cwd=chats.folder,
            start_new_session=True,
            preexec_fn=_at_the_keyboard,
        )
        os.close(slave)
        self.seen = ""

    def type(self, keys: str) -> None:
        """Press keys."""
        os.write(self._master, keys.encode())

    def until(self, words: str) -> str:
        """Read the screen until these words stand on it."""
        while words not in self.seen:
            piece = self._read()
            assert piece, f"{words!r} never came: {self.seen!r}"
        return self.seen

    def rest(self) -> str:
        """Read to the end of the process."""
        while self._read():
            pass
        self.process.wait(SECONDS)
        return self.seen

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._master)

    def _read(self) -> str:
        ready, _, _ = select.select([self._master], [], [], SECONDS)
        assert ready, f"nothing for {SECONDS} s: {self.seen!r}"
        try:
            piece = os.read(self._master, 4096).decode()
        except OSError:
            return ""
        self.seen += piece
        return piece


@pytest.fixture
def started(chats: Chats) -> Iterator[list[Terminal]]:
    terminals: list[Terminal] = []
    yield terminals
    for terminal in terminals:
        terminal.close()


def test_an_answer_is_streamed_as_it_comes(chats: Chats, started: list[Terminal]) -> None:
    steps = Steps()
    chats.server.script(text("", chunks=["One ", "two ", "three."], steps=steps))
    terminal = Terminal(chats, "chat", "new", "count")
    started.append(terminal)
    assert steps.started.wait(SECONDS)
    steps.release()
    assert "two" not in terminal.until("One ")
    steps.release()
    assert "three" not in terminal.until("two ")
    steps.release_all()
    seen = terminal.rest()
    assert seen.count("One two three.") == 1
    assert seen.split()[-1].startswith("s_")
    assert terminal.process.returncode == 0


@pytest.mark.requirement("P14")
def test_ctrl_c_at_the_keyboard_cancels_gracefully(chats: Chats, started: list[Terminal]) -> None:
    steps = Steps()
    chats.server.script(text("", chunks=["One ", "two ", "three."], steps=steps))
    terminal = Terminal(chats, "chat", "new", "count")
    started.append(terminal)
    assert steps.started.wait(SECONDS)
    steps.release()
    terminal.until("One ")
    terminal.type("\x03")
    seen = terminal.rest()
    assert terminal.process.returncode == 130
    assert "cancelled" in seen and "Traceback" not in seen
    session = chats.ok("chat", "list", "--json").json[0]["session"]
    shown = chats.ok("chat", "show", session, "--json").json
    assert (shown["messages"][1]["text"], shown["messages"][1]["partial"]) == ("One", True)
    assert shown["runs"][0]["state"] == "cancelled"


def test_an_answer_cannot_command_the_terminal(chats: Chats, started: list[Terminal]) -> None:
    chats.server.script(text("", chunks=["safe \x1b]0;owned\x07", "\x1b[2J end"]))
    terminal = Terminal(chats, "chat", "new", "hi")
    started.append(terminal)
    seen = terminal.rest()
    assert "\x1b" not in seen
    assert "end" in seen


def test_a_broken_answer_ends_in_a_message_of_its_own_line(
    chats: Chats, started: list[Terminal]
) -> None:
    chats.server.default = half_stream("Once ", "upon ")
    terminal = Terminal(chats, "chat", "new", "a story")
    started.append(terminal)
    lines = terminal.rest().splitlines()
    assert lines[0].rstrip() == "Once upon"
    assert lines[1].startswith("memoro: ")
    assert terminal.process.returncode == 6

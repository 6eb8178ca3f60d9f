"""What the pages show is run, or at least understood."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import shlex
import struct
import subprocess
import sys
import termios
from collections.abc import Iterator
from pathlib import Path

import pytest

from docs.pages import PAGES, ROOT, Block, blocks, prose
from memoro.commands import catalogue
from memoro.surfaces.cli.arguments import group_parser, one_verb, whole_parser
from running import Memoro

SHELL = blocks("sh")
RUN = blocks("sh", "run")
TRANSCRIPTS = blocks("console", "transcript")
_VARYING = (
    (re.compile(r"\b\d{4}-\d\d-\d\d \d\d:\d\d\b"), "TIME"),
    (re.compile(r"\b[a-z]_[0-9a-z]{12}\b"), "ID"),
)
_OPERATORS = ("|", "||", "&&", ";", "<", ">", "2>")


def _name(block: Block) -> str:
    return block.name


@pytest.fixture
def shell(memoro: Memoro, tmp_path: Path) -> Memoro:
    """A home of its own whose PATH has the command, as after an installation."""
    folder = tmp_path / "bin"
    folder.mkdir()
    script = folder / "memoro"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m memoro "$@"\n', encoding="utf-8")
    script.chmod(0o755)
    memoro.env["PATH"] = f"{folder}:{memoro.env['PATH']}"
    return memoro


def _run(words: list[str], shell: Memoro) -> str:
    ended = subprocess.run(
        words,
        cwd=shell.folder,
        env=shell.env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


@pytest.mark.parametrize("page", sorted({one.page for one in RUN}), ids=lambda page: page.stem)
def test_examples_that_need_no_model_work(page: Path, shell: Memoro) -> None:
    for block in RUN:
        if block.page == page:
            _run(["sh", "-euc", block.text], shell)


@pytest.mark.parametrize("block", blocks("python", "run-python"), ids=_name)
def test_examples_in_python_work(block: Block, shell: Memoro) -> None:
    _run([sys.executable, "-c", block.text], shell)


@pytest.mark.parametrize("block", TRANSCRIPTS, ids=_name)
def test_transcripts_show_what_is_really_printed(block: Block, shell: Memoro) -> None:
    steps = re.split(r"^\$ ", block.text, flags=re.M)
    assert steps.pop(0) == ""
    for step in steps:
        command, _, shown = step.partition("\n")
        if command.startswith("memoro chat"):
            continue
        text = _on_terminal(["sh", "-euc", command], shell)
        printed = iter(_lines(text.replace(os.path.realpath(shell.root), "/home/ana")))
        for line in _lines(shown):
            # Lines are left out only where an ellipsis says so.
            if line != "…":
                assert line in printed, f"{command}: {line}"


def _lines(text: str) -> list[str]:
    for pattern, word in _VARYING:
        text = pattern.sub(word, text)
    return [line.strip() for line in text.splitlines()]


def _on_terminal(words: list[str], shell: Memoro) -> str:
    """What a terminal of 100 columns shows, without its styles."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))
    process = subprocess.Popen(
        words,
        cwd=shell.folder,
        env={**shell.env, "TERM": "xterm-256color"},
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    shown = bytearray()
    # Linux says with an error that the other side was closed.
    with contextlib.suppress(OSError):
        while piece := os.read(ours, 65_536):
            shown += piece
    os.close(ours)
    text = re.sub(r"\x1b\[[0-9;]*m", "", shown.decode())
    assert process.wait(timeout=60) == 0, text
    return text


@pytest.mark.parametrize("block", SHELL, ids=_name)
def test_shell_blocks_parse(block: Block) -> None:
    ended = subprocess.run(
        ["sh", "-n"], input=block.text, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr


def test_the_demonstration_parses() -> None:
    subprocess.run(["sh", "-n", str(ROOT / "docs" / "demo.sh")], check=True)


@pytest.mark.parametrize("block", [*SHELL, *TRANSCRIPTS], ids=_name)
def test_every_command_that_is_shown_exists(block: Block) -> None:
    for words in _commands(block.text):
        group = catalogue.group(words[0], "".join(words[1:2])) if words else None
        if group is not None:
            words = one_verb(group, words)
            parser = group_parser(group, words)
        else:
            parser = whole_parser(catalogue.groups(), "")
        try:
            parser.parse_args(words)
        except SystemExit as end:
            if end.code:
                pytest.fail(f"memoro {shlex.join(words)}")


def _commands(text: str) -> Iterator[list[str]]:
    """The words after each `memoro` of a shell text."""
    for line in text.splitlines():
        found = re.search(r"(?:^|[\s|])memoro (.*)", line)
        if found and not line.lstrip().startswith("#"):
            yield list(_until_operator(shlex.split(found[1], comments=True)))


def _until_operator(words: list[str]) -> Iterator[str]:
    for word in words:
        if word in _OPERATORS:
            return
        yield word


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_command_that_is_mentioned_exists(page: Path) -> None:
    names = {command.words for group in catalogue.groups() for command in group.commands}
    for mentioned in re.findall(r"`memoro ([a-z][^`]*)`", prose(page)):
        group, _, rest = mentioned.partition(" ")
        verb = rest.split(" ")[0]
        if group == "completion" or verb in ("", "…"):
            assert group == "completion" or catalogue.group(group), mentioned
        else:
            assert group in names or f"{group} {verb}" in names, mentioned

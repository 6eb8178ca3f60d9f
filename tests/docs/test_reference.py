"""The reference pages are written from the code, and leave nothing out."""

from __future__ import annotations

import subprocess
import sys

from docs.pages import ROOT
from memoro.commands import catalogue
from memoro.settings.declared import SETTINGS
from memoro.surfaces.cli.rendering import EXIT_CODES

REFERENCE = ROOT / "docs" / "reference"


def test_the_reference_is_up_to_date() -> None:
    ended = subprocess.run(
        [sys.executable, "docs/generate.py", "--check"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr


def test_every_command_is_documented() -> None:
    page = (REFERENCE / "commands.md").read_text(encoding="utf-8")
    headings = {line.lstrip("# ") for line in page.splitlines() if line.startswith("#")}
    for group in catalogue.groups():
        for command in group.commands:
            assert f"memoro {command.words}" in headings
            for param in command.params:
                option = f"--{param.name.replace('_', '-')}"
                wanted = f"`{param.name.upper()}`" if param.is_positional else option
                assert wanted in page or "cli" not in param.surfaces, (command.words, param.name)


def test_every_setting_is_documented() -> None:
    page = (REFERENCE / "settings.md").read_text(encoding="utf-8")
    for one in SETTINGS:
        assert f"| `{one.name}` | `{one.env}` |" in page


def test_every_exit_code_is_documented() -> None:
    page = (REFERENCE / "exit-codes.md").read_text(encoding="utf-8")
    for code in (0, *EXIT_CODES.values()):
        assert f"| {code} |" in page

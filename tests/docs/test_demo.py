"""The demonstration: what it shows, and that it leaves the user's own memory alone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from docs.pages import ROOT


@pytest.mark.weights
def test_the_demonstration(tmp_path: Path) -> None:
    folder = tmp_path / "env" / "bin"
    folder.mkdir(parents=True)
    script = folder / "memoro"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m memoro "$@"\n', encoding="utf-8")
    script.chmod(0o755)
    # What an earlier demonstration left, and settings that would lead this one astray.
    left = tmp_path / "env" / "demo-home"
    left.mkdir()
    (left / "config.toml").write_text("not toml", encoding="utf-8")
    ended = subprocess.run(
        ["sh", str(ROOT / "docs" / "demo.sh"), "env/bin"],
        cwd=tmp_path,
        env={
            "PATH": "/usr/bin:/bin",
            "HOME": str(tmp_path),
            "MEMORO_MODEL": "openai:none",
            "MEMORO_NOW": "never",
            "MEMORO_FACTS_BYTES": "1",
        },
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    _, first, second = ended.stdout.split("$ memoro chat new ")
    assert "Remembered answer.style." in ended.stdout
    assert "- answer.style: Plain words, one sentence" in first
    assert "Undid change 2" in second
    assert not (tmp_path / ".memoro").exists()

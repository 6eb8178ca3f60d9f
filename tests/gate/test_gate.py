"""Format, lint, types and import contracts, so that the tests alone are the whole gate."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent

CHECKS = {
    "format": [str(BIN / "ruff"), "format", "--no-cache", "--check", "."],
    "lint": [str(BIN / "ruff"), "check", "--no-cache", "."],
    "types": [str(BIN / "basedpyright"), "--pythonpath", sys.executable],
    "contracts": [str(BIN / "lint-imports"), "--no-cache"],
}


@pytest.mark.gate
@pytest.mark.parametrize("name", CHECKS)
def test_gate(name: str) -> None:
    ended = subprocess.run(CHECKS[name], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr

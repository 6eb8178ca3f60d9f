"""What the tests of commands share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from commands.here import Here
from commands.toolrun import Run
from running import Memoro


@pytest.fixture
def here(
    memoro: Memoro, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Here:
    """`memoro` in this process."""
    return Here(memoro, monkeypatch, capsys)


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    """The tools of an unscoped chat, over a store of its own."""
    made = Run(tmp_path / ".memoro")
    yield made
    made.app.close()

"""What the tests of instruction files share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from bootstrap_worlds import World, build


@pytest.fixture
def world(tmp_path: Path) -> World:
    """A HOME and a workspace, both empty."""
    return build(tmp_path)


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths of the files that were opened so far."""
    found: list[str] = []
    real_open = os.open

    def recorded(path: str, *rest: int) -> int:
        found.append(str(path))
        return real_open(path, *rest)

    monkeypatch.setattr(os, "open", recorded)
    return found

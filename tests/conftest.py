"""What all tests share."""

from __future__ import annotations

from pathlib import Path

import pytest

from running import Memoro as Memoro
from running import Ran as Ran


@pytest.fixture
def memoro(tmp_path: Path) -> Memoro:
    """`memoro`, in a home of its own."""
    return Memoro(tmp_path)

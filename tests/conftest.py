"""What all tests share."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

from running import Memoro as Memoro
from running import Ran as Ran

# What lands must not depend on luck; to look further: pytest --hypothesis-profile=search
settings.register_profile("steady", derandomize=True)
settings.register_profile("search", derandomize=False)
settings.load_profile("steady")


@pytest.fixture
def memoro(tmp_path: Path) -> Memoro:
    """`memoro`, in a home of its own."""
    return Memoro(tmp_path)

"""What a look at the world found."""

from __future__ import annotations

from typing import NamedTuple


class Sight(NamedTuple):
    """Whether something is there, None where that can't be told, and in words what was seen."""

    there: bool | None
    told: str


UNSEEN = Sight(None, "")
"""Nothing was looked at."""

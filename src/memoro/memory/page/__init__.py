"""The page of memory: what is known, within a budget, as it stands in a prompt."""

from memoro.memory.page.composing import BUDGET, HINT, Page, Placed, page
from memoro.memory.page.material import (
    EPISODE_DAYS,
    MOST_EPISODES,
    MOST_PROJECTS,
    MOST_RELATED,
    MOST_TOPICS,
    NOTE_DAYS,
    Material,
    profile_lines,
    usage_line,
)

__all__ = [
    "BUDGET",
    "EPISODE_DAYS",
    "HINT",
    "MOST_EPISODES",
    "MOST_PROJECTS",
    "MOST_RELATED",
    "MOST_TOPICS",
    "NOTE_DAYS",
    "Material",
    "Page",
    "Placed",
    "page",
    "profile_lines",
    "usage_line",
]

"""The commands under `memoro session`."""

from memoro.commands.recalled import SEARCH
from memoro.commands.registry import Group

GROUP = Group("session", "past conversations", (SEARCH,))

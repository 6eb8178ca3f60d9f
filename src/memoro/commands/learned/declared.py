"""Everything under `memoro memory`, put together; handlers are loaded when one is called."""

from __future__ import annotations

from memoro.commands.erasing.declared import ERASING
from memoro.commands.learned.days_declared import DAYS, EPISODES
from memoro.commands.learned.facts_declared import ARCHIVE, FACTS, GRAPH, INBOX
from memoro.commands.learned.files_declared import FILES
from memoro.commands.learned.person_declared import PERSON
from memoro.commands.memory import SAVED
from memoro.commands.recalled import REINDEX, recall_command
from memoro.commands.registry import LEARNED_TOOL, Tool

GROUP = SAVED._replace(
    commands=(
        *SAVED.commands,
        recall_command("memory", "recall", LEARNED_TOOL),
        *FACTS,
        *ERASING,
        *ARCHIVE,
        *PERSON,
        *EPISODES,
        *GRAPH,
        *DAYS,
        *INBOX,
        *FILES,
        REINDEX,
    ),
    tools=(
        *SAVED.tools,
        Tool(LEARNED_TOOL, "what is learned: facts, profile, episodes, and their links", "learned"),
    ),
    dated="day",
)

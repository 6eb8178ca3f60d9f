"""The commands of who you are, and what you talk about and work on, declared."""

from __future__ import annotations

from memoro.commands.registry import HUMANS_AND_MODELS, LEARNED_TOOL, Command, Param, later

_FIELDS = "KEY=VALUE: name, role, company, goals, skills_add, goals_done, directives, env_os …"

PERSON: tuple[Command, ...] = (
    Command(
        "memory",
        "profile",
        "show who you are, as far as it is known",
        later("memoro.commands.profile", "show_profile"),
        "read",
    ),
    Command(
        "memory",
        "profile set",
        "change the profile",
        later("memoro.commands.profile", "set_profile"),
        "write",
        (Param("fields", _FIELDS, many=True),),
        HUMANS_AND_MODELS,
        LEARNED_TOOL,
    ),
    Command(
        "memory",
        "topics",
        "show what is talked about",
        later("memoro.commands.activity", "list_topics"),
        "read",
    ),
    Command(
        "memory",
        "topic",
        "note that a topic came up",
        later("memoro.commands.activity", "mention_topic"),
        "write",
        (
            Param("name", "the topic"),
            Param("summary", "what is known of it by now", required=False, positional=True),
            Param(
                "fact",
                "the ID of a fact learned with it; may be given again",
                required=False,
                many=True,
            ),
        ),
    ),
    Command(
        "memory",
        "projects",
        "show what you work on",
        later("memoro.commands.activity", "list_work"),
        "read",
    ),
    Command(
        "memory",
        "work",
        "say what you work on",
        later("memoro.commands.activity", "work_on"),
        "write",
        (
            Param("name", "the project"),
            Param("description", "what it is", required=False, positional=True),
            Param("path", "its folder", required=False),
            Param(
                "technology", "what it is made with; may be given again", required=False, many=True
            ),
            Param("status", "active, paused or completed", required=False),
        ),
    ),
    Command(
        "memory",
        "stats",
        "show what Memoro was used for",
        later("memoro.commands.activity", "show_stats"),
        "read",
    ),
)

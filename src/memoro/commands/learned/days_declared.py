"""The commands of days: what was done, and what is noted of one, declared."""

from __future__ import annotations

from memoro.commands.registry import (
    ALL,
    AS_OF,
    FROM,
    HUMANS_AND_MODELS,
    LEARNED_TOOL,
    LIMIT,
    PROJECT,
    TO,
    Command,
    Param,
    later,
)

_DATE = Param(
    "date",
    "2026-05-02, 2026-05, yesterday, 'last week', 'há 3 meses'",
    required=True,
    many=True,
)
_ON = Param("date", "the day that it belongs to; today by default", required=False, metavar="DATE")

EPISODES: tuple[Command, ...] = (
    Command(
        "memory",
        "timeline",
        "show what was done, oldest first",
        later("memoro.commands.learned.days", "show_timeline"),
        "read",
        (
            Param(
                "query",
                "words and a time, as in: what about DNS last week",
                required=False,
                positional=True,
            ),
            FROM,
            TO,
            Param("project", "of one project", required=False, metavar="NAME"),
            LIMIT,
            AS_OF,
        ),
        HUMANS_AND_MODELS,
        LEARNED_TOOL,
    ),
    Command(
        "memory",
        "episode",
        "keep a finished piece of work",
        later("memoro.commands.learned.days", "keep_episode"),
        "write",
        (
            Param("summary", "what was done", many=True),
            Param("outcome", "what came of it", required=False),
            Param(
                "ref",
                "a file, pull request or command; may be given again",
                required=False,
                many=True,
            ),
            _ON,
            Param("project", "the project that it belongs to", required=False, metavar="NAME"),
        ),
    ),
)

DAYS: tuple[Command, ...] = (
    *(
        Command(
            "memory",
            name,
            f"show {shown}",
            later("memoro.commands.learned.days", f"show_{name}"),
            "read",
            (ALL, PROJECT),
        )
        for name, shown in (("today", "today"), ("yesterday", "yesterday"), ("week", "this week"))
    ),
    Command(
        "memory",
        "day",
        "show a day, or any time that a date names (the word day may be left out)",
        later("memoro.commands.learned.days", "show_day"),
        "read",
        (_DATE, ALL, PROJECT),
    ),
    Command(
        "memory",
        "load",
        "print a day and what is known, as data to put before a model",
        later("memoro.commands.learned.days", "load_day"),
        "read",
        (_DATE, ALL, PROJECT),
    ),
    Command(
        "memory",
        "jot",
        "add a line to the day's notes",
        later("memoro.commands.learned.days", "jot_line"),
        "write",
        (Param("text", "the line", many=True), _ON),
    ),
)

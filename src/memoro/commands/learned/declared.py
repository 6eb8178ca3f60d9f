"""The commands of learned memory, declared; their handlers are loaded when one is called."""

from __future__ import annotations

from memoro.commands.memory import SAVED
from memoro.commands.recalled import REINDEX, recall_command
from memoro.commands.registry import (
    HUMANS,
    HUMANS_AND_MODELS,
    PROJECT,
    Command,
    Handler,
    Param,
    Tool,
    later,
)

_TOOL = "learned_memory"


def _handler(module: str, name: str) -> Handler:
    return later(f"memoro.commands.learned.{module}", name)


_ALL = Param("all", "of every project and folder", "flag", required=False, surfaces=HUMANS)
_ID = Param("id", "its ID")
_CATEGORY = Param("category", "what it is about", required=False, metavar="NAME")
_LIMIT = Param("limit", "show that many", "int", required=False)
_AS_OF = Param(
    "as_of",
    "as it stood then; relative dates count from it",
    required=False,
    metavar="DATE",
)
_DATE = Param(
    "date",
    "2026-05-02, 2026-05, yesterday, 'last week', 'há 3 meses'",
    required=True,
    many=True,
)
_ON = Param("date", "the day that it belongs to; today by default", required=False, metavar="DATE")
_FIELDS = "KEY=VALUE: name, role, company, goals, skills_add, goals_done, directives, env_os …"

_LEARNED: tuple[Command, ...] = (
    Command(
        "memory",
        "learn",
        "tell something that is to be known",
        _handler("learning", "learn_fact"),
        "write",
        (
            Param("text", "the fact, in one sentence", many=True),
            _CATEGORY,
            Param(
                "tag",
                "a word to find it by; may be given again",
                required=False,
                many=True,
                surfaces=HUMANS,
            ),
            Param(
                "replaces",
                "the ID of the fact that it corrects",
                required=False,
                surfaces=HUMANS,
                metavar="ID",
            ),
            Param(
                "branch_only",
                "keep it to this branch until that is merged",
                "flag",
                required=False,
                surfaces=HUMANS,
            ),
            Param(
                "everywhere", "not of this project alone", "flag", required=False, surfaces=HUMANS
            ),
            PROJECT,
        ),
        HUMANS_AND_MODELS,
        _TOOL,
    ),
    Command(
        "memory",
        "facts",
        "show the learned facts, the strongest first",
        _handler("showing", "list_learned"),
        "read",
        (
            Param("category", "those of one category", required=False, positional=True),
            _LIMIT,
            _ALL,
            Param("archived", "those in the archive", "flag", required=False),
            Param("past", "those that were replaced", "flag", required=False),
            _AS_OF,
            PROJECT,
        ),
    ),
    Command(
        "memory",
        "longterm",
        "show all that is known here, by category",
        _handler("showing", "show_longterm"),
        "read",
        (_ALL, PROJECT),
    ),
    Command(
        "memory",
        "why",
        "say where a fact comes from, and whether it still holds; of a run, what it was told",
        _handler("showing", "why_fact"),
        "read",
        (Param("id", "the ID of a fact, or of a run"),),
    ),
    Command(
        "memory",
        "purge",
        "erase a project, a conversation or everything from every file, and look for it",
        later("memoro.commands.erasing.purging", "purge_memory"),
        "write",
        (
            PROJECT,
            Param("session", "a conversation, and what was learned from it", required=False),
            Param("all", "everything", "flag", required=False),
            Param("everywhere", "with --project: its conversations, too", "flag", required=False),
            Param("yes", "don't ask", "flag", required=False),
        ),
    ),
    Command(
        "memory",
        "sweep",
        "mask what today's rules for secrets would not let in any more",
        later("memoro.commands.erasing.sweeping", "sweep_memory"),
        "write",
        (
            Param("dry_run", "say what would be masked", "flag", required=False),
            Param("yes", "don't ask", "flag", required=False),
        ),
    ),
    Command(
        "memory",
        "restore",
        "bring a fact back from the archive, or from the past",
        _handler("learning", "restore_fact"),
        "write",
        (_ID,),
    ),
    Command(
        "memory",
        "compact",
        "put faded facts into the archive",
        _handler("learning", "compact_facts"),
        "write",
    ),
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
        _TOOL,
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
    Command(
        "memory",
        "timeline",
        "show what was done, oldest first",
        _handler("days", "show_timeline"),
        "read",
        (
            Param(
                "query",
                "words and a time, as in: what about DNS last week",
                required=False,
                positional=True,
            ),
            Param("from", "the first day, or any date expression", required=False, metavar="DATE"),
            Param("to", "the last day, or any date expression", required=False, metavar="DATE"),
            Param("project", "of one project", required=False, metavar="NAME"),
            _LIMIT,
            _AS_OF,
        ),
        HUMANS_AND_MODELS,
        _TOOL,
    ),
    Command(
        "memory",
        "episode",
        "keep a finished piece of work",
        _handler("days", "keep_episode"),
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
    Command(
        "memory",
        "neighbors",
        "show what a subject is linked with",
        _handler("graph", "show_neighbours"),
        "read",
        (Param("subject", "a name, an ID, or words", many=True), _LIMIT),
        HUMANS_AND_MODELS,
        _TOOL,
    ),
    Command(
        "memory",
        "map",
        "show how much is known of what, and the hubs",
        _handler("graph", "show_map"),
        "read",
        (),
        HUMANS_AND_MODELS,
        _TOOL,
    ),
    *(
        Command(
            "memory",
            name,
            f"show {shown}",
            _handler("days", f"show_{name}"),
            "read",
            (_ALL, PROJECT),
        )
        for name, shown in (("today", "today"), ("yesterday", "yesterday"), ("week", "this week"))
    ),
    Command(
        "memory",
        "day",
        "show a day, or any time that a date names (the word day may be left out)",
        _handler("days", "show_day"),
        "read",
        (_DATE, _ALL, PROJECT),
    ),
    Command(
        "memory",
        "load",
        "print a day and what is known, as data to put before a model",
        _handler("days", "load_day"),
        "read",
        (_DATE, _ALL, PROJECT),
    ),
    Command(
        "memory",
        "jot",
        "add a line to the day's notes",
        _handler("days", "jot_line"),
        "write",
        (Param("text", "the line", many=True), _ON),
    ),
    Command(
        "memory",
        "inbox",
        "show what waits for your word",
        _handler("inbox", "show_inbox"),
        "read",
    ),
    *(
        Command(
            "memory",
            name,
            summary,
            _handler("inbox", f"{name}_proposals"),
            "write",
            (
                Param("id", "their IDs", required=False, many=True, positional=True),
                Param("all", "all that wait", "flag", required=False),
            ),
        )
        for name, summary in (
            ("accept", "accept what waits in the inbox"),
            ("reject", "reject what waits in the inbox"),
        )
    ),
)

_FILES: tuple[Command, ...] = (
    Command(
        "memory",
        "edit",
        "change memory in your editor, a record a line",
        later("memoro.commands.mirroring", "edit_records"),
        "write",
        (
            Param(
                "kind",
                "facts (the default), saved, profile, topics, projects, episodes, daily or notes",
                required=False,
                positional=True,
            ),
            PROJECT,
        ),
    ),
    Command(
        "memory",
        "merge",
        "take what was edited in the plain files",
        later("memoro.commands.mirroring", "merge_files"),
        "write",
        (
            Param(
                "file",
                "instead: files that lie anywhere, as a copy that was mended; none deletes",
                required=False,
                many=True,
                positional=True,
            ),
            Param(
                "allow_deletions",
                "also where most of a file's records were deleted at once",
                "flag",
                required=False,
            ),
        ),
    ),
    Command(
        "memory",
        "mirror",
        "write the plain files",
        later("memoro.commands.mirroring", "write_files"),
        "write",
        (Param("all", "all of them, not just what has changed", "flag", required=False),),
    ),
)

GROUP = SAVED._replace(
    commands=(
        *SAVED.commands,
        recall_command("memory", "recall", _TOOL),
        *_LEARNED,
        *_FILES,
        REINDEX,
    ),
    tools=(
        *SAVED.tools,
        Tool(_TOOL, "what is learned: facts, profile, episodes, and their links", "learned"),
    ),
    dated="day",
)
"""Everything under `memoro memory`."""

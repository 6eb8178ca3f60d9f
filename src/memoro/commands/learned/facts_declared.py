"""The commands of facts, what waits to be one, and their links, declared."""

from __future__ import annotations

from memoro.commands.registry import (
    ALL,
    AS_OF,
    HUMANS,
    HUMANS_AND_MODELS,
    LEARNED_TOOL,
    LIMIT,
    PROJECT,
    Command,
    Param,
    later,
)

_ID = Param("id", "its ID")
_CATEGORY = Param("category", "what it is about", required=False, metavar="NAME")

FACTS: tuple[Command, ...] = (
    Command(
        "memory",
        "learn",
        "tell something that is to be known",
        later("memoro.commands.learned.learning", "learn_fact"),
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
        LEARNED_TOOL,
    ),
    Command(
        "memory",
        "facts",
        "show the learned facts, the strongest first",
        later("memoro.commands.learned.showing", "list_learned"),
        "read",
        (
            Param("category", "those of one category", required=False, positional=True),
            LIMIT,
            ALL,
            Param("archived", "those in the archive", "flag", required=False),
            Param("past", "those that were replaced", "flag", required=False),
            AS_OF,
            PROJECT,
        ),
    ),
    Command(
        "memory",
        "longterm",
        "show all that is known here, by category",
        later("memoro.commands.learned.showing", "show_longterm"),
        "read",
        (ALL, PROJECT),
    ),
    Command(
        "memory",
        "why",
        "say where a fact comes from, and whether it still holds; of a run, what it was told",
        later("memoro.commands.learned.showing", "why_fact"),
        "read",
        (Param("id", "the ID of a fact, or of a run"),),
    ),
)

ARCHIVE: tuple[Command, ...] = (
    Command(
        "memory",
        "restore",
        "bring a fact back from the archive, or from the past",
        later("memoro.commands.learned.learning", "restore_fact"),
        "write",
        (_ID,),
    ),
    Command(
        "memory",
        "compact",
        "put faded facts into the archive",
        later("memoro.commands.learned.learning", "compact_facts"),
        "write",
    ),
)

GRAPH: tuple[Command, ...] = (
    Command(
        "memory",
        "neighbors",
        "show what a subject is linked with",
        later("memoro.commands.learned.graph", "show_neighbours"),
        "read",
        (Param("subject", "a name, an ID, or words", many=True), LIMIT),
        HUMANS_AND_MODELS,
        LEARNED_TOOL,
    ),
    Command(
        "memory",
        "map",
        "show how much is known of what, and the hubs",
        later("memoro.commands.learned.graph", "show_map"),
        "read",
        (),
        HUMANS_AND_MODELS,
        LEARNED_TOOL,
    ),
)

INBOX: tuple[Command, ...] = (
    Command(
        "memory",
        "inbox",
        "show what waits for your word",
        later("memoro.commands.learned.inbox", "show_inbox"),
        "read",
    ),
    *(
        Command(
            "memory",
            name,
            summary,
            later("memoro.commands.learned.inbox", f"{name}_proposals"),
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

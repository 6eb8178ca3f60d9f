"""`memoro recall`, and what belongs to it under `memoro memory` and `memoro session`, declared."""

from __future__ import annotations

from memoro.commands.registry import (
    ALL,
    AS_OF,
    FROM,
    HUMANS,
    HUMANS_AND_MODELS,
    PROJECT,
    TO,
    Command,
    Group,
    Param,
    later,
)

KINDS = ("turn", "saved_fact", "fact", "episode", "daily", "note")

_K = Param("k", "how many at most", "int", required=False, surfaces=HUMANS, metavar="N")
_QUERY = Param("query", "a question, or words", many=True)
_RECALL = (
    _QUERY,
    Param(
        "kind",
        "only these: turn, saved_fact, fact, episode, daily, note; may be given again",
        required=False,
        many=True,
        choices=KINDS,
        surfaces=HUMANS,
    ),
    Param("session", "of one conversation, by its ID or name", required=False, surfaces=HUMANS),
    FROM,
    TO,
    AS_OF,
    _K,
    Param("explain", "say what each signal added", "flag", required=False, surfaces=HUMANS),
    ALL,
    PROJECT,
)
_SUMMARY = "find what was said and learned"
_HANDLER = later("memoro.commands.recall.showing", "recall")


def recall_command(group: str, name: str, tool: str = "") -> Command:
    """The command as it stands under a word."""
    surfaces = HUMANS_AND_MODELS if tool else HUMANS
    return Command(group, name, _SUMMARY, _HANDLER, "read", _RECALL, surfaces, tool)


REINDEX = Command(
    "memory",
    "reindex",
    "make the search index anew",
    later("memoro.commands.recall.showing", "reindex"),
    "write",
    (Param("missing", "put in only what is missing", "flag", required=False),),
)

GROUP = Group("recall", _SUMMARY, (recall_command("recall", ""),))

SEARCH = Command(
    "session",
    "search",
    "find conversations by what was said in them",
    later("memoro.commands.recall.showing", "search_sessions"),
    "read",
    (_QUERY, _K, ALL, PROJECT),
)

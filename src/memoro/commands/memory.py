"""`memoro memory`: saved facts and the log of changes.

What is learned has its commands in `memoro.commands.learned`, which makes one group of all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from memoro.commands.history import show_history, show_log, undo_change
from memoro.commands.registry import (
    HUMANS,
    HUMANS_AND_MODELS,
    LIMIT,
    MODELS,
    PROJECT,
    Caller,
    Command,
    Done,
    Group,
    Param,
    Result,
    Table,
    Text,
    Tool,
    later,
)
from memoro.commands.scopes import (
    facts_budget,
    find_project,
    missing_folder,
    named_scope,
    origin,
    over_budget,
)
from memoro.errors import Reason, Refusal
from memoro.memory.records import SAVED_FACT, Record, in_scope, project_name

if TYPE_CHECKING:
    from memoro.commands.services import Services
    from memoro.memory.saved import Fact
    from memoro.memory.store import Plan


def fact_data(fact: Record) -> dict[str, Any]:
    """A saved fact for programs."""
    return {
        "scope": fact.scope,
        "key": fact.key,
        "value": fact.text,
        "created_at": fact.created_at,
        "updated_at": fact.updated_at,
        "source_run": fact.source_run,
    }


def remember_fact(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Make a new fact."""
    from memoro.memory.saved import remember

    return _save(services, arguments, caller, remember, "Remembered")


def replace_fact(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Change a fact."""
    from memoro.memory.saved import replace

    return _save(services, arguments, caller, replace, "Replaced")


def _save(
    services: Services,
    arguments: Mapping[str, Any],
    caller: Caller,
    plan: Callable[[Fact], Plan],
    word: str,
) -> Result:
    scope = named_scope(services, arguments, caller)
    if isinstance(scope, Refusal):
        return scope
    if not arguments.get("as_is"):
        refusal = secret_in(services, arguments["value"])
        if refusal is not None:
            return refusal
    from memoro.memory.saved import Fact

    budget = facts_budget(services, scope) if caller.surface == "tool" else None
    made_by = origin(services, caller)
    fact = Fact(
        services.new_id("f"),
        scope,
        arguments["key"],
        arguments["value"],
        made_by.at,
        caller.run,
        caller.message,
        budget,
    )
    applied = services.store.apply(plan(fact), made_by)
    if isinstance(applied, Refusal):
        return applied
    return Done(
        {**fact_data(applied.records[0]), "change": applied.change},
        Text(f"{word} {fact.key}{in_scope(scope)}."),
        over_budget(services, scope) if budget is None else (),
    )


def secret_in(services: Services, value: str) -> Refusal | None:
    """Refuse a secret: a saved fact stands in every prompt, word by word."""
    kinds = services.learned.mask(value).kinds
    if not kinds:
        return None
    return Refusal(
        Reason.USAGE,
        f"the value holds what looks like a secret ({', '.join(dict.fromkeys(kinds))}), which every"
        " prompt would send; nothing was changed",
        "say where it is kept instead, or add --as-is",
    )


def list_facts(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Show the saved facts of one scope."""
    scope = named_scope(services, arguments, caller)
    if isinstance(scope, Refusal):
        return scope
    facts = services.store.select(SAVED_FACT.name, scope)
    gone = None
    name = project_name(scope)
    if name is not None:
        project = find_project(services, name)
        gone = missing_folder(project) if project else None
    return Done(
        [fact_data(fact) for fact in facts],
        Table(
            ("key", "value", "updated", "source run"),
            [
                (
                    fact.key or "",
                    fact.text,
                    services.show_time(fact.updated_at),
                    fact.source_run or "-",
                )
                for fact in facts
            ],
            f"No saved facts{in_scope(scope)} yet. Save one: memoro memory remember KEY VALUE",
            footer=gone or "",
        ),
        (gone,) if gone else (),
    )


_KEY = Param("key", "the fact's key, for example answer.style")
_VALUE = Param("value", "what to remember, at most 4,096 bytes")
_AS_IS = Param(
    "as_is",
    "also where the value looks like a secret",
    "flag",
    required=False,
    surfaces=HUMANS,
)

SAVED = Group(
    "memory",
    "what you save, what is learned, and the log of every change",
    (
        Command(
            "memory",
            "remember",
            "save a new fact",
            remember_fact,
            "write",
            (_KEY, _VALUE, PROJECT, _AS_IS),
            HUMANS_AND_MODELS,
        ),
        Command(
            "memory",
            "list",
            "show the saved facts",
            list_facts,
            "read",
            (PROJECT,),
        ),
        Command(
            "memory",
            "replace",
            "give a saved fact a new value",
            replace_fact,
            "write",
            (_KEY, _VALUE, PROJECT, _AS_IS),
            HUMANS_AND_MODELS,
        ),
        Command(
            "memory",
            "forget",
            "remove a saved fact for good",
            later("memoro.commands.forgetting", "forget_fact"),
            "write",
            (
                _KEY._replace(surfaces=MODELS),
                Param(
                    "key",
                    "a saved fact's key, or the ID of anything learned",
                    required=False,
                    positional=True,
                    surfaces=HUMANS,
                ),
                PROJECT,
                Param(
                    "match",
                    "instead: what was learned and has all these words; shown first, and asked",
                    required=False,
                    surfaces=HUMANS,
                    metavar="WORDS",
                ),
                Param(
                    "yes",
                    "with --match and --everywhere: don't ask",
                    "flag",
                    required=False,
                    surfaces=HUMANS,
                ),
                Param(
                    "everywhere",
                    "take what messages, tool records and notes say of it, too; shown first",
                    "flag",
                    required=False,
                    surfaces=HUMANS,
                ),
                Param(
                    "verify",
                    "then search every file of ours for it, and give a receipt",
                    "flag",
                    required=False,
                    surfaces=HUMANS,
                ),
                Param(
                    "from_log",
                    "also where only the log still holds old values of the key",
                    "flag",
                    required=False,
                    surfaces=HUMANS,
                ),
            ),
            HUMANS_AND_MODELS,
        ),
        Command(
            "memory",
            "log",
            "show every change, the newest first",
            show_log,
            "read",
            (PROJECT, LIMIT),
        ),
        Command(
            "memory",
            "undo",
            "take a change back: the last one, or one of the log",
            undo_change,
            "write",
            (Param("id", "the change's ID in the log", "int", required=False, positional=True),),
        ),
        Command(
            "memory",
            "history",
            "show what happened to one key or note",
            show_history,
            "read",
            (Param("key", "a key, or the ID of a note or of anything learned"), PROJECT),
        ),
    ),
    (Tool("memory", "facts that the user asks to save", "saving"),),
)

"""`memoro memory`: saved facts and the log of changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from memoro.commands.history import show_history, show_log, undo_change
from memoro.commands.registry import (
    HUMANS,
    HUMANS_AND_MODELS,
    PROJECT,
    Caller,
    Command,
    Done,
    Group,
    Param,
    Result,
    Table,
    Text,
)
from memoro.commands.scopes import (
    facts_budget,
    find_project,
    missing_folder,
    named_scope,
    origin,
    over_budget,
)
from memoro.errors import Refusal
from memoro.memory.records import SAVED_FACT, Record, in_scope, project_name

if TYPE_CHECKING:
    from memoro.commands.services import Services
    from memoro.memory.saved import Fact
    from memoro.memory.store import Applied, Plan


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


def forget_fact(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Take a fact out of every place for good."""
    scope = named_scope(services, arguments, caller)
    if isinstance(scope, Refusal):
        return scope
    from memoro.memory.saved import forget

    key = arguments["key"]
    plan = forget(scope, key, from_log=bool(arguments.get("from_log")))
    applied = services.store.apply(plan, origin(services, caller))
    if isinstance(applied, Refusal):
        return applied
    return forgotten(applied, f"{key}{in_scope(scope)}", {"scope": scope, "key": key})


def forgotten(applied: Applied, what: str, data: Mapping[str, Any]) -> Done:
    """What is said after something was forgotten for good."""
    return Done(
        {**data, "change": applied.change, "remains": list(applied.remains)},
        Text(f"Forgot {what} for good. Earlier messages, tool records and notes are not redacted."),
        tuple(f"not cleaned yet: {place}" for place in applied.remains),
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

GROUP = Group(
    "memory",
    "facts that you save, and the log of every change",
    (
        Command(
            "memory",
            "remember",
            "save a new fact",
            remember_fact,
            "write",
            (_KEY, _VALUE, PROJECT),
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
            (_KEY, _VALUE, PROJECT),
            HUMANS_AND_MODELS,
        ),
        Command(
            "memory",
            "forget",
            "remove a saved fact for good",
            forget_fact,
            "write",
            (
                _KEY,
                PROJECT,
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
            (PROJECT, Param("limit", "show that many", "int", required=False)),
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
            (Param("key", "a key, or a note's ID"), PROJECT),
        ),
    ),
    tool="memory",
    tool_help="saving",
)

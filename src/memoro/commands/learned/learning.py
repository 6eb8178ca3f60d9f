"""`memoro memory learn|restore|compact`: facts come in, and come back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from memoro.commands.learned.door import admit, trust_in
from memoro.commands.learned.ground import Ground, ground_of, keep_place
from memoro.commands.naming import whole_id
from memoro.commands.registry import Caller, Done, Result, Text
from memoro.commands.scopes import origin
from memoro.errors import Reason, Refusal
from memoro.memory.facts.archive import compact, restore
from memoro.memory.facts.categories import category_of
from memoro.memory.facts.learn import Limits, learn
from memoro.memory.facts.statement import Statement, check, fact_data, state
from memoro.memory.records import FACT, Record, Trust, in_scope, shown

if TYPE_CHECKING:
    from memoro.commands.services import Services
    from memoro.memory.store import Applied, LoggedChange


def learn_fact(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Learn a fact, or propose it where proposals are reviewed."""
    words = arguments["text"]
    text = words if isinstance(words, str) else " ".join(words)
    if caller.surface == "tool" and services.learned.mode() == "off":
        return Refusal(Reason.FAILED, "learning is switched off", "memoro config set learn auto")
    admitted = admit(services, text, caller)
    named = arguments.get("category")
    found = _statement(services, arguments, caller, admitted.text, named)
    if isinstance(found, Refusal):
        return found
    statement, ground = found
    keep_place(services, ground, caller)
    if caller.surface == "tool" and services.learned.mode() == "review":
        from memoro.commands.learned.inbox import propose_fact

        return propose_fact(services, statement, caller)
    return kept(services, statement, caller, admitted.notices)


def _statement(
    services: Services,
    arguments: Mapping[str, Any],
    caller: Caller,
    text: str,
    named: str | None,
) -> tuple[Statement, Ground] | Refusal:
    category = named or category_of(text)
    ground = ground_of(services, arguments, caller, category, said=named is not None)
    if isinstance(ground, Refusal):
        return ground
    replaces = arguments.get("replaces")
    if replaces is not None:
        replaces = whole_id(services, replaces)
        if isinstance(replaces, Refusal):
            return replaces
        wrong = services.store.get(replaces)
        if wrong is None or wrong.kind != FACT.name:
            return Refusal(Reason.NOT_FOUND, f"there is no fact {shown(replaces)}")
        ground = Ground(wrong.scope, ground.path, None, ground.branch)
    data: dict[str, Any] = {"path": ground.path} if ground.path else {}
    if arguments.get("branch_only"):
        if ground.branch is None:
            return Refusal(Reason.USAGE, "this folder is on no branch; nothing was changed")
        tip = services.learned.workspace().branch_tip(ground.branch)
        data |= {"branch": ground.branch} | ({"tip": tip} if tip else {})
    if caller.run is not None:
        session = services.transcripts.session_of(caller.run)
        data |= {"session": session} if session else {}
    trust = trust_in(services, caller, [text])
    sure = "tool" if trust < Trust.USER else "corrected" if replaces else "told"
    statement = Statement(
        text,
        ground.scope,
        services.now(),
        trust,
        sure,
        category,
        tuple(arguments.get("tag") or ()),
        data,
        caller.run,
        caller.message,
        replaces,
    )
    refusal = check(statement)
    return (statement, ground) if refusal is None else refusal


def kept(
    services: Services, statement: Statement, caller: Caller, notices: tuple[str, ...] = ()
) -> Result:
    """Learn a statement, and say what came of it."""
    limits = Limits(services.now(), services.learned.max_facts())
    applied = services.store.apply(learn(statement, limits), origin(services, caller))
    if isinstance(applied, Refusal):
        return applied
    change = services.store.change(applied.change)
    assert change is not None, "a change that was just made is in the log"
    fact = _subject(change, applied)
    told = _told(fact, change, services)
    data = {**fact_data(fact, services.now()), "action": change.action, "change": applied.change}
    return Done({**data, "also": told[1:]}, Text("\n".join(told)), notices)


def _subject(change: LoggedChange, applied: Applied) -> Record:
    first = change.records[0].record_id
    return next(one for one in applied.records if one.id == first)


def _told(fact: Record, change: LoggedChange, services: Services) -> list[str]:
    words = {
        "learn": "Learned",
        "learn again": "Known already, and surer now:",
        "update": "Learned",
        "set aside": "Kept aside, not as current:",
    }
    first = f"{words[change.action]} {fact.id} {shown(fact.text, 80)}{in_scope(fact.scope)}."
    lines = [first]
    if state(fact) == "superseded":
        lines.append(f"It is {fact.data.get('why')}; current stays {fact.superseded_by}.")
    for logged in change.records[1:]:
        after = logged.after
        if after is None:
            continue
        if state(after) == "superseded":
            lines.append(f"It replaces {after.id} {shown(after.text, 60)} ({after.data['why']}).")
        elif state(after) == "archived":
            lines.append(
                f"Archived {after.id} {shown(after.text, 60)} ({after.data['why']});"
                f" back with: memoro memory restore {after.id}"
            )
    for other in fact.data.get("beside", ()):
        beside = services.store.get(other)
        if beside is not None and change.action == "learn":
            lines.append(
                f"It may be the same as {other} {shown(beside.text, 60)}; both are kept."
                f" To replace it: memoro memory learn --replaces {other} TEXT"
            )
    return lines


def restore_fact(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Bring a fact back."""
    fact_id = whole_id(services, arguments["id"])
    if isinstance(fact_id, Refusal):
        return fact_id
    applied = services.store.apply(restore(fact_id, services.now()), origin(services, caller))
    if isinstance(applied, Refusal):
        return applied
    fact = applied.records[0]
    lines = [f"Restored {fact.id} {shown(fact.text, 80)}{in_scope(fact.scope)}."]
    lines += [f"{one.id} {shown(one.text, 60)} gave way." for one in applied.records[1:]]
    return Done(
        {**fact_data(fact, services.now()), "change": applied.change}, Text("\n".join(lines))
    )


def compact_facts(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Put away what has faded."""
    store = services.store
    before = store.current(FACT.name)
    plan = compact(store.scopes(FACT.name), services.now(), services.learned.max_facts())
    applied = store.apply(plan, origin(services, caller))
    if isinstance(applied, Refusal):
        if applied.reason is not Reason.NOT_FOUND:
            return applied
        return Done({"before": before, "after": before, "archived": []}, Text(f"{applied.what}."))
    ids = [one.id for one in applied.records]
    return Done(
        {
            "before": before,
            "after": store.current(FACT.name),
            "archived": ids,
            "change": applied.change,
        },
        Text(
            f"{before} → {store.current(FACT.name)} current facts; {len(ids)} went to the archive."
            f" To take it back: memoro memory undo {applied.change}"
        ),
    )

"""`memoro memory forget`: a saved fact by its key, anything learned by its ID or by words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from memoro.commands.erasing.saying import forgotten
from memoro.commands.registry import Caller, Done, Result
from memoro.commands.scopes import named_scope, origin
from memoro.errors import Reason, Refusal
from memoro.memory.forgetting import LEARNED, forget_records, matching
from memoro.memory.records import SAVED_FACT, in_scope, shown
from memoro.memory.saved import forget

if TYPE_CHECKING:
    from memoro.commands.services import Services
    from memoro.memory.records import Record
    from memoro.memory.store import LoggedChange, LoggedRecord, Plan


def forget_fact(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Take a fact out of every place for good: a saved one by its key, a learned one by its ID."""
    key = arguments.get("key")
    if arguments.get("match") is not None:
        if key is not None:
            return Refusal(Reason.USAGE, "give a key or ID, or --match WORDS, not both")
        return _forget_matching(services, arguments, caller)
    if key is None:
        return Refusal(Reason.USAGE, "KEY is missing", "memoro memory forget KEY")
    scope = named_scope(services, arguments, caller)
    if isinstance(scope, Refusal):
        return scope
    from_log = bool(arguments.get("from_log"))
    known = services.store.select(SAVED_FACT.name, scope, key=key)
    if from_log and _is_searching(arguments):
        logged = services.store.changes(scope=scope, kind=SAVED_FACT.name, key=key)
        known += as_logged(logged, lambda one: one.key == key)
    done = carried_out(
        services,
        arguments,
        caller,
        forget(scope, key, from_log=from_log),
        known,
        (f"{key}{in_scope(scope)}", {"scope": scope, "key": key}),
    )
    if not isinstance(done, Refusal) or done.reason is Reason.CANCELLED or known:
        return done
    if caller.surface == "tool" or arguments.get("project") is not None:
        return done
    return _forget_learned(services, key, arguments, caller) or _pointed(done)


def as_logged(
    changes: Sequence[LoggedChange], is_meant: Callable[[LoggedRecord], bool]
) -> list[Record]:
    """Records as the log still has them."""
    return [
        side
        for change in changes
        for one in change.records
        if is_meant(one)
        for side in (one.before, one.after)
        if side is not None
    ]


def _is_searching(arguments: Mapping[str, Any]) -> bool:
    """Whether the texts are asked for, that are to go."""
    return bool(arguments.get("verify") or arguments.get("everywhere"))


def carried_out(
    services: Services,
    arguments: Mapping[str, Any],
    caller: Caller,
    plan: Plan,
    records: Sequence[Record],
    called: tuple[str, Mapping[str, Any]],
) -> Done | Refusal:
    """Forget, and what else was asked for: to have it out of conversations, too, and to look for
    it. `records` are all that stand or stood; `called` is what to call them, for people and for
    programs."""
    if not _is_searching(arguments):
        applied = services.store.apply(plan, origin(services, caller))
        return applied if isinstance(applied, Refusal) else forgotten(applied, *called)
    from memoro.commands.erasing.forgetting import forget_thoroughly

    return forget_thoroughly(services, arguments, origin(services, caller), plan, records, called)


def _pointed(refusal: Refusal) -> Refusal:
    """What was typed may have been words, which forget nothing by themselves."""
    if refusal.reason is Reason.USAGE and refusal.fix is not None:
        return refusal._replace(
            fix="a key or an ID is needed; by words: memoro memory forget --match WORDS"
        )
    return refusal


def _forget_learned(
    services: Services, record_id: str, arguments: Mapping[str, Any], caller: Caller
) -> Result | None:
    """Forget what has that ID; None where nothing learned has it."""
    from_log = bool(arguments.get("from_log"))
    known = services.store.get(record_id)
    logged = services.store.changes(record=record_id) if known is None else []
    if known is None and not (from_log and logged):
        return None
    if known is not None and known.kind not in LEARNED:
        return None
    return _forget(services, [record_id], arguments, caller, record_id)


def _forget_matching(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Show what has all these words, ask, and forget what was shown."""
    text = arguments["match"]
    found = matching(services.store, text)
    if isinstance(found, Refusal):
        return found
    if not found:
        return Refusal(Reason.NOT_FOUND, f"nothing learned has all the words of {shown(text)}")
    lines = [f"{one.id} {shown(one.text, 80)}" for one in found]
    if not (arguments.get("yes") or arguments.get("everywhere")):
        question = "\n".join(
            [
                *lines,
                "Forget this for good?"
                if len(found) == 1
                else f"Forget these {len(found)} for good?",
            ]
        )
        answer = services.terminal().confirm(question)
        if answer is None:
            return Refusal(
                Reason.CONFLICT,
                f"{len(found)} would be forgotten; nothing was changed",
                "look at them, then: memoro memory forget ID, or add --yes",
                tuple(lines),
            )
        if not answer:
            return Refusal(Reason.CANCELLED, "nothing was forgotten")
    return _forget(
        services,
        [one.id for one in found],
        arguments,
        caller,
        "1 memory" if len(found) == 1 else f"{len(found)} memories",
    )


def _forget(
    services: Services, ids: list[str], arguments: Mapping[str, Any], caller: Caller, what: str
) -> Result:
    records = [one for one in map(services.store.get, ids) if one is not None]
    gone = set(ids) - {one.id for one in records}
    logged = [
        side
        for record_id in sorted(gone)
        for side in as_logged(
            services.store.changes(record=record_id), lambda one: one.record_id in gone
        )
    ]
    return carried_out(
        services,
        arguments,
        caller,
        forget_records(ids),
        [*records, *logged],
        (what, {"ids": ids}),
    )

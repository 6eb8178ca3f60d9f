"""`memoro memory forget`: a saved fact by its key, anything learned by its ID or by words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from memoro.commands.registry import Caller, Done, Result, Text
from memoro.commands.scopes import named_scope, origin
from memoro.errors import Reason, Refusal
from memoro.memory.forgetting import LEARNED, forget_records, matching
from memoro.memory.records import SAVED_FACT, in_scope, shown
from memoro.memory.saved import forget

if TYPE_CHECKING:
    from memoro.commands.services import Services
    from memoro.memory.records import Record
    from memoro.memory.store import Applied, LoggedChange, LoggedRecord


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
    if from_log and arguments.get("verify"):
        logged = services.store.changes(scope=scope, kind=SAVED_FACT.name, key=key)
        known += _as_logged(logged, lambda one: one.key == key)
    texts = _texts(services, arguments, known)
    applied = services.store.apply(forget(scope, key, from_log=from_log), origin(services, caller))
    if isinstance(applied, Refusal):
        if caller.surface == "tool" or arguments.get("project") is not None:
            return applied
        return _forget_learned(services, key, arguments, caller) or _pointed(applied)
    done = forgotten(applied, f"{key}{in_scope(scope)}", {"scope": scope, "key": key})
    return _with_receipt(services, arguments, applied, {SAVED_FACT.name: 1}, texts, done)


def _as_logged(
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


def _texts(
    services: Services, arguments: Mapping[str, Any], records: Sequence[Record]
) -> list[str]:
    """What is looked for afterwards, where that was asked for."""
    if not arguments.get("verify"):
        return []
    from memoro.commands.ports import Doomed

    return list(services.erasing.texts(services.store, Doomed(records, ())))


def _with_receipt(
    services: Services,
    arguments: Mapping[str, Any],
    applied: Applied,
    counts: Mapping[str, int],
    texts: Sequence[str],
    done: Done,
) -> Done:
    if not arguments.get("verify"):
        return done
    from memoro.commands.erasing.verifying import data_of, lines_of, verified

    receipt = verified(services, applied, counts, texts)
    assert isinstance(done.view, Text)
    return done._replace(
        data={**done.data, "receipt": data_of(receipt)},
        view=Text("\n".join([done.view.text, *lines_of(receipt)])),
        ok=receipt.is_clean,
    )


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
    if not arguments.get("yes"):
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
        for side in _as_logged(
            services.store.changes(record=record_id), lambda one: one.record_id in gone
        )
    ]
    texts = _texts(services, arguments, [*records, *logged])
    applied = services.store.apply(forget_records(ids), origin(services, caller))
    if isinstance(applied, Refusal):
        return applied
    counts = Counter({one.id: one.kind for one in [*records, *logged]}.values())
    done = forgotten(applied, what, {"ids": ids})
    return _with_receipt(services, arguments, applied, counts, texts, done)


def forgotten(applied: Applied, what: str, data: Mapping[str, Any]) -> Done:
    """What is said after something was forgotten for good."""
    return Done(
        {**data, "change": applied.change, "remains": list(applied.remains)},
        Text(f"Forgot {what} for good. Earlier messages, tool records and notes are not redacted."),
        tuple(f"not cleaned yet: {place}" for place in applied.remains),
    )

"""`memoro memory log|history|undo`: what happened to memory, and taking it back."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from memoro.commands.registry import Caller, Done, Result, Table, Text
from memoro.commands.scopes import named_scope, origin, over_budget
from memoro.errors import Reason, Refusal
from memoro.memory.records import FACT, PLACE, PROJECT, SAVED_FACT, Record, in_scope, shown

if TYPE_CHECKING:
    from memoro.commands.services import Services
    from memoro.memory.store import LoggedChange, LoggedRecord


MAX_SHOWN = 1_000_000_000
"""More changes than any log has; a larger limit may be one that the store can't take."""
_SESSION = "session"
"""What the log calls a conversation, as `memoro.memory.store.SESSION`: that module is loaded when
it is needed."""
MOST_SHOWN = 20
"""So many records of one change are listed for a person."""


def show_log(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Show the changes, the newest first."""
    limit = arguments.get("limit")
    if limit is not None and limit < 1:
        return Refusal(Reason.USAGE, "--limit must be at least 1")
    if limit is not None:
        limit = min(limit, MAX_SHOWN)
    scope = None
    if arguments.get("project") is not None:
        scope = named_scope(services, arguments, caller)
        if isinstance(scope, Refusal):
            return scope
    changes = services.store.changes(scope=scope, limit=limit)
    return _changes_shown(services, changes, "Nothing has been changed yet.")


def show_history(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Show what happened to one fact or note."""
    scope = named_scope(services, arguments, caller)
    if isinstance(scope, Refusal):
        return scope
    name = arguments["key"]
    changes = services.store.changes(scope=scope, key=name) or services.store.changes(record=name)
    if not changes:
        from memoro.commands.naming import whole_id

        name = whole_id(services, name)
        if isinstance(name, Refusal):
            return name
        changes = services.store.changes(record=name)
    if not changes:
        return Refusal(
            Reason.NOT_FOUND,
            f"the log knows no key or ID {shown(name)}{in_scope(scope)}",
            "memoro memory log",
        )
    return _changes_shown(services, changes, "", _standing(services, name), name)


def _standing(services: Services, record_id: str) -> str:
    """When a learned fact held, what replaced it, and why."""
    fact = services.store.get(record_id)
    if fact is None or fact.kind != FACT.name:
        return ""
    told = [
        f"held {services.show_time(_instant(since))} to {services.show_time(_instant(until))}"
        for since, until in fact.data.get("held", ())
    ]
    since = services.show_time(fact.valid_from or fact.created_at)
    if fact.valid_to is None:
        told.append(f"holds since {since}")
    else:
        until = services.show_time(fact.valid_to)
        told.append(f"held {since} to {until}, replaced by {fact.superseded_by}")
    why = fact.data.get("why")
    if "archived" in fact.data:
        told.append("now in the archive")
    return "; ".join(told) + (f" ({why})" if why else "")


def _instant(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _changes_shown(
    services: Services,
    changes: list[LoggedChange],
    empty: str,
    footer: str = "",
    name: str | None = None,
) -> Done:
    rows = [
        (
            str(change.id),
            services.show_time(change.at),
            change.action + (f" {change.undoes}" if change.undoes else ""),
            what,
            value,
            change.writer + (f" {change.run}" if change.run else ""),
            f"undone by {change.undone_by}" if change.undone_by else "",
        )
        for change in changes
        for what, value in _told(change, name)
    ]
    columns = ("id", "when", "action", "what", "before → after", "by", "")
    return Done([change_data(one) for one in changes], Table(columns, rows, empty, footer))


def _told(change: LoggedChange, name: str | None) -> list[tuple[str, str]]:
    """What a change did to each record, as far as a person reads on: an import may have thousands.
    What was asked for by its `name` comes first."""
    records = sorted(
        change.records, key=lambda one: name is None or name not in (one.record_id, one.key)
    )
    shown_ones = records if len(records) <= MOST_SHOWN + 1 else records[:MOST_SHOWN]
    rows = [(_what(one), _told_of(one, change.final)) for one in shown_ones]
    more = len(records) - len(shown_ones)
    return [*rows, ("…", f"and {more:,} more (all with --json)")] if more else rows


def change_data(change: LoggedChange) -> dict[str, Any]:
    """An entry of the log for programs."""
    return {
        "id": change.id,
        "at": change.at,
        "action": change.action,
        "writer": change.writer,
        "run": change.run,
        "message": change.message,
        "undoes": change.undoes,
        "undone_by": change.undone_by,
        "final": change.final,
        "records": [
            {
                "id": logged.record_id,
                "kind": logged.kind,
                "scope": logged.scope,
                "key": logged.key,
                "before": _logged_data(logged.before),
                "after": _logged_data(logged.after),
            }
            for logged in change.records
        ],
    }


def _logged_data(record: Record | None) -> dict[str, Any] | None:
    if record is None:
        return None
    return {"value": record.text, **({"data": record.data} if record.data else {})}


def _what(logged: LoggedRecord) -> str:
    name = logged.record_id if logged.kind == _SESSION else logged.key
    return (name or logged.record_id) + in_scope(logged.scope)


def _told_of(one: LoggedRecord, final: bool) -> str:
    from memoro.memory.imported import brought_by

    if one.kind != _SESSION:
        return _value(one.before, one.after, final)

    brought = brought_by(one.key)
    if brought is None:
        return _value(one.before, one.after, final)
    return f"conversation: {brought.before:,} → {brought.after:,} turns"


def _value(before: Record | None, after: Record | None, final: bool) -> str:
    if before is None and after is None:
        return "forgotten for good" if final else "(content forgotten)"
    return f"{_short(before)} → {_short(after)}"


def _short(record: Record | None) -> str:
    if record is None:
        return "∅"
    path = record.data.get("path") if record.kind in (PROJECT.name, PLACE.name) else None
    text = str(record.data.get("title") or path or record.text)
    return shown(text, 32)


def undo_change(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Take a change back."""
    from memoro.memory.undo import undo

    wanted = undo(arguments.get("id"), services.now())
    applied = services.store.apply(wanted, origin(services, caller))
    if isinstance(applied, Refusal):
        return applied
    change = services.store.change(applied.change)
    assert change is not None, "a change that was just made is in the log"
    what = ", ".join(f"{name} {value}" for name, value in _told(change, None))
    scopes = {one.scope: None for one in applied.records if one.kind == SAVED_FACT.name}
    return Done(
        change_data(change),
        Text(
            f"Undid change {change.undoes}: {what}."
            + (
                " To bring it back, import it again."
                if any(one.kind == _SESSION for one in change.records)
                else f" To bring it back: memoro memory undo {change.id}"
            )
        ),
        tuple(line for scope in scopes for line in over_budget(services, scope)),
    )

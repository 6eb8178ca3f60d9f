"""`memoro import` of our own export: looked at as a whole before anything of it is used."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from memoro.commands.registry import Caller, Result
from memoro.errors import Reason, Refusal
from memoro.memory.records import shown

if TYPE_CHECKING:
    from memoro.commands.services import Services

OPTIONS = ("as_mine", "bring_back", "partial")
"""The parameters that only an export of our own takes."""


def import_own(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Bring an export back: all of it where nothing is remembered yet, else what is new."""
    if arguments.get("project") is not None:
        return Refusal(
            Reason.USAGE,
            "an export says itself where each record belongs; nothing was changed",
            "leave --project out",
        )
    path, rehearsal = arguments["path"], bool(arguments.get("dry_run"))
    seen = services.exporting.examine(path)
    if isinstance(seen, Refusal):
        return seen
    if seen.missing and not arguments.get("partial"):
        return Refusal(
            Reason.FAILED,
            f"{shown(path, 200)} is not whole: {seen.missing}; nothing was changed",
            "export it again; or, to take what is there of it, add --partial",
        )
    store = services.importing.peek() if rehearsal else services.store
    if services.exporting.empty(store):
        from memoro.commands.interchange.restoring import restore_export

        done = restore_export(services, store, path, seen, caller, rehearsal)
    else:
        from memoro.commands.interchange.joining import join_export

        done = join_export(services, store, seen, arguments, caller)
    if isinstance(done, Refusal):
        return done
    told: tuple[str, ...] = ()
    if seen.missing:
        told = (f"the file is not whole: {seen.missing}",)
    elif seen.form == 1:
        told = (
            "the file is of form 1 of exports, which does not say where it ends: whether all of it"
            " is there can't be told",
        )
    return done._replace(notices=(*told, *done.notices))


def foreign(arguments: Mapping[str, Any]) -> Refusal | None:
    """Refuse these parameters for what is no export of ours."""
    given = [f"--{one.replace('_', '-')}" for one in OPTIONS if arguments.get(one)]
    if not given:
        return None
    return Refusal(
        Reason.USAGE,
        f"{given[0]} goes with an export of Memoro's own, which this is not; nothing was changed",
        f"leave {' and '.join(given)} out",
    )

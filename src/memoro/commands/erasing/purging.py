"""`memoro memory purge`: a project, a conversation, or all, out of every file for good."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from memoro.commands.erasing.verifying import Erased, data_of, lines_of, named, verified
from memoro.commands.registry import Caller, Done, Result, Text
from memoro.commands.scopes import find_project, origin
from memoro.errors import Reason, Refusal
from memoro.memory.projects import missing
from memoro.memory.records import project_scope, shown
from memoro.session.transcript import unknown_session

if TYPE_CHECKING:
    from memoro.commands.ports import Doomed
    from memoro.commands.services import Services

_SHOWN = 20
_WORD = "everything"
"""What has to be typed before everything is erased."""


def purge_memory(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Show what would go, ask, take it out, and look for it."""
    doomed = _doomed(services, arguments)
    if isinstance(doomed, Refusal):
        return doomed
    counts = Counter(record.kind for record in doomed.records)
    if doomed.sessions:
        counts["conversation"] = len(doomed.sessions)
    if not counts:
        return _nothing(doomed)
    busy = services.erasing.running(services.store, doomed.sessions)
    if busy:
        return Refusal(
            Reason.LOCKED,
            f"conversation {busy[0]} is going on right now; nothing was changed",
            "end it first, and purge again",
        )
    refusal = _asked(services, arguments, doomed, counts)
    if refusal is not None:
        return refusal
    texts = list(services.erasing.texts(services.store, doomed))
    applied = services.erasing.purge(services.store, doomed, origin(services, caller))
    everything = bool(arguments.get("all") or arguments.get("everywhere"))
    erased = Erased(
        counts,
        [record.id for record in doomed.records],
        texts,
        {} if everything else None,
        doomed.stays,
    )
    receipt = verified(services, applied, erased)
    lines = lines_of(receipt, services.show_time)
    return Done(data_of(receipt), Text("\n".join(lines)), ok=receipt.is_clean)


def _nothing(doomed: Doomed) -> Refusal:
    if doomed.stays:
        return Refusal(
            Reason.NOT_FOUND,
            f"there is nothing of that but {named(doomed.stays)}; nothing was changed",
            "to erase that, too, add --everywhere",
        )
    return Refusal(Reason.NOT_FOUND, "there is nothing of that; nothing was changed")


def _doomed(services: Services, arguments: Mapping[str, Any]) -> Doomed | Refusal:
    project, session = arguments.get("project"), arguments.get("session")
    given = [project is not None, session is not None, bool(arguments.get("all"))]
    if sum(given) != 1:
        return Refusal(
            Reason.USAGE,
            "say what is to go: one of --project NAME, --session ID, --all; nothing was changed",
        )
    erasing, everywhere = services.erasing, bool(arguments.get("everywhere"))
    if project is not None:
        if find_project(services, project) is None:
            return missing(project)
        return erasing.of_scope(services.store, project_scope(project), everywhere)
    if session is not None:
        session = services.transcripts.session_named(session)
        if services.transcripts.session_title(session) is None:
            return unknown_session(session)
        return erasing.of_session(services.store, session, everywhere)
    return erasing.of_all(services.store)


def _asked(
    services: Services, arguments: Mapping[str, Any], doomed: Doomed, counts: Mapping[str, int]
) -> Refusal | None:
    """Show what would go, and let the person say whether it shall; for everything, by a word."""
    if arguments.get("yes"):
        return None
    what = named(counts)
    lines = [
        f"{one.kind} {one.id} {shown(one.text or one.key or '', 60)}"
        for one in doomed.records[:_SHOWN]
    ]
    lines += [f"conversation {one}" for one in doomed.sessions[: _SHOWN - len(lines)]]
    more = len(doomed.records) + len(doomed.sessions) - len(lines)
    lines += [f"… and {more:,} more"] if more > 0 else []
    if doomed.stays:
        lines.append(f"{named(doomed.stays)} would stay; --everywhere takes them, too")
    places = "the records, the log, the index, the files of memory/ and the backups"
    question = "\n".join([*lines, f"Erase {what} from {places}, for good?"])
    terminal = services.terminal()
    answer = terminal.agree(question, _WORD) if arguments.get("all") else terminal.confirm(question)
    if answer is None:
        return Refusal(
            Reason.CONFLICT,
            f"{what} would be erased; nothing was changed",
            "look at the list, then add --yes",
            tuple(lines),
        )
    return None if answer else Refusal(Reason.CANCELLED, "nothing was erased")

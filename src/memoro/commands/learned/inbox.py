"""`memoro memory inbox|accept|reject`: proposals that wait for a person's word."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from memoro.commands.learned.ground import Labels
from memoro.commands.registry import Caller, Done, Result, Table, Text
from memoro.commands.scopes import origin
from memoro.errors import Reason, Refusal
from memoro.memory.facts.learn import Limits, learn
from memoro.memory.facts.statement import Statement
from memoro.memory.inbox import Proposal, accepted, missing, propose, reject
from memoro.memory.profile.changing import Said, set_profile
from memoro.memory.records import PROPOSAL, Record, Trust, shown
from memoro.memory.store import ChangeSet

if TYPE_CHECKING:
    from datetime import datetime

    from memoro.commands.services import Services
    from memoro.memory.store import Plan


def propose_fact(services: Services, statement: Statement, caller: Caller) -> Result:
    """Put a fact into the inbox instead of learning it."""
    content = {
        **statement._asdict(),
        "at": statement.at.isoformat(),
        "trust": int(statement.trust),
        "tags": list(statement.tags),
        "data": dict(statement.data),
    }
    effect = _effect(services, learn(statement, _limits(services)))
    return _proposed(services, caller, "fact", statement.text, content, effect, statement.scope)


def propose_profile(services: Services, said: Said, caller: Caller) -> Result:
    """Put a change of the profile into the inbox instead of making it."""
    text = "; ".join(f"{key}={value}" for key, value in said.pairs)
    content = {"pairs": [list(pair) for pair in said.pairs], "at": said.at.isoformat()}
    effect = _effect(services, set_profile(said))
    return _proposed(services, caller, "profile", text, content, effect, "global")


def _proposed(
    services: Services,
    caller: Caller,
    what: str,
    text: str,
    content: Mapping[str, Any],
    effect: str,
    scope: str,
) -> Result:
    proposal = Proposal(
        services.new_id("i"),
        what,
        text,
        content,
        effect,
        scope,
        services.now(),
        caller.run,
        caller.message,
    )
    applied = services.store.apply(propose(proposal), origin(services, caller))
    if isinstance(applied, Refusal):
        return applied
    return Done(
        {"id": proposal.id, "change": applied.change},
        Text(f"It waits in the inbox as {proposal.id}, for the user to accept or reject."),
    )


def _limits(services: Services) -> Limits:
    return Limits(services.now(), services.learned.max_facts())


def _effect(services: Services, plan: Plan) -> str:
    """What a plan would do if it were carried out now, in words."""
    wanted = plan(services.store)
    if isinstance(wanted, Refusal):
        return f"would be refused: {wanted.what}"
    assert isinstance(wanted, ChangeSet), "no proposal forgets anything"
    return _told(wanted)


def _told(wanted: ChangeSet) -> str:
    parts: list[str] = []
    for before, after in wanted.changes:
        if before is None and after is not None:
            parts.append(f"new: {shown(after.text, 60)}")
        elif before is not None and after is not None:
            ended = before.valid_to is None and after.valid_to is not None
            word = "replaces" if ended else "changes"
            text = before.text if before.text == after.text else f"{before.text} → {after.text}"
            parts.append(f"{word} {before.key or before.id} {shown(text, 60)}")
        elif before is not None:
            parts.append(f"removes {before.key or before.id} {shown(before.text, 60)}")
    return "; ".join(parts)


def show_inbox(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Show what waits, with its source and the change that it would make."""
    waiting = sorted(services.store.select(PROPOSAL.name), key=lambda one: one.created_at)
    labels = Labels(services, None)
    data: list[dict[str, Any]] = []
    rows: list[tuple[str, ...]] = []
    for one in waiting:
        source = _source(services, one)
        effect = _effect(services, _plan(services, one))
        data.append(
            {
                "id": one.id,
                "what": one.data.get("what"),
                "text": one.text,
                "effect": effect,
                "source": source,
                "source_run": one.source_run,
                "source_message": one.source_message,
                "scope": one.scope,
                "at": one.created_at,
            }
        )
        text = f"{one.text} {labels.of(one.scope)}".rstrip()
        rows.append(
            (
                one.id,
                str(one.data.get("what")),
                text,
                effect,
                source,
                services.show_time(one.created_at),
            )
        )
    columns = ("id", "kind", "proposal", "it would", "source", "since")
    return Done(data, Table(columns, rows, "The inbox is empty."))


def _source(services: Services, proposal: Record) -> str:
    if proposal.source_message is None:
        return "-"
    message = services.transcripts.message(proposal.source_message)
    return "a deleted message" if message is None else f"{message.role}: {shown(message.text, 80)}"


def _plan(services: Services, proposal: Record) -> Plan:
    """What accepting a proposal carries out, at the rank of what the user approved."""
    content: Mapping[str, Any] = proposal.data.get("content", {})
    at = _time(content["at"])
    if proposal.data.get("what") == "profile":
        pairs = [(str(key), str(value)) for key, value in content["pairs"]]
        said = Said(pairs, Trust.APPROVED, at, proposal.source_run, proposal.source_message)
        return set_profile(said)
    fields: dict[str, Any] = {
        **content,
        "at": at,
        "trust": Trust.APPROVED,
        "tags": tuple(content["tags"]),
    }
    return learn(Statement(**fields), _limits(services))


def _time(text: str) -> datetime:
    from datetime import datetime

    return datetime.fromisoformat(text)


def accept_proposals(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Accept proposals: each is one change that undo takes back."""
    return _each(services, arguments, caller, "Accepted")


def reject_proposals(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Reject proposals; undo brings them back."""
    return _each(services, arguments, caller, "Rejected")


def _each(services: Services, arguments: Mapping[str, Any], caller: Caller, word: str) -> Result:
    waiting = {one.id: one for one in services.store.select(PROPOSAL.name)}
    ids = list(waiting) if arguments.get("all") else list(arguments.get("id") or ())
    if not ids:
        if arguments.get("all"):
            return Done([], Text("The inbox is empty."))
        return Refusal(Reason.USAGE, "which one? give its ID, or --all", "memoro memory inbox")
    unknown = next((one for one in ids if one not in waiting), None)
    if unknown is not None:
        return missing(unknown)
    data: list[dict[str, Any]] = []
    lines: list[str] = []
    ok = True
    for one in dict.fromkeys(ids):
        plan = (
            reject(one)
            if word == "Rejected"
            else accepted(one, {one: _plan(services, waiting[one])})
        )
        applied = services.store.apply(plan, origin(services, caller))
        if isinstance(applied, Refusal):
            ok = False
            lines.append(f"{one} was not carried out: {applied.what}")
            data.append({"id": one, "done": False, "why": applied.what})
            continue
        lines.append(
            f"{word} {one} {shown(waiting[one].text, 60)}."
            f" To take it back: memoro memory undo {applied.change}"
        )
        data.append({"id": one, "done": True, "change": applied.change})
    return Done(data, Text("\n".join(lines)), ok=ok)

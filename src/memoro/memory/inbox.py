"""The inbox: proposals that wait for a person's word."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from memoro.errors import Reason, Refusal
from memoro.memory.records import PROPOSAL, Record, Trust, shown
from memoro.memory.store import Change, ChangeSet, Plan, Reader


class Proposal(NamedTuple):
    """A change that waits. `what` says which door it goes through when it is accepted ("fact",
    "profile" …), `content` holds that door's arguments as JSON, and `effect` says in words what
    the change would do now."""

    id: str
    what: str
    text: str
    content: Mapping[str, Any]
    effect: str
    scope: str
    at: datetime
    run: str | None = None
    message: str | None = None


def propose(proposal: Proposal) -> Plan:
    """Put a proposal into the inbox; one that waits there already is not put in twice."""

    def plan(reader: Reader) -> ChangeSet | Refusal:
        waiting = reader.select(PROPOSAL.name, proposal.scope)
        for one in waiting:
            if one.text == proposal.text and one.data.get("what") == proposal.what:
                return Refusal(Reason.CONFLICT, f"this waits in the inbox already, as {one.id}")
        record = Record(
            proposal.id,
            PROPOSAL.name,
            proposal.scope,
            None,
            proposal.text,
            proposal.at,
            proposal.at,
            data={
                "what": proposal.what,
                "content": dict(proposal.content),
                "effect": proposal.effect,
            },
            trust=Trust.INFERRED,
            source_run=proposal.run,
            source_message=proposal.message,
        )
        return ChangeSet("propose", [Change(None, record)])

    return plan


def accepted(proposal_id: str, plan_of: Mapping[str, Plan]) -> Plan:
    """Carry a proposal out and take it from the inbox, as one change.

    `plan_of` has the plan of each proposal by its ID, made from its content at the trust of what
    the user approved.
    """

    def plan(reader: Reader) -> ChangeSet | Refusal:
        found = reader.get(proposal_id)
        if found is None or found.kind != PROPOSAL.name:
            return missing(proposal_id)
        wanted = plan_of[proposal_id](reader)
        if isinstance(wanted, Refusal):
            return wanted
        assert isinstance(wanted, ChangeSet), "no proposal forgets anything"
        return ChangeSet("accept", [*wanted.changes, Change(found, None)])

    return plan


def reject(proposal_id: str) -> Plan:
    """Take a proposal from the inbox; the log keeps it, so that undo brings it back."""

    def plan(reader: Reader) -> ChangeSet | Refusal:
        found = reader.get(proposal_id)
        if found is None or found.kind != PROPOSAL.name:
            return missing(proposal_id)
        return ChangeSet("reject", [Change(found, None)])

    return plan


def missing(proposal_id: str) -> Refusal:
    """The refusal for an ID that nothing in the inbox has."""
    return Refusal(
        Reason.NOT_FOUND, f"the inbox has no proposal {shown(proposal_id)}", "memoro memory inbox"
    )

"""Learning a statement: new, seen again, replacing what was known, or kept aside as weaker."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from memoro.errors import Reason, Refusal
from memoro.memory.comparing import normalised, terms
from memoro.memory.facts.archive import make_room
from memoro.memory.facts.settling import reinforced, replaced, revived, settle
from memoro.memory.facts.statement import Statement, check, fact_id, is_current, record_of
from memoro.memory.records import FACT, Record
from memoro.memory.store import Change, ChangeSet, Plan, Reader

MAX_FACTS = 500
"""How many current facts a scope has by default; the weakest beyond go to the archive."""

MOST_RIVALS = 50
"""How many known facts a new one is compared with: those that share the rarest words with it."""


class Limits(NamedTuple):
    """`max_facts` a scope, 0 for no limit; `now` is when it is learned, which may be long after it
    was said."""

    now: datetime
    max_facts: int = MAX_FACTS


def learn(statement: Statement, limits: Limits) -> Plan:
    """Learn one statement; the action of the change set says what came of it, as `settle` has
    it."""

    def plan(reader: Reader) -> ChangeSet | Refusal:
        new = _told_apart(reader, record_of(statement, limits.now))
        if statement.replaces is not None:
            return _correct(reader, statement, new, limits)
        wanted = settle(new, reader.get(new.id), _rivals(reader, new), limits.now)
        if wanted.action not in ("learn", "update"):
            return wanted
        record, changes = wanted.changes[0].subject, wanted.changes
        room = make_room(reader, record, changes, limits.now, limits.max_facts)
        return wanted._replace(changes=[*changes, *room])

    refusal = check(statement)
    return plan if refusal is None else lambda _: refusal


def _told_apart(reader: Reader, new: Record) -> Record:
    """A new fact under an ID of its own, also where one that was reworded by hand has the ID that
    its content gives."""
    turn, text = 0, normalised(new.text)
    while (known := reader.get(new.id)) is not None and normalised(known.text) != text:
        turn += 1
        new = new._replace(id=fact_id(new.scope, new.text, turn))
    return new


def _rivals(reader: Reader, new: Record) -> list[Record]:
    return reader.alike(FACT.name, new.scope, terms(new.text), limit=MOST_RIVALS)


def _correct(
    reader: Reader, statement: Statement, new: Record, limits: Limits
) -> ChangeSet | Refusal:
    wrong = reader.get(statement.replaces or "")
    if wrong is None or wrong.kind != FACT.name or wrong.scope != new.scope:
        return Refusal(
            Reason.NOT_FOUND, f"there is no fact {statement.replaces}", "memoro memory facts"
        )
    if not is_current(wrong):
        return Refusal(
            Reason.CONFLICT,
            f"fact {wrong.id} is not current any more; nothing was changed",
            f"memoro memory history {wrong.id}",
        )
    if wrong.trust > new.trust:
        return Refusal(
            Reason.CONFLICT, f"fact {wrong.id} was said by the user; only the user corrects it"
        )
    known = reader.get(new.id)
    if known is not None and known.id == wrong.id:
        return ChangeSet("learn again", [Change(known, reinforced(known, new))])
    if known is not None and is_current(known):
        record = reinforced(known, new)
    else:
        record = new if known is None else revived(known, new)
    corrected = Change(wrong, replaced(wrong, record.id, limits.now, "corrected"))
    return ChangeSet("update", [Change(known, record), corrected])

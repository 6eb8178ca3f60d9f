"""What is shown of what was ranked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memoro.commands.recall.wanted import TURN, Hit, Wanted
from memoro.memory.recall.asked import Ranked
from memoro.memory.recall.settling import Settled, settle
from memoro.memory.records import Trust
from memoro.memory.standing import as_it_stood

if TYPE_CHECKING:
    from memoro.commands.services import Services
    from memoro.memory.records import Record
    from memoro.session.transcript import StoredMessage


def settled(services: Services, wanted: Wanted, ranked: Sequence[Ranked]) -> list[Settled]:
    """Those of the ranked records that stand at the time that is meant."""
    return settle(
        ranked, lambda record: _standing(services, wanted, record), wanted.query, wanted.now
    )


def _standing(services: Services, wanted: Wanted, record_id: str) -> Record | None:
    record = services.store.get(record_id)
    if record is None or wanted.as_of is None:
        return record
    return as_it_stood(services.store, record, wanted.as_of)


def turn_hits(services: Services, ranked: Sequence[Ranked]) -> list[Hit]:
    """Turns, as they are shown."""
    known = services.transcripts.messages_of([one.unit.owner for one in ranked])
    return [_turn_hit(one, *known[one.unit.owner]) for one in ranked if one.unit.owner in known]


def _turn_hit(one: Ranked, message: StoredMessage, session: str) -> Hit:
    return Hit(
        message.id,
        TURN,
        message.text,
        one.score,
        message.at,
        one.reasons,
        one.unit.scope,
        session,
        message.ref,
        message.speaker,
        message.role,
    )


def record_hit(one: Settled) -> Hit:
    """A record, as it is shown."""
    record, ranked = one.record, one.ranked
    text = record.text
    if record.kind == "saved_fact":
        text = f"{record.key}: {record.text}"
    elif record.kind == "note":
        text = f"{record.data.get('title', '')}\n{record.text}"
    return Hit(
        record.id,
        record.kind,
        text,
        ranked.score,
        record.valid_from or record.created_at,
        ranked.reasons,
        record.scope,
        trust=Trust(record.trust),
    )

"""What is asked of the index for what somebody wants."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from memoro.commands.recall.wanted import Wanted
from memoro.memory.recall.asked import Asked
from memoro.memory.recall.finding import Unit

if TYPE_CHECKING:
    from memoro.commands.services import Services


def asked_of(services: Services, wanted: Wanted, text: str, row: bytes) -> Asked:
    """A text, with its vector, as the question for what is wanted."""
    session = wanted.session
    return Asked(
        text,
        wanted.now,
        services.learned.calendar(),
        row,
        by_meaning=services.recalling.by_meaning(services.store),
        more=wanted.more,
        without=wanted.without,
        session=None if session is None else services.transcripts.session_named(session),
        since=wanted.since,
        until=_until(wanted),
        fits=_Fits(wanted).fits if _is_limited(wanted) else None,
        weights=services.recalling.weights(services.store),
        closely=wanted.closely,
    )


def _until(wanted: Wanted) -> datetime | None:
    # What was said at that very instant stood then.
    then = None if wanted.as_of is None else wanted.as_of + timedelta(microseconds=1)
    return min((end for end in (wanted.until, then) if end is not None), default=None)


def _is_limited(wanted: Wanted) -> bool:
    limits = (wanted.kinds, wanted.scopes, wanted.since, wanted.until, wanted.as_of)
    return any(limit is not None for limit in limits)


class _Fits:
    """Whether a unit is of the kinds, scopes and time that are asked for."""

    def __init__(self, wanted: Wanted) -> None:
        self._wanted = wanted
        self._until = _until(wanted)

    def fits(self, unit: Unit) -> bool:
        wanted = self._wanted
        return (
            (wanted.kinds is None or unit.kind in wanted.kinds)
            and (wanted.scopes is None or unit.scope in wanted.scopes)
            and (wanted.since is None or unit.at >= wanted.since)
            and (self._until is None or unit.at < self._until)
        )

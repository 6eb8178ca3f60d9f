"""Recall for a Python program."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, datetime

from memoro.app import App
from memoro.commands.recall.scoping import searched_scopes
from memoro.commands.recall.seeking import seek, seek_sessions
from memoro.commands.recall.wanted import Hit, SessionHit, Wanted
from memoro.commands.recalled import KINDS
from memoro.commands.registry import Caller
from memoro.commands.services import Services
from memoro.errors import Reason, Refusal, RefusedError
from memoro.memory.records import GLOBAL
from memoro.session.transcript import Archived, Turn, check_archive


class RecalledMemory:
    """What was said and learned, found again."""

    _app: App

    def archive(self, session: str, turns: Sequence[Turn]) -> Archived:
        """Keep turns of a conversation that was held elsewhere, under a name of the caller's.

        Turns that are there already, word for word and of the same time, are left out. All are
        found by recall when this returns.

        Raises:
            RefusedError: the name is blank, a role is neither "user" nor "assistant", or a text
                is not valid Unicode; nothing is kept.
        """
        _refuse(check_archive(session, turns))
        services = self._app.services(writes=True)
        archived = services.transcripts.archive(session, turns, GLOBAL)
        services.recalling.keep_embedding(services.store, None)
        return archived

    def recall(
        self,
        query: str,
        *,
        k: int = 10,
        kinds: Collection[str] | None = None,
        now: datetime | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        gate: float | None = None,
        session: str | None = None,
        as_of: datetime | None = None,
        project: str | None = None,
    ) -> list[Hit]:
        """What answers a question, the best first; nothing where nothing does.

        Args:
            query: a question, or words.
            k: how many hits at most.
            kinds: "turn", "fact", "saved_fact", "episode", "daily", "note"; all by default.
            now: when it is asked: relative dates in it count from then.
            since: nothing from before this.
            until: nothing from this on.
            gate: the score that the best hit needs; by default that of an explicit search. 0
                gives the best `k`, whatever they are worth.
            session: of one conversation, by the name it was archived under or its ID.
            as_of: memory as it stood then.
            project: of one project.

        A time without a zone is UTC.

        Raises:
            RefusedError: `k`, a kind, the gate or the project is none that there is.
        """
        _refuse(_check(k, kinds, gate))
        services = self._app.services(writes=True)
        wanted = Wanted(
            query,
            _utc(now) or _utc(as_of) or services.now(),
            k,
            None if kinds is None else frozenset(kinds),
            session,
            _utc(since),
            _utc(until),
            _utc(as_of),
            _scopes(services, project),
            gate,
        )
        return seek(services, wanted).hits

    def recall_sessions(
        self, query: str, *, k: int = 10, now: datetime | None = None, gate: float | None = None
    ) -> list[SessionHit]:
        """The conversations that answer a question, the best first; else as `recall`."""
        _refuse(_check(k, None, gate))
        services = self._app.services(writes=True)
        wanted = Wanted(query, _utc(now) or services.now(), k, gate=gate)
        return seek_sessions(services, wanted)[0]


def _scopes(services: Services, project: str | None) -> list[str] | None:
    if project is None:
        return None
    found = searched_scopes(services, {"project": project}, Caller(writer="library"))
    if isinstance(found, Refusal):
        raise RefusedError(found)
    return found


def _check(k: int, kinds: Collection[str] | None, gate: float | None) -> Refusal | None:
    if k < 0:
        return Refusal(Reason.USAGE, f"k is {k}; it must be 0 or more")
    if kinds is not None:
        wrong = [kinds] if isinstance(kinds, str) else sorted(set(kinds) - set(KINDS))
        if wrong:
            known = ", ".join(KINDS)
            return Refusal(Reason.USAGE, f"kinds: {wrong[0]!r} is none", f"a set of: {known}")
    if gate is not None and not gate >= 0:
        return Refusal(Reason.USAGE, f"the gate is {gate}; it must be 0 or more")
    return None


def _refuse(refusal: Refusal | None) -> None:
    if refusal is not None:
        raise RefusedError(refusal)


def _utc(at: datetime | None) -> datetime | None:
    if at is None:
        return None
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)

"""Episodes: dated units of finished work, kept for good."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from hashlib import sha256
from typing import Any, NamedTuple

from memoro.errors import Reason, Refusal
from memoro.memory.comparing import Relation, compare, normalised
from memoro.memory.records import EPISODE, Record, Trust, shown
from memoro.memory.saved import is_blank
from memoro.memory.store import Change, ChangeSet, Plan, Reader

MAX_SUMMARY_BYTES = 4_096
MAX_REFS = 100

_SAME = frozenset({Relation.IDENTICAL, Relation.REPHRASED})


class Piece(NamedTuple):
    """A piece of work that was finished.

    `at` is the time of the conversation it came from, `day` that instant's day in the user's zone,
    and `learned_at` when it was extracted, however late.
    """

    summary: str
    scope: str
    at: datetime
    day: date
    learned_at: datetime
    outcome: str = ""
    refs: tuple[str, ...] = ()
    project: str = ""
    session: str = ""
    trust: Trust = Trust.USER
    run: str | None = None
    message: str | None = None


def record_episode(piece: Piece) -> Plan:
    """Keep an episode. The same work on the same day enriches the one that is there: a missing
    outcome is filled in, references are joined."""

    def plan(reader: Reader) -> ChangeSet | Refusal:
        made = _record(piece)
        known = reader.get(made.id) or _same_work(reader, made)
        if known is None:
            return ChangeSet("episode", [Change(None, made)])
        richer = _enriched(known, made)
        if richer is None:
            return Refusal(
                Reason.CONFLICT,
                f"this is known already as {known.id}; nothing was changed",
                f"memoro memory history {known.id}",
            )
        return ChangeSet("episode again", [Change(known, richer)])

    refusal = _check(piece)
    return plan if refusal is None else lambda _: refusal


def day_of(record: Record) -> str:
    """The day of an episode or daily note, as ISO text."""
    return str(record.data.get("date", ""))


def episode_data(record: Record) -> dict[str, Any]:
    """An episode for programs."""
    return {
        "id": record.id,
        "date": day_of(record),
        "at": record.valid_from,
        "scope": record.scope,
        "summary": record.text,
        "outcome": record.data.get("outcome", ""),
        "refs": list(record.data.get("refs", ())),
        "project": record.data.get("project", ""),
        "session": record.data.get("session", ""),
        "learned_at": record.created_at,
        "source_run": record.source_run,
        "source_message": record.source_message,
    }


def episode_line(record: Record) -> str:
    """An episode as one line: what was done, what came of it, and where."""
    outcome = record.data.get("outcome")
    refs = ", ".join(record.data.get("refs", ()))
    project = f"[{record.data['project']}] " if record.data.get("project") else ""
    return (
        project
        + record.text
        + (f" — {outcome}" if outcome else "")
        + (f" (refs: {refs})" if refs else "")
    )


def _check(piece: Piece) -> Refusal | None:
    for name, text in (("summary", piece.summary), ("outcome", piece.outcome)):
        if len(text.encode(errors="surrogatepass")) > MAX_SUMMARY_BYTES:
            return Refusal(
                Reason.TOO_LARGE, f"the {name} has more than {MAX_SUMMARY_BYTES:,} bytes"
            )
    if is_blank(piece.summary):
        return Refusal(Reason.USAGE, "the summary is empty; it needs some visible text")
    if len(piece.refs) > MAX_REFS:
        return Refusal(Reason.TOO_LARGE, f"an episode takes at most {MAX_REFS} references")
    return None


def _record(piece: Piece) -> Record:
    summary = " ".join(piece.summary.split())
    day = piece.day.isoformat()
    parts = "\0".join((piece.scope, day, normalised(piece.project), normalised(summary)))
    data = {
        "date": day,
        "outcome": " ".join(piece.outcome.split()),
        "refs": _joined((), piece.refs),
        "project": " ".join(piece.project.split()),
        "session": piece.session,
    }
    return Record(
        f"ep_{sha256(parts.encode()).hexdigest()[:24]}",
        EPISODE.name,
        piece.scope,
        None,
        summary,
        piece.learned_at,
        piece.learned_at,
        data={name: value for name, value in data.items() if value},
        trust=piece.trust,
        source_run=piece.run,
        source_message=piece.message,
        valid_from=piece.at,
    )


def _same_work(reader: Reader, made: Record) -> Record | None:
    # The zone may have changed since, so the day that was written down decides, not the instant.
    at = made.valid_from or made.created_at
    near = (at - timedelta(days=2), at + timedelta(days=2))
    known = reader.between([EPISODE.name], [made.scope], *near)
    return next(
        (
            one
            for one in known
            if day_of(one) == day_of(made)
            and one.data.get("project", "") == made.data.get("project", "")
            and compare(one.text, made.text).relation in _SAME
        ),
        None,
    )


def _enriched(known: Record, made: Record) -> Record | None:
    outcome = known.data.get("outcome") or made.data.get("outcome", "")
    refs = _joined(known.data.get("refs", ()), made.data.get("refs", ()))
    data = {**known.data, "outcome": outcome, "refs": refs}
    data = {name: value for name, value in data.items() if value}
    if data == known.data:
        return None
    return known._replace(
        data=data,
        trust=max(known.trust, made.trust),
        updated_at=max(known.updated_at, made.created_at),
        revision=known.revision + 1,
    )


def _joined(known: Sequence[str], more: Sequence[str]) -> list[str]:
    refs = (" ".join(ref.split()) for ref in (*known, *more))
    return list(dict.fromkeys(ref for ref in refs if ref))


def missing(record_id: str) -> Refusal:
    """The refusal for an ID that no episode has."""
    return Refusal(
        Reason.NOT_FOUND, f"there is no episode {shown(record_id)}", "memoro memory timeline"
    )

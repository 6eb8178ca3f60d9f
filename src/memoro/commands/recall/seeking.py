"""From a question to hits: what was found, where it stands, and why."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from heapq import nlargest
from typing import TYPE_CHECKING, NamedTuple

from memoro.memory.dates.finding import find_window, without
from memoro.memory.dates.window import Window, instants
from memoro.memory.facts.statement import state
from memoro.memory.recall.asking import participants_named
from memoro.memory.recall.finding import Finder, Unit
from memoro.memory.recall.pieces import is_long, pieces_of
from memoro.memory.recall.ranking import (
    CLOSELY,
    WEIGHTS,
    Asked,
    Ranked,
    Rankings,
    above,
    latest,
    promise,
    rank_groups,
    rank_records,
    rank_turns,
)
from memoro.memory.recall.settling import Settled, settle
from memoro.memory.recall.words import content_stems, has_content, query_terms, tokens
from memoro.memory.records import FACT, Trust
from memoro.memory.standing import as_it_stood
from memoro.memory.timeline import content_words

if TYPE_CHECKING:
    from memoro.commands.services import Services
    from memoro.memory.records import Record
    from memoro.session.transcript import StoredMessage

TURN = "turn"
TURN_GATE = 0.25
"""An explicit search shows nothing of less: a third of the questions that nothing answers still
pass, and one answer in twenty-five is lost."""

RECORD_GATE = 0.15
SHARE = 0.5
"""What scores less than this share of the best is left out."""

_NAMES = 3
"""A question names hardly more words of people than this."""

_ALL_COVERED = 0.99 * WEIGHTS.cover
_PIECES = 8
"""Of a message of more sentences those that match best are asked for."""

_PART_CLOSELY = 60
_CLOSELY = 100
"""How many matching records are read to see which of them stand."""


class Wanted(NamedTuple):
    """What is asked for.

    `kinds` and `scopes` None mean all. `session` is the name that a conversation was archived
    under, or its ID. `as_of` shows memory as it stood then. `gate` None is the floor of an explicit
    search; 0 gives the best `k`, whatever they are worth. `more` is what an answer might say
    besides; `without` the ID of a conversation that is not looked through: the one that asks.
    `closely` is how many turns are weighed with all signals.
    """

    query: str
    now: datetime
    k: int = 10
    kinds: Collection[str] | None = None
    session: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    as_of: datetime | None = None
    scopes: Collection[str] | None = None
    gate: float | None = None
    more: str = ""
    without: str | None = None
    closely: int = CLOSELY


class Hit(NamedTuple):
    """Something that was found: a turn of a conversation (`kind` "turn"), or a record.

    `score` means the same in every store: 1 is about that of a text that says all that was asked
    for. `reasons` says what each signal added to it. `session` is the name that a conversation was
    archived under, else its ID; `ref` what whoever archived it gave with the turn. `trust` says who
    stands behind a record.
    """

    id: str
    kind: str
    text: str
    score: float
    at: datetime
    reasons: Mapping[str, float]
    scope: str
    session: str | None = None
    ref: str | None = None
    speaker: str | None = None
    role: str | None = None
    trust: Trust | None = None


class SessionHit(NamedTuple):
    """A conversation that was found, with its best turns; `session` as in `Hit`."""

    session: str
    id: str
    title: str
    score: float
    at: datetime
    hits: tuple[Hit, ...]


class Found(NamedTuple):
    """What was found, the best first.

    `window` is the time that the question itself names. `by_time` says that its other words match
    nothing, so that the hits are what lies in that time, the latest first.
    """

    hits: list[Hit]
    window: Window | None = None
    by_time: bool = False
    notices: tuple[str, ...] = ()


class _Best(NamedTuple):
    turns: dict[int, Ranked]
    records: dict[str, Settled]
    groups: dict[int, float]
    archived: dict[str, Ranked]


def seek(services: Services, wanted: Wanted) -> Found:
    """What answers a question."""
    window = _window(services, wanted)
    if window is not None:
        notice = services.recalling.ready(services.store)
        if not _matches_any(services, wanted, window):
            hits = _of_time(services, wanted, window)
            return Found(hits, window, bool(hits), (notice,) if notice else ())
    best, notices = _ranked(services, wanted)
    ranked = sorted(best.turns.values(), key=_order)
    turns = _kept(ranked, wanted, TURN_GATE)
    records = _kept_records(sorted(best.records.values(), key=_order_of_record), wanted)
    if not turns and not records and wanted.gate is None:
        # A long text that has every word is no match by chance, whatever its length takes away.
        turns = [one for one in ranked if one.reasons.get("cover", 0.0) > _ALL_COVERED]
    hits = [*_turn_hits(services, turns[: wanted.k]), *map(_record_hit, records[: wanted.k])]
    hits.sort(key=lambda hit: -hit.score)
    if not has_content(wanted.query):
        hits = [hit for hit in hits if _verbatim(wanted.query) in hit.text]
    if not hits and _asks_for_somebody(services, wanted):
        hits = _of_time(services, wanted, None)
    archived = sum(one.score >= RECORD_GATE for one in best.archived.values())
    if archived:
        facts = "fact matches" if archived == 1 else "facts match"
        notices = (*notices, f"{archived} archived {facts}, too: memoro memory facts --archived")
    return Found(hits[: wanted.k], window, False, notices)


def _verbatim(query: str) -> str:
    return query.strip().strip("\"'").strip()


def seek_sessions(services: Services, wanted: Wanted) -> tuple[list[SessionHit], tuple[str, ...]]:
    """The conversations that answer a question, the best first."""
    # A session may be the best by turns that are not among the best of all.
    best, notices = _ranked(services, wanted._replace(kinds=[TURN], closely=2 * CLOSELY))
    turns = _kept(sorted(best.turns.values(), key=_order), wanted, TURN_GATE, share=0)
    hits: list[SessionHit] = []
    for group in rank_groups(Rankings(turns, best.groups))[: wanted.k]:
        found = tuple(_turn_hits(services, group.turns))
        if found:
            first = services.transcripts.message(found[0].id)
            session = first.session if first is not None else ""
            title = services.transcripts.session_title(session) or ""
            name = found[0].session or ""
            hits.append(SessionHit(name, session, title, group.score, found[0].at, found))
    return hits, notices


def _window(services: Services, wanted: Wanted) -> Window | None:
    """The time that the question names, where no time was given beside it."""
    if wanted.since is not None or wanted.until is not None:
        return None
    return find_window(wanted.query, services.learned.calendar().day(wanted.now))


def _ranked(services: Services, wanted: Wanted) -> tuple[_Best, tuple[str, ...]]:
    notices = [services.recalling.ready(services.store)]
    best = _Best({}, {}, {}, {})
    is_whole = not is_long(wanted.query)
    if is_whole and query_terms(wanted.query):
        notices += _rank(services, wanted, [wanted.query], best)
    if not is_whole or not _is_enough(wanted, best):
        pieces = pieces_of(wanted.query)
        if pieces.left_out:
            notices.append(
                f"the message is long: {pieces.left_out} sentences in its middle were not"
                " searched for"
            )
        texts = [text for text in pieces.texts if text != wanted.query or not is_whole]
        if len(texts) > _PIECES:
            texts = _promising(services, wanted, texts)
        notices += _rank(services, wanted, texts, best)
    return best, tuple(dict.fromkeys(notice for notice in notices if notice))


def _is_enough(wanted: Wanted, best: _Best) -> bool:
    """Whether a question brought what is worth showing."""
    turns = sorted(best.turns.values(), key=_order)
    records = list(best.records.values())
    return bool(_kept(turns, wanted, TURN_GATE) or _kept_records(records, wanted))


def _rank(services: Services, wanted: Wanted, texts: Sequence[str], best: _Best) -> list[str]:
    """Rank what answers these questions; gives what there is to tell."""
    rows = [services.recalling.row(services.store, text) for text in texts]
    with services.recalling.finder(services.store) as finder:
        for text, (row, _) in zip(texts, rows, strict=True):
            asked = _asked(services, wanted, text, row)
            if len(texts) > 1:
                asked = asked._replace(is_part=True, closely=_PART_CLOSELY)
            _rank_turns(finder, asked, wanted, best)
            _rank_records(services, finder, asked, wanted, best)
    return [told for _, told in rows]


def _promising(services: Services, wanted: Wanted, texts: Sequence[str]) -> list[str]:
    """The sentences whose words match best, in their order."""
    with services.recalling.finder(services.store) as finder:
        worth = {text: promise(finder, _asked(services, wanted, text, b"")) for text in texts}
    best = set(nlargest(_PIECES, worth, key=worth.__getitem__))
    return [text for text in texts if text in best]


def _rank_turns(finder: Finder, asked: Asked, wanted: Wanted, best: _Best) -> None:
    if wanted.kinds is not None and TURN not in wanted.kinds:
        return
    rankings = rank_turns(finder, asked)
    for one in rankings.units:
        known = best.turns.get(one.unit.id)
        if known is None or known.score < one.score:
            best.turns[one.unit.id] = one
    for group, score in rankings.groups.items():
        best.groups[group] = max(score, best.groups.get(group, 0.0))


def _rank_records(
    services: Services, finder: Finder, asked: Asked, wanted: Wanted, best: _Best
) -> None:
    if wanted.session is not None or (wanted.kinds is not None and set(wanted.kinds) == {TURN}):
        return
    window = find_window(asked.text, asked.calendar.day(asked.now))
    if window is not None:
        # A record says what holds; when it was learned is judged by its time, not by its words.
        asked = asked._replace(text=without(asked.text, window), dated=asked.text)
    ranked = rank_records(finder, asked)[:_CLOSELY]
    for one in ranked:
        record = services.store.get(one.unit.owner) if one.unit.kind == FACT.name else None
        if record is not None and state(record) == "archived":
            best.archived[record.id] = one
    for one in _settled(services, wanted, ranked):
        known = best.records.get(one.record.id)
        if known is None or known.ranked.score < one.ranked.score:
            best.records[one.record.id] = one


def _settled(services: Services, wanted: Wanted, ranked: Sequence[Ranked]) -> list[Settled]:
    return settle(
        ranked, lambda record: _standing(services, wanted, record), wanted.query, wanted.now
    )


def _standing(services: Services, wanted: Wanted, record_id: str) -> Record | None:
    record = services.store.get(record_id)
    if record is None or wanted.as_of is None:
        return record
    return as_it_stood(services.store, record, wanted.as_of)


def _asked(services: Services, wanted: Wanted, text: str, row: bytes) -> Asked:
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


def _matches_any(services: Services, wanted: Wanted, window: Window) -> bool:
    """Whether any text has one of the words beside the time and the people that a question
    names."""
    left = without(wanted.query, window)
    rest = content_stems(left)
    if not content_words(left) or not rest:
        return False
    with services.recalling.finder(services.store) as finder:
        known = [
            stem
            for stem in rest
            for shelf in ("turn", "record")
            if finder.shelf(shelf) is not None and finder.places(shelf, [stem])[0]
        ]
    if len(set(known)) > _NAMES:
        return True
    names = _names(services, wanted, window) if known else ()
    return any(stem not in names for stem in known)


def _asks_for_somebody(services: Services, wanted: Wanted) -> bool:
    """Whether a question names who spoke, and nothing else."""
    stems = content_stems(wanted.query)
    if wanted.gate == 0 or not 0 < len(stems) <= _NAMES:
        return False
    names = _names(services, wanted, None)
    return bool(names) and all(stem in names for stem in stems)


def _names(services: Services, wanted: Wanted, window: Window | None) -> frozenset[str]:
    """The stems of the names of those who spoke at that time, as far as the question has them."""
    with services.recalling.finder(services.store) as finder:
        turns = latest(finder, "turn", _asked(services, _within(services, wanted, window), "", b""))
    speakers = {one.unit.speaker for one in turns if one.unit.speaker}
    named = participants_named(wanted.query, speakers)
    return frozenset(token for name in named for token in tokens(name))


def _within(services: Services, wanted: Wanted, window: Window | None) -> Wanted:
    if window is None:
        return wanted
    since, until = instants(window, services.learned.calendar())
    return wanted._replace(since=since, until=until)


def _of_time(services: Services, wanted: Wanted, window: Window | None) -> list[Hit]:
    """What lies in a time, the latest first; of those whom the question names, if it names any."""
    asked = _asked(services, _within(services, wanted, window), "", b"")
    turns: Sequence[Ranked] = ()
    records: Sequence[Ranked] = ()
    with services.recalling.finder(services.store) as finder:
        if wanted.kinds is None or TURN in wanted.kinds:
            turns = latest(finder, "turn", asked)
        speakers = {one.unit.speaker for one in turns if one.unit.speaker}
        named = participants_named(wanted.query, speakers)
        if named:
            turns = [one for one in turns if one.unit.speaker in named]
        elif wanted.session is None:
            records = latest(finder, "record", asked)
    settled = _settled(services, wanted, records)
    hits = [*_turn_hits(services, turns[: wanted.k]), *map(_record_hit, settled)]
    hits.sort(key=lambda hit: (hit.at, hit.id), reverse=True)
    return hits[: wanted.k]


def _kept(
    ranked: Sequence[Ranked], wanted: Wanted, gate: float, share: float = SHARE
) -> list[Ranked]:
    if wanted.gate == 0:
        return list(ranked)
    return above(ranked, gate if wanted.gate is None else wanted.gate, share)


def _kept_records(settled: Sequence[Settled], wanted: Wanted) -> list[Settled]:
    """Those worth showing. To be new, sure or of the right day makes nothing relevant."""
    if wanted.gate == 0 or not settled:
        return list(settled)
    gate = RECORD_GATE if wanted.gate is None else wanted.gate
    best = max(map(_relevance, settled))
    if best < gate:
        return []
    return [one for one in settled if _relevance(one) >= SHARE * best]


def _relevance(one: Settled) -> float:
    reasons = one.ranked.reasons
    return reasons.get("words", 0.0) + reasons.get("meaning", 0.0)


def _turn_hits(services: Services, ranked: Iterable[Ranked]) -> list[Hit]:
    hits: list[Hit] = []
    for one in ranked:
        message = services.transcripts.message(one.unit.owner)
        if message is not None:
            hits.append(_turn_hit(services, one, message))
    return hits


def _turn_hit(services: Services, one: Ranked, message: StoredMessage) -> Hit:
    return Hit(
        message.id,
        TURN,
        message.text,
        one.score,
        message.at,
        one.reasons,
        one.unit.scope,
        services.transcripts.session_name(message.session),
        message.ref,
        message.speaker,
        message.role,
    )


def _record_hit(one: Settled) -> Hit:
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


def _order(one: Ranked) -> tuple[float, int]:
    return -one.score, one.unit.id


def _order_of_record(one: Settled) -> tuple[float, str]:
    return -one.ranked.score, one.record.id

"""From a question to hits: what was found, where it stands, and why."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import nlargest
from typing import TYPE_CHECKING, NamedTuple

from memoro.commands.recall.asking import asked_of
from memoro.commands.recall.by_time import asks_for_somebody, matches_any, of_time, window_of
from memoro.commands.recall.hits import record_hit, settled, turn_hits
from memoro.commands.recall.wanted import TURN, Found, SessionHit, Wanted
from memoro.memory.dates.finding import find_window, without
from memoro.memory.facts.statement import state
from memoro.memory.recall.asked import CLOSELY, WEIGHTS, Asked, Ranked, Rankings
from memoro.memory.recall.candidates import promise
from memoro.memory.recall.finding import Finder
from memoro.memory.recall.pieces import is_long, pieces_of
from memoro.memory.recall.ranking import above, order, rank_groups, rank_records, rank_turns
from memoro.memory.recall.settling import Settled
from memoro.memory.recall.words import has_content, query_terms
from memoro.memory.records import FACT

if TYPE_CHECKING:
    from memoro.commands.services import Services

TURN_GATE = 0.25
"""An explicit search shows nothing of less: a third of the questions that nothing answers still
pass, and one answer in twenty-five is lost."""

RECORD_GATE = 0.15
SHARE = 0.5
"""What scores less than this share of the best is left out."""

_ALL_COVERED = 0.99 * WEIGHTS.cover
_PIECES = 8
"""Of a message of more sentences those that match best are asked for."""

_PART_CLOSELY = 60
_CLOSELY = 100
"""How many matching records are read to see which of them stand."""


class _Best(NamedTuple):
    turns: dict[int, Ranked]
    records: dict[str, Settled]
    groups: dict[int, float]
    archived: dict[str, Ranked]


def seek(services: Services, wanted: Wanted) -> Found:
    """What answers a question."""
    window = window_of(services, wanted)
    if window is not None:
        notice = services.recalling.ready(services.store)
        if not matches_any(services, wanted, window):
            hits = of_time(services, wanted, window)
            return Found(hits, window, bool(hits), (notice,) if notice else ())
    best, notices = _ranked(services, wanted)
    ranked = sorted(best.turns.values(), key=order)
    turns = _kept(ranked, wanted, TURN_GATE)
    records = _kept_records(sorted(best.records.values(), key=_order_of_record), wanted)
    if not turns and not records and wanted.gate is None:
        # A long text that has every word is no match by chance, whatever its length takes away.
        turns = [one for one in ranked if one.reasons.get("cover", 0.0) > _ALL_COVERED]
    hits = [*turn_hits(services, turns[: wanted.k]), *map(record_hit, records[: wanted.k])]
    hits.sort(key=lambda hit: -hit.score)
    if not has_content(wanted.query):
        hits = [hit for hit in hits if _verbatim(wanted.query) in hit.text]
    if not hits and asks_for_somebody(services, wanted):
        hits = of_time(services, wanted, None)
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
    turns = _kept(sorted(best.turns.values(), key=order), wanted, TURN_GATE, share=0)
    hits: list[SessionHit] = []
    for group in rank_groups(Rankings(turns, best.groups))[: wanted.k]:
        found = tuple(turn_hits(services, group.turns))
        if found:
            first = services.transcripts.message(found[0].id)
            session = first.session if first is not None else ""
            title = services.transcripts.session_title(session) or ""
            name = found[0].session or ""
            hits.append(SessionHit(name, session, title, group.score, found[0].at, found))
    return hits, notices


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
    turns = sorted(best.turns.values(), key=order)
    records = list(best.records.values())
    return bool(_kept(turns, wanted, TURN_GATE) or _kept_records(records, wanted))


def _rank(services: Services, wanted: Wanted, texts: Sequence[str], best: _Best) -> list[str]:
    """Rank what answers these questions; gives what there is to tell."""
    rows = [services.recalling.row(services.store, text) for text in texts]
    with services.recalling.finder(services.store) as finder:
        for text, (row, _) in zip(texts, rows, strict=True):
            asked = asked_of(services, wanted, text, row)
            if len(texts) > 1:
                asked = asked._replace(is_part=True, closely=_PART_CLOSELY)
            _rank_turns(finder, asked, wanted, best)
            _rank_records(services, finder, asked, wanted, best)
    return [told for _, told in rows]


def _promising(services: Services, wanted: Wanted, texts: Sequence[str]) -> list[str]:
    """The sentences whose words match best, in their order."""
    with services.recalling.finder(services.store) as finder:
        worth = {text: promise(finder, asked_of(services, wanted, text, b"")) for text in texts}
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
    for one in settled(services, wanted, ranked):
        known = best.records.get(one.record.id)
        if known is None or known.ranked.score < one.ranked.score:
            best.records[one.record.id] = one


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


def _order_of_record(one: Settled) -> tuple[float, str]:
    return -one.ranked.score, one.record.id

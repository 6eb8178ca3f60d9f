"""`memoro recall`, `memoro session search`, `memoro memory reindex`."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from memoro.commands.learned.ground import Labels
from memoro.commands.learned.when import bounds_of, end_of, today
from memoro.commands.naming import shown_text
from memoro.commands.recall.beside import Beside, beside
from memoro.commands.recall.scoping import searched_scopes
from memoro.commands.recall.seeking import seek, seek_sessions
from memoro.commands.recall.telling import told_to_model
from memoro.commands.recall.wanted import Found, Hit, SessionHit, Wanted
from memoro.commands.registry import Caller, Done, Result, Table, Text
from memoro.errors import Reason, Refusal
from memoro.memory.recall.excerpts import excerpt
from memoro.memory.recall.words import query_terms
from memoro.memory.records import Trust, project_name, shown
from memoro.memory.saved import is_blank

if TYPE_CHECKING:
    from memoro.commands.services import Services

SHOWN = 10
_NAME = 60
_WIDTH = 160
"""Characters of a hit that are shown; what is longer is cut visibly, and whole in JSON."""


def recall(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Find what was said and learned."""
    wanted = _wanted(services, arguments, caller)
    if isinstance(wanted, Refusal):
        return wanted
    told = ""
    if caller.surface == "tool":
        more, told = services.recalling.imagined(services.store, wanted.query)
        wanted = wanted._replace(more=more)
    found = seek(services, wanted)
    near = beside(services, wanted, found, caller)
    notices = (*found.notices, *((told,) if told else ()))
    if caller.surface == "tool":
        return told_to_model(services, wanted, found, near, caller, notices)
    labels = Labels(services, None if wanted.scopes is None else list(wanted.scopes))
    shown_as = _Shown(labels, query_terms(wanted.query), bool(arguments.get("explain")))
    text = _text(services, found, near, shown_as)
    return Done(_data(wanted, found, near), Text(text or _no_match(wanted.query)), notices)


def search_sessions(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Find conversations by what was said in them."""
    wanted = _wanted(services, arguments, caller)
    if isinstance(wanted, Refusal):
        return wanted
    found, notices = seek_sessions(services, wanted)
    rows = [
        (
            f"{one.score:.2f}",
            services.show_time(one.at),
            shown_text(one.title, _NAME),
            excerpt(one.hits[0].text, query_terms(wanted.query), _WIDTH // 2),
            one.id,
        )
        for one in found
    ]
    return Done(
        [_session_data(one) for one in found],
        Table(("score", "when", "title", "what was said", "id"), rows, _no_match(wanted.query)),
        notices,
    )


def reindex(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Make the search index anew, while the one that is there answers."""
    made = services.recalling.reindex(services.store, bool(arguments.get("missing")))
    waiting = f"; {made.waiting:,} vectors are still to be made" if made.waiting else ""
    return Done(
        {"turns": made.turns, "records": made.records, "waiting": made.waiting},
        Text(f"The search index has {made.turns:,} turns and {made.records:,} records{waiting}."),
        (made.told,) if made.told else (),
        ok=not made.failed,
    )


def _wanted(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Wanted | Refusal:
    words = arguments["query"]
    query = words if isinstance(words, str) else " ".join(words)
    if is_blank(query):
        return Refusal(Reason.USAGE, "there is nothing to look for", 'memoro recall "…"')
    k = SHOWN if arguments.get("k") is None else arguments["k"]
    if k < 1:
        return Refusal(Reason.USAGE, "-k must be at least 1")
    scopes = searched_scopes(services, arguments, caller)
    if isinstance(scopes, Refusal):
        return scopes
    base = today(services, arguments)
    if isinstance(base, Refusal):
        return base
    bounds = bounds_of(services, arguments, base)
    if isinstance(bounds, Refusal):
        return bounds
    as_of = None if arguments.get("as_of") is None else end_of(services, arguments["as_of"])
    if isinstance(as_of, Refusal):
        return as_of
    session = arguments.get("session")
    if session is not None and not _is_known(services, session):
        what = f"there is no conversation {shown(session)}"
        return Refusal(Reason.NOT_FOUND, what, "memoro chat list")
    return Wanted(
        query,
        as_of or services.now(),
        k,
        arguments.get("kind") or None,
        session,
        *bounds,
        as_of,
        scopes,
        without=services.transcripts.session_of(caller.run) if caller.run else None,
    )


def _is_known(services: Services, session: str) -> bool:
    found = services.transcripts.session_named(session)
    return services.transcripts.session_title(found) is not None


class _Shown(NamedTuple):
    """How hits are shown: where things were learned, the stems that were asked for, and whether
    with each signal."""

    labels: Labels
    stems: Collection[str]
    explain: bool


def _text(services: Services, found: Found, near: Beside, how: _Shown) -> str:
    parts: list[str] = []
    if near.timeline:
        lines = near.timeline_lines(how.labels)
        parts.append("\n".join([f"## Timeline, {near.title}", "", *lines]))
    told = {one.id for one in near.timeline} if found.by_time else set[str]()
    hits = [one for one in found.hits if one.id not in told]
    if hits:
        heading = f"## What lies in that time: {near.title}" if found.by_time else "## Found"
        lines = [_line(services, one, how) for one in hits]
        is_alone = not (near.timeline or near.related)
        parts.append("\n".join(lines if is_alone else [heading, "", *lines]))
    if near.related:
        parts.append("\n".join(["## Related", "", *(f"- {line}" for line in near.related)]))
    return "\n\n".join(parts)


def _line(services: Services, hit: Hit, how: _Shown) -> str:
    where = how.labels.of(hit.scope)
    line = (
        f"{hit.score:.2f}  {hit.kind:<10} {services.show_time(hit.at)}"
        f"  {who(hit)}{excerpt(hit.text, how.stems, _WIDTH)} {where}".rstrip()
    )
    line += f"{stands_behind(hit)}  [{hit.id}]"
    if how.explain:
        signals = [f"{name} {value:+.3f}" for name, value in hit.reasons.items() if value]
        line += f"\n        {', '.join(signals)}"
        if hit.session is not None:
            line += f"\n        in {shown_text(hit.session, _NAME)}"
    return line


def who(hit: Hit) -> str:
    """Who said it, before what was said."""
    if hit.kind != "turn":
        return ""
    speaker = hit.speaker or {"user": "you"}.get(hit.role or "", hit.role)
    return f"{shown_text(speaker or '?', _NAME)}: "


def stands_behind(hit: Hit) -> str:
    """The words for what the user has neither said nor approved."""
    return {Trust.READ: " (read, not said)", Trust.INFERRED: " (inferred)"}.get(
        hit.trust or Trust.USER, ""
    )


def _no_match(query: str) -> str:
    return f"No match for {shown(query)}."


def _data(wanted: Wanted, found: Found, near: Beside) -> dict[str, Any]:
    window = found.window
    return {
        "query": wanted.query,
        "window": None
        if window is None
        else {
            "from": window.start and window.start.isoformat(),
            "to": window.end and window.end.isoformat(),
            "text": window.text,
        },
        "by_time": found.by_time,
        "timeline": near.timeline_data(),
        "hits": [hit_data(one) for one in found.hits],
        "related": list(near.related),
    }


def hit_data(hit: Hit) -> dict[str, Any]:
    """A hit for programs."""
    reasons = {name: round(value, 4) for name, value in hit.reasons.items() if value}
    return {
        "id": hit.id,
        "kind": hit.kind,
        "text": hit.text,
        "score": round(hit.score, 4),
        "at": hit.at,
        "session": hit.session,
        "speaker": hit.speaker,
        "role": hit.role,
        "ref": hit.ref,
        "scope": hit.scope,
        "trust": None if hit.trust is None else hit.trust.name.lower(),
        "project": project_name(hit.scope),
        "reasons": reasons,
    }


def _session_data(one: SessionHit) -> dict[str, Any]:
    return {
        "session": one.session,
        "id": one.id,
        "title": one.title,
        "score": round(one.score, 4),
        "at": one.at,
        "hits": [hit_data(hit) for hit in one.hits],
    }

"""What is shown beside hits: the slice of the timeline that a question names, and what is linked
with what was found."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from memoro.commands.naming import shown_text
from memoro.memory.dates.finding import without
from memoro.memory.dates.window import instants
from memoro.memory.records import Record

if TYPE_CHECKING:
    from memoro.commands.learned.ground import Labels
    from memoro.commands.recall.wanted import Found, Wanted
    from memoro.commands.registry import Caller
    from memoro.commands.services import Services

_SEEDS = 3
_MOST_RELATED = 6
_SLICE = 10


class Beside(NamedTuple):
    """Episodes of the time that is named, which `title` names again; lines on what is linked."""

    title: str = ""
    timeline: tuple[Record, ...] = ()
    related: tuple[str, ...] = ()

    def timeline_lines(self, labels: Labels) -> list[str]:
        """The slice, a line an episode."""
        from memoro.memory.episodes import day_of, episode_line

        return [
            f"- {day_of(one)} {episode_line(one)} {labels.of(one.scope)}".rstrip()
            for one in self.timeline
        ]

    def timeline_data(self) -> list[dict[str, Any]]:
        """The slice for programs."""
        from memoro.memory.episodes import episode_data

        return [episode_data(one) for one in self.timeline]


def beside(services: Services, wanted: Wanted, found: Found, caller: Caller) -> Beside:
    """What belongs beside these hits."""
    title, episodes = _slice(services, wanted, found)
    return Beside(title, episodes, _related(services, wanted, found))


def _slice(services: Services, wanted: Wanted, found: Found) -> tuple[str, tuple[Record, ...]]:
    if wanted.kinds is not None and "episode" not in wanted.kinds:
        return _named(services, wanted, found), ()
    since, until, query = wanted.since, wanted.until, wanted.query
    if found.window is not None:
        since, until = instants(found.window, services.learned.calendar())
        query = without(query, found.window)
    if since is None and until is None:
        return "", ()
    from memoro.memory.timeline import Wanted as Slice
    from memoro.memory.timeline import content_words, timeline

    words = content_words(query)
    asked = Slice(
        wanted.scopes, since, until, words, found.window is not None, None, _SLICE, wanted.as_of
    )
    return _named(services, wanted, found), timeline(services.store, asked).episodes


def _named(services: Services, wanted: Wanted, found: Found) -> str:
    """The days that are meant."""
    if found.window is not None:
        days = found.window[:2]
    else:
        calendar, last = services.learned.calendar(), wanted.until
        days = (
            None if wanted.since is None else calendar.day(wanted.since),
            None if last is None else calendar.day(last - timedelta(microseconds=1)),
        )
    start, end = (day.isoformat() if day else "…" for day in days)
    return start if start == end else f"{start} to {end}"


def _related(services: Services, wanted: Wanted, found: Found) -> tuple[str, ...]:
    from memoro.memory.graph import RECORD_KINDS

    seeds = [hit.id for hit in found.hits if hit.kind in RECORD_KINDS][:_SEEDS]
    return related_to(services, seeds, wanted.scopes, {hit.id for hit in found.hits})


def related_to(
    services: Services,
    seeds: Sequence[str],
    scopes: Collection[str] | None,
    shown: Collection[str] = (),
) -> tuple[str, ...]:
    """Lines on the neighbours of records, one hop away, that were not shown themselves."""
    if not seeds:
        return ()
    from memoro.memory.graph import RECORD_KINDS
    from memoro.memory.page.lines import one_line

    graph = services.graph()
    lines: dict[str, None] = {}
    for seed in seeds:
        for near in graph.near(seed, _MOST_RELATED):
            name, kind = near.node.name, near.node.kind
            if kind in ("tag", "profile", "session", "project") or name in shown or name in seeds:
                continue
            record = services.store.get(name)
            if record is None and kind in RECORD_KINDS:
                continue
            if record is not None and scopes is not None and record.scope not in scopes:
                continue
            text = near.node.title if record is None else record.text
            lines[f"[{kind}] {one_line(shown_text(text or name))}"] = None
    return tuple(lines)[:_MOST_RELATED]

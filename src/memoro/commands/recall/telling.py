"""What a model is told of what was found, and the note that it was."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from memoro.commands.registry import Done, Text
from memoro.memory.page.lines import CLOSING, OPENING, one_line, shortened
from memoro.memory.recall.excerpts import excerpt
from memoro.memory.recall.words import query_terms
from memoro.memory.records import Trust
from memoro.memory.store import Use

if TYPE_CHECKING:
    from memoro.commands.recall.beside import Beside
    from memoro.commands.recall.wanted import Found, Hit, Wanted
    from memoro.commands.registry import Caller
    from memoro.commands.services import Services

_TURN_CHARACTERS = 600
_BESIDE_CHARACTERS = 200
_NAME = 60
_BEHIND = {Trust.READ: " (read, not said by the user)", Trust.INFERRED: " (inferred)"}
_LINE = 240
_ORDER = "The latest first:"


def told_to_model(
    services: Services,
    wanted: Wanted,
    found: Found,
    near: Beside,
    caller: Caller,
    notices: tuple[str, ...],
) -> Done:
    """The hits with what was said around them, the latest first: of two that contradict each other
    the later one counts, and a model sees the order better than dates."""
    if not found.hits and not near.timeline:
        return Done({"hits": 0}, Text("No match."), notices)
    lines: list[str] = []
    hits = {hit.id for hit in found.hits}
    stems = query_terms(wanted.query)
    told: list[tuple[Hit, str]] = []
    for hit in sorted(found.hits, key=lambda one: one.at, reverse=True):
        text = _told(services, hit, hits, stems)
        told.append((hit, text))
        lines.append(text)
    parts = [OPENING, _ORDER]
    if near.timeline:
        parts += [f"Timeline, {near.title}:", *_timeline(near)]
    parts += lines
    if near.related:
        parts += ["Related:", *(f"- {shortened(line, _LINE)}" for line in near.related)]
    text = services.learned.mask("\n".join(parts)).text
    if caller.run is not None:
        _note(services, told, caller.run)
    return Done({"hits": len(found.hits)}, Text(f"{text}\n{CLOSING}"), notices)


def _timeline(near: Beside) -> list[str]:
    from memoro.memory.episodes import day_of, episode_line

    return [f"- {day_of(one)} {_short(episode_line(one), _LINE)}" for one in near.timeline]


def _told(services: Services, hit: Hit, hits: Collection[str], stems: Collection[str]) -> str:
    """A hit, a turn with those before and after it that are no hits themselves."""
    when = services.show_time(hit.at)
    if hit.kind != "turn":
        behind = _BEHIND.get(hit.trust or Trust.USER, "")
        return f"- {when} {hit.kind}: {_short(hit.text, _TURN_CHARACTERS)}{behind} ({hit.id})"
    lines = [f"- {when} conversation {_short(hit.session or '', _NAME)}"]
    for message, is_it in services.transcripts.around(hit.id):
        if message.id in hits and not is_it:
            continue
        who = _short(message.speaker or message.role, _NAME)
        if is_it:
            text = one_line(excerpt(message.text, stems, _TURN_CHARACTERS))
        else:
            text = _short(message.text, _BESIDE_CHARACTERS)
        lines.append(f"  {who}: {text}")
    return "\n".join(lines)


def _short(text: str, most: int) -> str:
    """A text in one line, which can't pose as an end of what is data."""
    return shortened(one_line(text), most)


def _note(services: Services, told: list[tuple[Hit, str]], run: str) -> None:
    services.store.note(
        {
            hit.id: Use(services.now(), run, "recall", hit.score, len(text.encode()))
            for hit, text in told
        }
    )

"""What a run is told of what was learned: the page of memory for its message, and which of it the
reply drew on."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from memoro.commands.learned.ground import Labels
from memoro.commands.recall.beside import related_to
from memoro.commands.recall.scoping import searched_scopes
from memoro.commands.recall.seeking import seek
from memoro.commands.recall.wanted import Wanted
from memoro.commands.registry import Caller
from memoro.errors import Refusal
from memoro.memory.drawing_on import drew_on
from memoro.memory.page import EPISODE_DAYS, NOTE_DAYS, Material, page, profile_lines, usage_line
from memoro.memory.profile.viewing import view
from memoro.memory.records import (
    DAILY,
    EPISODE,
    FACT,
    GLOBAL,
    PROFILE,
    PROJECT,
    TOPIC,
    WORK,
    Record,
)
from memoro.memory.store import Use
from memoro.memory.topics import ranked

if TYPE_CHECKING:
    from memoro.commands.services import Services

_FACTS = 40
_RELATED_TO = 3
_HINT = "recall finds facts, notes and episodes"


class Remembered(NamedTuple):
    """The page for a run; `facts` are the facts on it, with how well each matched its message and
    the bytes that it takes, and `notices` what there is to tell, a line each."""

    text: str = ""
    facts: tuple[tuple[Record, Use], ...] = ()
    notices: tuple[str, ...] = ()


def remember_for(services: Services, scope: str, message: str) -> Remembered:
    """What is known that matters for a message. Facts that don't bear on it are left out."""
    budget = services.recalling.page_characters()
    if not budget:
        return Remembered()
    scopes = searched_scopes(services, {}, Caller("tool", scope=scope))
    assert not isinstance(scopes, Refusal), "no project is named here"
    now = services.now()
    found = seek(services, Wanted(message, now, _FACTS, [FACT.name], scopes=scopes))
    scores = {hit.id: hit.score for hit in found.hits}
    facts = [one for hit in found.hits if (one := services.store.get(hit.id)) is not None]
    material = _material(services, scopes, facts)
    made = page(material._replace(profile=_profile(services, sensitive=True)), budget, _HINT)
    if any("profile" in name.lower() for name in made.left_out):
        # What is sensitive stands there only together with the line that says how it may be used.
        made = page(material._replace(profile=_profile(services, sensitive=False)), budget, _HINT)
    if {one.section for one in made.placed} <= {"Usage"}:
        return Remembered(notices=found.notices)
    by_id = {one.id: one for one in facts}
    placed = tuple(
        (by_id[record], Use(now, None, "prompt", scores[record], one.bytes))
        for one in made.placed
        for record in one.records
        if record in by_id
    )
    return Remembered(made.text, placed, found.notices)


def note_page(services: Services, run: str, remembered: Remembered) -> None:
    """Keep which facts were put before a model. That alone makes none of them stronger."""
    uses = {record.id: use._replace(run=run) for record, use in remembered.facts}
    services.store.note(uses, strengthens=False)


def note_reply(
    services: Services, run: str, remembered: Remembered, message: str, reply: str
) -> None:
    """Keep which of these facts a reply evidently drew on, which makes them stronger."""
    drawn = drew_on(reply, [one for one, _ in remembered.facts], message)
    now = services.now()
    services.store.note({one.id: Use(now, run, "drew on") for one in drawn})


def _profile(services: Services, *, sensitive: bool) -> list[str]:
    records = services.store.select(PROFILE.name)
    workspace = services.learned.workspace().root
    return profile_lines(view(records, services.now(), workspace), sensitive=sensitive)


def _material(services: Services, scopes: list[str] | None, facts: Sequence[Record]) -> Material:
    store, now = services.store, services.now()
    near = set(scopes or [GLOBAL])
    return Material(
        (),
        [one for kind in (WORK, PROJECT) for one in store.select(kind.name)],
        ranked(store.select(TOPIC.name), now),
        facts,
        store.between([DAILY.name], near, now - timedelta(days=NOTE_DAYS), None),
        store.between([EPISODE.name], near, now - timedelta(days=EPISODE_DAYS), None),
        related_to(services, [one.id for one in facts[:_RELATED_TO]], scopes),
        (),
        usage_line(services.transcripts.count()),
        {scope: Labels(services, scopes).of(scope) for scope in {one.scope for one in facts}},
    )

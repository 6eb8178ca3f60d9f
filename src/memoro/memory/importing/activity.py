"""Topics, projects worked on and episodes on their way in, as if they were said here."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from memoro.errors import Reason, Refusal
from memoro.memory.comparing import normalised
from memoro.memory.episodes import Piece, record_episode
from memoro.memory.importing.outcome import FORGOTTEN, KNOWN, Taken
from memoro.memory.importing.staging import Staged
from memoro.memory.importing.texts import named
from memoro.memory.records import EPISODE, TOPIC, WORK, Record, Trust
from memoro.memory.store import ChangeSet, Plan
from memoro.memory.topics import MAX_LINKED_FACTS, Mention, mention, one_line, to_time
from memoro.memory.work import MAX_TECHNOLOGIES, Activity, status_of, worked_on


def take_topic(staged: Staged, record: Record, links: Mapping[str, str]) -> Taken:
    """A topic; `links` gives the ID that a fact has here for the one that it had there."""
    if staged.select(TOPIC.name, record.scope, key=record.key):
        return KNOWN
    data = record.data
    last = to_time(data.get("last_seen"), record.updated_at)
    first = to_time(data.get("first_seen"), record.created_at)
    facts = [links[one] for one in data.get("facts", ()) if one in links]
    said = Mention(
        str(data.get("name", record.key)),
        last,
        record.text,
        tuple(dict.fromkeys(facts))[-MAX_LINKED_FACTS:],
        Trust(record.trust),
    )
    made = _made(staged, mention([said._replace(at=first, summary="", facts=()), said]))
    if isinstance(made, Taken):
        return made
    mentions = max(1, int(data.get("mentions", 1)))
    return _put(staged, made._replace(data={**made.data, "mentions": mentions}), record)


def take_work(staged: Staged, record: Record) -> Taken:
    """A project that was worked on."""
    if staged.select(WORK.name, record.scope, key=record.key):
        return KNOWN
    data = record.data
    technologies = [one_line(str(one)) for one in data.get("technologies", ())]
    status = str(data.get("status", ""))
    said = Activity(
        str(data.get("name", record.key)),
        to_time(data.get("last_active"), record.updated_at),
        str(data.get("path", "")),
        record.text,
        tuple(dict.fromkeys(one for one in technologies if one))[:MAX_TECHNOLOGIES],
        status if status_of(status) else "",
        Trust(record.trust),
    )
    made = _made(staged, worked_on(said))
    return made if isinstance(made, Taken) else _put(staged, made, record)


def take_episode(staged: Staged, record: Record) -> Taken:
    """An episode: known where the same work of the same day is."""
    known = staged.get(record.id) if record.id else None
    identity = work_of(record)
    if known is not None and known.kind == EPISODE.name:
        return KNOWN
    if staged.same(EPISODE.name, record.scope, identity, lambda one: (work_of(one),)) is not None:
        return KNOWN
    data = record.data
    said = Piece(
        record.text,
        record.scope,
        record.valid_from or record.created_at,
        date.fromisoformat(str(data["date"])),
        record.created_at,
        str(data.get("outcome", "")),
        tuple(str(one) for one in data.get("refs", ())),
        str(data.get("project", "")),
        str(data.get("session", "")),
        Trust(record.trust),
    )
    wanted = record_episode(said)(staged)
    if isinstance(wanted, Refusal) and wanted.reason is Reason.CONFLICT:
        return KNOWN
    made = _new(wanted)
    if isinstance(made, Taken):
        return made
    taken = _put(staged, made, record)
    if taken.record is not None:
        staged.know(taken.record, identity)
    return taken


def work_of(episode: Record) -> str:
    """What identifies an episode: the work and its day."""
    project = normalised(str(episode.data.get("project", "")))
    return f"{episode.data.get('date')}\0{project}\0{normalised(episode.text)}"


def _made(staged: Staged, plan: Plan) -> Record | Taken:
    return _new(plan(staged))


def _new(wanted: object) -> Record | Taken:
    """The record that a plan makes; left out where it makes none, or something would leave."""
    if isinstance(wanted, Refusal):
        return Taken("left", wanted.what)
    assert isinstance(wanted, ChangeSet), "nothing here forgets"
    if any(change.after is None for change in wanted.changes):
        return Taken("left", "there is no room for more of them")
    before, after = wanted.changes[0]
    if before is not None or after is None:
        return KNOWN
    return after


def _put(staged: Staged, made: Record, given: Record) -> Taken:
    """Keep what was made, with what was given besides: its ID, its times, where it is from."""
    kept = {name: given.data[name] for name in ("imported",) if name in given.data}
    record = made._replace(
        id=given.id or made.id,
        created_at=given.created_at,
        updated_at=given.updated_at,
        data={**made.data, **kept},
    )
    if staged.was_forgotten(made.id, record.id):
        return Taken("left", FORGOTTEN)
    record, known = named(staged, record)
    if known:
        return KNOWN
    staged.put(record)
    return Taken("new", record=record)

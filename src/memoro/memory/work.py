"""The projects that the person works on: where, what with, and how far they are.

What is said of one later and by someone more trusted stands; what is not said erases nothing.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Literal, NamedTuple

from memoro.errors import Reason, Refusal
from memoro.memory.projects import folder
from memoro.memory.records import GLOBAL, WORK, Record, Trust, shown
from memoro.memory.saved import is_blank
from memoro.memory.store import Change, ChangeSet, Plan, Reader
from memoro.memory.topics import (
    Said,
    check_name,
    check_text,
    fold_name,
    make_room,
    one_line,
    retold,
    to_text,
    to_time,
)

Status = Literal["active", "paused", "completed"]

MAX_DESCRIPTION_BYTES = 1_000
MAX_PATH_BYTES = 4_096
MAX_TECHNOLOGY_BYTES = 100
MAX_TECHNOLOGIES = 100
MAX_WORK = 1_000
"""Beyond them the one that rested longest leaves; the log keeps it, so that undo brings it back."""

_STATUS_WORDS: dict[Status, str] = {
    "active": "active|in progress|ongoing|open|started|current|working|wip|ativo|ativa|em andamento"
    "|andamento|em progresso|em curso|aberto|aberta|iniciado|iniciada",
    "paused": "paused|on hold|hold|suspended|stalled|blocked|inactive|waiting|pausado|pausada"
    "|em pausa|em espera|suspenso|suspensa|parado|parada|bloqueado|bloqueada|inativo|inativa",
    "completed": "completed|complete|done|finished|closed|ended|concluido|concluida|completo"
    "|completa|completado|completada|finalizado|finalizada|terminado|terminada|encerrado|encerrada"
    "|pronto|pronta|feito|feita|fechado|fechada",
}
_STATUS_BY_WORD: dict[str, Status] = {
    word: status for status, words in _STATUS_WORDS.items() for word in words.split("|")
}
STATUSES = tuple(_STATUS_WORDS)


class Activity(NamedTuple):
    """That someone worked on a project at some time, and what was said of it then.

    What is blank was not said. `status` takes English and Portuguese words; `run` and `message`
    are where it was said.
    """

    name: str
    at: datetime
    path: str = ""
    description: str = ""
    technologies: tuple[str, ...] = ()
    status: str = ""
    trust: Trust = Trust.USER
    run: str | None = None
    message: str | None = None


class Project(NamedTuple):
    """A project as it is shown: worked on, registered as a folder, or both.

    `status` is "-" and `last_active` None where only the folder is known.
    """

    name: str
    path: str
    description: str
    technologies: tuple[str, ...]
    status: str
    last_active: datetime | None
    registered: bool


def status_of(word: str) -> Status | None:
    """The status that a word stands for, in English or Portuguese, in any case and with accents or
    without; None where it is none."""
    folded = unicodedata.normalize("NFD", one_line(word.translate(_JOINED)).casefold())
    return _STATUS_BY_WORD.get(
        "".join(char for char in folded if unicodedata.category(char) != "Mn")
    )


_JOINED = str.maketrans("-_", "  ")


def check_activity(activity: Activity) -> Refusal | None:
    """Refuse what is no project's name or status, and what is over a limit."""
    if not is_blank(activity.status) and status_of(activity.status) is None:
        return Refusal(
            Reason.USAGE,
            f"{shown(activity.status)} is not a status; nothing was changed",
            f"choose one of: {', '.join(STATUSES)}",
        )
    technologies = (
        check_text(one, "technology", MAX_TECHNOLOGY_BYTES) for one in activity.technologies
    )
    return (
        check_name(activity.name, "project", 1)
        or check_text(activity.description, "description", MAX_DESCRIPTION_BYTES)
        or check_text(activity.path, "path", MAX_PATH_BYTES)
        or next(filter(None, technologies), None)
    )


def worked_on(*activities: Activity) -> Plan:
    """Keep what was said of these projects, each a record of its own."""

    def plan(reader: Reader) -> ChangeSet | Refusal:
        changes: list[Change] = []
        for key, about in _by_name(activities).items():
            change = _worked(reader, key, about)
            full = _too_many(change.subject)
            if full is not None:
                return full
            changes.append(change)
        left = make_room(reader, changes, MAX_WORK, _recency)
        return left if isinstance(left, Refusal) else ChangeSet("work", [*changes, *left])

    refusal = next((found for one in activities if (found := check_activity(one))), None)
    if not activities:
        refusal = Refusal(Reason.USAGE, "no project is named; nothing was changed")
    return plan if refusal is None else lambda _: refusal


def _by_name(activities: Iterable[Activity]) -> dict[str, list[Activity]]:
    found: dict[str, list[Activity]] = {}
    for one in activities:
        found.setdefault(fold_name(one.name), []).append(one)
    return found


def _worked(reader: Reader, key: str, about: Sequence[Activity]) -> Change:
    before = next(iter(reader.select(WORK.name, GLOBAL, key=key)), None)
    work = before or _blank(key, about[0])
    for one in about:
        work = _with(work, one)
    return Change(before, work._replace(revision=1 if before is None else before.revision + 1))


def _blank(key: str, first: Activity) -> Record:
    work_id = "w_" + hashlib.sha256(key.encode()).hexdigest()[:20]
    return Record(work_id, WORK.name, GLOBAL, key, "", first.at, first.at, trust=first.trust)


def _with(work: Record, one: Activity) -> Record:
    data = work.data
    fields, said, won = retold(
        work,
        {
            "name": data.get("name", ""),
            "description": work.text,
            "path": data.get("path", ""),
            # One that nobody said gives way to any that someone says.
            "status": data.get("status", "") if "status" in data.get("said", ["status"]) else "",
        },
        {
            "name": one_line(one.name),
            "description": one_line(one.description),
            "path": one.path.strip(),
            "status": status_of(one.status) or "",
        },
        Said(one.trust, one.at),
    )
    told = {
        "name": fields["name"],
        "path": fields["path"],
        "status": fields["status"] or "active",
        "technologies": _united(data.get("technologies", ()), one.technologies),
        "last_active": to_text(max(one.at, to_time(data.get("last_active"), one.at))),
        "said": said,
    }
    work = work._replace(
        text=fields["description"],
        data={**data, **told},
        created_at=min(work.created_at, one.at),
        updated_at=max(work.updated_at, one.at),
    )
    if ("description" if "description" in said else "name") in won:
        work = work._replace(trust=one.trust, source_run=one.run, source_message=one.message)
    return work


def _united(known: Iterable[str], new: Iterable[str]) -> list[str]:
    """Each technology once, as it was spelled first."""
    found: dict[str, str] = {}
    for one in (*known, *map(one_line, new)):
        if not is_blank(one):
            found.setdefault(fold_name(one), one)
    return list(found.values())


def _too_many(work: Record) -> Refusal | None:
    count = len(work.data["technologies"])
    if count <= MAX_TECHNOLOGIES:
        return None
    return Refusal(
        Reason.TOO_LARGE,
        f"project {work.data['name']} would have {count} technologies; at most"
        f" {MAX_TECHNOLOGIES} are allowed; nothing was changed",
        "name fewer, those that matter",
    )


def _recency(work: Record, now: datetime) -> float:
    return -(now - to_time(work.data.get("last_active"), work.updated_at)).total_seconds()


def overview(works: Iterable[Record], registered: Iterable[Record]) -> list[Project]:
    """The projects that are worked on and those that are registered, joined and ordered by name.

    The folder that a project was registered for is its path, whatever was said of it.
    """
    by_key = {one.key: one for one in works}
    shown_works: set[str | None] = set()
    found: list[Project] = []
    for one in registered:
        key = fold_name(one.key or "")
        shown_works.add(key)
        project = _project(by_key.get(key), one.key or "", True)
        found.append(project._replace(path=folder(one) or project.path))
    found += [_project(one, "", False) for one in by_key.values() if one.key not in shown_works]
    return sorted(found, key=lambda one: (fold_name(one.name), one.name))


def _project(work: Record | None, name: str, registered: bool) -> Project:
    if work is None:
        return Project(name, "", "", (), "-", None, registered)
    data = work.data
    return Project(
        name or str(data.get("name") or work.key),
        str(data.get("path", "")),
        work.text,
        tuple(data.get("technologies", ())),
        str(data.get("status", "")),
        to_time(data.get("last_active"), work.updated_at),
        registered,
    )

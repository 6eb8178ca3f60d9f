"""What a page is made of, and its lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from memoro.memory.episodes import day_of, episode_line
from memoro.memory.facts.statement import is_current
from memoro.memory.page.fitting import Line, Section
from memoro.memory.page.lines import item, one_line, plain, shortened
from memoro.memory.profile.prompting import prompt_text
from memoro.memory.profile.viewing import Profile
from memoro.memory.records import WORK, Record
from memoro.memory.topics import fold_name
from memoro.memory.work import Project, overview

NOTE_DAYS, EPISODE_DAYS = 3, 14
"""How far back the notes and episodes of a page go."""

MOST_PROJECTS, MOST_TOPICS, MOST_EPISODES, MOST_RELATED = 10, 10, 5, 6
"""How many of them stand on a page; what is given beyond that counts as left out."""

_SUMMARY = 80
_RELATED = 160
_LINE = 240
"""The most characters of a topic's summary, of a related line, of a project or episode."""


class Material(NamedTuple):
    """What is known, each part the most important first.

    `profile` is lines as `profile_lines` makes them. `projects` are records of work, and those of
    registered projects, in any order; completed ones don't stand on a page. Of the `facts`, those
    that count no longer don't either. `related` are lines of the graph, `trajectory` digests (of
    any number of lines) with the latest first.

    `labels` has words for the scopes that we are not in, such as "(from: ~/web)". `seen` has, by
    the fact's ID, the day on which what could not be looked up now was last seen to be so.
    """

    profile: Sequence[str] = ()
    projects: Sequence[Record] = ()
    topics: Sequence[Record] = ()
    facts: Sequence[Record] = ()
    notes: Sequence[Record] = ()
    episodes: Sequence[Record] = ()
    related: Sequence[str] = ()
    trajectory: Sequence[str] = ()
    usage: str = ""
    labels: Mapping[str, str] = {}
    seen: Mapping[str, date] = {}


def profile_lines(profile: Profile, *, sensitive: bool = False) -> list[str]:
    """A profile's lines, without what is marked as sensitive unless that is asked for; with it
    goes the line that says how it may be used."""
    if not sensitive:
        profile = Profile(*(tuple(one for one in group if not one.sensitive) for group in profile))
    return prompt_text(profile).splitlines()


def usage_line(sessions: int, peak_hours: Sequence[int] = (), features: Sequence[str] = ()) -> str:
    """How Memoro is used, in a line; "" where it was not yet."""
    if sessions < 1:
        return ""
    told = [f"{sessions:,} conversation{'' if sessions == 1 else 's'}"]
    if peak_hours:
        told.append(f"mostly at {', '.join(f'{hour}:00' for hour in sorted(peak_hours))}")
    if features:
        told.append(f"most used: {', '.join(features)}")
    return "; ".join(told)


def sections_of(material: Material) -> list[Section]:
    """The sections of a page that have anything, in their order."""
    facts = [one for one in material.facts if is_current(one)]
    made = (
        Section("Profile", "profile line", tuple(_grouped(material.profile)), share=1 / 2),
        _first(MOST_PROJECTS, "Projects", "project", _project_lines(material.projects)),
        _first(MOST_TOPICS, "Topics", "topic", _lines(material.topics, _topic)),
        Section("Facts", "fact", _lines(facts, _fact(material)), share=3 / 4),
        Section(
            "Recent notes", "recent note", _lines(material.notes, _note(material)), share=1 / 2
        ),
        _first(MOST_EPISODES, "Episodes", "episode", _lines(material.episodes, _episode(material))),
        _first(MOST_RELATED, "Related", "related line", _related(material.related)),
        Section(
            "Trajectory",
            "trajectory line",
            tuple(Line(line) for line in _split(material.trajectory)),
            share=1 / 4,
            strict=True,
        ),
        _first(1, "Usage", "usage line", _related([material.usage])),
    )
    return [section for section in made if section.lines]


def _first(most: int, name: str, unit: str, lines: Sequence[Line]) -> Section:
    return Section(name, unit, tuple(lines[:most]), surplus=max(0, len(lines) - most))


def _lines(records: Iterable[Record], told: Callable[[Record], str]) -> tuple[Line, ...]:
    """A line for each record, each once."""
    once = {record.id: record for record in records}
    return tuple(Line(item(told(record)), (name,)) for name, record in once.items())


def _grouped(lines: Iterable[str]) -> Iterator[Line]:
    """A profile's lines; items of a list know the line that says what they are."""
    told = [line for line in map(plain, lines) if line]
    label, labels = "", set[str]()
    for line, following in zip(told, [*told[1:], ""], strict=False):
        if line.startswith("- "):
            yield Line(line, label=label)
        elif line.endswith(":") and following.startswith("- ") and line not in labels:
            label = line
            labels.add(line)
        else:
            label = ""
            yield Line(line)


def _project_lines(records: Iterable[Record]) -> list[Line]:
    """A line for each project that goes on; what was said of it and its folder are one."""
    known: dict[str, dict[str, Record]] = {}
    for one in records:
        known.setdefault(fold_name(one.key or ""), {})[one.id] = one
    going: list[tuple[Project, tuple[str, ...]]] = []
    for same in known.values():
        worked = [one for one in same.values() if one.kind == WORK.name]
        registered = [one for one in same.values() if one.kind != WORK.name]
        for project in overview(worked, registered)[:1]:
            if project.status != "completed":
                going.append((project, tuple(same)))
    going.sort(key=lambda one: (_rested(one[0]), fold_name(one[0].name)))
    return [Line(item(_project(project)), ids) for project, ids in going]


def _rested(project: Project) -> float:
    return -project.last_active.timestamp() if project.last_active else 0.0


def _project(project: Project) -> str:
    about = [part for part in (project.status.strip("-"), project.path) if part]
    told = project.name + (f" ({', '.join(about)})" if about else "")
    parts = [part for part in (project.description, ", ".join(project.technologies)) if part]
    return shortened(one_line(told + (": " if parts else "") + "; ".join(parts)), _LINE)


def _topic(topic: Record) -> str:
    summary = shortened(one_line(topic.text), _SUMMARY)
    name = str(topic.data.get("name") or topic.key)
    return f"{name}: {summary}" if summary else name


def _fact(material: Material) -> Callable[[Record], str]:
    def told(fact: Record) -> str:
        day = material.seen.get(fact.id)
        seen = f"(last seen true {day.isoformat()})" if day else ""
        return f"{fact.text} {material.labels.get(fact.scope, '')} {seen}"

    return told


def _note(material: Material) -> Callable[[Record], str]:
    return lambda note: f"{day_of(note)} {note.text} {material.labels.get(note.scope, '')}"


def _episode(material: Material) -> Callable[[Record], str]:
    def told(episode: Record) -> str:
        line = shortened(one_line(f"{day_of(episode)} {episode_line(episode)}"), _LINE)
        return f"{line} {material.labels.get(episode.scope, '')}"

    return told


def _related(lines: Iterable[str]) -> list[Line]:
    told = (one_line(line).removeprefix("- ") for line in lines)
    return [Line(item(shortened(line, _RELATED - 2))) for line in told if line]


def _split(texts: Iterable[str]) -> Iterator[str]:
    return (line for text in texts for raw in text.splitlines() if (line := plain(raw)))

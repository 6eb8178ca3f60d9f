"""`memoro memory topics|projects|stats`: what is talked about, worked on, and used."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from memoro.commands.learned.door import admit_all, trust_of
from memoro.commands.registry import Caller, Done, Result, Table, Text
from memoro.commands.scopes import origin
from memoro.errors import Reason, Refusal
from memoro.memory.records import GLOBAL, PROJECT, TOPIC, WORK, Record, Trust

if TYPE_CHECKING:
    from memoro.commands.services import Services
    from memoro.memory.work import Project
    from memoro.session.usage import ErrorPattern, Feature, Usage


def list_topics(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Show the topics, the most topical first."""
    from memoro.memory.topics import ranked

    limit = arguments.get("limit")
    if limit is not None and limit < 1:
        return Refusal(Reason.USAGE, "--limit must be at least 1")
    found = ranked(services.store.select(TOPIC.name, GLOBAL), services.now())[:limit]
    data = [_topic_data(services, one) for one in found]
    rows = [
        (
            one["name"],
            str(one["mentions"]),
            services.show_time(one["last_seen"]),
            str(len(one["facts"])),
            one["summary"],
        )
        for one in data
    ]
    columns = ("topic", "mentions", "last", "facts", "summary")
    return Done(data, Table(columns, rows, "No topics yet. They come from conversations."))


def _topic_data(services: Services, topic: Record) -> dict[str, Any]:
    from memoro.memory.topics import rank, to_time

    data = topic.data
    return {
        "id": topic.id,
        "name": data["name"],
        "summary": topic.text,
        "mentions": data["mentions"],
        "rank": round(rank(topic, services.now()), 4),
        "first_seen": to_time(data.get("first_seen"), topic.created_at),
        "last_seen": to_time(data.get("last_seen"), topic.updated_at),
        # A fact may have been forgotten since.
        "facts": [one for one in data.get("facts", ()) if services.store.get(one) is not None],
        "source_run": topic.source_run,
    }


def mention_topic(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Count one mention of a topic, with what it is about and the facts learned with it."""
    from memoro.memory.topics import Mention, mention, one_line

    made_by = origin(services, caller)
    (name, summary), notices = admit_all(
        services, [arguments["name"], one_line(_words(arguments.get("summary")))], caller
    )
    said = Mention(
        name,
        made_by.at,
        summary,
        tuple(arguments.get("fact") or ()),
        trust_of(caller),
        caller.run,
        caller.message,
    )
    applied = services.store.apply(mention([said]), made_by)
    if isinstance(applied, Refusal):
        return applied
    topic = applied.records[0]
    data = _topic_data(services, topic)
    times, facts = _counted(data["mentions"], "time"), _counted(len(data["facts"]), "linked fact")
    kept = _kept(("summary", summary, topic.text))
    return Done(
        {**data, "change": applied.change},
        Text(f"Topic {data['name']}: mentioned {times}, {facts}."),
        (*notices, *kept, *_made_room(services, applied.change)),
    )


def list_work(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Show the projects that are worked on, and those that are registered."""
    from memoro.memory.work import overview

    store = services.store
    found = overview(store.select(WORK.name, GLOBAL), store.select(PROJECT.name, GLOBAL))
    columns = ("name", "status", "folder", "technologies", "last active", "description")
    empty = (
        "No projects yet. They come from conversations; or give the folder you are in a name:"
        " memoro project add NAME"
    )
    rows = [
        (
            one.name,
            one.status,
            f"{one.path or '-'}{' (missing)' if _is_missing(one) else ''}",
            ", ".join(one.technologies),
            services.show_time(one.last_active) if one.last_active else "-",
            one.description,
        )
        for one in found
    ]
    return Done([_project_data(one) for one in found], Table(columns, rows, empty))


def _project_data(project: Project) -> dict[str, Any]:
    return {
        **project._asdict(),
        "status": None if project.status == "-" else project.status,
        "missing": _is_missing(project),
    }


def _is_missing(project: Project) -> bool:
    # A path that only a conversation named may be one on another machine.
    return project.registered and bool(project.path) and not os.path.isdir(project.path)


def work_on(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Keep what is said of a project that is worked on."""
    from memoro.memory.topics import one_line
    from memoro.memory.work import Activity, overview, status_of, worked_on

    made_by = origin(services, caller)
    words = _listed(arguments.get("technology"))
    (name, description), notices = admit_all(
        services, [arguments["name"], one_line(_words(arguments.get("description")))], caller
    )
    said = Activity(
        name,
        made_by.at,
        _path(services, arguments.get("path"), caller),
        description,
        tuple(part.strip() for word in words for part in word.split(",") if part.strip()),
        arguments.get("status") or "",
        trust_of(caller),
        caller.run,
        caller.message,
    )
    applied = services.store.apply(worked_on(said), made_by)
    if isinstance(applied, Refusal):
        return applied
    work = applied.records[0]
    [project] = overview([work], ())
    kept = _kept(
        ("path", said.path, project.path),
        ("description", said.description, project.description),
        ("status", status_of(said.status) or "", project.status),
    )
    return Done(
        {**_project_data(project), "id": work.id, "change": applied.change},
        Text(f"Project {project.name} is {project.status}."),
        (*notices, *kept, *_made_room(services, applied.change)),
    )


def _path(services: Services, given: str | None, caller: Caller) -> str:
    """A folder as a person means it, who names it from where they are; a model isn't anywhere."""
    if not given or trust_of(caller) is not Trust.USER:
        return given or ""
    path = os.path.expanduser(given)
    return (
        path
        if os.path.isabs(path)
        else os.path.normpath(os.path.join(services.places().folder, path))
    )


def _words(given: str | Sequence[str] | None) -> str:
    return given if isinstance(given, str) else " ".join(given or ())


def _listed(given: str | Sequence[str] | None) -> Sequence[str]:
    return [given] if isinstance(given, str) else given or ()


def _kept(*fields: tuple[str, str, str]) -> tuple[str, ...]:
    """What to tell of fields that were given and did not win."""
    return tuple(
        f"the {name} stays as it is: someone more trusted, or someone later, gave it"
        for name, given, stands in fields
        if given and given != stands
    )


def _made_room(services: Services, change_id: int) -> tuple[str, ...]:
    change = services.store.change(change_id)
    left = [one.key for one in change.records if one.after is None] if change else []
    return tuple(
        f"{name} left to make room; to bring it back: memoro memory undo {change_id}"
        for name in left
    )


def show_stats(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Show how Memoro is used."""
    usage = services.usage()
    costs = services.recalling.embedding_costs(services.store)
    data = {
        **_usage_data(usage),
        "embeddings": [
            {"embedder": name, "texts": texts, "tokens": tokens} for name, texts, tokens in costs
        ],
    }
    if not usage.sessions and not usage.features and not costs:
        return Done(data, Text("Nothing has been used yet."))
    sections = [
        _sessions_shown(usage),
        _section("Used", [_feature_shown(one) for one in usage.features]),
        _section("Commands", [f"{one.command}: {one.times}" for one in usage.commands]),
        _section(
            "Embeddings",
            [
                f"{name}: {_counted(texts, 'text')}, {_counted(tokens, 'token')}"
                for name, texts, tokens in costs
            ],
        ),
        _section("Errors", [_error_shown(services, one) for one in usage.errors]),
    ]
    return Done(data, Text("\n\n".join(filter(None, sections))))


def _usage_data(usage: Usage) -> dict[str, Any]:
    return {
        **usage._asdict(),
        "average_seconds": round(usage.average_seconds, 3),
        "messages_per_session": round(usage.messages_per_session, 3),
        "features": [
            {"name": one.name, "count": one.times, "parts": dict(one.parts)}
            for one in usage.features
        ],
        "commands": [{"command": one.command, "count": one.times} for one in usage.commands],
        "errors": [
            {
                "pattern": one.pattern,
                "count": one.times,
                "last_seen": one.last_seen,
                "resolved": one.resolved,
                "resolution": one.resolution,
            }
            for one in usage.errors
        ],
    }


def _sessions_shown(usage: Usage) -> str:
    from memoro.session.usage import duration

    lines = [f"{_counted(usage.sessions, 'session')} with {_counted(usage.messages, 'message')}"]
    if usage.messages:
        lines.append(
            f"on average {usage.messages_per_session:.1f} messages a session, and"
            f" {duration(usage.average_seconds)} from the first to the last"
        )
    if usage.peak_hours:
        hours = ", ".join(f"{one:02d}:00 ({usage.hours[one]:,})" for one in usage.peak_hours)
        lines.append(f"most of your messages at {hours}")
    return "\n".join(lines)


def _counted(number: int, word: str) -> str:
    return f"{number:,} {word}{'' if number == 1 else 's'}"


def _section(title: str, lines: Sequence[str]) -> str:
    return "\n".join([title, *(f"  {line}" for line in lines)]) if lines else ""


def _feature_shown(feature: Feature) -> str:
    parts = ", ".join(f"{part} {times:,}" for part, times in sorted(feature.parts.items()))
    return f"{feature.name}: {feature.times:,} ({parts})"


def _error_shown(services: Services, error: ErrorPattern) -> str:
    last = services.show_time(error.last_seen)
    line = f"{_counted(error.times, 'time')}, last {last}: {error.pattern}"
    if error.resolution is None:
        return f"{line}\n    no answer came after it"
    return f"{line}\n    {error.resolution} ({error.resolved:,} of {error.times:,} were answered)"

"""`memoro export`: all that is remembered, as JSON Lines that come back as they were."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from memoro.commands.learned.when import no_date
from memoro.commands.registry import Caller, Done, Lines, Result, Text
from memoro.commands.scopes import find_project
from memoro.errors import Reason, Refusal
from memoro.memory.dates.finding import read_window
from memoro.memory.projects import missing
from memoro.memory.records import KINDS, project_scope

if TYPE_CHECKING:
    from memoro.commands.services import Services

VERSION = 1


def export_memory(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Write what is remembered, with where it comes from and how it came about."""
    chosen = _chosen(services, arguments)
    if isinstance(chosen, Refusal):
        return chosen
    redact = bool(arguments.get("redact"))
    counts: dict[str, int] = {}
    texts = _texts(services, chosen, redact, counts)
    if arguments.get("out") is None:
        return Done(None, Lines(texts))
    written = services.exporting.write(arguments["out"], texts, bool(arguments.get("force")))
    if isinstance(written, Refusal):
        return written
    told = ", ".join(f"{count:,} {name}" for name, count in counts.items()) or "nothing"
    data = {"file": arguments["out"], "bytes": written, "lines": counts, "redacted": redact}
    return Done(data, Text(f"{arguments['out']}: {told}; {written:,} bytes"))


def _chosen(services: Services, arguments: Mapping[str, Any]) -> dict[str, Any] | Refusal:
    """What is asked for, as the store takes it."""
    kinds = arguments.get("kind") or None
    unknown = next((one for one in kinds or () if one not in KINDS), None)
    if unknown is not None:
        return Refusal(
            Reason.USAGE, f"there is no kind {unknown!r}", f"one of: {', '.join(sorted(KINDS))}"
        )
    project, scopes = arguments.get("project"), None
    if project is not None:
        if find_project(services, project) is None:
            return missing(project)
        scopes = [project_scope(project)]
    since = None
    if arguments.get("since") is not None:
        calendar = services.learned.calendar()
        window = read_window(arguments["since"], calendar.day(services.now()))
        if window is None or window.start is None:
            return no_date("--since", arguments["since"])
        since = calendar.start(window.start)
    everything = kinds is None and scopes is None and since is None
    return {"kinds": kinds, "scopes": scopes, "since": since, "conversations": everything}


def _texts(
    services: Services, chosen: Mapping[str, Any], redact: bool, counts: dict[str, int]
) -> Iterator[str]:
    text = services.exporting.text
    yield text({"memoro": VERSION, **_told(chosen), **({"redacted": True} if redact else {})})
    mask = _mask(services) if redact else None
    for line in services.exporting.lines(services.store, chosen):
        shown: Mapping[str, Any] | None = line
        if mask is not None:
            from memoro.memory.plain.redacting import redacted

            shown = redacted(line, mask)
        if shown is not None:
            kind = str(line["type"])
            counts[kind] = counts.get(kind, 0) + 1
            yield text(shown)


def _told(chosen: Mapping[str, Any]) -> dict[str, Any]:
    """What was chosen, for the first line."""
    since = chosen["since"]
    told = {
        "kinds": chosen["kinds"],
        "scopes": chosen["scopes"],
        "since": None if since is None else since.isoformat(),
    }
    return {name: value for name, value in told.items() if value is not None}


def _mask(services: Services) -> Callable[[str], str]:
    mask = services.learned.mask
    return lambda text: mask(text).text

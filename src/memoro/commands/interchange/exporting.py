"""`memoro export`: all that is remembered, as JSON Lines that come back as they were."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from memoro.commands.interchange.wording import counted
from memoro.commands.learned.ground import project_ground
from memoro.commands.learned.when import no_date
from memoro.commands.registry import Caller, Done, Lines, Result, Text
from memoro.commands.scopes import find_project
from memoro.errors import Reason, Refusal
from memoro.memory.dates.finding import read_window
from memoro.memory.plain.exported import FORM, NAME, Tally
from memoro.memory.projects import missing
from memoro.memory.records import GLOBAL, KINDS, project_name, project_scope

if TYPE_CHECKING:
    from memoro.commands.services import Services
    from memoro.memory.plain.redacting import Redaction


def export_memory(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Write what is remembered, with where it comes from and how it came about."""
    chosen = _chosen(services, arguments)
    if isinstance(chosen, Refusal):
        return chosen
    redaction = _redaction(services) if arguments.get("redact") else None
    counts: dict[str, int] = {}
    texts = _texts(services, chosen, redaction, counts)
    if arguments.get("out") is None:
        return Done(None, Lines(texts))
    written = services.exporting.write(arguments["out"], texts, bool(arguments.get("force")))
    if isinstance(written, Refusal):
        return written
    data = {
        "file": arguments["out"],
        "bytes": written,
        "form": FORM,
        "lines": counts,
        "redacted": redaction is not None,
    }
    told = Text(f"{arguments['out']}: {counted(counts)}; {written:,} bytes")
    return Done(data, told, () if redaction is None else redaction.notices())


def _chosen(services: Services, arguments: Mapping[str, Any]) -> dict[str, Any] | Refusal:
    """What is asked for, as the store takes it."""
    kinds = arguments.get("kind") or None
    unknown = next((one for one in kinds or () if one not in KINDS), None)
    if unknown is not None:
        return Refusal(
            Reason.USAGE, f"there is no kind {unknown!r}", f"one of: {', '.join(sorted(KINDS))}"
        )
    scopes = _scopes(services, arguments.get("project"))
    if isinstance(scopes, Refusal):
        return scopes
    since = None
    if arguments.get("since") is not None:
        calendar = services.learned.calendar()
        window = read_window(arguments["since"], calendar.day(services.now()))
        if window is None or window.start is None:
            return no_date("--since", arguments["since"])
        since = calendar.start(window.start)
    everything = kinds is None and scopes is None and since is None
    return {"kinds": kinds, "scopes": scopes, "since": since, "conversations": everything}


def _scopes(services: Services, name: str | None) -> list[str] | Refusal | None:
    """The scopes of a project, by its name or as an export writes it ("project:web"): its own one,
    and that of its folder, from before it had a name. "global" is what belongs to none."""
    if name is None:
        return None
    named = name if find_project(services, name) is not None else project_name(name)
    if named is not None and find_project(services, named) is not None:
        return list(dict.fromkeys((project_scope(named), project_ground(services, named))))
    return [GLOBAL] if name == GLOBAL else missing(named or name)


def _texts(
    services: Services,
    chosen: Mapping[str, Any],
    redaction: Redaction | None,
    counts: dict[str, int],
) -> Iterator[str]:
    """The lines, and a last one that tells of them."""
    tally = Tally()

    def text(line: Mapping[str, Any]) -> str:
        made = services.exporting.text(line)
        tally.add(made[:-1].encode())
        return made

    yield text({NAME: FORM, **_told(chosen), **({} if redaction is None else {"redacted": True})})
    kinds = () if redaction is None else redaction.kinds
    seen = None if redaction is None else redaction.learn
    for line in services.exporting.lines(services.store, chosen, kinds, seen):
        shown = line if redaction is None else redaction.redacted(line)
        if shown is not None:
            kind = str(line["type"])
            counts[kind] = counts.get(kind, 0) + 1
            yield text(shown)
    yield services.exporting.text(tally.closing())


def _told(chosen: Mapping[str, Any]) -> dict[str, Any]:
    """What was chosen, for the first line."""
    since = chosen["since"]
    told = {
        "kinds": chosen["kinds"],
        "scopes": chosen["scopes"],
        "since": None if since is None else since.isoformat(),
    }
    return {name: value for name, value in told.items() if value is not None}


def _redaction(services: Services) -> Redaction:
    from memoro.memory.plain.redacting import Redaction

    mask = services.learned.mask
    return Redaction(lambda text: mask(text).text)

"""Our own export into an empty store: all of it, as it was."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from memoro.commands.registry import Caller, Done, Result, Text
from memoro.commands.scopes import origin
from memoro.errors import Reason, Refusal
from memoro.memory.imported import LeftOut

if TYPE_CHECKING:
    from memoro.commands.services import Services

_SHOWN = 10
_EVERY = 5_000


def restore_export(services: Services, path: str, caller: Caller, rehearsal: bool) -> Result:
    """Bring back what an export holds."""
    left_out: list[tuple[str, str]] = []
    counts: dict[str, int] = {}
    change = None
    found = _lines(services, path, left_out)
    if rehearsal:
        for _, line in found:
            counts[str(line.get("type"))] = counts.get(str(line.get("type")), 0) + 1
    else:
        restored = services.exporting.bring_back(services.store, found, origin(services, caller))
        services.importing.progress("")
        if restored is None:
            return Refusal(
                Reason.CONFLICT, "the store is empty no more; nothing was imported", "try again"
            )
        counts, change = dict(restored.counts), restored.change
        left_out += restored.rejected
        services.recalling.keep_embedding(services.store, None)
    return Done(
        {
            "kind": "memoro",
            "path": path,
            "dry_run": rehearsal,
            "change": change,
            "new": counts,
            "left_out": [{"place": place, "why": why} for place, why in left_out],
        },
        Text("\n".join(_told(path, counts, change, rehearsal))),
        tuple(_left_out(left_out)),
        ok=not left_out,
    )


def _lines(
    services: Services, path: str, left_out: list[tuple[str, str]]
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for number, one in enumerate(services.exporting.read(path), 1):
        if number % _EVERY == 0:
            services.importing.progress(f"{number:,} lines read …")
        if isinstance(one, LeftOut):
            left_out.append((one.place, one.why))
        else:
            yield one


def _told(
    path: str, counts: Mapping[str, int], change: int | None, rehearsal: bool
) -> Iterator[str]:
    what = ", ".join(f"{count:,} {name}" for name, count in counts.items()) or "nothing"
    if rehearsal:
        yield f"{path}: {what} would come into the empty store; nothing was changed"
        return
    yield f"{path}: {what}"
    if change is not None:
        yield f"to take the records back: memoro memory undo {change}"


def _left_out(left_out: list[tuple[str, str]]) -> Iterator[str]:
    for place, why in left_out[:_SHOWN]:
        yield f"{place}: {why}"
    if len(left_out) > _SHOWN:
        yield f"{len(left_out) - _SHOWN:,} more lines were left out (all with --json)"

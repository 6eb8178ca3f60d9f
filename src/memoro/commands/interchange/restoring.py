"""Our own export into an empty store: all of it, as it was."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from memoro.commands.interchange.wording import counted
from memoro.commands.registry import Caller, Done, Result, Text
from memoro.commands.scopes import origin
from memoro.errors import Reason, Refusal
from memoro.memory.imported import LeftOut

if TYPE_CHECKING:
    from memoro.commands.ports import Restored
    from memoro.commands.services import Services
    from memoro.memory.plain.exported import Examined
    from memoro.memory.store import MemoryStore

SHOWN = 10
MOST_TOLD = 10_000
"""So many lines that were left out are told one by one; what is beyond is counted."""
_EVERY = 5_000


class Source:
    """The lines of an export as they come; what can't be read is put aside."""

    def __init__(self, services: Services, path: str, seen: Examined) -> None:
        self._services = services
        self._path = path
        self._seen = seen
        self.left_out: list[LeftOut] = []
        self.more_left_out: int = 0

    def lines(self) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Each line with its place."""
        importing = self._services.importing
        for number, one in enumerate(self._services.exporting.read(self._path, self._seen.form), 1):
            if number % _EVERY == 0:
                importing.progress(f"{number:,} of {self._seen.lines:,} lines read …")
            if isinstance(one, LeftOut):
                self.leave_out(one)
            else:
                yield one

    def leave_out(self, one: LeftOut) -> None:
        """Note what is left out."""
        if len(self.left_out) < MOST_TOLD:
            self.left_out.append(one)
        else:
            self.more_left_out += 1


def restore_export(
    services: Services,
    store: MemoryStore,
    path: str,
    seen: Examined,
    caller: Caller,
    rehearsal: bool,
) -> Result:
    """Bring back what an export holds."""
    source = Source(services, path, seen)
    restored = services.exporting.bring_back(
        store, source.lines(), origin(services, caller), rehearsal
    )
    services.importing.progress("")
    if restored is None:
        return Refusal(
            Reason.CONFLICT, "the store is empty no more; nothing was imported", "try again"
        )
    for place, why in restored.rejected:
        source.leave_out(LeftOut(place, why))
    source.more_left_out += restored.more_rejected
    if restored.change is not None:
        services.recalling.keep_embedding(store, None)
    return Done(
        {
            "kind": "memoro",
            "path": path,
            "form": seen.form,
            "missing": seen.missing,
            "dry_run": rehearsal,
            "change": restored.change,
            "new": dict(restored.counts),
            "left_out": [{"place": place, "why": why} for place, why in source.left_out],
            "more_left_out": source.more_left_out,
            "unknown_fields": {kind: dict(names) for kind, names in restored.unknown.items()},
        },
        Text("\n".join(_told(path, restored, rehearsal))),
        (*_left_out(source), *unknown_told(restored.unknown), *_loose(restored)),
        ok=not source.left_out and not restored.unknown,
    )


def _told(path: str, restored: Restored, rehearsal: bool) -> Iterator[str]:
    what = counted(restored.counts)
    if rehearsal:
        yield f"{path}: {what} would come into the empty store; nothing was changed"
        return
    yield f"{path}: {what}"
    if restored.change is not None:
        yield f"to take it back: memoro memory undo {restored.change}"


def unknown_told(unknown: Mapping[str, Mapping[str, int]]) -> Iterator[str]:
    """The fields that nothing here has, by type of line."""
    for kind, names in unknown.items():
        told = ", ".join(f"{name} ({count:,})" for name, count in sorted(names.items()))
        yield f"left out of lines of type {kind!r}, as fields that are not known here: {told}"


def _loose(restored: Restored) -> Iterator[str]:
    if restored.loose:
        yield (
            f"changes that take back one which is not in the file: {restored.loose:,};"
            " they came without saying so"
        )


def _left_out(source: Source) -> Iterator[str]:
    for place, why in source.left_out[:SHOWN]:
        yield f"{place}: {why}"
    count = len(source.left_out) + source.more_left_out
    if count > SHOWN:
        yield f"{count - SHOWN:,} more lines were left out (with --json: which)"

"""What is told of an import."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from memoro.commands.ports import Kept
from memoro.memory.imported import LeftOut
from memoro.memory.importing.outcome import Counted, Planned
from memoro.memory.records import PROPOSAL, SAVED_FACT, Record, shown

SHOWN = 10
"""So many reasons are shown; all of them in JSON."""

_WORDS = {
    "fact": "facts",
    "saved_fact": "saved facts",
    "profile": "profile",
    "topic": "topics",
    "work": "projects",
    "episode": "episodes",
    "daily": "daily notes",
    "note": "notes",
    "conversation": "conversations",
    "other": "other",
}


_SEEN_WITH = {
    "fact": "memory facts --all",
    "saved_fact": "memory list",
    "profile": "memory profile",
    "topic": "memory topics",
    "work": "memory projects",
    "episode": "memory timeline",
    "daily": "memory day DATE",
    "note": "note list",
    "conversation": "chat list",
}
_PAST = " (see memoro memory facts --past)"


class Read(Protocol):
    """What was read."""

    left_out: list[LeftOut]
    more_left_out: int
    secrets: Counter[str]
    orders: Counter[str]
    masked: int


class Import(NamedTuple):
    """An import that was made, or rehearsed. `wrong` are the IDs of records that are not in the
    store as they were to be."""

    kind: str
    path: str
    rehearsal: bool
    read: Read
    kept: Kept
    wrong: Sequence[str]

    @property
    def planned(self) -> Planned:
        """What came of the records."""
        return self.kept.planned

    @property
    def left_out(self) -> list[LeftOut]:
        """All that was left out, and why."""
        return [*self.read.left_out, *self.planned.left_out, *self.kept.left_out]

    @property
    def counts(self) -> dict[str, Counted]:
        """What was found of each kind."""
        counts = dict(self.planned.counts)
        kept, read = self.kept, self.read
        lost = len(kept.left_out)
        if kept.conversations or kept.known or lost:
            counts["conversation"] = Counted(kept.conversations, kept.known, lost)
        unread = len(read.left_out) + read.more_left_out
        if unread:
            # What could not be read is of no kind yet.
            counts["other"] = Counted(left_out=unread)
        return counts

    @property
    def new(self) -> int:
        """How much is new."""
        return sum(one.new for one in self.counts.values())


def data_of(done: Import) -> dict[str, Any]:
    """An import for programs."""
    read = done.read
    return {
        "kind": done.kind,
        "path": done.path,
        "dry_run": done.rehearsal,
        "change": done.kept.change,
        "new": done.new,
        "known": sum(one.known for one in done.counts.values()),
        "merged": sum(one.merged for one in done.counts.values()),
        "counts": {
            kind: {
                "found": one.found,
                "new": one.new,
                "merged": one.merged,
                "known": one.known,
                "left_out": one.left_out,
            }
            for kind, one in done.counts.items()
        },
        "turns": done.kept.turns,
        "left_out": [{"place": one.place, "why": one.why} for one in done.left_out],
        "more_left_out": read.more_left_out,
        "masked": read.masked,
        "masked_kinds": dict(read.secrets),
        "masked_orders": dict(read.orders),
        "archived": _listed(done.planned, done.planned.archived),
        "set_aside": _listed(done.planned, done.planned.aside),
        "outdated": _listed(done.planned, done.planned.outdated),
        "renamed": [{"key": one.key, "was": was} for one, was in _renamed(done.planned.records)],
        "in_inbox": [one.id for one in done.planned.records if one.kind == PROPOSAL.name],
        "checked": None if done.rehearsal else len(done.planned.records) - len(done.wrong),
        "wrong": list(done.wrong),
    }


def lines_of(done: Import) -> list[str]:
    """An import for people: what came of it, in lines."""
    would = "Would import" if done.rehearsal else "Imported"
    if done.new:
        lines = [f"{would} {done.new:,} new from {shown(done.path, 120)} ({done.kind})."]
    else:
        word = "Nothing new in" if done.counts else "There is nothing in"
        lines = [f"{word} {shown(done.path, 120)} ({done.kind}); nothing was changed."]
    lines += _table(done.counts)
    lines += _besides(done)
    lines += _left_out(done)
    if done.rehearsal:
        lines.append("Nothing was changed. To import it: the same without --dry-run")
    elif done.kept.change is not None:
        lines += _checked(done)
        shown_by = [_SEEN_WITH[kind] for kind, one in done.counts.items() if one.new]
        lines.append(f"To see it: memoro {' | memoro '.join(shown_by)}")
        lines.append(f"To take it back: memoro memory undo {done.kept.change}")
    return lines


def _table(counts: Mapping[str, Counted]) -> list[str]:
    if not counts:
        return []
    names = ["found", "new", "merged", "known", "left_out"]
    if not any(one.merged for one in counts.values()):
        names.remove("merged")
    rows = [["", *(name.replace("_", " ") for name in names)]]
    rows += [
        [_WORDS.get(kind, kind), *(f"{getattr(one, name):,}" for name in names)]
        for kind, one in counts.items()
    ]
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    return [
        "  "
        + "  ".join(
            cell.ljust(width) if at == 0 else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def _besides(done: Import) -> list[str]:
    planned = done.planned
    lines = _masked(done.read)
    renamed = _renamed(planned.records)
    for record, was in renamed[:SHOWN]:
        lines.append(f"The key {shown(was)} became {record.key}.")
    if len(renamed) > SHOWN:
        lines.append(f"… and {len(renamed) - SHOWN:,} more keys were changed (all with --json).")
    waiting = sum(one.kind == PROPOSAL.name for one in planned.records)
    if waiting:
        lines.append(f"Waiting for your word: {_many(waiting, 'directive')} (memoro memory inbox).")
    lines += _archived(planned)
    if planned.aside:
        lines.append(
            f"Set aside: {_many(len(planned.aside), 'fact')} against what is known here, which"
            f" stays{_PAST}."
        )
    merged = sum(one.merged for one in done.counts.values())
    if merged:
        lines.append(f"Merged: {_many(merged, 'fact')} that others of them say, too.")
    if planned.outdated:
        lines.append(
            f"Past: {_many(len(planned.outdated), 'fact')} that others of them bring up to date"
            f"{_PAST}."
        )
    return lines


def _masked(read: Read) -> list[str]:
    lines: list[str] = []
    if read.masked:
        kinds = ", ".join(sorted(read.secrets))
        lines.append(f"Secrets were masked in {read.masked:,} of them ({kinds}).")
    if read.orders:
        kinds = ", ".join(sorted(read.orders))
        lines.append(f"Masked besides: {_many(read.orders.total(), 'planted order')} ({kinds}).")
    return lines


def _archived(planned: Planned) -> list[str]:
    lines: list[str] = []
    theirs = sum(
        "archived" in one.data and one.id not in planned.archived for one in planned.records
    )
    if theirs:
        lines.append(
            f"In the archive, as there: {_many(theirs, 'fact')} (see memoro memory facts"
            " --archived)."
        )
    if planned.archived:
        count = _many(len(planned.archived), "fact")
        lines.append(
            f"Archived: {count}, the weakest of what came; a scope has no room for more"
            " (see memoro memory facts --archived; more room: memoro config set max_facts N)."
        )
    return lines


def _left_out(done: Import) -> list[str]:
    left_out = done.left_out
    count = len(left_out) + done.read.more_left_out
    if not count:
        return []
    lines = [f"Left out: {count:,}"]
    lines += [f"  {one.place}: {one.why}" for one in left_out[:SHOWN]]
    if count > SHOWN:
        lines.append(f"  … and {count - SHOWN:,} more (all with --json)")
    return lines


def _checked(done: Import) -> list[str]:
    count = len(done.planned.records)
    if not count:
        return []
    if done.wrong:
        return [
            f"Checked: {len(done.wrong):,} of {count:,} records are not in the store as they were"
            f" read: {', '.join(done.wrong[:SHOWN])}"
        ]
    told = "the new record is" if count == 1 else f"all {count:,} new records are"
    return [f"Checked: {told} in the store as {'it was' if count == 1 else 'they were'} read."]


def notices_of(done: Import, elsewhere: Mapping[str, int]) -> tuple[str, ...]:
    """What goes beside it: the folders that something was learned in, and that are not here."""
    if not done.new or not elsewhere:
        return ()
    most = sorted(elsewhere, key=lambda path: (-elsewhere[path], path))
    told = ", ".join(f"{shown(path, 80)} ({elsewhere[path]:,})" for path in most[:3])
    more = f" and {len(most) - 3:,} more" if len(most) > 3 else ""
    return (
        f"learned in folders that are not here: {told}{more}; it is shown with --all, or comes"
        " into a project with: memoro import --project NAME",
    )


def _listed(planned: Planned, ids: frozenset[str]) -> list[str]:
    return [one.id for one in planned.records if one.id in ids]


def _many(count: int, word: str) -> str:
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def _renamed(records: Sequence[Record]) -> list[tuple[Record, str]]:
    """The saved facts whose keys had to be changed, and what they were."""
    found: list[tuple[Record, str]] = []
    for one in records:
        was = one.data.get("imported", {}).get("id")
        if one.kind == SAVED_FACT.name and isinstance(was, str) and was != one.key:
            found.append((one, was))
    return found

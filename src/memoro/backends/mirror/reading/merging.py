"""Merging what a person changed in files into the store, as one change."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from memoro.backends.mirror.names import GROUPS, Group, group_behind
from memoro.backends.mirror.reading.basing import id_of
from memoro.backends.sqlite.store import SqliteStore
from memoro.errors import Refusal
from memoro.memory.facts.archive import compact
from memoro.memory.plain.edits import Bad, Edits, Entry, Gone, Item, Written, edits_of, joined
from memoro.memory.plain.form import Problem
from memoro.memory.plain.listing import Element
from memoro.memory.plain.merging import Merged, merge_plan
from memoro.memory.records import FACT, NOTE, SAVED_FACT
from memoro.memory.store import Origin

WRITER = "file"
"""Who makes the changes that come out of files, as the log has it."""

_MANY = 10
"""Of so many records in a file, more than half are not deleted without being asked."""


class Door(NamedTuple):
    """What everything passes that comes in: `mask` takes secrets out of a text and names their
    kinds; `max_facts` a scope may have."""

    mask: Callable[[str], tuple[str, tuple[str, ...]]]
    max_facts: Callable[[], int]


class Waiting(NamedTuple):
    """Records that were deleted in a file, so many `of` those that it had that somebody has to say
    that this was meant."""

    file: str
    deleted: int
    of: int


class Taken(NamedTuple):
    """What came of it.

    `change` is the merge's in the log, None where nothing changed; `refused` why it could not be
    made. `bad` are the elements that are no records, as they are written, by file; `waiting` the
    deletions that wait for a word. `masked` names the kinds of secrets that were taken out;
    `archived` counts facts that had to make room. `hints` say which file a new record was put into.
    """

    merged: Merged = Merged()
    change: int | None = None
    refused: Refusal | None = None
    bad: Mapping[str, Sequence[str]] = {}
    waiting: tuple[Waiting, ...] = ()
    masked: tuple[str, ...] = ()
    archived: int = 0
    hints: Mapping[str, str] = {}


class Source(NamedTuple):
    """The elements of files, by file; `base` is what they were made from, and `whole` the files in
    which a record that is missing was deleted."""

    elements: Mapping[str, Sequence[Element]]
    base: Mapping[str, Written]
    whole: frozenset[str]


def items_of(elements: Mapping[str, Sequence[Element]]) -> list[Item]:
    """Elements as the merge takes them."""
    return [_item(file, one) for file, found in elements.items() for one in found]


def take(
    store: SqliteStore,
    source: Source,
    door: Door,
    now: datetime,
    allowed: Collection[str] | None,
    *,
    refuse: bool = False,
) -> Taken:
    """Merge files.

    Args:
        store: the store.
        source: the files.
        door: what their texts pass.
        now: the time of the merge.
        allowed: the files whose deletions are meant, however many; None: of all. Of another one
            that has too many, nothing is taken until somebody says so.
        refuse: instead, those deletions are not made, and all else is taken.

    Raises:
        StoreError: as it says; nothing was changed.
    """
    edits, bad = _edits(source, now)
    waiting = [] if allowed is None else _waiting(source, edits, allowed)
    waits = {one.file for one in waiting}
    edits = edits._replace(gone=tuple(one for one in edits.gone if one.file not in waits))
    if not refuse:
        # What is not written anew is compared with the same again: nothing of it is taken yet.
        edits = edits._replace(
            altered=tuple(one for one in edits.altered if one.file not in waits),
            problems=tuple(one for one in edits.problems if one.file not in waits),
        )
        bad = {file: raws for file, raws in bad.items() if file not in waits}
    edits, masked = _masked(edits, door)
    hints = {one.read.record.id: one.file for one in edits.altered}
    if edits.is_empty:
        return Taken(bad=bad, waiting=() if refuse else tuple(waiting))
    told: list[Merged] = []
    applied = store.apply(merge_plan(edits, now, told.append), Origin(WRITER, now))
    merged = told[-1] if told else Merged(problems=edits.problems)
    bad = _with_bad(source, bad, merged.problems)
    taken = Taken(merged, None, None, bad, () if refuse else tuple(waiting), masked, 0, hints)
    if isinstance(applied, Refusal):
        return taken if not merged.changes else taken._replace(refused=applied)
    return taken._replace(change=applied.change, archived=_make_room(store, merged, door, now))


def _edits(source: Source, now: datetime) -> tuple[Edits, dict[str, list[str]]]:
    """What was changed; and by file, how the elements are written that can't be understood."""
    parts: list[Edits] = []
    for group, files in _by_group(source.elements).items():
        sound = {file: [one for one in source.elements[file] if not one.twice] for file in files}
        kinds = group.kinds if group is not None else _ALL_KINDS
        whole = source.whole & set(files)
        base = {
            record: written
            for record, written in source.base.items()
            if written.file in files or group_behind(written.file) == group
        }
        found = edits_of(base, items_of(sound), kinds, whole, now)
        parts.append(_with_twice(found, source.elements, files))
    edits = joined(parts)
    return edits, _with_bad(source, {}, edits.problems)


_ALL_KINDS = tuple(kind for group in GROUPS for kind in group.kinds)


def _by_group(files: Iterable[str]) -> dict[Group | None, list[str]]:
    found: dict[Group | None, list[str]] = {}
    for file in files:
        found.setdefault(group_behind(file), []).append(file)
    return found


def _with_twice(
    edits: Edits, elements: Mapping[str, Sequence[Element]], files: Sequence[str]
) -> Edits:
    """The edits with the elements that have a name twice, of which nothing can be taken: whatever
    they are, their records were not deleted."""
    problems: list[Bad] = []
    named: set[str] = set()
    doubtful: set[str] = set()
    for file in files:
        for one in elements[file]:
            if one.twice:
                record = id_of(_item(file, one))
                problem = Problem("", f"it has {one.twice} twice")
                problems.append(Bad(file, _place(one), record or None, problem, one.raw))
                named.add(record)
                doubtful |= set() if record else {file}
    if not problems:
        return edits
    gone = [one for one in edits.gone if one.record_id not in named]
    return edits._replace(
        problems=(*edits.problems, *problems),
        gone=tuple(one for one in gone if one.file not in doubtful),
        held_back=(
            *edits.held_back,
            *(one.record_id for one in gone if one.file in doubtful),
        ),
    )


def _waiting(source: Source, edits: Edits, allowed: Collection[str]) -> list[Waiting]:
    """The files that were emptied, or lost more than half."""
    found: list[Waiting] = []
    by_file: dict[str, list[Gone]] = {}
    for one in edits.gone:
        by_file.setdefault(one.file, []).append(one)
    for file, gone in by_file.items():
        had = sum(written.file == file for written in source.base.values())
        many = not source.elements.get(file) or (had >= _MANY and len(gone) > had / 2)
        if many and file not in allowed:
            found.append(Waiting(file, len(gone), had))
    return found


def _masked(edits: Edits, door: Door) -> tuple[Edits, tuple[str, ...]]:
    """The edits without secrets: masked where something is learned, refused where every prompt
    would send it. A note is the person's own document and stays as they wrote it."""
    kept: list[Entry] = []
    refused: list[Bad] = []
    found: dict[str, None] = {}
    for entry in edits.altered:
        record = entry.read.record
        text, kinds = (record.text, ()) if record.kind == NOTE.name else door.mask(record.text)
        if not kinds:
            kept.append(entry)
        elif record.kind == SAVED_FACT.name:
            what = f"it holds what looks like a secret ({', '.join(dict.fromkeys(kinds))})"
            problem = Problem("text", f"{what}; say where it is kept instead")
            refused.append(Bad(entry.file, entry.place, record.id, problem, ""))
        else:
            found |= dict.fromkeys(kinds)
            read = entry.read._replace(record=record._replace(text=text))
            kept.append(entry._replace(read=read))
    problems = (*edits.problems, *refused)
    return edits._replace(altered=tuple(kept), problems=problems), tuple(found)


def _with_bad(
    source: Source, bad: Mapping[str, Sequence[str]], problems: Iterable[Bad]
) -> dict[str, list[str]]:
    """The elements that problems are told of, as they are written, by file."""
    found = {file: list(raws) for file, raws in bad.items()}
    places = {
        (file, _place(one)): one.raw for file, listed in source.elements.items() for one in listed
    }
    for one in problems:
        raw = places.get((one.file, one.place))
        kept = found.setdefault(one.file, [])
        if raw is not None and raw not in kept:
            kept.append(raw)
    return {file: raws for file, raws in found.items() if raws}


def _make_room(store: SqliteStore, merged: Merged, door: Door, now: datetime) -> int:
    """Archive the weakest facts of scopes that the merge has filled beyond their limit."""
    scopes = sorted({one.scope for one in merged.added if one.kind == FACT.name})
    if not scopes:
        return 0
    applied = store.apply(compact(scopes, now, door.max_facts()), Origin(WRITER, now))
    return 0 if isinstance(applied, Refusal) else len(applied.records)


def _item(file: str, element: Element) -> Item:
    return Item(file, _place(element), element.value)


def _place(element: Element) -> str:
    return f"line {element.line}"

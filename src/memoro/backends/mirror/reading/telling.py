"""What people are told of a merge, a line each."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from memoro.backends.mirror.folder import Folder
from memoro.backends.mirror.reading.merging import Taken, Waiting
from memoro.memory.plain.edits import Bad
from memoro.memory.plain.listing import Broken
from memoro.memory.plain.merging import Conflict, Merged
from memoro.memory.projects import folder
from memoro.memory.records import PROJECT, Record, shown

_MOST_LINES = 10


def tell_taken(taken: Taken, where: Folder | None) -> list[str]:
    """What came of a merge, save what it has changed and the deletions that wait for a word."""
    merged = taken.merged
    lines: list[str] = []
    if taken.refused is not None:
        lines.append(f"the edited files could not be merged: {taken.refused.what}")
    lines += _cut([_conflict(one) for one in merged.conflicts], "conflicts")
    lines += _cut([_project(one) for one in merged.added if one.kind == PROJECT.name], "projects")
    lines += _cut([_bad(one, where) for one in _problems(taken)], "records that can't be read")
    if merged.held_back:
        lines.append(
            f"{counted(len(merged.held_back), 'record')} not found, and not deleted either: a line"
            " without a readable ID may be one of them"
        )
    if merged.aside:
        lines.append(
            f"fields that no record has were kept with {_names(merged.aside)}, under data, aside"
        )
    lines += [f"masked before it was kept: {kind}" for kind in taken.masked]
    if taken.archived:
        lines.append(f"{counted(taken.archived, 'fact')} went to the archive to make room")
    return lines


def tell_change(merged: Merged, change: int) -> str:
    """How many records a merge has changed, and how to take that back."""
    counts = [
        f"{len(records):,} {word}"
        for records, word in (
            (merged.added, "added"),
            (merged.changed, "changed"),
            (merged.deleted, "deleted"),
        )
        if records
    ]
    return (
        f"merged what was edited in the files: {', '.join(counts)}; to take it back:"
        f" memoro memory undo {change}"
    )


def tell_waiting(waiting: Waiting, folder: str) -> str:
    """What to do about many deletions at once."""
    path = os.path.join(folder, waiting.file)
    return (
        f"{path}: {waiting.deleted:,} of its {counted(waiting.of, 'record')} were deleted at once;"
        " nothing of it was taken yet. If that was meant: memoro memory merge --allow-deletions;"
        " to have them back in the file: memoro memory mirror --all"
    )


def tell_large(name: str, new: int, where: Folder) -> str:
    """What to do about a file in which a great deal was written."""
    return (
        f"{where.full(name)}: {new:,} records were added or changed at once; nothing of it was"
        " taken yet, because that takes a while: memoro memory merge"
    )


def tell_broken(name: str, broken: Broken, copy: str, where: Folder) -> str:
    """Where a file is broken, and the way back."""
    kept = where.full(copy)
    return (
        f"{where.full(name)}, line {broken.line}, column {broken.column}: {broken.what}; nothing of"
        f" it was taken. It is kept as {copy}; mend that, then: memoro memory merge {kept}"
    )


def tell_bad_kept(copy: str, where: Folder) -> str:
    """Where the records that could not be read are kept."""
    return f"they are kept as {copy}; mend that, then: memoro memory merge {where.full(copy)}"


def tell_missing(names: Sequence[str], where: Folder) -> str:
    """That files are gone, which deletes nothing."""
    rest = f" and {len(names) - 1:,} more" if len(names) > 1 else ""
    return (
        f"{where.full(names[0])}{rest} had been deleted; a file that is gone deletes no record, and"
        " it is written anew"
    )


def _problems(taken: Taken) -> Iterable[Bad]:
    return dict.fromkeys(taken.merged.problems)


def _conflict(one: Conflict) -> str:
    place = ", ".join(part for part in (one.file, one.place) if part)
    if one.kept_as == one.record_id:
        kept = "; yours was added again" if one.ours is None else "; yours is kept within it"
    elif one.kept_as:
        kept = f"; yours is kept as {one.kept_as}"
    else:
        kept = ""
    stands = f"; what stands here: {shown(one.ours.text, 60)}" if one.ours is not None else ""
    return f"{place}: {_named(one.theirs or one.ours, one.record_id)}: {one.why}{kept}{stands}"


def _project(one: Record) -> str:
    path = folder(one)
    known = f"project {one.key}, of another machine, is known here now"
    if path is None:
        return f"{known}, without a folder: memoro project add {one.key} PATH"
    elsewhere = f"memoro project remove {one.key}, then add it again; what it remembers is kept"
    return f"{known}, with the folder {path}; if it lies elsewhere: {elsewhere}"


def _bad(one: Bad, where: Folder | None) -> str:
    field = f"{one.problem.field}: " if one.problem.field else ""
    record = f" ({one.record_id})" if one.record_id else ""
    return f"{_path(one.file, where)}, {one.place}{record}: {field}{one.problem.what}"


def _named(record: Record | None, record_id: str) -> str:
    return record_id if record is None else (record.key or record_id)


def _cut(lines: Sequence[str], what: str) -> list[str]:
    rest = len(lines) - _MOST_LINES
    return [*lines[:_MOST_LINES], *([f"and {rest:,} more {what}"] if rest > 0 else [])]


def _names(names: Sequence[str]) -> str:
    rest = len(names) - 3
    return ", ".join(names[:3]) + (f" and {rest:,} more" if rest > 0 else "")


def _path(name: str, where: Folder | None) -> str:
    return name if where is None else where.full(name)


def counted(number: int, word: str) -> str:
    """A number of things, in words that fit it."""
    return f"{number:,} {word}{'' if number == 1 else 's'}"

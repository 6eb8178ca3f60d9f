"""What a person changed in the files: they against what was last written, without the store."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from memoro.memory.plain.form import (
    Problem,
    Read,
    digest_of,
    digest_of_value,
    from_plain,
    text_of_value,
)
from memoro.memory.plain.values import is_id

_MOST_TEXT = 2_000


class Written(NamedTuple):
    """What was last written of a record: the `digest` of its line, and the `file` it stands in."""

    digest: str
    file: str


class Item(NamedTuple):
    """One element of a file as it is now; `place` says where in it, for messages ("line 12")."""

    file: str
    place: str
    value: object


class Entry(NamedTuple):
    """An element that is new or not as it was written.

    `base` is the digest of what was written of its ID, None where that is nothing. `twin`: the
    files have another element of that ID, which counts as the record's.
    """

    file: str
    place: str
    read: Read
    base: str | None = None
    twin: bool = False


class Gone(NamedTuple):
    """A record that was written and stands in none of the files any more."""

    record_id: str
    base: str
    file: str


class Bad(NamedTuple):
    """An element that is no record, and why; `text` is what it says. Nothing comes of it."""

    file: str
    place: str
    record_id: str | None
    problem: Problem
    text: str


class Edits(NamedTuple):
    """What a person changed.

    `held_back` are IDs that were not found in a file that has elements without a readable ID: they
    may be one of those, so they don't count as deleted.
    """

    altered: tuple[Entry, ...] = ()
    gone: tuple[Gone, ...] = ()
    problems: tuple[Bad, ...] = ()
    held_back: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing was changed."""
        return not any(self)


class _Reading:
    """The elements of the files while they are gone through."""

    def __init__(self) -> None:
        self.untouched: set[str] = set()
        self.entries: dict[str, list[Entry]] = {}
        self.problems: list[Bad] = []
        self.doubtful: set[str] = set()
        """Files with elements whose ID can't be told."""

    def present(self) -> set[str]:
        named = {bad.record_id for bad in self.problems if bad.record_id is not None}
        return self.untouched | self.entries.keys() | named


def edits_of(
    base: Mapping[str, Written],
    items: Iterable[Item],
    kinds: Sequence[str],
    whole: Collection[str],
    now: datetime,
) -> Edits:
    """Compare files with what was last written into them.

    Args:
        base: what was written, by ID.
        items: the elements of the files as they are.
        kinds: the kinds of these files; an element that doesn't say is of the first.
        whole: the files that could be read to their end: only from these can a record be missing.
        now: the time of what has none.
    """
    reading = _Reading()
    for item in items:
        _take(reading, base, item, kinds, now)
    altered = [
        entry
        for record_id, entries in reading.entries.items()
        for entry in _told_apart(entries, record_id in reading.untouched)
    ]
    present = reading.present()
    missing = [
        Gone(record_id, written.digest, written.file)
        for record_id, written in base.items()
        if record_id not in present and written.file in whole
    ]
    return Edits(
        tuple(altered),
        tuple(one for one in missing if one.file not in reading.doubtful),
        tuple(reading.problems),
        tuple(one.record_id for one in missing if one.file in reading.doubtful),
    )


def joined(parts: Iterable[Edits]) -> Edits:
    """The edits of several kinds as one."""
    all_parts = list(parts)
    return Edits(
        tuple(one for part in all_parts for one in part.altered),
        tuple(one for part in all_parts for one in part.gone),
        tuple(one for part in all_parts for one in part.problems),
        tuple(one for part in all_parts for one in part.held_back),
    )


def _take(
    reading: _Reading,
    base: Mapping[str, Written],
    item: Item,
    kinds: Sequence[str],
    now: datetime,
) -> None:
    given = item.value.get("id") if isinstance(item.value, Mapping) else None
    record_id = given if isinstance(given, str) else None
    written = base.get(record_id) if record_id is not None else None
    if written is not None and digest_of_value(item.value) == written.digest:
        reading.untouched.add(record_id or "")
        return
    read = from_plain(item.value, _kind_of(item.value, kinds), now=now)
    if isinstance(read, Problem):
        known = record_id if record_id is not None and is_id(record_id) else None
        text = text_of_value(item.value)[:_MOST_TEXT]
        reading.problems.append(Bad(item.file, item.place, known, read, text))
        # One with an ID that was never written may have been another's before.
        if known not in base:
            reading.doubtful.add(item.file)
        return
    record = read.record
    written = base.get(record.id)
    if written is not None and not read.unknown and digest_of(record) == written.digest:
        reading.untouched.add(record.id)
        return
    entry = Entry(item.file, item.place, read, None if written is None else written.digest)
    reading.entries.setdefault(record.id, []).append(entry)


def _kind_of(value: object, kinds: Sequence[str]) -> str:
    said = value.get("kind") if isinstance(value, Mapping) else None
    return said if isinstance(said, str) and said in kinds else kinds[0]


def _told_apart(entries: Sequence[Entry], untouched: bool) -> Iterable[Entry]:
    """The elements of one ID: the first is the record's, unless that stands there untouched; what
    says the same again says nothing."""
    seen: set[str] = set()
    for entry in entries:
        digest = digest_of(entry.read.record)
        if digest not in seen:
            yield entry._replace(twin=untouched or bool(seen))
        seen.add(digest)

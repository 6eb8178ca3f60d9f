"""Searching every file of ours for what was erased, and the receipt."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from memoro.commands.erasing.saying import STORE, fix_of
from memoro.memory.erasing.needles import forms_of, needles_of
from memoro.memory.store import Applied

if TYPE_CHECKING:
    from memoro.commands.services import Services

MOST_RUNS = 100
"""So many runs of what was erased are looked for; reading the files for more takes long."""

_MOST_IDS = 20
"""So many IDs are looked for outside of the store."""

_PERSONAL = ("config.toml", "SOUL.md", "USER.md", "AGENTS.md")
"""The files that only a person writes."""

_NAMES = {
    "saved_fact": ("saved fact", "saved facts"),
    "profile": ("profile entry", "profile entries"),
    "work": ("project worked on", "projects worked on"),
    "daily": ("daily note", "daily notes"),
    "tool_call": ("tool record", "tool records"),
    "run": ("error of a run", "errors of runs"),
}


class Erased(NamedTuple):
    """What went: how many of each kind, the IDs of the records, every text of it, in how many of
    what else passages were replaced, and how many of what belongs to it stayed."""

    counts: Mapping[str, int]
    ids: Collection[str]
    texts: Iterable[str]
    passages: Mapping[str, int] | None = None
    stays: Mapping[str, int] = {}


class Receipt(NamedTuple):
    """What an erasing took away, without saying what that was.

    `counts` by kind; `passages` by what they stood in, None where these were not to be touched;
    `looked_for` runs of the texts, `missed` texts that are too short or too many to be looked for;
    `left` are files with a hit that nothing explains, `kept` files whose hits stand in what was
    kept on purpose, with the IDs of that; `unread` files that can't be read; `traces` where the IDs
    still are; `stays` what belongs to it and was not to go.
    """

    change: int
    at: datetime
    counts: Mapping[str, int]
    passages: Mapping[str, int] | None
    looked_for: int
    missed: int
    files: int
    bytes: int
    left: Sequence[str]
    kept: Mapping[str, Sequence[str]]
    unread: Sequence[str]
    remains: Sequence[str]
    traces: Sequence[str]
    stays: Mapping[str, int]

    @property
    def is_clean(self) -> bool:
        """Whether nothing is left that should be gone."""
        return not (self.left or self.unread or self.remains or self.traces)


def verified(services: Services, applied: Applied, erased: Erased) -> Receipt:
    """Search for what was erased."""
    needles, missed = needles_of(erased.texts, MOST_RUNS)
    gone = [one for one in erased.ids if services.store.get(one) is None]
    ids = dict.fromkeys(gone[:_MOST_IDS])
    erasing = services.erasing
    found = erasing.scan(
        {needle: forms_of(needle) for needle in needles} | {one: [one.encode()] for one in ids}
    )
    keepers = {
        needle: erasing.keepers(services.store, needle)
        for needle in dict.fromkeys(one for hits in found.hits.values() for one in hits)
    }
    home = services.places().home
    left: list[str] = []
    kept: dict[str, list[str]] = {}
    for path, hits in found.hits.items():
        # The store's log keeps the IDs of what went.
        told = [one for one in hits if one not in ids or not _is_store(path, home)]
        by = [_explained(path, home, keepers[needle]) for needle in told]
        if not all(by):
            left.append(path)
        elif by:
            kept[path] = list(dict.fromkeys(one for ones in by for one in ones))
    return Receipt(
        applied.change,
        services.now(),
        erased.counts,
        erased.passages,
        len(needles),
        missed,
        found.files,
        found.bytes,
        left,
        kept,
        found.unread,
        # What is not ours to clean was searched, too: without a hit, there is nothing to do.
        [one for one in applied.remains if not needles or one in left or _is_ours(one, home)],
        erasing.traces(services.store, gone),
        erased.stays,
    )


def _is_ours(path: str, home: str) -> bool:
    """Whether a file, or a folder, is one that we clean: not one that was set aside, or kept as a
    person left it."""
    place = path.removeprefix(home).strip("/")
    return _is_store(path, home) or place in ("backups", "memory") or _is_plain(place)


def _is_plain(place: str) -> bool:
    return place.startswith("memory/") and place.endswith((".json", ".md"))


def _is_store(path: str, home: str) -> bool:
    place = path.removeprefix(home).lstrip("/")
    return place in STORE or (place.startswith("backups/memory-") and place.endswith(".db"))


def _explained(path: str, home: str, keepers: Sequence[tuple[str, bool]]) -> list[str]:
    """What may stand in a file by right, of those that hold a text: all of it in the store, records
    in the plain files; in those that a person writes, what stands there. In any other, nothing."""
    if _is_store(path, home):
        return [one for one, _ in keepers]
    place = path.removeprefix(home).lstrip("/")
    if _is_plain(place):
        return [one for one, is_record in keepers if is_record]
    return ["what you wrote there"] if place in _PERSONAL else []


def data_of(receipt: Receipt) -> dict[str, Any]:
    """A receipt for programs."""
    return {**receipt._asdict(), "is_clean": receipt.is_clean}


def named(counts: Mapping[str, int]) -> str:
    """Numbers of things, for people."""
    return ", ".join(
        f"{count:,} {_NAMES.get(name, (name, name + 's'))[count != 1]}"
        for name, count in counts.items()
    )


def lines_of(receipt: Receipt, show_time: Callable[[datetime], str]) -> list[str]:
    """A receipt for people."""
    passages = f"; passages of it in {named(receipt.passages)}" if receipt.passages else ""
    lines = [
        f"Receipt of change {receipt.change}, {show_time(receipt.at)}:"
        f" erased {named(receipt.counts) or 'nothing'}{passages}",
        f"  searched {receipt.files:,} files, {receipt.bytes:,} bytes, for"
        f" {numbered(receipt.looked_for, 'piece')} of it: {_found(receipt)}",
    ]
    lines += [f"  still in the {place}, by its ID" for place in receipt.traces]
    lines += [f"  still there: {path}{fix_of(path)}" for path in receipt.left]
    lines += [
        f"  not cleaned yet: {path}{fix_of(path)}"
        for path in receipt.remains
        if path not in receipt.left
    ]
    lines += [f"  can't be read: {path}" for path in receipt.unread]
    if receipt.missed:
        texts = numbered(receipt.missed, "text")
        lines.append(f"  not looked for, as too short or too many: {texts} of it")
    return [*lines, *_kept(receipt)]


def numbered(count: int, name: str) -> str:
    """A number of things, for people."""
    return f"{count:,} {name}{'s' * (count != 1)}"


def _found(receipt: Receipt) -> str:
    if not receipt.looked_for:
        return "nothing of it can be looked for, so this proves nothing"
    if receipt.left:
        return f"hits in {numbered(len(receipt.left), 'file')}"
    return "no hit but in what was kept" if receipt.kept else "no hit"


def _kept(receipt: Receipt) -> list[str]:
    """What was kept on purpose, and why."""
    lines = [
        f"  kept on purpose in {path}: some of it is also said by {', '.join(by[:5])}"
        for path, by in receipt.kept.items()
    ]
    if receipt.stays:
        lines.append(f"  kept, since --everywhere was not given: {named(receipt.stays)}")
    if receipt.passages is None:
        lines.append(
            "  kept on purpose: messages, tool records and notes, as they say what was said"
            " (memoro chat delete ID); what is learned from them again comes back"
        )
    lines.append(
        "  kept on purpose, without content: that it was done, when, by whom; times of use"
    )
    return lines

"""Searching every file of ours for what was erased, and the receipt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from memoro.memory.erasing.needles import forms_of, needles_of
from memoro.memory.store import Applied

if TYPE_CHECKING:
    from memoro.commands.services import Services

MOST_RUNS = 100
"""So many runs of what was erased are looked for; reading the files for more takes long."""

KEPT = "messages and tool records stay till their conversation goes: memoro chat delete ID"


_STORE = ("memory.db", "memory.db-wal", "memory.db-shm")
_PERSONAL = ("config.toml", "SOUL.md", "USER.md", "AGENTS.md")
"""The files that only a person writes."""


class Receipt(NamedTuple):
    """What an erasing took away, without saying what that was.

    `counts` by kind; `looked_for` runs of the texts, `missed` texts that are too short or too many
    to be looked for; `left` are files with a hit that nothing explains, `kept` files whose hits
    stand in what was kept on purpose, with the IDs of that; `unread` files that can't be read.
    """

    change: int
    counts: Mapping[str, int]
    looked_for: int
    missed: int
    files: int
    bytes: int
    left: Sequence[str]
    kept: Mapping[str, Sequence[str]]
    unread: Sequence[str]
    remains: Sequence[str]

    @property
    def is_clean(self) -> bool:
        """Whether nothing is left that should be gone."""
        return not (self.left or self.unread or self.remains)


def verified(
    services: Services, applied: Applied, counts: Mapping[str, int], texts: Iterable[str]
) -> Receipt:
    """Search for texts that were erased."""
    needles, missed = needles_of(texts, MOST_RUNS)
    erasing = services.erasing
    found = erasing.scan({needle: forms_of(needle) for needle in needles})
    keepers = {
        needle: erasing.keepers(services.store, needle)
        for needle in dict.fromkeys(one for hits in found.hits.values() for one in hits)
    }
    home = services.places().home
    left: list[str] = []
    kept: dict[str, list[str]] = {}
    for path, hits in found.hits.items():
        by = [_explained(path, home, keepers[needle]) for needle in hits]
        if not all(by):
            left.append(path)
        else:
            kept[path] = list(dict.fromkeys(one for ones in by for one in ones))
    return Receipt(
        applied.change,
        counts,
        len(needles),
        missed,
        found.files,
        found.bytes,
        left,
        kept,
        found.unread,
        applied.remains,
    )


def _explained(path: str, home: str, keepers: Sequence[tuple[str, bool]]) -> list[str]:
    """What may stand in a file by right, of those that hold a text: all of it in the store, records
    in the plain files; in those that a person writes, what stands there. In any other, nothing."""
    place = path.removeprefix(home).lstrip("/")
    if place in _STORE or (place.startswith("backups/memory-") and place.endswith(".db")):
        return [one for one, _ in keepers]
    if place.startswith("memory/") and place.endswith((".json", ".md")):
        return [one for one, is_record in keepers if is_record]
    return ["what you wrote there"] if place in _PERSONAL else []


def data_of(receipt: Receipt) -> dict[str, Any]:
    """A receipt for programs."""
    return {**receipt._asdict(), "is_clean": receipt.is_clean}


def _found(receipt: Receipt, hits: int) -> str:
    if not receipt.looked_for:
        return "nothing of it can be looked for, so this proves nothing"
    return f"hits in {hits} files" if hits else "no hit"


def lines_of(receipt: Receipt) -> list[str]:
    """A receipt for people."""
    what = ", ".join(f"{count:,} {name}" for name, count in receipt.counts.items()) or "nothing"
    hits = len(receipt.left)
    lines = [
        f"Receipt of change {receipt.change}: erased {what}",
        f"  searched {receipt.files:,} files, {receipt.bytes:,} bytes, for {receipt.looked_for:,}"
        f" pieces of it: {_found(receipt, hits)}",
    ]
    lines += [f"  still there: {path}" for path in receipt.left]
    lines += [f"  not cleaned yet: {path}" for path in receipt.remains]
    lines += [f"  can't be read: {path}" for path in receipt.unread]
    if receipt.missed:
        lines.append(f"  {receipt.missed:,} texts were too short, or too many, to be looked for")
    for path, by in receipt.kept.items():
        lines.append(f"  kept on purpose in {path}: some of it is also said by {', '.join(by[:5])}")
    if receipt.kept:
        lines.append(f"  {KEPT}; what is learned from them again comes back")
    return lines

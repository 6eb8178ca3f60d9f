"""What today's rules would not let in any more, among what is stored."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from memoro.memory.records import Record, Trust


class Swept(NamedTuple):
    """A record as it is, as it would be, the kinds of what was found in it, and the words that it
    would have no more."""

    before: Record
    after: Record
    found: tuple[str, ...]
    gone: tuple[str, ...]


Mask = Callable[[str], tuple[str, tuple[str, ...]]]
"""A text without what may not stand in it, and the kinds of that."""


def swept(
    records: Iterable[Record], of_user: Mask, of_others: Mask, now: datetime
) -> Iterator[Swept]:
    """The records that hold something which may not be stored, masked: by other rules where the
    user stands behind them."""
    for record in records:
        found: list[str] = []
        gone: list[str] = []
        mask = of_user if record.trust == Trust.USER else of_others
        text = _masked(record.text, mask, found, gone)
        data = _masked(record.data, mask, found, gone)
        tags = _masked(record.tags, mask, found, gone)
        if found:
            after = record._replace(
                text=text, data=data, tags=tuple(tags), updated_at=now, revision=record.revision + 1
            )
            yield Swept(record, after, tuple(dict.fromkeys(found)), tuple(gone))


def gone_from(before: str, after: str) -> list[str]:
    """The words of a text that another has no more."""
    kept = set(after.split())
    return [word for word in before.split() if word not in kept]


def _masked(value: Any, mask: Mask, found: list[str], gone: list[str]) -> Any:
    if isinstance(value, str):
        text, kinds = mask(value)
        found.extend(kinds)
        gone.extend(gone_from(value, text))
        return text
    if isinstance(value, Mapping):
        return {name: _masked(one, mask, found, gone) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_masked(one, mask, found, gone) for one in value]
    return value

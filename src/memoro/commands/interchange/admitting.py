"""The door that everything imported comes through: secrets masked, planted orders masked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from memoro.bootstrap.reading.scan import scan
from memoro.commands.ports import Masked
from memoro.memory.records import Record

_NOT_SAID = frozenset({"date", "first_seen", "last_seen", "last_active", "confirmed_at", "facts"})
"""Fields of a record's data that hold no words of anybody."""

_SHORT = 100
_MOST_KNOWN = 10_000


class Admitted(NamedTuple):
    """A record that may be kept, and what was masked in it, by kinds."""

    record: Record
    secrets: tuple[str, ...] = ()
    orders: tuple[str, ...] = ()


class _Cleaned(NamedTuple):
    """A text as it may be kept, and the kinds of what was masked in it."""

    text: str
    secrets: tuple[str, ...]
    orders: tuple[str, ...]


class Door:
    """Lets records in. `mask` takes the secrets out of a text."""

    def __init__(self, mask: Callable[[str], Masked]) -> None:
        self._mask = mask
        self._known: dict[str, _Cleaned] = {}

    def admit(self, record: Record) -> Admitted:
        """A record without secrets, and without orders that pose as the system's."""
        secrets: list[str] = []
        orders: list[str] = []

        def clean(text: str) -> str:
            found = self._known.get(text) or self._cleaned(text)
            secrets.extend(found.secrets)
            orders.extend(found.orders)
            return found.text

        said = {name for name in record.data if name not in _NOT_SAID}
        data = {
            name: _cleaned(one, clean) if name in said else one for name, one in record.data.items()
        }
        text = clean(record.text)
        tags = tuple(clean(tag) for tag in record.tags)
        return Admitted(
            record._replace(text=text, tags=tags, data=data), tuple(secrets), tuple(orders)
        )

    def _cleaned(self, text: str) -> _Cleaned:
        masked = self._mask(text)
        found = scan(masked.text)
        cleaned = _Cleaned(found.text, masked.kinds, tuple(hit.category for hit in found.hits))
        # File names, tags and the like are those of many records.
        if len(text) <= _SHORT and len(self._known) < _MOST_KNOWN:
            self._known[text] = cleaned
        return cleaned


def _cleaned(value: Any, clean: Callable[[str], str]) -> Any:
    """A value of a record's data with each text in it cleaned."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, Mapping):
        return {str(name): _cleaned(one, clean) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_cleaned(one, clean) for one in value]
    return value

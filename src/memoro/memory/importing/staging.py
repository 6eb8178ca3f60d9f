"""The store as it would be with what is to be imported."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import datetime

from memoro.memory.facts.statement import is_current
from memoro.memory.importing.rivals import Rivals
from memoro.memory.records import FACT, Record
from memoro.memory.store import LoggedChange, Reader, Use

Identify = Callable[[Record], Sequence[str]]
"""What a record's content is known by: in one way, or in several."""


class Staged:
    """`memoro.memory.store.Reader` over another one, with records that are put before it.

    What is compared by its words or its strength is that of the store alone, or of what comes in
    alone: see `rivals` and `newcomers`.
    """

    def __init__(self, reader: Reader) -> None:
        self.reader: Reader = reader
        self._new: dict[str, Record] = {}
        self._stored: dict[tuple[str, str], list[Record]] = {}
        self._keys: dict[tuple[str, str], dict[str, Record]] = {}
        self._known: dict[str, dict[str, Record]] = {}
        self._forgotten: set[str] = set()
        self._rivals: dict[tuple[str, str], Rivals] = {}

    @property
    def new(self) -> list[Record]:
        """The records that are put before the store, in their order."""
        return list(self._new.values())

    def put(self, record: Record) -> None:
        """Put a new record before the store, or another version of one."""
        self._new[record.id] = record
        if record.key is not None:
            self._keyed(record.kind, record.scope)[record.key] = record

    def drop(self, record: Record) -> None:
        """Take a new record away again."""
        self._new.pop(record.id, None)
        if record.key is not None:
            self._keyed(record.kind, record.scope).pop(record.key, None)

    def is_stored(self, record: Record) -> bool:
        """Whether a record stands in the store itself."""
        return record.id not in self._new

    def stored(self, kind: str, scope: str) -> list[Record]:
        """The store's own records of a kind and scope, read once."""
        place = (kind, scope)
        if place not in self._stored:
            self._stored[place] = self.reader.select(kind, scope)
        return self._stored[place]

    def same(self, kind: str, scope: str, identity: str, identify: Identify) -> Record | None:
        """The record of that kind and scope that says the same, by what identifies its content."""
        known = self._known.get(f"{kind}\0{scope}")
        if known is None:
            known = {name: one for one in self.stored(kind, scope) for name in identify(one)}
            self._known[f"{kind}\0{scope}"] = known
        found = known.get(identity)
        return None if found is None else self._new.get(found.id, found)

    def know(self, record: Record, *identities: str) -> None:
        """Remember what a new record says."""
        known = self._known.setdefault(f"{record.kind}\0{record.scope}", {})
        known.update(dict.fromkeys(identities, record))

    def rivals(self, scope: str) -> Rivals:
        """The store's own current facts of a scope, to be compared with."""
        if ("stored", scope) not in self._rivals:
            current = filter(is_current, self.stored(FACT.name, scope))
            self._rivals["stored", scope] = Rivals(current)
        return self._rivals["stored", scope]

    def newcomers(self, scope: str) -> Rivals:
        """The current facts of a scope that are new themselves."""
        return self._rivals.setdefault(("new", scope), Rivals())

    def kept_out(self, scope: str) -> Rivals:
        """Facts of a scope that came, too, and were forgotten here for good."""
        return self._rivals.setdefault(("forgotten", scope), Rivals())

    def mind_forgotten(self, ids: Iterable[str]) -> None:
        """Look up which of these were forgotten for good, all at once."""
        self._forgotten |= self.reader.forgotten([one for one in ids if one])

    def was_forgotten(self, *ids: str) -> bool:
        """Whether one of these, which were looked up, was forgotten for good."""
        return not self._forgotten.isdisjoint(ids)

    def select(
        self, kind: str, scope: str | None = None, *, key: str | None = None
    ) -> list[Record]:
        """See `memoro.memory.store.Reader`."""
        if scope is None:
            new = [one for one in self._new.values() if one.kind == kind]
            return [*self.reader.select(kind, key=key), *(one for one in new if _has(one, key))]
        if key is not None:
            found = self._keyed(kind, scope).get(key)
            return [] if found is None else [found]
        keyed = [one for one in self._new.values() if (one.kind, one.scope) == (kind, scope)]
        return [*self.stored(kind, scope), *keyed]

    def get(self, record_id: str) -> Record | None:
        """See `memoro.memory.store.Reader`."""
        return self._new.get(record_id) or self.reader.get(record_id)

    def changes(
        self,
        *,
        scope: str | None = None,
        record: str | None = None,
        kind: str | None = None,
        key: str | None = None,
        limit: int | None = None,
    ) -> list[LoggedChange]:
        """See `memoro.memory.store.Reader`. Of one record only a forgetting counts here: its other
        changes would be read with all that was changed together with it."""
        if record is not None and not self.reader.forgotten([record]):
            return []
        return self.reader.changes(scope=scope, record=record, kind=kind, key=key, limit=limit)

    def beginning(self, prefix: str, limit: int) -> list[str]:
        """See `memoro.memory.store.Reader`."""
        return self.reader.beginning(prefix, limit)

    def turns(self, sessions: Collection[str]) -> dict[str, int]:
        """See `memoro.memory.store.Reader`."""
        return self.reader.turns(sessions)

    def forgotten(self, ids: Collection[str]) -> set[str]:
        """See `memoro.memory.store.Reader`."""
        return self.reader.forgotten(ids)

    def change(self, change_id: int) -> LoggedChange | None:
        """See `memoro.memory.store.Reader`."""
        return self.reader.change(change_id)

    def alike(self, kind: str, scope: str, words: Collection[str], limit: int) -> list[Record]:
        """See `memoro.memory.store.Reader`."""
        return self.reader.alike(kind, scope, words, limit)

    def about(self, words: Collection[str], limit: int) -> list[Record]:
        """See `memoro.memory.store.Reader`."""
        return self.reader.about(words, limit)

    def weakest(
        self,
        kind: str,
        scope: str | None,
        *,
        limit: int | None = None,
        below: float | None = None,
    ) -> list[Record]:
        """See `memoro.memory.store.Reader`."""
        return self.reader.weakest(kind, scope, limit=limit, below=below)

    def strongest(
        self,
        kind: str,
        scopes: Collection[str] | None,
        *,
        label: str | None = None,
        limit: int | None = None,
    ) -> list[Record]:
        """See `memoro.memory.store.Reader`."""
        return self.reader.strongest(kind, scopes, label=label, limit=limit)

    def current(self, kind: str, scope: str | None = None) -> int:
        """See `memoro.memory.store.Reader`."""
        return self.reader.current(kind, scope)

    def uses(self, record_id: str) -> list[Use]:
        """See `memoro.memory.store.Reader`."""
        return self.reader.uses(record_id)

    def used_in(self, run: str) -> list[tuple[str, Use]]:
        """See `memoro.memory.store.Reader`."""
        return self.reader.used_in(run)

    def scopes(self, kind: str) -> list[str]:
        """See `memoro.memory.store.Reader`."""
        return self.reader.scopes(kind)

    def between(
        self,
        kinds: Collection[str],
        scopes: Collection[str] | None,
        since: datetime | None,
        until: datetime | None,
        *,
        limit: int | None = None,
    ) -> list[Record]:
        """See `memoro.memory.store.Reader`."""
        return self.reader.between(kinds, scopes, since, until, limit=limit)

    def _keyed(self, kind: str, scope: str) -> dict[str, Record]:
        place = (kind, scope)
        if place not in self._keys:
            stored = {one.key: one for one in self.stored(kind, scope) if one.key is not None}
            self._keys[place] = stored
        return self._keys[place]


def _has(record: Record, key: str | None) -> bool:
    return key is None or record.key == key

"""A profile while it is being changed: its records, and what could not be done to them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from memoro.errors import Reason
from memoro.memory.profile.entries import (
    confirmed_at,
    field_of,
    identity_of,
    in_order,
    is_list,
    label,
    name_of,
    position_of,
    profile_record,
)
from memoro.memory.profile.fields import MILESTONES, fold_key
from memoro.memory.profile.saying import Item, Said
from memoro.memory.profile.wording import fold, mentions, stem
from memoro.memory.records import Record, Trust, shown

GUESS_LASTS = timedelta(days=1)
"""How long what was inferred stays confirmed without being confirmed again: each reply of a
conversation may imply the same, and the log is no place for that."""

_STANDING = {Trust.USER: "is what you said", Trust.APPROVED: "is what you approved"}


class Draft:
    """Records by their key, changed in place. `notices` say what was left undone, `reasons` why;
    `parts` of the location are those that this call has said.

    What a record says is changed only by those who are trusted as much as who said it.
    """

    def __init__(self, records: Mapping[str, Record], said: Said) -> None:
        self.records: dict[str, Record] = dict(records)
        self._before: Mapping[str, Record] = records
        self.said: Said = said
        self.notices: list[str] = []
        self.reasons: set[Reason] = set()
        self.parts: dict[str, str] = {}
        self._foldings: dict[str, str] = {}

    def tell(self, notice: str, reason: Reason) -> None:
        """Note what was not done."""
        if notice not in self.notices:
            self.notices.append(notice)
        self.reasons.add(reason)

    def of(self, field: str) -> list[Record]:
        """The records of a field, in order."""
        return in_order(one for one in self.records.values() if field_of(one) == field)

    def named(self, field: str, name: str) -> list[Record]:
        """The items that a text names: those it is, or else those whose words hold it."""
        wanted = stem(name)
        return self.exactly(field, name) or [
            one
            for one in self.of(field)
            if name_of(one) is None and mentions(self._folded(one.text), wanted)
        ]

    def exactly(self, field: str, name: str) -> list[Record]:
        """The items that a text is the name of, or says in the same words."""
        wanted = stem(name)
        return [one for one in self.of(field) if _is_named(one, name, wanted)]

    def _folded(self, text: str) -> str:
        if text not in self._foldings:
            self._foldings[text] = fold(text)
        return self._foldings[text]

    def put(self, item: Item) -> None:
        """Set a field or an item: it is new, confirms what is there, or supersedes it in place.

        Of its data, None says nothing, and an empty text takes away.
        """
        before = self.records.get(item.key)
        if before is None:
            self._add(item)
            return
        # The spelling of a name that came first stays.
        news = {
            name: value
            for name, value in item.data.items()
            if name != "name" and value is not None and value != (before.data.get(name) or "")
        }
        if before.text == item.text and not news:
            self._confirm(before)
        elif self.may(before, f"not changed to {shown(item.text)}", fold(item.text)):
            self._supersede(before, item.text, news)

    def alter(self, record: Record, **data: Any) -> None:
        """Change what is noted of a record, and not what it says."""
        if any(record.data.get(name) != value for name, value in data.items()):
            self._keep(record._replace(data={**record.data, **data}, updated_at=self.said.at), None)

    def take(self, record: Record) -> None:
        """Take a record out."""
        assert record.key is not None, "every record of a profile has a key"
        del self.records[record.key]

    def outranks(self, record: Record) -> bool:
        """Whether this call may change what a record says.

        A guess from before what it would change may not; people mean what they say now.
        """
        trust = self.said.trust
        if trust != record.trust or trust >= Trust.APPROVED:
            return trust >= record.trust
        return self.said.at >= (record.valid_from or record.created_at)

    def may(self, record: Record, otherwise: str, restated: str = "") -> bool:
        """The same; if not, note what was not done, unless it was `restated` in other letters."""
        allowed = self.outranks(record)
        if not allowed and restated != fold(record.text):
            standing = _STANDING.get(Trust(record.trust), "is what is known since")
            self.tell(
                f"{label(record)}: {shown(record.text)} {standing}; {otherwise}", Reason.CONFLICT
            )
        return allowed

    def _add(self, item: Item) -> None:
        field = item.key.partition(":")[0]
        data, others = _stated(item.data), self.of(field)
        if is_list(field) and "name" not in data:
            # What has a name stands in the order of the names.
            data["position"] = self._place(item.key, field)
        if any(one.data.get("whole") for one in others):
            data |= {"sensitive": True, "whole": True}
        if field == MILESTONES:
            data.setdefault("date", self.said.at.date().isoformat())
        self._keep(profile_record(item.key, item.text, self.said.at, data), self.said.trust)

    def _place(self, key: str, field: str) -> int:
        """The place of a new item, the last; one that this call took out gets its own back."""
        if key in self._before:
            return position_of(self._before[key])
        there = (one for one in (*self._before.values(), *self.of(field)) if field_of(one) == field)
        return max(map(position_of, there), default=-1) + 1

    def _supersede(self, before: Record, text: str, news: Mapping[str, Any]) -> None:
        at = self.said.at
        data = _stated({**before.data, **news, "confirmed_at": at.isoformat()})
        after = before._replace(text=text, data=data, updated_at=at, valid_from=at)
        self._keep(after, self.said.trust)

    def _confirm(self, before: Record) -> None:
        said, since = self.said, self.said.at - confirmed_at(before)
        raised = said.trust > before.trust
        least = GUESS_LASTS if said.trust < Trust.APPROVED else timedelta(microseconds=1)
        if said.trust < before.trust or (since < least and not raised):
            return
        at = max(said.at, confirmed_at(before))
        data = {**before.data, "confirmed_at": at.isoformat()}
        after = before._replace(data=data, updated_at=max(said.at, before.updated_at))
        self._keep(after, said.trust if raised else None)

    def _keep(self, record: Record, trust: Trust | None) -> None:
        """Keep a record; with `trust` as something that this call says."""
        if trust is not None:
            record = record._replace(
                trust=trust, source_run=self.said.run, source_message=self.said.message
            )
        assert record.key is not None, "every record of a profile has a key"
        self.records[record.key] = record


def _stated(data: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in data.items() if value is not None and value != ""}


def _is_named(record: Record, name: str, wanted: str) -> bool:
    known, identity = name_of(record), identity_of(record)
    if known is not None:
        names = {fold_key(part) for part in (name, name.split(":")[0], name.split("=")[0])}
        return known in names or f"env_{known}" in names
    if identity.startswith("[scope:"):
        scope, _, identity = identity.partition("] ")
        said, bracket, words = name.partition("]")
        if bracket and fold(said).startswith("[scope"):
            same = fold(said.partition(":")[2]) == scope.removeprefix("[scope:")
            return same and stem(words) == identity
    return identity.removeprefix("~") == wanted

"""What may be shown to others: without what is sensitive, with secrets masked."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from memoro.memory.plain.form import Problem, from_plain
from memoro.memory.plain.hiding import HIDDEN, hiding, is_hidden
from memoro.memory.profile.sensitivity import is_sensitive
from memoro.memory.profile.viewing import is_sensitive_record
from memoro.memory.records import PROFILE, PROPOSAL, Record

_KEPT = frozenset(
    {
        *("type", "id", "kind", "scope", "change", "record", "session", "run", "message"),
        *("superseded_by", "source_run", "source_message", "trust", "state", "role", "outcome"),
        *("action", "writer", "how", "tool", "day", "embedder", "blocks", "at", "valid_from"),
        *("valid_to", "confidence", "revision", "accesses", "undoes", "final", "partial"),
    }
)
"""Fields of a line that hold nobody's words: names that other lines refer to, times, words of ours.
So does every one whose name ends in `_at`."""
_TIME = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ][\d:.]+(?:Z|[+-]\d{2}:?\d{2})?)?")
_LONG_NUMBER = 4
_SHORT = 100
_MOST_KNOWN = 10_000


class Redaction:
    """Takes out of an export's lines what is sensitive: the items themselves, and every repetition
    of what they say or said. `mask` masks secrets in a text; `kinds` are those of the records that
    it has to `learn` from before the first line."""

    kinds: tuple[str, ...] = (PROFILE.name, PROPOSAL.name)

    def __init__(self, mask: Callable[[str], str]) -> None:
        self._mask = mask
        self._stands: dict[str, bool] = {}
        self._sensitive: set[str] = set()
        self._said: dict[str, dict[str, None]] = {}
        self._hide: Callable[[str], str] | None = None
        self._known: dict[str, str] = {}

    def learn(self, record: Record, stands: bool) -> None:
        """Take note of a record as it stands, then of its versions in the log. What it says now
        decides: one that became sensitive was so before."""
        self._hide = None
        self._known.clear()
        sensitive = _holds_sensitive(record)
        if stands:
            self._stands[record.id] = sensitive
        if self._stands.get(record.id, sensitive):
            self._sensitive.add(record.id)
        self._said.setdefault(record.id, {}).update(dict.fromkeys(_values_of(record)))

    def redacted(self, line: Mapping[str, Any]) -> dict[str, Any] | None:
        """A line without what is sensitive; None where nothing of it may be shown."""
        sensitive = line.get("id") in self._sensitive
        if line.get("type") == "record" and (sensitive or _is_sensitive(line)):
            return None
        sides = [line[side] for side in ("before", "after") if side in line]
        if sides and (sensitive or any(map(_is_sensitive, sides))):
            line = {k: one for k, one in line.items() if k not in ("before", "after", "key")}
        return self._line(line)

    def notices(self) -> tuple[str, ...]:
        """What there is to tell."""
        short = sum(not is_hidden(one) for one in self._values())
        if not short:
            return ()
        return (
            f"sensitive values that are too short to be looked for in other texts: {short:,};"
            " the items that have them are left out",
        )

    def _values(self) -> dict[str, None]:
        return {value: None for one in self._sensitive for value in self._said[one]}

    def _line(self, line: Mapping[str, Any]) -> dict[str, Any]:
        return {
            name: one
            if name in _KEPT or name.endswith("_at") or isinstance(one, int | float)
            else self._line(one)
            if name in ("before", "after")
            else self._value(one)
            for name, one in line.items()
        }

    def _value(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, Mapping):
            return {self._text(name): self._value(one) for name, one in value.items()}
        if isinstance(value, list | tuple):
            return [self._value(one) for one in value]
        if isinstance(value, int | float) and len(str(value)) >= _LONG_NUMBER:
            return HIDDEN if self._hidden(str(value)) == HIDDEN else value
        return value

    def _text(self, text: str) -> str:
        known = self._known.get(text)
        if known is not None:
            return known
        made = self._made(text)
        # Tags, categories and the like are those of many records.
        if len(text) <= _SHORT and len(self._known) < _MOST_KNOWN:
            self._known[text] = made
        return made

    def _made(self, text: str) -> str:
        hidden = self._hidden(text)
        if hidden != text and hidden != HIDDEN and _TIME.fullmatch(text):
            # A number that a time holds by chance.
            return text
        return self._mask(hidden)

    def _hidden(self, text: str) -> str:
        if self._hide is None:
            self._hide = hiding(self._values())
        return self._hide(text)


def _is_sensitive(plain: Mapping[str, Any]) -> bool:
    if plain.get("kind") not in Redaction.kinds:
        return False
    found = from_plain({name: value for name, value in plain.items() if name != "type"})
    # What can't be read can't be judged.
    return isinstance(found, Problem) or _holds_sensitive(found.record)


def _holds_sensitive(record: Record) -> bool:
    return is_sensitive_record(record) or any(_proposed(record))


def _values_of(record: Record) -> Iterator[str]:
    """What a record says that is to be hidden where it is sensitive."""
    if record.kind == PROPOSAL.name:
        yield from _proposed(record)
        return
    yield record.text
    reason = record.data.get("reason")
    if isinstance(reason, str):
        yield reason
    yield from _texts(record.data.get("conflicts"))


def _proposed(record: Record) -> Iterator[str]:
    """What a proposal would put into the profile under a name that tells of something sensitive."""
    content = record.data.get("content") if record.kind == PROPOSAL.name else None
    pairs = content.get("pairs") if isinstance(content, Mapping) else None
    for pair in pairs if isinstance(pairs, list | tuple) else ():
        if isinstance(pair, list | tuple) and len(pair) == 2 and is_sensitive(str(pair[0])):
            yield str(pair[1])


def _texts(value: Any) -> Iterator[str]:
    """Every text that is kept as another version of a record's."""
    if isinstance(value, Mapping):
        if isinstance(value.get("text"), str):
            yield value["text"]
        for one in value.values():
            yield from _texts(one) if not isinstance(one, str) else ()
    elif isinstance(value, list | tuple):
        for one in value:
            yield from ([one] if isinstance(one, str) else _texts(one))

"""The lines of MEMORY.md: a record each, in groups, as text that can pose as nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from memoro.memory.episodes import day_of, episode_line
from memoro.memory.facts.categories import CATEGORIES
from memoro.memory.facts.statement import category, is_current
from memoro.memory.notes import title
from memoro.memory.page.lines import one_line, shortened
from memoro.memory.profile.viewing import Entry, view
from memoro.memory.records import (
    EPISODE,
    FACT,
    GLOBAL,
    NOTE,
    PROFILE,
    SAVED_FACT,
    TOPIC,
    WORK,
    Record,
    project_name,
)
from memoro.memory.strength import strength

_LONGEST = 400
"""The most characters of a text on a page."""

_Order = Callable[[Record], tuple[object, ...]]

_MARKS = frozenset("#>+*=|~`:[-")
_NUMBER = re.compile(r"\d{1,9}(?=[.)])")
_INLINE = re.compile(r"<(?=[A-Za-z/!?])|!(?=\[)")
_START = datetime(1, 1, 1, tzinfo=UTC)


class Line(NamedTuple):
    """A line; `label` is the heading below its group's that it stands under, `place` where."""

    text: str
    label: str = ""
    place: int = 0


class Group(NamedTuple):
    """What stands under one heading: where there isn't room for all `lines`, the last go first.

    `unit` is the word for one of them; `share` the part of a page that they get before any group
    gets more than its own.
    """

    kind: str
    heading: str
    unit: str
    share: float
    lines: Sequence[Line]


def groups_of(records: Iterable[Record], labels: Mapping[str, str]) -> list[Group]:
    """What there is to show of records, in the order in which it stands on the page.

    Args:
        records: what is remembered.
        labels: what to call the scopes of places.
    """
    by_kind: dict[str, list[Record]] = {}
    for record in records:
        by_kind.setdefault(record.kind, []).append(record)

    def lines(kind: str, text: Callable[[Record], str], order: _Order = _age) -> list[Line]:
        found = sorted(by_kind.get(kind, ()), key=order)
        return [Line(item(text(one), one, labels), "", n) for n, one in enumerate(found)]

    facts = [one for one in by_kind.get(FACT.name, ()) if is_current(one)]
    profile = _profile(by_kind.get(PROFILE.name, ()))
    saved = lines(SAVED_FACT.name, _saved_fact, _by_key)
    return [
        Group(SAVED_FACT.name, "Saved facts", "saved fact", 0.2, saved),
        Group(PROFILE.name, "Profile", "profile item", 0.15, profile),
        Group(FACT.name, "Facts", "fact", 0.35, _in_categories(facts, labels)),
        Group(WORK.name, "Projects", "project", 0.1, lines(WORK.name, _work)),
        Group(TOPIC.name, "Topics", "topic", 0.05, lines(TOPIC.name, _topic)),
        Group(EPISODE.name, "Episodes", "episode", 0.1, lines(EPISODE.name, _episode)),
        Group(NOTE.name, "Notes", "note", 0.05, lines(NOTE.name, title)),
    ]


def item(text: str, record: Record, labels: Mapping[str, str]) -> str:
    """A text as one item of a list, with the scope of its record: nothing in it is markup."""
    scope = record.scope
    name = project_name(scope)
    where = labels.get(scope, "" if scope == GLOBAL else f"project {name}" if name else "a folder")
    line = unmarked(shortened(one_line(text), _LONGEST))
    return f"- {line}" + (f" ({one_line(where)})" if where else "")


def unmarked(line: str) -> str:
    """A line that a reader of Markdown shows as it is: no heading, list, fence, link or image."""
    number = _NUMBER.match(line)
    start = number.end() if number else 0
    if number or line[:1] in _MARKS:
        line = f"{line[:start]}\\{line[start:]}"
    return _INLINE.sub(r"\\\g<0>", line)


def _age(record: Record) -> tuple[object, ...]:
    """What sorts the newest first."""
    at = record.valid_from if record.kind == EPISODE.name else None
    return -(at or record.created_at).timestamp(), record.id


def _by_key(record: Record) -> tuple[object, ...]:
    return record.scope != GLOBAL, record.scope, record.key or "", record.id


def _weakness(fact: Record) -> tuple[object, ...]:
    return -strength(fact), fact.id


def _in_categories(facts: Sequence[Record], labels: Mapping[str, str]) -> list[Line]:
    """Facts, the strongest first, each with the place at which it stands."""

    def order(fact: Record) -> tuple[object, ...]:
        return CATEGORIES.index(category(fact)), *_age(fact)

    places = {one.id: place for place, one in enumerate(sorted(facts, key=order))}
    return [
        Line(item(one.text, one, labels), category(one).capitalize(), places[one.id])
        for one in sorted(facts, key=_weakness)
    ]


def _profile(records: Sequence[Record]) -> list[Line]:
    # As of the beginning of time nothing is stale, so that the page depends on no clock.
    shown = [one for one in view(records, _START).entries if not one.sensitive]
    return [Line(f"- {unmarked(_entry(one))}", "", place) for place, one in enumerate(shown)]


def _entry(entry: Entry) -> str:
    told = [entry.field.replace("_", " ")]
    told += [entry.name] if entry.name and entry.name != entry.field else []
    told += [entry.date] if entry.date else []
    told += [f"in workspace {entry.workspace}"] if entry.workspace else []
    reason = f" (because: {entry.reason})" if entry.reason else ""
    return shortened(one_line(f"{', '.join(told)}: {entry.text}{reason}"), _LONGEST)


def _saved_fact(record: Record) -> str:
    return f"{record.key}: {record.text}"


def _work(record: Record) -> str:
    data = record.data
    about = ", ".join(filter(None, (str(data.get("status", "")), str(data.get("path", "")))))
    parts = [part for part in (record.text, ", ".join(data.get("technologies", ()))) if part]
    name = str(data.get("name") or record.key)
    return name + (f" ({about})" if about else "") + (": " if parts else "") + "; ".join(parts)


def _topic(record: Record) -> str:
    name = str(record.data.get("name") or record.key)
    return name + (f": {record.text}" if record.text else "")


def _episode(record: Record) -> str:
    return f"{day_of(record)}: {episode_line(record)}"

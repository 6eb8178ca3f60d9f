"""Whether what was read is a record of its kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from memoro.errors import Refusal
from memoro.memory.daily import MAX_LINE_BYTES
from memoro.memory.episodes import MAX_REFS, MAX_SUMMARY_BYTES
from memoro.memory.facts.categories import CATEGORIES
from memoro.memory.facts.statement import MAX_TAGS, Statement, check
from memoro.memory.notes import check_note
from memoro.memory.places import is_place
from memoro.memory.plain.values import MAX_COUNT, Problem, read_time
from memoro.memory.profile.fields import FIELDS
from memoro.memory.records import (
    DAILY,
    EPISODE,
    FACT,
    GLOBAL,
    NOTE,
    PLACE,
    PROFILE,
    PROJECT,
    PROPOSAL,
    SAVED_FACT,
    TOPIC,
    WORK,
    Record,
    shown,
)
from memoro.memory.saved import check_key, check_value, is_blank
from memoro.memory.topics import MAX_SUMMARY_BYTES as MAX_TOPIC_BYTES
from memoro.memory.topics import check_name, check_text, fold_name
from memoro.memory.work import MAX_DESCRIPTION_BYTES, MAX_TECHNOLOGIES, STATUSES

Test = tuple[Callable[[Any], bool], str]

_MAX_PROFILE_BYTES = 64 * 1024
_MAX_FREE_BYTES = 1024 * 1024


def check_record(record: Record) -> Problem | None:
    """What keeps a record from being one of its kind; None where nothing does."""
    return _check_data(record) or _CHECKS[record.kind](record)


def _check_data(record: Record) -> Problem | None:
    for name, (holds, what) in _DATA.get(record.kind, {}).items():
        if name in record.data and not holds(record.data[name]):
            return Problem(f"data.{name}", f"it has to be {what}")
    return None


def _saved_fact(record: Record) -> Problem | None:
    if record.key is None:
        return Problem("key", "a saved fact needs one")
    return _refused("key", check_key(record.key)) or _refused("text", check_value(record.text))


def _fact(record: Record) -> Problem | None:
    if len(record.tags) > MAX_TAGS:
        return Problem("tags", f"a fact takes at most {MAX_TAGS}")
    said = Statement(record.text, record.scope, record.created_at)
    return _no_key(record) or _refused("text", check(said))


def _profile(record: Record) -> Problem | None:
    if (record.key or "").partition(":")[0] not in FIELDS:
        return Problem("key", f"it has to begin with one of: {', '.join(FIELDS)}")
    return (
        _global(record)
        or _visible(record)
        or _refused("text", check_text(record.text, "text", _MAX_PROFILE_BYTES))
    )


def _topic(record: Record) -> Problem | None:
    return (
        _global(record)
        or _named(record, "topic", 2)
        or _refused("text", check_text(record.text, "summary", MAX_TOPIC_BYTES))
    )


def _work(record: Record) -> Problem | None:
    if len(record.data.get("technologies", ())) > MAX_TECHNOLOGIES:
        return Problem("data.technologies", f"at most {MAX_TECHNOLOGIES} are allowed")
    return (
        _global(record)
        or _named(record, "project", 1)
        or _refused("text", check_text(record.text, "description", MAX_DESCRIPTION_BYTES))
    )


def _named(record: Record, what: str, least: int) -> Problem | None:
    if record.key is None or record.key != fold_name(record.key):
        return Problem("key", f"it has to be the {what}'s name in small letters")
    name = record.data.get("name", record.key)
    if fold_name(name) != record.key:
        return Problem("data.name", f"it has to be the same name as the key, {shown(record.key)}")
    return _refused("key", check_name(record.key, what, least))


def _episode(record: Record) -> Problem | None:
    if len(record.data.get("refs", ())) > MAX_REFS:
        return Problem("data.refs", f"at most {MAX_REFS} are allowed")
    return (
        _no_key(record)
        or _dated(record)
        or _visible(record)
        or _refused("text", check_text(record.text, "summary", MAX_SUMMARY_BYTES))
    )


def _daily(record: Record) -> Problem | None:
    return (
        _no_key(record)
        or _dated(record)
        or _visible(record)
        or _refused("text", check_text(record.text, "line", MAX_LINE_BYTES))
    )


def _note(record: Record) -> Problem | None:
    if "title" not in record.data:
        return Problem("data.title", "a note needs one")
    refusal = check_note(record.data["title"], record.text)
    return _no_key(record) or _refused("text", refusal)


def _project(record: Record) -> Problem | None:
    if record.key is None:
        return Problem("key", "a project needs its name")
    return _global(record) or _refused("key", check_key(record.key, "project name", "website"))


def _place(record: Record) -> Problem | None:
    if record.key is None or not is_place(record.key):
        return Problem("key", "a place needs the scope of what is learned there")
    if not record.data.get("path"):
        return Problem("data.path", "a place needs its folder")
    return _global(record) or _free(record)


def _free(record: Record) -> Problem | None:
    return _refused("text", check_text(record.text, "text", _MAX_FREE_BYTES))


def _global(record: Record) -> Problem | None:
    return None if record.scope == GLOBAL else Problem("scope", "it has to be 'global'")


def _no_key(record: Record) -> Problem | None:
    return None if record.key is None else Problem("key", f"a {record.kind} has none")


def _dated(record: Record) -> Problem | None:
    return None if "date" in record.data else Problem("data.date", "it needs its day")


def _visible(record: Record) -> Problem | None:
    return Problem("text", "it needs some visible text") if is_blank(record.text) else None


def _refused(field: str, refusal: Refusal | None) -> Problem | None:
    return None if refusal is None else Problem(field, refusal.what)


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MAX_COUNT


def _is_position(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= MAX_COUNT


def _is_flag(value: object) -> bool:
    return isinstance(value, bool)


def _is_list_of_texts(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _is_time(value: object) -> bool:
    try:
        read_time(value)
    except ValueError:
        return False
    return True


def _is_day(value: object) -> bool:
    try:
        return isinstance(value, str) and date.fromisoformat(value).isoformat() == value
    except ValueError:
        return False


def _is_list_of_spans(value: object) -> bool:
    return isinstance(value, list) and all(
        isinstance(one, list) and len(one) == 2 and all(map(_is_time, one)) for one in value
    )


def _is_said(value: object) -> bool:
    return isinstance(value, Mapping) and all(
        isinstance(one, list) and len(one) == 2 and one[0] in range(5) and _is_time(one[1])
        for one in value.values()
    )


_TEXT: Test = (_is_text, "text")
_TEXTS: Test = (_is_list_of_texts, "a list of texts")
_TIME: Test = (_is_time, "a time such as 2026-11-30T04:45:27Z")
_DAY: Test = (_is_day, "a day such as 2026-11-30")
_COUNT: Test = (_is_count, "a whole number from 0")
_SAID: Test = (_is_said, "an object of [rank, time] pairs")
_IDENTITY: Mapping[str, Test] = {
    "path": _TEXT,
    "common_dir": (lambda one: one is None or _is_text(one), "text"),
    "subpath": _TEXT,
    "roots": _TEXTS,
}
_DATA: Mapping[str, Mapping[str, Test]] = {
    FACT.name: {
        "category": (lambda one: one in CATEGORIES, f"one of: {', '.join(CATEGORIES)}"),
        "provenance": _TEXT,
        "hedged": (_is_flag, "true or false"),
        "archived": _TIME,
        "why": _TEXT,
        "beside": _TEXTS,
        "held": (_is_list_of_spans, "a list of pairs of times"),
    },
    PROFILE.name: {
        "field": _TEXT,
        "name": _TEXT,
        "workspace": _TEXT,
        "position": (_is_position, "a whole number"),
        "confirmed_at": _TIME,
    },
    TOPIC.name: {
        "name": _TEXT,
        "mentions": _COUNT,
        "first_seen": _TIME,
        "last_seen": _TIME,
        "facts": _TEXTS,
        "said": _SAID,
    },
    WORK.name: {
        "name": _TEXT,
        "path": _TEXT,
        "status": (lambda one: one in STATUSES, f"one of: {', '.join(STATUSES)}"),
        "technologies": _TEXTS,
        "last_active": _TIME,
        "said": _SAID,
    },
    EPISODE.name: {
        "date": _DAY,
        "outcome": _TEXT,
        "refs": _TEXTS,
        "project": _TEXT,
        "session": _TEXT,
    },
    DAILY.name: {"date": _DAY},
    NOTE.name: {"title": _TEXT},
    PROPOSAL.name: {
        "what": _TEXT,
        "content": (lambda one: isinstance(one, Mapping), "an object"),
        "effect": _TEXT,
    },
    PROJECT.name: _IDENTITY,
    PLACE.name: {**_IDENTITY, "earlier": _TEXTS},
}
_CHECKS: Mapping[str, Callable[[Record], Problem | None]] = {
    SAVED_FACT.name: _saved_fact,
    FACT.name: _fact,
    PROFILE.name: _profile,
    TOPIC.name: _topic,
    WORK.name: _work,
    EPISODE.name: _episode,
    DAILY.name: _daily,
    NOTE.name: _note,
    PROPOSAL.name: _free,
    PROJECT.name: _project,
    PLACE.name: _place,
}

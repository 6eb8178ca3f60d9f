"""Saved facts: keyed, asked for, verbatim in every prompt, never inferred, never fading."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from memoro.errors import Reason, Refusal
from memoro.memory.records import (
    GLOBAL,
    SAVED_FACT,
    Record,
    in_scope,
    project_name,
    shown,
)
from memoro.memory.store import Change, ChangeSet, Plan, Reader, Removal

MAX_KEY_CHARACTERS = 128
MAX_VALUE_BYTES = 4_096
MAX_FACTS_PER_SCOPE = 128
PROJECT_FACTS_BYTES = 8 * 1024
"""Budget of a project's snapshot; fixed, unlike the global one."""

_KEY = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_INVISIBLE_KINDS = frozenset({"Zs", "Zl", "Zp", "Cc", "Cf", "Cs", "Mn", "Mc", "Me"})
_INVISIBLE_LETTERS = "\u115f\u1160\u2800\u3164\uffa0"
_ZERO_WIDTH_SPACES = "\u200b\u2060\ufeff"


class Fact(NamedTuple):
    """What is to be saved, by whom it was asked and when.

    `budget` bounds the scope's next snapshot in bytes; None where the caller only warns.
    """

    id: str
    scope: str
    key: str
    value: str
    at: datetime
    run: str | None = None
    message: str | None = None
    budget: int | None = None


def check_key(key: str, what: str = "key", example: str = "answer.style") -> Refusal | None:
    """Refuse what is not a key: a letter or digit, then letters, digits, `.`, `_`, `-` (ASCII).

    `what` is the word for it in the refusal: names of other things follow the same rule.
    """
    if len(key) > MAX_KEY_CHARACTERS:
        return Refusal(
            Reason.TOO_LARGE,
            f"the {what} has {len(key)} characters; at most {MAX_KEY_CHARACTERS} are allowed",
        )
    if not _KEY.fullmatch(key):
        return Refusal(
            Reason.USAGE,
            f"{shown(key)} is not a {what}: it must start with a letter or digit (A-Z, a-z, 0-9)"
            " and go on with letters, digits, '.', '_' or '-'",
            f"for example: {example}",
        )
    return None


def check_value(value: str) -> Refusal | None:
    """Refuse an empty or blank value, surrounding whitespace, and more than 4,096 UTF-8 bytes."""
    try:
        size = len(value.encode())
    except UnicodeEncodeError:
        return Refusal(Reason.USAGE, "the value is not valid UTF-8 text")
    if "\0" in value:
        return Refusal(Reason.USAGE, "the value holds a NUL character, which is not text")
    if is_blank(value):
        return Refusal(Reason.USAGE, "the value is empty; a fact needs some visible text")
    if value != value.strip().strip(_ZERO_WIDTH_SPACES):
        return Refusal(
            Reason.USAGE,
            "the value has whitespace before or after the text",
            "leave the surrounding spaces and line ends out",
        )
    if size > MAX_VALUE_BYTES:
        return Refusal(
            Reason.TOO_LARGE,
            f"the value has {size:,} bytes; at most {MAX_VALUE_BYTES:,} are allowed",
            "save longer text as a note: memoro note add TITLE",
        )
    return None


def is_blank(text: str) -> bool:
    """Whether nothing in the text can be seen: only whitespace, control, zero-width characters.

    Characters that this Python's Unicode does not know yet (new emoji) count as visible.
    """
    return not any(
        unicodedata.category(char) not in _INVISIBLE_KINDS and char not in _INVISIBLE_LETTERS
        for char in text
    )


def facts_text(facts: Iterable[Record]) -> str:
    """The facts as they stand in a prompt: `key: value` in key order, and nothing of their source.

    Values of several lines are indented, so that no value can pose as a key or a heading.
    """
    return "\n".join(
        _fact_line(fact.key or "", fact.text)
        for fact in sorted(facts, key=lambda fact: fact.key or "")
    )


def _fact_line(key: str, value: str) -> str:
    lines = value.splitlines()
    if len(lines) <= 1:
        return f"- {key}: {value}"
    return "\n  ".join([f"- {key}:", *lines])


def snapshot_bytes(facts: Iterable[Record]) -> int:
    """The size of the facts in a prompt, in UTF-8 bytes."""
    return len(facts_text(facts).encode())


def remember(fact: Fact) -> Plan:
    """Make a new fact; an existing key is refused."""

    def plan(reader: Reader) -> ChangeSet | Refusal:
        known = reader.select(SAVED_FACT.name, fact.scope)
        if any(record.key == fact.key for record in known):
            return Refusal(
                Reason.CONFLICT,
                f"there is already a fact {fact.key}{in_scope(fact.scope)}; nothing was changed",
                f"to change it: memoro memory replace {_option(fact.scope)}{fact.key} VALUE",
            )
        if len(known) >= MAX_FACTS_PER_SCOPE:
            return _full(fact.scope)
        record = Record(
            fact.id,
            SAVED_FACT.name,
            fact.scope,
            fact.key,
            fact.value,
            fact.at,
            fact.at,
            source_run=fact.run,
            source_message=fact.message,
        )
        return _within_budget([*known, record], fact) or ChangeSet(
            "remember", [Change(None, record)]
        )

    return _checked(fact.key, fact.value, plan)


def replace(fact: Fact) -> Plan:
    """Give an existing fact a new value; a missing key is refused."""

    def plan(reader: Reader) -> ChangeSet | Refusal:
        known = reader.select(SAVED_FACT.name, fact.scope)
        before = next((record for record in known if record.key == fact.key), None)
        if before is None:
            return _missing(fact.scope, fact.key, "remember", f"{fact.key} VALUE")
        after = before._replace(
            text=fact.value,
            updated_at=fact.at,
            source_run=fact.run,
            source_message=fact.message,
            revision=before.revision + 1,
        )
        rest = [record for record in known if record is not before]
        return _within_budget([*rest, after], fact) or ChangeSet("replace", [Change(before, after)])

    return _checked(fact.key, fact.value, plan)


def forget(scope: str, key: str, *, from_log: bool = False) -> Plan:
    """Take a fact out of every place for good.

    With `from_log` also one that no longer stands (it was undone), and whose old values only the
    log still holds.
    """

    def plan(reader: Reader) -> Removal | Refusal:
        current = reader.select(SAVED_FACT.name, scope, key=key)
        logged = _logged(reader, scope, key)
        if current or (from_log and logged):
            stale = [record for record in logged if all(record.id != one.id for one in current)]
            return Removal("forget", [*current, *stale])
        refusal = _missing(scope, key, "list", "")
        if not logged:
            return refusal
        return refusal._replace(
            what=refusal.what + "; older values still stand in the log",
            fix=f"to erase those too: memoro memory forget {_option(scope)}{key} --from-log",
        )

    return _checked(key, None, plan)


def check_room(reader: Reader, changes: Sequence[Change]) -> Refusal | None:
    """Refuse changes that would leave more facts in a scope than it may have."""
    growth: dict[str, int] = {}
    for change in changes:
        if change.subject.kind == SAVED_FACT.name:
            more = (change.after is not None) - (change.before is not None)
            growth[change.subject.scope] = growth.get(change.subject.scope, 0) + more
    for scope, more in growth.items():
        if more > 0 and len(reader.select(SAVED_FACT.name, scope)) + more > MAX_FACTS_PER_SCOPE:
            return _full(scope)
    return None


def _full(scope: str) -> Refusal:
    return Refusal(
        Reason.TOO_LARGE,
        f"at most {MAX_FACTS_PER_SCOPE} saved facts are allowed{in_scope(scope)};"
        " nothing was changed",
        f"make room: memoro memory forget {_option(scope)}KEY",
    )


def _logged(reader: Reader, scope: str, key: str) -> list[Record]:
    """The records of that key whose content the log still holds, each once."""
    found: dict[str, Record] = {}
    for change in reader.changes(scope=scope, kind=SAVED_FACT.name, key=key):
        for logged in change.records:
            record = logged.after or logged.before
            if record is not None and logged.key == key:
                found.setdefault(record.id, record)
    return list(found.values())


def _checked(key: str, value: str | None, plan: Plan) -> Plan:
    refusal = check_key(key) or (check_value(value) if value is not None else None)
    return plan if refusal is None else lambda _: refusal


def _missing(scope: str, key: str, verb: str, rest: str) -> Refusal:
    return Refusal(
        Reason.NOT_FOUND,
        f"there is no fact {key}{in_scope(scope)}; nothing was changed",
        f"memoro memory {verb} {_option(scope)}{rest}".rstrip(),
    )


def _option(scope: str) -> str:
    return "" if scope == GLOBAL else f"--project {project_name(scope)} "


def _within_budget(facts: list[Record], fact: Fact) -> Refusal | None:
    if fact.budget is None:
        return None
    size = snapshot_bytes(facts)
    if size <= fact.budget:
        return None
    return Refusal(
        Reason.TOO_LARGE,
        f"the saved facts{in_scope(fact.scope)} would take {size:,} bytes of the next prompt;"
        f" the budget is {fact.budget:,}; nothing was changed",
        "forget or shorten a fact first",
    )

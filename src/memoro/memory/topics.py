"""Topics: what conversations are about, how often and when last, summed up, with their facts.

Whoever mentions them, and in whatever order that arrives, the same topics come of it: mentions are
counted, and of two that say the same thing of a topic the more trusted stands, then the later one.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from memoro.errors import Reason, Refusal
from memoro.memory.records import FACT, GLOBAL, SAVED_FACT, TOPIC, Record, Trust, shown
from memoro.memory.saved import is_blank
from memoro.memory.store import Change, ChangeSet, Plan, Reader

MIN_NAME_CHARACTERS = 2
MAX_NAME_CHARACTERS = 200
MAX_SUMMARY_BYTES = 1_000
MAX_LINKED_FACTS = 50
MAX_TOPICS = 1_000
"""Beyond them the least topical leaves; the log keeps it, so that undo brings it back."""

_DAYS_TO_HALF = 30
_SECONDS_A_DAY = 86_400


class Mention(NamedTuple):
    """A topic that was spoken of at some time.

    `summary` is what it is about as of then, where that was said; `facts` are the IDs of facts
    that were learned with it. `run` and `message` are where it was said.
    """

    name: str
    at: datetime
    summary: str = ""
    facts: tuple[str, ...] = ()
    trust: Trust = Trust.USER
    run: str | None = None
    message: str | None = None


class Said(NamedTuple):
    """Who stands behind one field of a record (0: nobody, it is a default), and as of when."""

    trust: int
    at: datetime


def fold_name(name: str) -> str:
    """A name as it is told from others: in any case, normal form and spacing it is the same."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", one_line(name)).casefold())


def one_line(text: str) -> str:
    """A text with each run of whitespace as one space, and none around it."""
    return " ".join(text.split())


def check_mention(mention: Mention) -> Refusal | None:
    """Refuse what is no topic's name, and a summary that is over its limit."""
    return check_name(mention.name, "topic", MIN_NAME_CHARACTERS) or check_text(
        mention.summary, "summary", MAX_SUMMARY_BYTES
    )


def check_name(name: str, what: str, least: int) -> Refusal | None:
    """Refuse a name with fewer visible characters than `least`, too many, or control ones.

    `what` is the word in the refusal for what is named.
    """
    line = unicodedata.normalize("NFC", one_line(name))
    if len(line) > MAX_NAME_CHARACTERS:
        return Refusal(
            Reason.TOO_LARGE,
            f"the {what}'s name has {len(line):,} characters; at most {MAX_NAME_CHARACTERS} are"
            " allowed",
        )
    if any(unicodedata.category(char) in ("Cc", "Cs") for char in line):
        return Refusal(Reason.USAGE, f"{shown(line)} is not a {what}'s name: it is not plain text")
    if sum(not is_blank(char) for char in line) < least:
        return Refusal(
            Reason.USAGE,
            f"{shown(line)} is not a {what}'s name: it needs at least {least} visible"
            f" character{'s' if least > 1 else ''}",
        )
    return None


def check_text(text: str, what: str, max_bytes: int) -> Refusal | None:
    """Refuse what is not text, and more than `max_bytes` of it; `what` is the word for it."""
    try:
        size = len(one_line(text).encode())
    except UnicodeEncodeError:
        return Refusal(Reason.USAGE, f"the {what} is not valid UTF-8 text")
    if "\0" in text:
        return Refusal(Reason.USAGE, f"the {what} holds a NUL character, which is not text")
    if size > max_bytes:
        return Refusal(
            Reason.TOO_LARGE,
            f"the {what} has {size:,} bytes; at most {max_bytes:,} are allowed",
            "say it in fewer words",
        )
    return None


def mention(mentions: Sequence[Mention]) -> Plan:
    """Count these mentions: new topics are made, known ones are seen again. Links to facts that
    there are not are refused."""

    def plan(reader: Reader) -> ChangeSet | Refusal:
        unknown = _unknown_facts(reader, mentions)
        if unknown is not None:
            return unknown
        changes = [_mentioned(reader, key, about) for key, about in _by_name(mentions).items()]
        left = make_room(reader, changes, MAX_TOPICS, rank)
        return left if isinstance(left, Refusal) else ChangeSet("mention", [*changes, *left])

    refusal = next((found for one in mentions if (found := check_mention(one))), None)
    if not mentions:
        refusal = Refusal(Reason.USAGE, "no topic is named; nothing was changed")
    return plan if refusal is None else lambda _: refusal


def _by_name(mentions: Iterable[Mention]) -> dict[str, list[Mention]]:
    found: dict[str, list[Mention]] = {}
    for one in mentions:
        found.setdefault(fold_name(one.name), []).append(one)
    return found


def _mentioned(reader: Reader, key: str, about: Sequence[Mention]) -> Change:
    before = next(iter(reader.select(TOPIC.name, GLOBAL, key=key)), None)
    topic = before or _blank(key, about[0])
    for one in about:
        topic = _with(topic, one)
    data = {**topic.data, "facts": _newest(reader, topic.data["facts"])}
    revision = 1 if before is None else before.revision + 1
    return Change(before, topic._replace(data=data, revision=revision))


def _blank(key: str, first: Mention) -> Record:
    topic_id = "t_" + hashlib.sha256(key.encode()).hexdigest()[:20]
    return Record(topic_id, TOPIC.name, GLOBAL, key, "", first.at, first.at, trust=first.trust)


def _with(topic: Record, one: Mention) -> Record:
    fields, said, won = retold(
        topic,
        {"name": topic.data.get("name", ""), "summary": topic.text},
        {"name": one_line(one.name), "summary": one_line(one.summary)},
        Said(one.trust, one.at),
    )
    data = {
        "name": fields["name"],
        "mentions": _mentions(topic) + 1,
        "first_seen": to_text(min(one.at, to_time(topic.data.get("first_seen"), one.at))),
        "last_seen": to_text(max(one.at, to_time(topic.data.get("last_seen"), one.at))),
        "facts": list(dict.fromkeys([*topic.data.get("facts", ()), *one.facts])),
        "said": said,
    }
    topic = topic._replace(
        text=fields["summary"],
        data={**topic.data, **data},
        created_at=min(topic.created_at, one.at),
        updated_at=max(topic.updated_at, one.at),
    )
    if ("summary" if "summary" in said else "name") in won:
        topic = topic._replace(trust=one.trust, source_run=one.run, source_message=one.message)
    return topic


def retold(
    record: Record, known: Mapping[str, str], new: Mapping[str, str], by: Said
) -> tuple[dict[str, str], dict[str, list[Any]], set[str]]:
    """Fields of a record after someone said something of it: their values, who stands behind each
    (as `data["said"]` keeps it), and which of them are the new ones.

    A blank field says nothing. The more trusted stands, then the later one; of a `name`'s
    spellings the earlier one.
    """
    values, said, won = dict(known), dict(record.data.get("said", {})), set[str]()
    for field, value in new.items():
        stands = known.get(field) and not _outranks(field, by, _said(record, field))
        if not stands and not is_blank(value):
            values[field], said[field] = value, [int(by.trust), to_text(by.at)]
            won.add(field)
    return values, said, won


def _outranks(field: str, new: Said, old: Said) -> bool:
    if field == "name":
        return (new.trust, old.at) > (old.trust, new.at)
    return new >= old


def _said(record: Record, field: str) -> Said:
    kept = record.data.get("said", {}).get(field)
    if isinstance(kept, list) and len(kept) == 2 and isinstance(kept[0], int):
        return Said(kept[0], to_time(kept[1], record.updated_at))
    return Said(record.trust, record.updated_at)


def make_room(
    reader: Reader,
    changes: Sequence[Change],
    limit: int,
    worth: Callable[[Record, datetime], float],
) -> list[Change] | Refusal:
    """What has to leave so that at most `limit` records of the changed kind are kept: those of the
    least trust and worth, none that is more trusted than what is new."""
    new = [one.after for one in changes if one.before is None and one.after is not None]
    if not new:
        return []
    known = reader.select(new[0].kind, GLOBAL)
    over = len(known) + len(new) - limit
    if over <= 0:
        return []
    trust = min(map(_trust, new))
    now = max(one.updated_at for one in [*known, *new])
    touched = {one.subject.id for one in changes}
    may_go = [one for one in known if one.id not in touched and _trust(one) <= trust]
    if len(may_go) < over:
        return Refusal(
            Reason.TOO_LARGE,
            f"at most {limit:,} are kept, and none of them may make room for what is less trusted;"
            " nothing was changed",
        )
    may_go.sort(key=lambda one: (_trust(one), worth(one, now), one.id))
    return [Change(one, None) for one in may_go[:over]]


def _trust(record: Record) -> int:
    """The most trusted of those who said anything of it."""
    said = record.data.get("said", {})
    return max((_said(record, field).trust for field in said), default=record.trust)


def _unknown_facts(reader: Reader, mentions: Iterable[Mention]) -> Refusal | None:
    wanted = dict.fromkeys(fact for one in mentions for fact in one.facts)
    unknown = [fact for fact in wanted if _fact(reader, fact) is None]
    if not unknown:
        return None
    names = ", ".join(shown(one) for one in unknown[:5]) + (" …" if len(unknown) > 5 else "")
    return Refusal(
        Reason.NOT_FOUND,
        f"there is no fact with the ID {names}; nothing was changed",
        "to see the facts: memoro memory facts",
    )


def _fact(reader: Reader, fact_id: str) -> Record | None:
    record = reader.get(fact_id)
    return record if record and record.kind in (FACT.name, SAVED_FACT.name) else None


def _newest(reader: Reader, fact_ids: Iterable[str]) -> list[str]:
    """The newest of these facts, oldest first; what has been forgotten since is let go."""
    facts = [fact for one in fact_ids if (fact := _fact(reader, one)) is not None]
    facts.sort(key=lambda fact: (fact.created_at, fact.id))
    return [fact.id for fact in facts[-MAX_LINKED_FACTS:]]


def rank(topic: Record, now: datetime) -> float:
    """How topical it is: `mentions / (1 + days / 30)`, where the days count from the last one."""
    age = (now - to_time(topic.data.get("last_seen"), topic.updated_at)).total_seconds()
    return _mentions(topic) / (1 + max(0.0, age) / _SECONDS_A_DAY / _DAYS_TO_HALF)


def ranked(topics: Iterable[Record], now: datetime) -> list[Record]:
    """The topics, the most topical first."""
    return sorted(topics, key=lambda one: (-rank(one, now), one.key or ""))


def _mentions(topic: Record) -> int:
    return int(topic.data.get("mentions", 0))


def to_text(at: datetime) -> str:
    """A time as `data` keeps it: UTC, ISO 8601."""
    return at.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def to_time(text: object, otherwise: datetime) -> datetime:
    """A time that `data` keeps; `otherwise` where there is none or it is none."""
    try:
        at = datetime.fromisoformat(text) if isinstance(text, str) else otherwise
    except ValueError:
        return otherwise
    return at if at.tzinfo else at.replace(tzinfo=UTC)

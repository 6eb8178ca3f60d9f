"""`memoro memory profile`: who the user is, shown and changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from memoro.commands.learned.door import admit_all
from memoro.commands.registry import Caller, Done, Result, Table, Text
from memoro.commands.scopes import origin
from memoro.errors import Reason, Refusal
from memoro.memory.records import GLOBAL, PROFILE, Trust, shown

if TYPE_CHECKING:
    from memoro.commands.services import Services
    from memoro.memory.profile.changing import Planned
    from memoro.memory.profile.viewing import Entry
    from memoro.memory.records import Record
    from memoro.memory.store import Change, ChangeSet, Reader

_SOURCES = {
    Trust.USER: "you",
    Trust.APPROVED: "you approved",
    Trust.INFERRED: "inferred",
    Trust.READ: "read",
}
_EXAMPLE = "memoro memory profile set company=ACME 'goals_add=Learn Rust'"

_MODELS = ("tool", "mcp")

Pairs = list[tuple[str, str]]


def show_profile(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Show what the profile says, who said it, and when that was last confirmed."""
    from memoro.memory.profile.viewing import view

    profile = view(_healed(services), services.now())
    rows = [
        (
            _name(one),
            one.text + (f" :: {one.reason}" if one.reason else ""),
            _SOURCES[one.source],
            services.show_time(one.confirmed_at),
            ", ".join(_remarks(one)),
        )
        for one in profile.entries
    ]
    return Done(
        profile_data(profile.entries),
        Table(
            ("field", "value", "said by", "confirmed", ""),
            rows,
            f"The profile is empty. To begin: {_EXAMPLE}",
        ),
    )


def _healed(services: Services) -> list[Record]:
    """The profile's records as they are after mending; what is only read is not written."""
    from memoro.memory.profile.healing import heal

    records = {one.id: one for one in services.store.select(PROFILE.name, GLOBAL)}
    for before, after in heal(list(records.values()), services.now()):
        if before is not None:
            records.pop(before.id)
        if after is not None:
            records[after.id] = after
    return list(records.values())


def _heal(services: Services, caller: Caller) -> tuple[str, ...]:
    """Mend the profile before it is changed: a change of its own, which undo takes back."""
    from memoro.memory.profile.healing import heal_profile

    made_by = origin(services, caller)._replace(tool_call=None)
    applied = services.store.apply(heal_profile(services.now()), made_by)
    if isinstance(applied, Refusal):
        return ()
    return (
        f"mended what an older profile had; to take that back: memoro memory undo {applied.change}",
    )


def _name(entry: Entry) -> str:
    if entry.field == "environment" and entry.name:
        return f"env_{entry.name}"
    return entry.name or entry.field


def _remarks(entry: Entry) -> list[str]:
    remarks = [
        "[sensitive]" if entry.sensitive else "",
        "(possibly stale)" if entry.stale else "",
        {"hard": "hard rule", "preference": "preference"}.get(entry.severity or "", ""),
        f"in {entry.workspace}" if entry.workspace else "",
        entry.date or "",
    ]
    return [remark for remark in remarks if remark]


def profile_data(entries: tuple[Entry, ...]) -> dict[str, Any]:
    """A profile for programs: a value for each field that is set, lists of them, and what has
    names by name."""
    from memoro.memory.profile.fields import LISTS, NAMED

    data: dict[str, Any] = {field: {} if field in NAMED else [] for field in LISTS}
    for one in entries:
        if one.field in NAMED:
            # What has no name is told by its words.
            data[one.field][one.name or one.text] = _entry_data(one)
        elif one.field in LISTS:
            data[one.field].append(_entry_data(one))
        else:
            data[one.field] = _entry_data(one)
    return data


def _entry_data(entry: Entry) -> dict[str, Any]:
    extras = {
        "severity": entry.severity,
        "workspace": entry.workspace,
        "reason": entry.reason,
        "date": entry.date,
    }
    return {
        "value": entry.text,
        "source": entry.source.name.lower(),
        "confirmed_at": entry.confirmed_at,
        "sensitive": entry.sensitive,
        "stale": entry.stale,
        **{name: value for name, value in extras.items() if value is not None},
    }


def set_profile(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Change the profile by keys and values; a model's word is a guess, not the user's."""
    from memoro.memory.profile.changing import Said, outcome, planned

    pairs = _pairs(arguments["fields"])
    if isinstance(pairs, Refusal):
        return pairs
    if caller.surface in _MODELS and services.learned.mode() == "off":
        return Refusal(Reason.FAILED, "learning is switched off", "memoro config set learn auto")
    values, admitted = admit_all(services, [value for _, value in pairs], caller)
    pairs = [(key, value) for (key, _), value in zip(pairs, values, strict=True)]
    trust = _trust(services, caller, values)
    made_by = origin(services, caller)
    said = Said(pairs, trust, made_by.at, caller.run, caller.message)
    if caller.surface in _MODELS and services.learned.mode() == "review":
        from memoro.commands.learned.inbox import propose_profile

        return propose_profile(services, said, caller)
    mended = _heal(services, caller)
    told: list[Planned] = []

    def plan(reader: Reader) -> ChangeSet | Refusal:
        wanted = planned(reader, said)
        if isinstance(wanted, Refusal):
            return wanted
        told.append(wanted)
        return outcome(wanted)

    applied = services.store.apply(plan, made_by)
    if isinstance(applied, Refusal):
        if told and not told[-1].notices:
            # All of it stands there already, so what was asked for is so.
            return Done({"changes": [], "notices": [], "change": None}, Text(f"{applied.what}."))
        return _in_one_line(applied) if caller.surface in _MODELS else applied
    changes, notices = told[-1].changes, told[-1].notices
    return Done(
        {
            "changes": [_change_data(one) for one in changes],
            "notices": list(notices),
            "change": applied.change,
        },
        Text("\n".join([*map(_line, changes), *_for_models(caller, notices)])),
        (*admitted, *mended, *notices),
    )


def _trust(services: Services, caller: Caller, values: Sequence[str]) -> Trust:
    """Who stands behind these values: the user, where the message that a model answers has each
    of them word by word."""
    if caller.surface not in _MODELS:
        return Trust.USER
    message = services.transcripts.message(caller.message) if caller.message else None
    if message is None or message.role != "user":
        return Trust.INFERRED
    from memoro.memory.evidence import holds

    return Trust.USER if all(holds(message.text, one) for one in values) else Trust.INFERRED


def _in_one_line(refusal: Refusal) -> Refusal:
    """A refusal for models, who are told its first line alone."""
    return refusal._replace(what="; ".join((refusal.what, *refusal.notices)), notices=())


def _for_models(caller: Caller, notices: tuple[str, ...]) -> list[str]:
    """What was not done, for those who are told nothing but the text."""
    return [f"Not done: {one}" for one in notices] if caller.surface in _MODELS else []


def _pairs(fields: object) -> Pairs | Refusal:
    """The keys and values of words ("K=V", "K: V"), or of a model's object."""
    pairs: Pairs = []
    given: list[Any] = list(fields.items()) if isinstance(fields, Mapping) else _as_words(fields)
    for one in given:
        pair = _of_word(one) if isinstance(one, str) else _of_object(*one)
        if isinstance(pair, Refusal):
            return pair
        pairs += pair
    return pairs or Refusal(Reason.USAGE, "no field was given", _EXAMPLE)


def _as_words(fields: object) -> list[str]:
    # A model gives one text, a field a line.
    if isinstance(fields, str):
        return [line for line in fields.splitlines() if line.strip()]
    return list(fields)  # type: ignore[call-overload]


def _of_word(word: str) -> Pairs | Refusal:
    key, sign, value = word.partition("=")
    before, colon, rest = key.partition(": ") if sign else word.partition(":")
    if colon:
        # In "K: V" the value may have a "=" of its own.
        key, value = before, rest + sign + value if sign else rest
    if not sign and not colon:
        return Refusal(
            Reason.USAGE,
            f"{shown(word)} is not KEY=VALUE; nothing was changed",
            f"put a value of several words in quotes: {_EXAMPLE}",
        )
    return [(key.strip(), value.strip())]


def _of_object(key: object, value: object) -> Pairs | Refusal:
    if isinstance(value, Mapping):
        return _of_named(str(key), value)
    if isinstance(value, list):
        texts = [_scalar(one) for one in value]
        if None not in texts:
            return [(str(key), _joined(str(key), [text for text in texts if text]))]
    text = _scalar(value)
    if text is None:
        return Refusal(
            Reason.USAGE, f"{shown(str(key))}: the value must be text, a number, or a list of them"
        )
    return [(str(key), text)]


def _joined(key: str, texts: Sequence[str]) -> str:
    """Several values as one; where a list is split again, each as one that stays whole."""
    from memoro.memory.profile.fields import LISTS, target
    from memoro.memory.profile.splitting import quoted

    wanted = target(key)
    is_list = not isinstance(wanted, Refusal) and wanted.field in LISTS and not wanted.name
    return "; ".join(map(quoted, texts) if is_list else texts)


def _of_named(key: str, values: Mapping[Any, Any]) -> Pairs | Refusal:
    """An object within: the names and values of an environment, or of preferences."""
    from memoro.memory.profile.fields import ENVIRONMENT, NAMED, target

    wanted = target(key)
    texts = {str(name): _scalar(value) for name, value in values.items()}
    if isinstance(wanted, Refusal) or wanted.field not in NAMED or wanted.name:
        return Refusal(Reason.USAGE, f"{shown(key)}: the value must be text, a number, or a list")
    prefix = "env_" if wanted.field == ENVIRONMENT else ""
    if None in texts.values():
        return Refusal(Reason.USAGE, f"{shown(key)}: its values must be text or numbers")
    return [(prefix + name, text or "") for name, text in texts.items()]


def _scalar(value: object) -> str | None:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, str | int | float) else None


def _change_data(change: Change) -> dict[str, Any]:
    return {
        "key": change.subject.key,
        "field": _field(change.subject),
        "action": _action(change),
        "before": change.before and change.before.text,
        "after": change.after and change.after.text,
    }


def _field(record: Record) -> str:
    from memoro.memory.profile.entries import label

    return label(record)


def _action(change: Change) -> str:
    before, after = change
    if before is None:
        return "added"
    if after is None:
        return "removed"
    if _content(before) != _content(after):
        return "changed"
    if before.data.get("sensitive") != after.data.get("sensitive"):
        return "marked" if after.data.get("sensitive") else "unmarked"
    return "moved" if before.data.get("position") != after.data.get("position") else "confirmed"


def _content(record: Record) -> tuple[Any, ...]:
    told = ("reason", "date", "severity", "workspace", "city", "country")
    return (record.text, *(record.data.get(name) for name in told))


_SAID = {
    "added": "{field}: added {after}",
    "removed": "{field}: removed {before}",
    "changed": "{field}: {before} → {after}",
    "marked": "{field}: {after} is marked [sensitive]",
    "unmarked": "{field}: {after} is not sensitive",
    "moved": "{field}: {after} has a new place",
    "confirmed": "{field}: {after} is confirmed",
}


def _line(change: Change) -> str:
    return _SAID[_action(change)].format(
        field=_field(change.subject),
        before=_whole(change.before),
        after=_whole(change.after),
    )


def _whole(record: Record | None) -> str:
    if record is None:
        return ""
    reason = record.data.get("reason")
    return record.text + (f" :: {reason}" if reason else "")

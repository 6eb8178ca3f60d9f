"""Changing a profile by what is said: fields, and lists whose items come, move on and go."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from memoro.errors import Reason, Refusal
from memoro.memory.profile.draft import Draft
from memoro.memory.profile.entries import field_of, position_of, record_id
from memoro.memory.profile.fields import DIRECTIVES, FIELDS, GOALS, LISTS, PARTS, SCALARS
from memoro.memory.profile.lists import put_in_list, remove, replace
from memoro.memory.profile.marking import mark
from memoro.memory.profile.saying import MAX_ITEMS, MAX_PAIRS, Item, Said, Step, read_pair
from memoro.memory.profile.vocabulary import words
from memoro.memory.profile.wording import fold
from memoro.memory.records import GLOBAL, PROFILE, Record, Trust, shown
from memoro.memory.store import Change, ChangeSet, Plan, Reader

_UNKNOWN = words(
    "unknown none null nil n/a na - ? nothing unspecified tbd desconhecido desconhecida nenhum"
    " nenhuma nada"
) | {"not specified", "not mentioned", "not provided", "nao informado", "nao especificado"}
"""What models write where they know nothing."""


class Planned(NamedTuple):
    """What a call would change, and what it would not, a line each; `reason` is the refusal's
    where nothing changes."""

    changes: Sequence[Change]
    notices: tuple[str, ...] = ()
    reason: Reason = Reason.NOT_FOUND


def set_profile(said: Said) -> Plan:
    """Change the profile by keys and values; by all of them, or by none where one is refused."""

    def plan(reader: Reader) -> ChangeSet | Refusal:
        wanted = planned(reader, said)
        return wanted if isinstance(wanted, Refusal) else outcome(wanted)

    return plan


def outcome(wanted: Planned) -> ChangeSet | Refusal:
    """What a plan gives for what was worked out: a refusal where nothing changes."""
    if wanted.changes:
        return ChangeSet("profile set", wanted.changes)
    what, *rest = wanted.notices or ("nothing changes: the profile says so already",)
    return Refusal(wanted.reason, what, "memoro memory profile", tuple(rest))


def planned(reader: Reader, said: Said) -> Planned | Refusal:
    """Work out what a call changes. Fields are taken in their own order, so that the order of the
    pairs matters only within one."""
    if said.trust < Trust.INFERRED:
        return Refusal(
            Reason.USAGE, "what was read by a tool, in a file or on the web changes no profile"
        )
    if len(said.pairs) > MAX_PAIRS:
        return Refusal(
            Reason.TOO_LARGE, f"{len(said.pairs):,} fields were given; at most {MAX_PAIRS} at once"
        )
    steps: list[Step] = []
    for key, value in said.pairs:
        step = read_pair(key, value)
        if isinstance(step, Refusal):
            return step
        steps.append(step)
    known = {one.key: one for one in reader.select(PROFILE.name, GLOBAL) if one.key}
    draft = Draft(known, said)
    for step in sorted(steps, key=_turn):
        _take_step(draft, step)
    full = _full(known, draft.records)
    if full is not None:
        return full
    changes = differences(known, draft.records, lambda key: free_id(reader, key))
    reason = Reason.CONFLICT if Reason.CONFLICT in draft.reasons else Reason.NOT_FOUND
    return Planned(changes, tuple(draft.notices), reason)


def _turn(step: Step) -> int:
    # Marks are last: what they mark may be new.
    return FIELDS.index(step.target.field) if step.target.field else len(FIELDS)


def _take_step(draft: Draft, step: Step) -> None:
    (field, op, _, _), names = step.target, step.names
    if op in ("mark", "unmark"):
        for name in names:
            mark(draft, name, op == "mark")
    elif field == DIRECTIVES and draft.said.trust < Trust.APPROVED:
        draft.tell("directives: only you give these; none was changed", Reason.CONFLICT)
    elif field in SCALARS and op == "put":
        _put_scalar(draft, step.items[0], step.target.name)
    elif field in SCALARS:
        _remove_scalar(draft, step)
    elif op == "put":
        for item in step.items:
            if not _is_unknown(draft, item):
                put_in_list(draft, field, item)
    elif op == "replace":
        replace(draft, field, step.items)
    else:
        remove(draft, field, names, step.whole, finishes=op == "done" and field == GOALS)


def _is_unknown(draft: Draft, item: Item) -> bool:
    unknown = draft.said.trust < Trust.APPROVED and fold(item.text) in _UNKNOWN
    if unknown:
        field = item.key.partition(":")[0]
        draft.tell(f"{field}: {shown(item.text)} says nothing", Reason.CONFLICT)
    return unknown


def _put_scalar(draft: Draft, item: Item, part: str) -> None:
    if _is_unknown(draft, item):
        return
    if item.key == "location":
        item = _place(draft, item, part)
    draft.put(item)


def _place(draft: Draft, item: Item, part: str) -> Item:
    """A location of its parts. Another city may be in another country until that is said too, and
    the other way round; what was said as a whole has no parts."""
    before = draft.records.get(item.key)
    if not part:
        draft.parts.clear()
        same = before is not None and before.text == item.text
        return item if same else item._replace(data=dict.fromkeys(PARTS.values(), ""))
    known: dict[str, str] = {
        name: "" if before is None else before.data.get(name) or "" for name in PARTS.values()
    }
    if known[part] and fold(known[part]) != fold(item.text):
        known = {name: draft.parts.get(name, "") for name in known}
    known[part] = draft.parts[part] = item.text
    return Item(item.key, ", ".join(filter(None, known.values())), known)


def _remove_scalar(draft: Draft, step: Step) -> None:
    field, name = step.target.field, step.names[0]
    record = draft.records.get(field)
    if record is None:
        draft.tell(f"{field}: there is none", Reason.NOT_FOUND)
    elif fold(name) not in _ANY and fold(name) not in fold(record.text):
        draft.tell(
            f"{field}: it is {shown(record.text)}, not {shown(name)}; not removed",
            Reason.NOT_FOUND,
        )
    elif draft.may(record, "not removed"):
        draft.take(record)


_ANY = frozenset({"", "true", "yes", "1", "all", "*", "sim"})
"""What stands behind `company_remove=` where it is not the company."""


def differences(
    known: Mapping[str, Record], wanted: Mapping[str, Record], new_id: Callable[[str], str]
) -> list[Change]:
    """The changes that lead from one set of records to another, by their keys."""
    changes: list[Change] = []
    for key in sorted({*known, *wanted}, key=lambda key: _place_of(wanted.get(key) or known[key])):
        before, after = known.get(key), wanted.get(key)
        if after is not None and before is None:
            after = after._replace(id=new_id(key))
        elif after is not None and before is not None:
            after = after._replace(id=before.id, revision=before.revision)
            if after == before:
                continue
            after = after._replace(revision=before.revision + 1)
        changes.append(Change(before, after))
    return changes


def _place_of(record: Record) -> tuple[int, int, str]:
    field = field_of(record)
    return (FIELDS.index(field) if field else len(FIELDS), position_of(record), record.key or "")


def free_id(reader: Reader, key: str) -> str:
    """The ID for a new record of that key: one that was forgotten for good is not used again, or
    a repair of the store would forget the new one too."""
    generation = 0
    while any(change.final for change in reader.changes(record=record_id(key, generation))):
        generation += 1
    return record_id(key, generation)


def _full(known: Mapping[str, Record], wanted: Mapping[str, Record]) -> Refusal | None:
    before = [field_of(one) for one in known.values()]
    after = [field_of(one) for one in wanted.values()]
    for field in LISTS:
        count = after.count(field)
        if count > MAX_ITEMS and count > before.count(field):
            return Refusal(
                Reason.TOO_LARGE,
                f"{field} would have {count} items; at most {MAX_ITEMS} are allowed; nothing was"
                " changed",
                f"make room: memoro memory profile set {field}_remove=ITEM",
            )
    return None

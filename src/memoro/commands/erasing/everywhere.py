"""`--everywhere`: what conversations and notes say of what is forgotten goes with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from memoro.commands.erasing.verifying import named
from memoro.errors import Reason, Refusal
from memoro.memory.erasing.phrases import phrases_of, telling, without
from memoro.memory.records import shown
from memoro.memory.store import ChangeSet, Plan, Reader, Removal

if TYPE_CHECKING:
    from memoro.commands.ports import Passages
    from memoro.commands.services import Services
    from memoro.memory.records import Record

_SHOWN = 20
_WIDTH = 100


def eraser(texts: Sequence[str]) -> Callable[[str], str] | None:
    """What takes the passages that say one of these out of a text; None where none is long enough
    to be looked for."""
    phrases = phrases_of(texts)
    return (lambda text: without(text, phrases)) if phrases.runs else None


def sought(records: Sequence[Record], texts: Sequence[str]) -> Sequence[str]:
    """Of all texts of records those that are looked for in conversations: what the records say,
    and what else is said in them by more than a name."""
    said = {record.text for record in records}
    return [text for text in dict.fromkeys(texts) if text in said or telling(text)]


def asked(
    services: Services, arguments: Mapping[str, Any], what: Sequence[str], found: Passages
) -> Refusal | None:
    """Show what would go, and what would be left of it, and let the person say whether it shall."""
    if arguments.get("yes"):
        return None
    lines = [*what, *_lines(found)]
    touched = named(counted(found))
    places = f", and passages of {touched}" if touched else ""
    answer = services.terminal().confirm("\n".join([*lines, f"Erase this{places}, for good?"]))
    if answer is None:
        return Refusal(
            Reason.CONFLICT,
            f"{len(what):,} would be forgotten{places}; nothing was changed",
            "look at the list, then add --yes",
            tuple(lines),
        )
    return None if answer else Refusal(Reason.CANCELLED, "nothing was forgotten")


def counted(found: Passages) -> dict[str, int]:
    """How many of what have such passages."""
    counts = Counter(one.kind for one in found.spoken)
    counts.update(before.kind for before, _ in found.notes)
    return dict(counts)


def _lines(found: Passages) -> list[str]:
    lines = [
        f"{one.kind.replace('_', ' ')} {one.id.split()[0]} in {one.session}:"
        f" {shown(' '.join(one.after), _WIDTH)}"
        for one in found.spoken
    ]
    lines += [f"{after.kind} {after.id}: {shown(after.text, _WIDTH)}" for _, after in found.notes]
    more = len(lines) - _SHOWN
    return [*lines[:_SHOWN], f"… and {more:,} more"] if more > 0 else lines


def redacting(plan: Plan, erase: Callable[[str], str]) -> Plan:
    """The same forgetting, that takes passages along."""

    def planned(reader: Reader) -> ChangeSet | Removal | Refusal:
        wanted = plan(reader)
        return wanted._replace(erases=erase) if isinstance(wanted, Removal) else wanted

    return planned

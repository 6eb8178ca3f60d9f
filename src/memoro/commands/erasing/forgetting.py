"""`forget --verify` and `--everywhere`: out of conversations as well, and looked for afterwards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from memoro.commands.erasing.everywhere import asked, counted, eraser, redacting, sought
from memoro.commands.erasing.saying import KEPT, forgotten
from memoro.commands.erasing.verifying import Erased, data_of, lines_of, named, numbered, verified
from memoro.commands.ports import Doomed, Passages
from memoro.commands.registry import Done, Text
from memoro.errors import Refusal
from memoro.memory.records import SAVED_FACT, Record, shown

if TYPE_CHECKING:
    from memoro.commands.services import Services
    from memoro.memory.store import Origin, Plan

_WIDTH = 80
_TOO_SHORT = "It is too short to be looked for in messages, tool records and notes."


def forget_thoroughly(
    services: Services,
    arguments: Mapping[str, Any],
    origin: Origin,
    plan: Plan,
    records: Sequence[Record],
    called: tuple[str, Mapping[str, Any]],
) -> Done | Refusal:
    """Carry a forgetting out, with its passages in conversations and notes where `everywhere` says
    so, and its receipt where `verify` does."""
    known = {record.id: record for record in records}
    texts = list(services.erasing.texts(services.store, Doomed(list(known.values()), ())))
    texts += [record.text for record in records]
    passages, kept = None, KEPT
    if arguments.get("everywhere") and known:
        erase = eraser(sought(records, texts))
        found = Passages((), ())
        if erase is not None:
            found = services.erasing.passages(services.store, erase)
            plan = redacting(plan, erase)
        refusal = asked(services, arguments, [_line(one) for one in known.values()], found)
        if refusal is not None:
            return refusal
        passages = counted(found)
        kept = _TOO_SHORT if erase is None else _told_of(passages)
    removes = [_told(services, one) for one in known.values()]
    applied = services.store.apply(plan, origin)
    if isinstance(applied, Refusal):
        return applied
    what, data = called
    done = forgotten(applied, what, data, kept)
    if not arguments.get("verify"):
        return done
    counts = Counter(record.kind for record in known.values())
    receipt = verified(services, applied, Erased(counts, list(known), texts, passages))
    assert isinstance(done.view, Text)
    lines = [*map(_removed, removes), done.view.text, *lines_of(receipt, services.show_time)]
    return done._replace(
        data={**done.data, "removed": removes, "receipt": data_of(receipt)},
        view=Text("\n".join(lines)),
        # The receipt tells of what remains.
        notices=(),
        ok=receipt.is_clean,
    )


def _line(record: Record) -> str:
    return f"{_name(record)} {shown(record.text, _WIDTH)}"


def _name(record: Record) -> str:
    return f"{record.kind} {record.key if record.kind == SAVED_FACT.name else record.id}"


def _told(services: Services, record: Record) -> dict[str, Any]:
    """What goes of a record, without what it says."""
    entries = services.store.changes(record=record.id)
    values = sum(
        side is not None
        for entry in entries
        for one in entry.records
        if one.record_id == record.id
        for side in (one.before, one.after)
    )
    return {
        "name": _name(record),
        "stands": services.store.get(record.id) is not None,
        "values_in_log": values,
    }


def _removed(told: Mapping[str, Any]) -> str:
    stands = "what it says, its places in the index, the graph and the files, and " * told["stands"]
    values = numbered(told["values_in_log"], "value")
    return f"Removed of {told['name']}: {stands}{values} in the log"


def _told_of(passages: Mapping[str, int]) -> str:
    if not passages:
        return "No message, tool record or note said it."
    return f"Its passages were erased in {named(passages)}."

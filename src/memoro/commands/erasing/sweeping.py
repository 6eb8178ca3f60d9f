"""`memoro memory sweep`: today's rules for secrets and planted orders, for what is stored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from memoro.bootstrap.reading.scan import scan
from memoro.commands.erasing.verifying import data_of, lines_of, verified
from memoro.commands.registry import Caller, Done, Result, Text
from memoro.commands.scopes import origin
from memoro.errors import Reason, Refusal
from memoro.memory.erasing.sweeping import Swept, swept
from memoro.memory.records import KINDS, SAVED_FACT

if TYPE_CHECKING:
    from memoro.commands.services import Services


def sweep_memory(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Show what today's rules would mask, ask, mask it, and look for what was there."""

    mask = services.learned.mask

    def secrets(text: str) -> tuple[str, tuple[str, ...]]:
        made = mask(text)
        return made.text, made.kinds

    def secrets_and_orders(text: str) -> tuple[str, tuple[str, ...]]:
        made = mask(text)
        looked = scan(made.text)
        return looked.text, (*made.kinds, *(hit.category for hit in looked.hits))

    store = services.store
    found = [
        one
        for kind in KINDS
        for one in swept(store.select(kind), secrets, secrets_and_orders, services.now())
    ]
    saved = [
        record.key
        for record in store.select(SAVED_FACT.name)
        if record.key is not None and mask(record.text).kinds
    ]
    notices = tuple(
        f"{key} looks like a secret; it was saved word for word, and stays:"
        f" memoro memory forget {key} --verify"
        for key in saved
    )
    data = [{"id": one.before.id, "kind": one.before.kind, "found": one.found} for one in found]
    if not found:
        return Done({"swept": []}, Text("Nothing stored breaks today's rules."), notices)
    if arguments.get("dry_run"):
        return Done({"swept": data}, Text("\n".join(_lines(found))), notices)
    refusal = _asked(services, arguments, found)
    if refusal is not None:
        return refusal
    texts = [secret for one in found for secret in one.gone]
    pairs = [(one.before, one.after) for one in found]
    applied = services.erasing.sweep(store, pairs, origin(services, caller))
    counts = Counter(one.before.kind for one in found)
    receipt = verified(services, applied, counts, texts)
    return Done(
        {"swept": data, "receipt": data_of(receipt)},
        Text("\n".join([*_lines(found), *lines_of(receipt)])),
        notices,
        ok=receipt.is_clean,
    )


def _lines(found: Sequence[Swept]) -> list[str]:
    return [f"{one.after.kind} {one.after.id} ({', '.join(one.found)})" for one in found]


def _asked(
    services: Services, arguments: Mapping[str, Any], found: Sequence[Swept]
) -> Refusal | None:
    if arguments.get("yes"):
        return None
    lines = _lines(found)
    question = "\n".join([*lines, f"Mask these {len(found)} for good?"])
    answer = services.terminal().confirm(question)
    if answer is None:
        return Refusal(
            Reason.CONFLICT,
            f"{len(found)} would be masked; nothing was changed",
            "look at the list, then add --yes",
            tuple(lines),
        )
    return None if answer else Refusal(Reason.CANCELLED, "nothing was masked")

"""`memoro memory sweep`: today's rules for secrets and planted orders, for all that is stored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from memoro.bootstrap.reading.scan import scan
from memoro.commands.erasing.everywhere import counted
from memoro.commands.erasing.verifying import Erased, data_of, lines_of, named, verified
from memoro.commands.ports import Passages, Sweeping
from memoro.commands.registry import Caller, Done, Result, Text
from memoro.commands.scopes import origin
from memoro.errors import Reason, Refusal
from memoro.memory.erasing.sweeping import Mask, Swept, gone_from, swept
from memoro.memory.records import KINDS, NOTE, SAVED_FACT, Record

if TYPE_CHECKING:
    from memoro.commands.services import Services

_TEXTS = 200_000
"""So many texts are known again in one sweep."""

_BY_HAND = (SAVED_FACT.name, NOTE.name)
"""The kinds that a person writes word for word."""


class _Found(NamedTuple):
    """What breaks today's rules: records that stand, what the log holds of others, and what was
    said; and the saved facts and notes that stay, as a person wrote them."""

    masked: list[Swept]
    past: list[Swept]
    said: Passages
    stays: list[Record]

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to sweep."""
        return not (self.masked or self.past or self.said.spoken or self.said.notes)


def sweep_memory(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Show what today's rules would mask, ask, mask it, and look for what was there."""
    everywhere = bool(arguments.get("everywhere"))
    found = _found(services)
    notices = tuple(_notices(found, everywhere))
    if not everywhere:
        found = found._replace(said=Passages((), ()))
    if found.is_empty:
        return Done({"swept": []}, Text("Nothing stored breaks today's rules."), notices)
    data, lines = _data(found), _lines(found)
    if arguments.get("dry_run"):
        return Done({"swept": data}, Text("\n".join(lines)), notices)
    refusal = _asked(services, arguments, lines)
    if refusal is not None:
        return refusal
    of_user, _ = _rules(services)

    def erase(text: str) -> str:
        return of_user(text)[0]

    wanted = Sweeping(
        [(one.before, one.after) for one in found.masked],
        list({one.before.id: one.before for one in found.past}.values()),
        erase if everywhere else None,
    )
    applied = services.erasing.sweep(services.store, wanted, origin(services, caller))
    receipt = verified(services, applied, _erased(found, everywhere))
    told = [*lines, *lines_of(receipt, services.show_time)]
    return Done(
        {"swept": data, "receipt": data_of(receipt)},
        Text("\n".join(told)),
        notices,
        ok=receipt.is_clean,
    )


def _found(services: Services) -> _Found:
    of_user, of_others = _rules(services)
    store, now = services.store, services.now()
    every = [one for kind in KINDS for one in swept(store.select(kind), of_user, of_others, now)]
    masked = [one for one in every if one.before.kind not in _BY_HAND]
    stays = [one.before for one in every if one.before.kind in _BY_HAND]
    known = {one.before.id for one in every}
    past = [
        one
        for one in swept(services.erasing.logged(store), of_user, of_others, now)
        if one.before.id not in known
    ]
    said = services.erasing.passages(store, lambda text: of_user(text)[0])
    return _Found(masked, past, said, [one for one in stays if one.kind != NOTE.name])


def _rules(services: Services) -> tuple[Mask, Mask]:
    """What may not be stored of what the user stands behind, and of anything else."""
    mask = services.learned.mask

    # The log has again what stands, and many fields say the same.
    @lru_cache(_TEXTS)
    def secrets(text: str) -> tuple[str, tuple[str, ...]]:
        made = mask(text)
        return made.text, made.kinds

    @lru_cache(_TEXTS)
    def secrets_and_orders(text: str) -> tuple[str, tuple[str, ...]]:
        made = mask(text)
        looked = scan(made.text)
        return looked.text, (*made.kinds, *(hit.category for hit in looked.hits))

    return secrets, secrets_and_orders


def _notices(found: _Found, everywhere: bool) -> list[str]:
    notices = [
        f"{one.key} looks like a secret; it was saved word for word, and stays:"
        f" memoro memory forget {one.key} --verify"
        for one in found.stays
    ]
    said = counted(found.said)
    if said and not everywhere:
        notices.append(
            f"{named(said)} hold what looks like a secret, and stay as they were written:"
            " memoro memory sweep --everywhere"
        )
    return notices


def _erased(found: _Found, everywhere: bool) -> Erased:
    texts = [word for one in (*found.masked, *found.past) for word in one.gone]
    for passage in found.said.spoken:
        for before, after in zip(passage.before, passage.after, strict=True):
            texts += gone_from(before, after)
    for before, after in found.said.notes:
        texts += gone_from(before.text, after.text)
    counts = Counter(one.before.kind for one in found.masked)
    past = len({one.before.id for one in found.past})
    if past:
        counts["past value"] = past
    return Erased(counts, (), texts, counted(found.said) if everywhere else None)


def _data(found: _Found) -> list[dict[str, Any]]:
    return [
        *(_of_record(one, "record") for one in found.masked),
        *(_of_record(one, "log") for one in found.past),
        *(
            {"id": one.id, "kind": one.kind, "found": ("secret",), "in": one.session}
            for one in found.said.spoken
        ),
        *(
            {"id": one.id, "kind": one.kind, "found": ("secret",), "in": "record"}
            for one, _ in found.said.notes
        ),
    ]


def _of_record(one: Swept, place: str) -> dict[str, Any]:
    return {"id": one.before.id, "kind": one.before.kind, "found": one.found, "in": place}


def _lines(found: _Found) -> list[str]:
    return [
        *(f"{one.after.kind} {one.after.id} ({', '.join(one.found)})" for one in found.masked),
        *dict.fromkeys(
            f"a past value of {one.after.kind} {one.after.id} ({', '.join(one.found)})"
            for one in found.past
        ),
        *(f"{one.kind} {one.id.split()[0]} in {one.session}" for one in found.said.spoken),
        *(f"{one.kind} {one.id}" for one, _ in found.said.notes),
    ]


def _asked(services: Services, arguments: Mapping[str, Any], lines: list[str]) -> Refusal | None:
    if arguments.get("yes"):
        return None
    count = "this" if len(lines) == 1 else f"these {len(lines)}"
    answer = services.terminal().confirm("\n".join([*lines, f"Mask {count} for good?"]))
    if answer is None:
        return Refusal(
            Reason.CONFLICT,
            f"{len(lines)} would be masked; nothing was changed",
            "look at the list, then add --yes",
            tuple(lines),
        )
    return None if answer else Refusal(Reason.CANCELLED, "nothing was masked")

"""The door that everything learned comes through: secrets masked, planted orders found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from memoro.commands.registry import Caller
from memoro.memory.records import Trust

if TYPE_CHECKING:
    from memoro.commands.services import Services


class Admitted(NamedTuple):
    """A text that may be kept, and what to tell about it, a line each."""

    text: str
    notices: tuple[str, ...] = ()


def trust_of(caller: Caller) -> Trust:
    """Who stands behind what a caller says: the person at the keyboard, or a model's reading."""
    return Trust.INFERRED if caller.surface in ("tool", "mcp") else Trust.USER


def trust_in(services: Services, caller: Caller, claims: Sequence[str]) -> Trust:
    """Who stands behind what a caller says. A model's reading ranks below the user's word, unless
    the message that it answers says all of this in so many words: then the user has said it."""
    if trust_of(caller) == Trust.USER:
        return Trust.USER
    message = services.transcripts.message(caller.message) if caller.message else None
    if message is None or message.role != "user":
        return Trust.INFERRED
    from memoro.memory.evidence import says

    said = all(says(message.text, claim) for claim in claims)
    return Trust.USER if claims and said else Trust.INFERRED


def admit(services: Services, text: str, caller: Caller) -> Admitted:
    """Let a text in. Secrets become placeholders; orders that pose as the system are masked too,
    unless the person typed them: then they are told."""
    masked = services.learned.mask(text)
    notices = [f"masked before it was kept: {kind}" for kind in dict.fromkeys(masked.kinds)]
    from memoro.bootstrap.reading.scan import scan

    found = scan(masked.text)
    kinds = ", ".join(dict.fromkeys(hit.category for hit in found.hits))
    if not kinds:
        return Admitted(masked.text, tuple(notices))
    if trust_of(caller) == Trust.USER:
        notices.append(f"this reads like a planted order ({kinds}); a model gets it as data only")
        return Admitted(masked.text, tuple(notices))
    notices.append(f"masked before it was kept: {kinds}")
    return Admitted(found.text, tuple(notices))


def admit_all(
    services: Services, texts: Sequence[str], caller: Caller
) -> tuple[list[str], tuple[str, ...]]:
    """The same for several texts."""
    admitted = [admit(services, text, caller) for text in texts]
    return [one.text for one in admitted], tuple(
        dict.fromkeys(notice for one in admitted for notice in one.notices)
    )

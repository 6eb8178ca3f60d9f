"""What a statement names that can be looked up in the world, and whether it says that it is so."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Literal, NamedTuple

from memoro.memory.mentions.addresses import find_addresses, find_mail_addresses
from memoro.memory.mentions.branches import find_branches
from memoro.memory.mentions.files import find_files
from memoro.memory.mentions.mention import Mention, without
from memoro.memory.mentions.versions import find_versions

_LONGEST = 10_000
_MOST = 64
_FINDERS: tuple[Callable[[str], Iterator[Mention]], ...] = (
    find_addresses,
    find_branches,
    find_versions,
    find_files,
)


class Claim(NamedTuple):
    """Something that a statement names and that can be looked up.

    `what` is a path as it is written, a branch's name, a version ("1.23", or ">=3.11" where the
    statement says "at least"), or a URL, host:port or IPv4 address, without credentials. `subject`
    says of a version what it is the version of, in lower case and under its usual name ("python",
    "node"), and is "default" of a branch that is said to be the default one.

    `denied`: the statement says that it is not there, or not so. `sure` is False where it doesn't
    plainly say either of here and now: then nothing that is found proves it right or wrong.
    """

    kind: Literal["file", "branch", "version", "address"]
    what: str
    subject: str = ""
    denied: bool = False
    sure: bool = True


class Seen(NamedTuple):
    """What the world says of a claim.

    "true" and "false" speak of the claim as it was made, denied or not; "unknown" is whatever
    couldn't be found out or proves nothing. `told` is what was seen, in a few words, and "" where
    nothing was looked at.
    """

    claim: Claim
    state: Literal["true", "false", "unknown"]
    told: str


def claims(text: str) -> tuple[Claim, ...]:
    """What a statement names, in its order, each thing once; unsure where it is said both ways.

    English and Portuguese are understood; in other languages only what says no is, in part, and
    leaves the claim unsure. Of a text over 10,000 characters, or with more than 64 names, the rest
    is not looked at.
    """
    text = text[:_LONGEST]
    rest = text
    found: list[Mention] = []
    for find in _FINDERS:
        new = list(_apart(find(rest)))
        found += new
        rest = without(rest, ((one.start, one.end) for one in new))
        if find is find_addresses:
            rest = without(rest, find_mail_addresses(rest))
    if not found:
        return ()
    # Loaded when there is something to judge: most statements name nothing, and it takes a while.
    from memoro.memory.mentions.stance import stances

    found = sorted(found, key=lambda one: one.start)[:_MOST]
    named: dict[tuple[str, str, str], Claim] = {}
    for one, stance in zip(found, stances(text, found), strict=True):
        key = (one.kind, one.what, one.subject)
        claim = Claim(*key, denied=stance == "denied", sure=stance != "open")
        first = named.setdefault(key, claim)
        if first != claim:
            named[key] = first._replace(sure=False)
    return tuple(named.values())


def _apart(mentions: Iterable[Mention]) -> Iterator[Mention]:
    """Of mentions that overlap, the first and longest."""
    end = 0
    for one in sorted(mentions, key=lambda each: (each.start, -each.end)):
        if one.start >= end:
            yield one
            end = one.end

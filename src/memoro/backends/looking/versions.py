"""Whether a project's manifests ask for the versions that a statement names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from memoro.backends.looking.files import Ground
from memoro.backends.looking.manifests import Asked, asked_by, is_manifest, key
from memoro.backends.looking.sight import UNSEEN, Sight
from memoro.bootstrap.files import printable
from memoro.memory.claims import Claim
from memoro.memory.mentions.ranges import Fit, fit

_MOST_FURTHER = 12
_NAMES = {"go": "Go", "java": "Java", "node": "Node", "python": "Python", "rust": "Rust"}


class Manifests:
    """What a folder's manifests ask for, and those further down, read when first needed."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground

    @cached_property
    def top(self) -> tuple[Asked, ...]:
        folder = self._ground.folder
        return () if folder is None else asked_by(folder)

    @cached_property
    def further(self) -> tuple[Asked, ...] | None:
        """None where there are too many to be read."""
        folder, tree = self._ground.folder, self._ground.tree
        paths = [path[1:] for path in tree.paths if path.count("/") > 1 and is_manifest(path)]
        if folder is None or not tree.whole or len(paths) > _MOST_FURTHER:
            return None
        return asked_by(folder, paths)


def look_for_version(claim: Claim, manifests: Manifests) -> Sight:
    """Compare a version with what is asked for.

    A version that is written down counts for more than a range that allows it. Where one manifest
    allows what another one doesn't, also one further down, nothing is proven.
    """
    found = _fits(claim, manifests.top)
    if not found:
        return UNSEEN
    fits = {one for one, _ in found}
    pins = {one for one, asked in found if asked.dialect == "pin"}
    if "yes" in pins or ("yes" in fits and "no" not in pins):
        return Sight(True, _asking(found, "yes", claim))
    if fits != {"no"}:
        return Sight(None, _asking(found, "maybe", claim))
    further = None if manifests.further is None else _fits(claim, manifests.further)
    if further is None or any(one != "no" for one, _ in further):
        return Sight(None, _asking([*found, *(further or ())], "yes", claim))
    return Sight(False, _asking(found, "no", claim))


def _fits(claim: Claim, asked: Iterable[Asked]) -> list[tuple[Fit, Asked]]:
    tool = key(claim.subject)
    return [(fit(claim.what, each.spec, each.dialect), each) for each in asked if each.tool == tool]


def _asking(found: Sequence[tuple[Fit, Asked]], wanted: Fit, claim: Claim) -> str:
    _, asked = min(found, key=lambda one: (one[0] != wanted, one[1].dialect != "pin"))
    name = _NAMES.get(claim.subject, claim.subject)
    return f"{printable(asked.file)} asks for {name} {printable(asked.spec)}"

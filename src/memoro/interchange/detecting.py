"""Which tool a path comes from."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from memoro.errors import Reason, Refusal
from memoro.interchange.archives.packages import sources
from memoro.interchange.formats import Format
from memoro.interchange.readers import FORMATS
from memoro.interchange.reading.files import Unread, decoded
from memoro.interchange.reading.glimpse import Glimpse, glimpse
from memoro.memory.imported import LeftOut
from memoro.memory.records import shown

__all__ = ["Glimpse", "format_named", "format_of", "glimpse"]

_EMPTY_ZIP = b"PK\x05\x06"


def format_of(path: str) -> Format | Refusal:
    """The format that a path has; a refusal where there is none, or several fit equally well."""
    seen = glimpse(path)
    if isinstance(seen, Refusal):
        return seen
    if {"facts.json", "MEMORY.md"} <= seen.names:
        return Refusal(
            Reason.USAGE,
            f"{shown(path, 120)} is a folder that Memoro writes itself; nothing was changed",
            "what was edited there comes in with: memoro memory merge",
        )
    sure = [(one.detects(seen), one) for one in FORMATS]
    best = max(sureness for sureness, _ in sure)
    fitting = [one for sureness, one in sure if sureness == best]
    if best <= 0:
        why, fix = _unknown(seen)
        return Refusal(Reason.USAGE, f"{shown(path, 120)} {why}; nothing was changed", fix)
    if len(fitting) > 1:
        return Refusal(
            Reason.CONFLICT,
            f"{shown(path, 120)} could be one of several; nothing was changed",
            f"say which with --from KIND: {_listed(fitting)}",
        )
    return fitting[0]


def _unknown(seen: Glimpse) -> tuple[str, str | None]:
    """Why a path is of no kind that is known, and what may help."""
    shape = seen.outline.shape
    if shape == "empty" or seen.head.startswith(_EMPTY_ZIP) or (seen.is_folder and not seen.names):
        return "is empty", None
    if any(name.endswith(".zip") for name in seen.names) and shape == "zip":
        return "holds another zip, which is not looked into", "unpack it, and import what is in it"
    if shape == "binary":
        text = decoded(seen.head)
        if isinstance(text, Unread):
            return text.why, None
    if shape in ("zip", "folder"):
        unread = next(
            (one for one in islice(sources(seen.path), 20) if isinstance(one, LeftOut)), None
        )
        if unread is not None:
            return f"has nothing that can be read: {unread.place}: {unread.why}", None
    return (
        "is of no kind that is known here",
        f"say what it is with --from KIND: {_listed(FORMATS)}",
    )


def format_named(name: str) -> Format | Refusal:
    """The format of that name."""
    for one in FORMATS:
        if one.name == name:
            return one
    return Refusal(Reason.USAGE, f"there is no kind {shown(name)}", f"one of: {_listed(FORMATS)}")


def _listed(formats: Sequence[Format]) -> str:
    return ", ".join(one.name for one in formats)

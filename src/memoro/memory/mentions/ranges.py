"""Whether a version that is named fits what is asked for: a version, a range, or several."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

Fit = Literal["yes", "no", "maybe"]

_Version = tuple[int, ...]
_FAR = (1_000_000_000,)
_MOST_PARTS = 40
_PART = re.compile(
    r"(?P<op>>=|<=|===?|~=|~>|!=|=>|>|<|\^|~|=)?v?(?P<number>\d{1,9}(?:\.\d{1,9}){0,5})?"
    r"(?P<wild>(?:\.[xX*])+)?[^\s,|]*"
)
_SPACE = re.compile(r"([<>=~^!])\s+")
_HYPHEN = re.compile(r"(\S{1,40})\s+-\s+(\S{1,40})")


class _Range(NamedTuple):
    """From `low` up to below `high`; `anchor` is the version that was written down to mean it."""

    low: _Version
    high: _Version
    anchor: _Version | None
    least: bool = False


def fit(named: str, spec: str, dialect: str) -> Fit:
    """Whether a version that somebody names is the one that a specification means.

    "yes" where it is the one that is written there, or all that is allowed belongs to it; "no"
    where it is not allowed, or is another bound; "maybe" where it is allowed among others.

    Args:
        named: "1.23", or with `>=`, `>`, `<=` or `<` before it. It stands for all of its own.
        spec: ">=3.11,<4", "^18.2.0", "~1.4 || 2.x", "16".
        dialect: how a bare version is meant: "cargo" (compatible ones), "least" (later ones too),
            otherwise that version and no other.
    """
    claimed = _ranges(named, "pin")
    allowed = [_ranges(part, dialect) for part in spec.split("||")[:_MOST_PARTS]]
    if not claimed or not all(allowed):
        return "maybe"
    fits: list[Fit] = [_fit(claimed[0], parts) for parts in allowed]
    if len(fits) == 1:
        return fits[0]
    return "no" if all(one == "no" for one in fits) else "maybe"


def _fit(claimed: _Range, parts: list[_Range]) -> Fit:
    low, high = max(one.low for one in parts), min(one.high for one in parts)
    anchors = [one for one in parts if one.anchor is not None]
    if claimed.least:
        same = [one for one in anchors if one.anchor == claimed.low]
        bounds = [one for one in anchors if one.least]
        if same or bounds:
            return "yes" if same else "no"
    elif any(claimed.low <= one.low < claimed.high for one in anchors):
        return "yes"
    if claimed.high <= low or claimed.low >= high:
        return "no"
    return "yes" if claimed.low <= low and high <= claimed.high else "maybe"


def _ranges(spec: str, dialect: str) -> list[_Range]:
    found: list[_Range] = []
    spec = _HYPHEN.sub(r">=\1 <=\2", _SPACE.sub(r"\1", spec))
    for match in _PART.finditer(spec):
        if match["number"] and match["op"] != "!=":
            found.append(_range(match, dialect))
    return found[:_MOST_PARTS]


def _range(match: re.Match[str], dialect: str) -> _Range:
    version = tuple(int(part) for part in match["number"].split("."))
    operator = match["op"] or {"cargo": "^", "least": ">="}.get(dialect, "==")
    low = _trimmed(version)
    if operator in (">=", "=>"):
        return _Range(low, _FAR, low, least=True)
    if operator == ">":
        return _Range(low, _FAR, None)
    if operator in ("<", "<="):
        return _Range((), low if operator == "<" else _after(version, len(version)), None)
    if operator == "^":
        leading = next((place for place, part in enumerate(version, 1) if part), len(version))
        return _Range(low, _after(version, leading), low)
    if operator in ("~=", "~>"):
        return _Range(low, _after(version, max(1, len(version) - 1)), low)
    if operator == "~":
        return _Range(low, _after(version, min(2, len(version))), low)
    return _Range(low, _after(version, len(version)), low)


def _after(version: _Version, length: int) -> _Version:
    """The first version behind all that begin with so many parts of this one."""
    return _trimmed((*version[: length - 1], version[length - 1] + 1))


def _trimmed(version: _Version) -> _Version:
    # 3.11 and 3.11.0 are one; without the zeros they also compare as one.
    while version and version[-1] == 0:
        version = version[:-1]
    return version

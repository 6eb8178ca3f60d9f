"""The files of the mirror and their names. Whatever else lies in the folder is not ours."""

from __future__ import annotations

import os
import re
from typing import NamedTuple

from memoro.memory.records import (
    DAILY,
    EPISODE,
    FACT,
    NOTE,
    PLACE,
    PROFILE,
    PROJECT,
    PROPOSAL,
    SAVED_FACT,
    TOPIC,
    WORK,
)

PAGE = "MEMORY.md"
USAGE = "usage.json"
DAYS = "daily"


class Group(NamedTuple):
    """Files of some kinds: `stem.json`, `stem-2.json` …; a record in them that doesn't say is of
    the first kind."""

    stem: str
    kinds: tuple[str, ...]

    def file(self, number: int) -> str:
        """The name of a file of these."""
        return f"{self.stem}.json" if number == 1 else f"{self.stem}-{number}.json"


GROUPS = (
    Group("facts", (FACT.name,)),
    Group("saved", (SAVED_FACT.name,)),
    Group("profile", (PROFILE.name,)),
    Group("topics", (TOPIC.name,)),
    Group("projects", (WORK.name,)),
    Group("episodes", (EPISODE.name,)),
    Group("daily", (DAILY.name,)),
    Group("notes", (NOTE.name,)),
    Group("inbox", (PROPOSAL.name,)),
    Group("places", (PROJECT.name, PLACE.name)),
)
BY_KIND = {kind: group for group in GROUPS for kind in group.kinds}
_BY_STEM = {group.stem: group for group in GROUPS}

_DATA = re.compile(rf"({'|'.join(_BY_STEM)})(?:-([2-9]|[1-9][0-9]{{1,6}}))?\.json")
_GENERATED = re.compile(rf"{re.escape(PAGE)}|{re.escape(USAGE)}|{DAYS}/[0-9]{{6}}/[0-9]{{8}}\.md")
_ASIDE = re.compile(r"(.+)\.(?:(?:broken|edited)-[1-9][0-9]*|bak(?:-[1-9][0-9]*)?)")
_PARTIAL = re.compile(r"\.(.+)\.partial")
_SWAPPED = re.compile(r"\.(.+)\.swap")


def group_of(name: str) -> Group | None:
    """The group that a file of records belongs to; None where it is none."""
    found = _DATA.fullmatch(name)
    return _BY_STEM[found[1]] if found else None


def group_behind(path: str) -> Group | None:
    """The group of a file of records, or of a copy of one, wherever it lies."""
    base = os.path.basename(path)
    found = _ASIDE.fullmatch(base)
    return group_of(found[1] if found else base)


def number_of(name: str) -> int:
    """Which one of its group's files it is, from 1."""
    found = _DATA.fullmatch(name)
    return int(found[2]) if found and found[2] else 1


def page_of(day: str) -> str:
    """The page of a day that is written 2026-05-02."""
    digits = day.replace("-", "")
    return f"{DAYS}/{digits[:6]}/{digits}.md"


def day_of_page(name: str) -> str:
    """The day that a page is of."""
    digits = os.path.basename(name)[:8]
    return f"{digits[:4]}-{digits[4:6]}-{digits[6:]}"


def is_written(name: str) -> bool:
    """Whether a file, by its path below the folder, is one that the mirror writes."""
    return bool(_DATA.fullmatch(name) or _GENERATED.fullmatch(name))


def is_aside(name: str) -> bool:
    """Whether a file is a copy that was kept of what a person had written."""
    found = _ASIDE.fullmatch(name)
    return found is not None and is_written(found[1])


def is_partial(name: str) -> bool:
    """Whether a file is one in the making."""
    made = _beside(_PARTIAL, name)
    return is_written(made) or is_aside(made)


def partial(base: str) -> str:
    """What a file of that name is called while it is made."""
    return f".{base}.partial"


def swapped(base: str) -> str:
    """What a whole file is called before it takes the place of the one of that name, and what that
    one is called afterwards until it is removed."""
    return f".{base}.swap"


def in_place_of(name: str) -> str | None:
    """The file that one lies beside which is just taking its place, or has given it up; None where
    it is no such file."""
    made = _beside(_SWAPPED, name)
    return made if is_written(made) else None


def is_ours(name: str) -> bool:
    """Whether a file, by its path below the folder, is one that we have made there."""
    return is_written(name) or is_aside(name) or is_partial(name) or in_place_of(name) is not None


def _beside(form: re.Pattern[str], name: str) -> str:
    folder, base = os.path.split(name)
    found = form.fullmatch(base)
    return os.path.join(folder, found[1]) if found else ""

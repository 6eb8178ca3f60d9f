"""Which lines of which sections fit into a room that is too small for all of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import ceil
from typing import NamedTuple


class Line(NamedTuple):
    """A line, and the IDs of the records that it is made of.

    `label` is a line that has to stand before it and others of its label, once; lines of one label
    stand together.
    """

    text: str
    records: tuple[str, ...] = ()
    label: str = ""


class Section(NamedTuple):
    """A section of a page: `lines` under a heading of its `name`; `unit` is the word for one of
    them in a count.

    With a `share`, lines that don't fit are left out one by one; without one, all of them are.
    The share is the part of what is left that it may take while sections behind it need the rest;
    where `strict`, that is all it ever takes. `surplus` lines were too many from the start.
    """

    name: str
    unit: str
    lines: tuple[Line, ...]
    share: float | None = None
    strict: bool = False
    surplus: int = 0

    def left_out(self, taken: Collection[int]) -> int:
        """How many lines are missing where these are taken."""
        return len(self.lines) - len(taken) + self.surplus


def text_of(section: Section, taken: Collection[int]) -> str:
    """A section of which these lines were taken; "" where there are none."""
    shown = [f"### {section.name}"]
    labels: set[str] = set()
    for line in (section.lines[place] for place in sorted(taken)):
        if line.label and line.label not in labels:
            labels.add(line.label)
            shown.append(line.label)
        shown.append(line.text)
    return "\n".join(shown) if taken else ""


def fit(sections: Sequence[Section], room: int) -> list[set[int]]:
    """The places of the lines that stand, for each section. Their texts, each with a blank line
    before it, have at most `room` characters.

    What a section that was cut short left for those behind it, and they can't use, it gets back.
    """
    taken = [set[int]() for _ in sections]
    whole = [_take(section, set(), None) for section in sections]
    wanted = [_room_for(section, cost) for section, cost in zip(sections, whole, strict=True)]
    left = room
    for turn, (section, places) in enumerate(zip(sections, taken, strict=True)):
        if section.share is None:
            left -= _take(section, places, None) if whole[turn] <= left else 0
        else:
            allowed = int(left * section.share)
            if not section.strict:
                allowed = max(allowed, left - sum(wanted[turn + 1 :]))
            left -= _take(section, places, allowed)
    for section, places in zip(sections, taken, strict=True):
        if section.share is not None and not section.strict:
            left -= _take(section, places, left)
    return taken


def _room_for(section: Section, cost: int) -> int:
    """What has to be left so that all of a section of that cost can stand."""
    return ceil(cost / section.share) if section.strict and section.share else cost


def _take(section: Section, places: set[int], room: int | None) -> int:
    """Take further lines in their order, each that still fits; how many characters that took,
    with heading, labels and line ends. None is room for all."""
    labels = {section.lines[place].label for place in places}
    used = 0
    for place, line in enumerate(section.lines):
        if place in places:
            continue
        cost = len(line.text) + 1
        if line.label and line.label not in labels:
            cost += len(line.label) + 1
        if not places:
            cost += len(section.name) + len("\n\n### ")
        if room is None or used + cost <= room:
            used += cost
            places.add(place)
            labels.add(line.label)
    return used

"""Composes a page of memory: sections in their order, fenced as data, never over its budget."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from memoro.memory.page.fitting import Section, fit, text_of
from memoro.memory.page.lines import CLOSING, OPENING
from memoro.memory.page.material import Material, sections_of

BUDGET = 4_000
"""Characters of a page by default, headings and fences included."""

HINT = "recall finds them"
"""What is said of that which did not fit."""

_HEADING = "## Memory"
_FRAME = len(f"{_HEADING}\n\n{OPENING}\n\n{CLOSING}")
_TRIES = 4


class Placed(NamedTuple):
    """A line that stands on a page: its section, the records it is made of (none where it is made
    of several, as those of a profile are), and its size in UTF-8."""

    section: str
    records: tuple[str, ...]
    bytes: int


class Page(NamedTuple):
    """A page of memory as it is sent, "" where there is nothing to say. `left_out` counts by
    section what did not fit."""

    text: str
    placed: tuple[Placed, ...] = ()
    left_out: Mapping[str, int] = {}


def page(material: Material, budget: int = BUDGET, hint: str = HINT) -> Page:
    """Put what is known on a page of at most `budget` characters.

    What did not fit is counted in its last line, with a `hint` at where it is to be found.
    """
    sections = sections_of(material)
    taken = _fitting(sections, budget, hint)
    text = _text(sections, taken, hint)
    placed = tuple(
        Placed(section.name, line.records, len(line.text.encode()))
        for section, places in zip(sections, taken, strict=True)
        for line in (section.lines[place] for place in sorted(places))
    )
    if not placed:
        text = next((one for one in _without_any(sections, hint) if len(one) <= budget), "")
    return Page(text, placed, _missing(sections, taken))


def _fitting(sections: Sequence[Section], budget: int, hint: str) -> list[set[int]]:
    """What stands, so that there is room for the line that counts the rest."""
    room = budget - _FRAME
    reserved = 0
    for _ in range(_TRIES):
        taken = fit(sections, room - reserved)
        needed = len(_told(sections, taken, hint))
        if needed <= reserved:
            return taken
        # The more is left out, the longer the line can be that counts it.
        reserved = needed
    return fit(sections, room - len(_told(sections, _nothing(sections), hint)))


def _text(sections: Sequence[Section], taken: Sequence[Collection[int]], hint: str) -> str:
    shown = [text_of(section, places) for section, places in zip(sections, taken, strict=True)]
    parts = [_HEADING, OPENING, *(part for part in shown if part), CLOSING]
    return "\n\n".join(parts) + _told(sections, taken, hint)


def _told(sections: Sequence[Section], taken: Sequence[Collection[int]], hint: str) -> str:
    """The line that counts what is left out; the more there is, the longer it is."""
    units = {section.name: section.unit for section in sections}
    counts = [
        f"{count:,} {units[name]}{'' if count == 1 else 's'}"
        for name, count in _missing(sections, taken).items()
    ]
    if not counts:
        return ""
    *most, last = counts
    listed = f"{', '.join(most)} and {last}" if most else last
    return f"\nLeft out to keep this short: {listed}{f'; {hint}' if hint else ''}."


def _without_any(sections: Sequence[Section], hint: str) -> tuple[str, ...]:
    """What can be said where no line fits, the fullest first."""
    nothing = _nothing(sections)
    count = sum(_missing(sections, nothing).values())
    if not count:
        return ()
    return (
        f"{_HEADING}\n{_told(sections, nothing, hint)}",
        f"{_HEADING}\n\nLeft out: {count:,}.",
    )


def _nothing(sections: Sequence[Section]) -> list[set[int]]:
    return [set[int]() for _ in sections]


def _missing(sections: Sequence[Section], taken: Sequence[Collection[int]]) -> dict[str, int]:
    return {
        section.name: count
        for section, places in zip(sections, taken, strict=True)
        if (count := section.left_out(places))
    }

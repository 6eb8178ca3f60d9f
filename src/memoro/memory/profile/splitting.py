"""Lists as they are said: where one item ends and the next begins."""

from __future__ import annotations

import re

WORDS = ",;\n"
"""What separates short items: skills, goals …"""
SENTENCES = ";\n"
"""What separates items that have commas of their own: directives, milestones, stances …"""

_CLOSES = {
    "(": ")",
    "[": "]",
    "{": "}",
    "（": "）",
    "【": "】",
    "「": "」",
    "『": "』",
    "“": "”",
    "«": "»",
    '"': '"',
    "`": "`",
}
_QUOTES = frozenset('“”«»"`')
_EITHER = frozenset('"`')
_DEEPEST = 32
"""So many brackets may stand open in a quote; more is no text, and would take time."""
_CLOSERS = frozenset(_CLOSES.values())
# What looks like a lone bracket and is none: ":)", and "1)" or "a)" before an item.
_FACE = re.compile(r"[:;]-?[()\[\]]$")
_POINT = re.compile(r"(?:\d{1,3}|[^\W\d_])[)\]]\s")


def groups(text: str) -> tuple[dict[int, int], list[int]]:
    """The brackets and quotes of a text: where each group that is closed opens and closes, and
    where brackets stand alone."""
    closed: dict[int, int] = {}
    alone: list[int] = []
    opened: list[int] = []
    for place, char in enumerate(text):
        if char in _CLOSERS and _closes(text, opened, char, alone):
            closed[opened.pop()] = place
        elif char in _CLOSES and (char not in _EITHER or _may_open(text, place)):
            opened.append(place)
        elif char in _CLOSERS:
            alone.append(place)
    alone += opened
    return closed, [place for place in alone if text[place] not in _QUOTES]


def _closes(text: str, opened: list[int], char: str, alone: list[int]) -> bool:
    """Whether a character closes what was opened last. The end of a quote leaves what was opened
    in it alone; a straight quote that was never closed is no quote."""
    last = len(opened) - 1
    if char in _QUOTES:
        least = max(last - _DEEPEST, 0)
        while last > least and _CLOSES[text[opened[last]]] != char:
            last -= 1
    elif last > 0 and text[opened[last]] in _EITHER and _CLOSES[text[opened[last - 1]]] == char:
        last -= 1
    if last < 0 or _CLOSES[text[opened[last]]] != char:
        return False
    alone += opened[last + 1 :]
    del opened[last + 1 :]
    return True


def _may_open(text: str, place: int) -> bool:
    """Whether a straight quote may open one: the mark of inches, as in 27", does not."""
    return place == 0 or text[place - 1].isspace() or text[place - 1] in "([{,;:=–—-"


def split(text: str, separators: str = WORDS) -> list[str]:
    """The items of a list, without blank ones; separators inside brackets and quotes are text."""
    closed, _ = groups(text)
    items: list[str] = []
    start = place = 0
    while place < len(text):
        if place in closed:
            place = closed[place]
        elif text[place] in separators:
            items.append(text[start:place])
            start = place + 1
        place += 1
    items.append(text[start:])
    return [item for item in map(_unwrapped, items) if item]


def _unwrapped(item: str) -> str:
    """An item without the quotes that only held it together."""
    item = item.strip()
    if len(item) > 2 and item[0] in _QUOTES and groups(item)[0].get(0) == len(item) - 1:
        return item[1:-1].strip()
    return item


def quoted(item: str) -> str:
    """An item so that `split` leaves it whole, where quotes can do that."""
    if split(item) == [item]:
        return item
    pairs = (('"', '"'), ("“", "”"), ("«", "»"))
    free = (one for one in pairs if not any(quote in item for quote in one))
    opening, closing = next(free, ("", ""))
    return f"{opening}{item}{closing}"


def unlisted(text: str) -> str:
    """A list without the square brackets around the whole of it."""
    text = text.strip()
    if text.startswith("[") and groups(text)[0].get(0) == len(text) - 1:
        return text[1:-1]
    return text


def is_fragment(item: str) -> bool:
    """Whether an item is a piece of one: it has a bracket that is never closed, or never opened."""
    return any(
        not _FACE.search(item[max(0, place - 2) : place + 1])
        and not _POINT.fullmatch(item[: place + 2])
        for place in groups(item)[1]
    )


def without_asides(text: str) -> str:
    """A text without what it says in round brackets, unless that is all it says."""
    closed, _ = groups(text)
    kept: list[str] = []
    place = 0
    while place < len(text):
        if place in closed and text[place] in "(（":
            place = closed[place]
        else:
            kept.append(text[place])
        place += 1
    plain = " ".join("".join(kept).split())
    return plain or text


def asides(text: str) -> list[tuple[int, int]]:
    """Where a text says something in round brackets, the outermost ones, in order."""
    closed, _ = groups(text)
    found: list[tuple[int, int]] = []
    for start in sorted(closed):
        if text[start] in "(（" and (not found or start > found[-1][1]):
            found.append((start, closed[start]))
    return found

"""Whether a statement says of a thing that it is there, that it isn't, or leaves it open."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Literal, NamedTuple

from memoro.memory.mentions.mention import Mention
from memoro.memory.mentions.phrases import (
    ABSENT_AFTER,
    ABSENT_BEFORE,
    BOUNDARY,
    CONDITION,
    DOUBT_AFTER,
    DOUBT_BEFORE,
    ELSEWHERE,
    ENDS_AFTER,
    ENGLISH,
    LED_TO,
    LISTED,
    NO,
    OF_ITSELF,
    OTHER_PROJECT,
    OWN_VERB,
    PASSED_BY,
    POINT_IN_TIME,
    PORTUGUESE,
    TAKEN_FOR_GRANTED,
    THING,
    UNUSED_AFTER,
    UNUSED_BEFORE,
)

Stance = Literal["holds", "denied", "open"]

_WINDOW = 200
_LEAST_WORDS = 4


class _Window(NamedTuple):
    """What stands before and after a thing in its clause, and where that begins."""

    start: int
    before: str
    after: str


class _Laid(NamedTuple):
    """The text with one sign for each mention, where each now is, and where clauses end."""

    text: str
    places: tuple[int, ...]
    bounds: tuple[int, ...]


def stances(text: str, mentions: Sequence[Mention]) -> list[Stance]:
    """What the text says of each of its mentions, which are in order and don't overlap.

    "open" is whatever is not plainly said to be so here and now: what was, may be or shall be,
    what belongs to another machine or project, and what is only compared with.
    """
    laid = _laid(_plain(text), mentions)
    denials = [
        _denial(mention, _window(laid, place))
        for mention, place in zip(mentions, laid.places, strict=True)
    ]
    # The words that deny one thing are no doubt about another.
    spans = [span for span in denials if span is not None]
    left = laid._replace(text=_blanked(laid.text, spans))
    return [
        "denied"
        if denial is not None
        else "open"
        if _is_open(mention, _window(left, place))
        else "holds"
        for mention, place, denial in zip(mentions, laid.places, denials, strict=True)
    ]


def _plain(text: str) -> str:
    """The text, of the same length, without what looks like a denial and is none."""
    text = TAKEN_FOR_GRANTED.sub(_blank, text.replace("’", "'"))
    portuguese = PORTUGUESE.search(text) and not ENGLISH.search(text)
    return NO.sub("em", text) if portuguese else text


def _laid(text: str, mentions: Sequence[Mention]) -> _Laid:
    parts: list[str] = []
    places: list[int] = []
    done = length = 0
    for mention in mentions:
        part = text[done : mention.start]
        length += len(part)
        places.append(length)
        parts += (part, THING)
        length += 1
        done = mention.end
    whole = "".join((*parts, text[done:]))
    return _Laid(whole, tuple(places), tuple(found.end() for found in BOUNDARY.finditer(whole)))


def _window(laid: _Laid, place: int) -> _Window:
    left, right = bisect_right(laid.bounds, place), bisect_left(laid.bounds, place + 1)
    clause = laid.bounds[left - 1] if left else 0
    end = laid.bounds[right] if right < len(laid.bounds) else len(laid.text)
    start = max(clause, place - _WINDOW)
    after = laid.text[place + 1 : min(end, place + _WINDOW)]
    return _Window(start, laid.text[start:place], after)


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _blanked(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """The text with spaces for everything in these parts but the things."""
    letters = list(text)
    for start, end in spans:
        letters[start:end] = (each if each == THING else " " for each in letters[start:end])
    return "".join(letters)


def _denial(mention: Mention, window: _Window) -> tuple[int, int] | None:
    """Where the words stand that say that a thing isn't there; None where none do."""
    start, before, after = window
    place = start + len(before)
    found = ABSENT_AFTER.match(after)
    if found is None and mention.kind == "version":
        found = UNUSED_AFTER.match(after)
    if found is not None:
        return None if CONDITION.search(before) else (place + 1, place + 1 + found.end())
    if LISTED.search(before) and OWN_VERB.match(after):
        return None
    found = UNUSED_BEFORE.search(before) if mention.kind == "version" else None
    if found is None and ENDS_AFTER.match(after):
        found = ABSENT_BEFORE.search(before)
    if found is None or CONDITION.search(before, 0, found.start()):
        return None
    return start + found.start(), place


def _is_open(mention: Mention, window: _Window) -> bool:
    _, before, after = window
    if OTHER_PROJECT.search(before) or OTHER_PROJECT.search(after) or PASSED_BY.search(before):
        return True
    if _is_outside(mention) and (ELSEWHERE.search(before) or ELSEWHERE.search(after)):
        return True
    if mention.kind == "version" and (POINT_IN_TIME.search(before) or OF_ITSELF.match(after)):
        return True
    led = LED_TO.search(before)
    said = _own_part(before if led is None else before[: led.start()])
    return DOUBT_AFTER.match(after) is not None or DOUBT_BEFORE.search(said) is not None


def _own_part(before: str) -> str:
    """What stands behind the last comma, where that and what stands before it are long enough for
    two statements."""
    first, comma, rest = before.rpartition(",")
    apart = comma and len(first.split()) > _LEAST_WORDS and len(rest.split()) > 1
    return rest if apart else before


def _is_outside(mention: Mention) -> bool:
    """Whether a thing may be another machine's; a project's own files and branches are not."""
    return mention.kind in ("version", "address") or mention.what[:1] in ("/", "~")

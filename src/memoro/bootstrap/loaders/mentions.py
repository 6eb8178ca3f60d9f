"""Where a text names a file to import, by each tool's own grammar.

All run in time linear in the text: it comes with a cloned repository.
"""

from __future__ import annotations

import re
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_MOST_MENTIONS = 1_000
_TICKS = re.compile(r"`+")
_FENCE = re.compile(
    r"[ \t]*(?:>[ \t]*|(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}(?=[^`]*$)|~{3,})", re.ASCII
)
_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_INLINE = re.compile(r"(?<!\S)@((?:[^\s\\]|\\ )+)")
_INLINE_START = re.compile(r"~/|\./|/.|[A-Za-z0-9._-]")
_GEMINI = re.compile(r"(?<![^ \t\r\n])@([./A-Za-z][^ \t\r\n]*)")
_WHOLE_LINE = re.compile(
    r"\s*@(?:import\s+)?([~./\\A-Za-z0-9_]\S*\.(?:md|mdx|txt|markdown))\s*", re.ASCII
)


class Mention(NamedTuple):
    """A path as it is written, the number of its line, and from where to where it stands."""

    target: str
    line: int
    start: int
    end: int


def claude_mentions(text: str) -> tuple[Mention, ...]:
    """`@path` at a line's start or after a space, outside of fenced code and code spans."""
    if "@" not in text:
        return ()
    plain = _without_code(_without_comments(text))
    return tuple(
        Mention(target, plain.count("\n", 0, match.start()) + 1, match.start(), match.end())
        for match in _first(_INLINE.finditer(plain))
        if (target := match[1].replace("\\ ", " ").split("#", 1)[0]) and _INLINE_START.match(target)
    )


def gemini_mentions(text: str) -> tuple[Mention, ...]:
    """`@path` at the start or after a space, outside of what stands between like backticks."""
    if "@" not in text:
        return ()
    regions = _ticked_regions(text)
    found: list[Mention] = []
    at = 0
    for match in _first(_GEMINI.finditer(text)):
        while at < len(regions) and regions[at][1] <= match.start():
            at += 1
        if at == len(regions) or match.start() < regions[at][0]:
            line = text.count("\n", 0, match.start()) + 1
            found.append(Mention(match[1], line, match.start(), match.end()))
    return tuple(found)


def chatcli_mentions(text: str) -> tuple[Mention, ...]:
    """`@path` or `@import path` on a line of its own; a line that starts with ``` turns code on."""
    found: list[Mention] = []
    in_code = False
    start = 0
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip().startswith("```"):
            in_code = not in_code
        match = None if in_code else _WHOLE_LINE.fullmatch(line)
        if match and len(found) < _MOST_MENTIONS:
            found.append(Mention(match[1], number, start, start + len(line)))
        start += len(line) + 1
    return tuple(found)


def _first(matches: Iterator[re.Match[str]]) -> Iterator[re.Match[str]]:
    for _, match in zip(range(_MOST_MENTIONS), matches, strict=False):
        yield match


def _without_comments(text: str) -> str:
    """The text with HTML comments that start a line as spaces: they are stripped before."""
    pieces: list[str] = []
    at = 0
    while (start := text.find("<!--", at)) >= 0:
        end = text.find("-->", start)
        if end < 0:
            break
        before = text[at:start]
        last = before.rstrip(" \t")[-1:] or text[at - 1 : at] or "\n"
        inside = text[start : end + 3]
        pieces += (before, _blanked(inside) if last == "\n" else inside)
        at = end + 3
    return "".join((*pieces, text[at:]))


def _without_code(text: str) -> str:
    """The text with fenced code and code spans as spaces."""
    lines = text.split("\n")
    fence = ""
    for index, line in enumerate(lines):
        found = _FENCE.match(line)
        if fence:
            marks = line.strip("> \t")
            if marks.startswith(fence) and not marks.strip(fence[0]):
                fence = ""
            lines[index] = " " * len(line)
        elif found:
            fence = found[1]
            lines[index] = " " * len(line)
    plain = "\n".join(lines)
    pieces: list[str] = []
    at = 0
    # A code span ends with its paragraph.
    for end in [*(match.start() for match in _BLANK_LINE.finditer(plain)), len(plain)]:
        pieces.append(_without_spans(plain[at:end]))
        at = end
    return "".join(pieces)


def _without_spans(paragraph: str) -> str:
    runs = list(_TICKS.finditer(paragraph))
    closing: dict[int, list[int]] = {}
    for index in range(len(runs) - 1, -1, -1):
        closing.setdefault(len(runs[index][0]), []).append(index)
    pieces: list[str] = []
    at = index = 0
    while index < len(runs):
        same = closing[len(runs[index][0])]
        while same and same[-1] <= index:
            same.pop()
        if same:
            start, end = runs[index].start(), runs[same[-1]].end()
            pieces += (paragraph[at:start], _blanked(paragraph[start:end]))
            at, index = end, same[-1]
        index += 1
    return "".join((*pieces, paragraph[at:]))


def _blanked(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def _ticked_regions(text: str) -> list[tuple[int, int]]:
    """What the pattern (`+)(anything, as short as possible)\\1 finds, without its backtracking.

    A run of ticks is closed by the first later run that has as many; where no later run has more
    than half of its ticks, it is closed by its own second half.
    """
    runs = [(match.start(), len(match[0])) for match in _TICKS.finditer(text)]
    lengths = [length for _, length in runs]
    longest_after = [*reversed([*accumulate(reversed([*lengths[1:], 0]), max)])]
    regions: list[tuple[int, int]] = []
    index = used = 0
    while index < len(runs):
        start, length = runs[index][0] + used, runs[index][1] - used
        ticks = min(length, longest_after[index])
        if ticks > length // 2:
            closing = next(at for at in range(index + 1, len(runs)) if runs[at][1] >= ticks)
            regions.append((start, runs[closing][0] + ticks))
            index, used = closing, ticks
        elif length // 2:
            regions.append((start, start + length // 2 * 2))
            used += length // 2 * 2
        else:
            index, used = index + 1, 0
            continue
        if used == runs[index][1]:
            index, used = index + 1, 0
    return regions

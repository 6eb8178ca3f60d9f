"""Markdown as people and assistants write it for memory: headings, points, prose, and a header.

Linear in the text, whatever it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(\S.*)")
_POINT = re.compile(r"([ \t]*)(?:[-*+•‣–]|\d{1,3}[.)])[ \t]+(\S.*)")
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")
_RULE = re.compile(r"[ \t]*(?:=+|-{2,}|\*{3,}|_{3,}|(?:- ){2,}-|(?:\* ){2,}\*)[ \t]*")
_BOX = re.compile(r"\[[ xX]\][ \t]+")
_TAB = 4
_DEEPEST = 20
"""Points under points; what lies deeper stands beside the last of these."""
_KEY = re.compile(r"([ \t]*)([A-Za-z_][\w .-]{0,63}?)[ \t]*:(?:[ \t]+(.*)|[ \t]*)")
_BLOCK_SCALARS = ("|", ">", "|-", ">-", "|+", ">+")


class Block(NamedTuple):
    """A point of a list, with what stands under it, as one line; or the prose of a section.

    `headings` are those it stands under, the outermost first; `line` is where it begins, from 1.
    """

    kind: Literal["point", "prose"]
    text: str
    headings: tuple[str, ...]
    line: int

    @property
    def heading(self) -> str:
        """The nearest heading; "" without one."""
        return self.headings[-1] if self.headings else ""


class Header(NamedTuple):
    """What stands between `---` lines at the start: names, without those they stand under, and
    their values as text; and the text behind it, which begins after so many lines."""

    fields: dict[str, str]
    body: str
    lines: int


class _Point:
    def __init__(self, indent: int, text: str, line: int) -> None:
        self.indent = indent
        self.parts = [_BOX.sub("", text, count=1) if text.startswith("[") else text]
        self.line = line
        self.points: list[_Point] = []

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.parts).split())


class _Section:
    """What is being read: the headings it stands under, the points and the prose so far."""

    def __init__(self) -> None:
        self.levels: list[tuple[int, str]] = []
        self.points: list[_Point] = []
        self.open: list[_Point] = []
        self.prose: list[tuple[int, str]] = []
        self.after_blank = False

    def add_point(self, point: _Point) -> None:
        while self.open and self.open[-1].indent >= point.indent:
            self.open.pop()
        del self.open[_DEEPEST:]
        (self.open[-1].points if self.open else self.points).append(point)
        self.open.append(point)
        self.after_blank = False

    def add_line(self, line: str, number: int) -> None:
        # A line that names a file to be read in is none of a point's words.
        lazy = not self.after_blank and not line.startswith("@")
        inside = self.open and (_indent(line) > self.open[0].indent or lazy)
        if inside:
            self.open[-1].parts.append(line.strip())
        else:
            self.open = []
            self.prose.append((number, line))
        self.after_blank = False

    def add_blank(self, number: int) -> None:
        self.after_blank = True
        if self.prose and not self.open:
            self.prose.append((number, ""))

    def blocks(self) -> Iterator[Block]:
        headings = tuple(text for _, text in self.levels)
        for point in self.points:
            for line, text in _told(point, ""):
                yield Block("point", text, headings, line)
        text = "\n".join(line for _, line in self.prose).strip("\n")
        if text.strip():
            yield Block("prose", text, headings, self.prose[0][0])
        self.points, self.open, self.prose, self.after_blank = [], [], [], False

    def enter(self, level: int, heading: str) -> None:
        while self.levels and self.levels[-1][0] >= level:
            self.levels.pop()
        self.levels.append((level, heading.strip().rstrip("#").strip()))


def blocks(text: str, first: int = 1) -> Iterator[Block]:
    """The points and the prose of a text, by sections; `first` is its first line's number."""
    section = _Section()
    fence = ""
    for number, line in enumerate(without_comments(text).split("\n"), first):
        found = _FENCE.match(line)
        if fence or found:
            section.add_line(line, number)
            fence = _fence_after(fence, found[1] if found else "", line)
            continue
        heading, point = _HEADING.fullmatch(line), _POINT.fullmatch(line)
        if heading:
            yield from section.blocks()
            section.enter(len(heading[1]), heading[2])
        elif not line.strip():
            section.add_blank(number)
        elif _RULE.fullmatch(line):
            yield from _underlined(section, line)
        elif point:
            section.add_point(_Point(_width(point[1]), point[2], number))
        else:
            section.add_line(line, number)
    yield from section.blocks()


def _underlined(section: _Section, line: str) -> Iterator[Block]:
    """A line of dashes: it makes the line above it a heading, or is a rule."""
    prose = section.prose
    mark = line.strip()[0]
    if mark in "=-" and prose and prose[-1][1].strip() and not section.open:
        _, heading = prose.pop()
        yield from section.blocks()
        section.enter(1 if mark == "=" else 2, heading.strip())
    else:
        section.open = []


def _fence_after(fence: str, found: str, line: str) -> str:
    """The fence that is open after a line; "" for none."""
    if not fence:
        return found
    closes = found.startswith(fence) and not line.strip().strip(fence[0])
    return "" if closes else fence


def _told(point: _Point, before: str) -> Iterator[tuple[int, str]]:
    """A point as one line, with what stands under it; one that only announces ("Testing:") is put
    before each of those instead, and not as if there were one value for it only."""
    text = f"{before}{point.text}"
    name = text.rstrip("*_")
    if point.points and name.endswith(":"):
        for one in point.points:
            yield from _told(one, f"{name[:-1]}{text[len(name) :]} — ")
        return
    under = [line for one in point.points for _, line in _told(one, "")]
    yield point.line, "; ".join([text, *under])


def without_comments(text: str) -> str:
    """A text without `<!-- comments -->`; its lines keep their numbers."""
    parts: list[str] = []
    at = 0
    while (start := text.find("<!--", at)) >= 0:
        end = text.find("-->", start + 4)
        if end < 0:
            break
        parts += [text[at:start], "\n" * text.count("\n", start, end)]
        at = end + 3
    return "".join([*parts, text[at:]])


def header_of(text: str) -> Header:
    """Take a text's header off; a text without one is all body."""
    lines = text.split("\n")
    if lines[0].rstrip() != "---":
        return Header({}, text, 0)
    end = next((at for at, line in enumerate(lines[1:], 1) if line.rstrip() in ("---", "...")), 0)
    if not end:
        return Header({}, text, 0)
    return Header(_fields(lines[1:end]), "\n".join(lines[end + 1 :]), end + 1)


def _fields(lines: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    at = 0
    while at < len(lines):
        key = _KEY.fullmatch(lines[at])
        at += 1
        if key is None:
            continue
        value = (key[3] or "").strip()
        more: list[str] = []
        takes = value in _BLOCK_SCALARS or (value and _KEY.fullmatch(lines[at - 1]) is not None)
        while takes and at < len(lines) and _goes_on(lines[at], _width(key[1]), value):
            more.append(lines[at].strip())
            at += 1
        plain = "" if value in _BLOCK_SCALARS else _unquoted(" ".join([value, *more]))
        text = plain or ("\n" if value.startswith("|") else " ").join(more)
        if text:
            found.setdefault(key[2].casefold(), text)
    return found


def _goes_on(line: str, indent: int, value: str) -> bool:
    """Whether a line belongs to the value above it."""
    if not line.strip():
        return value in _BLOCK_SCALARS
    if _indent(line) <= indent:
        return False
    return value in _BLOCK_SCALARS or _KEY.fullmatch(line) is None


def _unquoted(value: str) -> str:
    if len(value) > 1 and value[0] == value[-1] == '"':
        return value[1:-1].replace('\\"', '"').replace("\\\\", "\\")
    if len(value) > 1 and value[0] == value[-1] == "'":
        return value[1:-1].replace("''", "'")
    return value


def _indent(line: str) -> int:
    return _width(line[: len(line) - len(line.lstrip(" \t"))])


def _width(space: str) -> int:
    return len(space.expandtabs(_TAB))

"""Which lines of a Markdown text import another file.

An import stands on a line of its own, outside of code. Where code begins and ends follows
CommonMark's block structure: fences of both kinds, indented code, list items (whose end closes a
fence), raw HTML, and code spans that go over several lines.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_IMPORT = re.compile(
    r"@(?:import[ \t]+)?([^\s@`<>|\"*]{1,1000}\.(?:mdx?|txt|markdown))[ \t]*", re.ASCII | re.I
)
_FENCE = re.compile(r"(`{3,})[^`]*$|(~{3,})")
_BREAK = re.compile(r"(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")
_HEADING = re.compile(r"#{1,6}(?:[ \t]|$)")
_UNDERLINE = re.compile(r"(?:=+|-+)[ \t]*$")
_MARKER = re.compile(r"(?:[-+*]|(\d{1,9})[.)])(?=[ \t]|$)")
# Raw HTML in which nothing is Markdown, up to its own end wherever that is.
_RAW = (
    (re.compile(r"<!--"), re.compile(r"-->")),
    (re.compile(r"<(?:pre|script|style|textarea)(?:[ \t>]|$)", re.I),
     re.compile(r"</(?:pre|script|style|textarea)>", re.I)),
)  # fmt: skip
_BACKTICKS = re.compile(r"\\`|`+")
_TAB = 4
_CODE_INDENT = 4


class ImportLine(NamedTuple):
    """A line that imports: its row, counted from 0, and the path as it is written."""

    row: int
    target: str


class _Fence(NamedTuple):
    char: str
    length: int
    depth: int


class _Line(NamedTuple):
    """The rest of a line behind its indentation, and the column at which it starts."""

    column: int
    rest: str


def import_lines(text: str) -> list[ImportLine]:
    """Find the lines that import, in their order.

    An import is `@path` or `@import path`: a path without spaces that ends in `.md`, `.mdx`,
    `.txt` or `.markdown`, and nothing else on its line. It may be indented like any paragraph,
    that is by at most three spaces beyond the list item that it stands in.
    """
    lines = text.split("\n")
    if not any("@" in line and _IMPORT.fullmatch(line.strip(" \t")) for line in lines):
        return []
    blocks = _Blocks()
    for index, line in enumerate(lines):
        blocks.take(index, line)
    blocks.end_paragraph()
    return blocks.found


class _Blocks:
    """The block structure so far: open list items, and what the next line continues."""

    def __init__(self) -> None:
        self.found: list[ImportLine] = []
        self._items: list[int] = []
        self._fence: _Fence | None = None
        self._raw_end: re.Pattern[str] | None = None
        self._raw_depth = 0
        self._paragraph: list[str] = []
        self._candidates: list[tuple[int, ImportLine]] = []
        self._empty_item = False

    def take(self, index: int, line: str) -> None:
        at = _behind_indent(line, 0)
        if not at.rest:
            self._take_blank()
            return
        self._empty_item = False
        depth = self._continued(at.column)
        if self._in_code(at, depth):
            return
        inside = self._items[depth - 1] if depth else 0
        if at.column - inside >= _CODE_INDENT:
            if not self._paragraph:
                del self._items[depth:]
            else:
                self._paragraph.append(at.rest)
            return
        self._take_block(index, at, depth)

    def end_paragraph(self) -> None:
        """Keep the paragraph's imports, other than those inside its code spans."""
        if self._candidates:
            spans = _code_spans(self._paragraph)
            self.found += [
                found for row, found in self._candidates if not any(a < row <= b for a, b in spans)
            ]
        self._paragraph = []
        self._candidates = []

    def _take_blank(self) -> None:
        self.end_paragraph()
        if self._empty_item:
            # An item may start with one blank line, not with two.
            self._items.pop()
            self._empty_item = False

    def _continued(self, column: int) -> int:
        depth = 0
        while depth < len(self._items) and column >= self._items[depth]:
            depth += 1
        return depth

    def _in_code(self, at: _Line, depth: int) -> bool:
        if self._fence:
            if depth >= self._fence.depth:
                inside = self._items[self._fence.depth - 1] if self._fence.depth else 0
                closed = at.column - inside < _CODE_INDENT and _closes(self._fence, at.rest)
                self._fence = None if closed else self._fence
                return True
            self._fence = None
        if self._raw_end:
            if depth >= self._raw_depth:
                self._raw_end = None if self._raw_end.search(at.rest) else self._raw_end
                return True
            self._raw_end = None
        return False

    def _take_block(self, index: int, at: _Line, depth: int) -> None:
        """Take a line that may begin blocks, behind the list items that it continues."""
        own = True
        while True:
            continues = bool(self._paragraph)
            if _UNDERLINE.match(at.rest) and continues and depth == len(self._items):
                self.end_paragraph()
                return
            marker = None if _BREAK.match(at.rest) else _MARKER.match(at.rest)
            if marker and (not continues or _interrupts(marker, at.rest, depth < len(self._items))):
                at = self._enter_item(at, marker, depth)
                depth, own = len(self._items), False
                if not at.rest:
                    self._empty_item = True
                    return
                if at.column - self._items[-1] >= _CODE_INDENT:
                    return
                continue
            break
        if self._starts_code(at, depth) or _BREAK.match(at.rest) or _HEADING.match(at.rest):
            self.end_paragraph()
            del self._items[depth:]
            return
        if at.rest.startswith(">"):
            self.end_paragraph()
            del self._items[depth:]
            self._paragraph = [at.rest] if at.rest.strip("> \t") else []
            return
        self._take_words(index, at, depth, own)

    def _enter_item(self, at: _Line, marker: re.Match[str], depth: int) -> _Line:
        self.end_paragraph()
        del self._items[depth:]
        behind = at.column + marker.end()
        after = _behind_indent(at.rest[marker.end() :], behind)
        narrow = after.rest and after.column - behind <= _CODE_INDENT
        self._items.append(after.column if narrow else behind + 1)
        return after

    def _starts_code(self, at: _Line, depth: int) -> bool:
        fence = _FENCE.match(at.rest)
        if fence:
            marks = fence[1] or fence[2]
            self._fence = _Fence(marks[0], len(marks), depth)
            return True
        for start, end in _RAW:
            if start.match(at.rest):
                if not end.search(at.rest):
                    self._raw_end, self._raw_depth = end, depth
                return True
        return False

    def _take_words(self, index: int, at: _Line, depth: int, own: bool) -> None:
        if not self._paragraph:
            del self._items[depth:]
        found = _IMPORT.fullmatch(at.rest) if own else None
        if found and "://" not in found[1]:
            self._candidates.append((len(self._paragraph), ImportLine(index, found[1])))
        self._paragraph.append(at.rest)


def _behind_indent(line: str, column: int) -> _Line:
    rest = line.lstrip(" \t")
    for char in line[: len(line) - len(rest)]:
        column += _TAB - column % _TAB if char == "\t" else 1
    return _Line(column, rest)


def _interrupts(marker: re.Match[str], rest: str, ends_item: bool) -> bool:
    """Whether a list item may follow a paragraph's line at once; `ends_item`: as a sibling."""
    if ends_item:
        return True
    return bool(rest[marker.end() :].strip()) and marker[1] in (None, "1")


def _closes(fence: _Fence, rest: str) -> bool:
    marks = rest.rstrip(" \t")
    return len(marks) >= fence.length and not marks.strip(fence.char)


def _code_spans(paragraph: list[str]) -> list[tuple[int, int]]:
    """The first and last row of each code span that goes over several rows."""
    runs = [
        (row, len(match[0]))
        for row, line in enumerate(paragraph)
        for match in _BACKTICKS.finditer(line)
        if match[0] != "\\`"
    ]
    following: dict[int, list[int]] = {}
    for index in range(len(runs) - 1, -1, -1):
        following.setdefault(runs[index][1], []).append(index)
    spans: list[tuple[int, int]] = []
    index = 0
    while index < len(runs):
        row, length = runs[index]
        same = following[length]
        while same and same[-1] <= index:
            same.pop()
        if not same:
            index += 1
            continue
        if runs[same[-1]][0] > row:
            spans.append((row, runs[same[-1]][0]))
        index = same[-1] + 1
    return spans

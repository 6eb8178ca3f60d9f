"""The header of a rule, as far as it says for which paths the rule is meant.

It is YAML as people write it: the documented way to write a glob (`paths: **/*.ts`) is none that
a YAML parser takes. This reads one key of it, in every form that is in use, and refuses what it
does not understand: a rule must not become active everywhere because its header is broken.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_FENCE = re.compile(r"---[ \t]*")
_END = re.compile(r"(?:---|\.\.\.)[ \t]*")
_KEY = re.compile(r"(\"[^\"]*\"|'[^']*'|[^\s\"'#\[\]{}-][^#]*?)[ \t]*:(?:[ \t]+(.*))?")
_ITEM = re.compile(r"[ \t]*-(?:[ \t]+(.*))?")
_CONTINUES = re.compile(r"[ \t]|-(?:[ \t]|$)|[\]}#]")
_MOST_CHARACTERS = 8_192
_NOTHING = ("", "~", "null", "[]")


class Frontmatter(NamedTuple):
    """What a rule's header says.

    `patterns` is None where no paths are named: the rule is meant for all. `body` is the text
    behind the header, which takes `lines` lines. `problem` is the line and the words for why the
    header can't be understood; there are no patterns then, and the rule is meant for none.
    """

    patterns: tuple[str, ...] | None
    body: str
    lines: int
    problem: tuple[int, str] | None = None


class _BrokenError(Exception):
    def __init__(self, line: int, why: str) -> None:
        super().__init__(why)
        self.line = line
        self.why = why


def read_frontmatter(text: str) -> Frontmatter:
    """Take a rule's text apart; a text without a header is all body."""
    lines = text.split("\n")
    first = next((index for index, line in enumerate(lines) if line.strip()), 0)
    if not _FENCE.fullmatch(lines[first]):
        return Frontmatter(None, text, 0)
    for end in range(first + 1, len(lines)):
        if _END.fullmatch(lines[end]):
            break
    else:
        return Frontmatter(None, "", len(lines), (first + 1, "the header has no end"))
    body = "\n".join(lines[end + 1 :])
    try:
        patterns = _patterns(lines[first + 1 : end], first + 2)
    except _BrokenError as broken:
        return Frontmatter(None, body, end + 1, (broken.line, broken.why))
    return Frontmatter(patterns, body, end + 1)


def _patterns(lines: list[str], first: int) -> tuple[str, ...] | None:
    """Read the header's lines, of which the first one has the number `first` in its file."""
    found: tuple[str, ...] | None = None
    index = 0
    while index < len(lines):
        line = lines[index]
        if not line.strip() or line.startswith("#"):
            index += 1
            continue
        key = _KEY.fullmatch(line)
        if key is None:
            raise _BrokenError(first + index, "not a line of the form `key: value`")
        end = index + 1
        while end < len(lines) and (not lines[end].strip() or _CONTINUES.match(lines[end])):
            end += 1
        if key[1].strip("\"'") == "paths":
            if found is not None:
                raise _BrokenError(first + index, "`paths` stands there twice")
            found = _value(key[2] or "", lines[index + 1 : end], first + index)
        index = end
    return found


def _value(inline: str, further: list[str], number: int) -> tuple[str, ...]:
    if len(inline) + sum(len(line) for line in further) > _MOST_CHARACTERS:
        raise _BrokenError(number, f"`paths` has more than {_MOST_CHARACTERS:,} characters")
    rows = [(number, _uncommented(inline))]
    rows += [(number + offset, _uncommented(line)) for offset, line in enumerate(further, 1)]
    rows = [(at, row.strip()) for at, row in rows if row.strip()]
    if rows and rows[0][0] > number and _ITEM.fullmatch(rows[0][1]):
        patterns = [each for at, row in rows for each in _item(row, at)]
    else:
        patterns = _scalar_or_list(" ".join(row for _, row in rows), number)
    if not all(pattern.strip("!./ ") for pattern in patterns) or not patterns:
        raise _BrokenError(number, "`paths` names no pattern, or an empty one")
    return tuple(patterns)


def _item(row: str, number: int) -> list[str]:
    item = _ITEM.fullmatch(row)
    if item is None:
        raise _BrokenError(number, "not a list item")
    return _strings(item[1] or "", number)


def _scalar_or_list(text: str, number: int) -> list[str]:
    if not text.startswith("["):
        return _strings(text, number)
    # `[ab]*.py` is a glob and no list, although it starts like one.
    if text.endswith("]"):
        if _closes_before_end(text):
            return _strings(text, number)
        return [each for part in _split(text[1:-1], number) for each in _strings(part, number)]
    if "]" not in text:
        raise _BrokenError(number, "the list has no end")
    return _strings(text, number)


def _closes_before_end(text: str) -> bool:
    depth = 0
    for char in text[:-1]:
        depth += {"[": 1, "]": -1}.get(char, 0)
        if not depth:
            return True
    return False


def _strings(text: str, number: int) -> list[str]:
    """The patterns in one scalar: commas separate, other than in braces, brackets and quotes."""
    found: list[str] = []
    for part in _split(text, number):
        if part[:1] in ("'", '"'):
            found += [
                each for each in _split(_unquoted(part, number), number, quotes=False) if each
            ]
        elif part.lower() not in _NOTHING:
            if part[0] in "|>&" or part.endswith(":") or ": " in part or part.startswith("- "):
                raise _BrokenError(number, f"`{part[:40]}` is no pattern")
            found.append(part)
    return found


def _unquoted(part: str, number: int) -> str:
    quote = part[0]
    if len(part) < 2 or part[-1] != quote:
        raise _BrokenError(number, "a quote has no end, or something follows it")
    inside = part[1:-1]
    if quote == "'":
        return inside.replace("''", "'")
    return re.sub(r'\\([\\"/])', r"\1", inside)


def _split(text: str, number: int, quotes: bool = True) -> list[str]:
    parts: list[str] = []
    start = depth = 0
    quote = ""
    for index, char in enumerate(text):
        if quote:
            if char == quote and not _is_escaped(text, index, quote):
                quote = ""
        elif quotes and char in "'\"" and not text[start:index].strip():
            quote = char
        elif char in "{[":
            depth += 1
        elif char in "}]":
            depth = max(depth - 1, 0)
        elif char == "," and not depth:
            parts.append(text[start:index].strip())
            start = index + 1
    if quote:
        raise _BrokenError(number, "a quote has no end")
    return [*parts, text[start:].strip()]


def _is_escaped(text: str, index: int, quote: str) -> bool:
    if quote == "'":
        return False
    before = text[:index]
    return (len(before) - len(before.rstrip("\\"))) % 2 == 1


def _uncommented(line: str) -> str:
    """The line up to a comment: a `#` after a space, and outside of quotes."""
    if "#" not in line:
        return line
    quote = ""
    for index, char in enumerate(line):
        if quote:
            if char == quote and not _is_escaped(line, index, quote):
                quote = ""
        elif char in "'\"" and line[:index].rstrip()[-1:] in ("", ",", "[", "-"):
            quote = char
        elif char == "#" and (not index or line[index - 1] in " \t"):
            return line[:index]
    return line

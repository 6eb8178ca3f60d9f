"""The headers of rules as Cursor and ChatCLI read them, each in its own simple way."""

from __future__ import annotations

import re
from typing import NamedTuple

_KEY = re.compile(r"([A-Za-z]+)[ \t]*:[ \t]*(.*)")
_COMMA = re.compile(r",(?![^{]*\})")


class MdcHeader(NamedTuple):
    """What decides when a rule of Cursor's applies."""

    always: bool
    globs: tuple[str, ...]
    description: str


class PathsHeader(NamedTuple):
    """A rule of ChatCLI's: its patterns, none where it is for all, and the text behind them."""

    patterns: tuple[str, ...]
    body: str


def read_mdc_header(text: str) -> MdcHeader:
    """Read `description`, `globs` and `alwaysApply`; a text without a header has none of them.

    Globs are a string with commas; a list is taken as well. Only a bare `true` is true.
    """
    values: dict[str, list[str]] = {}
    key = ""
    for line in _header_lines(text):
        match = _KEY.fullmatch(line)
        if match:
            key = match[1]
            values[key] = [match[2].strip()]
        elif key and line.lstrip().startswith("- "):
            values[key].append(line.lstrip()[2:])
    globs = [
        glob
        for value in values.get("globs", [])
        for part in _COMMA.split(_unlisted(value))
        if (glob := _unquoted(part))
    ]
    always = "".join(values.get("alwaysApply", [])).lower() == "true"
    return MdcHeader(always, tuple(globs), _unquoted("".join(values.get("description", []))))


def read_paths_header(text: str) -> PathsHeader:
    """Read `paths`, a list in brackets or one with an item a line; a bare string is not read."""
    if not text.startswith("---") or "---" not in text[3:]:
        return PathsHeader((), text)
    header, body = text[3:].split("---", 1)
    patterns: list[str] = []
    in_list = False
    for line in map(str.strip, header.split("\n")):
        if line.startswith("paths:"):
            value = line.removeprefix("paths:").strip()
            in_list = not value.startswith("[")
            if not in_list:
                patterns += [part.strip().strip("\"'") for part in value.strip("[]").split(",")]
        elif in_list and line.startswith("- "):
            patterns.append(line[2:].strip("\"'").strip())
        elif line and not line.startswith("#"):
            in_list = False
    return PathsHeader(tuple(pattern for pattern in patterns if pattern), body)


def _header_lines(text: str) -> list[str]:
    lines = text.split("\n")
    if lines[0].rstrip() != "---":
        return []
    for end, line in enumerate(lines[1:], 1):
        if line.rstrip() == "---":
            return [each.rstrip() for each in lines[1:end]]
    return []


def _unlisted(value: str) -> str:
    return value[1:-1] if value.startswith("[") and value.endswith("]") else value


def _unquoted(value: str) -> str:
    value = value.strip()
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1].strip()
    return value

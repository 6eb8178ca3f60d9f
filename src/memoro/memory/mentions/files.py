"""The files and folders that a text names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from memoro.memory.mentions.mention import QUOTES, Mention
from memoro.memory.mentions.vocabulary import (
    DOT_NAMES,
    EXTENSIONS,
    FOLDERS,
    NAMES,
    OBJECTS,
    PREFIXES,
    PRODUCTS,
    SITES,
    TOP_FOLDERS,
)

_TOKEN = re.compile(rf"[^\s\x01,;|{QUOTES}。，、；：！？（）「」『』【】《》]+")
_LONGEST = 400
_OPENING, _CLOSING = "([{<*", ")]}>.:!?*…"
_TAIL = re.compile(r"(?:::.*|#.*|:\d+(?:[:-]\d+)?)\Z", re.DOTALL)
_STRANGE = re.compile(r"[*?$%{}<>|&!^\\…\"=:#]|\.\.\.|//")
_HEAD = re.compile(r"(?:~|\.\.?)?/")
_PLACE = re.compile(
    r"\b(?:in|under|inside|into|below|folder|directory|dir|path|file|em|pasta|diretório|arquivo)"
    r"[\s:`'\"(]+$",
    re.IGNORECASE,
)
_FAR_EAST = (
    ("\u1100", "\u11ff"),
    ("\u3040", "\u30ff"),
    ("\u3400", "\u9fff"),
    ("\uac00", "\ud7af"),
    ("\uf900", "\ufaff"),
)
_WESTERN = re.compile(r"[A-Za-z0-9_./~+@-]+")
_PLACEHOLDERS = frozenset(("foo", "bar", "baz", "xxx", "your"))


def find_files(text: str) -> Iterator[Mention]:
    """Paths, and names that only a file has."""
    for token in _TOKEN.finditer(text):
        if len(token[0]) > _LONGEST:
            continue
        for start, piece in _pieces(token.start(), token[0]):
            offset, path = _path(piece)
            if path and _is_file(path, text, start + offset):
                yield Mention("file", path, start + offset, start + offset + len(path))


def _pieces(start: int, token: str) -> Iterator[tuple[int, str]]:
    """A word, or, where it runs into a script that puts no spaces, its western parts."""
    if token.isascii() or not _is_mixed(token):
        # A link's target stands behind its text.
        skipped = token.rfind("](") + 2 if "](" in token else 0
        yield start + skipped, token[skipped:]
        return
    for part in _WESTERN.finditer(token):
        yield start + part.start(), part[0]


def _is_mixed(token: str) -> bool:
    """Whether a western letter stands right beside a Chinese, Japanese or Korean one."""
    scripts = [
        "east"
        if any(first <= char <= last for first, last in _FAR_EAST)
        else "west"
        if char.isalnum()
        else ""
        for char in token
    ]
    return any({one, two} == {"east", "west"} for one, two in pairwise(scripts))


def _path(token: str) -> tuple[int, str]:
    """Where in a word a path begins, and the path; "" where it can be none."""
    path = token.lstrip(_OPENING)
    if "=" in path:
        path = path[path.rindex("=") + 1 :]
    offset = len(token) - len(path)
    stripped = path.rstrip(_CLOSING)
    # What is called is no file: `response.json()`.
    if path[len(stripped) :].startswith(")") and stripped.endswith("("):
        return 0, ""
    path = _TAIL.sub("", stripped)
    if path.startswith("@"):
        offset, path = offset + 1, path[1:]
    if path.startswith("-"):
        return 0, ""
    balanced = all(path.count(one) == path.count(two) for one, two in ("()", "[]"))
    return (offset, path) if balanced and not _STRANGE.search(path) else (0, "")


def _is_file(path: str, text: str, start: int) -> bool:
    if path in NAMES or path in DOT_NAMES or path.startswith(".env."):
        return True
    parts = [part for part in path.split("/") if part not in ("", ".", "..", "~")]
    if not parts or parts[0] in _PLACEHOLDERS or "path/to/" in path:
        return False
    if _HEAD.match(path):
        return path[0] != "/" or _is_absolute(parts)
    if "/" not in path:
        stem = path.partition(".")[0]
        return _has_ending(path) and stem.lower() not in OBJECTS and not stem.isdigit()
    if "." in parts[0][1:] and parts[0].rpartition(".")[2].lower() in SITES:
        return False
    if _has_ending(parts[-1]) or parts[-1] in NAMES or parts[-1] in DOT_NAMES:
        return True
    return _is_folder(path, parts, text, start)


def _is_absolute(parts: list[str]) -> bool:
    if parts[0] in TOP_FOLDERS:
        return len(parts) > 1
    return len(parts) > 2 and _has_ending(parts[-1])


def _is_folder(path: str, parts: list[str], text: str, start: int) -> bool:
    if path.endswith("/"):
        return len(parts) > 1 or (len(parts[0]) > 1 and parts[0] not in PREFIXES)
    if parts[0] not in FOLDERS:
        return False
    # Two plain words may be two things, and not one in the other: "client/server", "docs/tests".
    quoted = start > 0 and text[start - 1] in QUOTES
    plain = len(parts) == 2 and all(part.isalpha() for part in parts)
    return quoted or not plain or _PLACE.search(text[max(0, start - 24) : start]) is not None


def _has_ending(name: str) -> bool:
    stem, dot, ending = name.rpartition(".")
    if not dot or ending.lower() not in EXTENSIONS or name.lower() in PRODUCTS:
        return False
    if len(ending) == 1 and "." in stem:
        return False
    return bool(stem.strip(".-_"))

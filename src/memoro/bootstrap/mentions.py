"""The paths that a message speaks of: they decide which rules are active. Pure."""

from __future__ import annotations

import re

_WRAPPED = re.compile(r"[\s\"'`<>()\[\]{}|,;]+")
_LOOKS_LIKE_A_PATH = re.compile(r"(?:[^/]*/)*[^/]*[\w-]+(?:\.[A-Za-z]\w*)?/?")
_FILE_NAME = re.compile(r"(?:[\w.-]*[\w-])?\.[A-Za-z_]\w*")


def paths_in(message: str) -> tuple[str, ...]:
    """The words of a message that are spelt like a path, in order, each once.

    A path has a slash, or is a file name with an extension (`main.py`, `.env`). Addresses of the
    web and of mail, and numbers with points, are none. A word that only looks like a path does no
    harm: it is compared with patterns and never opened.
    """
    found: dict[str, None] = {}
    for word in _WRAPPED.split(message):
        path = word.rstrip(".:!?…")
        # A place in a file, as compilers and editors write it.
        path = re.sub(r"(?::\d+)+$", "", path)
        if "://" in path or "@" in path.lstrip("@"):
            continue
        path = path.lstrip("@")
        is_path = "/" in path and _LOOKS_LIKE_A_PATH.fullmatch(path)
        if path and (is_path or _FILE_NAME.fullmatch(path)):
            found.setdefault(path)
    return tuple(found)

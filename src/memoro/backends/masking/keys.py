"""Private keys as whole blocks, however their lines were joined, escaped or cut off."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING

from memoro.backends.masking.spans import Span, is_scrambled

if TYPE_CHECKING:
    from collections.abc import Iterator

PRIVATE_KEY = "private key"
KINDS = frozenset({PRIVATE_KEY})

_BLOCKS = (
    (
        re.compile(r"-{1,8} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{1,8}"),
        re.compile(r"-{1,8} ?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{1,8}"),
    ),
    (
        re.compile(r"PuTTY-User-Key-File-\d: ?[\w-]{1,40}"),
        re.compile(r"Private-(?:MAC|Hash): ?[0-9a-f]{32,128}"),
    ),
)
# What may stand between the lines of a key: white space, also as `\n`, quotes, marks of lists.
_LINE = re.compile(r"(?:[\s\"'`,;|>+]|\\[nrt])*([A-Za-z0-9+/=_-]+)")
_HEADERS = re.compile(
    r"(?:(?:\s|\\[nr])*(?:Proc-Type|DEK-Info|Version|Comment|Hash): ?[^\n\\]{1,80})+"
)
_MATERIAL = 16


def find_keys(text: str) -> Iterator[Span]:
    """The private keys in the text, from the line that begins one to the line that ends it; where
    that is missing, to the end of what looks like one. A mere mention of these lines is none."""
    for begin, end in _BLOCKS:
        begins = list(begin.finditer(text))
        if not begins:
            continue
        ends = list(end.finditer(text))
        starts = [match.start() for match in ends]
        limits = [match.start() for match in begins[1:]] + [len(text)]
        for match, limit in zip(begins, limits, strict=True):
            following = bisect_left(starts, match.end())
            if following < len(starts) and starts[following] <= limit:
                stop, inside = ends[following].end(), starts[following]
                held = _holds_material(text, match.end(), inside)
            else:
                stop = _end_of_material(text, match.end(), limit)
                held = stop > match.end()
            if held:
                yield Span(match.start(), stop, PRIVATE_KEY)


def _holds_material(text: str, start: int, end: int) -> bool:
    lines = re.findall(r"[A-Za-z0-9+/=_-]+", re.sub(r"\\[nrt]", " ", text[start:end]))
    return any(_is_material(line) for line in lines)


def _end_of_material(text: str, start: int, limit: int) -> int:
    headers = _HEADERS.match(text, start, limit)
    place, end = headers.end() if headers else start, start
    while line := _LINE.match(text, place, limit):
        is_last = end > start and (line[1].endswith("=") or is_scrambled(line[1]))
        if not (_is_material(line[1]) or is_last):
            break
        place = end = line.end()
    return end


def _is_material(line: str) -> bool:
    return len(line) >= _MATERIAL and (is_scrambled(line) or line.endswith("="))

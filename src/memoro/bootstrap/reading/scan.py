"""Planted overrides: text that poses as the system, or hides from the person who reads the file.

A hit costs at most the lines that it stands in, and a phrase that is only quoted is masked
between its quotes: a note on security has to be able to name what it warns of.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from memoro.bootstrap.reading.phrases import find_phrases, plain

SYSTEM_TAG = "system tag"
HIDDEN = "hidden text"

_TAG = re.compile(
    r"<\s?/?\s?(?:system|sys)(?:[-_ ](?:prompt|message|instructions?|reminder|override|note))?"
    r"(?:\s[^>\n]{0,200})?/?>"
    r"|<\|\s?/?(?:im_start|im_end|im_sep|system|user|assistant|developer|endoftext|eot_id"
    r"|start_header_id|end_header_id|begin_of_text|end_of_turn|start_of_turn)\s?\|>"
    r"|<(?:start|end)_of_turn>"
    r"|\[\s?/?\s?(?:INST|SYS|SYSTEM)\s?\]"
    r"|<<\s?/?\s?SYS\s?>>",
    re.ASCII | re.IGNORECASE,
)
# The flags of England, Scotland and Wales are a black flag and some letters in tag characters.
_FLAG = "\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f"
# One joiner or one selector is how emoji and many scripts are written; a run of them is a code.
_HIDING = re.compile(
    f"{_FLAG}|(?P<hit>[\U000e0000-\U000e007f]+|[\u202d\u202e]+"
    "|[\u200b-\u200d\u2060-\u2064\ufeff\u180e]{2,}|[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2,})"
)
_QUOTED = re.compile(
    r"`[^`\n]*`|\"[^\"\n]*\"|“[^”\n]*”|«[^»\n]*»|„[^“”\n]*[“”]|‘[^’\n]*’|(?<!\w)'[^'\n]*'(?!\w)"
)


class Hit(NamedTuple):
    """Something that was masked: the number of its line, counted from 1, and what it poses as."""

    line: int
    category: str


class Scanned(NamedTuple):
    """The text with each hit as `[BLOCKED: category]`, and the hits in the order of their lines."""

    text: str
    hits: tuple[Hit, ...]


class _Span(NamedTuple):
    start: int
    end: int
    category: str


def scan(text: str) -> Scanned:
    """Mask planted overrides; the number of lines stays as it is.

    Args:
        text: instruction text with `\\n` as its only line end, without a byte order mark.
    """
    hits: set[Hit] = set()
    text = _without_posing(text, hits)
    if not text.isascii():
        text = _without_hidden(text, hits)
    return Scanned(text, tuple(sorted(hits)))


def mask(category: str) -> str:
    """What stands in the prompt instead of a hit."""
    return f"[BLOCKED: {category}]"


def _without_hidden(text: str, hits: set[Hit]) -> str:
    def masked(match: re.Match[str]) -> str:
        if match["hit"] is None:
            return match[0]
        hits.add(Hit(text.count("\n", 0, match.start()) + 1, HIDDEN))
        return mask(HIDDEN)

    return _HIDING.sub(masked, text)


def _without_posing(text: str, hits: set[Hit]) -> str:
    spans = [_Span(*found) for found in find_phrases(text)]
    spans += [_Span(found.start(), found.end(), SYSTEM_TAG) for found in _TAG.finditer(text)]
    if not text.isascii():
        spans += _disguised_tags(text)
    if not spans:
        return text
    lines = text.split("\n")
    by_line: dict[int, list[_Span]] = {}
    number, start = 0, 0
    for span in sorted(spans):
        while span.start > start + len(lines[number]):
            start += len(lines[number]) + 1
            number += 1
        within = _Span(span.start - start, span.end - start, span.category)
        if "\n" in text[span.start : span.end]:
            within = _Span(-1, -1, span.category)
        for each in range(text.count("\n", span.start, span.end) + 1):
            by_line.setdefault(number + each, []).append(within)
            hits.add(Hit(number + each + 1, span.category))
    for each, found in by_line.items():
        lines[each] = _masked_line(lines[each], found)
    return "\n".join(lines)


def _disguised_tags(text: str) -> list[_Span]:
    """Find the lines that hold a tag once look-alikes and invisible characters are undone."""
    spans: list[_Span] = []
    start = 0
    for line in text.split("\n"):
        if not line.isascii() and not _TAG.search(line) and _TAG.search(plain(line)):
            spans.append(_Span(start, start + len(line), SYSTEM_TAG))
        start += len(line) + 1
    return spans


def _masked_line(line: str, spans: list[_Span]) -> str:
    quotes = [(quote.start(), quote.end()) for quote in _QUOTED.finditer(line)]
    pieces: list[str] = []
    at, quote = 0, 0
    for span in spans:
        while quote < len(quotes) and quotes[quote][1] <= span.start:
            quote += 1
        inside = quote < len(quotes) and quotes[quote][0] < span.start
        if not inside or span.end >= quotes[quote][1]:
            return mask(span.category)
        if span.start >= at:
            pieces += (line[at : span.start], mask(span.category))
            at = span.end
    return "".join((*pieces, line[at:]))

"""The values in a text that the words around them call a secret."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memoro.backends.masking.named.judging import FIRM, is_secret
from memoro.backends.masking.named.links import Link, find_links
from memoro.backends.masking.named.names import Name, Nature, find_names
from memoro.backends.masking.named.values import LONGEST, Value, read_passphrase, read_value
from memoro.backends.masking.spans import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

_LINE_END = re.compile(r"[^\w:]{0,3}(?:$|[\r\n])")
# "… is the password for the router"; without one of these there is none.
_LINKED_BACK = (" is ", " was ", " as ", " é ", " como ", " era ", "是", "为")
_VALUE_FIRST = re.compile(
    r"(?:^|[\s(\"'`*:])(?P<v>[^\s\0\"'`*\u3000-\uffef]{5,64})[\"'`*]{0,3}"
    r"(?:[ \t]{1,3}(?:is|was|as|é|como|era)[ \t]{1,3}"
    r"(?:(?:the|my|our|your|his|her|their|an?|[oa]|minha|meu|nossa|nosso|sua|seu)[ \t]{1,3})?"
    r"(?:[\w-]{1,20}[ \t]{1,3}){0,3}|[ \t]{0,3}(?:就?是|为)[\u4e00-\u9fff]{0,6})$",
    re.IGNORECASE,
)
_NAME_LAST = re.compile(
    r"[ \t]{0,2}(?:$|[\n.,;!?)。，]"
    r"|(?:for|of|to|on|in|at|from|and|de|d[oa]|para|n[oa]|e|here|everywhere|now)\b)"
)
_AROUND = 96


def find_named(text: str) -> Iterator[Span]:
    """The values in the text that what stands around them calls a secret."""
    done = 0
    for name in find_names(text):
        # A name within a secret, or within a row without spaces that never ends, is none.
        if name.start < done:
            continue
        before = text[max(0, name.start - _AROUND) : name.start]
        for link, value in _linked(text, name):
            if is_secret(name, link, value, before):
                yield Span(value.start, value.end, name.kind)
                done = max(done, value.end)
            elif value.end - value.start >= LONGEST:
                done = max(done, value.end)
        if first := _value_before(text, name, before):
            yield Span(first.start, first.end, name.kind)


def _linked(text: str, name: Name) -> Iterator[tuple[Link, Value]]:
    for link, place, below in find_links(text, name.end):
        value = read_value(text, place)
        if value and below and not _LINE_END.match(text, value.end):
            continue
        if name.nature is Nature.CHOSEN and link in FIRM:
            value = read_passphrase(text, place) or value
        elif value and value.text[-1] == "!" and name.nature is not Nature.CHOSEN:
            value = value._replace(text=value.text[:-1], end=value.end - 1)
        if value:
            yield link, value


def _value_before(text: str, name: Name, before: str) -> Value | None:
    if not any(mark in before for mark in _LINKED_BACK) or not _NAME_LAST.match(text, name.end):
        return None
    if name.nature not in (Nature.CHOSEN, Nature.MADE):
        return None
    found = _VALUE_FIRST.search(before)
    if found is None:
        return None
    start = name.start - len(before) + found.start("v")
    value = Value(found["v"], start, start + len(found["v"]), ends=True)
    return value if is_secret(name, Link.BESIDE, value, before) else None

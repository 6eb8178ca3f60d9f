"""Cutting Chinese, which has no spaces, into words."""

from __future__ import annotations

from collections.abc import Iterator

from memoro.memory.comparing.lexicon.chinese import CHINESE
from memoro.memory.comparing.lexicon.listing import listed
from memoro.memory.comparing.lexicon.measures import WEEKDAYS
from memoro.memory.comparing.tokens.token import HAN, NUMBER, Token


def cut_han(tokens: list[Token]) -> list[Token]:
    """Han text cut into the words of the lexicon; what is between them stays in one piece."""
    pieces: list[Token] = []
    for token in tokens:
        if token.kind == HAN:
            counted = bool(pieces) and pieces[-1].kind == NUMBER
            pieces += (Token(one, one, HAN) for one in _joined([*_cut(token.text, counted)]))
        else:
            pieces.append(token)
    return pieces


def _joined(pieces: list[str]) -> list[str]:
    """The pieces, with a name that a short word cut in two put together again: 南山智能."""
    found: list[str] = []
    for at, piece in enumerate(pieces):
        entry = CHINESE.words.get(piece)
        before = found[-1] if found else ""
        named = before and before not in _WORDS and before[-1] not in _HAN_NUMBER
        if named and len(piece) == 1 and entry is not None:
            last = at + 1 == len(pieces) or pieces[at + 1] in ("了", "的")
            if entry.role in _SPLITTING and (len(before) == 1 or (last and entry.role == "E")):
                found[-1] += piece
                continue
        found.append(piece)
    return found


_SPLITTING = frozenset({"D", "E", "Q", "R"})
"""Roles of short words that are parts of names as well."""


def _cut(text: str, counted: bool) -> Iterator[str]:
    """The pieces of a text; it follows a number where it is `counted`: 3点, 5月."""
    at = start = 0
    while at < len(text):
        size = _longest(text, at, counted if at == 0 else text[at - 1] in _HAN_NUMBER)
        if size:
            if start < at:
                yield text[start:at]
            yield text[at : at + size]
            start = at + size
        at += size or 1
    if start < at:
        yield text[start:at]


_HAN_NUMBER = frozenset("零一二三四五六七八九两〇十百千万")
_HAN_MEASURES = tuple(
    sorted(
        listed("分钟 小时 秒 天 周 个月 个 年 月 日 号 岁 点 人 元 公里 次"), key=len, reverse=True
    )
)


def _longest(text: str, at: int, counted: bool) -> int:
    """The length of the longest word of the lexicon that starts here; 0 where none does."""
    first = text[at]
    for size in _SIZES.get(first, ()):
        if text[at : at + size] in _WORDS:
            return size
    if first in _HAN_NUMBER:
        size = 1
        while at + size < len(text) and text[at + size] in _HAN_NUMBER:
            size += 1
        return size if text.startswith(_HAN_MEASURES, at + size) else 0
    if counted:
        measure = next((one for one in _HAN_MEASURES if text.startswith(one, at)), "")
        if measure:
            return len(measure)
    return 1 if first in _WORDS else 0


def _sizes(words: frozenset[str]) -> dict[str, tuple[int, ...]]:
    sizes: dict[str, set[int]] = {}
    for word in words:
        if len(word) > 1:
            sizes.setdefault(word[0], set()).add(len(word))
    return {first: tuple(sorted(found, reverse=True)) for first, found in sizes.items()}


_WORDS = frozenset({*CHINESE.words, *WEEKDAYS})
_SIZES = _sizes(_WORDS)

"""The wording of an item: what it is about, apart from how far it has come.

"Learn Rust (50%)", "**learn rust** - in progress" and "✅ Learn Rust" are one goal. Two languages.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from memoro.memory.profile.splitting import asides, without_asides
from memoro.memory.profile.vocabulary import (
    AFTER_IT,
    ARTICLES,
    BEFORE_IT,
    CAUSING,
    CLAUSE,
    DONE,
    DONE_ALONE,
    FILLERS,
    MONTHS,
    NOT,
    OPEN,
    OPEN_ALONE,
)

_ACCENTS = re.compile("[\u0300-\u036f]")
_INVISIBLE = re.compile("[\u00ad\u200b\u2060\ufeff]")
_WORDS = re.compile(r"\d+(?:[.,]\d+)?\s?%|\d+/\d+|[^\W_]+(?:'[^\W_]+)?")
_EMPHASIS = re.compile(r"\*{1,3}([^*\s](?:[^*]*[^*\s])?)\*{1,3}|`([^`]+)`|~~([^~]+)~~")
_UNDERLINES = re.compile("_+")
_BULLET = re.compile(r"[-*•–]\s+")
_CHECKED = re.compile(r"\[[xX✓✔]\]|[✅☑✔✓]\ufe0f?")
_UNCHECKED = re.compile(r"\[ ?\]|[☐⬜🚧⏳]\ufe0f?")
_LABEL = re.compile(r"([^:–—]{1,40}?)\s?(?::|–|—|\s-)\s")
_TAIL = re.compile(r"\s(?:-{1,2}|–|—|→|->)\s|:\s|,\s")
_PERCENT = re.compile(r"(?<=\w)\s\d{1,3}(?:[.,]\d+)?\s?%$")
_EDGES = " .,;:!?…–—"
_MAX_STATUS_WORDS = 8
_MAX_TAILS = 4


class Wording(NamedTuple):
    """An item taken apart: `bare` is what it is about, `event` the same as something that
    happened, `status` how far it has come in its own words; `finished` whether it is done."""

    bare: str
    event: str
    status: str
    finished: bool


def one_line(text: str) -> str:
    """A text on one line, composed, with single spaces."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def fold(text: str) -> str:
    """A text as it is compared: without case, accents, forms of letters, invisible characters."""
    apart = unicodedata.normalize("NFKD", _INVISIBLE.sub("", text).casefold())
    return " ".join(unicodedata.normalize("NFKC", _ACCENTS.sub("", apart)).casefold().split())


def stem(text: str) -> str:
    """The identity of an item: what it is about, folded, without status, asides, emphasis."""
    bare = without_asides(read(text).bare)
    return _plain(_PERCENT.sub("", bare)) or fold(text)


def _plain(text: str) -> str:
    bare = _EMPHASIS.sub(lambda found: "".join(part or "" for part in found.groups()), text)
    return fold(_UNDERLINES.sub(_within_a_word, bare)).rstrip(_EDGES).lstrip(" ,;:–—")


def _within_a_word(found: re.Match[str]) -> str:
    text, (start, end) = found.string, found.span()
    inside = start > 0 and end < len(text) and text[start - 1].isalnum() and text[end].isalnum()
    return found[0] if inside else ""


def mentions(text: str, words: str) -> bool:
    """Whether a folded text holds these folded words, as whole words."""
    place = text.find(words) if words else -1
    while place >= 0:
        end = place + len(words)
        if not _joined(text, place) and not _joined(text, end):
            return True
        place = text.find(words, place + 1)
    return False


def _joined(text: str, place: int) -> bool:
    """Whether a word goes on across a place; scripts without spaces have words anywhere."""
    pair = text[place - 1 : place + 1] if place else ""
    return len(pair) == 2 and all(char.isalnum() and char < "\u2e80" for char in pair)


def read(text: str) -> Wording:
    """Take an item apart."""
    rest, states, said = without_bullet(one_line(text)), list[bool](), list[str]()
    for cut in (_cut_mark, _cut_label, *[_cut_aside, _cut_tail] * _MAX_TAILS):
        shorter, status, state = cut(rest)
        if state is not None and shorter:
            rest = shorter
            states.append(state)
            said.append(status)
    words = rest.split(" ")
    bare = _without_verb(words)
    finished = False not in states and (True in states or bare is not None)
    return Wording(bare or rest, rest, " ".join(said), finished)


def without_bullet(text: str) -> str:
    """An item without the bullet of the list that it was written in."""
    return _BULLET.sub("", text, count=1) if _BULLET.match(text) else text


def finished_before(text: str) -> str | None:
    """What "X done" or "X feito" would say is done; None where a text does not end like that.

    Only where there is an X can this be told from "get things done".
    """
    words = read(text).bare.split(" ")
    if len(words) > 1 and fold(words[-1]).strip(_EDGES) in DONE_ALONE:
        return None if fold(words[-2]) in NOT | CLAUSE else " ".join(words[:-1])
    return None


def is_status(text: str) -> bool:
    """Whether a text says nothing but how far something has come."""
    words = _words(text)
    return _all_status(words) and any(
        word in DONE or word in OPEN or word.endswith("%") for word in words
    )


def _words(text: str) -> list[str]:
    return _WORDS.findall(fold(text))


def _all_status(words: list[str]) -> bool:
    known = (DONE_ALONE, OPEN_ALONE, NOT, FILLERS, MONTHS)
    return bool(words) and all(
        word[0].isdigit() or any(word in group for group in known) for word in words
    )


def _state(text: str) -> bool | None:
    """Whether a phrase says that something is done (True) or under way (False); None where it
    says neither."""
    words = _words(text)
    if not words or len(words) > _MAX_STATUS_WORDS or any(word in CLAUSE for word in words):
        return None
    if not _all_status(words):
        # Another word is all right, but the status must be what the phrase begins or ends with.
        ends = [word for word in words if word not in FILLERS]
        if not any(word in DONE or word in OPEN or "%" in word for word in (ends[0], ends[-1])):
            return None
    return _done(words)


def _done(words: list[str]) -> bool | None:
    parts = [word for word in words if "%" in word or "/" in word]
    if any(word in OPEN_ALONE or word in NOT for word in words):
        return False
    if any(not _is_whole(part) for part in parts):
        return False
    whole = any("%" in part for part in parts)
    return True if whole or any(word in DONE_ALONE for word in words) else None


def _is_whole(part: str) -> bool:
    some, _, of = part.partition("/")
    return some == of if of else part.rstrip("% ") == "100"


Cut = tuple[str, str, bool | None]


def _cut_mark(text: str) -> Cut:
    for pattern, state in ((_CHECKED, True), (_UNCHECKED, False)):
        mark = pattern.match(text)
        if mark:
            return text[mark.end() :].strip(), "", state
        before, _, last = text.rpartition(" ")
        if pattern.fullmatch(last):
            return before, "", state
    if text.startswith("~~") and text.endswith("~~") and "~" not in text[2:-2]:
        return text[2:-2].strip(), "", True
    return text, "", None


def _cut_label(text: str) -> Cut:
    label = _LABEL.match(text)
    if label and _all_status(_words(label[1])):
        return text[label.end() :].strip(), label[1], _state(label[1])
    return text, "", None


def _cut_aside(text: str) -> Cut:
    for start, end in reversed(asides(text)):
        inner = text[start + 1 : end]
        state = _state(inner)
        if state is not None:
            return one_line(f"{text[:start]} {text[end + 1 :]}"), inner, state
    return text, "", None


def _cut_tail(text: str) -> Cut:
    tails = list(_TAIL.finditer(text))
    if not tails:
        return text, "", None
    last = tails[-1]
    tail = text[last.end() :]
    if last[0][0] in ",:" and not _all_status(_words(tail)):
        return text, "", None
    return text[: last.start()].strip(), tail, _state(tail)


def _without_verb(words: list[str]) -> str | None:
    """What "finished X" or "X completed" says is done; None where a text is not like that."""
    if len(words) < 2:
        return None
    if fold(words[0]) in BEFORE_IT:
        rest = words[1:]
        return " ".join(rest[1:] if len(rest) > 1 and fold(rest[0]) in ARTICLES else rest)
    last = fold(words[-1]).strip(_EDGES)
    if last in AFTER_IT and fold(words[0]) not in CAUSING and fold(words[-2]) not in NOT | CLAUSE:
        return " ".join(words[:-1])
    return None

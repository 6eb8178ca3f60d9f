"""What stands after the name of a secret: where it ends, and whether it is one."""

from __future__ import annotations

import re
from enum import Enum
from typing import NamedTuple

from memoro.backends.masking.named.words import (
    BINDING_WORDS,
    DESCRIBING_ENDINGS,
    SMALL_WORDS,
    TERMS,
)
from memoro.backends.masking.references import is_code, is_example, is_reference

_QUOTES = {
    '"': '"',
    "'": "'",
    "`": "`",
    "“": "”",
    "‘": "’",
    "„": "“",
    "«": "»",
    "「": "」",
    "『": "』",
}
_OPENING = re.compile(r"\\?([\"'`“‘„«「『])")
# Up to white space, a quote, a masked secret, or the scripts that are written without spaces.
_WORD = re.compile(r"[^\s\0\"`“”«»<>\u3000-\u30ff\u3400-\u9fff\uac00-\ud7a3\uff00-\uff65]{1,192}")
_REST = re.compile(r"[^\s\0\"`“”«»<>&;,\u3000-\u30ff\u3400-\u9fff\uac00-\ud7a3\uff00-\uff65]*")
# Where a value in a query, a connection string, a list or an escaped text is over.
_STOP = re.compile(
    r"\\[nrt\"']|&(?:quot|apos|lt|gt|amp|nbsp|#\w{1,6});?|[&;](?=[\w.%-]{1,40}=)"
    r"|,(?=[\"']|[\w.%-]{1,40}[=:]|[^\x00-\x7f])|'(?=[,;)\]}]|$)"
)
_CLOSING = ".,;:?…|"
_BRACKETS = {")": "(", "]": "[", "}": "{"}
_CLAUSE_END = re.compile(
    r"[*_)\]}|'\"`]{0,3}[ \t]*(?:$|\n|\r|[.,;:!?)\]}|/—–\-\"'`”»<\u3000-\u30ff]|\\[nr]"
    r"|(?:and|but|or|then|e|mas|ou|y|pero|und|aber|et|mais|for now|por enquanto)\b)"
)
_SEPARATORS = re.compile(r"[-_./:,+]+")
_QUANTITY = re.compile(
    r"v?\d+(?:s|ms|m|min|mins|h|hrs?|d|days?|w|weeks?|y|bits?|bytes?|k|kb|mb|gb|kib|mib|gib"
    r"|chars?|characters?|digits?|st|nd|rd|th|x|fa|px|%)?|v\d+[a-z]{0,2}\d*|(?:rc|alpha|beta|b)\d+"
)
# As licence keys and recovery codes are printed.
_GROUPS = re.compile(r"(?=[A-Z0-9-]*\d)[A-Z0-9]{4,8}(?:-[A-Z0-9]{4,8}){2,8}")
_PASSPHRASE = re.compile(r"[^\W\d_]{3,24}(?: [^\W\d_]{3,24}){3,9}")

LONGEST = 192
_MOST_CLOSING = 16


class Value(NamedTuple):
    """A value in a text. `ends` tells whether a clause ends with it, `quoted` whether it stands
    between quotes, which are not part of it."""

    text: str
    start: int
    end: int
    ends: bool
    quoted: bool = False


class Look(Enum):
    """What a value looks like."""

    NAME = "a reference, an example, a small word"
    WORD = "letters only"
    TERM = "words and numbers, as in `AES-256`"
    NUMBER = "digits only"
    SCRAMBLED = "no word and no number"


def read_value(text: str, place: int) -> Value | None:
    """The value at a place in the text, without the marks around it; None where there is none."""
    opening = _OPENING.match(text, place)
    if opening and (value := _quoted(text, opening)):
        return value
    start = opening.end() if opening else place
    while start < len(text) and text[start] in "*_([":
        start += 1
    word = _WORD.match(text, start)
    if word is None:
        return None
    end = _trimmed(text, start, word.end())
    if end == start:
        return None
    return Value(text[start:end], start, end, _CLAUSE_END.match(text, end) is not None)


def read_passphrase(text: str, place: int) -> Value | None:
    """Four words or more up to the end of a clause, all of them nouns, verbs or the like."""
    words = _PASSPHRASE.match(text, place)
    if words is None or not _CLAUSE_END.match(text, words.end()):
        return None
    value = Value(words[0], words.start(), words.end(), ends=True)
    return value if is_passphrase(value.text) else None


def is_passphrase(text: str) -> bool:
    """Whether it is a row of words, none of which holds a sentence together."""
    return _PASSPHRASE.fullmatch(text) is not None and not any(
        word in BINDING_WORDS for word in text.lower().split()
    )


def look(text: str, *, quoted: bool = False) -> Look:
    """What a value looks like; what is quoted is no code."""
    lowered = text.lower().rstrip("!")
    if lowered in SMALL_WORDS or is_reference(text) or is_example(text):
        return Look.NAME
    if not quoted and is_code(text):
        return Look.NAME
    if lowered.isdigit():
        return Look.NUMBER
    if _GROUPS.fullmatch(text):
        return Look.SCRAMBLED
    parts = [part for part in _SEPARATORS.split(lowered) if part]
    if not parts:
        return Look.NAME
    if all(part.replace("'", "").replace("’", "").isalpha() for part in parts):
        return Look.WORD
    if all(part.isalpha() or part in TERMS or _QUANTITY.fullmatch(part) for part in parts):
        return Look.TERM
    return Look.SCRAMBLED


def describes(word: str) -> bool:
    """Whether a word rather says something of a secret than is one: `required`, `obrigatória`."""
    return _is_small(word.lower())


def _is_small(word: str) -> bool:
    return word in SMALL_WORDS or any(
        word.endswith(ending) and len(word) >= len(ending) + 4 for ending in DESCRIBING_ENDINGS
    )


def _quoted(text: str, opening: re.Match[str]) -> Value | None:
    close = _QUOTES[opening[1]]
    start = opening.end()
    end = text.find(close, start, start + LONGEST)
    while end > 0 and text[end + 1 : end + 2].isalnum():
        end = text.find(close, end + 1, start + LONGEST)
    if opening[0][0] == "\\" and end > start:
        end -= text[end - 1] == "\\"
    inside = text[start:end] if end > start else ""
    if not inside or "\n" in inside or "\0" in inside:
        return None
    return Value(inside, start, end, ends=True, quoted=True)


def _trimmed(text: str, start: int, end: int) -> int:
    """Where the value ends, without what belongs to the sentence, the list or the query."""
    if stop := _STOP.search(text, start, end):
        end = stop.start()
    elif end - start == LONGEST and (rest := _REST.match(text, end)):
        end = rest.end()
    for _ in range(min(end - start, _MOST_CLOSING)):
        last = text[end - 1]
        unopened = last in _BRACKETS and text.find(_BRACKETS[last], start, end - 1) < 0
        marked = last in "*_'" and (text[start - 1 : start] == last or last == "'")
        if not (last in _CLOSING or unopened or marked):
            break
        end -= 1
    return end

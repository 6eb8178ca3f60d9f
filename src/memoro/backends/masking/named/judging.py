"""Whether a value beside the name of a secret is one.

A password is chosen by a person and can be any word; a token or key is not, and has to look like
one. The less a link promises, the more the value has to look like a secret.
"""

from __future__ import annotations

import re

from memoro.backends.masking.named.links import Link
from memoro.backends.masking.named.names import Name, Nature
from memoro.backends.masking.named.values import Look, Value, describes, is_passphrase, look

FIRM = frozenset({Link.SET, Link.LISTED, Link.SAID})
_LOOSE = frozenset({Link.BESIDE, Link.APART})
# How long a value that is scrambled has to be, in the order of the links.
_SHORTEST = {
    Nature.CHOSEN: (3, 4, 5, 6, 6, 6),
    Nature.CODE: (4, 4, 4, 0, 8, 0),
    Nature.MADE: (6, 8, 8, 12, 12, 16),
    Nature.BARE: (20, 20, 20, 0, 0, 0),
}
# And one of digits only. 0: no such value is a secret.
_FEWEST_DIGITS = {
    Nature.CHOSEN: (3, 4, 4, 4, 6, 0),
    Nature.CODE: (3, 3, 3, 4, 4, 0),
    Nature.MADE: (8, 8, 8, 0, 0, 0),
    Nature.BARE: (0, 0, 0, 0, 0, 0),
}
_PLACES = {link: place for place, link in enumerate(Link)}
_MOST_DIGITS = 20
_WORD, _LONG_WORD, _LONG_ROW = 3, 16, 24
_MOST_WORDS = 10
# "at least 8 characters" is a rule for passwords.
_RULE = re.compile(
    r"\b(?:chars?|characters?|digits?|letters?|symbols?|bytes?|bits?|long|days?|hours?|minutes?"
    r"|least|most|must|caracteres|dígitos?|letras?|dias?)\b",
    re.IGNORECASE,
)
_CAMEL = re.compile(r"[A-Za-z]?[a-z]+(?:[A-Z][a-z]{2,})*")
_CHANGING = re.compile(r"(?i:\b(?:set|chang|reset|updat|switch|alter|mud|troc|cambi|defin))")
# "User ana, pass …"
_LISTING = (",", ";", "/", "(", "|", " and", " e")


def is_secret(name: Name, link: Link, value: Value, before: str) -> bool:
    """Whether the value is a secret.

    Args:
        before: some of the text before the name.
    """
    if " " in value.text:
        return name.nature is Nature.CHOSEN and link in FIRM and _is_phrase(value.text)
    if link in _LOOSE and not (value.quoted or _has_digit(value.text)):
        return False
    is_vague = name.is_short and name.nature is Nature.CHOSEN
    if is_vague and link not in FIRM and not _is_in_list(before):
        return False
    found = look(value.text, quoted=value.quoted)
    if found is Look.NAME:
        return False
    if found is Look.SCRAMBLED:
        return _is_scrambled(name, link, value)
    if found is Look.NUMBER:
        return _is_number(name, link, value)
    if name.nature is Nature.CHOSEN:
        return _is_chosen(name, link, value, found, before)
    return name.nature is Nature.MADE and _is_made(name, link, value.text, found)


def _is_in_list(before: str) -> bool:
    text = before.rstrip()
    return not text or "\n" in before[len(text) :] or text.endswith(_LISTING)


def _is_phrase(text: str) -> bool:
    words = text.split(" ")
    if len(words) > _MOST_WORDS or _RULE.search(text):
        return False
    return (
        _has_digit(text)
        or is_passphrase(text)
        or any(look(word) is Look.SCRAMBLED for word in words)
    )


def _is_scrambled(name: Name, link: Link, value: Value) -> bool:
    text = value.text
    # Quotes promise as much as a colon does.
    as_listed = value.quoted and link is Link.BESIDE
    shortest = _SHORTEST[name.nature][_PLACES[Link.LISTED if as_listed else link]]
    if not shortest or len(text) < shortest or (link is Link.APART and not value.ends):
        return False
    if name.nature is Nature.BARE:
        return _has_digit(text) and any(map(str.isupper, text)) and any(map(str.islower, text))
    return _has_digit(text) or (link in FIRM and name.nature is not Nature.CODE)


def _is_number(name: Name, link: Link, value: Value) -> bool:
    fewest = _FEWEST_DIGITS[name.nature][_PLACES[link]]
    ends = value.ends or link is Link.SET or (name.nature is Nature.CODE and name.text.isupper())
    return fewest > 0 and ends and fewest <= len(value.text) <= _MOST_DIGITS


def _is_chosen(name: Name, link: Link, value: Value, found: Look, before: str) -> bool:
    """Whether words, perhaps with numbers, are a password."""
    if link is Link.SET or (value.quoted and link is not Link.APART and found is Look.WORD):
        return len(value.text) >= _WORD
    parts = re.split(r"[-_./]", value.text.rstrip("!"))
    if name.is_short or not value.ends or len(value.text) <= _WORD:
        return False
    if found is Look.TERM:
        named = len(parts) > 2 or not describes(parts[0])  # not "version-2"
        return link in FIRM and named and parts[0].isalpha() and parts[-1].isdigit()
    if any(map(describes, parts)):
        return False
    # Two words are how something is described: "case-sensitive".
    if len(parts) == 2:
        return False
    return link in FIRM or (link is Link.GIVEN and _CHANGING.search(before) is not None)


def _is_made(name: Name, link: Link, text: str, found: Look) -> bool:
    """Whether words, perhaps with numbers, are a key or token after all."""
    if link is Link.SET and name.text.isupper():
        return len(text) >= _SHORTEST[Nature.MADE][_PLACES[Link.SET]]
    if found is not Look.WORD or link not in FIRM or not text.isalpha():
        return False
    if _CAMEL.fullmatch(text):
        return text.islower() and len(text) >= _LONG_ROW
    return len(text) >= _LONG_WORD


def _has_digit(text: str) -> bool:
    return any(map(str.isdigit, text))

"""Numbers of payment cards: their length and prefix are an issuer's, and their check digit holds.

Digits stand together or in the groups that are printed on a card. IBANs are not among them: an
account number is what one gives to be paid.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memoro.backends.masking.spans import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

CARD_NUMBER = "card number"
KINDS = frozenset({CARD_NUMBER})

_GAP = r"[ \u00a0\u2009\u202f.-]{1,2}"
# Each group is tried, since another number can stand right before the card's.
_GROUPED = re.compile(
    r"(?=\d{4}[^\d\n])(?<!\d)(?<!\d\.)"
    rf"(?=(\d{{4}}(?:{_GAP}\d{{4}}){{2}}{_GAP}\d{{1,7}}(?:{_GAP}\d{{3}})?(?!\d)"
    rf"|\d{{4}}{_GAP}\d{{6}}{_GAP}\d{{4,5}}(?!\d)))"
)
_TOGETHER = re.compile(r"(?<![A-Za-z0-9_])(?<!\d\.)\d{13,19}(?![A-Za-z0-9_])")
_PATH = re.compile(r"://[^\s\0]*/$")
_LONGEST_PATH = 256
_NOT_DIGIT = re.compile(r"\D+")
# The numbers that an issuer's prefixes start with, and how many digits its cards have.
_ISSUERS = (
    ("Visa", (("4", "4"),), (13, 16, 19)),
    ("Mastercard", (("51", "55"), ("2221", "2720")), (16,)),
    ("American Express", (("34", "34"), ("37", "37")), (15,)),
    ("Discover", (("6011", "6011"), ("644", "649"), ("65", "65")), (16, 19)),
    ("Diners Club", (("300", "305"), ("3095", "3095"), ("36", "36"), ("38", "39")), (14, 16, 19)),
    ("JCB", (("3528", "3589"),), (16, 17, 18, 19)),
    ("UnionPay", (("62", "62"), ("81", "81")), (16, 17, 18, 19)),
    (
        "Maestro",
        (("5018", "5020"), ("5038", "5038"), ("5893", "5893"), ("6304", "6304"), ("6759", "6763")),
        (13, 15, 16, 18, 19),
    ),
    ("Mir", (("2200", "2204"),), (16, 17, 18, 19)),
    ("Elo, Hipercard", (("636297", "636297"), ("636368", "636369"), ("606282", "606282")), (16,)),
    ("RuPay, Troy", (("60", "60"), ("82", "82"), ("9792", "9792")), (16,)),
)


def find_cards(text: str) -> Iterator[Span]:
    """The card numbers in the text."""
    for match in _TOGETHER.finditer(text):
        if is_card(match[0]) and not _in_address(text, match.start()):
            yield Span(match.start(), match.end(), CARD_NUMBER)
    for match in _GROUPED.finditer(text):
        if is_card(_NOT_DIGIT.sub("", match[1])):
            yield Span(match.start(), match.end(1), CARD_NUMBER)


def _in_address(text: str, place: int) -> bool:
    """Whether a number is a part of a path, where it rather is an identifier."""
    return _PATH.search(text, max(0, place - _LONGEST_PATH), place) is not None


def is_card(digits: str) -> bool:
    """Whether these digits are the number of a card that may exist."""
    return (
        any(
            len(digits) in lengths
            and any(low <= digits[: len(low)] <= high for low, high in prefixes)
            for _, prefixes, lengths in _ISSUERS
        )
        and _check_sum(digits) % 10 == 0
    )


def _check_sum(digits: str) -> int:
    """Luhn's sum: every second digit from the right counts double, its own digits added."""
    total = 0
    for place, digit in enumerate(map(int, reversed(digits))):
        total += digit if place % 2 == 0 else sum(divmod(digit * 2, 10))
    return total

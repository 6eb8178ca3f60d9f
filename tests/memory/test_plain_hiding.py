"""Hiding values that a text repeats."""

from __future__ import annotations

import json
import time
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoro.memory.plain.hiding import HIDDEN, hiding, is_hidden

HIDDEN_IN = [
    ("91237", "it is 91237 a year"),
    ("91237", "it is 91,237, or 91.237, or 91 237, or 91\u202f237"),
    ("91237", "EUR91237/year"),
    ("EUR 91,237.50", "eur 91237.50"),
    ("José Ávila", "JOSÉ ÁVILA"),
    ("José Ávila", unicodedata.normalize("NFD", "José Ávila said so")),
    ("José Ávila", json.dumps({"name": "José Ávila"})),
    ("José Ávila", json.dumps({"name": unicodedata.normalize("NFD", "josé ávila")})),
    ("12 Rua das Flores, Lisboa", "at 12 rua das flores — lisboa."),
    ("12 Rua das Flores\nLisboa", json.dumps("12 Rua das Flores\n  Lisboa")),
    ("+351 912 345 678", "call +351912345678"),
    ("+351 912 345 678", "call 351-912-345-678"),
    ("ana@example.com", "mailto:ANA@example.com?subject=x"),
    ("糖尿病", "有糖尿病的"),
    ("男", "他是男人"),
    ("เบาหวาน", "เป็นเบาหวานค่ะ"),
    ("🤰🏽", "she is 🤰🏽!"),
    ("EUR 91,237 a year", "91237 or so"),
    ("until 2027, EUR 91237", "91 237"),
    ("+351 912 345 678", "or just 912345678"),
    ("42", "is 42, not 43"),
    ("Ana", "ask ana_maria or Ana"),
    ("José", json.dumps("JOSÉ")),
    ("Ana", json.dumps("her name:\nAna")),
    ("91237", json.dumps("é91237")),
    ("0豈", "0豈 it is"),
    ("C++", "I write C++"),
    ("[sensitive]", "it is [sensitive]"),
]
STAYS_IN = [
    ("Ana", "Anatomy, Diana, banana"),
    ("900", "9000 and 1900"),
    ("42", "1423"),
    ("until 2027", "in 2027"),
    ("no", "no, there is no need"),
    ("5", "5 apples in 2025"),
    ("Não", "não há"),
    ("", "anything"),
    ("   ", "any thing"),
]


@pytest.mark.requirement("U07")
@pytest.mark.parametrize(("value", "text"), HIDDEN_IN)
def test_a_value_is_hidden_however_it_is_written(value: str, text: str) -> None:
    assert is_hidden(value)
    hidden = hiding([value])(text)
    assert HIDDEN in hidden
    for one in {value, value.lower(), value.upper()}:
        assert one == HIDDEN or one not in hidden


@pytest.mark.requirement("U07")
@pytest.mark.parametrize(("value", "text"), STAYS_IN)
def test_what_only_looks_like_a_value_stays(value: str, text: str) -> None:
    assert hiding([value])(text) == text


@pytest.mark.requirement("U07")
def test_a_longer_value_is_hidden_before_one_that_it_holds() -> None:
    assert hiding(["Ana", "Ana Souza"])("Ana Souza, and Ana") == f"{HIDDEN}, and {HIDDEN}"


@pytest.mark.requirement("U07")
def test_a_long_text_is_hidden_in_stretches() -> None:
    words = [f"w{number}x" for number in range(1_000)]
    value = " ".join(words)
    assert hiding([value])(f"before {value} after") == f"before {HIDDEN} {HIDDEN} {HIDDEN} after"


WORDS = st.text(st.characters(codec="utf-8", categories=["L", "Nd", "Zs", "P"]), min_size=2)


@pytest.mark.requirement("U07")
@settings(deadline=None)
@given(value=WORDS, before=WORDS, after=WORDS)
def test_nothing_is_left_of_any_value_between_spaces(value: str, before: str, after: str) -> None:
    if not is_hidden(value):
        return
    for spelled in (value, json.dumps(value)[1:-1]):
        hidden = hiding([value])(f"{before} | {spelled} | {after}")
        assert f"| {spelled} |" not in hidden


@pytest.mark.requirement("U07")
@pytest.mark.parametrize(
    "text",
    [
        "12 Rua das " * 40_000,
        "12 " + "\\" * 400_000,
        "1" * 400_000,
        "1 " * 200_000,
        "Rua\\n" * 100_000,
        ("12 Rua das" + " " * 60) * 6_000,
    ],
)
def test_no_text_takes_long(text: str) -> None:
    hide = hiding(["12 Rua das Flores, Lisboa", "1111 1111", "Rua n", "11111111111"])
    started = time.perf_counter()
    hide(text)
    assert time.perf_counter() - started < 5

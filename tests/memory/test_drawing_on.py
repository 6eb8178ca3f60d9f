"""Which records a reply evidently drew on."""

from __future__ import annotations

import time
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoro.memory.drawing_on import drew_on
from memoro.memory.records import EPISODE, FACT, GLOBAL, Kind, Record

AT = datetime(2026, 5, 2, 16, 10, tzinfo=UTC)


def record(text: str, kind: Kind = FACT, name: str = "f1", **data: str) -> Record:
    return Record(name, kind.name, GLOBAL, None, text, AT, AT, data=data)


def drew(text: str, reply: str, question: str = "") -> bool:
    return bool(drew_on(reply, [record(text)], question))


@pytest.mark.requirement("R05")
@pytest.mark.parametrize(
    ("fact", "reply", "question"),
    [
        ("User lives in Berlin", "You live in Berlin.", "Where do I live?"),
        ("User lives in Berlin", "Berlin.", "Where do I live?"),
        ("The billing service uses Postgres 15", "It's Postgres 15.", "What does billing use?"),
        ("User is vegan", "Here is a vegan recipe.", "What should I cook?"),
        ("Prefers table-driven tests in Go", "Try table-driven tests.", "How do I test in Go?"),
        ("Deploys run on Fridays", "A deploy runs each Friday.", ""),
        ("Deploys run on Fridays", "DEPLOYED ON FRIDAY", ""),
        ("The café in São Paulo", "o cafe de sao paulo", ""),
        ("Usa o editor Neovim no trabalho", "Configure o Neovim como editor", ""),
        ("Python 3.11.7 in CI", "Your CI has Python 3.11.7", "Which version?"),
        ("The port is 8443", "Open port 8443.", ""),
        ("The limit is 1,200 requests", "At most 1200 requests", ""),
        ("用户住在柏林", "你住在柏林。", ""),
        ("ユーザーは東京に住んでいる", "東京に住んでいますね", ""),
        ("config is in src/app/settings.toml", "Edit src/app/settings.toml", "How do I set it?"),
    ],
)
def test_a_reply_that_says_what_is_known_drew_on_it(fact: str, reply: str, question: str) -> None:
    assert drew(fact, reply, question)


@pytest.mark.requirement("R05")
@pytest.mark.parametrize(
    ("fact", "reply", "question"),
    [
        ("User lives in Berlin", "The sky is blue.", ""),
        ("User lives in Berlin", "", ""),
        ("User lives in Berlin", "Nice that you live well.", ""),
        # It repeats the question, and nothing else.
        ("User lives in Berlin", "I don't know where you live.", "Where do I live?"),
        ("Postgres is the database", "A Postgres database is fine.", "Is a Postgres database ok?"),
        ("Prefers tabs over spaces in Go", "In Go, tabs are usual.", "tabs or spaces in Go?"),
        # Words that tell nothing.
        ("User prefers to use new things", "You prefer to use new things", ""),
        ("User wants to know the way", "I want you to know the way to use it", ""),
        # Parts of words and of numbers are other words.
        ("rest and art", "restart", ""),
        ("Postgres 15", "Postgres 150", ""),
        ("Python 3.11", "Python 3.12", ""),
        ("Python 3.11.7", "Python 3.11.9", ""),
        ("Standup at 10", "Standup notes for version 3.10", ""),
        ("The database is at 10.0.0.5", "The database is at 10.0.0.9", "Where is the database?"),
        # The numbers of a list.
        ("3 developers, 2 weeks a sprint", "1. Plan.\n2. Code.\n 3) Ship.\n", ""),
        # Two words of many are there by chance.
        (
            "The nightly export job of the warehouse writes parquet files to the analytics bucket"
            " and mails the finance team when a table is empty",
            "A table in a file is fine.",
            "",
        ),
        ("用户住在柏林", "你住在东京。", ""),
        ("", "anything", ""),
        ("!!!", "!!!", ""),
    ],
)
def test_a_reply_that_merely_resembles_did_not(fact: str, reply: str, question: str) -> None:
    assert not drew(fact, reply, question)


@pytest.mark.requirement("R05")
@pytest.mark.parametrize(
    ("words", "held", "evident"),
    [
        *((1, 0, False), (1, 1, True), (2, 1, False), (2, 2, True), (5, 1, False), (5, 2, True)),
        *((6, 2, False), (6, 3, True), (20, 6, False), (20, 7, True), (100, 33, False)),
        (100, 34, True),
    ],
)
def test_how_many_words_are_enough(words: int, held: int, evident: bool) -> None:
    known = [f"w{number:03}x" for number in range(words)]
    assert drew(" ".join(known), " and ".join(known[:held])) is evident


@pytest.mark.requirement("R05")
def test_of_several_those_are_told_in_their_order() -> None:
    records = [
        record("Ada lives in Berlin", name="a"),
        record("Bob plays chess", name="b"),
        record("Released the parser", EPISODE, "c", outcome="twice as fast"),
    ]
    reply = "The parser that was released is twice as fast. By the way, Ada lives in Berlin."
    assert [one.id for one in drew_on(reply, records)] == ["a", "c"]
    assert drew_on(reply, []) == []


@pytest.mark.requirement("R05")
@given(st.text(max_size=200), st.lists(st.text(max_size=60), max_size=5), st.text(max_size=60))
def test_a_question_never_adds_evidence_and_nothing_fails(
    reply: str, texts: list[str], question: str
) -> None:
    records = [record(text, name=str(number)) for number, text in enumerate(texts)]
    found = drew_on(reply, records, question)
    assert [one for one in records if one in found] == found
    assert drew_on(question, records, question) == []
    assert drew_on("", records) == []


@pytest.mark.requirement("R05")
def test_no_text_takes_long() -> None:
    texts = ["1." * 50_000, "a " * 50_000, "\u0301" * 100_000, "日" * 50_000, "\n1." * 50_000]
    start = time.perf_counter()
    drew_on("".join(texts), [record(text) for text in texts], texts[0])
    assert time.perf_counter() - start < 5

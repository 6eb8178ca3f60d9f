"""Recall as a Python program has it: what is archived and learned comes back, or nothing does."""

from __future__ import annotations

import time
import unicodedata
from collections.abc import Generator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoro import Hit, MemoroError, Memory, SessionHit, Turn

NOW = datetime(2026, 5, 2, 16, 10, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.fixture
def memory(tmp_path: Path) -> Generator[Memory]:
    with Memory.open(tmp_path) as opened:
        yield opened


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Generator[Memory]:
    """A memory with something in it."""
    with Memory.open(tmp_path_factory.mktemp("home")) as opened:
        opened.archive(
            "pipeline",
            [
                user("The build server needs Go 1.23 since the March release", NOW - 40 * DAY),
                reply("Noted, Go 1.23 it is.", NOW - 40 * DAY),
            ],
        )
        opened.archive("home", [user("The roof was mended by Tom", NOW - DAY)])
        opened.archive("food", [user(f"We had soup number {n}", NOW - n * DAY) for n in range(60)])
        opened.learn("The office has a blue door")
        yield opened


def user(text: str, at: datetime = NOW, **more: str) -> Turn:
    return Turn("user", text, at, **more)


def reply(text: str, at: datetime = NOW) -> Turn:
    return Turn("assistant", text, at)


def texts(hits: list[Hit]) -> list[str]:
    return [hit.text for hit in hits]


AS_WRITTEN = {
    "post-merge": "A post-merge script rebuilds the docs.",
    "can't reboot": "You can't reboot the gateway on Fridays.",
    '"Plan B': 'The slides are named "Plan B final".',
    "Invoices/2024:paid": "Scans go to Invoices/2024:paid every week.",
    "F#": "The solver is in F# with some C.",
    "OR": "An OR of both sensors opens the valve.",
    "ubuntu 22.04": "Ubuntu 22.04 runs on the old nodes.",
    '"--dry-run"': "The script has --dry-run by default.",
}
"""What is searched for, as people write it, and the text that has it."""
SYNTAX = ["NOT", "AND", "*", "(", ")", "NEAR(", "x^y", "row:umn", '"', "'", "a AND", "-gateway"]
UNSPACED = {
    "花瓶": "先週は花瓶を二つ割った。",
    "버스": "오늘 장갑을 버스에 두고 왔다",
    "星期三": "他们把考试改到了星期三上午",
    "วันจันทร์": "นัดหมอเลื่อนไปวันจันทร์",
    "зеленую лампу": "Клиент заказал зелёную лампу",
}


def keep(memory: Memory, kind: str, held: list[str]) -> None:
    if kind == "turn":
        memory.archive("talk", [user(text) for text in held])
        return
    for text in held:
        memory.learn(text)


@pytest.mark.requirement("R01")
@pytest.mark.parametrize("kind", ["turn", "fact"])
def test_ordinary_words_are_no_search_syntax(memory: Memory, kind: str) -> None:
    keep(memory, kind, list(AS_WRITTEN.values()))
    for query, text in AS_WRITTEN.items():
        assert texts(memory.recall(query, now=NOW))[:1] == [text]
    for query in SYNTAX:
        memory.recall(query, now=NOW)
    assert memory.recall("", now=NOW) == memory.recall(" \n\t", now=NOW) == []


@pytest.mark.requirement("Z17", "R01")
@pytest.mark.parametrize("kind", ["turn", "fact"])
@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_scripts_without_spaces_are_found(
    memory: Memory, kind: str, form: Literal["NFC", "NFD"]
) -> None:
    keep(memory, kind, list(UNSPACED.values()))
    for query, text in UNSPACED.items():
        found = memory.recall(unicodedata.normalize(form, query), now=NOW)
        assert texts(found)[:1] == [text]


@pytest.mark.requirement("Z17")
@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("اجتماع الفريق يوم الخميس", "الاجتماع"),
        ("قرأت الكِتَاب أمس", "كتاب"),
        ("הפגישה נדחתה ליום חמישי", "הפגישה"),
        ("קניתי שָׁלוֹם", "שלום"),
        ("O São João foi adiado", "sao joao"),
        ("Der Fluß ist über die Ufer getreten", "FLUSS UBER"),
        ("我在京都买了茶", "京都"),
        ("Meeting 会议 at 星期五 noon", "会议"),
        ("Tom likes 🐙 and squid", "squid 🐙"),
        ("Cafe\u0301 Central closes early", "CAFÉ"),
        ("Straße ＡＢＣ ４２", "abc 42"),
    ],
)
def test_accents_directions_and_mixed_scripts(memory: Memory, said: str, asked: str) -> None:
    memory.archive("talk", [user(said), user("The lamp stood by the door")])
    assert texts(memory.recall(asked, now=NOW))[:1] == [said]


ODD = [
    *('"', "''", "a AND", "OR", "NEAR/3", "roof*", "*roof", "(roof", "roof)", "-roof", "roof^2"),
    *("text:roof", "{roof}", "roof AND NOT roof", "'; DROP TABLE records; --", "%", "_", "\\"),
    *(
        "🐙",
        "🐙" * 500,
        "\u202e roof \u202c",
        "\x00roof",
        "ro\ud800of",
        "\ufeff",
        "？",
        "1" * 5_000,
    ),
    *("a" * 50_000, "e\u0301" * 5_000, "\u0301" * 5_000, "?" * 10_000, "roof " * 10_000),
]


@pytest.mark.requirement("R01")
@pytest.mark.parametrize("query", ODD)
def test_no_query_is_an_error_or_takes_long(lived: Memory, query: str) -> None:
    began = time.monotonic()
    lived.recall(query, now=NOW)
    lived.recall_sessions(query, now=NOW)
    assert time.monotonic() - began < 2


@pytest.mark.requirement("R01", "R07")
def test_ten_thousand_words_are_asked_for(lived: Memory) -> None:
    words = " ".join(f"word{number}" for number in range(5_000))
    lived.recall(f"{words} {words}", now=NOW)
    long = f"{words}. Who mended the roof? {words}."
    assert texts(lived.recall(long, now=NOW))[:1] == ["The roof was mended by Tom"]


@pytest.mark.requirement("R01")
def test_an_empty_store_brings_nothing(memory: Memory) -> None:
    assert memory.recall("roof", now=NOW) == memory.recall("roof", now=NOW, gate=0) == []
    assert memory.recall_sessions("roof", now=NOW) == []
    assert memory.recall("what happened yesterday?", now=NOW) == []


@pytest.mark.requirement("R01")
@pytest.mark.parametrize("kind", ["turn", "fact"])
def test_one_record_is_found_as_it_would_be_among_many(memory: Memory, kind: str) -> None:
    """Also by half of its words: what a word is worth is not told by a single text."""
    keep(memory, kind, ["CI needs Go 1.23"])
    for question in ("which Go does CI need?", "what Go version does the CI pipeline need?"):
        assert texts(memory.recall(question, now=NOW)) == ["CI needs Go 1.23"]
    assert memory.recall("plugh xyzzy", now=NOW) == []


@pytest.mark.requirement("Z10")
@pytest.mark.parametrize(
    "nonsense", ["plugh xyzzy", "asdf qwertz uiop", "colourless green ideas", "🜚 🜛", "?!"]
)
def test_nonsense_brings_nothing(lived: Memory, nonsense: str) -> None:
    assert lived.recall(nonsense, now=NOW) == []
    assert lived.recall_sessions(nonsense, now=NOW) == []


def chatter(chance: Random, sentences: int) -> str:
    things = [f"{thing}{number}" for thing in ("lamp", "piano", "chair") for number in range(20)]
    some = [chance.sample(things, chance.randint(2, 12)) for _ in range(sentences)]
    return " ".join(f"The {' '.join(one)}." for one in some)


@pytest.mark.requirement("R07")
@pytest.mark.parametrize(("before", "after"), [(1, 0), (0, 1), (1, 1), (2, 2), (0, 30), (30, 0)])
def test_sentences_around_a_question_do_not_silence_it(
    lived: Memory, before: int, after: int
) -> None:
    question, chance = "Which Go does the build server need?", Random(before + after)
    alone = lived.recall(question, now=NOW)[0]
    asked = f"{chatter(chance, before)} {question} {chatter(chance, after)}"
    assert texts(lived.recall(asked, now=NOW))[:1] == [alone.text]


@pytest.mark.requirement("R07")
@settings(max_examples=30, deadline=None)
@given(st.integers(0, 25), st.integers(0, 25), st.integers(0, 1 << 30))
def test_no_message_is_too_long_for_the_question_in_it(
    lived: Memory, before: int, after: int, seed: int
) -> None:
    question, chance = "Which Go does the build server need?", Random(seed)
    alone = lived.recall(question, now=NOW)[0]
    asked = f"{chatter(chance, before)} {question} {chatter(chance, after)}"
    assert texts(lived.recall(asked, now=NOW))[:1] == [alone.text]


@pytest.mark.requirement("E05")
def test_a_time_and_nothing_else_brings_what_lies_in_it_latest_first(memory: Memory) -> None:
    memory.archive("old", [user("Yesterday I bought a red bike", NOW - 120 * DAY)])
    noon = NOW.replace(hour=12) - DAY
    memory.archive("new", [user("The roof is green", noon), reply("How nice", noon + DAY / 24)])
    for question in ("yesterday", "what did we do yesterday?", "what happened yesterday?"):
        assert texts(memory.recall(question, now=NOW)) == ["How nice", "The roof is green"]
    assert texts(memory.recall("zyxgrob plugh yesterday", now=NOW)) == [
        "How nice",
        "The roof is green",
    ]
    assert memory.recall("yesterday", now=NOW - 50 * DAY) == []


@pytest.mark.requirement("E05")
def test_what_lies_in_the_time_goes_first(memory: Memory) -> None:
    for days in (50, 1, 300, 20):
        memory.archive(f"d{days}", [user("the roof was mended", NOW - days * DAY)])
    (first, *_) = memory.recall("was the roof mended yesterday?", now=NOW)
    assert first.session == "d1"


@pytest.mark.requirement("E05", "F02")
def test_of_a_time_as_many_come_as_are_wanted_whatever_was_replaced(memory: Memory) -> None:
    memory.learn("The lamp is red")
    memory.learn("CI needs Go 1.22", category="gotcha")
    memory.learn("CI needs Go 1.23", category="gotcha")
    shown = texts(memory.recall("what happened today?", k=2))
    assert shown == ["CI needs Go 1.23", "The lamp is red"]


@pytest.mark.requirement("E06")
def test_memory_as_it_stood(memory: Memory) -> None:
    memory.archive("a", [user("the roof is green", datetime(2020, 1, 1, tzinfo=UTC))])
    memory.learn("CI needs Go 1.22", category="gotcha")
    memory.remember("tone", "brief and plain")
    then = datetime.now(UTC)
    memory.learn("CI needs Go 1.23", category="gotcha")
    memory.replace("tone", "long and winding")
    memory.archive("b", [user("the roof is red", datetime.now(UTC))])
    assert texts(memory.recall("which Go does CI need?")) == ["CI needs Go 1.23"]
    assert texts(memory.recall("which Go does CI need?", as_of=then)) == ["CI needs Go 1.22"]
    assert texts(memory.recall("tone", as_of=then)) == ["tone: brief and plain"]
    assert texts(memory.recall("roof", as_of=then)) == ["the roof is green"]
    assert memory.recall("roof", as_of=datetime(2019, 1, 1, tzinfo=UTC)) == []


@pytest.mark.requirement("E06")
def test_relative_times_count_from_the_date_that_memory_is_shown_at(memory: Memory) -> None:
    memory.archive("a", [user("The roof was mended", NOW - 31 * DAY)])
    memory.archive("b", [user("The soup was cold", NOW - DAY)])
    assert texts(memory.recall("yesterday", as_of=NOW - 30 * DAY)) == ["The roof was mended"]


def test_filters(lived: Memory) -> None:
    assert {hit.kind for hit in lived.recall("blue door", now=NOW, gate=0, k=100)} == {
        "fact",
        "turn",
    }
    assert texts(lived.recall("door", now=NOW, kinds={"fact"})) == ["The office has a blue door"]
    assert lived.recall("door", now=NOW, kinds={"turn"}) == []
    inside = lived.recall("soup", now=NOW, since=NOW - 5 * DAY, until=NOW - 2 * DAY, k=100)
    assert sorted(hit.at for hit in inside) == [NOW - n * DAY for n in (5, 4, 3)]
    assert {hit.session for hit in lived.recall("Go", now=NOW, session="pipeline", gate=0)} == {
        "pipeline"
    }
    assert lived.recall("soup", now=NOW, session="pipeline") == []
    assert lived.recall("soup", now=NOW, session="no such") == []
    assert lived.recall("roof", now=NOW, k=0) == []
    assert lived.recall("roof", now=NOW, gate=9.0) == []
    assert len(lived.recall("soup", now=NOW, gate=0, k=7)) == 7


@pytest.mark.parametrize(
    "given", [{"k": -1}, {"kinds": {"bogus"}}, {"kinds": "turn"}, {"gate": float("nan")}]
)
def test_what_cannot_be_asked_is_told(lived: Memory, given: dict[str, object]) -> None:
    with pytest.raises(MemoroError):
        lived.recall("soup roof door", now=NOW, **given)  # pyright: ignore


def test_a_session_that_can_have_no_such_name_has_no_hits(lived: Memory) -> None:
    assert lived.recall("soup", now=NOW, session="s\ud800") == []


@pytest.mark.requirement("R06")
def test_the_reasons_of_a_hit_add_up_to_its_score(lived: Memory) -> None:
    for question in ("When was the roof mended?", "blue door", "yesterday", "Go 1.23", "soup"):
        hits = lived.recall(question, now=NOW, gate=0, k=50)
        assert hits
        for hit in hits:
            assert sum(hit.reasons.values()) == pytest.approx(hit.score)
            assert all(isinstance(one, float) for one in hit.reasons.values())
        assert hits == lived.recall(question, now=NOW, gate=0, k=50)


@pytest.mark.requirement("R01")
def test_conversations_are_found(lived: Memory) -> None:
    (first, *_) = lived.recall_sessions("Which Go does the build server need?", now=NOW)
    assert isinstance(first, SessionHit)
    assert (first.session, first.title) == ("pipeline", "pipeline")
    assert first.hits[0].text.startswith("The build server needs Go")
    assert (len(first.hits) <= 3, first.at) == (True, first.hits[0].at)
    every = lived.recall_sessions("soup or roof or Go", now=NOW, gate=0)
    assert {one.session for one in every} == {"pipeline", "home", "food"}
    assert [one.score for one in every] == sorted((one.score for one in every), reverse=True)
    assert len(lived.recall_sessions("soup or roof or Go", now=NOW, gate=0, k=1)) == 1
    assert lived.recall("Go", now=NOW, session=first.id)

"""What somebody who tried recall for a while came upon."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memoro import Memory, Turn
from memoro.memory.recall.excerpts import excerpt

NOW = datetime(2026, 9, 20, 12, tzinfo=UTC)
DAY = timedelta(days=1)

LONG = (
    "Here is how I would set up the pool. "
    + " ".join(f"Step {n}: change setting s{n} and restart worker w{n}." for n in range(30))
    + " Take advisory locks around the migration, and write the runbook for failover."
)


def texts(memory: Memory, query: str) -> list[str]:
    return [hit.text for hit in memory.recall(query, now=NOW)]


@pytest.mark.requirement("R01")
@pytest.mark.parametrize("query", ["advisory locks", "runbook failover", "migration runbook"])
@pytest.mark.parametrize("role", ["user", "assistant"])
def test_all_words_of_a_question_in_a_long_turn_find_it(
    tmp_path: Path, query: str, role: str
) -> None:
    with Memory.open(tmp_path) as memory:
        said = "assistant" if role == "assistant" else "user"
        memory.archive("pool", [Turn("user", "How?", NOW - DAY), Turn(said, LONG, NOW - DAY)])
        memory.archive("else", [Turn("user", f"We ate soup {n}", NOW - n * DAY) for n in range(9)])
        assert texts(memory, query) == [LONG]
        assert texts(memory, "advisory elephants") == []


@pytest.mark.requirement("E05")
def test_who_said_something_at_a_time_is_asked_for_by_name_and_time_alone(tmp_path: Path) -> None:
    july = datetime(2026, 7, 12, 9, tzinfo=UTC)
    with Memory.open(tmp_path) as memory:
        memory.archive(
            "trip",
            [
                Turn("user", "I booked the flights to Lisbon", july, "Tom"),
                Turn("user", "Great, I packed", july, "Mara"),
                Turn("user", "The vet said it is fine", NOW - 10 * DAY, "Lin"),
            ],
        )
        assert texts(memory, "what did Tom say in July?") == ["I booked the flights to Lisbon"]
        assert texts(memory, "what did Mara tell us in July?") == ["Great, I packed"]
        assert texts(memory, "Tom") == ["I booked the flights to Lisbon"]
        assert texts(memory, "Tomcat zebra") == []


@pytest.mark.requirement("Z10")
def test_small_words_alone_match_only_letter_for_letter(tmp_path: Path) -> None:
    with Memory.open(tmp_path) as memory:
        memory.archive("talk", [Turn("user", "How much was it?", NOW - DAY)])
        assert texts(memory, "How are you?") == []
        assert texts(memory, "was it") == ["How much was it?"]


@pytest.mark.requirement("R01")
def test_a_reindex_makes_no_vector_anew(tmp_path: Path) -> None:
    with Memory.open(tmp_path) as memory:
        memory.archive("talk", [Turn("user", f"The roof of house {n}", NOW) for n in range(5)])
        memory.recall("roof", now=NOW)
        connection = memory._store.connection  # pyright: ignore
        connection.execute("UPDATE derived_vectors SET data = zeroblob(length(data))").fetchall()
        services = memory._app.services(writes=True)  # pyright: ignore[reportPrivateUsage]
        services.recalling.reindex(services.store, False)
        rows = connection.execute("SELECT data FROM derived_vectors").fetchall()
        assert len(rows) == 5
        assert all(not any(data) for (data,) in rows)


def test_the_passage_that_was_asked_for_is_shown() -> None:
    shown = excerpt(LONG, ["advisori", "advisory", "lock"], 80)
    assert "advisory locks" in shown and shown.startswith("…") and len(shown) <= 80
    assert excerpt(LONG, ["nothing"], 40).startswith("Here is how") and len(LONG) > 160
    assert excerpt("short", ["short"], 40) == "short"


@pytest.mark.requirement("R07", "Z17")
@pytest.mark.parametrize(
    ("said", "question"),
    [
        (
            "昨日は植木鉢を三つ買って庭に並べました",
            "昨日わたしが買って庭に並べた植木鉢はいくつでしたか",
        ),
        ("การประชุมเลื่อนไปวันศุกร์หน้าตอนบ่าย", "การประชุมของเราเลื่อนไปเป็นวันศุกร์หน้าตอนไหนนะ"),
        (
            "The blue kettle from the market in Lyon leaks",
            "Which kettle leaks, the blue one from the market in Lyon, or perhaps the red, green,"
            " yellow, white, black, brown, purple, golden, silver, copper, wooden, plastic or"
            " ceramic one from elsewhere?",
        ),
    ],
)
def test_a_long_question_of_one_sentence_is_asked(tmp_path: Path, said: str, question: str) -> None:
    with Memory.open(tmp_path) as memory:
        memory.archive("talk", [Turn("user", said, NOW - DAY), Turn("user", "Soup", NOW - DAY)])
        assert memory.recall(question, now=NOW, gate=0)[0].text == said

"""Conversations that a Python program archives, and what is changed or forgotten."""

from __future__ import annotations

from collections.abc import Generator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memoro import Archived, Hit, MemoroError, Memory, Turn

NOW = datetime(2026, 5, 2, 16, 10, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.fixture
def memory(tmp_path: Path) -> Generator[Memory]:
    with Memory.open(tmp_path) as opened:
        yield opened


def user(text: str, at: datetime = NOW, **more: str) -> Turn:
    return Turn("user", text, at, **more)


def texts(hits: list[Hit]) -> list[str]:
    return [hit.text for hit in hits]


def test_what_is_archived_comes_back_whole(memory: Memory) -> None:
    said = user("the roof is green", NOW, speaker="Ana", ref="zebra-ref-77")
    archived = memory.archive("A talk: über/all", [said])
    assert archived == Archived(archived.session, 1, 0)
    (hit,) = memory.recall("green roof", now=NOW)
    assert isinstance(hit, Hit)
    assert (hit.text, hit.session, hit.ref) == (said.text, "A talk: über/all", "zebra-ref-77")
    assert (hit.at, hit.speaker, hit.role, hit.kind) == (NOW, "Ana", "user", "turn")
    assert memory.recall("zebra-ref-77", now=NOW) == memory.recall("zebra 77", now=NOW) == []
    for name in ("A talk: über/all", archived.session):
        assert memory.recall("roof", now=NOW, session=name) == memory.recall("roof", now=NOW)


def test_what_is_known_is_left_out_and_what_is_said_twice_is_kept_twice(memory: Memory) -> None:
    said = [user("yes"), user("the roof is green"), user("yes")]
    assert memory.archive("a", said)[1:] == (3, 0)
    assert memory.archive("a", said)[1:] == (0, 3)
    assert memory.archive("a", [*said, user("yes"), user("no")])[1:] == (2, 3)
    assert memory.archive("b", said)[1:] == (3, 0)
    assert len(memory.recall("yes", now=NOW, session="a", gate=0)) == 5
    assert memory.archive("c", []) == Archived(memory.archive("c", []).session, 0, 0)
    assert memory.recall("yes", now=NOW, session="c", gate=0) == []


def test_what_is_archived_later_stands_beside(memory: Memory) -> None:
    memory.archive("a", [user("about the roof", NOW)])
    memory.archive("a", [user("it is green", NOW + DAY / 1_440)])
    hits = memory.recall("green roof", now=NOW)
    assert {hit.session for hit in hits} == {"a"}
    assert all(hit.reasons["around"] > hit.reasons["words"] for hit in hits)


def test_a_time_without_a_zone_is_utc(memory: Memory) -> None:
    bare = NOW.replace(tzinfo=None)
    memory.archive("a", [user("the roof is green", bare)])
    assert memory.archive("a", [user("the roof is green", NOW)]).known == 1
    (hit,) = memory.recall("roof", now=bare, since=bare, until=bare + DAY)
    assert hit.at == NOW
    assert memory.recall("roof", now=bare, until=bare) == []


@pytest.mark.parametrize("at", [datetime(1, 1, 1), datetime(9999, 12, 31, 23, 59)])
def test_any_time_can_be_archived(memory: Memory, at: datetime) -> None:
    memory.archive("a", [user("the roof is green", at)])
    assert [hit.at for hit in memory.recall("roof", now=NOW)] == [at.replace(tzinfo=UTC)]


@pytest.mark.parametrize(
    ("name", "turn"),
    [
        ("s\ud800", user("fine")),
        ("fine", user("half a \ud83d character")),
        ("fine", user("fine", ref="\ud800")),
        ("", user("fine")),
        ("fine", Turn("oracle", "fine", NOW)),  # pyright: ignore[reportArgumentType]
    ],
)
def test_what_cannot_be_archived_is_told_and_changes_nothing(
    memory: Memory, name: str, turn: Turn
) -> None:
    with pytest.raises(MemoroError):
        memory.archive(name, [user("the roof is green"), turn])
    assert memory.recall("roof fine", now=NOW, gate=0) == []


@pytest.mark.requirement("R01", "P16")
def test_what_is_forgotten_or_changed_is_not_found_any_more(memory: Memory) -> None:
    fact = memory.learn("The zebra lives in the cellar")
    memory.remember("tone", "brief and plain")
    memory.replace("tone", "long and winding")
    assert texts(memory.recall("where does the zebra live?")) == ["The zebra lives in the cellar"]
    assert memory.recall("brief plain") == []
    assert texts(memory.recall("winding tone")) == ["tone: long and winding"]
    memory.undo()
    memory.forget(fact["id"])
    assert memory.recall("zebra") == []
    assert texts(memory.recall("plain tone")) == ["tone: brief and plain"]


@pytest.mark.requirement("F02")
def test_a_replaced_fact_is_never_shown(memory: Memory) -> None:
    memory.learn("CI needs Go 1.22", category="gotcha")
    memory.learn("CI needs Go 1.23", category="gotcha")
    for question in ("Does CI need Go 1.22?", "which Go does CI need?", "Go 1.22"):
        assert "CI needs Go 1.22" not in texts(memory.recall(question, gate=0, k=50))

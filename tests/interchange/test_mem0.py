"""Exports of mem0."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from interchange.world import WRITTEN, kind_of, lines, read, write
from memoro.memory.records import Trust

pytestmark = pytest.mark.requirement("M06")

ONE: dict[str, Any] = {
    "id": "0a1b2c3d-0000-4000-8000-000000000001",
    "memory": "Dev works at TechCorp",
    "user_id": "dev",
    "hash": "abc",
    "metadata": {"type": "professional"},
    "categories": ["professional_details"],
    "created_at": "2025-07-20T12:01:11.123456-07:00",
    "updated_at": "2026-11-21T12:01:11Z",
    "immutable": False,
}
TWO = {"id": "2", "text": "Likes tea", "user_id": "dev", "created_at": "2026-01-01"}


@pytest.mark.parametrize(
    "content",
    [
        [ONE, TWO],
        {"results": [ONE, TWO]},
        {"count": 2, "next": None, "results": [ONE, TWO]},
        {"memories": [ONE, TWO]},
        lines(ONE, TWO),
        json.dumps({"results": [ONE, TWO]}, indent=2),
        json.dumps([ONE, TWO]).encode("utf-16"),
    ],
)
def test_the_forms_that_are_understood(tmp_path: Path, content: Any) -> None:
    path = write(tmp_path / "export.json", content)
    assert kind_of(path) == "mem0"
    first, second = read(path).records
    assert (first.id, first.text) == (ONE["id"], "Dev works at TechCorp")
    assert first.created_at == datetime(2025, 7, 20, 19, 1, 11, 123456, tzinfo=UTC)
    assert first.accessed_at == datetime(2026, 11, 21, 12, 1, 11, tzinfo=UTC)
    assert first.trust == Trust.INFERRED
    assert first.data["category"] == "personal"
    assert first.tags == ("professional_details",)
    assert first.data["imported"]["metadata"] == {"type": "professional"}
    assert first.data["imported"]["user"] == "dev"
    assert (second.id, second.text) == ("2", "Likes tea")
    assert second.created_at == datetime(2026, 1, 1, tzinfo=UTC)


def test_a_single_line_and_a_memory_without_a_time(tmp_path: Path) -> None:
    (fact,) = read(write(tmp_path / "one.jsonl", lines({"memory": "x y", "user_id": "a"}))).records
    assert (fact.id, fact.created_at) == ("", WRITTEN)


@pytest.mark.parametrize(
    ("odd", "why"),
    [
        ({"memory": ""}, "no memory"),
        ({"memory": 7}, "no memory"),
        ({"memory": None}, "no memory"),
        ({"expiration_date": "2026-01-01"}, "it expired on 2026-01-01"),
        ({"state": "deleted"}, "it is deleted in mem0"),
        ({"deleted_at": "2026-01-01T00:00:00Z"}, "it is deleted in mem0"),
    ],
)
def test_what_does_not_count_there_does_not_come(
    tmp_path: Path, odd: dict[str, Any], why: str
) -> None:
    found = read(write(tmp_path / "export.json", [{**ONE, **odd}, TWO]))
    assert [one.id for one in found.records] == ["2"]
    assert why in found.whys and "item 1" in found.whys


def test_memories_that_still_hold_come(tmp_path: Path) -> None:
    odd = {"expiration_date": "2027-01-01", "state": "active", "unknown": [1], "categories": None}
    (fact,) = read(write(tmp_path / "export.json", [{**ONE, **odd}])).records
    assert fact.id == ONE["id"]


def test_relations_of_its_graph_are_facts(tmp_path: Path) -> None:
    relations = [
        {"source": "dev", "relationship": "works_at", "destination": "techcorp"},
        {"source": "dev", "relationship": "", "target": "x"},
    ]
    found = read(write(tmp_path / "all.json", {"results": [ONE], "relations": relations}))
    assert found.texts("fact") == ["Dev works at TechCorp", "dev works at techcorp"]
    assert "item 2 of the relations" in found.whys


def test_large_metadata_is_not_kept(tmp_path: Path) -> None:
    path = write(tmp_path / "export.json", [{**ONE, "metadata": {"blob": "x" * 10_000}}])
    assert "metadata" not in read(path).records[0].data["imported"]


def test_an_export_that_is_cut_gives_what_is_whole(tmp_path: Path) -> None:
    raw = json.dumps({"results": [ONE, TWO]}).encode()
    found = read(write(tmp_path / "cut.json", raw[:-30]))
    assert [one.id for one in found.records] == [ONE["id"]]
    assert "ends in the middle" in found.whys
    whole = lines(ONE, TWO).encode()
    found = read(write(tmp_path / "cut.jsonl", whole[:-30]))
    assert [one.id for one in found.records] == [ONE["id"]]
    assert "cut.jsonl, line 2: it ends in the middle of its JSON" in found.whys

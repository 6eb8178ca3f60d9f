"""The file of the reference MCP memory server."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from interchange.world import WRITTEN, kind_of, lines, read, write
from memoro.memory.records import Trust

pytestmark = pytest.mark.requirement("M06")

ENTITIES = [
    {
        "name": "John_Smith",
        "entityType": "person",
        "observations": ["Speaks fluent Spanish", "Graduated in 2019"],
    },
    {"name": "Anthropic", "entityType": "organization", "observations": []},
]
RELATION = {"from": "John_Smith", "to": "Anthropic", "relationType": "works_at"}


@pytest.mark.parametrize(
    "content",
    [
        lines(*({"type": "entity", **one} for one in ENTITIES), {"type": "relation", **RELATION}),
        {"entities": ENTITIES, "relations": [RELATION]},
        lines(
            {"type": "relation", **RELATION}, *({"type": "entity", **one} for one in ENTITIES)
        ).encode("utf-16"),
    ],
)
def test_observations_and_relations_are_facts_and_entities_link_them(
    tmp_path: Path, content: Any
) -> None:
    path = write(tmp_path / "memory.json", content)
    assert kind_of(path) == "mcp-memory"
    found = read(path)
    facts = {one.text: one for one in found.of("fact")}
    assert set(facts) == {
        "John_Smith — Speaks fluent Spanish",
        "John_Smith — Graduated in 2019",
        "John_Smith works at Anthropic",
    }
    assert {one.trust for one in found.records} == {Trust.INFERRED}
    assert {one.created_at for one in found.records} == {WRITTEN}
    topics = {one.data["name"]: one for one in found.of("topic")}
    assert set(topics) == {"John_Smith", "Anthropic"}
    assert topics["John_Smith"].text == "person [[Anthropic]]"
    owns = {one.data["imported"]["id"] for one in facts.values()}
    assert set(topics["John_Smith"].data["facts"]) == owns
    relation = facts["John_Smith works at Anthropic"].data["imported"]["id"]
    assert topics["Anthropic"].data["facts"] == [relation]
    assert found.left_out == []


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ({"type": "entity", "entityType": "x", "observations": []}, "its name is missing"),
        ({"type": "entity", "name": "A", "entityType": "x", "observations": "y"}, "not a list"),
        ({"type": "entity", "name": "A", "entityType": "x", "observations": [7]}, "a number"),
        ({"type": "relation", "from": "A", "to": "B"}, "no 'relationType'"),
        ({"type": "dream"}, "it is of type 'dream'"),
        ([1], "neither an entity nor a relation"),
    ],
)
def test_what_is_neither_is_told_and_costs_no_other(tmp_path: Path, line: Any, why: str) -> None:
    text = lines(line, {"type": "entity", **ENTITIES[0]})
    found = read(write(tmp_path / "memory.jsonl", text), "mcp-memory")
    assert len(found.of("fact")) == 2
    assert why in found.whys and "memory.jsonl, line 1" in found.whys


def test_an_entity_that_stands_there_twice_is_one_topic(tmp_path: Path) -> None:
    again = {"type": "entity", "name": "John_Smith", "entityType": "person", "observations": ["x"]}
    text = lines({"type": "entity", **ENTITIES[0]}, again, "not an object")
    found = read(write(tmp_path / "memory.jsonl", text))
    (topic,) = found.of("topic")
    assert len(topic.data["facts"]) == 3

"""Codex's memories and instruction files."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from interchange.world import kind_of, read, write
from memoro.memory.records import Trust

pytestmark = pytest.mark.requirement("M06")

HANDBOOK = """# Task Group: my-app / release workflow

scope: releasing my-app
applies_to: cwd=/home/ana/my-app; reuse_rule=checkout-specific

## Task 1: cut 1.2, success

### rollout_summary_files

- rollout_summaries/a.md (cwd=/x, thread_id=1)

### keywords

- release, tag

## User preferences

- when releasing, the user asked: "tag first" -> tag before building [Task 1]

## Reusable knowledge

- The registry is registry.example.com [Task 1][Task 2]

The registry needs a login.

## Failures and how to do differently

- push fails without VPN -> connect first [Task 1]

# Task Group: elsewhere

scope: x

## Reusable knowledge

- An [Task 1] in the middle stays
"""
ROLLOUT = """thread_id: 0199-abc
updated_at: 2026-03-01T10:00:00+00:00
rollout_path: /x/y.jsonl
cwd: /home/ana/my-app

# Released my-app 1.2

The release was cut from main.
"""


def folder(tmp_path: Path) -> Path:
    memories = tmp_path / "memories"
    write(memories / "MEMORY.md", HANDBOOK)
    write(memories / "memory_summary.md", "v1\n\n## User Profile\n\nx\n")
    write(memories / "raw_memories.md", "# Raw Memories\n\n- raw\n")
    write(memories / "rollout_summaries" / "2026-03-01-abcd-release.md", ROLLOUT)
    write(memories / "skills" / "deploy" / "SKILL.md", "---\nname: deploy\n---\n# Deploy\n1. run\n")
    write(tmp_path / "AGENTS.md", "# Rules\n- Use tabs\n")
    return memories


def test_its_handbook_becomes_facts_of_the_folders_that_it_speaks_of(tmp_path: Path) -> None:
    found = read(folder(tmp_path))
    facts = {one.text: one for one in found.of("fact")}
    assert set(facts) == {
        'when releasing, the user asked: "tag first" -> tag before building',
        "The registry is registry.example.com",
        "push fails without VPN -> connect first",
        "An [Task 1] in the middle stays",
    }
    preference = facts['when releasing, the user asked: "tag first" -> tag before building']
    assert preference.data["category"] == "preference"
    assert preference.data["path"] == "/home/ana/my-app"
    assert preference.tags == ("my-app / release workflow", "user preferences")
    assert facts["push fails without VPN -> connect first"].data["category"] == "gotcha"
    assert "path" not in facts["An [Task 1] in the middle stays"].data
    assert {one.trust for one in facts.values()} == {Trust.INFERRED}
    notes = {one.data["title"]: one.text for one in found.of("note")}
    title = "Codex › my-app / release workflow › Reusable knowledge"
    assert notes[title] == "The registry needs a login."
    assert "Skill: deploy" in notes
    assert "memory_summary.md" in found.whys and "raw_memories.md" in found.whys


def test_a_summary_of_a_session_is_an_episode_of_its_day(tmp_path: Path) -> None:
    found = read(folder(tmp_path))
    (episode,) = found.of("episode")
    assert episode.text == "Released my-app 1.2"
    assert episode.data["date"] == "2026-03-01"
    assert episode.data["project"] == "my-app"
    assert episode.valid_from == datetime(2026, 3, 1, 10, tzinfo=UTC)
    assert episode.data["imported"]["id"] == "0199-abc"
    note = next(one for one in found.of("note") if one.data["title"] == "Released my-app 1.2")
    assert "cut from main" in note.text


def test_raw_memories_are_read_where_nothing_came_of_them_yet(tmp_path: Path) -> None:
    write(tmp_path / "raw_memories.md", "# Raw Memories\n\n- raw\n")
    assert read(tmp_path).texts("fact") == ["raw"]


def test_the_folder_above_brings_the_instructions_too(tmp_path: Path) -> None:
    folder(tmp_path)
    assert kind_of(tmp_path) == "codex"
    found = read(tmp_path)
    (rule,) = [one for one in found.of("fact") if one.text == "Use tabs"]
    assert rule.trust == Trust.READ
    assert "An [Task 1] in the middle stays" in found.texts("fact")


def test_of_a_project_only_what_is_written_for_an_assistant_is_read(tmp_path: Path) -> None:
    write(tmp_path / "AGENTS.md", "- Use tabs\n")
    write(tmp_path / "README.md", "- Read me\n")
    write(tmp_path / "docs" / "x.md", "- And me\n")
    assert read(tmp_path).texts("fact") == ["Use tabs"]
    assert kind_of(tmp_path / "AGENTS.md") == "codex"


def test_its_handbook_alone_is_known_by_what_stands_in_it(tmp_path: Path) -> None:
    assert kind_of(write(tmp_path / "MEMORY.md", HANDBOOK)) == "codex"

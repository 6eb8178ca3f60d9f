"""ChatCLI's memory folder, its files and its export."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from interchange.world import NOW, WRITTEN, kind_of, lines, read, write
from memoro.memory.records import Trust

pytestmark = pytest.mark.requirement("M06")

FACT: dict[str, Any] = {
    "id": "3f2a9c1b7d4e5f60718293a4",
    "content": "The deploy script needs sudo",
    "category": "gotcha",
    "tags": ["deploy", "Sudo"],
    "created_at": "2026-03-01T10:00:00.123456789-03:00",
    "last_accessed": "2026-10-10T10:00:00Z",
    "access_count": 7,
    "score": 2.1,
    "source": "extraction",
    "source_project": "/home/ana/api",
    "confidence": 0.65,
    "provenance": "extraction",
}


def test_a_fact_keeps_its_id_its_times_and_what_is_known_of_it(tmp_path: Path) -> None:
    write(tmp_path / "memory_index.json", [FACT])
    (fact,) = read(tmp_path).records
    assert fact.id == FACT["id"]
    assert fact.text == FACT["content"]
    made = datetime(2026, 3, 1, 13, 0, 0, 123456, tzinfo=UTC)
    assert fact.created_at == fact.updated_at == fact.valid_from == made
    assert fact.accessed_at == datetime(2026, 10, 10, 10, tzinfo=UTC)
    assert (fact.accesses, fact.confidence) == (7, 0.65)
    assert fact.tags == ("deploy", "sudo")
    assert fact.trust == Trust.INFERRED
    assert fact.data["category"] == "gotcha"
    assert fact.data["path"] == "/home/ana/api"
    assert fact.data["imported"] == {
        "from": "chatcli",
        "file": "memory_index.json",
        "id": FACT["id"],
        "provenance": "extraction",
        "source": "extraction",
    }


@pytest.mark.parametrize(
    ("provenance", "kept"),
    [
        ("user", "tool"),
        ("correction", "tool"),
        ("user (supersedes 12)", "tool"),
        ("extraction", "extracted"),
        ("", "extracted"),
        (None, "extracted"),
    ],
)
def test_what_was_told_there_is_surer_and_still_not_the_users_word(
    tmp_path: Path, provenance: str | None, kept: str
) -> None:
    write(tmp_path / "memory_index.json", [{**FACT, "provenance": provenance}])
    (fact,) = read(tmp_path).records
    assert (fact.data["provenance"], fact.trust) == (kept, Trust.INFERRED)


def test_an_older_fact_has_what_is_missing_made_up_from_what_is_there(tmp_path: Path) -> None:
    old = {"content": "User prefers tabs", "access_count": 3, "created_at": "0001-01-01T00:00:00Z"}
    write(tmp_path / "memory_index.json", [old, {"content": "Nothing else is known"}])
    first, second = read(tmp_path).records
    assert first.id == second.id == ""
    assert first.created_at == second.created_at == WRITTEN
    assert (first.data["category"], first.accesses) == ("preference", 3)
    assert first.confidence == pytest.approx(0.638629)
    assert (second.accesses, second.confidence) == (1, pytest.approx(0.569315))
    assert second.accessed_at == WRITTEN


def test_its_archive_comes_as_an_archive_and_each_fact_once(tmp_path: Path) -> None:
    old = {**FACT, "id": "eeee", "content": "Uses Jenkins"}
    write(tmp_path / "memory_index.json", [FACT])
    write(tmp_path / "memory_archive.json", [old, old, FACT])
    current, archived = read(tmp_path).records
    assert (current.id, archived.id) == (FACT["id"], "eeee")
    assert "archived" not in current.data and "archived" in archived.data


def test_two_facts_of_one_id_both_come(tmp_path: Path) -> None:
    write(tmp_path / "memory_index.json", [FACT, {**FACT, "content": "Something else"}])
    assert [one.id for one in read(tmp_path).records] == [FACT["id"], ""]


@pytest.mark.parametrize(
    ("removed", "comes"),
    [
        ({FACT["id"]: "2026-09-01T00:00:00Z"}, False),
        ({FACT["id"]: "2025-09-01T00:00:00Z"}, True),
        ({FACT["id"]: "no time"}, False),
        ({"another": "2026-09-01T00:00:00Z"}, True),
        ([FACT["id"]], False),
        ([{"id": FACT["id"], "at": "2026-09-01T00:00:00Z"}], False),
    ],
)
def test_what_was_removed_there_and_not_learned_again_does_not_come(
    tmp_path: Path, removed: Any, comes: bool
) -> None:
    write(tmp_path / "memory_index.json", [FACT])
    write(tmp_path / "memory_archive.json", [FACT])
    write(tmp_path / "memory_tombstones.json", removed)
    found = read(tmp_path)
    assert [one.id for one in found.records] == ([FACT["id"]] if comes else [])
    assert ("was removed in ChatCLI" in found.whys) is not comes


@pytest.mark.parametrize(
    ("item", "why"),
    [
        ("junk", "it is text, not a fact"),
        (None, "it is missing, not a fact"),
        ([1], "it is a list, not a fact"),
        ({"id": "x"}, "its content is missing"),
        ({"content": ""}, "its content is empty"),
        ({"content": 5}, "its content is a number"),
        ({"content": "a\u0007b"}, "control character U+0007"),
        ({"content": "x" * 40_000}, "40,000 bytes"),
    ],
)
def test_what_is_no_fact_is_told_and_costs_no_other(tmp_path: Path, item: Any, why: str) -> None:
    write(tmp_path / "memory_index.json", [item, FACT])
    found = read(tmp_path)
    assert [one.id for one in found.records] == [FACT["id"]]
    assert why in found.whys and "memory_index.json, item 1" in found.whys


@pytest.mark.parametrize(
    "odd",
    [
        {"tags": "deploy"},
        {"tags": [1, None, "deploy"]},
        {"access_count": "many"},
        {"access_count": 10**400},
        {"confidence": "high"},
        {"confidence": 7},
        {"created_at": 12345678901234567890},
        {"created_at": "9999-12-31T23:59:59Z"},
        {"last_accessed": [2026]},
        {"category": "rumours"},
        {"source_project": 7},
        {"unknown": {"deep": [1, 2, 3]}},
    ],
)
def test_fields_of_the_wrong_type_are_taken_as_missing(tmp_path: Path, odd: Any) -> None:
    write(tmp_path / "memory_index.json", [{**FACT, **odd}])
    (fact,) = read(tmp_path).records
    assert fact.text == FACT["content"]
    assert 0 <= fact.confidence <= 1
    assert fact.created_at <= NOW
    assert all(isinstance(tag, str) for tag in fact.tags)


PROFILE: dict[str, Any] = {
    "name": "Ana",
    "expertise_level": "expert",
    "certifications": ["Quiz X (Provider, 60 questões)"],
    "skills": ["Go", "Kubernetes, mostly"],
    "goals": ["Learn Rust, then Go"],
    "directives": ["never push to main"],
    "milestones": [{"date": "2026-05-02T00:00:00Z", "text": "Got CKA, at last"}],
    "stances": [{"position": "monorepos are fine", "reason": "one CI"}],
    "environment": {"shell": "zsh"},
    "preferences": {"theme": "dark"},
    "top_commands": {"/memory": 3},
    "last_updated": "2026-06-01T00:00:00Z",
    "field_meta": {
        "name": {"source": "user", "confirmed_at": "2026-07-01T00:00:00Z"},
        "pref:theme": {"source": "extraction", "sensitive": True},
    },
}


def test_a_profile_becomes_the_pairs_that_say_the_same(tmp_path: Path) -> None:
    write(tmp_path / "user_profile.json", PROFILE)
    found = read(tmp_path)
    assert found.left_out == []
    assert [(one.key, one.text) for one in found.of("profile")] == [
        ("name", "Ana"),
        ("expertise_level", "expert"),
        ("certifications", "Quiz X (Provider, 60 questões)"),
        ("skills", "Go"),
        ("skills", '"Kubernetes, mostly"'),
        ("goals", '"Learn Rust, then Go"'),
        ("directives", "never push to main"),
        ("stance", "monorepos are fine :: one CI"),
        ("milestone", '"2026-05-02: Got CKA, at last"'),
        ("env_shell", "zsh"),
        ("theme", "dark"),
    ]
    assert {one.trust for one in found.records} == {Trust.INFERRED}
    by_key = {one.key: one for one in found.records}
    assert by_key["name"].updated_at == datetime(2026, 7, 1, tzinfo=UTC)
    assert by_key["goals"].updated_at == datetime(2026, 6, 1, tzinfo=UTC)
    assert by_key["theme"].data["sensitive"] is True


def test_an_older_or_odd_profile_gives_what_it_has(tmp_path: Path) -> None:
    write(
        tmp_path / "user_profile.json",
        {"name": "Ana", "role": 7, "skills": "Go", "goals": {"a": 1}, "preferences": [], "x": 1},
    )
    found = read(tmp_path)
    assert [(one.key, one.text) for one in found.records] == [("name", "Ana"), ("skills", "Go")]
    for field in ("role", "goals", "preferences", "x"):
        assert f"user_profile.json, {field}: " in found.whys


def test_topics_projects_and_episodes(tmp_path: Path) -> None:
    write(
        tmp_path / "topics.json",
        [{"name": "DNS", "mentions": 12, "summary": "split", "related_fact_ids": ["3f2a"]}, {}],
    )
    write(
        tmp_path / "projects.json",
        [{"name": "API", "path": "/home/ana/api", "technologies": ["go"], "priority": 2}],
    )
    episode = {
        "id": "ep_0123456789abcdef01234567",
        "date": "2026-03-05T22:30:00-03:00",
        "project": "api",
        "summary": "Fixed the refresh loop",
        "outcome": "shipped",
        "refs": ["#1047"],
        "created_at": "2026-03-06T09:00:00-03:00",
    }
    write(tmp_path / "episodes.json", [episode, {"summary": "undated", "date": "2026-03-07"}])
    found = read(tmp_path)
    (topic,) = found.of("topic")
    assert (topic.key, topic.text, topic.data["mentions"]) == ("dns", "split", 12)
    assert topic.data["facts"] == ["3f2a"]
    (project,) = found.of("work")
    assert (project.key, project.data["name"], project.data["technologies"]) == (
        "api",
        "API",
        ["go"],
    )
    assert project.data["imported"]["priority"] == 2
    first, second = found.of("episode")
    # The day of the zone that it was written in, not that of UTC.
    assert (first.id, first.data["date"]) == (episode["id"], "2026-03-05")
    assert first.valid_from == datetime(2026, 3, 6, 1, 30, tzinfo=UTC)
    assert first.created_at == datetime(2026, 3, 6, 12, tzinfo=UTC)
    assert second.data["date"] == "2026-03-07"
    assert "topics.json, item 2: its name is missing" in found.whys


def test_notes_of_days_and_digests(tmp_path: Path) -> None:
    write(
        tmp_path / "202603" / "20260305.md",
        "\n## 09:15\n\n- deployed api\n- talked to Bo\n\n## 14:02\n\nplain line\n\n- "
        + "x" * 5_000,
    )
    write(tmp_path / "202603" / "20260399.md", "- no such day\n")
    write(tmp_path / "weekly" / "2026-W10.md", "# Week 2026-W10 (a – b)\n\n- shipped\n")
    write(tmp_path / "monthly" / "2026-03.md", "# Month 2026-03\n\n- all of it\n")
    write(tmp_path / "monthly" / "2026-13.md", "never")
    found = read(tmp_path)
    days = {one.text: one for one in found.of("daily")}
    assert set(days) == {"deployed api", "talked to Bo", "plain line"}
    assert {one.data["date"] for one in days.values()} == {"2026-03-05"}
    assert days["talked to Bo"].valid_from == datetime(2026, 3, 5, 9, 15, tzinfo=UTC)
    assert days["plain line"].valid_from == datetime(2026, 3, 5, 14, 2, tzinfo=UTC)
    titles = {one.data["title"]: one for one in found.of("note")}
    assert set(titles) == {
        "2026-03-05, a long line",
        "Week 2026-W10 (ChatCLI)",
        "Month 2026-03 (ChatCLI)",
    }
    assert titles["Week 2026-W10 (ChatCLI)"].text == "- shipped"
    assert titles["Week 2026-W10 (ChatCLI)"].created_at == datetime(2026, 3, 9, tzinfo=UTC)
    assert titles["Month 2026-03 (ChatCLI)"].trust == Trust.READ


def test_what_is_not_read_is_told(tmp_path: Path) -> None:
    write(tmp_path / "memory_index.json", [FACT])
    write(tmp_path / "topics.json.corrupt", "{")
    write(tmp_path / "facts.corrupt-1700000000", "{")
    write(tmp_path / "usage_stats.json", {})
    write(tmp_path / "pending" / "seg-00000000000000000001.json", {})
    for derived in ("graph.json", "vector_index.json", "compactor_state.json", "MEMORY.md"):
        write(tmp_path / derived, "")
    told = read(tmp_path).whys
    for name in ("topics.json.corrupt", "facts.corrupt-1700000000", "usage_stats.json", "pending"):
        assert f"{name}: " in told
    assert len(told.splitlines()) == 4


def test_an_encrypted_store_is_told_with_what_to_do(tmp_path: Path) -> None:
    write(tmp_path / "memory_index.json", b"CHATCLI_ENC_v1\n" + bytes(range(256)))
    write(tmp_path / "user_profile.json", {"name": "Ana"})
    found = read(tmp_path)
    assert [one.text for one in found.records] == ["Ana"]
    assert "is encrypted" in found.whys


def test_a_torn_store_gives_what_is_whole_and_the_place(tmp_path: Path) -> None:
    path = write(tmp_path / "memory_index.json", [FACT, {**FACT, "id": "b", "content": "Second"}])
    raw = path.read_bytes()
    write(path, raw[:-40])
    found = read(tmp_path)
    assert [one.id for one in found.records] == [FACT["id"]]
    assert "the file ends in the middle" in found.whys and "line 1, column" in found.whys


def test_its_own_export_reads_like_its_folder(tmp_path: Path) -> None:
    path = write(
        tmp_path / "out.jsonl",
        lines(
            {"kind": "header", "version": 1, "at": "2026-03-01T10:00:00Z"},
            {"kind": "profile", "profile": {"name": "Ana", "last_updated": "2026-06-01T00:00:00Z"}},
            {"kind": "fact", "fact": FACT},
            {"kind": "episode", "episode": {"summary": "Done", "date": "2026-03-05"}},
            {"kind": "topic", "topic": {"name": "DNS"}},
            {"kind": "project", "project": {"name": "api"}},
            {"kind": "dream", "dream": {}},
        ),
    )
    assert kind_of(path) == "chatcli"
    found = read(path)
    kinds = ["profile", "fact", "episode", "topic", "work"]
    assert [one.kind for one in found.records] == kinds
    assert found.of("fact")[0].id == FACT["id"]
    assert "line 7: it is of kind 'dream'" in found.whys


def test_an_export_of_a_newer_version_is_not_half_read(tmp_path: Path) -> None:
    path = write(
        tmp_path / "out.jsonl",
        lines({"kind": "header", "version": 2}, {"kind": "fact", "fact": FACT}),
    )
    found = read(path)
    assert found.records == []
    assert "version 2" in found.whys


def test_one_of_its_files_alone(tmp_path: Path) -> None:
    path = write(tmp_path / "memory_index.json", [FACT])
    write(tmp_path / "user_profile.json", {"name": "Ana"})
    assert [one.kind for one in read(path).records] == ["fact"]


def test_the_folder_above_is_understood(tmp_path: Path) -> None:
    write(tmp_path / "memory" / "memory_index.json", [FACT])
    write(tmp_path / "config.json", {})
    assert [one.id for one in read(tmp_path).records] == [FACT["id"]]

"""Claude Code's memory folders and instruction files."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from interchange.world import WRITTEN, kind_of, read, write
from memoro.interchange.memories.claude_code import folder_of
from memoro.memory.records import Trust

pytestmark = pytest.mark.requirement("M06")

TOPIC = """---
name: feedback_ui_timeouts
description: "UI test waits — 5s Windows, \\"10s\\" Android"
metadata:\x20
  node_type: memory
  type: feedback
  originSessionId: 9bcb5645-bb7a-4eb5-8136-ff774166a95e
  modified: 2026-07-30T07:40:18.191Z
---

Fifteen seconds are a failure. See [[ci]].

**Limits:**
- Windows: 5s max
"""
OLDER = """---
name: User role
description: what she does
type: user
originSessionId: 60225dfd
---
Ana is a product manager at Globex.
"""
INDEX = """# Memory index
- [UI timeouts](feedback_ui_timeouts.md) — 5s on Windows
- [Staging box](gone.md) — it is called heron
- [Docs](https://example.com/a.md) are public
- Prefers short answers
"""


def memory(tmp_path: Path, slug: str = "-nowhere-at-all") -> Path:
    folder = tmp_path / "projects" / slug / "memory"
    write(folder / "MEMORY.md", INDEX)
    write(folder / "feedback_ui_timeouts.md", TOPIC)
    write(folder / "user-role.md", OLDER)
    write(folder / "debugging.md", "# Debugging\r\n\r\n- Use --trace\r\n\r\nIt helps a lot.\r\n")
    return folder


def test_each_memory_is_a_fact_and_what_there_is_to_say_of_it_a_note(tmp_path: Path) -> None:
    found = read(memory(tmp_path))
    facts = {one.text: one for one in found.of("fact")}
    assert set(facts) == {
        'UI test waits — 5s Windows, "10s" Android',
        "Ana is a product manager at Globex.",
        "Use --trace",
        "Staging box: it is called heron",
        "[Docs](https://example.com/a.md) are public",
        "Prefers short answers",
    }
    timeouts = facts['UI test waits — 5s Windows, "10s" Android']
    assert timeouts.data["category"] == "preference"
    assert timeouts.created_at == datetime(2026, 7, 30, 7, 40, 18, 191000, tzinfo=UTC)
    assert timeouts.data["imported"]["id"] == "feedback_ui_timeouts"
    assert facts["Ana is a product manager at Globex."].data["category"] == "personal"
    assert facts["Ana is a product manager at Globex."].created_at == WRITTEN
    assert facts["Use --trace"].tags == ("debugging",)
    assert {one.trust for one in facts.values()} == {Trust.INFERRED}
    notes = {one.data["title"]: one for one in found.of("note")}
    assert set(notes) == {"feedback_ui_timeouts", "debugging › Debugging"}
    assert "[[ci]]" in notes["feedback_ui_timeouts"].text
    assert notes["debugging › Debugging"].text == "It helps a lot."
    assert {one.trust for one in notes.values()} == {Trust.READ}
    assert found.left_out == []


def test_the_folders_above_bring_the_memory_of_all_projects(tmp_path: Path) -> None:
    whole = {one.text for one in read(memory(tmp_path)).records}
    memory(tmp_path, "-another-one")
    for path in (tmp_path, tmp_path / "projects", tmp_path / "projects" / "-another-one"):
        assert kind_of(path) == "claude-code"
        assert {one.text for one in read(path).records} == whole


def test_a_projects_memory_belongs_to_its_folder_and_the_persons_to_all(tmp_path: Path) -> None:
    real = tmp_path / "my-app.x"
    real.mkdir()
    slug = "".join(char if char.isalnum() else "-" for char in str(real))
    found = read(memory(tmp_path, slug))
    paths = {one.text: one.data.get("path") for one in found.of("fact")}
    assert paths["Use --trace"] == str(real)
    assert paths["Ana is a product manager at Globex."] is None


def test_a_name_that_several_folders_could_have_is_none_of_them(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    slug = "".join(char if char.isalnum() else "-" for char in str(tmp_path / "a" / "b"))
    assert folder_of(slug) == str(tmp_path / "a" / "b")
    (tmp_path / "a-b").mkdir()
    assert folder_of(slug) == ""
    assert folder_of("-nowhere-at-all") == folder_of("memory") == ""


CLAUDE_MD = """# my-app

This is a web app.

## Commands
- `npm test` runs tests
- Before a release:
  - tag it
  - tell
    Bo
1. first of all
* [ ] a box

<!-- - hidden -->
```sh
- not a point
# not a heading
```

@docs/arch.md
me@example.com
"""


def test_points_of_an_instruction_file_are_facts_and_its_prose_is_a_note(tmp_path: Path) -> None:
    path = write(tmp_path / "CLAUDE.md", CLAUDE_MD)
    assert kind_of(path) == kind_of(tmp_path) == "claude-code"
    for one in (path, tmp_path):
        found = read(one)
        assert found.texts("fact") == [
            "`npm test` runs tests",
            "Before a release — tag it",
            "Before a release — tell Bo",
            "first of all",
            "a box",
        ]
        assert {fact.trust for fact in found.records} == {Trust.READ}
        assert found.of("fact")[0].tags == ("my-app", "commands")
        assert {fact.data["path"] for fact in found.of("fact")} == {str(tmp_path)}
        notes = {note.data["title"]: note.text for note in found.of("note")}
        assert notes["CLAUDE.md › my-app"] == "This is a web app."
        assert "- not a point" in notes["CLAUDE.md › my-app › Commands"]
        assert "it imports docs/arch.md, which is not followed" in found.whys
        assert "me@example.com" in notes["CLAUDE.md › my-app › Commands"]
        assert all("hidden" not in record.text for record in found.records)


def test_the_users_own_instructions_belong_to_no_folder(tmp_path: Path) -> None:
    path = write(tmp_path / ".claude" / "CLAUDE.md", "- Answer in English\n")
    assert "path" not in read(path).records[0].data
    assert "path" not in read(path.parent).records[0].data
    (fact,) = read(tmp_path).records
    assert fact.data["path"] == str(tmp_path)


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    secret = write(tmp_path / "secret.md", "- the secret\n")
    folder = memory(tmp_path)
    (folder / "leak.md").symlink_to(secret)
    (folder / "inside.md").symlink_to(folder / "debugging.md")
    (folder / "out").symlink_to(tmp_path)
    os.mkfifo(folder / "pipe.md")
    found = read(folder)
    assert "the secret" not in [one.text for one in found.records]
    assert "leak.md: the file is a link that leads out of the folder" in found.whys
    assert "pipe.md: the file is a FIFO" in found.whys
    assert found.texts("fact").count("Use --trace") == 2


def test_one_memory_alone(tmp_path: Path) -> None:
    path = write(tmp_path / "note.md", TOPIC)
    assert kind_of(path) == "claude-code"
    assert [one.kind for one in read(path).records] == ["fact", "note"]

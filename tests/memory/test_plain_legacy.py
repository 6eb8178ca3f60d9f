"""A MEMORY.md that no store stands behind: a fact a line, in the category of its heading."""

from __future__ import annotations

import time
from datetime import UTC, datetime

import pytest

from memoro.memory.facts.categories import CATEGORIES
from memoro.memory.facts.statement import category
from memoro.memory.imported import ImportedRecord, LeftOut
from memoro.memory.plain.form import Read, from_plain, to_plain
from memoro.memory.plain.legacy import read_legacy
from memoro.memory.plain.memory_page import memory_page
from memoro.memory.records import GLOBAL, Trust, project_scope

NOW = datetime(2026, 5, 2, 16, 10, tzinfo=UTC)


def facts(text: str) -> list[tuple[str, str]]:
    found = read_legacy(text, GLOBAL, NOW)
    return [
        (category(one.record), one.record.text) for one in found if isinstance(one, ImportedRecord)
    ]


@pytest.mark.requirement("M05")
def test_a_fact_a_line_in_the_category_of_its_heading() -> None:
    text = """# Memory

## User preferences
- Prefers **tabs** over spaces
* Answers in *short* sentences

## Arquitetura
1. The API has a `cache`
2) The queue is Redis
   - [x] it is sharded

## Gotchas / pitfalls
> The deploy needs sudo
ok
---

## Miscellaneous
Tea is at five
"""
    assert facts(text) == [
        ("preference", "Prefers tabs over spaces"),
        ("preference", "Answers in short sentences"),
        ("architecture", "The API has a `cache`"),
        ("architecture", "The queue is Redis"),
        ("architecture", "it is sharded"),
        ("gotcha", "The deploy needs sudo"),
        ("general", "Tea is at five"),
    ]


@pytest.mark.requirement("M05")
@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        ("Project conventions", "pattern"),
        ("User Preferences", "preference"),
        ("About the user", "personal"),
        ("PROJETO", "project"),
        ("Lições aprendidas", "lesson"),
        ("Padrões", "pattern"),
        ("Other notes", "general"),
        ("2024-01-03", "architecture"),
        ("", "architecture"),
    ],
)
def test_headings_in_two_languages(heading: str, expected: str) -> None:
    assert facts(f"## {heading}\nThe database schema has a cache layer\n")[0][0] == expected


def test_every_category_has_a_heading() -> None:
    assert {facts(f"# {name}s\nsome words here")[0][0] for name in CATEGORIES if name != "general"}
    assert {facts(f"# {name}\nsome words here")[0][0] for name in CATEGORIES} == set(CATEGORIES)


def test_a_heading_that_names_nothing_is_of_what_is_above_it() -> None:
    text = "# Preferences\n## Editor\nvim keys everywhere\n# Zebra\nstripes are in\n"
    assert facts(text) == [("preference", "vim keys everywhere"), ("general", "stripes are in")]


@pytest.mark.requirement("M05")
def test_what_is_no_fact_is_left() -> None:
    text = (
        "---\ntitle: about me and all\n---\n<!-- a comment that is long -->\n|---|---|\n"
        "- ok\n- abcd\n- abcde\n***\n- - - -\n\n\t\n"
    )
    assert facts(text) == [("general", "abcde")]


def test_a_heading_in_a_fence_is_none() -> None:
    text = "# Patterns\n```sh\n# run the tests\nmake tests\n```\nafterwards all is well\n"
    assert facts(text) == [
        ("pattern", "# run the tests"),
        ("pattern", "make tests"),
        ("pattern", "afterwards all is well"),
    ]
    assert facts("```\nmake tests\n# Patterns\nall is well\n")[1] == ("pattern", "all is well")


@pytest.mark.requirement("M05")
def test_our_own_page_is_not_read_back() -> None:
    (one,) = read_legacy("Tea is at five", GLOBAL, NOW)
    assert isinstance(one, ImportedRecord)
    page = memory_page([one.record])
    assert "Tea is at five" in page
    assert read_legacy(page, GLOBAL, NOW) == []


def test_windows_line_ends_marks_and_the_same_twice() -> None:
    assert facts("\ufeff# Preferences\r\n- Tea is at five\r\n- tea is at FIVE\r\n") == [
        ("preference", "Tea is at five")
    ]


def test_a_record_is_one_of_another_assistants() -> None:
    (one,) = read_legacy("\n- Tea is at five", project_scope("web"), NOW)
    assert isinstance(one, ImportedRecord)
    record = one.record
    assert (record.trust, record.confidence, record.scope) == (
        Trust.INFERRED,
        0.6,
        "project:web",
    )
    assert record.data["imported"] == {"from": "memory-md", "line": 2}
    assert one.place == "line 2"
    assert from_plain(to_plain(record)) == Read(record)


def test_what_can_be_no_fact_is_told() -> None:
    found = read_legacy("x" * 40_000 + "\nTea is\x07 at five\n", GLOBAL, NOW)
    assert isinstance(found[0], LeftOut)
    assert found[0].place == "line 1"
    assert facts("Tea is\x07 at five\n") == [("general", "Tea is at five")]


def test_no_text_takes_long() -> None:
    began = time.perf_counter()
    for piece in ("#", "- ", "*", "_a", "<!--", "`", "1. ", "> ", "\u0301", "[ ] "):
        read_legacy(piece * 20_000, GLOBAL, NOW)
        read_legacy((piece * 10 + "\n") * 2_000, GLOBAL, NOW)
    assert time.perf_counter() - began < 20

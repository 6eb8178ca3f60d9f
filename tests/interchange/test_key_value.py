"""Lists of keys and values."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from interchange.world import WRITTEN, kind_of, read, write
from memoro.interchange.memories.key_value import fitting_key
from memoro.memory.records import Trust

pytestmark = pytest.mark.requirement("M06")


def pairs(path: Path, kind: str | None = None) -> dict[str, str]:
    return {one.key or "": one.text for one in read(path, kind).records}


@pytest.mark.parametrize(
    "content",
    [
        "answer.style: brief\neditor=vim\n",
        "answer.style = brief\r\neditor = vim\r\n",
        "# preferences\n\n- answer.style: brief\n- editor: vim\n",
        "export answer.style='brief'\nexport editor=\"vim\"",
        "answer.style\tbrief\t2026-01-01 10:00\t-\neditor\tvim\t2026-01-01 10:00\t-\n",
        {"answer.style": "brief", "editor": "vim"},
        [{"key": "answer.style", "value": "brief"}, {"key": "editor", "value": "vim"}],
        [{"name": "answer.style", "value": "brief"}, {"name": "editor", "value": "vim"}],
        {"facts": [{"key": "answer.style", "value": "brief"}, {"key": "editor", "value": "vim"}]},
        '{"key":"answer.style","value":"brief"}\n{"key":"editor","value":"vim"}\n',
        b"\xef\xbb\xbfanswer.style: brief\neditor: vim\n",
        "answer.style: brief\neditor: vim\n".encode("utf-16"),
    ],
)
def test_the_forms_that_are_understood(tmp_path: Path, content: Any) -> None:
    path = write(tmp_path / "list", content)
    assert kind_of(path) == "key-value"
    assert pairs(path) == {"answer.style": "brief", "editor": "vim"}


def test_a_list_of_a_tool_with_times_and_runs(tmp_path: Path) -> None:
    item = {"key": "a", "value": "1", "updatedAt": "2026-01-01T00:00:00Z", "sourceRunId": "r1"}
    (fact,) = read(write(tmp_path / "facts.json", [item])).records
    assert (fact.kind, fact.key, fact.text) == ("saved_fact", "a", "1")
    assert fact.created_at == datetime(2026, 1, 1, tzinfo=UTC)
    assert fact.trust == Trust.INFERRED
    assert fact.source_run is None


def test_what_has_no_time_is_as_old_as_its_file(tmp_path: Path) -> None:
    (fact,) = read(write(tmp_path / "facts.txt", "a: 1\n")).records
    assert fact.created_at == WRITTEN


def test_values_of_several_lines_numbers_and_addresses(tmp_path: Path) -> None:
    text = "steps: first\n  second\n  third: yes\nhome: https://example.com/a=b\nempty:\n"
    found = read(write(tmp_path / "facts.txt", text))
    assert {one.key: one.text for one in found.records} == {
        "steps": "first\nsecond\nthird: yes",
        "home": "https://example.com/a=b",
    }
    assert "facts.txt, line 5: 'empty': the value is empty" in found.whys
    path = write(tmp_path / "facts.json", {"port": 5433, "dark": True, "x": "y", "no": None})
    assert pairs(path) == {"port": "5433", "dark": "true", "x": "y"}


@pytest.mark.parametrize(
    ("key", "fitting"),
    [
        ("Favourite colour", "Favourite-colour"),
        ("préférence", "preference"),
        ("answer/style!", "answer-style"),
        ("  .hidden.", "hidden"),
        ("user's name", "user-s-name"),
        ("使用语言", ""),
        ("语言 x", ""),
        ("!!!", ""),
    ],
)
def test_keys_that_do_not_fit_are_made_to(key: str, fitting: str) -> None:
    assert fitting_key(key) == fitting


def test_changed_keys_and_those_that_can_not_be_are_told(tmp_path: Path) -> None:
    content = {"Favourite colour": "teal", "使用语言": "x", "k" * 200: "long", "fine": "1"}
    found = read(write(tmp_path / "facts.json", content))
    by_key = {one.key: one for one in found.records}
    assert set(by_key) == {"Favourite-colour", "fine"}
    assert by_key["Favourite-colour"].data["imported"]["id"] == "Favourite colour"
    assert "id" not in by_key["fine"].data["imported"]
    assert "can't be made a key" in found.whys and "more than 128 characters" in found.whys


@pytest.mark.parametrize(
    ("item", "why"),
    [
        ({"key": "a"}, "the value of 'a' is missing"),
        ({"key": "a", "value": {}}, "the value of 'a' is an object"),
        ({"key": "a", "value": "x" * 5_000}, "5,000 bytes"),
        ({"key": "a", "value": "\u200b"}, "the value is empty"),
        ({"key": "a", "value": "a\u0000b"}, "NUL"),
        (7, "it is a number without a key"),
        ([1, 2, 3], "it is a list without a key"),
    ],
)
def test_what_is_no_pair_is_told_and_costs_no_other(tmp_path: Path, item: Any, why: str) -> None:
    path = write(tmp_path / "facts.json", [item, {"key": "b", "value": "2"}])
    found = read(path, "key-value")
    assert [one.key for one in found.records] == ["b"]
    assert why in found.whys and "facts.json, item 1" in found.whys


@pytest.mark.parametrize(
    "text",
    [
        "Once upon a time there was a list.\nIt had no keys at all.\n",
        '{"name": "x", "scripts": {"test": "y"}, "files": []}',
        "<html><body>a: b</body></html>\n<p>c</p>\n<p>d</p>\n",
    ],
)
def test_what_is_no_list_is_not_taken_for_one(tmp_path: Path, text: str) -> None:
    assert "no kind" in kind_of(write(tmp_path / "thing", text))


@pytest.mark.parametrize("name", ["run.py", "main.go", "a.html", "x.css", "deploy.sh", "noext"])
def test_a_program_is_no_list(tmp_path: Path, name: str) -> None:
    text = "#!/bin/sh\n" if name == "noext" else ""
    assert "no kind" in kind_of(write(tmp_path / name, text + "a: 1\nb = 2\nc: 3\n"))


def test_no_line_takes_long(tmp_path: Path) -> None:
    for text in ("a" * 2_000_000, "- " * 1_000_000, '"' * 1_000_000, ": " * 1_000_000):
        read(write(tmp_path / "facts.txt", text), "key-value")

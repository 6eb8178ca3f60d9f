"""Odd files of every kind: each costs itself, and raises nothing."""

from __future__ import annotations

import json
import time
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from interchange.test_chatcli import FACT, PROFILE
from interchange.test_claude_code import CLAUDE_MD, INDEX, TOPIC
from interchange.test_codex import HANDBOOK, ROLLOUT
from interchange.test_mcp_memory import ENTITIES, RELATION
from interchange.test_mem0 import ONE, TWO
from interchange.world import NOW, Days, lines, read, write
from memoro.interchange.formats import Clock
from memoro.interchange.memories.mem0 import FORMAT
from memoro.memory.records import Trust

pytestmark = pytest.mark.requirement("M06")

FILES: dict[str, tuple[str, str]] = {
    "chatcli": ("memory_index.json", json.dumps([FACT, FACT])),
    "chatcli profile": ("user_profile.json", json.dumps(PROFILE)),
    "chatcli topics": ("topics.json", json.dumps([{"name": "DNS", "mentions": 2}])),
    "chatcli episodes": ("episodes.json", json.dumps([{"summary": "x", "date": "2026-01-01"}])),
    "chatcli export": (
        "out.jsonl",
        lines({"kind": "header", "version": 1}, {"kind": "fact", "fact": FACT}),
    ),
    "key-value": ("facts.txt", "a: 1\nb: 2\n"),
    "key-value json": ("facts.json", json.dumps({"a": "1", "b": "2"})),
    "mem0": ("export.json", json.dumps({"results": [ONE, TWO]})),
    "mem0 lines": ("export.jsonl", lines(ONE, TWO)),
    "mcp-memory": ("memory.jsonl", lines(*({"type": "entity", **one} for one in ENTITIES))),
    "mcp-memory old": ("memory.json", json.dumps({"entities": ENTITIES, "relations": [RELATION]})),
    "memory-md": ("MEMORY.md", "# Project\n- a fact of it\n"),
    "claude-code": ("CLAUDE.md", CLAUDE_MD),
    "claude-code topic": ("topic.md", TOPIC),
    "claude-code index": ("MEMORY.md", INDEX),
    "codex": ("MEMORY.md", HANDBOOK),
    "codex rollout": ("rollout_summaries/a.md", ROLLOUT),
}
EACH = pytest.mark.parametrize("name", FILES)


def kind(name: str) -> str:
    return name.split(" ")[0]


def texts(found: Any) -> list[str]:
    return [one.text for one in found.records]


@EACH
def test_marks_and_line_ends_change_nothing(name: str, tmp_path: Path) -> None:
    file, text = FILES[name]
    plain = read(write(tmp_path / "a" / file, text), kind(name))
    assert plain.records
    assert all(one.trust <= Trust.INFERRED for one in plain.records)
    for number, raw in enumerate(
        (
            b"\xef\xbb\xbf" + text.encode(),
            text.encode("utf-16"),
            text.replace("\n", "\r\n").encode(),
        )
    ):
        other = read(write(tmp_path / str(number) / file, raw), kind(name))
        assert texts(other) == texts(plain), raw[:20]
        assert [one.key for one in other.records] == [one.key for one in plain.records]


@EACH
def test_an_empty_file_brings_nothing(name: str, tmp_path: Path) -> None:
    for text in ("", "\n \n", "[]", "{}"):
        found = read(write(tmp_path / FILES[name][0], text), kind(name))
        if not text.strip() or kind(name) in ("chatcli", "mem0", "mcp-memory"):
            assert found.records == []


@EACH
@pytest.mark.parametrize(
    "raw",
    [
        bytes(range(256)) * 50,
        b"\x00" * 1000,
        b"\xff\xfe\x00",
        b"\xff" * 100,
        b"caf\xe9: yes\n",
        b"[" * 200_000,
        b'{"a":' * 100_000,
        b'["' + b"x" * 1_000_000,
        b"[1" + b"0" * 10_000 + b"]",
        b"NaN\nInfinity\n-Infinity\n",
        b'{"a":1}garbage',
    ],
)
def test_junk_raises_nothing(name: str, raw: bytes, tmp_path: Path) -> None:
    found = read(write(tmp_path / FILES[name][0], raw), kind(name))
    for one in found.records:
        one.text.encode()


@EACH
def test_a_file_that_is_cut_anywhere_raises_nothing_and_loses_no_more_than_the_rest(
    name: str, tmp_path: Path
) -> None:
    file, text = FILES[name]
    whole = texts(read(write(tmp_path / file, text), kind(name)))
    raw = text.encode()
    for end in range(0, len(raw), max(1, len(raw) // 60)):
        found = texts(read(write(tmp_path / file, raw[:end]), kind(name)))
        assert len(found) <= len(whole) + 1


@EACH
def test_bytes_that_are_no_text_are_named(name: str, tmp_path: Path) -> None:
    file, text = FILES[name]
    raw = text.encode() + b"\xe9\xff\n"
    found = read(write(tmp_path / file, raw), kind(name))
    assert "UTF-8" in found.whys and "byte offset" in found.whys


def test_a_file_that_is_too_large_is_refused_with_its_size_and_a_fix(tmp_path: Path) -> None:
    path = tmp_path / "export.json"
    with path.open("wb") as file:
        file.write(b'{"results": [')
        file.truncate(70 * 1024 * 1024)
    found = read(path, "mem0")
    assert found.records == []
    assert "73,400,320 bytes" in found.whys and "jq -c" in found.whys
    big = write(tmp_path / "CLAUDE.md", "- x\n" * 1_200_000)
    assert "4,800,000 bytes" in read(big).whys


def test_lines_are_read_one_by_one_however_many(tmp_path: Path) -> None:
    path = tmp_path / "big.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for number in range(3_000):
            one = {**ONE, "id": f"m{number}", "memory": f"Fact {number}", "input": "x" * 10_000}
            file.write(json.dumps(one) + "\n")
    assert path.stat().st_size > 30_000_000
    tracemalloc.start()
    count = sum(1 for _ in FORMAT.read(str(path), Clock(NOW, Days())))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 3_000
    assert peak < 10_000_000


def test_a_line_that_is_too_long_costs_itself(tmp_path: Path) -> None:
    path = tmp_path / "memory.jsonl"
    with path.open("wb") as file:
        file.write(b'{"memory":"' + b"x" * 9_000_000 + b'"}\n' + json.dumps(ONE).encode())
    found = read(path, "mem0")
    assert [one.id for one in found.records] == [ONE["id"]]


def test_what_is_plainly_no_json_is_not_read_to_its_end(tmp_path: Path) -> None:
    path = write(tmp_path / "memory.jsonl", "no json here\n" * 100_000)
    found = read(path, "mcp-memory")
    assert len(found.left_out) == 101
    assert "the rest is not read" in found.whys


MARKS = (
    *("# a", "## b", "- ", "- x", "  - y:", "    z", "1. ", "```", "---", "===", "<!--", "-->"),
    *("@a.md", "", "text", "\tt", "key: v", "a: >", "  more", "*", "[a](b.md) c", "\u2028"),
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4)
    ),
    max_leaves=12,
)
NAMES = (
    *("id", "content", "category", "tags", "created_at", "access_count", "confidence", "name"),
    *("mentions", "summary", "date", "refs", "memory", "text", "key", "value", "type", "from"),
    *("to", "relationType", "observations", "entities", "relations", "results", "facts", "kind"),
    *("goals", "stances", "milestones", "preferences", "field_meta", "fact", "metadata"),
)


@settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(value=st.lists(st.dictionaries(st.sampled_from(NAMES), JSON, max_size=8) | JSON, max_size=4))
def test_any_json_raises_nothing_and_gives_text(value: Any, tmp_path: Path) -> None:
    one = value[0] if value and isinstance(value[0], dict) else {"a": value}
    for name, (file, _) in FILES.items():
        if file.endswith((".json", ".jsonl")):
            for content in (json.dumps(value), json.dumps(one), lines(*value)):
                for record in read(write(tmp_path / file, content), kind(name)).records:
                    assert isinstance(record.text, str)
                    assert record.trust <= Trust.INFERRED
                    assert all(isinstance(tag, str) for tag in record.tags)
                    json.dumps(record.data)


@settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.lists(
        st.sampled_from(MARKS) | st.text(max_size=30),
        max_size=30,
    )
)
def test_any_markdown_raises_nothing_and_gives_text(tmp_path: Path, parts: list[str]) -> None:
    text = "\n".join(parts)
    raw = text.encode(errors="replace")
    for name, (file, _) in FILES.items():
        if file.endswith((".md", ".txt")):
            for record in read(write(tmp_path / file, raw), kind(name)).records:
                assert record.text.strip()
                assert record.kind != "fact" or "\n" not in record.text


@pytest.mark.parametrize(
    "text",
    [
        "- " * 500_000,
        " " * 1_000_000 + "x",
        "#" * 1_000_000,
        "<!--" * 250_000,
        "`" * 1_000_000,
        "\n".join(" " * depth + "- x" for depth in range(1_400)),
        "-" * 1_000_000 + "x",
        "---\n" + "a: " * 300_000 + "\n---\n",
        "---\n" + "a: >\n" * 100_000,
        "[" * 1_000_000,
        "- [a](" * 100_000,
        "@" * 1_000_000,
        "- x:\n" * 20_000,
    ],
)
def test_no_text_takes_long(tmp_path: Path, text: str) -> None:
    for name in ("claude-code", "claude-code index", "codex", "memory-md", "key-value"):
        started = time.process_time()
        read(write(tmp_path / FILES[name][0], text[:3_900_000]), kind(name))
        assert time.process_time() - started < 10, name

"""Markdown, taken apart."""

from __future__ import annotations

import pytest

from memoro.interchange.memories.markdown import Block, blocks, header_of


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("- a\n- b", ["a", "b"]),
        ("* a\n+ b\n• c\n1. d\n2) e", ["a", "b", "c", "d", "e"]),
        ("- [ ] open\n- [x] done\n- [link](x)", ["open", "done", "[link](x)"]),
        ("- a\n  goes on\n- b", ["a goes on", "b"]),
        ("- a\nlazily\n\nprose", ["a lazily"]),
        ("- a\n\n  second part\n", ["a second part"]),
        ("- a\n  - b\n  - c\n- d", ["a; b; c", "d"]),
        ("- **a:**\n  - b\n  - c", ["**a** — b", "**a** — c"]),
        ("- a:\n  - b:\n    - c\n    - d", ["a — b — c", "a — b — d"]),
        ("- a:\n", ["a:"]),
        ("-not a point\n-- nor this", []),
        ("- a\n@file.md", ["a"]),
    ],
)
def test_points(text: str, points: list[str]) -> None:
    assert [one.text for one in blocks(text) if one.kind == "point"] == points


def test_headings_nest_and_end() -> None:
    text = "# A\na\n## B ##\n- b\n\nC\n=\nc\nD\n---\nd\n### E\n- e\n# F\n- f"
    assert list(blocks(text)) == [
        Block("prose", "a", ("A",), 2),
        Block("point", "b", ("A", "B"), 4),
        Block("prose", "c", ("C",), 8),
        Block("prose", "d", ("C", "D"), 11),
        Block("point", "e", ("C", "D", "E"), 13),
        Block("point", "f", ("F",), 15),
    ]


def test_code_and_comments_are_no_points() -> None:
    text = "```\n- a\n# b\n```\n<!-- - c\n- d --> e\n~~~\n- f"
    (block,) = blocks(text)
    assert block == Block("prose", "```\n- a\n# b\n```\n\n e\n~~~\n- f", (), 1)


@pytest.mark.parametrize(
    ("text", "fields", "lines"),
    [
        ("---\na: b\n---\nbody", {"a": "b"}, 3),
        ("---\na: 'it''s'\nB: \"x \\\"y\\\"\"\n...\n", {"a": "it's", "b": 'x "y"'}, 4),
        ("---\nmeta:\n  type: user\n---\n", {"type": "user"}, 4),
        ("---\na: >\n  one\n  two\nb: |\n  x\n  y\n---\n", {"a": "one two", "b": "x\ny"}, 8),
        ("---\na: one\n  goes on\n---\n", {"a": "one goes on"}, 4),
        ("---\n- list\n: odd\n---\n", {}, 4),
        ("---\nno end", {}, 0),
        ("a: b", {}, 0),
        ("", {}, 0),
    ],
)
def test_headers(text: str, fields: dict[str, str], lines: int) -> None:
    header = header_of(text)
    assert (header.fields, header.lines) == (fields, lines)
    if not lines:
        assert header.body == text

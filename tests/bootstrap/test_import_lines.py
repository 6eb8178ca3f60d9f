"""Which lines import: the block structure of CommonMark, against a parser that has it all."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from memoro.bootstrap.imports.lines import import_lines

LINE = "@a.md"


def rows(text: str) -> list[int]:
    return [found.row for found in import_lines(text)]


@pytest.mark.requirement("B10")
@pytest.mark.parametrize(
    "text",
    [
        "```\n@a.md\n```",
        "```\n@a.md",
        "~~~\n@a.md\n```\n@a.md\n~~~",
        "````\n```\n@a.md\n```\n@a.md\n````",
        "```\n@a.md\n``\n@a.md",
        "```\n@a.md\n    ```\n@a.md",
        "``` x\n@a.md\n``` y\n@a.md",
        "   ```\n@a.md\n  ```",
        "- ```\n  @a.md\n  ```",
        "1. x\n\n   ```\n   @a.md\n   ```",
        "> ```\n> @a.md\n> ```",
        "- > ```\n  > @a.md",
        "\t@a.md",
        "    @a.md",
        "x\n\n    @a.md",
        "`x\n@a.md\ny`",
        "``x ` y\n@a.md\ny``",
        "<!--\n@a.md\n-->",
        "<!-- @a.md",
        "<!--\n\n@a.md\n",
        "<pre>\n@a.md\n</pre>",
        "<script>\n\n@a.md\n</script>",
        "- x\n# h\n     @a.md",
        "- x\n***\n     @a.md",
        "- x\n```\n```\n     @a.md",
        "- x\n> y\n\n     @a.md",
        "-\n\n     @a.md",
        "* @a.md",
        "# @a.md",
    ],
)
def test_in_code(text: str) -> None:
    assert rows(text) == []


@pytest.mark.requirement("B10")
@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("@a.md", 0),
        ("   @a.md\t", 0),
        ("```\nx\n```\n@a.md", 3),
        ("~~~~\nx\n~~~~~\n@a.md", 3),
        ("``` a`b\n@a.md", 1),
        ("    ```\n@a.md", 1),
        ("- x\n  ```\n@a.md", 2),
        ("- x\n\n  @a.md", 2),
        ("10. x\n\n    @a.md", 2),
        ("> ```\n@a.md", 1),
        ("x\n@a.md\ny", 1),
        ("a ` b\n@a.md", 1),
        ("a ` b\n@a.md\n\n`", 1),
        ("\\`a\n@a.md\nb`", 1),
        ("<!-- x -->\n@a.md", 1),
        ("<rules>\n@a.md\n</rules>", 1),
        ("<details>\n@a.md\n</details>", 1),
        ("***\n@a.md", 1),
        ("x\n---\n@a.md", 2),
    ],
)
def test_outside_of_code(text: str, row: int) -> None:
    assert rows(text) == [row]


@pytest.mark.requirement("B10")
@settings(max_examples=400, deadline=None)
@given(
    st.lists(
        st.sampled_from([
            LINE, LINE, "- ", "1. ", "2. ", "10) ", "```", "~~~", "````", "  ", "   ", "    ", "\t",
            "> ", "x", "\n", "\n", "\n\n", "# h", "---", "-", "* * *", "===", "<!--", "-->",
        ]),
        max_size=14,
    ).map("".join)
)  # fmt: skip
def test_every_paragraph_line_and_only_those(text: str) -> None:
    lines = text.split("\n")
    expected: list[int] = []
    for token in MarkdownIt("commonmark").parse(text):
        if token.type != "inline" or token.map is None:
            continue
        spans = [child for child in token.children or [] if child.type == "code_inline"]
        if any(LINE in span.content for span in spans):
            return
        expected += [row for row in range(*token.map) if lines[row].strip(" \t") == LINE]
    found = [row for row in rows(text) if lines[row].strip(" \t") == LINE]
    assert set(found) <= set(expected)
    # A line that goes on with a paragraph may be indented further; such a one is no import of ours.
    indents = {row: len(lines[row].expandtabs(4)) - len(LINE) for row in expected}
    assert all(indents[row] >= 4 for row in set(expected) - set(found))


@pytest.mark.parametrize(
    "piece", ["- ", "> ", "`", "` ", "1. ", "\t", "```\n", "- x\n  ", "@a.md\n"]
)
def test_no_text_takes_long(piece: str) -> None:
    text = "@a.md\n" + piece * (65_536 // len(piece)) + "\n@a.md"
    start = time.perf_counter()
    import_lines(text)
    assert time.perf_counter() - start < 3

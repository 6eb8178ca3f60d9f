"""Globs and the forms in which a header names them."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoro.bootstrap.rules.frontmatter import read_frontmatter
from memoro.bootstrap.rules.globs import matches, parse


def matched(pattern: str, path: str) -> bool:
    globs = parse((pattern,))
    assert globs is not None
    return matches(globs, path)


@pytest.mark.requirement("B14")
@pytest.mark.parametrize(
    ("pattern", "yes", "no"),
    [
        ("*.py", ["a.py", "src/a.py", ".py", "x/.b.py"], ["a.pyc", "a.py/b", "a.PY"]),
        ("src/*.py", ["src/a.py"], ["a.py", "src/a/b.py", "x/src/a.py"]),
        ("/src/*.py", ["src/a.py"], ["x/src/a.py"]),
        ("./src/*.py", ["src/a.py"], ["x/src/a.py"]),
        ("/*.py", ["a.py"], ["src/a.py"]),
        ("**/*.py", ["a.py", "a/b/c.py", ".x/a.py"], ["a.md"]),
        ("src/**", ["src/a", "src/a/b"], ["a/src/b", "srcs/a"]),
        ("src/**/*.ts", ["src/a.ts", "src/a/b/c.ts"], ["src/a.js", "a.ts"]),
        ("a/**/b/**/c", ["a/b/c", "a/x/b/y/z/c"], ["a/c", "a/b/d"]),
        ("**", ["a", "a/b"], []),
        ("src/", ["src/a", "src/a/b"], ["src2/a", "x/src/a"]),
        ("?.md", ["a.md", "é.md", "x/b.md"], ["ab.md", ".md"]),
        ("a?b", ["axb"], ["a/b", "ab"]),
        ("[ab].md", ["a.md", "b.md"], ["c.md"]),
        ("[!ab].md", ["c.md"], ["a.md"]),
        ("[^ab].md", ["c.md"], ["a.md"]),
        ("[a-c]1", ["b1"], ["d1"]),
        ("{a,b}/*.{ts,tsx}", ["a/x.ts", "b/x.tsx"], ["c/x.ts", "a/x.js"]),
        ("{src/{a,b},lib}/**", ["src/a/x", "lib/y"], ["src/c/x"]),
        ("{a}", ["{a}"], ["a"]),
        ("a{,.b}", ["a", "a.b"], ["a.c"]),
        ("app/\\[id\\]/*.tsx", ["app/[id]/p.tsx"], ["app/i/p.tsx"]),
        ("\\*.md", ["*.md"], ["a.md"]),
        ("\\[^a]\\^\\!", ["[^a]^!"], ["b^!"]),
        ("\\{a,b\\}", ["{a,b}"], ["a"]),
        ("café/*", ["café/x", "cafe\u0301/x"], ["cafe/x"]),
        ("Makefile", ["Makefile", "x/Makefile"], ["makefile"]),
        ("[", ["["], ["a"]),
        ("a[", ["a["], ["a"]),
        ("{a,b", ["{a,b"], ["a"]),
        ("", [], ["a"]),
        ("/", [], ["a"]),
        (".", [], ["a", "."]),
        ("././", [], ["a"]),
        ("{/,x}", ["x"], ["a"]),
    ],
)
def test_a_pattern(pattern: str, yes: list[str], no: list[str]) -> None:
    globs = parse((pattern, "never/matches/x"))
    assert globs is not None
    assert [path for path in (*yes, *no) if matches(globs, path)] == yes


@pytest.mark.requirement("B14")
def test_negation_takes_away_whatever_the_order() -> None:
    for patterns in (("src/**", "!**/*.test.ts"), ("!**/*.test.ts", "src/**")):
        globs = parse(patterns)
        assert globs is not None
        assert matches(globs, "src/a.ts")
        assert not matches(globs, "src/a.test.ts")
        assert not matches(globs, "lib/a.ts")


@pytest.mark.requirement("B14")
def test_negation_alone_means_everything_else() -> None:
    assert matched("!*.md", "a.py") and not matched("!*.md", "x/a.md")


@pytest.mark.requirement("B14")
@pytest.mark.parametrize("pattern", ["{a,b}" * 9, "{1,2,3,4,5,6,7}" * 3, "x" * 1_001])
def test_too_many_alternatives_are_refused(pattern: str) -> None:
    assert parse((pattern,)) is None


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("**/a/" * 100 + "b", "/".join("a" * 1_000)),
        ("*a" * 400 + "b", "a" * 4_000),
        ("{" * 500, "x"),
        ("**/" * 300 + "*a*a*a*b", "/".join(["aaaa"] * 800)),
        ("[" * 900, "x"),
    ],
)
def test_no_pattern_takes_long(pattern: str, path: str) -> None:
    start = time.perf_counter()
    assert not matched(pattern, path)
    assert time.perf_counter() - start < 3


def reference(pattern: str, path: str) -> bool:
    """The plain meaning of a pattern with a slash, without braces and classes."""
    regex = ""
    pattern = re.sub(r"(\*\*/)+\*\*$", "**", pattern)
    for part in re.findall(r"\*\*/|/\*\*$|^\*\*$|\*+|\?|[^*?]", pattern):
        regex += {"**/": "(?:[^/]+/)*", "/**": "(?:/.*)?", "**": ".*", "?": "[^/]"}.get(
            part, "[^/]*" if part.startswith("*") else re.escape(part)
        )
    return re.fullmatch(regex, path) is not None


@pytest.mark.requirement("B14")
@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.sampled_from(["**", "*", "a", "b", "a*", "*b", "?", "ab"]), min_size=2, max_size=4),
    st.lists(st.sampled_from(["a", "b", "ab", "abb"]), min_size=1, max_size=4),
)
def test_patterns_mean_what_a_plain_reading_says(pattern: list[str], path: list[str]) -> None:
    assert matched("/".join(pattern), "/".join(path)) == reference(
        "/".join(pattern), "/".join(path)
    )


@settings(max_examples=300, deadline=None)
@given(
    st.text(alphabet="ab*?[]{},!^/.\\\\-é", max_size=14),
    st.text(alphabet="ab/.[]*é", max_size=10),
)
def test_any_pattern_is_understood_or_refused(pattern: str, path: str) -> None:
    pattern = pattern.lstrip("!")
    globs = parse((pattern, f"!{pattern}"))
    assert globs is not None
    assert not matches(globs, path)


@pytest.mark.requirement("B14")
@pytest.mark.parametrize(
    ("header", "patterns"),
    [
        ("paths: a.py", ("a.py",)),
        ("paths: a.py # why", ("a.py",)),
        ("paths: a#b", ("a#b",)),
        ("paths: '#a'", ("#a",)),
        ("paths: 'a.py'   # why", ("a.py",)),
        ('"paths": a', ("a",)),
        ("'paths' : a", ("a",)),
        ("paths: a, b ,c", ("a", "b", "c")),
        ("paths: {a,b}, [c,d]*.py", ("{a,b}", "[c,d]*.py")),
        ("paths: 'a', \"b\"", ("a", "b")),
        ("paths: 'it''s'", ("it's",)),
        ('paths: "a\\\\[b"', ("a\\[b",)),
        ("paths: !a/**", ("!a/**",)),
        ("paths: [ab]*.py", ("[ab]*.py",)),
        ("paths: [a]/[b]", ("[a]/[b]",)),
        ("paths: [**/*.ts, {a,b}/*.x]", ("**/*.ts", "{a,b}/*.x")),
        ("paths: ['a', ]", ("a",)),
        ("paths: [\n  a, # one\n  'b',\n]", ("a", "b")),
        ("paths:\n  [a, b]", ("a", "b")),
        ("paths:\n  a", ("a",)),
        ("paths:\n- a\n- 'b' # why\n\n# c\n- !d\n-  {e,f}\n", ("a", "b", "!d", "{e,f}")),
        ("paths:\n    - a, b", ("a", "b")),
        ("name: x\nmeta:\n  a: b\n  l:\n    - x\nd: >\n  paths: no\npaths: a\n", ("a",)),
        ("tools: [x,\n  y]\nurl: http://x: y\npaths: *.md", ("*.md",)),
        ("name: x", None),
        ("# only a comment", None),
        ("", None),
        ("  ", None),
        ("Paths: x", None),
    ],
)
def test_the_forms_of_a_header(header: str, patterns: tuple[str, ...] | None) -> None:
    for before, end in (("", "---"), ("\n \n", "---  "), ("", "...")):
        found = read_frontmatter(f"{before}---\n{header}\n{end}\nbody\n---\n")
        assert found.patterns == patterns and found.problem is None
        assert found.body == "body\n---\n"
        assert found.lines == header.count("\n") + 3 + before.count("\n")


@pytest.mark.requirement("B14")
@pytest.mark.parametrize(
    "content", ["", "text", "text\n---\npaths: a\n---\n", "----\n", "--- x\n---\n"]
)
def test_a_text_without_a_header_is_all_body(content: str) -> None:
    assert read_frontmatter(content) == (None, content, 0, None)


@pytest.mark.requirement("B14")
@settings(max_examples=300, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            ["paths:", " ", "\n", "\n", "- ", "a", "*.py", "'", '"', "[", "]", "{", "}", ",", "#",
             ": ", "x: y", "!", "\\", "|", "  "]
        ),
        max_size=16,
    ).map("".join)
)  # fmt: skip
def test_a_header_with_paths_never_limits_to_nothing_silently(inner: str) -> None:
    found = read_frontmatter(f"---\n{inner}\n---\nbody")
    has_key = any(re.match(r"paths:(\s|$)", line) for line in inner.split("\n"))
    if found.problem is None and has_key:
        assert found.patterns
    if found.problem is not None:
        assert found.patterns is None
        assert 1 <= found.problem[0] <= inner.count("\n") + 3
        assert "\n" not in found.problem[1]


@pytest.mark.parametrize(
    "piece", ["'", '"', "[", "{", ",", "a,", "'a' ", "# ", "\\", "\n- '", "\n- a"]
)
def test_no_header_takes_long(piece: str) -> None:
    start = time.perf_counter()
    read_frontmatter("---\npaths: " + piece * (60_000 // len(piece)) + "\n---\n")
    read_frontmatter("---\npaths: " + piece * (8_000 // len(piece)) + "\n---\n")
    assert time.perf_counter() - start < 3

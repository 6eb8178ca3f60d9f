"""What holds for every input: nothing outside the roots, valid and within the cap, stable."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from bootstrap_worlds import World, build, prompt
from hypothesis import given, settings
from hypothesis import strategies as st

from memoro.bootstrap.instructions import FileCache, Instructions

CAP = 600
SECRET = "SECRET-OUTSIDE"
FILES = (
    "work/AGENTS.md", "work/AGENTS.override.md", "work/AGENTS.local.md", "work/CLAUDE.md",
    "work/SOUL.md", "work/RULES.md", "work/sub/AGENTS.md", "work/sub/part.md", "work/part.md",
    "work/.memoro/rules/r.md", "work/.claude/rules/r.md", "home/.memoro/AGENTS.md",
    "home/.memoro/rules/g.md", "home/.memoro/part.md",
)  # fmt: skip
TARGETS = (
    "part.md", "sub/part.md", "../part.md", "../out/secret.md", "../../out/secret.md",
    "~/.memoro/part.md", "~/secret.md", "../home/secret.md", "dir/secret.md", "link.md",
    "/etc/hostname.md", "./AGENTS.md", "sub/AGENTS.md", "../work/part.md",
    "sub/../../out/secret.md",
    ".memoro/rules/r.md",
)  # fmt: skip
LINES = st.one_of(
    st.sampled_from([f"@{target}" for target in TARGETS]),
    st.sampled_from([f"@import {target}" for target in TARGETS]),
    st.sampled_from(["```", "~~~", "---", "paths: '*.py'", "paths: [", "# heading", "<system>",
                     "ignore previous instructions", "x" * 300, "程" * 150, "\u200b\u200b"]),
    st.text(max_size=30),
)  # fmt: skip
CONTENTS = st.one_of(
    st.lists(LINES, max_size=8).map(lambda lines: "\n".join(lines).encode("utf-8", "replace")),
    st.lists(LINES, max_size=8).map(
        lambda lines: b"\xff\xfe" + "\r\n".join(lines).encode("utf-16-le", "replace")
    ),
    st.binary(max_size=80),
)
LINKS = st.sampled_from([
    "../out", "../out/secret.md", "part.md", "../work", ".", "..", "/etc", "gone", "../home",
    "../../out/secret.md", "sub", "AGENTS.md",
])  # fmt: skip
TREES = st.dictionaries(
    st.sampled_from(FILES),
    st.one_of(
        CONTENTS,
        CONTENTS,
        LINKS,
        st.just(None),
    ),
    max_size=8,
)
EXTRA_LINKS = st.dictionaries(
    st.sampled_from(
        ["work/dir", "work/link.md", "work/.agent", "work/sub/dir", "work/sub/link.md"]
    ),
    LINKS,
    max_size=3,
)


@contextmanager
def made(tree: dict[str, bytes | str | None], links: dict[str, str]) -> Generator[World]:
    """A world with these files, links (a text) and folders (None), and secrets outside of it."""
    with tempfile.TemporaryDirectory() as folder:
        world = build(Path(os.path.realpath(folder)))
        (world.work / "sub").mkdir()
        world.put("out/secret.md", SECRET)
        world.put("home/secret.md", SECRET)
        for name, content in tree.items():
            if content is None:
                (world.base / name).mkdir(parents=True, exist_ok=True)
            elif isinstance(content, str):
                world.link(name, content)
            else:
                world.put(name, content)
        for name, target in links.items():
            world.link(name, target)
        yield world


def check(found: Instructions) -> None:
    prompt(found).encode()
    for block in found.blocks:
        text = block.text.split("<!-- cut to")[0].split("<!-- rules left out")[0]
        # The blank line before the note is not part of what was to be kept.
        limit = 8 * CAP if block.name.endswith("rules") else CAP
        assert len(text.encode()) <= limit + 1 + 200 * block.name.endswith("rules")
    for warning in found.warnings:
        assert warning.isprintable()


@pytest.mark.requirement("B11", "B08", "B15")
@settings(max_examples=120, deadline=None)
@given(TREES, EXTRA_LINKS, st.sampled_from(["work", "work/sub"]), st.booleans())
def test_nothing_outside_valid_and_stable(
    tree: dict[str, bytes | str | None], links: dict[str, str], folder: str, threat_scan: bool
) -> None:
    with made(tree, links) as world:
        allowed = (f"{world.work}/", f"{world.home}/")
        real_open = os.open

        def guarded(path: str, flags: int, *rest: int) -> int:
            assert os.path.realpath(path).startswith(allowed), path
            return real_open(path, flags, *rest)

        real_list = os.listdir

        def listed(path: str) -> list[str]:
            assert (os.path.realpath(path) + "/").startswith(allowed), path
            return real_list(path)

        options: dict[str, Any] = {"cap_bytes": CAP, "threat_scan": threat_scan}
        cache = FileCache()
        with patch("os.open", guarded), patch("os.listdir", listed):
            found = world.load(folder, ["a.py"], **options)
            again = world.load(folder, ["a.py"], cache, **options)
            cached = world.load(folder, ["a.py"], cache, **options)
        assert SECRET not in prompt(found)
        assert found == again == cached
        check(found)
        used = {file.path: 0 for file in found.files}
        for file in found.files:
            used[file.path] += file.used_bytes
        for path, count in used.items():
            name = os.path.relpath(path, world.base)
            assert world.explain(name, folder, ["a.py"], **options).loaded == (count > 0)

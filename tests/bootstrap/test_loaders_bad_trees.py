"""Emulation on trees that are meant to break it: never a crash, never a hang, nothing leaks."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memoro.bootstrap.loaders import ground, listing
from memoro.bootstrap.loaders.emulation import emulate
from memoro.bootstrap.loaders.headers import read_mdc_header, read_paths_header
from memoro.bootstrap.loaders.mentions import (
    chatcli_mentions,
    claude_mentions,
    gemini_mentions,
)
from memoro.bootstrap.loaders.results import TOOLS, Config, Homes, Loaded, Tool, homes_of

pytestmark = pytest.mark.requirement("Z12")

NAMES = (
    "AGENTS.md",
    "AGENTS.override.md",
    "CLAUDE.md",
    "CLAUDE.local.md",
    "GEMINI.md",
    "SOUL.md",
    "CHATCLI.md",
    ".cursorrules",
)
MIB = 1024 * 1024
every_tool = pytest.mark.parametrize("tool", TOOLS)


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    repo = tmp_path / "home" / "repo"
    (repo / ".git").mkdir(parents=True)
    return repo


def run(tool: Tool, repo: Path, *in_play: str, config: Config | None = None) -> Loaded:
    homes = homes_of(str(repo.parent))._replace(claude_managed=None)
    loaded = emulate(tool, str(repo), homes, in_play, config or Config())
    assert all("\n" not in line for line in loaded.warnings)
    assert all("\n" not in file.label + file.note for file in loaded.files)
    assert all(0 <= file.kept_bytes <= file.bytes for file in loaded.files)
    return loaded


@every_tool
def test_a_folder_of_that_name_is_left_out(tool: Tool, repo: Path) -> None:
    for name in NAMES:
        (repo / name).mkdir()
    loaded = run(tool, repo)
    assert loaded.files == ()
    assert any("is a folder" in line for line in loaded.warnings)


@every_tool
def test_a_fifo_of_that_name_is_not_waited_for(tool: Tool, repo: Path) -> None:
    for name in NAMES:
        os.mkfifo(repo / name)
    rules = [repo / ".claude/rules", repo / ".cursor/rules", repo / ".chatcli/rules"]
    for folder in rules:
        folder.mkdir(parents=True)
        os.mkfifo(folder / "a.md")
        os.mkfifo(folder / "a.mdc")
    loaded = run(tool, repo, "a.ts")
    assert loaded.files == ()
    assert any("is a FIFO" in line for line in loaded.warnings)


@every_tool
def test_a_file_that_became_a_fifo_is_not_waited_for(
    tool: Tool, repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the look and the open."""
    (repo / "fifo").touch()
    for name in ("AGENTS.md", "GEMINI.md"):
        (repo / name).write_text("text")
    os.unlink(repo / "fifo")
    os.mkfifo(repo / "fifo")
    real = ground.look

    def exchanged(path: str, where: ground.Ground, trust: ground.Trust = "place") -> object:
        found = real(path, where, trust)
        is_file = isinstance(found, ground.Found)
        return found._replace(real=str(repo / "fifo")) if is_file else found

    monkeypatch.setattr(listing, "look", exchanged)
    run(tool, repo)


@every_tool
def test_links_in_a_circle_and_to_nothing_are_left_out(tool: Tool, repo: Path) -> None:
    for name in NAMES:
        (repo / name).symlink_to(name if name != "AGENTS.override.md" else "gone")
    loaded = run(tool, repo)
    assert loaded.files == ()
    assert any("can't be read" in line for line in loaded.warnings)


@every_tool
def test_a_huge_file_is_not_read_whole(tool: Tool, repo: Path) -> None:
    for name in ("AGENTS.md", "GEMINI.md"):
        (repo / name).write_text("text\n@docs/a.md\n")
        os.truncate(repo / name, 100 * MIB)
    started = time.perf_counter()
    loaded = run(tool, repo)
    assert time.perf_counter() - started < 5
    sizes = {file.label: (file.kept_bytes, file.bytes) for file in loaded.files}
    kept = {
        "claude-code": 0,
        "codex": 32_768,
        "gemini": 100 * MIB,
        "cursor": 100 * MIB,
        "chatcli": 32_768,
    }[tool]
    name = "GEMINI.md" if tool == "gemini" else "AGENTS.md"
    assert sizes[name][1] == 100 * MIB
    assert (
        abs(sizes[name][0] - kept) <= 32_768 - 15 if tool == "chatcli" else sizes[name][0] == kept
    )


@every_tool
@pytest.mark.parametrize(
    "raw",
    [
        b"\xef\xbb\xbf# marked\r\n@docs/a.md\r\n",
        "text\n@docs/a.md\n".encode("utf-16"),
        "Grüße\n@docs/ä.md".encode("latin-1"),
        b"\0" * 100,
        b"```\n@docs/a.md",
        b"---\npaths: [\n",
        b"@" * 10_000,
        b"`" * 10_001,
    ],
)
def test_odd_bytes_are_listed_or_left_out(tool: Tool, repo: Path, raw: bytes) -> None:
    for name in NAMES:
        (repo / name).write_bytes(raw)
    for folder in (".claude/rules", ".cursor/rules", ".chatcli/rules"):
        (repo / folder).mkdir(parents=True)
        (repo / folder / "a.md").write_bytes(raw)
        (repo / folder / "a.mdc").write_bytes(raw)
    loaded = run(tool, repo, "a.ts")
    assert loaded.files
    if b"\0" in raw and tool in ("claude-code", "gemini", "chatcli"):
        assert any("is not UTF-8" in line for line in loaded.warnings)


@pytest.mark.parametrize("tool", ["claude-code", "gemini", "chatcli"])
def test_circles_of_imports_end(tool: Tool, repo: Path) -> None:
    for name in ("AGENTS.md", "GEMINI.md"):
        (repo / name).write_text(f"@./{name}\n@./a.md\n")
    (repo / "a.md").write_text("@./b.md\n@./a.md\n")
    (repo / "b.md").write_text("@./a.md\n@./AGENTS.md\n@./GEMINI.md\n")
    labels = [file.label for file in run(tool, repo).files]
    assert labels[1:3] == ["a.md", "b.md"]
    assert len(labels) < 10


def test_imports_that_multiply_are_stopped(repo: Path) -> None:
    (repo / "GEMINI.md").write_text("@./1.md " * 20)
    for level in range(1, 6):
        (repo / f"{level}.md").write_text(f"@./{level + 1}.md " * 20)
    loaded = run("gemini", repo)
    assert len(loaded.files) == 2_000
    assert any("the rest is left out" in line for line in loaded.warnings)


@pytest.mark.parametrize("tool", ["claude-code", "gemini", "chatcli"])
@pytest.mark.parametrize("way", ["..", "absolute", "home", "link", "linked folder"])
def test_nothing_outside_is_opened(
    tool: Tool, repo: Path, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside = repo.parent.parent / "secret"
    outside.mkdir()
    (outside / "key.md").write_text("@./inner.md\n")
    (outside / "inner.md").write_text("secret")
    (repo.parent / "key.md").write_text("@./inner.md\n")
    (repo / "link.md").symlink_to(outside / "key.md")
    (repo / "folder").symlink_to(outside)
    target = {
        "..": "../../secret/key.md",
        "absolute": str(outside / "key.md"),
        "home": "~/key.md",
        "link": "./link.md",
        "linked folder": "./folder/key.md",
    }[way]
    for name in ("CLAUDE.md", "GEMINI.md"):
        (repo / name).write_text(f"@{target}\n")
    opened = spied(monkeypatch)
    loaded = run(tool, repo)
    assert opened
    assert not any("secret" in path or path.endswith("key.md") for path in opened)
    assert not any("inner.md" in file.path for file in loaded.files)
    if tool == "claude-code":
        assert "not opened here" in loaded.files[-1].note
    elif tool == "chatcli":
        assert len(loaded.files) == 1
        assert any("lies outside" in line for line in loaded.warnings)


@every_tool
def test_a_repositorys_links_to_other_places_are_not_opened(
    tool: Tool, repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside = repo.parent.parent / "secret"
    outside.mkdir()
    (outside / "a.md").write_text("---\npaths: x\n---\n@./b.md\n")
    (outside / "a.mdc").write_text("---\nalwaysApply: true\n---\n")
    for name in ("AGENTS.md", "GEMINI.md"):
        (repo / name).symlink_to(outside / "a.md")
    for folder in (".claude", ".cursor", ".chatcli"):
        (repo / folder).mkdir()
        (repo / folder / "rules").symlink_to(outside)
    opened = spied(monkeypatch)
    loaded = run(tool, repo)
    assert not any("secret" in path for path in opened)
    assert [file.bytes for file in loaded.files] == [(outside / "a.md").stat().st_size]
    assert "not opened here" in loaded.files[0].note


@pytest.mark.parametrize("tool", ["claude-code", "cursor", "chatcli"])
def test_no_header_reaches_the_terminal_as_it_is(tool: Tool, repo: Path) -> None:
    for folder, key in ((".claude", "paths"), (".cursor", "globs"), (".chatcli", "paths")):
        (repo / folder / "rules").mkdir(parents=True)
        for name in ("a.md", "a.mdc"):
            rule = f"---\n{key}: ['\x1b[2Jx']\n---\ntext"
            (repo / folder / "rules" / name).write_text(rule)
        (repo / folder / "rules" / "b\x1b.md").write_text(f"---\n{key}:\n- : \x1b\n---\ntext")
    loaded = run(tool, repo)
    assert loaded.files
    assert all((file.label + file.note).isprintable() for file in loaded.files)
    assert all(line.isprintable() for line in loaded.warnings)


def test_the_persons_own_links_are_followed(repo: Path) -> None:
    dotfiles = repo.parent / "dotfiles"
    dotfiles.mkdir()
    (dotfiles / "claude.md").write_text("See @./more.md\n")
    (repo.parent / ".claude").mkdir()
    (repo.parent / ".claude" / "CLAUDE.md").symlink_to(dotfiles / "claude.md")
    (repo.parent / ".claude" / "more.md").write_text("more")
    assert [file.label for file in run("claude-code", repo).files] == [
        "~/.claude/CLAUDE.md",
        "~/.claude/more.md",
    ]


@every_tool
def test_folders_of_rules_that_lead_back_to_themselves_end(tool: Tool, repo: Path) -> None:
    for folder in (".claude/rules", ".cursor/rules", ".chatcli/rules"):
        (repo / folder).mkdir(parents=True)
        (repo / folder / "again").symlink_to(repo / folder)
        (repo / folder / "a.md").write_text("text")
        (repo / folder / "a.mdc").write_text("text")
    assert len(run(tool, repo).files) == (tool in ("claude-code", "cursor", "chatcli"))


@every_tool
def test_ten_thousand_nested_folders_are_no_matter(tool: Tool, repo: Path) -> None:
    for name in ("AGENTS.md", "GEMINI.md"):
        (repo / name).write_text("text")
    deep = "/".join(["folder"] * 10_000)
    started = time.perf_counter()
    loaded = run(tool, repo, f"{deep}/a.ts", "\0", "", "../../../../..")
    assert [file.bytes for file in loaded.files] == [4]
    emulate(tool, str(repo / deep), Homes(), [deep])
    assert time.perf_counter() - started < 10


def test_folders_from_one_down_to_another(repo: Path) -> None:
    top = str(repo)
    (repo / "a" / "b").mkdir(parents=True)
    between = ground.folders_between
    assert between("/", "/") == ["/"]
    assert between("/", top)[:1] == ["/"] and between("/", top)[-1] == top
    assert between(top, top) == [top]
    assert between(top, f"{top}/a/b/c/d") == [top, f"{top}/a", f"{top}/a/b"]
    assert between(top, f"{top}s") == between(f"{top}/a", top) == []


@every_tool
def test_without_any_home_only_the_project_counts(tool: Tool, repo: Path) -> None:
    for name in ("AGENTS.md", "GEMINI.md"):
        (repo / name).write_text("@~/a.md\n")
    loaded = emulate(tool, str(repo), Homes())
    assert [os.path.dirname(file.path) for file in loaded.files] == [str(repo)]
    assert emulate(tool, str(repo / "gone"), Homes(user="/nowhere")).files is not None


@pytest.mark.parametrize(
    "text",
    [
        "`" * 100_000 + "@a",
        "` " * 100_000,
        "".join("`" * (n % 50 + 1) + "x" for n in range(20_000)),
        "<!-- --> " * 100_000 + "@a.md",
        "<!--\n" * 100_000,
        "@a.md " * 100_000,
        "@\\" * 100_000,
        "\n " * 200_000,
        "> " * 200_000 + "```",
        "- " * 200_000 + "@a.md",
    ],
    ids=range(10),
)
def test_mentions_are_found_in_linear_time(text: str) -> None:
    started = time.perf_counter()
    for mentions in (claude_mentions, gemini_mentions, chatcli_mentions):
        assert len(mentions(text + " @z.md")) <= 1_000
    assert time.perf_counter() - started < 5


_texts = st.text(st.sampled_from("`@a.\n ~/-<>!"), max_size=60)


@given(_texts)
@example("```@a`` @b`")
@example("`` @a ` @b")
@example("`````@a `` @b")
@settings(deadline=None)
def test_geminis_code_is_what_its_pattern_finds(text: str) -> None:
    """Against the pattern as it stands in its source, and its search as it is written there."""
    code = [match.span() for match in re.finditer(r"(`+)([\s\S]*?)\1", text)]
    wanted: list[str] = []
    at = text.find("@")
    while at >= 0:
        end = at + 1
        if at == 0 or text[at - 1] in " \t\n\r":
            while end < len(text) and text[end] not in " \t\n\r":
                end += 1
            path = text[at + 1 : end]
            starts = path[:1] in (".", "/") or path[:1].isalpha()
            if starts and not any(first <= at < last for first, last in code):
                wanted.append(path)
            end += 1
        at = text.find("@", end)
    assert [mention.target for mention in gemini_mentions(text)] == wanted


@given(st.text(st.sampled_from("-apthsglob:[],'\"{}*/\n \t#"), max_size=80))
@settings(deadline=None)
def test_headers_never_raise(text: str) -> None:
    for whole in (text, f"---\n{text}\n---\n"):
        assert isinstance(read_mdc_header(whole).globs, tuple)
        assert isinstance(read_paths_header(whole).patterns, tuple)


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("@README and @./a.md, @../b @~/c @/d", ["README", "./a.md,", "../b", "~/c", "/d"]),
        ("a@b.md (@c.md) `@d.md` ``@e ` @f`` @g", ["g"]),
        ("- ```\n  @a\n  ```\n@b", ["b"]),
        ("> ```\n> @a\n> ```\n@b", ["b"]),
        ("~~~\n@a\n```\n@b\n~~~\n@c", ["c"]),
        ("`open\n\n@a ` @b", ["a", "b"]),
        ("x <!-- @a --> <!--\n@b\n-->\n  <!-- @c -->@d", ["a", "b", "d"]),
        ("@a\\ b.md#part @#x @-y @!z", ["a b.md", "-y"]),
    ],
)
def test_claude_codes_mentions(text: str, targets: list[str]) -> None:
    found = claude_mentions(text)
    assert [mention.target for mention in found] == targets
    assert all(text[mention.start] == "@" for mention in found)
    assert all(text.count("\n", 0, mention.start) + 1 == mention.line for mention in found)


def spied(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths that are opened from now on."""
    opened: list[str] = []
    real = os.open

    def spying(path: str, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        opened.append(os.fspath(path))
        return real(path, flags, mode, dir_fd=dir_fd)

    monkeypatch.setattr(os, "open", spying)
    return opened

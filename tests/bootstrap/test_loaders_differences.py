"""Where the tools and Memoro disagree, as one line for each disagreement."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from memoro.bootstrap.loaders.differences import compare
from memoro.bootstrap.loaders.emulation import emulate
from memoro.bootstrap.loaders.results import (
    TOOLS,
    Difference,
    Homes,
    Loaded,
    LoadedAs,
    Own,
    Tool,
    homes_of,
)

pytestmark = pytest.mark.requirement("Z12")


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    repo = tmp_path / "home" / "repo"
    (repo / ".git").mkdir(parents=True)
    return repo


def homes(repo: Path) -> Homes:
    return homes_of(str(repo.parent))._replace(claude_managed=None)


def differences(
    repo: Path, own: Sequence[Own], tools: Sequence[Tool] = TOOLS, folder: str = ""
) -> list[Difference]:
    cwd = str(repo / folder)
    loaded = [emulate(tool, cwd, homes(repo)) for tool in tools]
    return list(compare(loaded, own, cwd, homes(repo)))


def texts(found: Sequence[Difference]) -> list[str]:
    assert all("\n" not in each.text for each in found)
    return [each.text for each in found]


def test_a_world_in_which_all_five_disagree(repo: Path) -> None:
    files = {
        "AGENTS.md": "@docs/a.md and @docs/b.md\n" + "x" * 40_000,
        "CLAUDE.md": "text",
        "GEMINI.md": "@./docs/b.md\n",
        "SOUL.md": "text",
        "docs/a.md": "text",
        "docs/b.md": "text",
        ".cursor/rules/a.mdc": "---\nalwaysApply: true\n---\ntext",
        ".claude/rules/a.md": "text",
        "app/AGENTS.md": "nearest",
        "app/AGENTS.override.md": "override",
        "app/AGENTS.local.md": "local",
    }
    for name, text in files.items():
        path = repo / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    labels = {
        tool: [file.label for file in emulate(tool, str(repo / "app"), homes(repo)).files]
        for tool in TOOLS
    }
    assert labels == {
        "claude-code": ["CLAUDE.md", ".claude/rules/a.md"],
        "codex": ["AGENTS.md", "app/AGENTS.override.md"],
        "gemini": ["GEMINI.md", "docs/b.md"],
        "cursor": ["AGENTS.md", "CLAUDE.md", ".cursor/rules/a.mdc", "app/AGENTS.md"],
        "chatcli": [
            "AGENTS.md",
            "app/AGENTS.override.md",
            "app/AGENTS.local.md",
            "SOUL.md",
            ".claude/rules/a.md",
        ],
    }
    own = [
        Own(str(repo / "AGENTS.md"), 32_700, 7_326),
        Own(str(repo / "app" / "AGENTS.override.md"), 8),
        Own(str(repo / "app" / "AGENTS.local.md"), 5),
        Own(str(repo / "SOUL.md"), 4),
        Own(str(repo / ".claude" / "rules" / "a.md"), 4),
    ]
    found = differences(repo, own, folder="app")
    assert texts(found) == [
        "AGENTS.md: loaded by Memoro, Codex, Cursor and ChatCLI, not by Claude Code and Gemini CLI",
        "app/AGENTS.override.md: loaded by Memoro, Codex and ChatCLI,"
        " not by Claude Code, Gemini CLI and Cursor",
        "app/AGENTS.local.md: loaded by Memoro and ChatCLI,"
        " not by Claude Code, Codex, Gemini CLI and Cursor",
        "SOUL.md: loaded by Memoro and ChatCLI, not by Claude Code, Codex, Gemini CLI and Cursor",
        ".claude/rules/a.md: loaded by Memoro, Claude Code and ChatCLI,"
        " not by Codex, Gemini CLI and Cursor",
        "CLAUDE.md: loaded by Claude Code and Cursor, not by Memoro, Codex, Gemini CLI and ChatCLI",
        "GEMINI.md: loaded by Gemini CLI, not by Memoro, Claude Code, Codex, Cursor and ChatCLI",
        "docs/b.md: loaded by Gemini CLI, not by Memoro, Claude Code, Codex, Cursor and ChatCLI",
        ".cursor/rules/a.mdc: loaded by Cursor,"
        " not by Memoro, Claude Code, Codex, Gemini CLI and ChatCLI",
        "app/AGENTS.md: loaded by Cursor,"
        " not by Memoro, Claude Code, Codex, Gemini CLI and ChatCLI",
        "AGENTS.md: Memoro keeps 32,700 of 40,026 bytes, Codex keeps 32,768 of 40,026 bytes,"
        " ChatCLI keeps 32,768 of 40,026 bytes, Cursor keeps all",
        "app/AGENTS.override.md: Codex keeps nothing, ChatCLI keeps nothing, Memoro keeps all",
        "app/AGENTS.local.md: ChatCLI keeps nothing, Memoro keeps all",
    ]
    assert {each.kind for each in found} == {"loaded", "cut"}
    assert found[0].loaders == ("Claude Code", "Gemini CLI")
    assert found[0].paths == (str(repo / "AGENTS.md"),)


def test_agreement_makes_no_line(repo: Path) -> None:
    (repo / "AGENTS.md").write_text("text")
    own = [Own(str(repo / "AGENTS.md"), 4)]
    assert differences(repo, own, ["claude-code", "codex", "cursor", "chatcli"]) == []


def test_orders_that_differ_are_named_once(repo: Path) -> None:
    (repo / "AGENTS.md").write_text("text")
    (repo / "app").mkdir()
    (repo / "app" / "AGENTS.md").write_text("text")
    backwards = [Own(str(repo / "app" / "AGENTS.md"), 4), Own(str(repo / "AGENTS.md"), 4)]
    found = differences(repo, backwards, ["codex", "cursor"], "app")
    assert texts(found) == ["app/AGENTS.md before AGENTS.md: Memoro; behind it: Codex and Cursor"]
    assert found[0].kind == "order"
    assert differences(repo, backwards[::-1], ["codex", "cursor"], "app") == []


def test_a_link_and_its_target_are_the_same_file(repo: Path) -> None:
    (repo / "AGENTS.md").write_text("text")
    (repo / "CLAUDE.md").symlink_to("AGENTS.md")
    own = [Own(str(repo / "CLAUDE.md"), 4)]
    assert differences(repo, own, ["claude-code", "codex", "cursor", "chatcli"]) == []


def test_what_is_on_demand_is_neither_loaded_nor_missing(repo: Path) -> None:
    rules = repo / ".claude" / "rules"
    rules.mkdir(parents=True)
    (rules / "a.md").write_text("---\npaths: ['*.ts']\n---\ntext")
    found = differences(repo, [Own(str(rules / "a.md"), 4)], ["claude-code", "codex"])
    assert texts(found) == [
        ".claude/rules/a.md: loaded by Memoro, on demand by Claude Code, not by Codex"
    ]
    assert texts(differences(repo, [Own(str(rules / "a.md"), 4)], ["claude-code"])) == [
        ".claude/rules/a.md: loaded by Memoro, on demand by Claude Code"
    ]
    assert differences(repo, [], ["claude-code", "codex"]) == []


def test_the_same_cut_everywhere_is_no_disagreement(repo: Path) -> None:
    path = str(repo / "AGENTS.md")

    def cut(tool: Tool, kept: int) -> Loaded:
        return Loaded(tool, (LoadedAs(path, "AGENTS.md", 1, 100, kept, "always"),), None, ())

    same = [cut("codex", 50), cut("chatcli", 50)]
    assert compare(same, [Own(path, 50, 50)], str(repo), homes(repo)) == ()
    found = compare([*same, cut("cursor", 60)], [Own(path, 50, 50)], str(repo), homes(repo))
    assert [each.kind for each in found] == ["cut"]
    assert "Cursor keeps 60 of 100 bytes" in found[0].text


def test_files_elsewhere_are_named_from_the_home(repo: Path) -> None:
    (repo.parent / "CLAUDE.md").write_text("text")
    own = [Own("/etc/hosts", 4)]
    assert texts(differences(repo, own, ["claude-code"])) == [
        "/etc/hosts: loaded by Memoro, not by Claude Code",
        "~/CLAUDE.md: loaded by Claude Code, not by Memoro",
    ]

"""What other assistants would load: one world of real files for each rule of the table."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from memoro.bootstrap.loaders.configured import configured
from memoro.bootstrap.loaders.emulation import emulate
from memoro.bootstrap.loaders.results import TOOLS, Config, Homes, Loaded, Tool, homes_of
from memoro.bootstrap.loaders.table import RULES, rows

PAGE = Path(__file__).parents[2] / "docs/explanation/instruction-files-elsewhere.md"
KIB = 1024
MIB = KIB * KIB

_proven: set[tuple[str, str]] = set()


def proves(tool: Tool, *names: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Say which rules of the table a test is the world of."""
    _proven.update((tool, name) for name in names)
    return pytest.mark.requirement("Z12")


class World:
    """A home with a repository in `work/repo`, and tools that are started in it."""

    def __init__(self, base: Path) -> None:
        self.home = base / "home"
        self.repo = self.home / "work" / "repo"
        (self.repo / ".git").mkdir(parents=True)
        self.homes = homes_of(str(self.home))._replace(claude_managed=str(base / "managed"))
        self.base = base

    def write(self, *paths: str, text: str = "text\n") -> None:
        """Write files of the repository, or of the home where the path starts with `~/`."""
        for path in paths:
            target = self.path(path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)

    def path(self, path: str) -> Path:
        return self.home / path[2:] if path.startswith("~/") else self.repo / path

    def run(
        self,
        tool: Tool,
        folder: str = "",
        in_play: Sequence[str] = (),
        config: Config | None = None,
    ) -> Loaded:
        cwd = self.repo / folder
        cwd.mkdir(parents=True, exist_ok=True)
        return emulate(tool, str(cwd), self.homes, in_play, config or Config())


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def labels(loaded: Loaded, *hows: str) -> list[str]:
    assert [file.order for file in loaded.files] == list(range(1, len(loaded.files) + 1))
    return [file.label for file in loaded.files if not hows or file.how in hows]


def kept(loaded: Loaded) -> dict[str, tuple[int, int]]:
    return {file.label: (file.kept_bytes, file.bytes) for file in loaded.files}


@proves("claude-code", "ancestors")
def test_claude_code_takes_all_folders_above_from_the_top(world: World) -> None:
    world.write("~/CLAUDE.md", "~/work/CLAUDE.local.md", "CLAUDE.md", "CLAUDE.local.md")
    world.write(".claude/CLAUDE.md", "app/CLAUDE.md", "other/CLAUDE.md", "app/below/CLAUDE.md")
    assert labels(world.run("claude-code", "app")) == [
        "~/CLAUDE.md",
        "~/work/CLAUDE.local.md",
        "CLAUDE.md",
        ".claude/CLAUDE.md",
        "CLAUDE.local.md",
        "app/CLAUDE.md",
    ]


@proves("claude-code", "personal")
def test_claude_code_takes_the_policy_and_the_personal_files_first(world: World) -> None:
    world.write("CLAUDE.md", "~/.claude/CLAUDE.md", "~/.claude/rules/style.md", "~/CLAUDE.md")
    (world.base / "managed").mkdir()
    (world.base / "managed" / "CLAUDE.md").write_text("policy")
    found = labels(world.run("claude-code"))
    assert found[0] == str(world.base / "managed" / "CLAUDE.md")
    assert found[1:] == [
        "~/.claude/CLAUDE.md",
        "~/.claude/rules/style.md",
        "~/CLAUDE.md",
        "CLAUDE.md",
    ]


@proves("claude-code", "agents")
@pytest.mark.parametrize("deciding", ["CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md"])
def test_claude_code_takes_agents_md_only_without_a_file_of_its_own(
    world: World, deciding: str
) -> None:
    world.write("AGENTS.md", "app/AGENTS.md", "~/.claude/CLAUDE.md", "~/.claude/rules/a.md")
    personal = ["~/.claude/CLAUDE.md", "~/.claude/rules/a.md"]
    assert labels(world.run("claude-code", "app")) == [*personal, "AGENTS.md", "app/AGENTS.md"]
    world.write(deciding)
    assert labels(world.run("claude-code", "app")) == [*personal, deciding]
    both = Config(claude_instructions="claude-md-and-agents-md")
    assert labels(world.run("claude-code", "app", config=both)) == [
        *personal,
        deciding,
        "AGENTS.md",
        "app/AGENTS.md",
    ]
    managed = Config(claude_instructions="managed-only")
    assert labels(world.run("claude-code", "app", config=managed)) == []


@proves("claude-code", "no-override")
def test_claude_code_knows_no_override_and_no_companion(world: World) -> None:
    world.write("AGENTS.md", "AGENTS.override.md", "AGENTS.local.md")
    assert labels(world.run("claude-code")) == ["AGENTS.md"]


@proves("claude-code", "imports")
def test_claude_code_imports_anywhere_in_a_line_four_hops_deep(world: World) -> None:
    world.write(
        "CLAUDE.md",
        text="See @docs/1.md and `@docs/code.md`, mail a@docs/mail.md.\n\n"
        "```\n@docs/fenced.md\n```\n<!--\n@docs/comment.md\n-->\n- @~/notes.md\n@docs/1.md\n",
    )
    world.write("docs/code.md", "docs/mail.md", "docs/fenced.md", "docs/comment.md", "~/notes.md")
    for hop in range(1, 6):
        world.write(f"docs/{hop}.md", text=f"@{hop + 1}.md\n")
    loaded = world.run("claude-code")
    assert labels(loaded) == [
        "CLAUDE.md",
        "docs/1.md",
        "docs/2.md",
        "docs/3.md",
        "docs/4.md",
        "~/notes.md",
    ]
    assert labels(loaded, "import") == labels(loaded)[1:]
    assert "asks first" in loaded.files[-1].note
    assert "not opened" in loaded.files[-1].note
    assert any("docs/4.md:1" in line and "docs/5.md" in line for line in loaded.warnings)


@proves("claude-code", "rules")
def test_claude_code_takes_rules_with_paths_once_a_matching_file_is_read(world: World) -> None:
    world.write(".claude/rules/all.md", ".claude/rules/deep/more.md", "CLAUDE.md", "app/CLAUDE.md")
    world.write(".claude/rules/ts.md", text="---\npaths:\n  - 'app/**/*.{ts,tsx}'\n---\ntext\n")
    world.write(".claude/rules/top.md", text="---\npaths: *.md\n---\n@../../docs/a.md\n")
    world.write("docs/a.md")
    always = ["CLAUDE.md", ".claude/rules/all.md", ".claude/rules/deep/more.md", "app/CLAUDE.md"]
    loaded = world.run("claude-code", "app")
    assert labels(loaded, "always") == always
    assert labels(loaded, "on demand") == [".claude/rules/top.md", ".claude/rules/ts.md"]
    loaded = world.run("claude-code", "app", ["deep/in/a.tsx", "notes.md"])
    assert labels(loaded) == [*always, ".claude/rules/ts.md", ".claude/rules/top.md"]
    assert labels(loaded, "matched") == [".claude/rules/ts.md"]
    loaded = world.run("claude-code", "app", [str(world.repo / "notes.md")])
    assert labels(loaded, "matched", "import") == [".claude/rules/top.md", "docs/a.md"]


@proves("claude-code", "nested")
def test_claude_code_takes_folders_below_once_a_file_there_is_read(world: World) -> None:
    world.write("AGENTS.md", "app/AGENTS.md", "app/ui/CLAUDE.md", "app/ui/AGENTS.md")
    assert labels(world.run("claude-code")) == ["AGENTS.md"]
    loaded = world.run("claude-code", in_play=["app/ui/not-there-yet.ts"])
    assert labels(loaded) == ["AGENTS.md", "app/AGENTS.md", "app/ui/CLAUDE.md"]
    assert labels(loaded, "matched") == ["app/AGENTS.md", "app/ui/CLAUDE.md"]
    world.write("app/ui/deep/AGENTS.md")
    loaded = world.run("claude-code", in_play=["app/ui/deep/a.ts"])
    assert labels(loaded, "matched") == ["app/AGENTS.md", "app/ui/CLAUDE.md"]


@proves("claude-code", "size")
def test_claude_code_skips_what_is_over_four_mib(world: World) -> None:
    world.write("CLAUDE.md", text="@docs/b.md " + "x" * (4 * MIB - 11))
    world.write("docs/b.md", text="@a.md " + "x" * 4 * MIB)
    world.write("CLAUDE.local.md", text="@docs/a.md " + "x" * 4 * MIB)
    world.write("docs/a.md")
    loaded = world.run("claude-code")
    sizes = kept(loaded)
    assert sizes["CLAUDE.md"] == (4 * MIB, 4 * MIB)
    assert sizes["CLAUDE.local.md"][0] == sizes["docs/b.md"][0] == 0
    assert "docs/a.md" not in sizes
    assert loaded.cut is not None and "CLAUDE.local.md loses" in loaded.cut.text
    assert "CLAUDE.md loses" not in loaded.cut.text.replace("CLAUDE.local.md", "")


@proves("codex", "one-per-folder")
def test_codex_takes_one_file_a_folder(world: World) -> None:
    world.write("AGENTS.md", "AGENTS.override.md", "AGENTS.local.md", "CLAUDE.md")
    world.write("a/AGENTS.md", "a/b/NOTES.md", "a/b/TEAM.md", "a/b/c/NOTES.md")
    world.write("a/b/c/AGENTS.override.md", text=" \n")
    fallbacks = Config(codex_fallback_names=("TEAM.md", "NOTES.md", "../escape.md"))
    loaded = world.run("codex", "a/b/c", config=fallbacks)
    assert labels(loaded) == ["AGENTS.override.md", "a/AGENTS.md", "a/b/TEAM.md"]
    assert any("escape" in line for line in loaded.warnings)
    assert labels(world.run("codex", "a/b/c")) == ["AGENTS.override.md", "a/AGENTS.md"]


@proves("codex", "root")
def test_codex_starts_at_the_nearest_marker_and_else_looks_nowhere_above(world: World) -> None:
    world.write("~/work/AGENTS.md", "AGENTS.md", "app/AGENTS.md", "app/package.json")
    assert labels(world.run("codex", "app")) == ["AGENTS.md", "app/AGENTS.md"]
    nearer = Config(codex_root_markers=("package.json",))
    assert labels(world.run("codex", "app", config=nearer)) == ["app/AGENTS.md"]
    assert labels(world.run("codex", "app", config=Config(codex_root_markers=()))) == [
        "app/AGENTS.md"
    ]
    (world.repo / ".git").rmdir()
    (world.repo / ".git").write_text("gitdir: elsewhere")
    assert labels(world.run("codex", "app")) == ["AGENTS.md", "app/AGENTS.md"]


@proves("codex", "personal")
def test_codex_takes_the_first_personal_file_that_is_not_blank(world: World) -> None:
    world.write("AGENTS.md", text="x" * 32 * KIB)
    world.write("~/.codex/AGENTS.md", text="y" * 40 * KIB)
    world.write("~/.codex/AGENTS.override.md", text="\n\n")
    loaded = world.run("codex")
    assert labels(loaded) == ["~/.codex/AGENTS.md", "AGENTS.md"]
    assert all(file.kept_bytes == file.bytes for file in loaded.files)
    world.write("~/.codex/AGENTS.override.md")
    assert labels(world.run("codex")) == ["~/.codex/AGENTS.override.md", "AGENTS.md"]


@proves("codex", "limit")
def test_codex_cuts_at_the_byte_and_the_nearest_file_loses(world: World) -> None:
    world.write("AGENTS.md", text="x" * 30 * KIB)
    world.write("a/AGENTS.md", text="é" * 2 * KIB)
    world.write("a/b/AGENTS.md", text="nearest")
    loaded = world.run("codex", "a/b")
    assert kept(loaded) == {
        "AGENTS.md": (30 * KIB, 30 * KIB),
        "a/AGENTS.md": (2 * KIB, 4 * KIB),
        "a/b/AGENTS.md": (0, 7),
    }
    assert loaded.cut is not None
    assert (loaded.cut.limit_bytes, loaded.cut.lost_bytes) == (32 * KIB, 2 * KIB + 7)
    odd = world.run("codex", "a/b", config=Config(codex_max_bytes=30 * KIB + 1))
    assert kept(odd)["a/AGENTS.md"] == (1, 4 * KIB)
    assert labels(world.run("codex", "a/b", config=Config(codex_max_bytes=0))) == []


@proves("codex", "no-imports")
def test_codex_imports_nothing(world: World) -> None:
    world.write("AGENTS.md", text="@docs/a.md\n")
    world.write("docs/a.md")
    assert labels(world.run("codex")) == ["AGENTS.md"]


@proves("codex", "all-or-nothing")
def test_codex_loads_no_project_file_where_one_cannot_be_looked_at(world: World) -> None:
    world.write("AGENTS.md", "~/.codex/AGENTS.md")
    (world.repo / "app").mkdir()
    (world.repo / "app" / "AGENTS.md").symlink_to("AGENTS.md")
    loaded = world.run("codex", "app")
    assert labels(loaded) == ["~/.codex/AGENTS.md"]
    assert any("Codex loads no project file" in line for line in loaded.warnings)


@proves("gemini", "hierarchy")
def test_gemini_takes_the_personal_file_and_those_from_the_root_down(world: World) -> None:
    world.write(
        "~/.gemini/GEMINI.md", "~/work/GEMINI.md", "GEMINI.md", "app/GEMINI.md", "AGENTS.md"
    )
    world.write("other/GEMINI.md", "Api/GEMINI.md")
    found = labels(world.run("gemini", "app"))
    assert found == ["~/.gemini/GEMINI.md", "GEMINI.md", "app/GEMINI.md"]
    assert labels(world.run("gemini", "Api"))[1:] == ["Api/GEMINI.md", "GEMINI.md"]
    (world.repo / ".git").rmdir()
    assert labels(world.run("gemini", "app")) == ["~/.gemini/GEMINI.md", "GEMINI.md"]
    assert world.run("gemini", "app").files[1].path == str(world.repo / "app" / "GEMINI.md")


@proves("gemini", "names")
def test_gemini_takes_every_configured_name(world: World) -> None:
    world.write("GEMINI.md", "AGENTS.md", "CONTEXT.md", "~/.gemini/CONTEXT.md")
    names = Config(gemini_names=("CONTEXT.md", "AGENTS.md"))
    assert labels(world.run("gemini", config=names)) == [
        "~/.gemini/CONTEXT.md",
        "AGENTS.md",
        "CONTEXT.md",
    ]


@proves("gemini", "nested")
def test_gemini_takes_folders_below_once_a_file_there_is_used(world: World) -> None:
    world.write("GEMINI.md", "app/GEMINI.md", "app/ui/GEMINI.md", "lib/GEMINI.md")
    assert labels(world.run("gemini")) == ["GEMINI.md"]
    loaded = world.run("gemini", in_play=["app/ui/a.ts", "../outside/a.ts"])
    assert labels(loaded) == ["GEMINI.md", "app/GEMINI.md", "app/ui/GEMINI.md"]
    assert labels(loaded, "matched") == ["app/GEMINI.md", "app/ui/GEMINI.md"]


@proves("gemini", "imports")
def test_gemini_imports_five_hops_deep_within_the_project(world: World) -> None:
    world.write(
        "GEMINI.md",
        text="See @docs/1.md\n`@docs/code.md` (@docs/paren.md)\n@~/notes.md @../above.md\n"
        "@docs/b.md\n"
        "@docs/b.md @docs/missing.md @https://example.org/a.md\n",
    )
    world.write("docs/code.md", "docs/paren.md", "docs/b.md", "~/work/above.md", "~/notes.md")
    for hop in range(1, 7):
        world.write(f"docs/{hop}.md", text=f"@./{hop + 1}.md\n")
    loaded = world.run("gemini")
    hops = [f"docs/{hop}.md" for hop in range(1, 6)]
    assert labels(loaded) == ["GEMINI.md", *hops, "docs/b.md", "docs/b.md"]
    told = "\n".join(loaded.warnings)
    assert "above.md lies outside" in told
    assert "docs/missing.md" in told
    assert "notes.md" not in told


@proves("gemini", "no-limit")
def test_gemini_cuts_nothing(world: World) -> None:
    world.write("GEMINI.md", text="x" * MIB)
    loaded = world.run("gemini")
    assert kept(loaded) == {"GEMINI.md": (MIB, MIB)}
    assert loaded.cut is None


@proves("cursor", "agents")
def test_cursor_takes_agents_md_of_the_folders_that_are_worked_in(world: World) -> None:
    world.write("AGENTS.md", "app/AGENTS.md", "app/ui/AGENTS.md", "lib/AGENTS.md", "~/AGENTS.md")
    world.write("AGENTS.override.md", "AGENTS.local.md")
    loaded = world.run("cursor", "app")
    assert labels(loaded, "always") == ["AGENTS.md"]
    assert labels(loaded, "matched") == ["app/AGENTS.md"]
    loaded = world.run("cursor", in_play=["app/ui/a.ts"])
    assert labels(loaded, "matched") == ["app/AGENTS.md", "app/ui/AGENTS.md"]


@proves("cursor", "root-files")
def test_cursor_takes_claude_md_and_the_legacy_file_at_the_root_only(world: World) -> None:
    world.write("AGENTS.md", "CLAUDE.md", ".cursorrules", "app/CLAUDE.md", "CLAUDE.local.md")
    assert labels(world.run("cursor", "app")) == ["AGENTS.md", "CLAUDE.md", ".cursorrules"]


@proves("cursor", "rules")
def test_cursor_rules_apply_as_their_header_says(world: World) -> None:
    rules = {
        "always": "alwaysApply: true\nglobs: nothing.ts",
        "ts": "description: x\nglobs: app/**/*.ts, **/*.{tsx,jsx}\nalwaysApply: false",
        "listed": 'globs: ["*.py"]',
        "asked": "description: 'When it is about money'\nglobs:\nalwaysApply: false",
        "mentioned": "alwaysApply: 'true'",
    }
    for name, header in rules.items():
        world.write(f".cursor/rules/deep/{name}.mdc", text=f"---\n{header}\n---\ntext\n")
    world.write(".cursor/rules/plain.md", ".cursor/rules/bare.mdc")
    loaded = world.run("cursor", in_play=["app/deep/a.ts", "b.jsx", "c.py"])
    folder = ".cursor/rules/deep"
    assert labels(loaded, "always") == [f"{folder}/always.mdc"]
    assert labels(loaded, "matched") == [f"{folder}/listed.mdc", f"{folder}/ts.mdc"]
    demanded = [".cursor/rules/bare.mdc", f"{folder}/asked.mdc", f"{folder}/mentioned.mdc"]
    assert labels(loaded, "on demand") == demanded
    notes = {file.label: file.note for file in loaded.files}
    assert "description" in notes[f"{folder}/asked.mdc"]
    assert "mentioned" in notes[f"{folder}/mentioned.mdc"]
    assert any("plain.md" in line for line in loaded.warnings)
    assert f"{folder}/ts.mdc" in labels(world.run("cursor", in_play=["lib/a.ts"]), "on demand")
    assert labels(world.run("cursor", in_play=["b.jsx"]), "matched") == [f"{folder}/ts.mdc"]


@proves("chatcli", "hierarchy")
def test_chatcli_takes_the_global_file_and_one_with_companion_a_folder(world: World) -> None:
    world.write("~/.chatcli/AGENTS.md", "~/work/AGENTS.md", "AGENTS.override.md", "AGENTS.md")
    world.write("AGENTS.local.md", "CHATCLI.md", "a/CLAUDE.md", "a/CLAUDE.local.md", "a/MEMORO.md")
    world.write("a/b/CHATCLI.md", "a/b/CLAUDE.md", "a/b/c/MEMORO.md")
    assert labels(world.run("chatcli", "a/b/c")) == [
        "~/.chatcli/AGENTS.md",
        "AGENTS.override.md",
        "AGENTS.local.md",
        "a/CLAUDE.md",
        "a/CLAUDE.local.md",
        "a/b/CHATCLI.md",
    ]
    (world.repo / ".git").rmdir()
    (world.repo / ".git").write_text("gitdir: elsewhere")
    assert labels(world.run("chatcli", "a/b")) == ["~/.chatcli/AGENTS.md", "a/b/CHATCLI.md"]
    (world.repo / "a" / ".agent").mkdir()
    assert labels(world.run("chatcli", "a/b"))[1:] == [
        "CLAUDE.md",
        "CLAUDE.local.md",
        "b/CHATCLI.md",
    ]


@proves("chatcli", "further")
def test_chatcli_takes_four_more_files_from_the_root_or_the_global_folder(world: World) -> None:
    world.write(
        "~/.chatcli/SOUL.md", "SOUL.md", "~/.chatcli/USER.md", "RULES.md", "app/IDENTITY.md"
    )
    assert labels(world.run("chatcli", "app")) == ["SOUL.md", "~/.chatcli/USER.md", "RULES.md"]


@proves("chatcli", "imports")
def test_chatcli_imports_whole_lines_four_hops_deep(world: World) -> None:
    world.write(
        "AGENTS.md",
        text="  @docs/1.md\nsee @docs/inline.md\n```\n@docs/fenced.md\n```\n"
        "~~~\n@docs/tilde.md\n~~~\n"
        "@import docs/word.txt\n@docs/code.py\n@../above.md\n@docs/1.md\n",
    )
    world.write(
        "docs/inline.md", "docs/fenced.md", "docs/tilde.md", "docs/word.txt", "docs/code.py"
    )
    world.write("~/work/above.md")
    world.write("SOUL.md", text="@docs/word.txt\n")
    for hop in range(1, 6):
        world.write(f"docs/{hop}.md", text=f"@{hop + 1}.md\n")
    loaded = world.run("chatcli")
    assert labels(loaded) == [
        "AGENTS.md",
        *(f"docs/{hop}.md" for hop in range(1, 5)),
        "docs/tilde.md",
        "docs/word.txt",
        "SOUL.md",
        "docs/word.txt",
    ]
    assert any("above.md lies outside" in line for line in loaded.warnings)
    world.write("docs/word.txt", text="x" * 40 * KIB)
    assert kept(world.run("chatcli"))["docs/word.txt"] == (32 * KIB, 40 * KIB)


@proves("chatcli", "limit")
def test_chatcli_cuts_the_end_of_the_text_behind_a_line(world: World) -> None:
    world.write("AGENTS.md", text="x" * 99 + "\n")
    world.write("a/AGENTS.md", text=("y" * 999 + "\n") * 33)
    world.write("a/b/AGENTS.md", text="nearest")
    loaded = world.run("chatcli", "a/b")
    sizes = kept(loaded)
    assert sizes["AGENTS.md"] == (100, 100)
    assert sizes["a/AGENTS.md"] == (31_999, 33_000)
    assert sizes["a/b/AGENTS.md"] == (0, 7)
    world.write("AGENTS.md", text="é" * 20 * KIB)
    assert kept(world.run("chatcli"))["AGENTS.md"] == (32 * KIB, 40 * KIB)
    world.write("AGENTS.md", text="x" + "é" * 20 * KIB)
    assert kept(world.run("chatcli"))["AGENTS.md"] == (32 * KIB - 1, 40 * KIB + 1)


@proves("chatcli", "rules")
def test_chatcli_takes_the_rules_of_three_folders_and_the_highest_wins(world: World) -> None:
    world.write(
        "~/.chatcli/rules/a.md", "~/.chatcli/rules/b.md", ".claude/rules/a.md", "rules/z.md"
    )
    assert labels(world.run("chatcli")) == [
        ".claude/rules/a.md",
        "~/.chatcli/rules/b.md",
        "rules/z.md",
    ]
    world.write(".chatcli/rules/a.md", text="---\npaths: ['src/**/*.go', '*.sql']\n---\ntext")
    world.write(".chatcli/rules/c.md", text="---\npaths:\n- Src/**\n---\ntext")
    world.write(".chatcli/rules/d.md", text="---\npaths: src/**\n---\ntext")
    loaded = world.run("chatcli", in_play=["Src/deep/a.go"])
    assert labels(loaded, "always") == ["~/.chatcli/rules/b.md", ".chatcli/rules/d.md"]
    assert labels(loaded, "matched") == [".chatcli/rules/a.md"]
    assert labels(loaded, "on demand") == [".chatcli/rules/c.md"]
    assert labels(world.run("chatcli", in_play=["db/x.sql"]), "matched") == [".chatcli/rules/a.md"]
    assert labels(world.run("chatcli"), "matched") == []


@pytest.mark.requirement("Z12")
def test_every_rule_of_the_table_has_its_world() -> None:
    assert {(rule.tool, rule.name) for rule in RULES} == _proven
    assert {rule.tool for rule in RULES} == set(TOOLS)
    assert len({(rule.tool, rule.name) for rule in RULES}) == len(RULES)


@pytest.mark.requirement("Z12")
def test_the_documentation_has_the_table_that_is_implemented() -> None:
    page = PAGE.read_text(encoding="utf-8")
    starts = tuple(f"| {tool} |" for tool in TOOLS)
    assert [line for line in page.splitlines() if line.startswith(starts)] == list(rows())


@pytest.mark.requirement("Z12")
def test_the_tools_own_settings_are_read_from_the_persons_folders(world: World) -> None:
    assert configured(world.homes) == (Config(), ())
    world.write(
        "~/.codex/config.toml",
        text='project_doc_fallback_filenames = ["TEAM.md"]\nproject_doc_max_bytes = 10\n'
        "project_root_markers = []\n",
    )
    world.write(
        "~/.gemini/settings.json",
        text='{"context": {"fileName": "AGENTS.md", "memoryBoundaryMarkers": [".hg", 3]}}',
    )
    world.write(
        "~/.claude/settings.json",
        text='{"pluginConfigs": {"agents-md@builtin":'
        ' {"options": {"instructionFiles": "claude-md"}}}}',
    )
    config = Config("claude-md", ("TEAM.md",), 10, (), ("AGENTS.md",), (".hg",))
    assert configured(world.homes) == (config, ())


@pytest.mark.requirement("Z12")
@pytest.mark.parametrize(
    "text", ["{", "[]", '{"context": 3, "pluginConfigs": []}', "\0", "[" * 9999]
)
def test_broken_settings_of_tools_leave_the_defaults(world: World, text: str) -> None:
    world.write(
        "~/.codex/config.toml", "~/.gemini/settings.json", "~/.claude/settings.json", text=text
    )
    config, warnings = configured(world.homes)
    assert config == Config()
    assert all("\n" not in line for line in warnings)
    assert configured(Homes()) == (Config(), ())


@pytest.mark.requirement("Z12")
def test_usual_places_come_from_the_home_folder() -> None:
    homes = homes_of("/home/me/", codex="/opt/codex")
    assert homes.claude == "/home/me/.claude"
    assert homes.codex == "/opt/codex"
    assert homes.claude_managed
    assert homes_of(None)[:5] == (None, None, None, None, None)
    assert os.path.isabs(homes.claude_managed)

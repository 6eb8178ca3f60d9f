"""The blocks: which there are, in which order, and where each comes from."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NoReturn

import pytest
from bootstrap_worlds import World, build, names, prompt, text

from memoro.bootstrap.instructions import BootstrapOptions, load_instructions

FIVE = ["AGENTS.md", "SOUL.md", "USER.md", "IDENTITY.md", "RULES.md"]


@pytest.mark.requirement("B01")
def test_the_five_files_stand_in_their_order(world: World) -> None:
    for name in reversed(FIVE):
        world.put(f"work/{name}", f"text of {name}\n")
    found = world.load()
    assert names(found) == FIVE
    assert [block.heading for block in found.blocks] == [f"## {name}" for name in FIVE]
    assert found.blocks[1].rendered == "## SOUL.md\n\ntext of SOUL.md\n"
    assert [file.name for file in found.files] == FIVE
    assert found.warnings == ()


@pytest.mark.requirement("B01")
@pytest.mark.parametrize("name", FIVE)
def test_each_file_alone_is_enough(world: World, name: str) -> None:
    world.put(f"work/{name}", "alone\n")
    assert [(block.name, block.text) for block in world.load().blocks] == [(name, "alone\n")]


@pytest.mark.requirement("B01")
@pytest.mark.parametrize("name", ["agents.md", "Agents.md", "soul.md", "profile.md", "RULES.MD"])
def test_other_spellings_are_other_files(world: World, name: str) -> None:
    world.put(f"work/{name}", "no\n")
    assert world.load().blocks == ()


@pytest.mark.requirement("B01")
@pytest.mark.parametrize("blank", ["", "\n \t\n", "\ufeff", "\u200b\n", "\u00a0"])
@pytest.mark.parametrize("name", FIVE)
def test_a_blank_file_is_none(world: World, name: str, blank: str) -> None:
    path = world.put(f"work/{name}", blank)
    found = world.load()
    assert found.blocks == () and found.files == () and found.warnings == ()
    assert (str(path), "blank") in found.skipped


@pytest.mark.requirement("B02")
@pytest.mark.parametrize("name", ["IDENTITY.md", "RULES.md"])
def test_the_workspace_comes_before_home(world: World, name: str) -> None:
    world.put(f"home/.memoro/{name}", "global\n")
    assert text(world.load(), name) == "global\n"
    world.put(f"work/{name}", "mine\n")
    assert text(world.load(), name) == "mine\n"
    world.put(f"work/{name}", "\n")
    assert text(world.load(), name) == "global\n"


@pytest.mark.requirement("B02")
def test_only_the_root_counts_for_the_single_files(world: World) -> None:
    world.put("work/sub/RULES.md", "nested\n")
    world.put("work/RULES.md", "root\n")
    assert text(world.load("work/sub"), "RULES.md") == "root\n"


@pytest.mark.requirement("B02")
@pytest.mark.parametrize("name", ["SOUL.md", "USER.md"])
def test_homes_personal_files_are_left_to_their_own_reader(
    world: World, name: str, opened: list[str]
) -> None:
    path = world.put(f"home/.memoro/{name}", "personal\n")
    assert world.load().block(name) is None
    assert str(path) not in opened
    world.put(f"work/{name}", "of the project\n")
    assert text(world.load(), name) == "of the project\n"


@pytest.mark.requirement("B02")
def test_a_moved_global_folder_has_the_global_files(world: World) -> None:
    for name in [*FIVE, "rules/r.md"]:
        world.put(f"home/.memoro/{name}", f"home {name}\n")
        world.put(f"moved/{name}", f"moved {name}\n")
    found = world.load(global_dir=str(world.base / "moved"))
    assert names(found) == [*FIVE, "rules"]
    assert "home" not in prompt(found)
    # Where the moved folder has no personal file, HOME's own still counts.
    (world.base / "moved/SOUL.md").unlink()
    assert world.load(global_dir=str(world.base / "moved")).block("SOUL.md") is None


@pytest.mark.requirement("B02")
@pytest.mark.parametrize("folder", ["", "gone", "file"])
def test_without_a_global_folder_the_workspace_is_still_loaded(world: World, folder: str) -> None:
    world.put("work/AGENTS.md", "work\n")
    world.put("file")
    where = str(world.base / folder) if folder else ""
    found = world.load(global_dir=where, home=where or "/nowhere", user_home=None)
    assert text(found) == "work\n"


@pytest.mark.requirement("B03")
def test_the_root_is_stated_and_bounds_the_hierarchy(world: World) -> None:
    world.put("AGENTS.md", "above\n")
    world.put("work/AGENTS.md", "root\n")
    (world.work / "a/b").mkdir(parents=True)
    found = world.load("work/a/b")
    assert found.root == str(world.work)
    assert text(found) == "root\n"


@pytest.mark.requirement("B03")
def test_without_a_marker_the_current_folder_is_the_root(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.put("outer/AGENTS.md", "outer\n")
    world.put("outer/inner/AGENTS.md", "inner\n")
    found = world.load("outer/inner")
    assert (found.root, text(found)) == (str(tmp_path / "outer/inner"), "inner\n")


@pytest.mark.requirement("B03")
def test_homes_own_folder_makes_no_workspace(world: World) -> None:
    world.put("home/AGENTS.md", "home\n")
    (world.base / "home/desk").mkdir()
    assert world.load("home/desk").root == str(world.base / "home/desk")


@pytest.mark.requirement("B03", "B04")
def test_a_worktree_inside_its_repository_is_a_root_of_its_own(world: World) -> None:
    world.put("work/AGENTS.md", "MAIN-COPY\n")
    world.put("work/.memoro/rules/r.md", "MAIN-RULE\n")
    world.put("work/.worktrees/feat/.git", "gitdir: ../../.git/worktrees/feat\n")
    world.put("work/.worktrees/feat/AGENTS.md", "BRANCH-COPY\n")
    world.put("work/.worktrees/feat/.memoro/rules/r.md", "BRANCH-RULE\n")
    (world.work / ".worktrees/feat/sub").mkdir()
    found = world.load("work/.worktrees/feat/sub")
    assert found.root == str(world.work / ".worktrees/feat")
    assert prompt(found).count("BRANCH-COPY") == 1
    assert prompt(found).count("BRANCH-RULE") == 1
    assert "MAIN" not in prompt(found)


@pytest.mark.requirement("B19")
def test_switched_off_opens_and_lists_nothing(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [*FIVE, ".memoro/rules/r.md"]:
        world.put(f"work/{name}", "x\n")
        world.put(f"home/.memoro/{name}", "x\n")

    def refuse(*_: object, **__: object) -> NoReturn:
        raise AssertionError("read")

    for name in ("open", "listdir", "scandir"):
        monkeypatch.setattr(os, name, refuse)
    found = world.load(enabled=False)
    assert found == (str(world.work), (), (), (), ())


@pytest.mark.requirement("I05")
def test_only_the_rules_for_paths_change_with_the_paths(world: World) -> None:
    world.put("work/AGENTS.md", "a\n")
    world.put("work/.memoro/rules/always.md", "r\n")
    world.put("work/.memoro/rules/py.md", "---\npaths: '*.py'\n---\np\n")
    one = world.load(in_play=["x.py"])
    other = world.load(in_play=["x.md"])
    assert [block.stable for block in one.blocks] == [True, True, False]
    assert one.blocks[:2] == other.blocks
    assert one.blocks[2].name == "path rules"


@pytest.mark.requirement("B01")
def test_a_workspace_that_is_home_itself_loads_each_file_once(world: World) -> None:
    world.put("home/.memoro/AGENTS.md", "once\n")
    world.put("home/.memoro/SOUL.md", "soul\n")
    world.put("home/.memoro/rules/r.md", "rule\n")
    found = world.load("home/.memoro")
    assert prompt(found).count("once") == 1
    assert found.block("SOUL.md") is None
    assert prompt(found).count("rule\n") == 1


@pytest.mark.requirement("B04", "B13")
def test_a_user_home_that_is_a_repository_loads_global_files_once(tmp_path: Path) -> None:
    world = build(tmp_path)
    (tmp_path / "home/.git").mkdir()
    world.put("home/.memoro/rules/r.md", "RULE\n")
    world.put("home/.memoro/AGENTS.md", "GLOBAL\n")
    found = world.load("home/.memoro")
    assert prompt(found).count("RULE") == 1
    assert prompt(found).count("GLOBAL") == 1


def test_an_odd_cap_only_cuts(world: World) -> None:
    world.put("work/AGENTS.md", "line\n" * 9)
    for cap, kept in ((-1, ""), (0, ""), (1, "l"), (5, "line")):
        options = BootstrapOptions(str(world.home), str(world.home), cap_bytes=cap)
        found = load_instructions(str(world.work), options)
        assert text(found).split("<!--")[0].strip("\n") == kept
        assert "AGENTS.md" in text(found)

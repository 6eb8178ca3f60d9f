"""Why a file was or wasn't loaded, and what the listing says of those that were."""

from __future__ import annotations

import pytest
from bootstrap_worlds import World, text


@pytest.mark.requirement("B17")
def test_why_files_are_loaded(world: World) -> None:
    world.put("work/AGENTS.md", "@a.md\n")
    world.put("work/a.md", "A\n")
    world.put("work/AGENTS.local.md", "own\n")
    world.put("work/sub/AGENTS.override.md", "over\n")
    world.put("work/SOUL.md", "soul\n")
    world.put("work/.memoro/rules/r.md", "R\n")
    world.put("work/.memoro/rules/p.md", "---\npaths: '*.py'\n---\nP\n")
    reasons = {
        "AGENTS.md": "the instruction file of its folder",
        "a.md": f"imported by {world.work}/AGENTS.md",
        "AGENTS.local.md": "the companion of its folder's instruction file",
        "sub/AGENTS.override.md": "the override of its folder's instruction file",
        "SOUL.md": "the first one of its name",
        ".memoro/rules/r.md": "a rule without paths, which is always active",
        ".memoro/rules/p.md": "a path in play matches *.py",
    }
    for name, why in reasons.items():
        found = world.explain(f"work/{name}", "work/sub", ["x.py"])
        assert found == (str(world.work / name), True, why)


@pytest.mark.requirement("B17")
def test_why_files_are_not_loaded(world: World) -> None:
    for name, content in {
        "work/AGENTS.override.md": "over\n",
        "work/AGENTS.md": "shared\n",
        "work/CLAUDE.md": "claude\n",
        "work/CLAUDE.local.md": "own\n",
        "work/sub/AGENTS.md": "sub\n",
        "work/sub/AGENTS.local.md": "sub\n",
        "work/sub/RULES.md": "sub\n",
        "work/README.md": "readme\n",
        "work/agents.md": "small\n",
        "work/USER.md": "\n",
        "work/IDENTITY.md": "mine\n",
        "work/rules/r.md": "bare\n",
        "work/.memoro/rules/r.md": "---\npaths: '*.py'\n---\nP\n",
        "work/.memoro/rules/broken.md": "---\npaths:\n---\nP\n",
        "work/.memoro/rules/sub/r.md": "R\n",
        "work/.memoro/rules/r.txt": "R\n",
        "work/.claude/rules/r.md": "R\n",
        "work/bad.md": b"a\0b".decode(),
        "work/RULES.md": "@bad.md\n@../out.md\n",
        "out.md": "out\n",
        "home/.memoro/IDENTITY.md": "global\n",
        "home/.memoro/SOUL.md": "soul\n",
    }.items():
        world.put(name, content)
    reasons = {
        "work/AGENTS.md": "replaced by AGENTS.override.md in the same folder",
        "work/CLAUDE.md": "replaced by AGENTS.override.md in the same folder",
        "work/CLAUDE.local.md": "the file that it accompanies is not the one that counts",
        "work/sub/AGENTS.md": "not on the way from the root to the current folder",
        "work/sub/AGENTS.local.md": "not on the way from the root to the current folder",
        "work/sub/RULES.md": "only the one in the root, or the global one, counts",
        "work/README.md": "none of the names that are looked for",
        "work/agents.md": "none of the names that are looked for",
        "work/USER.md": "blank",
        "work/gone.md": "there is no such file",
        "work/sub": "a folder",
        "work/rules/r.md": "rules are read from .claude/rules, .memoro/rules",
        "work/.memoro/rules/r.md": "no path in play matches *.py",
        "work/.memoro/rules/broken.md": "header can't be understood: line 2, `paths` names no",
        "work/.memoro/rules/sub/r.md": "rules are not read from subfolders",
        "work/.memoro/rules/r.txt": "rules are files *.md",
        "work/.claude/rules/r.md": f"rule of the same name, {world.work}/.memoro/rules/r.md, wins",
        "work/bad.md": f"not imported by {world.work}/RULES.md: is not text: NUL byte",
        "out.md": f"not imported by {world.work}/RULES.md: lies outside",
        "home/.memoro/IDENTITY.md": f"{world.work}/IDENTITY.md comes first",
        "home/.memoro/SOUL.md": "a personal file, which is read by itself",
    }
    for name, why in reasons.items():
        found = world.explain(name)
        assert not found.loaded and why in found.why, (name, found.why)
        assert "\n" not in found.why


@pytest.mark.requirement("B17", "B02")
def test_a_personal_file_that_another_one_stands_for(world: World) -> None:
    world.put("home/.memoro/SOUL.md", "soul\n")
    world.put("work/SOUL.md", "soul\n")
    assert "stands for it" in world.explain("home/.memoro/SOUL.md").why
    moved = str(world.base / "moved")
    assert "stands for it" in world.explain("home/.memoro/SOUL.md", global_dir=moved).why
    (world.work / "SOUL.md").unlink()
    assert "by itself" in world.explain("home/.memoro/SOUL.md", global_dir=moved).why


@pytest.mark.requirement("B17", "B19")
def test_why_nothing_is_loaded_when_switched_off(world: World) -> None:
    world.put("work/AGENTS.md", "x\n")
    found = world.explain("work/AGENTS.md", enabled=False)
    assert not found.loaded and "MEMORO_BOOTSTRAP=off" in found.why


@pytest.mark.requirement("B17", "B08")
def test_what_was_cut_is_said(world: World) -> None:
    world.put("work/AGENTS.md", "far\n" * 20)
    world.put("work/a/AGENTS.md", "near\n" * 20)
    part = world.explain("work/AGENTS.md", "work/a", cap_bytes=160)
    assert part.loaded and part.why.endswith("; 44 bytes of it were cut")
    none = world.explain("work/AGENTS.md", "work/a", cap_bytes=100)
    assert not none.loaded and "all of it was cut" in none.why


@pytest.mark.requirement("B17")
def test_a_path_may_be_spelled_through_links_or_the_home_folder(world: World) -> None:
    world.put("work/AGENTS.md", "x\n")
    world.link("link", "work")
    assert world.explain("link/AGENTS.md").loaded
    assert world.explain("work/sub/../AGENTS.md").loaded
    from memoro.bootstrap.explain import explain

    assert explain("~/../work/AGENTS.md", str(world.work), world.options()).loaded
    assert explain("AGENTS.md", str(world.work), world.options()).loaded
    assert not explain("a\0b", str(world.work), world.options()).loaded


@pytest.mark.requirement("B17")
def test_the_listing_has_what_was_loaded_from_where_in_which_order(world: World) -> None:
    world.put("home/.memoro/AGENTS.md", "global é\n")
    world.put("work/AGENTS.md", "top\n@part.md\nend\n")
    world.put("work/part.md", "part\n")
    world.put("work/.memoro/rules/r.md", "---\npaths: ['*.py']\n---\nrule\n")
    found = world.load(in_play=["a.py"])
    assert [(file.path, file.name, file.size_bytes) for file in found.files] == [
        (str(world.home / "AGENTS.md"), "global AGENTS.md", 10),
        (str(world.work / "AGENTS.md"), "AGENTS.md", 17),
        (str(world.work / "part.md"), "part.md", 5),
        (str(world.work / ".memoro/rules/r.md"), ".memoro/rules/r.md", 29),
    ]
    in_block = [file for file in found.files if file.block == "AGENTS.md"]
    # All of a block but the blank line between its files belongs to one of them.
    assert sum(file.used_bytes for file in in_block) == len(text(found).encode()) - 1
    assert all(file.cut_bytes == 0 for file in found.files)

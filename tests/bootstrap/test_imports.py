"""Imports: what stands in the place of a line, how far it goes, and where it must not go."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from bootstrap_worlds import World, prompt, text

from memoro.bootstrap.instructions import FileCache


@pytest.mark.requirement("B09")
@pytest.mark.parametrize(
    "form", ["@docs/a.md", "@import docs/a.md", "  @./docs/a.md  ", "@import\tdocs/a.md"]
)
def test_a_line_is_replaced_by_the_files_text(world: World, form: str) -> None:
    world.put("work/AGENTS.md", f"before\n{form}\nafter\n")
    world.put("work/docs/a.md", "one\ntwo\n")
    found = world.load()
    assert text(found) == "before\n<!-- import docs/a.md -->\none\ntwo\nafter\n"
    assert [(file.name, file.kind, file.importer) for file in found.files] == [
        ("AGENTS.md", "shared", None),
        ("docs/a.md", "import", str(world.work / "AGENTS.md")),
    ]
    assert found.warnings == ()


@pytest.mark.requirement("B09")
@pytest.mark.parametrize("end", ["md", "mdx", "txt", "markdown", "MD"])
def test_text_files_are_imported(world: World, end: str) -> None:
    world.put("work/AGENTS.md", f"@a.{end}")
    world.put(f"work/a.{end}", "body")
    assert text(world.load()) == f"<!-- import a.{end} -->\nbody"


@pytest.mark.requirement("B09")
@pytest.mark.parametrize(
    "name",
    ["AGENTS.md", "sub/AGENTS.md", "AGENTS.local.md", "SOUL.md", "USER.md", "IDENTITY.md",
     "RULES.md", ".claude/rules/r.md", ".memoro/rules/r.md"],
)  # fmt: skip
def test_any_bootstrap_file_imports(world: World, name: str) -> None:
    world.put("work/AGENTS.md", "shared\n")
    path = world.put(f"work/{name}", "@part.md\n")
    path.with_name("part.md").write_text("PART\n")
    assert "-->\nPART\n" in prompt(world.load("work/sub" if "/AGENTS" in name else "work"))


@pytest.mark.requirement("B09")
def test_paths_may_be_absolute_or_from_the_home_folder(world: World) -> None:
    world.put("work/AGENTS.md", f"@{world.work}/abs.md\n@~/.memoro/notes.md\n@~/../work/up.md\n")
    world.put("work/abs.md", "ABS\n")
    world.put("work/up.md", "UP\n")
    world.put("home/.memoro/notes.md", "NOTES\n")
    assert text(world.load()) == (
        "<!-- import abs.md -->\nABS\n<!-- import global notes.md -->\nNOTES\n"
        "<!-- import up.md -->\nUP\n"
    )
    unknown = world.load(user_home=None)
    assert "@~/.memoro/notes.md\n" in text(unknown)
    assert "AGENTS.md:2: ~/.memoro/notes.md is not imported" in unknown.warnings[0]


@pytest.mark.requirement("B09", "B10")
def test_a_path_counts_from_the_file_that_names_it(world: World) -> None:
    world.put("work/AGENTS.md", "@docs/index.md\n")
    world.put("work/docs/index.md", "@leaf.md\n@docs/leaf2.md\n")
    world.put("work/docs/leaf.md", "LEAF-1\n")
    world.put("work/docs/leaf2.md", "LEAF-2\n")
    found = world.load()
    assert "LEAF-1" in text(found) and "LEAF-2" not in text(found)
    assert "@docs/leaf2.md\n" in text(found)
    assert found.warnings == (
        f"{world.work}/docs/index.md:2: no file to import at {world.work}/docs/docs/leaf2.md",
    )


@pytest.mark.requirement("B09")
def test_a_linked_file_imports_from_where_it_lies(world: World) -> None:
    world.put("work/shared/AGENTS.md", "@part.md\n")
    world.put("work/shared/part.md", "PART\n")
    world.link("work/AGENTS.md", "shared/AGENTS.md")
    assert "PART" in text(world.load())


@pytest.mark.requirement("B10")
@pytest.mark.parametrize("last", [4, 5])
def test_imports_go_four_hops(world: World, last: int) -> None:
    world.put("work/AGENTS.md", "@1.md\n")
    for hop in range(1, last + 1):
        world.put(f"work/{hop}.md", f"HOP-{hop}\n@{hop + 1}.md\n" if hop < last else "END\n")
    found = world.load()
    assert ("END" in text(found)) == (last == 4)
    assert ("@5.md\n" in text(found)) == (last == 5)
    assert len(found.warnings) == (last == 5)
    if last == 5:
        assert found.warnings[0].startswith(f"{world.work}/4.md:2: not imported, {world.work}/5.md")


@pytest.mark.requirement("B10")
def test_no_file_comes_twice_and_a_repetition_is_no_error(world: World) -> None:
    world.put("work/AGENTS.md", "@a.md\n@b.md\n@./a.md\n@c.md\n")
    world.put("work/a.md", "A\n")
    world.put("work/b.md", "@a.md\nB\n")
    world.link("work/c.md", "b.md")
    found = world.load()
    assert text(found) == (
        "<!-- import a.md -->\nA\n<!-- import b.md -->\n@a.md\nB\n@./a.md\n@c.md\n"
    )
    assert found.warnings == ()


@pytest.mark.requirement("B10")
def test_each_importing_file_has_its_own_imports(world: World) -> None:
    world.put("work/AGENTS.md", "@a.md\n")
    world.put("work/RULES.md", "@a.md\n")
    world.put("work/a.md", "A\n")
    assert prompt(world.load()).count("A\n") == 2


@pytest.mark.requirement("B10")
@pytest.mark.parametrize("cycle", [["AGENTS.md"], ["a.md", "AGENTS.md"], ["a.md", "b.md", "a.md"]])
def test_a_cycle_ends_with_one_line(world: World, cycle: list[str]) -> None:
    importing = "AGENTS.md"
    for target in cycle:
        world.put(f"work/{importing}", f"I am {importing}\n@{target}\n")
        importing = target
    found = world.load()
    assert text(found).count("I am AGENTS.md") == 1
    assert text(found).endswith(f"@{cycle[-1]}\n")
    assert len(found.warnings) == 1 and "imports itself" in found.warnings[0]


@pytest.mark.requirement("B10")
@pytest.mark.parametrize(
    "line",
    [
        "Write to ops@example.org or to the list (@lists.example.org) before a release.",
        "Document functions with @param, @returns and @throws.",
        "- @media rules live in app.css",
        "@see the wiki for more",
        "@decorator",
        "@router.post('/parcels')",
        "@scope/pkg",
        "@types/node",
        "@lists.example.org",
        "me@example.md",
        "@me@example.md",
        "@https://example.org/a.md",
        "@",
        "@import",
        "@import url(a.css);",
        "@import 'a.md';",
        "@docs/gone.md please",
        "see @docs/gone.md",
        "`@docs/gone.md`",
        "- @docs/gone.md",
        "> @docs/gone.md",
        "\\@docs/gone.md",
        "@docs/gone.mdc",
        "@" + "x" * 2_000 + ".md",
    ],
)
def test_other_lines_are_neither_touched_nor_warned_about(world: World, line: str) -> None:
    content = f"# Contacts\n{line}\n"
    world.put("work/AGENTS.md", content)
    found = world.load()
    assert text(found) == content
    assert found.warnings == ()


@pytest.mark.requirement("B10")
def test_lines_in_code_are_left_alone(world: World) -> None:
    content = (
        "# Example\n```python\n@router.post('/parcels')\n@docs/real.md\n```\n"
        "~~~\n@docs/real.md\n~~~\n\n    @docs/real.md\n\n@docs/real.md\n"
    )
    world.put("work/AGENTS.md", content)
    world.put("work/docs/real.md", "REAL-BODY-7f\n")
    found = world.load()
    expected = "<!-- import docs/real.md -->\nREAL-BODY-7f\n"
    assert text(found) == content.removesuffix("@docs/real.md\n") + expected
    assert found.warnings == ()


@pytest.mark.requirement("B11")
def test_an_import_does_not_leave_the_workspace(world: World) -> None:
    world.put("outside/secret.md", "SECRET-OUTSIDE\n")
    world.put("work/docs/real.md", "INSIDE-OK\n")
    world.link("work/docs/ext.md", world.base / "outside/secret.md")
    world.link("work/docs/dirlink", world.base / "outside")
    world.link("work/docs/in.md", "real.md")
    bad = [
        "@docs/ext.md",
        "@docs/dirlink/secret.md",
        "@../outside/secret.md",
        f"@{world.base}/outside/secret.md",
        "@docs/../../outside/secret.md",
        "@~/secret.md",
        "@../work-other/secret.md",
    ]
    world.put("home/secret.md", "SECRET-OUTSIDE\n")
    world.put("work-other/secret.md", "SECRET-OUTSIDE\n")
    world.put("work/AGENTS.md", "\n".join([*bad, "@docs/in.md", ""]))
    found = world.load()
    assert text(found) == "\n".join([*bad, "<!-- import docs/in.md -->", "INSIDE-OK", ""])
    assert [warning.split(": ")[0] for warning in found.warnings] == [
        f"{world.work}/AGENTS.md:{line}" for line in range(1, len(bad) + 1)
    ]
    assert all("lies outside" in warning for warning in found.warnings)


@pytest.mark.requirement("B11")
def test_a_global_file_imports_from_the_workspace_and_back(world: World) -> None:
    world.put("home/.memoro/AGENTS.md", "@style.md\n")
    world.put("home/.memoro/style.md", "STYLE\n")
    world.put("work/AGENTS.md", "@~/.memoro/more.md\n")
    world.put("home/.memoro/more.md", f"@{world.work}/back.md\n")
    world.put("work/back.md", "BACK\n")
    found = world.load()
    assert "STYLE" in text(found) and "BACK" in text(found)
    assert found.warnings == ()


@pytest.mark.requirement("B11")
def test_an_imported_file_is_capped_with_a_note(world: World) -> None:
    for length, noted in ((32_768, False), (32_769, True)):
        world.put("work/IDENTITY.md", "@big.md\n")
        world.put("work/big.md", ("x" * 31 + "\n") * 1023 + "y" * (length - 1023 * 32))
        found = world.load(cap_bytes=100_000)
        note = "<!-- cut to 32,768 bytes: big.md lost 33 bytes -->"
        assert (note in text(found, "IDENTITY.md")) == noted
        assert len(found.warnings) == noted
        assert found.files[1].cut_bytes == (33 if noted else 0)


@pytest.mark.requirement("B11")
@pytest.mark.parametrize("kind", ["folder", "fifo", "loop", "dangling", "device"])
def test_what_is_no_regular_file_is_not_imported(world: World, kind: str) -> None:
    target = world.work / "odd.md"
    if kind == "folder":
        target.mkdir()
    elif kind == "fifo":
        os.mkfifo(target)
    elif kind == "device":
        target.symlink_to("/dev/zero")
    else:
        target.symlink_to("odd.md" if kind == "loop" else "gone.md")
    world.put("work/AGENTS.md", "@odd.md\n")
    found = world.load()
    assert text(found) == "@odd.md\n"
    assert len(found.warnings) == 1 and "\n" not in found.warnings[0]
    assert f"{world.work}/AGENTS.md:1: not imported, {target}" in found.warnings[0]


def test_many_bad_imports_are_told_shortly(world: World) -> None:
    world.put("work/AGENTS.md", "".join(f"@gone{n}.md\n" for n in range(500)))
    found = world.load()
    assert len(found.warnings) == 21
    assert found.warnings[-1] == f"{world.work}/AGENTS.md: 480 more lines import nothing"


def test_imports_that_would_be_cut_anyway_are_not_read(world: World, opened: list[str]) -> None:
    world.put("work/AGENTS.md", "".join(f"@{n}.md\n" for n in range(400)))
    for n in range(400):
        Path(world.work / f"{n}.md").write_text("x" * 999 + "\n")
    found = world.load()
    assert 32 < len(opened) < 40
    assert "AGENTS.md lost" in found.warnings[0]


@pytest.mark.requirement("B12")
def test_a_changed_import_is_seen_through_the_cache(world: World) -> None:
    cache = FileCache()
    world.put("work/AGENTS.md", "@a.md\n")
    for content in ("one\n", "two\n", "three\n"):
        world.put("work/a.md", content)
        assert content in text(world.load(cache=cache))
    (world.work / "a.md").unlink()
    assert text(world.load(cache=cache)) == "@a.md\n"

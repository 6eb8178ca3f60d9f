"""The hierarchy of AGENTS.md: which file of each folder, and what is cut when it is too long."""

from __future__ import annotations

import pytest
from bootstrap_worlds import World, text

NOTE = "<!-- cut to 32,768 bytes: "


def body(found_text: str) -> str:
    """A block's text without the note on what was cut."""
    return found_text.split("\n" + NOTE)[0]


@pytest.mark.requirement("B04", "B07")
def test_global_first_then_from_the_root_down(world: World) -> None:
    world.put("home/.memoro/AGENTS.md", "global\n")
    world.put("work/AGENTS.md", "root\n")
    world.put("work/a/b/AGENTS.md", "deep\n")
    world.put("work/other/AGENTS.md", "aside\n")
    world.put("work/a/b/c/AGENTS.md", "below\n")
    assert text(world.load("work/a/b")) == (
        "<!-- global AGENTS.md -->\nglobal\n\nroot\n\n<!-- a/b/AGENTS.md -->\ndeep\n"
    )


@pytest.mark.requirement("B04")
def test_the_nested_file_follows_the_roots_import(world: World) -> None:
    world.put("work/AGENTS.md", "@RULES-EXTRA.md\n\nroot text\n")
    world.put("work/RULES-EXTRA.md", "CANARY-ROOT-RULES\n")
    world.put("work/sub/deep/AGENTS.md", "DEEP-LOCAL\n")
    assert "CANARY-ROOT-RULES" in text(world.load())
    found = text(world.load("work/sub/deep"))
    assert found.index("CANARY-ROOT-RULES") < found.index("<!-- sub/deep/AGENTS.md -->\nDEEP-LOCAL")


@pytest.mark.requirement("B05")
@pytest.mark.parametrize("folder", ["work", "work/sub", "home/.memoro"])
def test_the_first_of_the_names_counts_in_each_folder(world: World, folder: str) -> None:
    ranked = ["AGENTS.override.md", "AGENTS.md", "MEMORO.md", "CLAUDE.md", "GEMINI.md", "X.md"]
    (world.work / "sub").mkdir()
    found = world.load("work/sub")
    for name in reversed(ranked):
        world.put(f"{folder}/{name}", f"this is {name}\n")
        found = world.load("work/sub", fallback_names=("GEMINI.md", "X.md"))
        assert [line for line in text(found).split("\n") if line.startswith("this")] == [
            f"this is {name}"
        ]
    reasons = {skipped.path.rsplit("/", 1)[1]: skipped.why for skipped in found.skipped}
    assert reasons["AGENTS.md"] == "replaced by AGENTS.override.md in the same folder"


@pytest.mark.requirement("B05")
def test_fallback_names_stay_unread_without_being_configured(world: World) -> None:
    world.put("work/GEMINI.md", "no\n")
    assert world.load().blocks == ()


@pytest.mark.requirement("B05")
@pytest.mark.parametrize("name", ["", ".", "..", "../outside.md", "a/b.md", "/etc/hostname", "x\0"])
def test_a_fallback_name_is_a_file_name(world: World, name: str) -> None:
    world.put("outside.md", "SECRET\n")
    world.put("work/a/b.md", "SECRET\n")
    found = world.load(fallback_names=(name,))
    assert found.blocks == ()
    assert len(found.warnings) == 1 and repr(name) in found.warnings[0]


@pytest.mark.requirement("B05")
@pytest.mark.parametrize("name", ["AGENTS.override.md", "AGENTS.md", "MEMORO.md"])
@pytest.mark.parametrize("flaw", ["blank", "folder", "utf16"])
def test_a_file_that_says_nothing_gives_way_to_the_next(world: World, name: str, flaw: str) -> None:
    world.put("work/CLAUDE.md", "next\n")
    if flaw == "folder":
        (world.work / name).mkdir()
    else:
        world.put(f"work/{name}", "\n" if flaw == "blank" else "hé".encode("utf-16-le"))
    found = world.load()
    assert text(found) == "next\n"
    assert len(found.warnings) == (flaw != "blank")


@pytest.mark.requirement("B06", "B07")
@pytest.mark.parametrize(
    ("shared", "own"),
    [
        ("AGENTS.md", "AGENTS.local.md"),
        ("AGENTS.override.md", "AGENTS.local.md"),
        ("MEMORO.md", "MEMORO.local.md"),
        ("CLAUDE.md", "CLAUDE.local.md"),
        ("RULES-X.txt", "RULES-X.local.md"),
    ],
)
def test_the_companion_follows_its_shared_file(world: World, shared: str, own: str) -> None:
    for folder in ("home/.memoro", "work", "work/sub"):
        world.put(f"{folder}/{shared}", f"shared {folder}\n")
        world.put(f"{folder}/{own}", f"own {folder}\n")
    found = world.load("work/sub", fallback_names=("RULES-X.txt",))
    assert text(found) == (
        f"<!-- global {shared} -->\nshared home/.memoro\n\n"
        f"<!-- global {own} -->\nown home/.memoro\n\n"
        f"shared work\n\n<!-- {own} -->\nown work\n\n"
        f"<!-- sub/{shared} -->\nshared work/sub\n\n<!-- sub/{own} -->\nown work/sub\n"
    )
    assert [file.kind for file in found.files[2:4]] == [
        "override" if "override" in shared else "shared",
        "companion",
    ]


@pytest.mark.requirement("B06")
def test_a_companion_without_its_shared_file_is_not_loaded(world: World) -> None:
    world.put("work/AGENTS.local.md", "alone\n")
    world.put("work/CLAUDE.md", "claude\n")
    assert text(world.load()) == "claude\n"


@pytest.mark.requirement("B04", "B05")
def test_a_link_to_the_other_name_is_loaded_once(world: World) -> None:
    world.put("work/AGENTS.md", "once\n")
    world.link("work/CLAUDE.md", "AGENTS.md")
    world.link("work/sub/AGENTS.md", "../AGENTS.md")
    found = world.load("work/sub")
    assert text(found).count("once") == 1
    assert found.warnings == ()


@pytest.mark.requirement("B04", "B10")
def test_a_nested_file_that_imports_its_parent_brings_it_once(world: World) -> None:
    world.put("work/AGENTS.md", "PARENT\n")
    world.put("work/AGENTS.local.md", "@AGENTS.md\nOWN\n")
    world.put("work/sub/AGENTS.md", "@../AGENTS.md\nNEAR\n")
    found = world.load("work/sub")
    assert text(found).count("PARENT") == 1 and found.warnings == ()


@pytest.mark.requirement("B05", "B10")
def test_an_override_may_import_what_it_replaces(world: World) -> None:
    world.put("work/AGENTS.md", "SHARED\n")
    world.put("work/AGENTS.override.md", "@AGENTS.md\nMINE\n")
    assert text(world.load()) == "<!-- import AGENTS.md -->\nSHARED\nMINE\n"
    assert world.explain("work/AGENTS.md").loaded


@pytest.mark.requirement("B08")
def test_the_least_specific_text_goes_first_and_the_nearest_stays(world: World) -> None:
    root = "".join(f"rule {i:05} keep this line whole\n" for i in range(930))
    nested = "".join(f"nested {i:05} keep this line whole\n" for i in range(170))
    nested += "NEVER-DEPLOY-ON-FRIDAY\n"
    world.put("work/AGENTS.md", root)
    world.put("work/sub/AGENTS.md", nested)
    found = world.load("work/sub")
    assert len(body(text(found))) <= 32_768
    assert nested in text(found)
    # What remains of the root's file is its beginning, in whole lines.
    kept = text(found).split("\n<!-- sub/AGENTS.md -->")[0]
    assert root.startswith(kept) and kept.endswith("\n")
    lost = len(root) - len(kept)
    assert found.files[0].cut_bytes == lost and found.files[1].cut_bytes == 0
    assert len(body(text(found))) + 34 > 32_768
    assert text(found).endswith(f"\n\n{NOTE}AGENTS.md lost {lost:,} bytes -->\n")
    assert len(found.warnings) == 1 and "AGENTS.md lost" in found.warnings[0]


@pytest.mark.requirement("B08")
def test_a_folder_loses_all_before_the_next_one_loses_a_line(world: World) -> None:
    world.put("home/.memoro/AGENTS.md", "global\n" * 100)
    world.put("work/AGENTS.md", "root\n" * 100)
    world.put("work/AGENTS.local.md", "local\n" * 100)
    world.put("work/a/AGENTS.md", "near\n" * 100)
    whole = "<!-- a/AGENTS.md -->\n" + "near\n" * 100
    for cap, kept in (
        (len(whole), whole),
        (len(whole) + 31, whole),
        (len(whole) + 40, "<!-- AGENTS.local.md -->\n" + "local\n" * 2 + "\n" + whole),
        (len(whole) + 60, "<!-- AGENTS.local.md -->\n" + "local\n" * 5 + "\n" + whole),
        (len(whole) - 1, whole.removesuffix("near\n")),
        (len(whole) - 5, whole.removesuffix("near\n")),
        (len(whole) - 6, whole.removesuffix("near\nnear\n")),
    ):
        found = text(world.load("work/a", cap_bytes=cap))
        assert found.split("\n<!-- cut to")[0] == kept
        assert "global AGENTS.md lost 700 bytes" in found


@pytest.mark.requirement("B08")
@pytest.mark.parametrize(("length", "noted"), [(32_767, False), (32_768, False), (32_769, True)])
@pytest.mark.parametrize("end", ["\n", "x"])
def test_the_cap_is_exact(world: World, length: int, noted: bool, end: str) -> None:
    lines = "".join(f"rule {i:05} keep this line whole\n" for i in range(3000))
    content = lines[: length - 1] + end
    world.put("work/AGENTS.md", content)
    found = world.load()
    assert (NOTE in text(found)) == noted == bool(found.warnings)
    if not noted:
        assert text(found) == content


@pytest.mark.requirement("B08")
def test_comments_and_blank_lines_count(world: World) -> None:
    world.put("home/.memoro/AGENTS.md", "g\n")
    world.put("work/AGENTS.md", "r\n")
    whole = text(world.load())
    assert text(world.load(cap_bytes=len(whole))) == whole
    assert "global AGENTS.md lost 2 bytes" in text(world.load(cap_bytes=len(whole) - 1))


@pytest.mark.requirement("B08")
@pytest.mark.parametrize(
    "content",
    [
        "x\n" + "每条说明都要执行\n" * 3000,
        "é👩‍👩‍👧‍👦\n" * 1600,
        "x" + "程" * 13_500,
        "xy" + "😀" * 9_000,
        "short\n" + "程" * 13_500,
        "a\n" * 9_000 + "程" * 13_500,
    ],
)
def test_the_cut_goes_through_no_character(world: World, content: str) -> None:
    world.put("work/AGENTS.md", content)
    found = world.load()
    kept = body(text(found))
    assert content.startswith(kept.rstrip("\n"))
    assert "\ufffd" not in kept
    assert len(kept.encode()) <= 32_769
    # Only a line that is longer than the cap is cut inside.
    assert len(kept.encode()) > 32_768 - 60
    assert NOTE in text(found)
    assert world.load() == found


@pytest.mark.requirement("B08")
def test_imports_count_for_the_file_that_brings_them(world: World) -> None:
    world.put("work/AGENTS.md", "head\n@big.md\ntail\n")
    world.put("work/big.md", "0123456789\n" * 50)
    world.put("work/sub/AGENTS.md", "near\n")
    found = world.load("work/sub", cap_bytes=200)
    assert len(text(found).split("\n<!-- cut")[0]) <= 200
    assert "big.md lost" in text(found) and "AGENTS.md lost" in text(found)
    agents, big, near = found.files
    assert agents.used_bytes == len("head\n") and agents.cut_bytes == len("\ntail\n")
    assert big.used_bytes + big.cut_bytes == len("<!-- import big.md -->\n") + 50 * 11 - 1
    assert near.cut_bytes == 0


@pytest.mark.requirement("B08")
def test_far_files_are_not_opened_once_the_cap_is_full(world: World, opened: list[str]) -> None:
    far = world.put("work/AGENTS.md", "far\n")
    world.put("work/a/AGENTS.md", "near\n" * 7000)
    found = world.load("work/a")
    assert str(far) not in opened and len(opened) == 1
    assert NOTE + "AGENTS.md lost 4 bytes, a/AGENTS.md lost" in text(found)
    assert found.files[0].used_bytes == 0


@pytest.mark.requirement("B08")
def test_a_note_names_at_most_ten_files(world: World) -> None:
    folder = "work"
    for depth in range(15):
        folder += f"/{depth}"
        world.put(f"{folder}/AGENTS.md", "x\n" * 40)
    note = text(world.load(folder, cap_bytes=180)).split("<!-- cut")[1]
    assert note.count(" lost ") == 10 and "4 more files" in note

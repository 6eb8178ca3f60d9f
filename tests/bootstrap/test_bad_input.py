"""Whatever lies around: never a crash, never a wait, one line each."""

from __future__ import annotations

import os
import subprocess

import pytest
from bootstrap_worlds import World, prompt, text

from memoro.bootstrap.instructions import BootstrapOptions, load_instructions


@pytest.mark.requirement("B16")
@pytest.mark.parametrize(
    ("content", "warned"),
    [
        ("# ok\n".encode("utf-16"), False),
        (b"\xef\xbb\xbf# ok\r\n", False),
        (b"# ok\r\n\r\n", False),
        ("# ok é".encode("latin-1"), True),
        (b"# ok \0", True),
        (b"# ok\n```\nunclosed\n@gone.md\n", False),
        (b"# ok\n@AGENTS.md\n", True),
        (b"# ok\n@../AGENTS.md\n", True),
        (b"# ok\n@/etc/passwd.md\n", True),
        (b"# ok\n@a//b/../../../../x.md\n", True),
        (b"\xff" * 100, True),
        (b"\xc3", True),
        (b"\xff\xfe\x00", True),
        (b"\xff\xfe\x00\xd8", True),
    ],
)
def test_odd_contents(world: World, content: bytes, warned: bool) -> None:
    world.put("work/AGENTS.md", content)
    found = world.load()
    prompt(found).encode()
    assert len(found.warnings) == warned
    assert all("\n" not in warning for warning in found.warnings)


@pytest.mark.requirement("B16")
def test_a_folder_that_is_gone(world: World) -> None:
    found = world.load("gone/further")
    assert found.blocks == () and found.warnings == ()


@pytest.mark.requirement("B16")
@pytest.mark.parametrize("home", ["", "/nonexistent/x", "/dev/null"])
def test_a_missing_home(world: World, home: str) -> None:
    world.put("work/AGENTS.md", "ok\n@~/x.md\n")
    found = load_instructions(str(world.work), BootstrapOptions(home, home))
    assert text(found).startswith("ok\n")
    assert len(found.warnings) == 1


@pytest.mark.requirement("B16")
def test_what_may_not_be_read_is_told_once(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AGENTS.md", "RULES.md", "rules/r.md"):
        world.put(f"home/.memoro/{name}", "x\n")
    world.put("work/AGENTS.md", "ok\n")
    real_access = os.access

    def access(path: str, mode: int) -> bool:
        return str(path) != str(world.home) and real_access(path, mode)

    monkeypatch.setattr(os, "access", access)
    found = world.load()
    assert prompt(found) == "## AGENTS.md\n\nok\n"
    assert found.warnings == (f"{world.home} can't be entered; nothing is read from there",)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_unreadable_files(world: World) -> None:
    path = world.put("work/AGENTS.md", "x\n")
    path.chmod(0)
    found = world.load()
    assert found.blocks == ()
    assert found.warnings == (f"{path} can't be read: Permission denied; skipped",)


@pytest.mark.requirement("B04")
def test_ten_thousand_nested_folders(world: World) -> None:
    world.put("work/AGENTS.md", "root\n")
    world.put("work/d/d/AGENTS.md", "third\n")
    here = os.getcwd()
    top = world.work / "d" / "d"
    try:
        os.chdir(top)
        for _ in range(10_000):
            os.mkdir("d")
            os.chdir("d")
        found = world.load("work/d/d" + "/d" * 10_000)
        assert found.root == str(world.work)
        assert "root\n" in text(found) and "third\n" in text(found)
    finally:
        os.chdir(here)
        # Too deep for one path, and for the recursion of `shutil.rmtree`.
        subprocess.run(["rm", "-rf", str(top)], check=True)


@pytest.mark.requirement("B16")
def test_odd_file_names(world: World) -> None:
    for raw in (b"\xff.md", b"a\nb.md", b"-->.md", b"\xe2\x80\xae.md"):
        folder = os.fsencode(world.work / ".memoro/rules")
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, raw), "w") as file:
            file.write("@gone.md\n")
    world.put("work/AGENTS.md", "@gone\udcff.md\n".encode("utf-8", "surrogateescape"))
    found = world.load()
    prompt(found).encode()
    for warning in found.warnings:
        warning.encode()
        assert warning.isprintable()


def test_a_thousand_rules_and_files(world: World) -> None:
    for number in range(1_000):
        world.put(f"work/.memoro/rules/{number}.md", "---\npaths: 'x/*.py'\n---\nR\n")
    assert world.load(in_play=["y.py"]).blocks == ()

"""A disk that is full, or can't be written, on the way out and on the way in."""

from __future__ import annotations

import os
import resource
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from commands.exported import EMPTY, NOON
from memoro import Memory, Turn
from running import Memoro, Ran

Disk = Callable[[str], Path]


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    """Makes a small disk, in memory, of that size."""
    mounted: list[Path] = []

    def make(options: str) -> Path:
        place = tmp_path / f"disk{len(mounted)}"
        place.mkdir()
        done = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(place)],
            capture_output=True,
            check=False,
        )
        if done.returncode:
            pytest.skip("only root can mount a disk")
        mounted.append(place)
        return place

    yield make
    for place in mounted:
        subprocess.run(["umount", "-l", str(place)], check=True)


def grow(place: Path, size: str) -> None:
    subprocess.run(["mount", "-o", f"remount,size={size}", str(place)], check=True)


@pytest.fixture
def filled(memoro: Memoro) -> Memoro:
    """A memory whose export has more than a megabyte."""
    memoro.env["MEMORO_MIRROR"] = "off"
    with Memory.open(memoro.home) as memory:
        memory.remember("tone", "brief")
        said = "what is said at length, " * 40
        turns = [Turn("user", f"{number}: {said}", NOON) for number in range(1_000)]
        memory.archive("a long talk", turns)
    return memoro


@pytest.mark.requirement("M06")
@pytest.mark.parametrize("name", ["out.jsonl", "out.jsonl.gz"])
def test_an_export_onto_a_full_disk_leaves_nothing(filled: Memoro, disk: Disk, name: str) -> None:
    place = disk("size=8k")
    ran = filled("export", "--out", str(place / name))
    assert ran.code == 1
    assert "No space left on device; there is no half of it" in ran.err
    assert "Traceback" not in ran.err
    assert os.listdir(place) == []
    # What stood there before stays.
    (place / name).write_text("kept", encoding="utf-8")
    assert filled("export", "--out", str(place / name), "--force").code == 1
    assert os.listdir(place) == [name]
    assert (place / name).read_text(encoding="utf-8") == "kept"


@pytest.mark.requirement("M06")
def test_an_export_onto_a_disk_that_can_not_be_written_says_so(filled: Memoro, disk: Disk) -> None:
    place = disk("ro")
    ran = filled("export", "--out", str(place / "out.jsonl"))
    assert (ran.code, "Read-only file system" in ran.err) == (1, True)
    assert "--out" in ran.err and "Traceback" not in ran.err


def at_most(size: int) -> Callable[[], None]:
    """No file may grow beyond that: as a full disk for whoever may mount none."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return limit


def limited(memoro: Memoro, size: int, *words: str, **env: str) -> Ran:
    ended = subprocess.run(
        memoro.command(*words),
        env={**memoro.env, **env},
        cwd=memoro.folder,
        preexec_fn=at_most(size),
        capture_output=True,
        check=False,
        timeout=120,
    )
    return Ran(ended.returncode, ended.stdout.decode(), ended.stderr.decode())


@pytest.mark.requirement("M06")
def test_a_file_that_may_not_grow_is_not_left_by_half(filled: Memoro, tmp_path: Path) -> None:
    place = tmp_path / "out"
    place.mkdir()
    ran = limited(filled, 100_000, "export", "--out", str(place / "out.jsonl"))
    assert (ran.code, "there is no half of it" in ran.err) == (1, True)
    assert os.listdir(place) == []


@pytest.mark.requirement("M06")
def test_what_was_printed_onto_a_full_disk_is_no_export(filled: Memoro, disk: Disk) -> None:
    out = disk("size=256k") / "out.jsonl"
    with out.open("wb") as file:
        ended = subprocess.run(
            filled.command("export"),
            env=filled.env,
            cwd=filled.folder,
            stdout=file,
            stderr=subprocess.PIPE,
            check=False,
            timeout=120,
        )
    assert ended.returncode == 1
    assert b"the output can't be written: No space left on device" in ended.stderr
    refused = filled("import", str(out), env={"MEMORO_HOME": str(filled.root / "other")})
    assert (refused.code, "is not whole: it was cut off" in refused.err) == (1, True)


@pytest.mark.requirement("M06")
@pytest.mark.parametrize("size", ["900k", "2400k"])
def test_a_restore_onto_a_full_disk_changes_nothing(
    filled: Memoro, disk: Disk, tmp_path: Path, size: str
) -> None:
    out = tmp_path / "out.jsonl"
    filled.ok("export", "--out", str(out))
    place = disk("size=64m")
    env = {"MEMORO_HOME": str(place / "home"), "MEMORO_MIRROR": "off"}
    filled.ok("memory", "list", env=env)
    made = filled("memory", "forget", "nothing", env=env)
    assert made.code == 3
    grow(place, size)
    ran = filled("import", str(out), env=env)
    assert ran.code == 1, ran
    assert "the disk is full" in ran.err and "free some space" in ran.err
    assert "Traceback" not in ran.err
    assert [name for name in os.listdir(place / "home") if "partial" in name] == []
    grow(place, "64m")
    assert filled.ok("export", env=env).out == EMPTY
    assert filled("doctor", env=env).code == 0
    filled.ok("import", str(out), env=env)
    assert filled.ok("export", env=env).out == out.read_text(encoding="utf-8")


@pytest.mark.requirement("M06")
@pytest.mark.parametrize("size", [200_000, 700_000])
def test_a_restore_whose_files_may_not_grow_changes_nothing(
    filled: Memoro, tmp_path: Path, size: int
) -> None:
    out, env = tmp_path / "out.jsonl", {"MEMORO_HOME": str(tmp_path / "other")}
    filled.ok("export", "--out", str(out))
    filled("memory", "forget", "nothing", env=env)
    ran = limited(filled, size, "import", str(out), **env)
    assert ran.code == 1
    assert "Traceback" not in ran.err and ran.err.startswith("memoro: ")
    assert filled.ok("export", env=env).out == EMPTY


@pytest.mark.requirement("M06")
def test_joining_on_a_full_disk_changes_nothing(filled: Memoro, disk: Disk, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    filled.ok("export", "--out", str(out))
    place = disk("size=64m")
    env = {"MEMORO_HOME": str(place / "home"), "MEMORO_MIRROR": "off"}
    filled.ok("memory", "remember", "mine", "here", env=env)
    before = filled.ok("export", env=env).out
    grow(place, "3m")
    ran = filled("import", str(out), env=env)
    assert (ran.code, "the disk is full" in ran.err) == (1, True)
    grow(place, "64m")
    assert filled.ok("export", env=env).out == before
    assert filled("doctor", env=env).code == 0

"""The cache: used where a file can't have changed, and never a reason to miss a change."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from bootstrap_worlds import World, prompt, text

from memoro.bootstrap.instructions import FileCache
from memoro.bootstrap.reading import cache as cache_module
from memoro.bootstrap.reading.cache import Stamp, file_time_ns, stamp


def settle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the files seem to be older than any tick."""
    later = file_time_ns() + 10_000_000_000
    monkeypatch.setattr("memoro.bootstrap.reading.source.file_time_ns", lambda: later)


@pytest.mark.requirement("B15", "B12")
def test_unchanged_files_are_not_opened_again(
    world: World, opened: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    world.put("work/AGENTS.md", "@a.md\n")
    world.put("work/a.md", "A\n")
    world.put("work/.memoro/rules/r.md", "R\n")
    settle(monkeypatch)
    cache = FileCache()
    first = world.load(cache=cache)
    assert sorted(map(os.path.basename, opened)) == ["AGENTS.md", "a.md", "r.md"]
    opened.clear()
    assert world.load(cache=cache) == first
    assert opened == []
    world.put("work/a.md", "B\n")
    assert "B\n" in text(world.load(cache=cache))
    assert opened == [str(world.work / "a.md")]


@pytest.mark.requirement("B15")
def test_a_file_that_has_just_changed_is_not_trusted(world: World, opened: list[str]) -> None:
    world.put("work/AGENTS.md", "A\n")
    cache = FileCache()
    world.load(cache=cache)
    world.load(cache=cache)
    assert opened == [str(world.work / "AGENTS.md")] * 2


@pytest.mark.requirement("B15", "B12")
@pytest.mark.parametrize(
    "name",
    ["work/AGENTS.md", "home/.memoro/AGENTS.md", "work/AGENTS.local.md", "work/RULES.md",
     "work/part.md", "work/.memoro/rules/r.md"],
)  # fmt: skip
def test_edits_of_the_same_size_within_the_same_instant_are_seen(world: World, name: str) -> None:
    world.put("work/AGENTS.md", "@part.md\n")
    cache = FileCache()
    for number in range(100, 160):
        world.put(name, f"EDIT-{number}\n@part.md\n")
        found = prompt(world.load(cache=cache))
        assert f"EDIT-{number}" in found and found.count("EDIT-") == 1


@pytest.mark.requirement("B15")
@pytest.mark.parametrize("how", ["rename", "older", "times kept"])
def test_a_replaced_file_is_seen(world: World, how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = world.put("work/AGENTS.md", "one\n")
    settle(monkeypatch)
    cache = FileCache()
    assert text(world.load(cache=cache)) == "one\n"
    before = path.stat()
    if how == "rename":
        world.put("work/new", "two\n").rename(path)
    else:
        path.write_text("two\n")
    if how != "older":
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    else:
        os.utime(path, (1, 1))
    assert text(world.load(cache=cache)) == "two\n"


@pytest.mark.requirement("B15")
def test_new_and_deleted_files_are_seen(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    settle(monkeypatch)
    cache = FileCache()
    (world.work / "sub").mkdir()
    assert world.load("work/sub", cache=cache).blocks == ()
    made: list[Path] = []
    for name in ("CLAUDE.md", "AGENTS.md", "AGENTS.local.md", "sub/AGENTS.md", "SOUL.md",
                 ".claude/rules/x.md", ".memoro/rules/x.md", "AGENTS.override.md"):  # fmt: skip
        made.append(world.put(f"work/{name}", f"text of {name}\n"))
        assert f"text of {name}" in prompt(world.load("work/sub", cache=cache))
    for path in reversed(made):
        assert f"text of {path.relative_to(world.work)}" in prompt(
            world.load("work/sub", cache=cache)
        )
        path.unlink()
        assert f"text of {path.relative_to(world.work)}" not in prompt(
            world.load("work/sub", cache=cache)
        )
    assert world.load("work/sub", cache=cache).blocks == ()


@pytest.mark.requirement("B15", "B18")
def test_other_options_are_other_readings(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.put("work/AGENTS.md", "<system>\n")
    settle(monkeypatch)
    cache = FileCache()
    assert "BLOCKED" in text(world.load(cache=cache))
    assert text(world.load(cache=cache, threat_scan=False)) == "<system>\n"
    assert "BLOCKED" in text(world.load(cache=cache))


@pytest.mark.requirement("B15")
def test_a_warning_comes_again_with_the_cached_file(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.put("work/AGENTS.md", b"caf\xe9\n")
    world.put("work/SOUL.md", b"a\0b")
    settle(monkeypatch)
    cache = FileCache()
    first = world.load(cache=cache)
    assert len(first.warnings) == 2
    assert world.load(cache=cache) == first


def test_the_cache_does_not_grow_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_module, "_MOST_ENTRIES", 10)
    kept = cache_module.FileCache[str]()
    old = Stamp(1, 1, 1, 1, 1)
    for number in range(100):
        kept.put((number,), old, "x", 10_000_000_000)
    assert kept.get((99,), old) == "x"
    assert sum(kept.get((number,), old) is not None for number in range(100)) <= 10


def test_a_stamp_of_the_coming_seconds_is_not_trusted(tmp_path: Path) -> None:
    kept = cache_module.FileCache[str]()
    path = tmp_path / "x"
    path.write_text("x")
    now = stamp(path.stat())
    kept.put(("x",), now, "x", file_time_ns())
    assert kept.get(("x",), now) is None
    kept.put(("x",), now, "x", now.changed_ns + 2_000_000_000)
    assert kept.get(("x",), now) == "x"
    kept.put(("x",), now, "x", now.changed_ns)
    assert kept.get(("x",), now) is None


def test_without_a_file_time_nothing_is_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> None:
        raise OSError(24, "Too many open files")

    monkeypatch.setattr(os, "pipe", none)
    assert file_time_ns() == 0

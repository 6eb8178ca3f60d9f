"""The personal files in HOME: which one counts, what blank means, what is refused."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest

from memoro.bootstrap.personal import PersonalFiles, PersonalPaths, is_blank, read_personal
from memoro.errors import FileRefusedError, TooLargeError

LIMIT = 8192
NOTHING = PersonalFiles("", "", PersonalPaths(None, None), ())


def read(home: Path, soul_bytes: int = LIMIT, profile_bytes: int = LIMIT) -> PersonalFiles:
    return read_personal(str(home), soul_bytes, profile_bytes)


def write(home: Path, **texts: str) -> None:
    for stem, text in texts.items():
        (home / f"{stem}.md").write_text(text)


@pytest.mark.requirement("P22")
def test_missing_files_are_empty_and_not_created(tmp_path: Path) -> None:
    assert read(tmp_path) == NOTHING
    assert read(tmp_path / "gone") == NOTHING
    assert list(tmp_path.iterdir()) == []


@pytest.mark.requirement("P22")
@pytest.mark.parametrize("soul", ["SOUL.md", "soul.md"])
@pytest.mark.parametrize("profile", ["USER.md", "profile.md"])
def test_each_spelling_alone_is_read(tmp_path: Path, soul: str, profile: str) -> None:
    (tmp_path / soul).write_text("dry\n")
    (tmp_path / profile).write_text("likes tea\n")
    paths = PersonalPaths(str(tmp_path / soul), str(tmp_path / profile))
    assert read(tmp_path) == PersonalFiles("dry\n", "likes tea\n", paths, ())


@pytest.mark.requirement("P22")
def test_of_both_spellings_the_capital_one_counts_and_is_told(tmp_path: Path) -> None:
    write(tmp_path, SOUL="dry", soul="warm", USER="tea", profile="coffee")
    found = read(tmp_path)
    assert found[:2] == ("dry", "tea")
    assert found.paths == (str(tmp_path / "SOUL.md"), str(tmp_path / "USER.md"))
    assert len(found.warnings) == 2
    assert found.warnings[0].endswith("SOUL.md counts, soul.md is ignored")
    assert found.warnings[1].endswith("USER.md counts, profile.md is ignored")


@pytest.mark.requirement("P22")
@pytest.mark.parametrize("ignored", ["link", "folder", "fifo", "large", "encoding"])
def test_the_ignored_spelling_is_not_opened(tmp_path: Path, ignored: str) -> None:
    write(tmp_path, SOUL="dry", USER="tea")
    for path in (tmp_path / "soul.md", tmp_path / "profile.md"):
        make_bad(path, ignored)
    found = read(tmp_path)
    assert found[:2] == ("dry", "tea")
    assert len(found.warnings) == 2


def listing(*names: str) -> Callable[[str], list[str]]:
    def listed(_home: str) -> list[str]:
        return list(names)

    return listed


def make_bad(path: Path, kind: str) -> None:
    match kind:
        case "link":
            path.symlink_to("elsewhere")
        case "folder":
            path.mkdir()
        case "fifo":
            os.mkfifo(path)
        case "device":
            path.symlink_to("/dev/null")
        case "large":
            path.write_bytes(b"x" * (LIMIT + 1))
        case _:
            path.write_bytes(b"caf\xe9")


@pytest.mark.requirement("P22")
def test_a_blank_capital_file_still_counts(tmp_path: Path) -> None:
    write(tmp_path, SOUL=" \n", soul="warm")
    found = read(tmp_path)
    assert found.personality == ""
    assert found.paths.personality == str(tmp_path / "SOUL.md")
    assert len(found.warnings) == 1


@pytest.mark.requirement("P22")
def test_other_spellings_are_not_read(tmp_path: Path) -> None:
    write(tmp_path, Soul="a", Profile="b", PROFILE="c", user="d", User="e")
    (tmp_path / "SOUL.MD").write_text("f")
    (tmp_path / "SOUL.md.bak").write_text("g")
    assert read(tmp_path) == NOTHING


@pytest.mark.requirement("P22")
def test_on_a_disk_that_ignores_case_one_file_is_not_two(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, soul="warm")
    # What such a disk does: the other spelling opens too, though only one is listed.
    (tmp_path / "SOUL.md").hardlink_to(tmp_path / "soul.md")
    monkeypatch.setattr(os, "listdir", listing("soul.md"))
    found = read(tmp_path)
    assert found.personality == "warm"
    assert found.paths.personality == str(tmp_path / "soul.md")
    assert found.warnings == ()


@pytest.mark.requirement("P22")
def test_a_file_that_goes_between_listing_and_reading_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "listdir", listing("SOUL.md", "USER.md"))
    assert read(tmp_path) == NOTHING


@pytest.mark.requirement("P22")
@pytest.mark.parametrize(
    "text",
    ["", " ", "\n\r\n\t", "\u00a0\u3000\u2028", "\ufeff", "\u200b\u200d\u2060\n", "\u2800\u3164"],
)
def test_blank_is_empty(tmp_path: Path, text: str) -> None:
    for name in ("SOUL.md", "USER.md"):
        (tmp_path / name).write_text(text, encoding="utf-8", newline="")
    assert read(tmp_path)[:2] == ("", "")


@pytest.mark.parametrize("text", [".", "\n\n a", "你", "🙂", "\u200bx", "-", "#"])
def test_anything_to_see_is_not_blank(text: str) -> None:
    assert not is_blank(text)


@pytest.mark.requirement("P22")
def test_text_is_kept_as_written(tmp_path: Path) -> None:
    text = "\n  - tea\r\n\tno sugar  \n\n"
    (tmp_path / "USER.md").write_bytes(text.encode())
    assert read(tmp_path).profile == text


@pytest.mark.requirement("P23")
@pytest.mark.parametrize("kind", ["link", "folder", "fifo", "device", "encoding"])
@pytest.mark.parametrize("name", ["SOUL.md", "soul.md", "USER.md", "profile.md"])
def test_a_bad_file_is_an_error_that_names_it(tmp_path: Path, name: str, kind: str) -> None:
    make_bad(tmp_path / name, kind)
    with pytest.raises(FileRefusedError) as caught:
        read(tmp_path)
    assert str(tmp_path / name) in caught.value.what


@pytest.mark.requirement("P23")
@pytest.mark.skipif(
    sys.platform != "linux" or os.geteuid() != 0, reason="only root can make a device"
)
def test_a_real_device_is_refused(tmp_path: Path) -> None:
    try:
        os.mknod(tmp_path / "USER.md", 0o600 | 0o020000, os.makedev(1, 3))
    except PermissionError:
        pytest.skip("this container may not make devices")
    with pytest.raises(FileRefusedError, match="is a device"):
        read(tmp_path)


@pytest.mark.requirement("P27")
@pytest.mark.parametrize(
    ("name", "setting", "limits"),
    [
        ("SOUL.md", "MEMORO_SOUL_BYTES", (10, LIMIT)),
        ("soul.md", "MEMORO_SOUL_BYTES", (10, LIMIT)),
        ("USER.md", "MEMORO_PROFILE_BYTES", (LIMIT, 10)),
        ("profile.md", "MEMORO_PROFILE_BYTES", (LIMIT, 10)),
    ],
)
def test_each_file_has_its_own_limit(
    tmp_path: Path, name: str, setting: str, limits: tuple[int, int]
) -> None:
    path = tmp_path / name
    path.write_text("x" * 10)
    assert "x" * 10 in read(tmp_path, *limits)[:2]
    path.write_text("x" * 11)
    with pytest.raises(TooLargeError) as caught:
        read(tmp_path, *limits)
    for part in (str(path), "11", "10", setting):
        assert part in caught.value.what


@pytest.mark.requirement("P27")
def test_a_blank_file_over_the_limit_is_still_too_large(tmp_path: Path) -> None:
    (tmp_path / "USER.md").write_text(" " * (LIMIT + 1))
    with pytest.raises(TooLargeError):
        read(tmp_path)


@pytest.mark.requirement("P23")
def test_home_may_be_a_link_to_a_folder(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    write(tmp_path / "real", USER="tea")
    (tmp_path / "home").symlink_to("real")
    assert read(tmp_path / "home").profile == "tea"


@pytest.mark.requirement("P23")
def test_home_that_is_no_folder_is_refused(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.write_text("a file")
    with pytest.raises(FileRefusedError) as caught:
        read(home)
    assert str(home) in caught.value.what


@pytest.mark.requirement("P22")
def test_nothing_is_opened_where_nothing_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_open(_path: str, _flags: int) -> NoReturn:
        pytest.fail("a file was opened")

    write(tmp_path, AGENTS="rules", NOTES="notes")
    monkeypatch.setattr(os, "open", no_open)
    assert read(tmp_path) == NOTHING

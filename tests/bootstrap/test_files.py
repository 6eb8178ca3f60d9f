"""Guarded reads: what is taken as it is, and what is refused without being opened or read."""

from __future__ import annotations

import os
import socket
import stat
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoro.bootstrap.files import printable, read_text_file
from memoro.errors import FileRefusedError, MemoroError, TooLargeError

LIMIT = 8192
NOBODY = 65_534


def read(path: Path, limit_bytes: int = LIMIT) -> str | None:
    return read_text_file(str(path), limit_bytes, "MEMORO_PROFILE_BYTES")


def refusal(path: Path) -> FileRefusedError:
    with pytest.raises(FileRefusedError) as caught:
        read(path)
    assert str(path) in caught.value.what
    assert "\n" not in caught.value.what
    assert caught.value.fix
    return caught.value


@pytest.mark.requirement("P23")
@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"", ""),
        (b"plain", "plain"),
        (b"  two\r\nlines\rand \n\n", "  two\r\nlines\rand \n\n"),
        ("Grüße 你好 🙂".encode(), "Grüße 你好 🙂"),
        (b"\xef\xbb\xbfmarked", "marked"),
        (b"\xef\xbb\xbf\xef\xbb\xbftwice", "\ufefftwice"),
        (b"\xef\xbb\xbf", ""),
    ],
)
def test_text_is_taken_as_written(tmp_path: Path, raw: bytes, text: str) -> None:
    path = tmp_path / "USER.md"
    path.write_bytes(raw)
    assert read(path) == text


@pytest.mark.requirement("P22")
def test_missing_file_and_missing_folder_are_none(tmp_path: Path) -> None:
    assert read(tmp_path / "USER.md") is None
    assert read(tmp_path / "gone" / "USER.md") is None
    assert list(tmp_path.iterdir()) == []


@pytest.mark.requirement("P23")
@pytest.mark.parametrize(
    ("raw", "offset"),
    [
        (b"caf\xe9 noir", 3),
        (b"\xef\xbb\xbfcaf\xe9", 6),
        ("hello".encode("utf-16"), 0),
        ("hello".encode("utf-16-be"), 0),
        (b"cut \xe4\xbd", 4),
        (b"surrogate \xed\xa0\x80", 10),
        (b"overlong \xc0\xaf", 9),
        (b"ab\0c", 2),
        (b"\0" * 20, 0),
    ],
)
def test_other_encodings_are_refused_with_the_byte(tmp_path: Path, raw: bytes, offset: int) -> None:
    path = tmp_path / "USER.md"
    path.write_bytes(raw)
    assert refusal(path).what.endswith(f"at byte offset {offset}")


@pytest.mark.requirement("P23")
def test_utf16_is_recognised_in_the_advice(tmp_path: Path) -> None:
    path = tmp_path / "USER.md"
    path.write_bytes("hello".encode("utf-16"))
    assert "UTF-16" in (refusal(path).fix or "")


@pytest.mark.requirement("P23")
@pytest.mark.parametrize("target", ["there.md", "gone.md", "folder", "USER.md", "/dev/null"])
def test_links_are_refused_wherever_they_lead(tmp_path: Path, target: str) -> None:
    (tmp_path / "there.md").write_text("text")
    (tmp_path / "folder").mkdir()
    path = tmp_path / "USER.md"
    path.symlink_to(target)
    assert "symbolic link" in refusal(path).what


@pytest.mark.requirement("P23")
def test_folders_on_the_way_may_be_links(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "USER.md").write_text("text")
    (tmp_path / "home").symlink_to("real")
    assert read(tmp_path / "home" / "USER.md") == "text"


@pytest.mark.requirement("P23")
def test_folder_fifo_socket_and_device_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "fifo")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
    for name, kind in [("folder", "a folder"), ("fifo", "a FIFO"), ("socket", "a socket")]:
        assert f"is {kind}," in refusal(tmp_path / name).what
    assert "is a device," in refusal(Path("/dev/null")).what


@pytest.mark.requirement("P23")
@pytest.mark.parametrize("kind", ["link", "fifo", "folder"])
def test_a_file_exchanged_after_the_first_look_is_still_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    regular = tmp_path / "regular"
    regular.write_text("text")
    before = os.lstat(regular)
    path = tmp_path / "USER.md"
    if kind == "link":
        path.symlink_to(regular)
    elif kind == "fifo":
        os.mkfifo(path)
    else:
        path.mkdir()
    real_lstat = os.lstat
    looks: list[str] = []

    def first_look_is_old(target: str) -> os.stat_result:
        looks.append(target)
        return before if len(looks) == 1 else real_lstat(target)

    monkeypatch.setattr(os, "lstat", first_look_is_old)
    assert "not a regular file" in refusal(path).what


@pytest.mark.requirement("P27")
def test_the_limit_counts_bytes_on_disk(tmp_path: Path) -> None:
    path = tmp_path / "USER.md"
    path.write_bytes(b"\xef\xbb\xbf" + b"x" * (LIMIT - 3))
    assert read(path) == "x" * (LIMIT - 3)
    path.write_bytes("ü".encode() * (LIMIT // 2))
    assert read(path) == "ü" * (LIMIT // 2)
    path.write_bytes(b"x" * (LIMIT + 1))
    with pytest.raises(TooLargeError) as caught:
        read(path)
    for part in (str(path), "8193", "8192", "MEMORO_PROFILE_BYTES"):
        assert part in caught.value.what
    assert "MEMORO_PROFILE_BYTES" in (caught.value.fix or "")
    assert path.stat().st_size == LIMIT + 1


@pytest.mark.requirement("P27")
def test_a_limit_of_zero_allows_the_empty_file_alone(tmp_path: Path) -> None:
    path = tmp_path / "USER.md"
    path.write_bytes(b"")
    assert read(path, 0) == ""
    path.write_bytes(b"x")
    with pytest.raises(TooLargeError):
        read(path, 0)


@pytest.mark.requirement("P27")
def test_a_huge_file_is_refused_unread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "USER.md"
    with path.open("wb") as sparse:
        sparse.truncate(100_000_000)

    def no_read(_descriptor: int, _length: int) -> NoReturn:
        pytest.fail("the file was read")

    monkeypatch.setattr(os, "read", no_read)
    with pytest.raises(TooLargeError, match="100000000"):
        read(path)


@pytest.mark.requirement("P27")
@pytest.mark.parametrize("limit_bytes", [5, 200_000])
def test_a_growing_file_is_read_to_one_byte_over_the_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit_bytes: int
) -> None:
    path = tmp_path / "USER.md"
    path.write_bytes(b"x")
    real_read = os.read
    lengths: list[int] = []

    def grow_and_read(descriptor: int, length: int) -> bytes:
        if not lengths:
            path.write_bytes(b"x" * 1_000_000)
        chunk = real_read(descriptor, length)
        lengths.append(len(chunk))
        return chunk

    monkeypatch.setattr(os, "read", grow_and_read)
    with pytest.raises(TooLargeError, match="1000000"):
        read(path, limit_bytes)
    assert sum(lengths) == limit_bytes + 1


def test_no_descriptor_stays_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[int] = []
    real_open = os.open

    def noting_open(path: str, flags: int) -> int:
        opened.append(real_open(path, flags))
        return opened[-1]

    monkeypatch.setattr(os, "open", noting_open)
    (tmp_path / "good").write_text("text")
    (tmp_path / "bad").write_bytes(b"\xff")
    (tmp_path / "large").write_bytes(b"x" * (LIMIT + 1))
    for name in ("good", "bad", "large"):
        with suppress(MemoroError):
            read(tmp_path / name)
        with pytest.raises(OSError, match="Bad file descriptor"):
            os.fstat(opened[-1])
    assert len(opened) == 3


@pytest.mark.requirement("P23")
def test_an_unreadable_file_is_refused() -> None:
    # Outside `tmp_path`, whose parents another user can't enter.
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        path = Path(folder) / "USER.md"
        path.write_text("text")
        path.chmod(0)
        outcome = as_ordinary_user(path)
    assert "can't be read: Permission denied" in outcome
    assert str(path) in outcome


def as_ordinary_user(path: Path) -> str:
    """Read in a child process that root's powers do not reach, and return the refusal."""
    receive, send = os.pipe()
    child = os.fork()
    if child == 0:
        outcome = "it was read, or the test is broken"
        try:
            if os.geteuid() == 0:
                os.setuid(NOBODY)
            read(path)
        except FileRefusedError as error:
            outcome = error.what
        finally:
            os.write(send, outcome.encode())
            os._exit(0)
    os.close(send)
    os.waitpid(child, 0)
    with os.fdopen(receive) as answer:
        return answer.read()


@pytest.mark.requirement("P23")
def test_a_parent_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("not a folder")
    assert "can't be read: Not a directory" in refusal(tmp_path / "home" / "USER.md").what


def test_a_path_with_a_line_end_stays_one_line(tmp_path: Path) -> None:
    path = tmp_path / "two\nlines"
    path.mkdir()
    with pytest.raises(FileRefusedError) as caught:
        read(path)
    assert "\n" not in caught.value.what
    assert r"two\nlines" in caught.value.what


@pytest.mark.parametrize(
    ("path", "shown"),
    [("/a/b c.md", "/a/b c.md"), ("/ü/你", "/ü/你"), ("/a\x1b[1m", r"'/a\x1b[1m'")],
)
def test_paths_in_messages(path: str, shown: str) -> None:
    assert printable(path) == shown


@pytest.mark.requirement("P23")
@pytest.mark.requirement("P27")
@settings(database=None, deadline=None)
@given(raw=st.binary(max_size=40) | st.text(max_size=40).map(str.encode))
def test_any_bytes_are_taken_whole_or_refused(raw: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "USER.md"
        path.write_bytes(raw)
        if len(raw) > 32:
            with pytest.raises(TooLargeError):
                read(path, 32)
        elif is_plain_text(raw):
            text = read(path, 32)
            assert text is not None
            assert text.encode() == raw.removeprefix(b"\xef\xbb\xbf")
        else:
            assert "at byte offset" in refusal(path).what


def is_plain_text(raw: bytes) -> bool:
    try:
        return "\0" not in raw.decode()
    except UnicodeDecodeError:
        return False


def test_reading_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "USER.md"
    path.write_text("text")
    path.chmod(0o400)
    before = path.stat()
    read(path)
    after = path.stat()
    assert stat.S_IMODE(after.st_mode) == 0o400
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)

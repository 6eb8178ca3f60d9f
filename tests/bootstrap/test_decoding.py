"""What bytes are text, and what is said where they are not."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from bootstrap_worlds import World, prompt, text
from hypothesis import given, settings
from hypothesis import strategies as st

from memoro.bootstrap.reading.decoding import decode

SENTENCE = "Olá, sempre responda em português.\r\n"


@pytest.mark.requirement("B16")
@pytest.mark.parametrize(
    "raw",
    [
        b"\xff\xfe" + SENTENCE.encode("utf-16-le"),
        b"\xfe\xff" + SENTENCE.encode("utf-16-be"),
        b"\xef\xbb\xbf" + SENTENCE.encode(),
    ],
)
def test_a_byte_order_mark_decides(world: World, raw: bytes) -> None:
    world.put("work/AGENTS.md", raw)
    world.put("work/SOUL.md", "SOUL-OK\n")
    found = world.load()
    assert text(found) == "Olá, sempre responda em português.\n"
    assert text(found, "SOUL.md") == "SOUL-OK\n"
    assert found.warnings == ()


@pytest.mark.requirement("B16")
@pytest.mark.parametrize(
    ("raw", "offset"),
    [
        (SENTENCE.encode("utf-16-le"), 1),
        (SENTENCE.encode("utf-16-be"), 0),
        (b"text\0more", 4),
        (b"\xff\xfe" + "a\0b".encode("utf-16-le"), 4),
        ("a".encode("utf-32"), 2),
    ],
)
def test_nul_is_no_text_and_the_byte_is_named(world: World, raw: bytes, offset: int) -> None:
    path = world.put("work/AGENTS.md", raw)
    world.put("work/SOUL.md", "SOUL-OK\n")
    found = world.load()
    assert [block.name for block in found.blocks] == ["SOUL.md"]
    assert len(found.warnings) == 1
    assert found.warnings[0].startswith(f"{path} is not text: NUL byte at byte offset {offset}")
    assert found.warnings[0].endswith("; skipped")


@pytest.mark.requirement("B16")
def test_bad_bytes_are_replaced_and_told_at_both_levels(world: World) -> None:
    world.put("home/.memoro/AGENTS.md", b"GLOBAL-KEEP\nSay caf\xe9, not \x93coffee\x94.\n")
    world.put("work/AGENTS.md", b"PROJECT-KEEP\nna\xefve\n")
    found = world.load()
    assert "GLOBAL-KEEP\nSay caf\ufffd, not \ufffdcoffee\ufffd.\n" in text(found)
    assert "PROJECT-KEEP\nna\ufffdve\n" in text(found)
    assert sorted(found.warnings) == [
        f"{world.home}/AGENTS.md: byte 0xe9 at byte offset 19 is not UTF-8,"
        " shown as U+FFFD (3 in all)",
        f"{world.work}/AGENTS.md: byte 0xef at byte offset 15 is not UTF-8,"
        " shown as U+FFFD (1 in all)",
    ]


@pytest.mark.requirement("B16")
def test_every_line_end_becomes_one(world: World) -> None:
    world.put("work/AGENTS.md", "a\r\nb\rc\u2028d\u2029e\x85f\n\r\ng")
    assert text(world.load()) == "a\nb\nc\nd\ne\nf\n\ng"


@pytest.mark.requirement("B16")
def test_line_ends_do_not_hide_an_import(world: World) -> None:
    world.put("work/AGENTS.md", b"x\r@a.md\r\ny")
    world.put("work/a.md", "A\r\n")
    assert text(world.load()) == "x\n<!-- import a.md -->\nA\ny"


@pytest.mark.requirement("B16")
@pytest.mark.parametrize("name", ["AGENTS.md", "IDENTITY.md", ".memoro/rules/r.md"])
@pytest.mark.parametrize(
    "kind", ["folder", "fifo", "socket", "outside", "dangling", "loop", "secret"]
)
def test_what_is_no_regular_file_is_skipped_with_a_line(
    world: World, name: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.put("outside.md", "SECRET\n")
    path = world.work / name
    path.parent.mkdir(parents=True, exist_ok=True)
    make_odd(path, kind, monkeypatch)
    world.put("work/SOUL.md", "kept\n")
    found = world.load()
    assert [block.name for block in found.blocks] == ["SOUL.md"]
    assert len(found.warnings) == 1 and found.warnings[0].startswith(str(path))
    assert found.warnings[0].count("\n") == 0


def make_odd(path: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if kind == "folder":
        path.mkdir()
    elif kind == "fifo":
        os.mkfifo(path)
    elif kind == "socket":
        os.mknod(path, 0o140600)
    elif kind == "secret":
        path.write_text("SECRET\n")
        real_open = os.open

        def refused(name: str, *rest: int) -> int:
            if str(name) == str(path):
                raise PermissionError(13, "Permission denied", name)
            return real_open(name, *rest)

        monkeypatch.setattr(os, "open", refused)
    else:
        outside = "../" * (len(path.parts) - 1) + str(path.anchor) + "etc/hostname"
        path.symlink_to({"outside": outside, "loop": path.name}.get(kind, "gone"))


@pytest.mark.requirement("B16")
def test_a_huge_file_is_read_only_at_its_start(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = world.put("work/AGENTS.md", "first line\n" * 10_000)
    os.truncate(path, 100_000_000)
    read = 0
    real_read = os.read

    def counted(descriptor: int, length: int) -> bytes:
        nonlocal read
        found = real_read(descriptor, length)
        read += len(found)
        return found

    monkeypatch.setattr(os, "read", counted)
    found = world.load()
    assert read < 70_000
    assert text(found).startswith("first line\n" * 2978 + "\n<!-- cut to 32,768 bytes: AGENTS.md")
    kept = 2978 * 11
    assert found.files[0].size_bytes == 100_000_000
    assert found.files[0].cut_bytes == 100_000_000 - kept
    assert f"AGENTS.md lost {100_000_000 - kept:,} bytes" in found.warnings[0]


@pytest.mark.requirement("B16")
def test_a_file_that_ends_inside_the_part_that_is_read_is_not_bad(world: World) -> None:
    # The read ends between the bytes of a character.
    world.put("work/AGENTS.md", ("a" + "é" * 40_000).encode())
    found = world.load()
    assert "\ufffd" not in prompt(found)
    assert len(found.warnings) == 1 and "lost" in found.warnings[0]


@pytest.mark.requirement("B16")
@pytest.mark.parametrize("raw", ["aé".encode()[:-1], b"\xff\xfea\0b", b"\xfe\xff\0a\xd8\x3d\xde"])
def test_a_character_that_the_read_cuts_in_two_is_left_out(raw: bytes) -> None:
    assert decode(raw, False) == ("a", None)
    whole = decode(raw, True)
    assert whole.text == "a\ufffd" and whole.flaw is not None


@pytest.mark.requirement("B16")
def test_a_utf16_file_of_the_caps_length_is_whole(world: World) -> None:
    content = ("x" * 31 + "\n") * 1024
    world.put("work/AGENTS.md", b"\xff\xfe" + content.encode("utf-16-le"))
    assert text(world.load()) == content


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=60), st.booleans())
def test_whatever_comes_out_is_valid_and_has_one_kind_of_line_end(raw: bytes, whole: bool) -> None:
    for start in (b"", b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf"):
        found = decode(start + raw, whole)
        if found.text is None:
            assert found.flaw is not None
            continue
        found.text.encode()
        assert not set(found.text) & set("\0\r\x85\u2028\u2029")


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=60))
def test_good_text_comes_back_as_it_was(content: str) -> None:
    plain = content.replace("\0", "").lstrip("\ufeff")
    for raw in (
        plain.encode("utf-8", "replace"),
        b"\xff\xfe" + plain.encode("utf-16-le", "replace"),
    ):
        found = decode(raw, True)
        assert found.flaw is None
        assert found.text == decode(plain.encode("utf-8", "replace"), True).text

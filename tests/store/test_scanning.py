"""Searching every byte of every file below a folder."""

from __future__ import annotations

import base64
import gzip
import os
import random
import zipfile
from pathlib import Path

import pytest

from memoro.backends.scanning import scan
from memoro.memory.erasing.needles import forms_of, needles_of


@pytest.mark.requirement("Z04")
def test_needles_are_found_in_every_form_and_over_the_end_of_a_piece(tmp_path: Path) -> None:
    needles, missed = needles_of(["ação do código X9-77", "ok"], 10)
    assert missed == 1
    forms = {needle: forms_of(needle) for needle in needles}
    for place, text in enumerate(needles):
        for number, form in enumerate(forms[text]):
            path = tmp_path / f"{place}-{number}"
            path.write_bytes(b"x" * (4 * 1024 * 1024 - 3) + form + b"y" * 100)
            found = scan(str(tmp_path), {text: forms[text]}, lambda _: None)
            assert found.hits == {str(path): [text]}
            assert (found.files, found.bytes) == (1, path.stat().st_size)
            path.unlink()
    (tmp_path / "other").write_bytes(base64.b64encode(b"nothing of it"))
    (tmp_path / "link").symlink_to("/etc/passwd")
    assert scan(str(tmp_path), forms, lambda _: None).hits == {}


@pytest.mark.requirement("Z04")
def test_a_run_is_found_in_base64_wherever_it_begins() -> None:
    chance = random.Random(7)
    for _ in range(300):
        text = "".join(chance.choice("abcdefghijß密 0123/+?") for _ in range(chance.randint(6, 40)))
        before, after = chance.randbytes(chance.randint(0, 5)), chance.randbytes(3)
        whole = base64.b64encode(before + text.encode() + after)
        safe = base64.urlsafe_b64encode(before + text.encode() + after)
        assert any(form in whole for form in forms_of(text))
        assert any(form in safe for form in forms_of(text))


@pytest.mark.requirement("Z04")
def test_what_is_packed_is_searched(tmp_path: Path) -> None:
    with gzip.open(tmp_path / "a.gz", "wb") as file:
        file.write(b"x" * 5_000_000 + b"ZEBRA-9431")
    with zipfile.ZipFile(tmp_path / "b.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("c.txt", "nothing")
        archive.writestr("d.txt", "it is ZEBRA-9431")
    (tmp_path / "broken.gz").write_bytes(b"\x1f\x8bnothing of the kind")
    (tmp_path / "broken.zip").write_bytes(b"PK\x03\x04nothing of the kind")
    found = scan(str(tmp_path), {"z": [b"ZEBRA-9431"]}, lambda _: None)
    assert sorted(Path(one).name for one in found.hits) == ["a.gz", "b.zip"]
    assert sorted(Path(one).name for one in found.unread) == ["broken.gz", "broken.zip"]


@pytest.mark.requirement("Z04")
def test_what_unpacks_to_too_much_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memoro.backends.scanning._MOST_UNPACKED", 10_000_000)
    with gzip.open(tmp_path / "bomb.gz", "wb") as file:
        file.write(bytes(30_000_000))
    found = scan(str(tmp_path), {"z": [b"ZEBRA-9431"]}, lambda _: None)
    assert [Path(one).name for one in found.unread] == ["bomb.gz"]


@pytest.mark.requirement("Z04")
def test_pipes_and_links_are_left_alone(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "file").write_text("it is ZEBRA-9431")
    found = scan(str(tmp_path), {"z": [b"ZEBRA-9431"]}, lambda _: None)
    assert ([Path(one).name for one in found.hits], found.files) == (["file"], 1)
    assert found.unread == []

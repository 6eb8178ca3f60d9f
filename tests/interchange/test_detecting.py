"""Which tool a path comes from."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from interchange.world import kind_of, lines, write
from memoro.errors import Reason, Refusal
from memoro.interchange.detecting import format_named, format_of
from memoro.interchange.readers import FORMATS
from memoro.interchange.reading.glimpse import Glimpse, glimpse

pytestmark = pytest.mark.requirement("M06")


def test_every_kind_has_a_name_and_words_of_its_own() -> None:
    assert len({one.name for one in FORMATS}) == len({one.what for one in FORMATS}) == len(FORMATS)
    for one in FORMATS:
        assert format_named(one.name) is one
    refusal = format_named("rumours")
    assert isinstance(refusal, Refusal) and "mem0" in (refusal.fix or "")


def test_what_is_of_no_kind_is_refused_with_the_kinds(tmp_path: Path) -> None:
    paths = [
        write(tmp_path / "letter.txt", "Dear Bo,\nthis is a letter.\nYours, Ana\n"),
        write(tmp_path / "page.html", "<p>a</p>\n<p>b</p>\n"),
        write(tmp_path / "data.json", {"a": [1, 2], "b": {"c": 1}}),
        write(tmp_path / "numbers.json", [1, 2, 3]),
        write(tmp_path / "people.jsonl", lines({"first": "a"}, {"first": "b"})),
        write(tmp_path / "deep.json", "[" * 100_000),
        write(tmp_path / "folder" / "letter.txt", "Dear Bo\n").parent,
    ]
    for path in paths:
        refusal = format_of(str(path))
        assert isinstance(refusal, Refusal), path
        assert refusal.reason is Reason.USAGE
        assert "--from KIND" in (refusal.fix or "") and "chatcli" in (refusal.fix or "")


def zipped(path: Path, **members: bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name.replace("__", "."), content)
    return path


def outside(folder: Path) -> Path:
    write(folder / "elsewhere.json", [])
    (folder / "in").mkdir()
    (folder / "in" / "conversations.json").symlink_to(folder / "elsewhere.json")
    return folder / "in"


def empty(folder: Path) -> Path:
    (folder / "nothing").mkdir()
    return folder / "nothing"


UNREADABLE: tuple[tuple[Callable[[Path], Path], str], ...] = (
    (lambda at: write(at / "a.json", ""), "is empty"),
    (lambda at: write(at / "a.json", "\n \n"), "is empty"),
    (empty, "is empty"),
    (lambda at: zipped(at / "a.zip"), "is empty"),
    (lambda at: zipped(at / "a.zip", conversations__zip=b"PK"), "holds another zip"),
    (lambda at: write(at / "a", bytes(range(256)) * 100), "is not UTF-8 text"),
    (lambda at: write(at / "a.json", "[{}]".encode("utf-16-le")), "without a byte order mark"),
    (lambda at: write(at / "a.txt", "caf\u00e9: yes\n".encode("latin-1")), "byte offset 3"),
    (outside, "conversations.json: the file is a link that leads out of the folder"),
    (lambda at: zipped(at / "a.zip", conversations__json=bytes(9**8)), "200 times as large"),
)


@pytest.mark.parametrize(("make", "why"), UNREADABLE)
def test_why_nothing_can_be_read_is_told(
    tmp_path: Path, make: Callable[[Path], Path], why: str
) -> None:
    refusal = format_of(str(make(tmp_path)))
    assert isinstance(refusal, Refusal)
    assert why in refusal.what and refusal.what.endswith("; nothing was changed")


def test_an_old_file_without_relations_is_known_by_its_entities(tmp_path: Path) -> None:
    entity = {"name": "Ana", "entityType": "person", "observations": ["likes tea"]}
    path = write(tmp_path / "memory.json", {"entities": [entity], "relations": []})
    assert kind_of(path) == "mcp-memory"


def test_what_could_be_several_is_refused_with_those(tmp_path: Path) -> None:
    write(tmp_path / "CLAUDE.md", "- a\n")
    write(tmp_path / "AGENTS.md", "- b\n")
    refusal = format_of(str(tmp_path))
    assert isinstance(refusal, Refusal)
    assert refusal.reason is Reason.CONFLICT
    assert (refusal.fix or "").endswith("claude-code, codex")


def test_our_own_mirror_is_not_taken_for_another_tools_memory(tmp_path: Path) -> None:
    for name in ("facts.json", "topics.json", "projects.json", "episodes.json"):
        write(tmp_path / name, [])
    write(tmp_path / "MEMORY.md", "# Memory\n")
    refusal = format_of(str(tmp_path))
    assert isinstance(refusal, Refusal)
    assert "memoro memory merge" in (refusal.fix or "")


def test_what_is_not_there_or_can_not_be_read(tmp_path: Path) -> None:
    missing = format_of(str(tmp_path / "nothing"))
    assert isinstance(missing, Refusal) and missing.reason is Reason.NOT_FOUND
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for name in ("pipe", "loop", "a" * 300, "nul\0byte"):
        refusal = format_of(os.path.join(tmp_path, name))
        assert isinstance(refusal, Refusal), name
    assert isinstance(format_of("/dev/zero"), Refusal)


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_what_may_not_be_read_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "facts.txt", "a: 1\n")
    path.chmod(0)
    refusal = format_of(str(path))
    assert isinstance(refusal, Refusal) and "Permission denied" in refusal.what


def test_a_memory_md_is_known_by_its_name(tmp_path: Path) -> None:
    assert kind_of(write(tmp_path / "MEMORY.md", "# Facts\n- one fact\n")) == "memory-md"


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_how_a_file_is_encoded_does_not_matter(tmp_path: Path, end: str, encoding: str) -> None:
    text = end.join(["a: 1", "b: 2", ""])
    assert kind_of(write(tmp_path / "list.txt", text.encode(encoding))) == "key-value"


def test_a_character_at_the_end_of_the_head_may_be_cut(tmp_path: Path) -> None:
    for shift in range(4):
        text = "k: " + "x" * shift + "é😀" * 20_000
        assert kind_of(write(tmp_path / "list.txt", text)) == "key-value"


def test_the_members_of_an_archive_are_seen(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        archive.writestr("conversations.json", "[]")
    seen = glimpse(str(tmp_path / "all.zip"))
    assert isinstance(seen, Glimpse)
    assert (seen.outline.shape, seen.names) == ("zip", frozenset({"conversations.json"}))
    broken = glimpse(str(write(tmp_path / "bad.zip", b"PK\x03\x04 and no more")))
    assert isinstance(broken, Glimpse) and broken.names == frozenset()

"""Exports as they are packed, and what Claude remembers beside the conversations."""

from __future__ import annotations

import json
import random
import time
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from interchange.test_archives import CLOCK, MESSAGES, node, one, said, talk, texts
from memoro.errors import Refusal
from memoro.interchange.archives import chatgpt, claude, packages
from memoro.interchange.detecting import format_of
from memoro.interchange.formats import Imported
from memoro.memory.imported import ImportedConversation, ImportedRecord, LeftOut
from memoro.memory.records import FACT, NOTE, Trust

MEMORY = {
    "conversations_memory": "**Work context**\n\nAda builds clocks.\n\n- Prefers brass over steel",
    "project_memories": {"p1": "Winding is done on Mondays."},
    "memory_files": [
        None,
        {"path": "/tools.md", "content": "Uses a lathe.", "updated_at": "2026-01-02T03:04:05Z"},
        {"path": "/me.md", "content": "- [stated] Prefers tea\n- [inferred] Is left-handed"},
        {"path": 7, "content": "Has a shed.", "updated_at": [1e18]},
    ],
    "account_uuid": "x",
}
PROJECT = {
    "uuid": "p1",
    "name": "Clock tower",
    "prompt_template": "Answer in metres.",
    "docs": [None, {"filename": "plan.md", "content": "Four faces."}],
}


def names(found: list[Imported]) -> list[str]:
    return [one.name for one in found if isinstance(one, ImportedConversation)]


def whys(found: list[Imported]) -> list[str]:
    return [one.why for one in found if isinstance(one, LeftOut)]


def kind(path: Path) -> str:
    found = format_of(str(path))
    return "none" if isinstance(found, Refusal) else found.name


def packed(path: Path, **members: Any) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, value in members.items():
            archive.writestr(name.replace("__", "/") + ".json", json.dumps(value))
    return path


def noisy(count: int) -> list[dict[str, Any]]:
    """Conversations that can't be packed well."""
    words = random.Random(4)
    return [
        {**talk({"a": node(None, parts=[words.randbytes(3_000).hex()])}), "id": f"c{number}"}
        for number in range(count)
    ]


@pytest.mark.requirement("M06")
def test_a_whole_export_of_claude_brings_memories_and_projects_too(tmp_path: Path) -> None:
    path = packed(
        tmp_path / "data.zip",
        x__conversations=[{"uuid": "u", "name": "Go", "chat_messages": MESSAGES}],
        x__memories=[MEMORY],
        x__projects=[PROJECT, {"uuid": "s", "is_starter_project": True, "docs": PROJECT["docs"]}],
        x__users=[{"uuid": "x"}],
    )
    assert kind(path) == "claude"
    found = said(path, claude.FORMAT)
    assert names(found) == ["claude:u"]
    records = [one.record for one in found if isinstance(one, ImportedRecord)]
    facts = {one.text: one for one in records if one.kind == FACT.name}
    assert set(facts) == {"Prefers brass over steel", "Prefers tea", "Is left-handed"}
    assert facts["Prefers brass over steel"].trust == Trust.INFERRED
    notes = {one.data["title"]: one.text for one in records if one.kind == NOTE.name}
    assert notes["Claude's memory › Work context"] == "Ada builds clocks."
    assert notes["Claude's memory › Clock tower"] == "Winding is done on Mondays."
    assert notes["Claude's memory › tools.md"] == "Uses a lathe."
    assert notes["Claude's project › Clock tower › instructions"] == "Answer in metres."
    assert notes["Claude's project › Clock tower › plan.md"] == "Four faces."
    assert notes["Claude's memory › a file"] == "Has a shed."
    times = {one.text: one.created_at for one in records}
    assert times["Uses a lathe."] == datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    assert len(notes) == 6
    assert {one.trust for one in records if one.kind == NOTE.name} == {Trust.READ}


@pytest.mark.requirement("M06")
def test_a_folder_of_downloads_is_read_as_one_export(tmp_path: Path) -> None:
    folder = tmp_path / "downloads"
    folder.mkdir()
    packed(folder / "conversations-000.zip", conversations=[_claude("u1")])
    packed(folder / "conversations-001.zip", conversations=[_claude("u2")])
    packed(folder / "memories-000.zip", memories__x=MEMORY)
    packed(folder / "projects-000.zip", projects__p1=PROJECT)
    packed(folder / "holiday.zip", conversations=[_claude("u3")])
    manifest = {"data_files": [{"category": "memories", "export_url": "https://example.com"}]}
    (folder / "manifest-1.json").write_text(json.dumps(manifest))

    assert kind(folder) == "claude"
    found = said(folder, claude.FORMAT)
    assert names(found) == ["claude:u1", "claude:u2"]
    titles = [one.record.data.get("title", "") for one in found if isinstance(one, ImportedRecord)]
    assert "Claude's memory › Clock tower" in titles
    assert kind(folder / "manifest-1.json") == "claude"
    assert "download" in whys(said(folder / "manifest-1.json", claude.FORMAT))[0]


def _claude(uuid: str) -> dict[str, Any]:
    return {"uuid": uuid, "name": uuid, "chat_messages": MESSAGES[:2]}


@pytest.mark.requirement("M06")
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("memories.json", [MEMORY]),
        ("mine.json", MEMORY),
        ("projects.json", [PROJECT]),
        ("p1.json", PROJECT),
    ],
)
def test_a_part_of_an_export_is_known_by_what_stands_in_it(
    tmp_path: Path, name: str, value: Any
) -> None:
    path = tmp_path / name
    path.write_text(json.dumps(value))
    assert kind(path) == "claude"
    assert any(isinstance(one, ImportedRecord) for one in said(path, claude.FORMAT))


@pytest.mark.requirement("M06")
def test_what_a_text_quotes_is_no_sign(tmp_path: Path) -> None:
    path = tmp_path / "conversations.json"
    quoted = json.dumps({"chat_messages": [], "conversations_memory": 1})
    path.write_text(json.dumps([talk({"a": node(None, parts=[quoted])})]))
    assert kind(path) == "chatgpt"
    path.write_text(json.dumps([{"text": json.dumps(talk({}))}]))
    assert kind(path) == "none"


@pytest.mark.requirement("M06")
@pytest.mark.parametrize("described_later", [False, True])
def test_a_zip_that_is_cut_gives_what_was_whole(tmp_path: Path, described_later: bool) -> None:
    path = tmp_path / "export.zip"
    with path.open("wb") as file:
        # What can't be gone back in has its sizes behind it.
        target: Any = _OneWay(file) if described_later else file
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("picture.png", random.Random(1).randbytes(50_000))
            archive.writestr("conversations-000.json", json.dumps(noisy(20)))
            archive.writestr("conversations-001.json", json.dumps(noisy(20)))
    raw = path.read_bytes()
    whole = said(path)
    assert len(names(whole)) == 40
    assert whys(whole) == []
    for size in (len(raw) - 30, len(raw) * 3 // 4, len(raw) // 3, 60_000, 40_000, 10):
        path.write_bytes(raw[:size])
        found = said(path)
        assert names(found) == names(whole)[: len(names(found))]
        assert "not whole" in whys(found)[-1]
        assert len(whys(found)) <= 2
    path.write_bytes(raw[: len(raw) * 3 // 4])
    assert 20 < len(names(said(path))) < 40


class _OneWay:
    def __init__(self, file: Any) -> None:
        self._file = file

    def write(self, data: bytes) -> int:
        return self._file.write(data)

    def flush(self) -> None:
        self._file.flush()


@pytest.mark.requirement("M06")
def test_what_is_locked_damaged_or_too_large_costs_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = packed(
        tmp_path / "export.zip", **{"conversations-000": noisy(9), "conversations-001": noisy(3)}
    )
    raw = bytearray(path.read_bytes())
    raw[200] ^= 0xFF
    path.write_bytes(raw)
    damaged = said(path)
    assert len(whys(damaged)) == 1
    assert names(damaged)[-3:] == ["chatgpt:c0", "chatgpt:c1", "chatgpt:c2"]
    raw[6] |= 1
    listed = raw.index(b"PK\x01\x02")
    raw[listed + 8] |= 1
    path.write_bytes(raw)
    assert "password" in whys(said(path))[0]
    monkeypatch.setattr(packages, "MOST_BYTES", 30_000)
    assert "30,000" in whys(said(path))[0]


@pytest.mark.requirement("M06")
def test_a_cut_zip_is_known_for_what_it_is(tmp_path: Path) -> None:
    whole = packed(tmp_path / "whole.zip", conversations=noisy(40))
    raw = whole.read_bytes()
    for end in (len(raw) // 3, len(raw) // 2, len(raw) - 30):
        cut = tmp_path / f"{end}.zip"
        cut.write_bytes(raw[:end])
        assert kind(cut) == "chatgpt"
        assert names(said(cut))


@pytest.mark.parametrize("head", [b"", b'[{"mapping":{"a":{"message":{"content":{"parts":["'])
def test_a_cut_zip_that_swells_is_not_read_on(tmp_path: Path, head: bytes) -> None:
    path = tmp_path / "bomb.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", head + b"0" * 400_000_000)
    assert "200 times as large" in "".join(whys(said(path)))
    path.write_bytes(path.read_bytes()[:-100])
    started = time.process_time()
    found = said(path)
    assert time.process_time() - started < 5
    assert names(found) == []
    told = "".join(whys(found))
    assert "swells to more than 200 times" in told or "1,000 values in a row are no" in told


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_how_an_export_is_encoded_does_not_matter(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "conversations.json"
    text = json.dumps([talk({"a": node(None, parts=["caf\u00e9"])})], indent=1)
    path.write_bytes(text.replace("\n", "\r\n").encode(encoding))
    assert kind(path) == "chatgpt"
    (found,) = said(path)
    assert texts(found) == [("user", "caf\u00e9")]


def test_links_out_of_a_folder_are_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside.json"
    outside.write_text(json.dumps([talk({"a": node(None)})]))
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "conversations.json").symlink_to(outside)
    assert names(said(folder)) == []
    assert "link" in whys(said(folder))[0]


@pytest.mark.requirement("M06")
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("It is so.\ue200cite\ue202turn0search1\ue202turn0news2\ue201", "It is so."),
        ('In \ue200entity\ue202["city","Basel","on the Rhine"]\ue201 then', "In Basel then"),
        (
            "See \ue200url\ue202the guide\ue202https://example.com/a\ue201",
            "See [the guide](https://example.com/a)",
        ),
        ("See \ue200url\ue202the guide\ue202turn0search0\ue201", "See the guide"),
        ("\ue200\ue200 open \ue202", "open"),
        ('\ue200entity\ue202["half\ue201 a mark', "a mark"),
    ],
)
def test_marks_within_answers_show_what_a_reader_saw(tmp_path: Path, text: str, shown: str) -> None:
    assert texts(one(tmp_path, talk({"a": node(None, parts=[text])}))) == [("user", shown)]


@pytest.mark.requirement("M06")
def test_what_was_attached_is_named(tmp_path: Path) -> None:
    picture = {"content_type": "image_asset_pointer"}
    files = [
        {"name": "plan.pdf", "mime_type": "application/pdf"},
        {"name": "x.png", "mime_type": "image/png"},
    ]
    mapping = {
        "a": node(None, parts=[picture, picture]),
        "b": node("a", parts=["read it"], metadata={"attachments": files}),
    }
    assert texts(one(tmp_path, talk(mapping, "b"))) == [
        ("user", "[image]"),
        ("user", "read it\n[file: plan.pdf]"),
    ]
    attached = [
        {"file_name": "", "extracted_content": "a long paste"},
        {"file_name": "b.txt", "extracted_content": "x" * 30_000},
    ]
    message = {"uuid": "1", "sender": "human", "text": "", "attachments": attached}
    [(_, text)] = texts(one(tmp_path, {"uuid": "u", "chat_messages": [message]}, claude.FORMAT))
    assert text.startswith("a long paste\n\n[file: b.txt]\nxxx")
    assert text.endswith("x\n[10,000 more characters of the file]")


@pytest.mark.requirement("M06")
def test_other_branches_are_counted_and_told_once(tmp_path: Path) -> None:
    mapping = {"q": node(None), "a": node("q", "assistant"), "b": node("q", "assistant")}
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([talk(mapping, "a"), talk(mapping, "b")]))
    assert whys(said(path)) == [
        "2 messages in 2 conversations are on other branches: edited since, or answered anew"
    ]


@pytest.mark.requirement("M06")
def test_claudes_placeholders_and_design_chats(tmp_path: Path) -> None:
    block = "```\nThis block is not supported on your current device yet.\n```"
    message = {"uuid": "1", "sender": "assistant", "text": f"So.\n{block}\n\nThus."}
    found = one(tmp_path, {"uuid": "u", "chat_messages": [message]}, claude.FORMAT)
    assert block not in texts(found)[0][1]
    folder = tmp_path / "export"
    (folder / "design_chats").mkdir(parents=True)
    (folder / "conversations.json").write_text(json.dumps([_claude("u1")]))
    design = {
        "uuid": "d",
        "title": "Poster",
        "messages": [
            None,
            {"role": "user", "content": {"content": "make it red"}},
            {"role": "assistant", "content": {"contentBlocks": [{"type": "text", "text": "Done"}]}},
        ],
    }
    (folder / "design_chats" / "d.json").write_text(json.dumps(design))
    assert names(said(folder, claude.FORMAT)) == ["claude:u1", "claude:d"]


@pytest.mark.requirement("M06")
def test_names_and_times_stay_the_same_without_an_id(tmp_path: Path) -> None:
    value = talk({"a": node(None, at=None), "b": node("a", at=None)}, "a")
    del value["id"]
    first = one(tmp_path, value)
    again = one(tmp_path, {**value, "current_node": "b", "title": "renamed", "update_time": 1.7e9})
    assert isinstance(first, ImportedConversation) and isinstance(again, ImportedConversation)
    assert first.name == again.name
    assert first.title == "T"
    untitled = one(tmp_path, {**value, "title": "  "})
    assert isinstance(untitled, ImportedConversation)
    assert untitled.title == "hi"
    assert chatgpt.FORMAT.read(str(tmp_path / "conversations.json"), CLOCK)

"""Conversations of other assistants, read from their exports."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from memoro.interchange.archives import chatgpt, claude
from memoro.interchange.detecting import format_of
from memoro.interchange.formats import Clock, Format, Imported
from memoro.memory.dates.window import ZoneCalendar
from memoro.memory.imported import ImportedConversation, LeftOut

NOW = datetime(2026, 11, 30, tzinfo=UTC)
CLOCK = Clock(NOW, ZoneCalendar(UTC))
T0 = 1_700_000_000.0


def node(
    parent: str | None,
    role: str = "user",
    parts: Sequence[Any] | None = ("hi",),
    at: Any = T0,
    **more: Any,
) -> dict[str, Any]:
    message: dict[str, Any] = {
        "id": more.pop("id", "m"),
        "author": {"role": role},
        "create_time": at,
        "content": {"content_type": more.pop("type", "text"), "parts": parts},
        **more,
    }
    return {"parent": parent, "children": [], "message": message}


def talk(mapping: Mapping[str, Any], leaf: Any = "a", **more: Any) -> dict[str, Any]:
    return {"id": "c1", "title": "T", "mapping": mapping, "current_node": leaf, **more}


def said(path: Path, tool: Format = chatgpt.FORMAT) -> list[Imported]:
    return list(tool.read(str(path), CLOCK))


def one(folder: Path, value: object, tool: Format = chatgpt.FORMAT) -> Imported:
    path = folder / "conversations.json"
    path.write_text(json.dumps([value]), encoding="utf-8")
    found, *_ = said(path, tool)
    return found


def texts(found: Imported) -> list[tuple[str, str]]:
    assert isinstance(found, ImportedConversation), found
    return [(turn.role, turn.text) for turn in found.turns]


@pytest.mark.requirement("M06")
def test_the_branch_that_was_last_looked_at_is_followed_upward(tmp_path: Path) -> None:
    mapping = {
        "root": {"parent": None, "message": None},
        "q": node("root", parts=["which Go?"], id="m1"),
        "old": node("q", "assistant", ["1.22"]),
        "new": node("q", "assistant", ["1.23"], at=T0 + 5),
    }
    found = one(tmp_path, talk(mapping, "new", create_time=T0))
    assert isinstance(found, ImportedConversation)
    assert texts(found) == [("user", "which Go?"), ("assistant", "1.23")]
    assert found.name == "chatgpt:c1"
    assert found.turns[0].at == datetime.fromtimestamp(T0, UTC)
    assert found.turns[0].ref == "m1"
    assert texts(one(tmp_path, talk(mapping, None)))[-1] == ("assistant", "1.23")
    assert texts(one(tmp_path, talk(mapping, "not there")))[-1] == ("assistant", "1.23")


@pytest.mark.requirement("M06")
@pytest.mark.parametrize(
    ("given", "text"),
    [
        (["a", "b"], "a\nb"),
        (
            [{"content_type": "audio_transcription", "text": "spoken"}, "and typed"],
            "spoken\nand typed",
        ),
        ([{"content_type": "image_asset_pointer", "asset_pointer": "x"}, "look"], "look"),
        (["half \ud800 a pair"], "half \ufffd a pair"),
        ([None, 3, "  ", "left"], "left"),
    ],
)
def test_parts_may_be_anything(tmp_path: Path, given: Sequence[Any], text: str) -> None:
    assert texts(one(tmp_path, talk({"a": node(None, parts=given)}))) == [("user", text)]


@pytest.mark.requirement("M06")
@pytest.mark.parametrize(
    "more",
    [
        {"role": "system"},
        {"role": "tool"},
        {"metadata": {"is_visually_hidden_from_conversation": True}},
        {"recipient": "python"},
        {"type": "thoughts"},
        {"type": "code"},
        {"parts": []},
        {"parts": "text"},
    ],
)
def test_what_nobody_said_to_the_other_is_no_turn(tmp_path: Path, more: dict[str, Any]) -> None:
    mapping = {"q": node(None), "a": node("q", **more)}
    assert texts(one(tmp_path, talk(mapping))) == [("user", "hi")]


@pytest.mark.requirement("M06")
def test_missing_times_are_those_of_the_turn_before(tmp_path: Path) -> None:
    mapping = {
        "a": node(None, at=None),
        "b": node("a", "assistant", at=T0),
        "c": node("b", at="rubbish"),
        "d": node("c", "assistant", at=9e18),
    }
    found = one(tmp_path, talk(mapping, "d"))
    assert isinstance(found, ImportedConversation)
    assert {turn.at for turn in found.turns} == {datetime.fromtimestamp(T0, UTC)}


@pytest.mark.requirement("M06")
def test_circles_and_lost_parents_end(tmp_path: Path) -> None:
    circle = {"a": node("b"), "b": node("a", "assistant")}
    assert len(texts(one(tmp_path, talk(circle)))) == 2
    assert len(texts(one(tmp_path, talk({"a": node("gone")})))) == 1


@pytest.mark.requirement("M06")
@pytest.mark.parametrize(
    "value",
    [
        3,
        None,
        "x",
        [],
        {},
        {"mapping": 7},
        {"mapping": {"a": 1}},
        talk({"a": node(None, parts=[])}),
    ],
)
def test_what_is_no_conversation_costs_itself(tmp_path: Path, value: object) -> None:
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([value, talk({"a": node(None)})]), encoding="utf-8")
    first, second = said(path)
    assert isinstance(first, LeftOut)
    assert "conversation 1" in first.place
    assert texts(second) == [("user", "hi")]


@pytest.mark.requirement("M06")
def test_a_file_that_breaks_off_gives_what_was_whole(tmp_path: Path) -> None:
    path = tmp_path / "conversations.json"
    whole = json.dumps([talk({"a": node(None)}), talk({"a": node(None)})])
    for cut in range(1, len(whole)):
        path.write_text(whole[:cut], encoding="utf-8")
        *before, last = said(path)
        assert isinstance(last, LeftOut)
        assert "ends in the middle" in last.why
        assert len(before) == whole[:cut].count('"current_node": "a"}')


@pytest.mark.requirement("M06")
def test_a_zip_a_folder_and_numbered_files_are_read(tmp_path: Path) -> None:
    data = json.dumps([talk({"a": node(None)})])
    packed = tmp_path / "export.zip"
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations-000.json", data)
        archive.writestr("../../conversations-001.json", data.replace("c1", "c2"))
        archive.writestr("user.json", "{}")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "conversations.json").write_text("\ufeff" + data, encoding="utf-8")
    for path, names in ((packed, ["chatgpt:c2", "chatgpt:c1"]), (folder, ["chatgpt:c1"])):
        assert format_of(str(path)) == chatgpt.FORMAT
        found = said(path)
        assert [getattr(one, "name", one) for one in found] == names
    assert list(tmp_path.rglob("conversations-001.json")) == []


@pytest.mark.requirement("M06")
def test_a_zip_that_swells_is_refused_by_its_own_word(tmp_path: Path) -> None:
    packed = tmp_path / "export.zip"
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", "[" + " " * 30_000_000 + "]")
    (found,) = said(packed)
    assert isinstance(found, LeftOut)
    assert "30,000,002" in found.why
    packed.write_bytes(packed.read_bytes()[:100])
    *_, found = said(packed)
    assert isinstance(found, LeftOut)


MESSAGES = [
    {"uuid": "1", "sender": "human", "text": "which Go?", "created_at": "2026-01-02T03:04:05Z"},
    {
        "uuid": "2",
        "sender": "assistant",
        "text": "",
        "content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "1.23"}],
        "created_at": "2026-01-02T03:04:06+00:00",
        "parent_message_uuid": "1",
    },
    {"uuid": "3", "sender": "assistant", "text": "1.24", "parent_message_uuid": "1"},
]


@pytest.mark.requirement("M06")
def test_claudes_messages_are_turns(tmp_path: Path) -> None:
    value = {"uuid": "u", "name": "Go", "chat_messages": MESSAGES[:2], "account": {"uuid": "x"}}
    found = one(tmp_path, value, claude.FORMAT)
    assert texts(found) == [("user", "which Go?"), ("assistant", "1.23")]
    assert isinstance(found, ImportedConversation)
    assert (found.name, found.title) == ("claude:u", "Go")
    assert found.turns[1].at == datetime(2026, 1, 2, 3, 4, 6, tzinfo=UTC)
    assert format_of(str(tmp_path / "conversations.json")) == claude.FORMAT


@pytest.mark.requirement("M06")
def test_of_claudes_branches_the_last_one_is_followed(tmp_path: Path) -> None:
    value = {"uuid": "u", "chat_messages": MESSAGES, "current_leaf_message_uuid": "3"}
    found = one(tmp_path, value, claude.FORMAT)
    assert texts(found) == [("user", "which Go?"), ("assistant", "1.24")]


@pytest.mark.requirement("M06")
@pytest.mark.parametrize(
    "value",
    [
        7,
        {"uuid": "u"},
        {"uuid": "u", "chat_messages": [1, None, {"sender": "human", "text": 5}]},
    ],
)
def test_what_is_no_conversation_of_claudes_is_told(tmp_path: Path, value: object) -> None:
    assert isinstance(one(tmp_path, value, claude.FORMAT), LeftOut)

"""What ChatGPT remembers, out of its export: saved memories, the list of them, instructions."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from interchange.test_archives import CLOCK, NOW, T0, node, talk
from memoro.interchange.archives import chatgpt
from memoro.interchange.formats import Imported
from memoro.memory.imported import ImportedConversation, ImportedRecord, LeftOut
from memoro.memory.records import Record, Trust

pytestmark = pytest.mark.requirement("M06")

WRAPPED = (
    "The user provided the following information about themselves. This user profile is shown to"
    " you in all conversations they have.\nUser profile:\n```{}```"
)


def saving(text: Any, at: Any = T0, name: str = "bio", own: str = "b1") -> dict[str, Any]:
    """A message that the tool for memory is given."""
    parts = text if isinstance(text, list) else [text]
    found = node("u", "assistant", parts, at, recipient=name, channel="commentary")
    return {**found, "message": {**found["message"], "id": own, "weight": 1.0}}


def instructions(about: str, rules: str, *, wrapped: bool = False) -> dict[str, Any]:
    """The hidden message with the custom instructions."""
    content: dict[str, Any] = {"content_type": "user_editable_context"}
    metadata: dict[str, Any] = {
        "is_user_system_message": True,
        "is_visually_hidden_from_conversation": True,
    }
    content |= {
        "user_profile": WRAPPED.format(about),
        "user_instructions": f"How they would like you to respond:\n```{rules}```",
    }
    if not wrapped:
        metadata["user_context_message_data"] = {
            "about_user_message": about,
            "about_model_message": rules,
        }
    message = {"id": "x", "author": {"role": "user"}, "create_time": None, "recipient": "all"}
    return {
        "parent": None,
        "children": [],
        "message": {**message, "content": content, "metadata": metadata},
    }


def shown_list(text: Any) -> dict[str, Any]:
    found = node(None, "assistant", None)
    content = {"content_type": "model_editable_context", "model_set_context": text}
    return {**found, "message": {**found["message"], "content": content}}


def read(folder: Path, *mappings: dict[str, Any], **more: Any) -> list[Imported]:
    chats = [
        talk(mapping, "a", id=f"c{number}", update_time=T0 + 86_400 * number, **more)
        for number, mapping in enumerate(mappings)
    ]
    path = folder / "conversations.json"
    path.write_text(json.dumps(chats), encoding="utf-8")
    return list(chatgpt.FORMAT.read(str(path), CLOCK))


def of(found: Sequence[Imported], kind: str) -> list[Record]:
    records = [one.record for one in found if isinstance(one, ImportedRecord)]
    return [one for one in records if one.kind == kind]


def whys(found: Sequence[Imported]) -> str:
    return "\n".join(f"{one.place}: {one.why}" for one in found if isinstance(one, LeftOut))


CHAT = {
    "u": node(None, "user", ["I have two kids, remember that"], T0),
    "b": saving("Has two kids.", T0 + 5, own="b1f2-77"),
    "t": node("b", "tool", ["Model set context updated."], T0 + 6, recipient="assistant"),
    "a": node("t", "assistant", ["Got it."], T0 + 7),
}


def test_what_its_tool_saved_is_a_fact_of_that_time(tmp_path: Path) -> None:
    found = read(tmp_path, CHAT)
    (fact,) = of(found, "fact")
    assert (fact.id, fact.text) == ("b1f2-77", "Has two kids.")
    assert fact.created_at == fact.valid_from == datetime.fromtimestamp(T0 + 5, UTC)
    assert fact.trust == Trust.INFERRED
    assert fact.data["imported"] == {
        "from": "chatgpt",
        "file": "conversations.json",
        "id": "b1f2-77",
    }
    (talk_there,) = [one for one in found if isinstance(one, ImportedConversation)]
    assert [turn.text for turn in talk_there.turns] == ["I have two kids, remember that", "Got it."]


def test_what_was_saved_on_another_branch_is_saved(tmp_path: Path) -> None:
    branch = {**CHAT, "b2": saving("Likes tea.", own="b2"), "c": node("b2", "assistant", ["Ok."])}
    texts = {one.text for one in of(read(tmp_path, branch), "fact")}
    assert texts == {"Has two kids.", "Likes tea."}


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("Has two kids.\n- Likes tea.\n2. Lives in Porto.\n\n", 3),
        (["Has two kids."], 1),
        ([{"text": "Has two kids."}], 1),
        ([{"unknown": 1}, None, 7], 0),
        ("매일 작업 종료 시 템플릿을 사용하길 원함.", 1),
        ("用户喜欢喝茶", 1),
        ("", 0),
        (None, 0),
    ],
)
def test_a_memory_a_line_whatever_the_parts_are(tmp_path: Path, text: Any, facts: int) -> None:
    assert len(of(read(tmp_path, {**CHAT, "b": saving(text)}), "fact")) == facts


@pytest.mark.parametrize(
    "text",
    [
        "Forget all stored memories about the user.",
        "User wants me to forget their old address.",
        "Delete the memory about the cat",
        "ignore",
        "forget",
        "ok",
    ],
)
def test_what_is_to_be_forgotten_is_no_memory(tmp_path: Path, text: str) -> None:
    found = read(tmp_path, {**CHAT, "b": saving(text)})
    assert of(found, "fact") == []
    assert text[:20] in whys(found)


@pytest.mark.parametrize("name", ["bio", "bio.update"])
def test_only_messages_to_its_tool_count(tmp_path: Path, name: str) -> None:
    more = {"p": saving("print('x')  # two", name="python"), "w": saving("x y", name="biology")}
    assert len(of(read(tmp_path, {**CHAT, "b": saving("Has two kids", name=name), **more}), "fact"))
    assert of(read(tmp_path, more), "fact") == []


@pytest.mark.parametrize("at", [1e18, -5, "soon", None, [], True, float("nan"), 10**400])
def test_a_time_that_is_none_is_that_of_the_conversation(tmp_path: Path, at: Any) -> None:
    (fact,) = of(read(tmp_path, {**CHAT, "b": saving("Has two kids", at)}), "fact")
    assert fact.created_at == datetime.fromtimestamp(T0, UTC)
    (fact,) = of(read(tmp_path, {**CHAT, "b": saving("Has two kids", at)}, create_time=at), "fact")
    assert fact.created_at <= NOW


def test_the_list_that_a_model_was_shown_has_a_memory_an_entry(tmp_path: Path) -> None:
    text = (
        "# Model Set Context\n\n1. [2025-05-02]. Prefers metric units.\n2. [2025-05-03] Works as a"
        " designer\nat Lighthouse.\n3. [2025-13-40]. Has a cat."
    )
    found = read(tmp_path, {**CHAT, "m": shown_list(text)}, {**CHAT, "m": shown_list(text)})
    facts = {one.text: one for one in of(found, "fact") if one.text != "Has two kids."}
    assert set(facts) == {
        "Prefers metric units.",
        "Works as a designer at Lighthouse.",
        "Has a cat.",
    }
    assert len(of(found, "fact")) == 5
    assert facts["Prefers metric units."].created_at == datetime(2025, 5, 2, tzinfo=UTC)
    assert facts["Has a cat."].created_at == datetime.fromtimestamp(T0, UTC)
    for odd in ("", None, 7, "nothing in form", ["x"]):
        assert len(of(read(tmp_path, {**CHAT, "m": shown_list(odd)}), "fact")) == 1


@pytest.mark.parametrize("wrapped", [False, True])
def test_custom_instructions_are_profile_facts_and_rules_that_wait(
    tmp_path: Path, wrapped: bool
) -> None:
    about = "Preferred name: Elin\nRole: Machine operator\nOther Information: I live in Porto.\n"
    rules = "- Be brief.\n- No emojis, ever"
    found = read(tmp_path, {**CHAT, "i": instructions(about, rules, wrapped=wrapped)}, CHAT)
    pairs = [(one.key, one.text) for one in of(found, "profile")]
    assert pairs == [
        ("name", "Elin"),
        ("role", "Machine operator"),
        ("directives", "Be brief."),
        ("directives", '"No emojis, ever"'),
    ]
    assert "I live in Porto." in {one.text for one in of(found, "fact")}
    assert all(one.trust == Trust.INFERRED for one in of(found, "profile"))


def test_the_last_wording_counts_and_an_essay_is_a_note(tmp_path: Path) -> None:
    essay = "Answer like a novelist would, and do it at length. " * 20
    found = read(
        tmp_path,
        {**CHAT, "i": instructions("Role: Baker", "Be brief")},
        {**CHAT, "i": instructions("Role: Cook", "Be brief")},
        {**CHAT, "i": instructions("Role: Cook", essay)},
    )
    assert [(one.key, one.text) for one in of(found, "profile")] == [("role", "Cook")]
    (note,) = of(found, "note")
    assert (note.text, note.trust) == (essay.strip(), Trust.READ)
    assert "2 earlier wordings" in whys(found)


def test_odd_instructions_cost_nothing_else(tmp_path: Path) -> None:
    for odd in (None, 7, [], {"about_user_message": 3}):
        one = instructions("", "")
        one["message"]["metadata"]["user_context_message_data"] = odd
        one["message"]["content"] |= {"user_profile": odd, "user_instructions": odd}
        assert len(of(read(tmp_path, {**CHAT, "i": one}), "fact")) == 1


@pytest.mark.parametrize(
    "content",
    [
        [{"id": "m1", "content": "Likes tea", "created_at": "2025-01-02T03:04:05Z"}],
        {"memories": [{"id": "m1", "memory": "Likes tea", "created_at": 1735787045}]},
        ["Likes tea"],
    ],
)
def test_a_file_of_memories_in_the_archive_is_read(tmp_path: Path, content: Any) -> None:
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", json.dumps([talk(CHAT)]))
        archive.writestr("memories.json", json.dumps(content))
        archive.writestr("user.json", "{}")
    found = list(chatgpt.FORMAT.read(str(path), CLOCK))
    facts = {one.text: one for one in of(found, "fact")}
    assert set(facts) == {"Likes tea", "Has two kids."}
    if not isinstance(content, list) or isinstance(content[0], dict):
        fact = facts["Likes tea"]
        assert (fact.id, fact.created_at) == ("m1", datetime(2025, 1, 2, 3, 4, 5, tzinfo=UTC))


def test_what_is_switched_off_or_no_memory_is_told(tmp_path: Path) -> None:
    (tmp_path / "conversations.json").write_text(json.dumps([talk(CHAT)]), encoding="utf-8")
    odd = [{"content": "Likes tea", "enabled": False}, {"content": 7}, None, [], 3, {"a": 1}, ""]
    (tmp_path / "memories.json").write_text(json.dumps(odd), encoding="utf-8")
    found = list(chatgpt.FORMAT.read(str(tmp_path), CLOCK))
    assert [one.text for one in of(found, "fact")] == ["Has two kids."]
    assert len([one for one in found if isinstance(one, LeftOut)]) == len(odd)

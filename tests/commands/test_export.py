"""`memoro export` and its way back, as a user types them."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.here import Here
from memoro import Memory, Turn
from memoro.app import App
from memoro.backends.sqlite.carrying import Chosen, carried, restore
from memoro.backends.sqlite.store import SqliteStore
from memoro.errors import RefusedError
from memoro.memory.records import Record
from memoro.memory.store import Change, ChangeSet, Origin

NOON = datetime(2026, 5, 6, 12, 0, tzinfo=UTC)
SECRET = "AKIA" + "IOSFODNN7EXAMPLE"


@pytest.fixture
def filled(here: Here) -> Here:
    """A memory with something of every kind, undone, replaced and forgotten ones among them."""
    here.ok("project", "add", "web", str(here.folder))
    for text in ("CI needs Go 1.23", "CI needs Go 1.24", "deploys run on Friday"):
        here.ok("memory", "learn", text)
    here.ok("memory", "remember", "answer.style", "short\nand — plain")
    here.ok("memory", "replace", "answer.style", "long")
    here.ok("memory", "undo")
    here.ok("memory", "remember", "zebra", "ZEBRA-9431")
    here.ok("memory", "forget", "zebra")
    here.ok("memory", "profile", "set", "name=Ana", "salary=9000")
    here.ok("memory", "episode", "fixed the deploy")
    here.ok("memory", "jot", "a quiet day")
    here.ok("note", "add", "Plan", "first\nsecond")
    fact = here.json("memory", "facts")[0]["id"]
    app = App({"MEMORO_HOME": str(here.home)})
    app.services(writes=True).store.use([fact], NOON, None, "recall")
    app.close()
    with Memory.open(here.home) as memory:
        turns = [
            Turn("user", "the roof is green", NOON, speaker="Ana", ref="r1"),
            Turn("assistant", "so it is\x9b31m\u2028", NOON + timedelta(minutes=1)),
        ]
        memory.archive("roof", turns)
    return here


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.split("\n") if line]


def of_type(text: str, kind: str) -> list[dict[str, Any]]:
    return [line for line in lines(text) if line.get("type") == kind]


@pytest.mark.requirement("M06", "Z03")
def test_an_export_comes_back_byte_for_byte(filled: Here, tmp_path: Path) -> None:
    first = tmp_path / "first.jsonl"
    filled.ok("export", "--out", str(first))
    text = first.read_text(encoding="utf-8")
    assert {line.get("type") for line in lines(text)} == {
        None,
        *("record", "change", "session", "run", "message", "use"),
    }
    env = {"MEMORO_HOME": str(tmp_path / "other")}
    done = filled.ok("import", str(first), "--json", env=env).json
    assert done["left_out"] == []
    assert done["new"]["record"] == len(of_type(text, "record"))
    assert filled.ok("export", env=env).out == text
    # It is one change, and taking that back or bringing it in again leaves nothing behind.
    again = filled.ok("import", str(first), "--json", env=env).json
    assert again["change"] is None
    assert filled.ok("export", env=env).out == text
    assert len(filled.ok("recall", "green roof", "--json", env=env).json) > 0
    filled.ok("memory", "undo", str(done["change"]), env=env)
    undone = filled.ok("export", env=env).out
    assert of_type(undone, "record") == []
    assert of_type(undone, "change") == of_type(text, "change")


@pytest.mark.requirement("M06", "P16")
def test_what_was_forgotten_is_in_no_export(filled: Here) -> None:
    text = filled.ok("export").out
    assert "ZEBRA-9431" not in text
    assert [change["action"] for change in of_type(text, "change") if change.get("final")] == [
        "forget"
    ]


@pytest.mark.requirement("M06")
def test_two_exports_are_the_same_and_nothing_in_them_commands_a_terminal(filled: Here) -> None:
    text = filled.ok("export").out
    assert filled.ok("export").out == text
    assert "\x9b" not in text and "\u2028" not in text
    assert "so it is\\u009b31m\\u2028" in text


@pytest.mark.requirement("M06")
def test_a_part_is_chosen_by_kind_project_and_time(filled: Here) -> None:
    facts = filled.ok("export", "--kind", "fact").out
    assert lines(facts)[0] == {"memoro": 1, "kinds": ["fact"]}
    assert {record["kind"] for record in of_type(facts, "record")} == {"fact"}
    assert {one["kind"] for change in of_type(facts, "change") for one in change["records"]} == {
        "fact"
    }
    assert of_type(facts, "message") == []
    web = filled.ok("export", "--project", "web").out
    assert {record["scope"] for record in of_type(web, "record")} == {"project:web"}
    assert of_type(filled.ok("export", "--since", "2031-01-01").out, "record") == []
    assert filled("export", "--kind", "nonsense").code == 2
    assert filled("export", "--project", "none").code == 3
    assert filled("export", "--since", "sometime").code == 2


@pytest.mark.requirement("M06", "U07")
def test_redacted_it_holds_nothing_sensitive(filled: Here) -> None:
    filled.ok("memory", "remember", "key", f"it is {SECRET}", "--as-is")
    whole, text = filled.ok("export").out, filled.ok("export", "--redact").out
    assert SECRET in whole and "9000" in whole
    assert SECRET not in text and "9000" not in text
    assert lines(text)[0] == {"memoro": 1, "redacted": True}
    assert "Ana" in text and "CI needs Go 1.24" in text


@pytest.mark.requirement("M06")
def test_a_file_is_private_whole_and_not_written_over(filled: Here, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    filled.ok("export", "--out", str(out))
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    before = out.read_bytes()
    filled.ok("memory", "learn", "a new fact of the day")
    refused = filled("export", "--out", str(out))
    assert refused.code == 4
    assert "--force" in refused.err
    assert out.read_bytes() == before
    filled.ok("export", "--out", str(out), "--force")
    assert "a new fact of the day" in out.read_text(encoding="utf-8")
    missing = filled("export", "--out", str(tmp_path / "none" / "out.jsonl"))
    assert missing.code == 1
    assert os.listdir(tmp_path / "none") == [] if (tmp_path / "none").exists() else True
    assert not [name for name in os.listdir(tmp_path) if name.startswith(".memoro-")]


@pytest.mark.requirement("M06")
def test_into_a_store_that_holds_something_only_what_is_new_comes_with_a_lower_rank(
    filled: Here, tmp_path: Path
) -> None:
    out, env = tmp_path / "out.jsonl", {"MEMORO_HOME": str(tmp_path / "other")}
    filled.ok("export", "--out", str(out))
    filled.ok("memory", "remember", "answer.style", "mine", env=env)
    done = filled.ok("import", str(out), env=env)
    shown = {
        one["key"]: one["value"] for one in filled.ok("memory", "list", "--json", env=env).json
    }
    assert shown["answer.style"] == "mine"
    assert "conversations stay behind" in done.out + done.err
    records = of_type(filled.ok("export", env=env).out, "record")
    assert {one.get("trust") for one in records if one["kind"] == "fact"} == {"inferred"}
    again = filled.ok("import", str(out), "--json", env=env).json
    assert again["change"] is None


WRONG: dict[str, tuple[Callable[[str], str], str]] = {
    "cut": (lambda text: text[: len(text) // 2], "no JSON"),
    "newer": (lambda text: text.replace('"memoro": 1', '"memoro": 9'), "newer than this Memoro"),
    "time": (lambda text: text.replace('"created_at": "20', '"created_at": "x20'), "created_at"),
    "type": (lambda text: text + '{"type": "riddle"}\n', "riddle"),
    "twice": (lambda text: text + text.split("\n")[1] + "\n", "fit"),
    "path": (
        lambda text: text.replace('"type": "session", "id": "', '"type": "session", "id": "../'),
        "no ID",
    ),
    "blocks": (lambda text: text.replace('"blocks": "{}"', '"blocks": "{"'), "fit"),
    "orphan": (lambda text: text + '{"type": "message", "id": "m", "session": "x"}\n', "fit"),
}


@pytest.mark.requirement("M06")
@pytest.mark.parametrize("how", WRONG)
def test_a_line_that_is_wrong_costs_itself_and_is_told(
    filled: Here, tmp_path: Path, how: str
) -> None:
    change, told = WRONG[how]
    out, env = tmp_path / "out.jsonl", {"MEMORO_HOME": str(tmp_path / "other")}
    out.write_text(change(filled.ok("export").out), encoding="utf-8")
    done = filled("import", str(out), env=env)
    assert done.code == 1
    assert told in done.err
    assert "Traceback" not in done.err
    assert filled("doctor", env=env).code == 0


@pytest.mark.requirement("M06")
@pytest.mark.parametrize("form", ["crlf", "bom"])
def test_line_ends_and_marks_of_other_systems_are_read(
    filled: Here, tmp_path: Path, form: str
) -> None:
    out, env = tmp_path / "out.jsonl", {"MEMORO_HOME": str(tmp_path / "other")}
    text = filled.ok("export").out
    data = (
        text.replace("\n", "\r\n").encode() if form == "crlf" else b"\xef\xbb\xbf" + text.encode()
    )
    out.write_bytes(data)
    filled.ok("import", str(out), env=env)
    assert filled.ok("export", env=env).out == text


@pytest.mark.requirement("M06")
def test_an_export_is_not_put_into_a_project(filled: Here, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    filled.ok("export", "--out", str(out))
    refused = filled("import", str(out), "--project", "web")
    assert refused.code == 2
    assert "leave --project out" in refused.err


@pytest.mark.requirement("M06")
def test_a_rehearsal_changes_nothing(filled: Here, tmp_path: Path) -> None:
    out, env = tmp_path / "out.jsonl", {"MEMORO_HOME": str(tmp_path / "other")}
    filled.ok("export", "--out", str(out))
    done = filled.ok("import", str(out), "--dry-run", "--json", env=env).json
    assert done["dry_run"] and done["new"]["record"]
    assert not (tmp_path / "other" / "memory.db").exists()


TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), min_size=1)


@pytest.mark.requirement("M06")
@settings(deadline=None, max_examples=25)
@given(facts=st.lists(TEXTS, max_size=6), turns=st.lists(TEXTS, min_size=1, max_size=6))
def test_whatever_was_said_comes_back(
    tmp_path_factory: pytest.TempPathFactory, facts: list[str], turns: list[str]
) -> None:

    first, second = tmp_path_factory.mktemp("first"), tmp_path_factory.mktemp("second")
    with Memory.open(first) as memory:
        for fact in facts:
            try:
                memory.learn(fact)
            except RefusedError:
                continue
        memory.archive("said", [Turn("user", turn, NOON) for turn in turns])
    told: list[list[dict[str, object]]] = []
    for home, known in ((first, None), (second, told)):
        app = App({"MEMORO_HOME": str(home)})
        store = app.services(writes=True).store
        assert isinstance(store, SqliteStore)
        if known:
            restored = restore(store, [("", line) for line in known[0]], Origin("test", NOON))
            assert restored is not None and restored.rejected == []
        told.append(list(carried(store, Chosen())))
        app.close()
    assert told[0] == told[1]


@pytest.mark.requirement("M06")
def test_a_device_is_never_replaced_by_a_file(filled: Here, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert filled("export", "--out", str(pipe), "--force").code == 2
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.requirement("M06")
def test_a_change_of_many_megabytes_comes_back(here: Here, tmp_path: Path) -> None:
    env = {"MEMORO_HOME": str(tmp_path / "other")}
    notes = [
        Record(f"n_{number}", "note", "global", None, "word " * 700, NOON, NOON, {"title": "T"})
        for number in range(3_000)
    ]
    app = App({"MEMORO_HOME": str(here.home)})
    changes = ChangeSet("import", [Change(None, note) for note in notes])
    app.services(writes=True).store.apply(lambda _: changes, Origin("test", NOON))
    app.close()
    out = tmp_path / "out.jsonl"
    here.ok("export", "--out", str(out))
    assert max(map(len, out.read_bytes().split(b"\n"))) > 9_000_000
    here.ok("import", str(out), env=env)
    assert here.ok("export", env=env).out == out.read_text(encoding="utf-8")

"""`memoro export` and its way back, as a user types them."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.exported import EMPTY, NOON, fill, lines, of_type
from commands.here import Here
from memoro import Memory, Turn
from memoro.app import App
from memoro.backends.sqlite.carrying.leaving import Chosen, carried
from memoro.backends.sqlite.carrying.restoring import restore
from memoro.backends.sqlite.store import SqliteStore
from memoro.errors import RefusedError
from memoro.memory.records import Record
from memoro.memory.store import Change, ChangeSet, Origin


@pytest.fixture
def filled(here: Here) -> Here:
    return fill(here)


@pytest.mark.requirement("M06", "Z03")
def test_an_export_comes_back_byte_for_byte(filled: Here, tmp_path: Path) -> None:
    first = tmp_path / "first.jsonl"
    filled.ok("export", "--out", str(first))
    text = first.read_text(encoding="utf-8")
    assert {line.get("type") for line in lines(text)} == {
        None,
        *("record", "change", "change_record", "session", "run", "message", "tool_call", "use"),
        *("embedding_cost", "end"),
    }
    env = {"MEMORO_HOME": str(tmp_path / "other")}
    done = filled.ok("import", str(first), "--json", env=env).json
    assert done["left_out"] == []
    assert done["new"]["record"] == len(of_type(text, "record"))
    assert filled.ok("export", env=env).out == text
    # Bringing it in again changes nothing.
    again = filled.ok("import", str(first), "--json", env=env).json
    assert (again["change"], again["new"]) == (None, 0)
    assert filled.ok("export", env=env).out == text
    assert len(filled.ok("recall", "green roof", "--json", env=env).json) > 0


@pytest.mark.requirement("M06", "Z03")
def test_undo_takes_it_back_whole_with_its_conversations(filled: Here, tmp_path: Path) -> None:
    out, env = tmp_path / "out.jsonl", {"MEMORO_HOME": str(tmp_path / "other")}
    filled.ok("export", "--out", str(out))
    text = out.read_text(encoding="utf-8")
    done = filled.ok("import", str(out), "--json", env=env).json
    filled.ok("memory", "undo", str(done["change"]), env=env)
    undone = filled.ok("export", env=env).out
    for kind in ("record", "session", "run", "message", "tool_call"):
        assert of_type(undone, kind) == [], kind
    # The log is append-only.
    assert of_type(undone, "change") == of_type(text, "change")
    assert filled("recall", "green roof", "--json", env=env).json["hits"] == []
    assert filled.ok("doctor", env=env).code == 0
    # Undone and brought in once more, it is all there again, in the ranks that it had.
    again = filled.ok("import", str(out), "--json", env=env).json
    assert again["left_out"] == []
    back = filled.ok("export", env=env).out
    for kind in ("record", "session", "run", "message"):
        assert of_type(back, kind) == of_type(text, kind), kind


@pytest.mark.requirement("M06", "Z03")
def test_undo_is_refused_where_a_conversation_went_on(filled: Here, tmp_path: Path) -> None:
    out, other = tmp_path / "out.jsonl", tmp_path / "other"
    filled.ok("export", "--out", str(out))
    env = {"MEMORO_HOME": str(other)}
    change = filled.ok("import", str(out), "--json", env=env).json["change"]
    with Memory.open(other) as memory:
        memory.archive("roof", [Turn("user", "and the door?", NOON + timedelta(hours=1))])
    before = filled.ok("export", env=env).out
    refused = filled("memory", "undo", str(change), env=env)
    assert (refused.code, "has gone on" in refused.err) == (4, True)
    assert filled.ok("export", env=env).out == before


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
    assert lines(facts)[0] == {"memoro": 2, "kinds": ["fact"]}
    assert {record["kind"] for record in of_type(facts, "record")} == {"fact"}
    assert {one["kind"] for one in of_type(facts, "change_record")} == {"fact"}
    assert {one["id"] for one in of_type(facts, "change")} == {
        one["change"] for one in of_type(facts, "change_record")
    }
    assert of_type(facts, "message") == []
    web = filled.ok("export", "--project", "web").out
    assert {record["scope"] for record in of_type(web, "record")} == {"project:web"}
    assert of_type(filled.ok("export", "--since", "2031-01-01").out, "record") == []
    assert filled("export", "--kind", "nonsense").code == 2
    assert filled("export", "--project", "none").code == 3
    assert filled("export", "--since", "sometime").code == 2


@pytest.mark.requirement("M06")
def test_a_project_has_what_was_learned_in_its_folder_before_it_had_a_name(here: Here) -> None:
    (here.folder / ".git").mkdir()
    here.ok("memory", "learn", "the build needs Go 1.24")
    here.ok("project", "add", "web", str(here.folder))
    here.ok("memory", "learn", "the build runs on Friday")
    here.ok("memory", "remember", "port", "8080", "--project", "web")
    here.ok("memory", "remember", "tone", "brief")
    texts = {"the build needs Go 1.24", "the build runs on Friday", "8080"}
    for name in ("web", "project:web"):
        web = of_type(here.ok("export", "--project", name).out, "record")
        assert {one["text"] for one in web} == texts
    of_none = of_type(here.ok("export", "--project", "global").out, "record")
    assert {one["kind"] for one in of_none} == {"place", "project", "saved_fact"}
    assert {one["scope"] for one in of_none if "scope" in one} <= {"global"}


@pytest.mark.requirement("M06")
def test_a_project_that_is_called_global_is_meant_by_that_name(here: Here) -> None:
    here.ok("project", "add", "global", str(here.folder))
    here.ok("memory", "remember", "port", "8080", "--project", "global")
    here.ok("memory", "remember", "tone", "brief")
    texts = [one["text"] for one in of_type(here.ok("export", "--project", "global").out, "record")]
    assert texts == ["8080"]


@pytest.mark.requirement("M06", "Z03")
def test_an_undoing_comes_also_without_what_it_undoes(here: Here, tmp_path: Path) -> None:
    winter, spring = ({"MEMORO_NOW": f"2026-0{month}-01T12:00:00Z"} for month in (1, 5))
    here.ok("memory", "remember", "tone", "brief", env=winter)
    here.ok("memory", "replace", "tone", "long", env=winter)
    here.ok("memory", "undo", env=spring)
    out, env = tmp_path / "part.jsonl", {"MEMORO_HOME": str(tmp_path / "other")}
    here.ok("export", "--since", "2026-03-01", "--out", str(out))
    assert [one["undoes"] for one in of_type(out.read_text(), "change")] == [2]
    done = here.ok("import", str(out), "--json", env=env)
    assert done.json["left_out"] == []
    assert "take back one which is not in the file: 1" in done.err
    log = here.json("memory", "log", env=env)
    assert [(one["action"], one["undoes"]) for one in log] == [
        ("import memoro", None),
        ("undo", None),
    ]
    here.ok("memory", "undo", env=env)
    assert here.json("memory", "list", env=env) == []


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


WRONG: dict[str, tuple[Callable[[str], str], str]] = {
    "time": (lambda text: text.replace('"created_at": "20', '"created_at": "x20'), "created_at"),
    "type": (lambda text: text + '{"type": "riddle"}\n', "riddle"),
    "twice": (lambda text: text + text.split("\n")[1] + "\n", "fit"),
    "path": (
        lambda text: text.replace('"type": "session", "id": "', '"type": "session", "id": "../'),
        "no ID",
    ),
    "blocks": (lambda text: text.replace('"blocks": "{}"', '"blocks": "{"'), "fit"),
    "orphan": (lambda text: text + '{"type": "message", "id": "m", "session": "x"}\n', "fit"),
    "list": (lambda text: text + "[1, 2]\n", "no JSON object"),
    "number": (lambda text: text.replace('"change": 1,', '"change": "1x",'), "fit"),
}


@pytest.mark.requirement("M06")
@pytest.mark.parametrize("how", WRONG)
def test_a_line_that_is_wrong_costs_itself_where_the_rest_is_asked_for(
    filled: Here, tmp_path: Path, how: str
) -> None:
    change, told = WRONG[how]
    out, env = tmp_path / "out.jsonl", {"MEMORO_HOME": str(tmp_path / "other")}
    out.write_text(change(filled.ok("export").out), encoding="utf-8")
    refused = filled("import", str(out), env=env)
    assert refused.code == 1 and "nothing was changed" in refused.err
    assert "--partial" in refused.err
    assert filled.ok("export", env=env).out == EMPTY
    done = filled("import", str(out), "--partial", env=env)
    assert done.code == 1
    assert told in done.err and "not whole" in done.err
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
def test_nothing_in_memoros_own_folder_is_written_over(filled: Here, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(filled.home)
    before = (filled.home / "memory.db").read_bytes()
    for out in (filled.home / "memory.db", filled.home / "out.jsonl", tmp_path / "link" / "x"):
        refused = filled("export", "--out", str(out), "--force")
        assert (refused.code, "own folder" in refused.err) == (2, True)
    assert (filled.home / "memory.db").read_bytes() == before
    assert not (filled.home / "out.jsonl").exists()


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
    # A line is no longer than its record.
    assert max(map(len, out.read_bytes().split(b"\n"))) < 9_000
    here.ok("import", str(out), env=env)
    assert here.ok("export", env=env).out == out.read_text(encoding="utf-8")

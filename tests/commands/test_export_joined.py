"""An export into a memory that holds something already."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from commands.exported import NOON, fill, framed, lines, of_type, old_form, unframed
from commands.here import Here
from memoro import Memory, Turn
from memoro.app import App
from memoro.backends.sqlite.carrying.joining import Joined, Terms, join
from memoro.backends.sqlite.carrying.restoring import restore
from memoro.backends.sqlite.store import SqliteStore
from memoro.memory.plain.form import to_plain
from memoro.memory.records import Record
from memoro.memory.store import Change, ChangeSet, Origin, Reader, Removal

SPOKEN = ("session", "run", "message", "tool_call")


@pytest.fixture
def filled(here: Here) -> Here:
    return fill(here)


@pytest.fixture
def other(filled: Here, tmp_path: Path) -> dict[str, str]:
    """Another memory, which has a fact of its own, and a conversation."""
    home = tmp_path / "other"
    with Memory.open(home) as memory:
        memory.remember("answer.style", "mine")
        memory.archive("elsewhere", [Turn("user", "a word on tea", NOON)])
    return {"MEMORO_HOME": str(home)}


@pytest.fixture
def out(filled: Here, tmp_path: Path) -> Path:
    path = tmp_path / "out.jsonl"
    filled.ok("export", "--out", str(path))
    return path


def held(here: Here, env: dict[str, str]) -> dict[str, list[dict[str, Any]]]:
    text = here.ok("export", env=env).out
    return {kind: of_type(text, kind) for kind in ("record", *SPOKEN)}


@pytest.mark.requirement("M06", "Z03")
def test_what_is_new_comes_with_its_conversations_and_a_lower_rank(
    filled: Here, other: dict[str, str], out: Path
) -> None:
    text = out.read_text(encoding="utf-8")
    done = filled.ok("import", str(out), "--json", env=other)
    shown = {one["key"]: one["value"] for one in filled.json("memory", "list", env=other)}
    assert shown == {"answer.style": "mine"}
    now = held(filled, other)
    assert {one.get("trust") for one in now["record"] if one["kind"] == "fact"} == {"inferred"}
    for kind in SPOKEN:
        there = of_type(text, kind)
        assert [one for one in now[kind] if one in there] == there, kind
    assert done.json["counts"]["conversation"] == {
        **{"new": 2, "changed": 0, "known": 0, "left_out": 0},
    }
    assert (done.json["turns"], done.json["stays_behind"]["use"]) == (4, 1)
    assert done.json["stays_behind"]["change"] == len(of_type(text, "change"))
    assert len(filled.json("recall", "green roof", env=other)["hits"]) > 0
    told = filled.ok("import", str(out), env=other).out
    assert "Nothing new" in told and "a history of its own" in told


@pytest.mark.requirement("M06", "Z03")
def test_twice_changes_nothing_and_undo_takes_it_back_whole(
    filled: Here, other: dict[str, str], out: Path
) -> None:
    before = held(filled, other)
    change = filled.json("import", str(out), env=other)["change"]
    after = filled.ok("export", env=other).out
    again = filled.json("import", str(out), env=other)
    assert (again["change"], again["new"]) == (None, 0)
    assert filled.ok("export", env=other).out == after
    filled.ok("memory", "undo", str(change), env=other)
    assert held(filled, other) == before
    assert filled("doctor", env=other).code == 0
    once_more = filled.json("import", str(out), env=other)
    assert once_more["counts"]["conversation"]["new"] == 2


@pytest.mark.requirement("M06")
def test_an_export_of_the_first_form_joins_too(
    filled: Here, other: dict[str, str], out: Path
) -> None:
    out.write_text(old_form(out.read_text(encoding="utf-8")), encoding="utf-8")
    done = filled.ok("import", str(out), "--json", env=other)
    assert "form 1" in done.err
    assert done.json["counts"]["conversation"]["new"] == 2


@pytest.mark.requirement("M06")
def test_a_rehearsal_says_the_same_and_changes_nothing(
    filled: Here, other: dict[str, str], out: Path
) -> None:
    before = filled.ok("export", env=other).out
    would = filled.json("import", str(out), "--dry-run", env=other)
    assert filled.ok("export", env=other).out == before
    assert [one.name for one in Path(other["MEMORO_HOME"]).glob(".memoro-*")] == []
    did = filled.json("import", str(out), env=other)
    for name in ("new", "known", "counts", "turns", "left_out", "stays_behind"):
        assert would[name] == did[name], name


@pytest.mark.requirement("M06")
def test_what_says_something_else_here_is_told_by_its_id_and_stays(
    filled: Here, tmp_path: Path, out: Path
) -> None:
    note = next(one for one in of_type(out.read_text(), "record") if one["kind"] == "note")
    env = {"MEMORO_HOME": str(tmp_path / "third")}
    filled.ok("import", str(out), env=env)
    filled.ok("note", "edit", note["id"], "--text", "other words", env=env)
    done = filled.json("import", str(out), env=env)
    (told,) = done["left_out"]
    assert note["id"] in told["why"] and "says something else here" in told["why"]
    assert "line" in told["place"] and done["change"] is None
    assert filled.json("note", "show", note["id"], env=env)["text"] == "other words"


@pytest.mark.requirement("M06", "Z03")
def test_brought_back_it_becomes_as_it_is_there_and_undo_takes_that_back(
    filled: Here, tmp_path: Path, out: Path
) -> None:
    note = next(one for one in of_type(out.read_text(), "record") if one["kind"] == "note")
    env = {"MEMORO_HOME": str(tmp_path / "third")}
    filled.ok("import", str(out), env=env)
    filled.ok("note", "edit", note["id"], "--text", "other words", env=env)
    before = held(filled, env)
    # Without its rank it is less than what the user said here.
    ranked = filled.json("import", str(out), "--bring-back", env=env)
    assert "of a higher rank" in ranked["left_out"][0]["why"] and ranked["change"] is None
    done = filled.json("import", str(out), "--bring-back", "--as-mine", env=env)
    assert done["counts"]["note"]["changed"] == 1 and done["left_out"] == []
    assert filled.json("note", "show", note["id"], env=env)["text"] == note["text"]
    filled.ok("memory", "undo", str(done["change"]), env=env)
    assert filled.json("note", "show", note["id"], env=env)["text"] == "other words"
    assert [one["id"] for one in held(filled, env)["record"]] == [
        one["id"] for one in before["record"]
    ]


@pytest.mark.requirement("M06", "P16", "Z04")
def test_what_was_erased_here_comes_only_where_that_is_said(
    filled: Here, tmp_path: Path, out: Path
) -> None:
    env = {"MEMORO_HOME": str(tmp_path / "third")}
    filled.ok("import", str(out), env=env)
    fact = next(
        one for one in of_type(out.read_text(), "record") if one["text"] == "deploys run on Friday"
    )
    filled.ok("memory", "forget", fact["id"], env=env)
    filled.ok("memory", "forget", "answer.style", env=env)
    filled.ok("chat", "delete", "s_0000000001", env=env)
    for words in ((), ("--as-mine",)):
        done = filled.json("import", str(out), *words, env=env)
        whys = [one["why"] for one in done["left_out"]]
        assert len(whys) == 3 and all("--bring-back" in why for why in whys), whys
        assert done["change"] is None
    text = filled.ok("export", env=env).out
    assert "deploys run on Friday" not in text and "slate" not in text
    done = filled.json("import", str(out), "--bring-back", "--as-mine", env=env)
    assert (done["left_out"], done["new"]) == ([], 3)
    back = filled.ok("export", env=env).out
    for kind in ("record", *SPOKEN):
        there = [one.get("id") for one in of_type(out.read_text(), kind)]
        assert sorted(map(str, (one.get("id") for one in of_type(back, kind)))) == sorted(
            map(str, there)
        ), kind
    # A rebuilt index, and a damaged one, know it as what is here.
    filled.ok("memory", "reindex", env=env)
    assert len(filled.json("recall", "deploys on Friday", env=env)["hits"]) > 0
    filled.ok("memory", "undo", env=env)
    assert "deploys run on Friday" not in filled.ok("export", env=env).out.split("change")[0]


@pytest.mark.requirement("M06", "P16")
def test_a_key_that_was_forgotten_here_stays_so_whatever_its_id(
    filled: Here, other: dict[str, str], out: Path
) -> None:
    filled.ok("memory", "forget", "answer.style", env=other)
    done = filled.json("import", str(out), env=other)
    assert ["was forgotten here" in one["why"] for one in done["left_out"]] == [True]
    assert filled.json("memory", "list", env=other) == []
    filled.ok("import", str(out), "--bring-back", env=other)
    assert len(filled.json("memory", "list", env=other)) == 1


@pytest.mark.requirement("M06")
def test_what_says_the_same_under_the_same_key_is_known(
    filled: Here, tmp_path: Path, out: Path
) -> None:
    env = {"MEMORO_HOME": str(tmp_path / "third")}
    filled.ok("memory", "remember", "answer.style", "short\nand — plain", env=env)
    done = filled.json("import", str(out), env=env)
    assert (done["counts"]["saved_fact"]["known"], done["left_out"]) == (1, [])


@pytest.mark.requirement("M06")
def test_a_conversation_that_is_here_stays_and_one_that_went_on_is_told(
    filled: Here, other: dict[str, str], out: Path
) -> None:
    with Memory.open(other["MEMORO_HOME"]) as memory:
        memory.archive("roof", [Turn("user", "the roof is red", NOON - timedelta(days=1))])
    done = filled.json("import", str(out), env=other)
    told = [one for one in done["left_out"] if one["place"].startswith("conversation ")]
    assert ["2 messages there and 1 here" in one["why"] for one in told] == [True]
    assert done["counts"]["conversation"] == {
        **{"new": 1, "changed": 0, "known": 1, "left_out": 0},
    }
    texts = [one["text"] for one in held(filled, other)["message"]]
    assert "the roof is red" in texts and "the roof is green" not in texts


def renamed(line: dict[str, Any]) -> dict[str, Any]:
    """The same line, of a conversation with another ID."""
    made = dict(line)
    for name in ("id", "session"):
        if made.get(name) == "s_0000000001":
            made[name] = "s_0000000002"
    return made


BAD: dict[str, tuple[Callable[[dict[str, Any]], dict[str, Any] | None], str]] = {
    "path": (
        lambda line: {**line, "id": "../x"} if line["type"] == "session" else line,
        "is no ID",
    ),
    "no session": (
        lambda line: None if line["type"] == "session" else line,
        "what it belongs to is not in the file",
    ),
    "a record of a kind that there is not": (
        lambda line: {**line, "kind": "rumour"} if line["type"] == "record" else line,
        "kind",
    ),
    "a type that there is not": (
        lambda line: {**line, "type": "riddle"} if line["type"] == "use" else line,
        "not known",
    ),
}


@pytest.mark.requirement("M06")
@pytest.mark.parametrize("how", BAD)
def test_a_line_that_is_wrong_costs_itself_and_is_told(
    filled: Here, other: dict[str, str], out: Path, how: str
) -> None:
    change, told = BAD[how]
    made = [change(line) for line in lines(unframed(out.read_text(encoding="utf-8")))]
    text = "".join(json.dumps(line) + "\n" for line in made if line is not None)
    out.write_text(framed(text), encoding="utf-8")
    done = filled("import", str(out), env=other)
    assert done.code == 0 and "Traceback" not in done.err
    assert told in done.out
    assert filled("doctor", env=other).code == 0
    assert filled.json("memory", "list", env=other)[0]["value"] == "mine"


@pytest.mark.requirement("M06")
def test_ids_that_another_conversation_has_keep_one_out(
    filled: Here, tmp_path: Path, out: Path
) -> None:
    env = {"MEMORO_HOME": str(tmp_path / "third")}
    filled.ok("import", str(out), env=env)
    made = map(renamed, lines(unframed(out.read_text(encoding="utf-8"))))
    out.write_text(framed("".join(json.dumps(line) + "\n" for line in made)), encoding="utf-8")
    before = filled.ok("export", env=env).out
    done = filled.json("import", str(out), env=env)
    assert [one["place"] for one in done["left_out"]] == ["conversation s_0000000002"]
    assert filled.ok("export", env=env).out == before


@pytest.mark.requirement("M06")
@pytest.mark.parametrize("option", ["--as-mine", "--bring-back", "--partial"])
def test_options_of_an_export_are_refused_for_what_is_none(
    here: Here, tmp_path: Path, option: str
) -> None:
    path = tmp_path / "facts.json"
    path.write_text('{"tone": "brief"}', encoding="utf-8")
    refused = here("import", str(path), option)
    assert (refused.code, option in refused.err) == (2, True)
    assert here.json("memory", "list") == []


@pytest.mark.requirement("M06")
def test_many_facts_go_to_the_archive_where_there_is_no_room(
    filled: Here, other: dict[str, str], out: Path
) -> None:
    env = {**other, "MEMORO_MAX_FACTS": "1"}
    done = filled.json("import", str(out), env=env)
    facts = done["counts"]["fact"]["new"]
    assert facts >= 2 and 0 < len(done["archived"]) < facts
    # What was put away is no other one than before.
    again = filled.json("import", str(out), env=env)
    assert again["counts"]["fact"] == {"new": 0, "changed": 0, "known": facts, "left_out": 0}


def noted(number: int, text: str = "words") -> Record:
    return Record(f"n_{number}", "note", "global", None, text, NOON, NOON, {"title": str(number)})


@pytest.mark.requirement("M06", "Z03")
def test_many_records_come_in_parts_under_one_entry(here: Here, tmp_path: Path) -> None:
    app = App({"MEMORO_HOME": str(here.home)})
    changes = ChangeSet("import", [Change(None, noted(number)) for number in range(2_500)])
    app.services(writes=True).store.apply(lambda _: changes, Origin("test", NOON))
    app.close()
    out, env = tmp_path / "out.jsonl", {"MEMORO_HOME": str(tmp_path / "third")}
    here.ok("export", "--out", str(out))
    here.ok("memory", "remember", "tone", "brief", env=env)
    done = here.json("import", str(out), env=env)
    assert (done["new"], done["checked"], done["wrong"]) == (2_500, 2_500, [])
    log = here.json("memory", "log", env=env)
    assert [one["action"] for one in log] == ["import", "remember"]
    assert here.json("import", str(out), env=env)["change"] is None
    here.ok("memory", "undo", str(done["change"]), env=env)
    assert here.json("note", "list", env=env) == []


@pytest.mark.requirement("M06", "P16")
def test_what_others_do_in_between_stands(tmp_path: Path) -> None:
    homes = [App({"MEMORO_HOME": str(tmp_path / "home")}) for _ in range(2)]
    mine, others = (app.services(writes=True).store for app in homes)
    origin = Origin("test", NOON)
    mine.apply(lambda _: ChangeSet("note add", [Change(None, noted(3))]), origin)
    mine.apply(lambda _: Removal("forget", [noted(3)]), origin)
    mine.apply(lambda _: ChangeSet("note add", [Change(None, noted(9))]), origin)

    def plan(reader: Reader) -> ChangeSet:
        # While it is planned, somebody else keeps one of the records in other words.
        taken = ChangeSet("note add", [Change(None, noted(1, "theirs"))])
        others.apply(lambda _: taken, origin)
        return ChangeSet("import", [Change(None, noted(number)) for number in (1, 2, 3)])

    assert isinstance(mine, SqliteStore)
    done = join(mine, [], plan, Terms(origin))
    assert isinstance(done, Joined)
    assert list(done.overtaken) == ["n_1", "n_3"]
    assert [one.text for one in mine.select("note")] == ["theirs", "words", "words"]
    (change,) = mine.changes(limit=1)
    assert [one.record_id for one in change.records] == ["n_2"]
    for app in homes:
        app.close()


@pytest.mark.requirement("M06")
def test_a_store_that_is_filled_meanwhile_is_left_as_it_is(tmp_path: Path) -> None:
    homes = [App({"MEMORO_HOME": str(tmp_path / "home")}) for _ in range(2)]
    mine, others = (app.services(writes=True).store for app in homes)
    origin = Origin("test", NOON)

    def found() -> Iterator[tuple[str, dict[str, object]]]:
        yield "line 2", {"type": "record", **to_plain(noted(1))}
        taken = ChangeSet("note add", [Change(None, noted(2))])
        # Nobody is locked out while the file is read.
        others.apply(lambda _: taken, origin)

    assert isinstance(mine, SqliteStore)
    assert restore(mine, found(), origin) is None
    assert [one.id for one in mine.select("note")] == ["n_2"]
    for app in homes:
        app.close()

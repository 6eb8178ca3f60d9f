"""What a person changed in the plain files, taken into the store; and nothing of either side lost.

How versions are merged is tested with `memoro.memory.plain`; here are files.
"""

from __future__ import annotations

import codecs
import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from mirror_world import (
    LATER,
    NOW,
    ORIGIN,
    add,
    change,
    edit,
    erase,
    folder,
    learned,
    lines,
    opened,
    saved,
    seen,
    started,
    synced,
    texts,
    write_lines,
)

from memoro.backends.mirror import syncing
from memoro.backends.mirror.folder import Folder
from memoro.backends.mirror.watching import is_edited
from memoro.backends.sqlite.store import SqliteStore
from memoro.memory.records import SAVED_FACT, Trust
from memoro.memory.undo import undo


@pytest.mark.requirement("M04")
def test_added_changed_and_deleted_records(tmp_path: Path) -> None:
    path = started(tmp_path, 12)
    found = lines(path)
    found[0]["text"] = "Bananas are yellow"
    del found[1]
    found.insert(0, {"text": "A line without anything else"})
    write_lines(path, found)
    with opened(tmp_path) as store:
        assert is_edited(store.connection, str(folder(tmp_path)))
        done = synced(store, tmp_path, LATER)
        merged = done.taken.merged
        assert [len(one) for one in (merged.added, merged.changed, merged.deleted)] == [1, 1, 1]
        assert {"Bananas are yellow", "A line without anything else"} <= texts(store)
        assert len(store.select("fact")) == 12
        changed = store.get("fact000011")
        assert changed is not None
        assert (changed.trust, changed.confidence) == (Trust.USER, 1.0)
        assert not is_edited(store.connection, str(folder(tmp_path)))
        [entry] = store.changes(limit=1)
        assert entry.action == "merge"
        store.apply(undo(entry.id, LATER), ORIGIN)
        assert len(store.select("fact")) == 12
        assert "Bananas are yellow" not in texts(store)
        synced(store, tmp_path, LATER)
    assert len(path.read_text(encoding="utf-8").splitlines()) == 14


@pytest.mark.requirement("M04")
def test_a_record_changed_on_both_sides_loses_nothing(tmp_path: Path) -> None:
    path = started(tmp_path)
    with opened(tmp_path) as store:
        edit(path, "port 8001", "port 9001")
        change(store, "fact000001", text="The service number 1 listens on port 7001")
        done = synced(store, tmp_path, LATER)
        assert [one.why for one in done.taken.merged.conflicts]
        found = texts(store)
        assert any("9001" in one for one in found) and any("7001" in one for one in found)
        assert any("fact000001" in line for line in done.told)
        assert synced(store, tmp_path, LATER).told == ()
    assert {one["text"] for one in lines(path)} == found


def test_saving_without_a_change_is_none(tmp_path: Path) -> None:
    path = started(tmp_path)
    before = path.read_bytes()
    with opened(tmp_path) as store:
        last = store.changes(limit=1)[0].id
        os.utime(path, ns=(1, 1))
        assert is_edited(store.connection, str(folder(tmp_path)))
        assert not synced(store, tmp_path, LATER).files
        assert not is_edited(store.connection, str(folder(tmp_path)))
        write_lines(path, lines(path))
        synced(store, tmp_path, LATER)
        assert store.changes(limit=1)[0].id == last
    assert path.read_bytes() == before


SAVINGS: dict[str, Callable[[str], bytes]] = {
    "crlf": lambda text: text.replace("\n", "\r\n").encode(),
    "bom": lambda text: codecs.BOM_UTF8 + text.encode(),
    "utf-16": lambda text: text.encode("utf-16"),
    "utf-16-le": lambda text: text.encode("utf-16-le"),
    "utf-32": lambda text: text.encode("utf-32"),
    "bom and crlf": lambda text: codecs.BOM_UTF8 + text.replace("\n", "\r\n").encode(),
    "blank lines": lambda text: (text + "\n\n  \n").encode(),
    "one line": lambda text: json.dumps(json.loads(text)).encode(),
}


@pytest.mark.requirement("M04")
@pytest.mark.parametrize("saving", SAVINGS)
def test_however_an_editor_saves(tmp_path: Path, saving: str) -> None:
    path = started(tmp_path)
    text = path.read_text(encoding="utf-8").replace("port 8001", "Portão 9001")
    path.write_bytes(SAVINGS[saving](text))
    with opened(tmp_path) as store:
        done = synced(store, tmp_path, LATER)
        assert "The service number 1 listens on Portão 9001" in texts(store)
        assert len(done.taken.merged.changes) == 1
    assert b"\r" not in path.read_bytes()
    assert not list(folder(tmp_path).glob("*.broken-*"))


BROKEN: list[tuple[str, Callable[[str], str], int, str]] = [
    ("torn", lambda text: text[:-40], 4, "line 4"),
    ("comma", lambda text: text.replace("},\n", "}\n", 1), 3, "a comma is missing"),
    ("too many", lambda text: text.replace("}\n]", "},\n]"), 4, "too many"),
    ("quote", lambda text: text.replace('"text": "The', '"text": The', 1), 2, "line 2"),
    ("no list", lambda text: text.strip("[]\n").split(",\n")[0], 1, "a list"),
    ("markers", lambda text: text.replace("[\n", "[\n<<<<<<< HEAD\n", 1), 2, "line 2"),
    ("empty", lambda text: "", 1, "empty"),
    ("after", lambda text: text + "x", 6, "behind the end"),
    ("open", lambda text: text.replace("\n]\n", "\n"), 5, "no end"),
]


@pytest.mark.requirement("M04")
@pytest.mark.parametrize(
    ("break_it", "line", "what"), [one[1:] for one in BROKEN], ids=[one[0] for one in BROKEN]
)
def test_a_file_with_a_syntax_error_changes_nothing_and_is_kept(
    tmp_path: Path, break_it: Callable[[str], str], line: int, what: str
) -> None:
    path = started(tmp_path)
    good = path.read_bytes()
    text = break_it(path.read_text(encoding="utf-8").replace("port 8001", "port 9001"))
    path.write_text(text, encoding="utf-8")
    with opened(tmp_path) as store:
        before = store.select("fact")
        done = synced(store, tmp_path, LATER)
        assert store.select("fact") == before
        assert done.taken.change is None
    [told] = [one for one in done.told if "facts.json" in one]
    assert f"facts.json, line {line}, column " in told and what in told
    assert "memoro memory merge" in told
    assert path.with_name("facts.json.broken-1").read_text(encoding="utf-8") == text
    assert path.read_bytes() == good


def test_each_broken_text_is_kept_once(tmp_path: Path) -> None:
    path = started(tmp_path)
    for text in ("[{", "[[", "[{", "[{"):
        path.write_text(text, encoding="utf-8")
        with opened(tmp_path) as store:
            synced(store, tmp_path, LATER)
    kept = sorted(folder(tmp_path).glob("facts.json.*"))
    assert [one.read_text(encoding="utf-8") for one in kept] == ["[{", "[["]


def test_text_that_is_no_unicode_is_told_with_its_line(tmp_path: Path) -> None:
    path = started(tmp_path)
    data = path.read_bytes().replace(b"port 8001", b"port \xff\xfe 8001")
    path.write_bytes(data)
    with opened(tmp_path) as store:
        done = synced(store, tmp_path, LATER)
    assert any("line 3, column" in one for one in done.told)
    assert path.with_name("facts.json.broken-1").read_bytes() == data


@pytest.mark.requirement("M04")
@pytest.mark.parametrize(
    ("bad", "what"),
    [
        ({"text": 7}, "text"),
        ({"confidence": "sure"}, "confidence"),
        ({"trust": "king"}, "trust"),
        ({"created_at": "yesterday"}, "created_at"),
        ({"tags": "a b"}, "tags"),
        ({"kind": "note"}, "kind"),
        ({"scope": "project:nowhere"}, "nowhere"),
        ({"text": ""}, "text"),
    ],
)
def test_a_bad_record_is_told_with_its_line_and_the_others_count(
    tmp_path: Path, bad: dict[str, Any], what: str
) -> None:
    path = started(tmp_path)
    found = lines(path)
    found[1] |= bad
    found[2]["text"] = "Oranges are round"
    raw = "[\n" + ",\n".join(json.dumps(one) for one in found) + "\n]\n"
    path.write_text(raw, encoding="utf-8")
    with opened(tmp_path) as store:
        done = synced(store, tmp_path, LATER)
        assert "Oranges are round" in texts(store)
        kept = store.get("fact000001")
        assert kept is not None and kept.text == learned(1).text
    assert any("line 3" in one and what in one for one in done.told), done.told
    [copy] = folder(tmp_path).glob("facts.json.broken-*")
    assert lines(copy) == [found[1]]
    assert len(lines(path)) == 3


def test_an_element_that_is_no_record_deletes_none(tmp_path: Path) -> None:
    path = started(tmp_path)
    found: list[Any] = lines(path)
    found[1] = "just words"
    write_lines(path, found)
    with opened(tmp_path) as store:
        done = synced(store, tmp_path, LATER)
        assert len(store.select("fact")) == 3
    assert done.taken.merged.held_back == ("fact000001",)


def test_a_name_that_stands_twice_is_told_and_nothing_guessed(tmp_path: Path) -> None:
    path = started(tmp_path)
    edit(path, '"text": "The service number 1', '"text": "mine", "text": "The service number 1')
    with opened(tmp_path) as store:
        done = synced(store, tmp_path, LATER)
        assert texts(store) == {learned(number).text for number in range(3)}
    assert any("line 3" in one and "'text' twice" in one for one in done.told)
    [copy] = folder(tmp_path).glob("facts.json.broken-*")
    assert '"mine"' in copy.read_text(encoding="utf-8")


def test_two_records_of_one_id_are_both_kept(tmp_path: Path) -> None:
    path = started(tmp_path)
    found = lines(path)
    found.append({**found[1], "text": "Plums are purple"})
    write_lines(path, found)
    with opened(tmp_path) as store:
        done = synced(store, tmp_path, LATER)
        assert {"Plums are purple", learned(1).text} <= texts(store)
        assert any("twice" in one for one in done.told)


@pytest.mark.requirement("M04")
def test_times_without_a_zone_are_utc_and_written_in_one_form(tmp_path: Path) -> None:
    path = started(tmp_path)
    times = ("2026-04-01T10:00:00", "2026-04-01T10:00:00+02:00", "2026-04-01T09:00:00Z")
    found = lines(path)
    for record, at in zip(found, times, strict=True):
        record |= {"created_at": at, "valid_from": at}
    write_lines(path, found)
    with opened(tmp_path) as store:
        synced(store, tmp_path, LATER)
        stored = [store.get(str(one["id"])) for one in found]
    hours = [one.created_at.hour for one in stored if one is not None]
    assert hours == [10, 8, 9]
    assert {one["created_at"] for one in lines(path)} == {
        f"2026-04-01T{hour:02}:00:00Z" for hour in hours
    }


@pytest.mark.requirement("M04")
def test_a_deleted_file_deletes_no_record(tmp_path: Path) -> None:
    path = started(tmp_path)
    good = path.read_bytes()
    path.unlink()
    with opened(tmp_path) as store:
        done = synced(store, tmp_path, LATER)
        assert len(store.select("fact")) == 3
    assert path.read_bytes() == good
    assert any("deletes no record" in one for one in done.told)


def test_a_deleted_folder_is_written_anew(tmp_path: Path) -> None:
    started(tmp_path)
    with opened(tmp_path) as store:
        synced(store, tmp_path, usage=True)
        before = {name: (folder(tmp_path) / name).read_bytes() for name in seen(tmp_path)}
        for name in before:
            (folder(tmp_path) / name).unlink()
        folder(tmp_path).rmdir()
        done = synced(store, tmp_path)
    assert len(done.told) == 1
    assert {name: (folder(tmp_path) / name).read_bytes() for name in seen(tmp_path)} == before


class TestManyDeletions:
    @pytest.mark.parametrize(
        ("had", "left", "waits"),
        [(12, 5, True), (12, 6, False), (10, 4, True), (9, 1, False), (3, 0, True), (20, 0, True)],
    )
    def test_are_not_made_without_a_word(
        self, tmp_path: Path, had: int, left: int, waits: bool
    ) -> None:
        path = started(tmp_path, had)
        write_lines(path, lines(path)[:left])
        mine = path.read_bytes()
        with opened(tmp_path) as store:
            done = synced(store, tmp_path, LATER)
            assert len(store.select("fact")) == (had if waits else left)
            assert [one[1:] for one in done.waiting] == ([(had - left, had)] if waits else [])
            if waits:
                assert path.read_bytes() == mine
                again = synced(store, tmp_path, LATER)
                assert again.waiting == done.waiting
                synced(store, tmp_path, LATER, allowed=None)
                assert len(store.select("fact")) == left
        assert len(lines(path)) == left

    def test_hold_back_what_was_changed_beside_them(self, tmp_path: Path) -> None:
        path = started(tmp_path, 12)
        for name in ("Pears are green", "Pears are yellow"):
            found = lines(path)[:2]
            found[0]["text"] = name
            write_lines(path, found)
            with opened(tmp_path) as store:
                synced(store, tmp_path, LATER)
                assert texts(store) == {learned(number).text for number in range(12)}
        with opened(tmp_path) as store:
            synced(store, tmp_path, LATER, allowed=frozenset(["facts.json"]))
            assert texts(store) == {"Pears are yellow", learned(10).text}

    def test_are_refused_where_all_is_written_anew(self, tmp_path: Path) -> None:
        path = started(tmp_path, 12)
        found = lines(path)[:2]
        found[0]["text"] = "Pears are green"
        write_lines(path, found)
        with opened(tmp_path) as store:
            synced(store, tmp_path, LATER, everything=True)
            assert len(store.select("fact")) == 12
            assert "Pears are green" in texts(store)
        assert len(lines(path)) == 12

    def test_the_file_is_left_and_the_others_are_written(self, tmp_path: Path) -> None:
        path = started(tmp_path, 12)
        path.write_text("[]", encoding="utf-8")
        with opened(tmp_path) as store:
            add(store, learned(50), saved("b", "c"))
            synced(store, tmp_path, LATER)
            assert path.read_text(encoding="utf-8") == "[]"
            found = [one["id"] for one in lines(folder(tmp_path) / "facts-2.json")]
            assert found == ["fact000050"]
            assert len(lines(folder(tmp_path) / "saved.json")) == 2

    def test_everything_again_brings_them_back_into_the_file(self, tmp_path: Path) -> None:
        path = started(tmp_path, 12)
        good = path.read_bytes()
        path.write_text("[]", encoding="utf-8")
        with opened(tmp_path) as store:
            done = synced(store, tmp_path, LATER, everything=True)
            assert done.waiting == ()
            assert len(store.select("fact")) == 12
        assert path.read_bytes() == good


def test_lines_moved_from_file_to_file_are_the_same_records(tmp_path: Path) -> None:
    path = started(tmp_path, 700)
    second = folder(tmp_path) / "facts-2.json"
    moved = lines(path)
    write_lines(second, [*lines(second), *moved[:100]])
    write_lines(path, moved[100:])
    with opened(tmp_path) as store:
        last = store.changes(limit=1)[0].id
        done = synced(store, tmp_path, LATER)
        assert store.changes(limit=1)[0].id == last
        assert done.waiting == () and not done.told


def test_a_line_copied_from_an_untouched_file_is_that_record(tmp_path: Path) -> None:
    path = started(tmp_path, 700)
    second = folder(tmp_path) / "facts-2.json"
    write_lines(second, [*lines(second), lines(path)[0]])
    with opened(tmp_path) as store:
        last = store.changes(limit=1)[0].id
        synced(store, tmp_path, LATER)
        assert store.changes(limit=1)[0].id == last
    assert len(lines(path)) + len(lines(second)) == 700


def test_a_file_that_somebody_added(tmp_path: Path) -> None:
    started(tmp_path)
    write_lines(folder(tmp_path) / "facts-7.json", [{"text": "Grapes grow on vines"}])
    write_lines(folder(tmp_path) / "profile.json", [{"text": "Ana", "key": "name"}])
    with opened(tmp_path) as store:
        assert is_edited(store.connection, str(folder(tmp_path)))
        synced(store, tmp_path, LATER)
        assert "Grapes grow on vines" in texts(store)
        assert texts(store, "profile") == {"Ana"}
        assert not is_edited(store.connection, str(folder(tmp_path)))


def test_what_was_forgotten_is_not_brought_back_by_an_old_file(tmp_path: Path) -> None:
    path = started(tmp_path)
    old = path.read_bytes()
    with opened(tmp_path) as store:
        erase(store, "fact000001")
        synced(store, tmp_path)
        path.write_bytes(old)
        done = synced(store, tmp_path, LATER)
        assert store.get("fact000001") is None
        assert any("forgotten" in one for one in done.told)
    held = b"".join(one.read_bytes() for one in folder(tmp_path).rglob("*") if one.is_file())
    assert learned(1).text.encode() not in held


def test_what_is_changed_by_command_only_is_told(tmp_path: Path) -> None:
    from memoro.memory.records import PROJECT, Record

    project = Record("p_1", PROJECT.name, "global", "web", "", NOW, NOW, {"path": "/web"})
    with opened(tmp_path) as store:
        add(store, project)
        synced(store, tmp_path)
        edit(folder(tmp_path) / "places.json", "/web", "/elsewhere")
        done = synced(store, tmp_path, LATER)
        assert store.get("p_1") == project
        assert any("by command" in one for one in done.told)
        write_lines(folder(tmp_path) / "places.json", [])
        synced(store, tmp_path, LATER, allowed=None)
        assert store.get("p_1") == project
    assert len(lines(folder(tmp_path) / "places.json")) == 1


def test_a_person_who_saves_while_it_is_written_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = started(tmp_path)
    prepare, saved_once = Folder.prepare, []

    def saving(self: Folder, name: str, data: bytes) -> Any:
        made = prepare(self, name, data)
        if name == "facts.json" and not saved_once:
            saved_once.append(name)
            edit(path, "port 8001", "port 9001")
        return made

    monkeypatch.setattr(Folder, "prepare", saving)
    with opened(tmp_path) as store:
        add(store, learned(9))
        done = synced(store, tmp_path, LATER)
        assert saved_once
        assert "The service number 1 listens on port 9001" in texts(store)
        assert done.taken.change is not None
    assert len(lines(path)) == 4
    assert "9001" in path.read_text(encoding="utf-8")


def test_somebody_who_never_stops_saving_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = started(tmp_path)
    prepare, count = Folder.prepare, [9_000]

    def saving(self: Folder, name: str, data: bytes) -> Any:
        made = prepare(self, name, data)
        if name == "facts.json":
            count[0] += 1
            found = lines(path)
            found[-1]["text"] = f"The service number 0 listens on port {count[0]}"
            write_lines(path, found)
        return made

    monkeypatch.setattr(Folder, "prepare", saving)
    with opened(tmp_path) as store:
        add(store, learned(9))
        done = synced(store, tmp_path, LATER)
        assert any("being edited" in one for one in done.told)
        assert f"port {count[0]}" in path.read_text(encoding="utf-8")
        monkeypatch.undo()
        synced(store, tmp_path, LATER)
        for number in range(9_001, count[0] + 1):
            assert f"The service number 0 listens on port {number}" in texts(store)
        assert not is_edited(store.connection, str(folder(tmp_path)))


def test_an_editor_that_writes_in_place_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = started(tmp_path)
    text = path.read_text(encoding="utf-8").replace("port 8001", "port 9001")
    half = len(text) // 2
    with path.open("w", encoding="utf-8") as file, opened(tmp_path) as store:
        file.write(text[:half])
        file.flush()

        def go_on(_: float) -> None:
            if not file.closed:
                file.write(text[half:])
                file.close()

        monkeypatch.setattr("memoro.backends.mirror.reading.survey.time.sleep", go_on)
        done = synced(store, tmp_path, LATER)
        assert file.closed
        assert "The service number 1 listens on port 9001" in texts(store)
    assert not any("broken" in one for one in done.told)


def test_nested_and_huge_values_take_no_time_and_break_nothing(tmp_path: Path) -> None:
    path = started(tmp_path)
    for value in ("[" * 100_000, "[" + "9" * 100_000 + "]", '[{"data": ' * 50_000):
        path.write_text(value, encoding="utf-8")
        with opened(tmp_path) as store:
            began = time.monotonic()
            synced(store, tmp_path, LATER)
            assert time.monotonic() - began < 5
            assert len(store.select("fact")) == 3


def test_saved_facts_of_the_same_key_are_both_kept(tmp_path: Path) -> None:
    started(tmp_path)
    path = folder(tmp_path) / "saved.json"
    write_lines(path, [*lines(path), {"key": "city", "text": "Porto"}])
    with opened(tmp_path) as store:
        synced(store, tmp_path, LATER)
        [kept] = store.select(SAVED_FACT.name)
        assert kept.text == "Lisbon" and "Porto" in json.dumps(kept.data)


def test_a_lock_that_another_holds_is_left_alone(tmp_path: Path) -> None:
    path = started(tmp_path)
    edit(path, "port 8001", "port 9001")
    with opened(tmp_path) as store, syncing.alone(str(tmp_path), 0) as first:
        assert first
        assert synced(store, tmp_path, LATER).is_busy
        assert _has_old(store)


def _has_old(store: SqliteStore) -> bool:
    return learned(1).text in texts(store)

"""What the files of another machine know and the store doesn't: its projects and folders, and what
was learned in them."""

from __future__ import annotations

from typing import Any

import pytest

from memoro.errors import Refusal
from memoro.memory.plain.edits import Item, edits_of, joined
from memoro.memory.plain.merging import Merged, merge_plan
from memoro.memory.plain.outcome import Merged as Outcome
from memoro.memory.records import FACT, NOTE, PLACE, PROJECT, SAVED_FACT, Record
from memoro.memory.store import Origin
from memoro.memory.undo import undo
from memory.plain_world import NOW, Desk

AT = "2026-04-01T10:00:00Z"
WEB: dict[str, Any] = {
    "id": "p_web", "kind": "project", "key": "web", "created_at": AT,
    "data": {"path": "/home/ana/web", "common_dir": None, "subpath": "", "roots": ["a1"]},
}  # fmt: skip
SHED: dict[str, Any] = {
    "id": "pl_0a1b", "kind": "place", "key": "place:0a1b", "text": "/home/ana/shed",
    "created_at": AT, "data": {"path": "/home/ana/shed", "roots": []},
}  # fmt: skip
PORT: dict[str, Any] = {
    "id": "f_port", "kind": "saved_fact", "scope": "project:web", "key": "port", "text": "8080",
    "created_at": AT,
}  # fmt: skip
TOOL: dict[str, Any] = {
    "id": "tool0001", "kind": "fact", "scope": "place:0a1b", "text": "The saw is blunt",
    "created_at": AT, "data": {"category": "general"},
}  # fmt: skip
GROUPS = ((FACT.name,), (SAVED_FACT.name,), (NOTE.name,), (PROJECT.name, PLACE.name))


def merge(desk: Desk, *lines: dict[str, Any]) -> Merged:
    """Merge lines of files of several kinds, of which nothing was written here."""
    parts = [
        edits_of(
            {},
            [
                Item("file.json", f"line {n}", one)
                for n, one in enumerate(lines, 1)
                if one["kind"] in kinds
            ],
            kinds,
            (),
            NOW,
        )
        for kinds in GROUPS
    ]
    told: list[Outcome] = []
    desk.store.apply(merge_plan(joined(parts), NOW, told.append), Origin("person", NOW))
    return told[-1]


def known(desk: Desk, kind: str) -> dict[str | None, Record]:
    return {one.key: one for one in desk.store.select(kind)}


@pytest.mark.requirement("M04")
def test_what_was_learned_in_a_project_of_another_machine_is_taken_with_it() -> None:
    desk = Desk()
    # Whatever comes first in the files.
    merged = merge(desk, PORT, TOOL, SHED, WEB)
    assert (merged.problems, merged.conflicts) == ((), ())
    assert len(merged.added) == 4
    assert known(desk, "project")["web"].data["path"] == "/home/ana/web"
    assert known(desk, "place")["place:0a1b"].text == "/home/ana/shed"
    assert desk.get("f_port").scope == "project:web"
    assert desk.get("tool0001").scope == "place:0a1b"


@pytest.mark.requirement("M04")
def test_without_its_record_a_project_is_known_by_its_name_and_a_folder_by_its_scope() -> None:
    desk = Desk()
    merged = merge(desk, PORT, TOOL, {**PORT, "id": "f_host", "key": "host"})
    assert merged.problems == ()
    assert dict(known(desk, "project")["web"].data) == {}
    assert known(desk, "place") == {}
    assert {one.key for one in desk.store.select("saved_fact", "project:web")} == {"port", "host"}
    assert desk.get("tool0001").scope == "place:0a1b"


@pytest.mark.requirement("M04")
def test_a_merge_of_these_is_undone_and_redone_as_one() -> None:
    desk = Desk()
    merge(desk, PORT, TOOL, SHED, WEB)
    desk.undo()
    assert desk.store.counts() == {}
    redo = desk.store.apply(undo(desk.last().id, NOW), Origin("test", NOW))
    assert not isinstance(redo, Refusal)
    assert sum(desk.store.counts().values()) == 4


def test_undo_still_hides_nothing_that_came_later() -> None:
    desk = Desk()
    merge(desk, WEB)
    entry = desk.last().id
    merge(desk, PORT)
    refused = desk.store.apply(undo(entry, NOW), Origin("test", NOW))
    assert isinstance(refused, Refusal) and "has facts or notes" in refused.what


def test_a_project_of_the_same_name_stays_as_it_is() -> None:
    desk = Desk()
    ours = Record("p_1", "project", "global", "web", "", NOW, NOW, {"path": "/srv/web"})
    desk.keep((None, ours))
    merged = merge(desk, WEB, PORT)
    assert (merged.problems, merged.conflicts) == ((), ())
    assert desk.store.select("project") == [ours]
    assert desk.get("f_port").scope == "project:web"


def test_a_folder_has_one_name() -> None:
    desk = Desk()
    ours = Record("p_1", "project", "global", "site", "", NOW, NOW, {"path": "/home/ana/web"})
    desk.keep((None, ours))
    merge(desk, WEB, {**WEB, "id": "p_2", "key": "www"}, PORT)
    assert {key: one.data.get("path") for key, one in known(desk, "project").items()} == {
        "site": "/home/ana/web", "web": None, "www": None,
    }  # fmt: skip


def test_where_a_folder_lies_is_each_machines_own() -> None:
    desk = Desk(PLACE.name)
    merge(desk, SHED)
    desk.write()
    desk.lines[0] |= {"text": "/elsewhere", "data": {"path": "/elsewhere", "roots": []}}
    merged = desk.merge()
    assert (merged.changes, merged.problems) == ((), ())
    assert desk.get("pl_0a1b").text == "/home/ana/shed"


@pytest.mark.parametrize(
    "line",
    [
        {**PORT, "id": None},
        {**WEB, "id": None},
        {**WEB, "data": {"path": 7}},
        {**WEB, "data": {"path": "/w", "roots": "a1"}},
        {**WEB, "scope": "project:web"},
        {**SHED, "data": {}},
        {**SHED, "key": None},
        {**SHED, "key": "shed"},
        {**PORT, "scope": "project:a b"},
        {**TOOL, "scope": "place:../x"},
    ],
)
def test_what_no_machine_writes_is_refused(line: dict[str, Any]) -> None:
    desk = Desk()
    merged = merge(desk, line)
    assert (merged.changes, len(merged.problems)) == ((), 1)


def test_a_scope_that_was_typed_into_a_known_record_is_refused() -> None:
    desk = Desk()
    fact = desk.learn("Bananas are yellow")
    desk.write()
    desk.line(fact.id)["scope"] = "project:wbe"
    assert len(desk.merge().problems) == 1
    assert desk.store.select("project") == []


def test_a_project_that_was_forgotten_is_not_brought_back() -> None:
    from memoro.memory.store import Removal

    desk = Desk()
    merge(desk, WEB)
    wanted = Removal("forget", [desk.get("p_web")])
    desk.apply(lambda _: wanted)
    merge(desk, WEB)
    assert desk.store.select("project") == []

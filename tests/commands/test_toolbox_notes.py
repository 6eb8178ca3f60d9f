"""The notes tool of a run: what it gives, and to whom."""

from __future__ import annotations

from typing import Any

import pytest

from commands.toolrun import NULLS, WEB, Run
from memoro.commands import note
from memoro.memory.records import GLOBAL, NOTE, SAVED_FACT, project_scope


@pytest.mark.requirement("P29")
def test_a_model_adds_finds_and_reads_a_note(run: Run) -> None:
    told = run.notes("add", title="Trip", text="To Paris by train").text
    (kept,) = run.services.store.select(NOTE.name)
    assert told == f"Kept note {kept.id}: Trip"
    assert (kept.source_run, kept.scope, kept.text) == ("r_1", GLOBAL, "To Paris by train")
    found = run.notes("search", query="paris train").text
    assert f"{kept.id} | Trip | To Paris by train" in found
    assert "No note" in run.notes("search", query="rome").text
    shown = run.notes("show", id=kept.id).text
    assert shown == "# Trip\n\nTo Paris by train\n[bytes 0-17 of 17; this is the end]"


@pytest.mark.requirement("P29")
def test_a_long_note_is_read_part_by_part(run: Run) -> None:
    text = "".join(f"{number:06} 漢字😀\n" for number in range(2500))
    run.notes("add", title="Long", text=text)
    (kept,) = run.services.store.select(NOTE.name)
    parts: list[str] = []
    offset: int | None = None
    for _ in range(10):
        body = run.notes("show", id=kept.id, offset=offset).text.removeprefix("# Long\n\n")
        part, _, mark = body.rpartition("\n[bytes ")
        assert len(part.encode()) <= note.PART_BYTES
        parts.append(part)
        if "this is the end" in mark:
            break
        offset = int(mark.rpartition(" ")[2].rstrip("]"))
    assert "".join(parts) == text
    assert len(parts) > 1


@pytest.mark.requirement("P09", "P29")
@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"action": "add", "title": "t"}, "text must not be null"),
        ({"action": "add", "text": "x"}, "title must not be null"),
        ({"action": "add", "title": "t", "text": ""}, "empty"),
        ({"action": "add", "title": "a\nb", "text": "x"}, "title"),
        ({"action": "add", "title": "t", "text": "x", "id": "n_1"}, "id must be null"),
        ({"action": "add", "title": "t", "text": "x", "project": "web"}, "unknown argument"),
        ({"action": "show"}, "id must not be null"),
        ({"action": "show", "id": "n_nope"}, "no note n_nope"),
        ({"action": "show", "id": "\ud800"}, "not valid UTF-8"),
        ({"action": "show", "id": "there", "offset": "1"}, "offset must be of type integer"),
        ({"action": "show", "id": "there", "offset": True}, "offset must be of type integer"),
        ({"action": "show", "id": "there", "offset": 1.0}, "offset must be of type integer"),
        ({"action": "show", "id": "there", "offset": -1}, "offset must lie between"),
        ({"action": "show", "id": "there", "offset": 10**30}, "offset must lie between"),
        ({"action": "search", "query": ["a"]}, "query must be of type string"),
        ({"action": "search", "query": "\ud800"}, "not valid UTF-8"),
        ({"action": "edit", "id": "there", "text": "x"}, "action must be"),
        ({"action": "remove", "id": "there"}, "action must be"),
        ({"action": "list"}, "action must be"),
    ],
)
def test_note_arguments_that_are_refused(run: Run, given: dict[str, Any], told: str) -> None:
    run.notes("add", title="There", text="x")
    (kept,) = run.services.store.select(NOTE.name)
    arguments = {**NULLS, **given}
    if arguments["id"] == "there":
        arguments["id"] = kept.id
    assert told in run.refused("notes", arguments)


@pytest.mark.requirement("P17", "P20")
def test_a_run_reads_the_notes_of_its_scope_and_the_global_ones(run: Run) -> None:
    ids: dict[str, str] = {}
    for scope in (GLOBAL, WEB, project_scope("other")):
        run.begin(scope)
        run.notes("add", title="T", text=f"common {scope}")
        (kept,) = run.services.store.select(NOTE.name, scope)
        ids[scope] = kept.id
    other = ids.pop(project_scope("other"))
    run.begin(WEB)
    found = run.notes("search", query="common").text
    assert [each in found for each in ids.values()] == [True, True]
    assert other not in found
    assert run.notes("show", id=ids[GLOBAL]).outcome == "done"
    assert "no note" in run.refused("notes", {**NULLS, "action": "show", "id": other})
    run.begin(GLOBAL)
    assert ids[WEB] not in run.notes("search", query="common").text
    assert "no note" in run.refused("notes", {**NULLS, "action": "show", "id": ids[WEB]})


@pytest.mark.requirement("P17")
def test_a_fact_is_no_note(run: Run) -> None:
    run.memory("remember", "k", "v")
    (fact,) = run.services.store.select(SAVED_FACT.name)
    assert "no note" in run.refused("notes", {**NULLS, "action": "show", "id": fact.id})

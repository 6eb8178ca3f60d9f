"""`memoro memory log|history|undo`: what happened, and taking it back."""

from __future__ import annotations

import pytest

from commands.here import Here
from memoro import Memory

NOW = {"MEMORO_NOW": "2026-05-02T16:10:00Z"}


@pytest.mark.requirement("Z03")
def test_the_log_tells_what_who_and_when(here: Here) -> None:
    here.ok("memory", "remember", "tone", "brief", env=NOW)
    here.ok("memory", "replace", "tone", "long", env=NOW)
    with Memory.open(here.home) as memory:
        memory.remember("other", "v")
    newest, changed, made = here.json("memory", "log")
    assert (newest["id"], newest["writer"], newest["action"]) == (3, "library", "remember")
    assert changed == {
        "id": 2,
        "at": "2026-05-02T16:10:00Z",
        "action": "replace",
        "writer": "command line",
        "run": None,
        "message": None,
        "undoes": None,
        "undone_by": None,
        "final": False,
        "records": [
            {
                "id": made["records"][0]["id"],
                "kind": "saved_fact",
                "scope": "global",
                "key": "tone",
                "before": {"value": "brief"},
                "after": {"value": "long"},
            }
        ],
    }
    assert made["records"][0]["before"] is None
    lines = here.ok("memory", "log").out.splitlines()
    assert lines[1] == "2\t2026-05-02 16:10\treplace\ttone\t'brief' → 'long'\tcommand line\t"
    assert lines[2].split("\t")[4] == "∅ → 'brief'"


@pytest.mark.requirement("Z03")
def test_a_limit_of_the_log(here: Here) -> None:
    here.fill(3)
    assert [one["id"] for one in here.json("memory", "log", "--limit", "2")] == [3, 2]
    for limit in ("3", "9999999999", "9" * 30):
        assert len(here.json("memory", "log", "--limit", limit)) == 3
    for limit in ("0", "-1", "-99999999999999999999", "two", "1.5", ""):
        assert here.refused("memory", "log", "--limit", limit).code == 2


@pytest.mark.requirement("Z03", "P19")
def test_the_log_of_a_project(here: Here) -> None:
    here.ok("project", "add", "web")
    here.ok("memory", "remember", "a", "v")
    here.ok("memory", "remember", "--project", "web", "a", "v")
    assert [one["id"] for one in here.json("memory", "log", "--project", "web")] == [3]
    assert [one["id"] for one in here.json("memory", "log")] == [3, 2, 1]
    assert here.refused("memory", "log", "--project", "nope").code == 3


@pytest.mark.requirement("Z03")
def test_undo_says_what_it_did_and_how_to_bring_it_back(here: Here) -> None:
    here.ok("memory", "remember", "tone", "brief")
    here.ok("memory", "replace", "tone", "long")
    ran = here.ok("memory", "undo")
    assert ran.out == (
        "Undid change 2: tone 'long' → 'brief'. To bring it back: memoro memory undo 3\n"
    )
    assert here.facts() == {"tone": "brief"}
    here.ok("memory", "undo", "3")
    assert here.facts() == {"tone": "long"}
    given = here.json("memory", "undo")
    assert (given["undoes"], given["action"]) == (4, "undo")
    assert here.facts() == {"tone": "brief"}


@pytest.mark.requirement("Z03")
@pytest.mark.parametrize("change", ["99", "0", "-1", "9" * 19, "9" * 40])
def test_undo_of_a_change_that_is_not_there(here: Here, change: str) -> None:
    here.ok("memory", "remember", "a", "v")
    ran = here.refused("memory", "undo", change)
    assert ran.code == 3
    assert change in ran.err


@pytest.mark.requirement("Z03")
@pytest.mark.parametrize("change", ["x", "1.0", "", "*", "1 2", "9" * 5000])
def test_undo_of_what_is_no_id(here: Here, change: str) -> None:
    here.ok("memory", "remember", "a", "v")
    assert here.refused("memory", "undo", change).code == 2


@pytest.mark.requirement("Z03")
def test_nothing_to_undo(here: Here) -> None:
    ran = here("memory", "undo")
    assert (ran.code, ran.out) == (3, "")
    assert "no change to undo" in ran.err


@pytest.mark.requirement("Z03")
def test_an_undo_that_would_lose_a_later_change_is_refused(here: Here) -> None:
    here.ok("memory", "remember", "a", "1")
    here.ok("memory", "replace", "a", "2")
    ran = here.refused("memory", "undo", "1")
    assert ran.code == 4
    assert "a has changed since change 1" in ran.err
    assert "memoro memory history a" in ran.err


@pytest.mark.requirement("Z03", "P16")
def test_a_forgetting_is_not_undone(here: Here) -> None:
    here.ok("memory", "remember", "a", "1")
    here.ok("memory", "forget", "a")
    for words in ((), ("2",), ("1",)):
        ran = here.refused("memory", "undo", *words)
        assert ran.code == 4
        assert "final" in ran.err


@pytest.mark.requirement("Z03", "P04")
def test_an_undo_keeps_to_128_facts(here: Here) -> None:
    here.ok("memory", "remember", "old", "v")
    here.ok("memory", "undo")
    here.fill(128)
    ran = here.refused("memory", "undo", "2")
    assert ran.code == 7
    assert "128" in ran.err


@pytest.mark.requirement("Z03")
def test_an_undo_brings_no_key_twice(here: Here) -> None:
    here.ok("memory", "remember", "a", "old")
    here.ok("memory", "undo")
    here.ok("memory", "remember", "a", "new")
    assert here.refused("memory", "undo", "2").code == 4
    assert here.facts() == {"a": "new"}


@pytest.mark.requirement("Z03")
def test_the_history_of_a_key(here: Here) -> None:
    here.ok("memory", "remember", "a", "1")
    here.ok("memory", "remember", "b", "1")
    here.ok("memory", "replace", "a", "2")
    here.ok("memory", "undo")
    history = here.json("memory", "history", "a")
    assert [(one["id"], one["action"]) for one in history] == [
        (4, "undo"),
        (3, "replace"),
        (1, "remember"),
    ]
    assert (history[0]["undoes"], history[1]["undone_by"]) == (3, 4)
    lines = here.ok("memory", "history", "a").out.splitlines()
    assert [line.split("\t")[2] for line in lines] == ["undo 3", "replace", "remember"]
    assert lines[1].endswith("\tundone by 4")
    here.ok("memory", "forget", "a")
    assert [one["records"][0]["after"] for one in here.json("memory", "history", "a")] == [None] * 4
    shown = here.ok("memory", "history", "a").out.splitlines()
    assert [line.split("\t")[4] for line in shown] == [
        "forgotten for good",
        *["(content forgotten)"] * 3,
    ]


@pytest.mark.requirement("Z03")
def test_the_history_of_what_is_unknown(here: Here) -> None:
    here.ok("project", "add", "web")
    here.ok("memory", "remember", "a", "v")
    for words in (("b",), ("*",), ("%",), ("",), ("a", "--project", "web")):
        assert here.refused("memory", "history", *words).code == 3
    assert here.refused("memory", "history", "a", "--project", "nope").code == 3


@pytest.mark.requirement("Z03", "P19")
def test_the_history_is_of_one_scope(here: Here) -> None:
    here.ok("project", "add", "web")
    here.ok("memory", "remember", "a", "v")
    here.ok("memory", "remember", "--project", "web", "a", "w")
    assert [one["id"] for one in here.json("memory", "history", "a")] == [2]
    assert [one["id"] for one in here.json("memory", "history", "a", "--project", "web")] == [3]


@pytest.mark.requirement("Z03")
def test_long_and_odd_values_are_shortened_and_escaped_in_the_log(here: Here) -> None:
    here.ok("memory", "remember", "a", "x" * 100)
    here.ok("memory", "replace", "a", "\x1b[31m\ttab")
    line = here.ok("memory", "log").out.splitlines()[0]
    assert line.split("\t")[4] == f"'{'x' * 32}…' → '\\x1b[31m\\ttab'"
    assert "\x1b" not in line

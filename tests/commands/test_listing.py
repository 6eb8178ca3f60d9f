"""`memoro memory list`, as people and programs see it where output is no terminal."""

from __future__ import annotations

import json

import pytest

from commands.here import Here
from commands.toolrun import Run

NOW = {"MEMORO_NOW": "2026-05-02T16:10:00Z"}
LATER = {"MEMORO_NOW": "2026-05-03T18:40:30.5+02:00"}


@pytest.mark.requirement("P05")
def test_a_piped_list_has_a_line_a_fact_and_tabs(here: Here) -> None:
    here.ok("memory", "remember", "b", "second", env=NOW)
    here.ok("memory", "remember", "a", "first\tx\nline \\ two", env=NOW)
    here.ok("memory", "remember", "c", "C:\\new", env=NOW)
    assert here.ok("memory", "list").out.splitlines() == [
        "a\tfirst\\tx\\nline \\\\ two\t2026-05-02 16:10\t-",
        "b\tsecond\t2026-05-02 16:10\t-",
        "c\tC:\\new\t2026-05-02 16:10\t-",
    ]


@pytest.mark.requirement("P05")
def test_json_has_these_names_and_all_of_a_value(here: Here) -> None:
    value = 'tab\tline\nESC\x1b[31m DEL\x7f CSI\x9b31m 漢 😀 \\ " \u2028 \u202e'
    here.ok("memory", "remember", "a", value, env=NOW)
    here.ok("memory", "replace", "a", value + "!", env=LATER)
    ran = here.ok("memory", "list", "--json")
    assert ran.json == [
        {
            "scope": "global",
            "key": "a",
            "value": value + "!",
            "created_at": "2026-05-02T16:10:00Z",
            "updated_at": "2026-05-03T16:40:30.500000Z",
            "source_run": None,
        }
    ]
    assert list(ran.json[0]) == [
        *("scope", "key", "value", "created_at", "updated_at", "source_run")
    ]
    assert "漢 😀" in ran.out
    assert not any(char in ran.out for char in "\x1b\x7f\x9b")


@pytest.mark.requirement("P05")
def test_json_stays_json_where_output_is_not_utf8(here: Here) -> None:
    value = "é 漢 😀 \x9b"
    here.ok("memory", "remember", "a", value)
    for encoding in ("ascii", "latin-1"):
        env = {"PYTHONIOENCODING": encoding}
        assert here.process("memory", "list", "--json", env=env).json[0]["value"] == value
    ran = here.process("memory", "list", env={"PYTHONIOENCODING": "ascii"})
    assert (ran.code, ran.out.split("\t")[1]) == (0, "\\xe9 \\u6f22 \\U0001f600 \\x9b")


@pytest.mark.requirement("P05")
def test_an_empty_list_makes_no_home(here: Here) -> None:
    ran = here.ok("memory", "list")
    assert ran.out == ""
    assert "memoro memory remember KEY VALUE" in ran.err
    assert here.ok("memory", "list", "--json").json == []
    assert here.ok("memory", "list", "--quiet") == (0, "", "")
    for words in (
        ("memory", "log"),
        ("note", "list"),
        ("project", "list"),
        ("note", "search", "x"),
    ):
        assert here.ok(*words).out == ""
    assert not here.home.exists()


@pytest.mark.requirement("P05")
@pytest.mark.parametrize(
    ("zone", "shown"),
    [
        ("UTC", "2026-05-02 16:10"),
        ("Asia/Tokyo", "2026-05-03 01:10"),
        ("America/Chicago", "2026-05-02 11:10"),
        ("Pacific/Kiritimati", "2026-05-03 06:10"),
    ],
)
def test_times_are_shown_in_the_users_zone(here: Here, zone: str, shown: str) -> None:
    here.ok("memory", "remember", "a", "v", env={**NOW, "TZ": zone})
    assert here.ok("memory", "list", env={"TZ": zone}).out == f"a\tv\t{shown}\t-\n"
    assert here.json("memory", "list", env={"TZ": zone})[0]["updated_at"] == "2026-05-02T16:10:00Z"


@pytest.mark.parametrize(
    "now",
    [
        *("yesterday", "2026-05-02", "2026-05-02T16:10:00", "0001-01-01T00:00:00+14:00", "16:10Z"),
        *("9999-12-31T23:59:59Z", "2026-02-30T00:00:00Z", "\udcff"),
    ],
)
def test_a_clock_that_is_no_instant_is_refused(here: Here, now: str) -> None:
    ran = here("memory", "remember", "a", "v", env={"MEMORO_NOW": now})
    assert ran.code == 2
    assert "MEMORO_NOW" in ran.err
    assert not here.home.exists()


@pytest.mark.requirement("P05", "P11")
def test_the_run_is_shown_where_a_model_made_the_fact(here: Here, run: Run) -> None:
    run.begin(run="r_model")
    run.memory("remember", "a", "v")
    here.ok("memory", "remember", "b", "v")
    assert [line.split("\t")[3] for line in here.ok("memory", "list").out.splitlines()] == [
        "r_model",
        "-",
    ]
    assert [one["source_run"] for one in here.json("memory", "list")] == ["r_model", None]
    run.memory("replace", "b", "w")
    here.ok("memory", "replace", "a", "w")
    assert [one["source_run"] for one in here.json("memory", "list")] == [None, "r_model"]


@pytest.mark.requirement("P05")
def test_quiet_still_gives_what_was_asked_for(here: Here) -> None:
    here.ok("memory", "remember", "a", "v", env=NOW)
    assert here.ok("memory", "list", "-q").out == "a\tv\t2026-05-02 16:10\t-\n"
    assert json.loads(here.ok("memory", "list", "-q", "--json").out)[0]["key"] == "a"


@pytest.mark.requirement("P19", "P26")
def test_a_list_is_of_one_scope(here: Here) -> None:
    here.ok("project", "add", "web")
    here.ok("memory", "remember", "a", "everywhere")
    here.ok("memory", "remember", "--project", "web", "a", "there")
    assert here.facts() == {"a": "everywhere"}
    assert here.facts("--project", "web") == {"a": "there"}
    assert here.json("memory", "list", "--project", "web")[0]["scope"] == "project:web"
    ran = here.refused("memory", "list", "--project", "nope")
    assert ran.code == 3
    assert "memoro project add nope PATH" in ran.err

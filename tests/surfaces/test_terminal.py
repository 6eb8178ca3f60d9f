"""What a person sees: tables, colours where they are wanted, and nothing that moves the cursor."""

from __future__ import annotations

import json
import re

import pytest

from running import Memoro
from surfaces.terminal import on_terminal

STYLE = re.compile(r"\x1b\[[0-9;]*m")
EVIL = "a\x1b[2J\x1b]0;title\x07b\x9b31mc\x7fd\x08e\rf"
NOW = {"MEMORO_NOW": "2026-05-02T16:10:00Z"}


@pytest.mark.requirement("P05")
def test_a_list_is_a_table_on_a_terminal(memoro: Memoro) -> None:
    memoro.ok("memory", "remember", "answer.style", "brief 漢字 [bold]x[/bold] :smile:", env=NOW)
    memoro.ok("memory", "remember", "b", "two\nlines", env=NOW)
    shown = on_terminal(memoro, "memory", "list", columns=120)
    assert shown.code == 0
    assert "\x1b[1m" in shown.out
    lines = STYLE.sub("", shown.out).splitlines()
    heading = next(line for line in lines if "key" in line)
    assert heading.split() == ["key", "value", "updated", "source", "run"]
    row = next(line for line in lines if "answer.style" in line)
    assert "brief 漢字 [bold]x[/bold] :smile:" in row
    assert "2026-05-02 16:10" in row
    assert heading.index("value") == row.index("brief")
    assert "\t" not in shown.out


@pytest.mark.requirement("P05")
@pytest.mark.parametrize("env", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_colours_are_left_out_where_they_are_unwanted(memoro: Memoro, env: dict[str, str]) -> None:
    memoro.ok("memory", "remember", "a", "v", env=NOW)
    shown = on_terminal(memoro, "memory", "list", env=env)
    assert "\x1b" not in shown.out
    assert shown.out.expandtabs(1).splitlines() == [
        "key value updated source run",
        "a v 2026-05-02 16:10 -",
    ]


@pytest.mark.requirement("P05")
def test_an_empty_no_color_is_none(memoro: Memoro) -> None:
    memoro.ok("memory", "remember", "a", "v")
    assert "\x1b[1m" in on_terminal(memoro, "memory", "list", env={"NO_COLOR": ""}).out


@pytest.mark.requirement("P05")
@pytest.mark.parametrize("columns", [0, 1, 20, 500])
def test_any_width_will_do(memoro: Memoro, columns: int) -> None:
    memoro.ok("memory", "remember", "a", "word " * 50 + "end")
    shown = on_terminal(memoro, "memory", "list", columns=columns)
    assert shown.code == 0
    assert on_terminal(memoro, "memory", "list", "--help", columns=columns).code == 0
    if columns == 20:
        lines = STYLE.sub("", shown.out).splitlines()
        assert max(len(line) for line in lines) <= 20


COMMANDS = [
    ("memory", "list"),
    ("memory", "log"),
    ("memory", "history", "a"),
    ("memory", "list", "--json"),
    ("note", "list"),
    ("note", "list", "--json"),
    ("note", "search", "there"),
    ("note", "show", "{note}"),
    ("note", "show", "{note}", "--json"),
    ("context", "show"),
    ("context", "show", "--json"),
    ("memory", "remember", EVIL, "v"),
    ("memory", "replace", "a", "v", "--project", EVIL),
    ("memory", EVIL),
    (EVIL,),
    ("memory", "list", EVIL),
    ("note", "show", EVIL),
    ("config", "get", EVIL),
    ("project", "add", "web", EVIL),
    ("memory", "undo"),
]


@pytest.mark.requirement("P05")
@pytest.mark.parametrize("no_color", ["", "1"])
def test_nothing_that_was_saved_commands_the_terminal(memoro: Memoro, no_color: str) -> None:
    memoro.ok("memory", "remember", "a", EVIL)
    title = EVIL.replace("\r", "")
    note = memoro.ok("note", "add", title, EVIL + " there", "--json").json["id"]
    for words in COMMANDS:
        given = [note if word == "{note}" else word for word in words]
        shown = on_terminal(memoro, *given, env={"NO_COLOR": no_color}).out
        left = STYLE.sub("", shown)
        assert left, words
        assert not [char for char in left if char < " " and char not in "\n\t"], words
        assert not [char for char in left if "\x7f" <= char <= "\x9f"], words
        # Styles are ours: none inside of what was saved.
        assert "\x1b[31m" not in shown, words


def test_what_was_saved_is_verbatim_where_a_program_reads(memoro: Memoro) -> None:
    memoro.ok("memory", "remember", "a", EVIL)
    assert memoro.ok("memory", "list", "--json").json[0]["value"] == EVIL
    shown = on_terminal(memoro, "memory", "list", "--json", columns=400).out
    assert json.loads(shown)[0]["value"] == EVIL


@pytest.mark.requirement("P29")
def test_a_note_without_text_waits_for_nobody_on_a_terminal(memoro: Memoro) -> None:
    shown = on_terminal(memoro, "note", "add", "Title")
    assert shown.code == 2
    assert "a note needs text" in shown.out

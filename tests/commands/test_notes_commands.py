"""`memoro note`: longer documents, by argument, pipe and editor."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from commands.here import Here


def editor(here: Here, *lines: str) -> dict[str, str]:
    """An editor, as variables: a program that gets the file's path as `path`."""
    script = here.root / "editor.py"
    start = ("import pathlib, sys", "path = pathlib.Path(sys.argv[1])", "text = path.read_text()")
    script.write_text("\n".join([*start, *lines]))
    return {"EDITOR": f"{sys.executable} {script}"}


def add(here: Here, title: str, text: str, *words: str) -> str:
    """Keep a note; gives its ID."""
    return here.json("note", "add", title, text, *words)["id"]


@pytest.mark.requirement("P29")
def test_a_note_by_argument_pipe_and_dash(here: Here) -> None:
    given = here.json("note", "add", "One", "text 1")
    piped = here.json("note", "add", "Two", stdin="text 2\n")
    dashed = here.json("note", "add", "Three", "-", stdin="text 3")
    assert {given["title"], piped["title"], dashed["title"]} == {"One", "Two", "Three"}
    texts = [here.json("note", "show", one["id"])["text"] for one in (given, piped, dashed)]
    assert texts == ["text 1", "text 2\n", "text 3"]
    assert here.ok("note", "show", given["id"]).out == "# One\n\ntext 1\n"
    assert here.ok("note", "add", "Four", "x").out.startswith("Kept note n_")


@pytest.mark.requirement("P29")
def test_what_is_piped_does_not_count_where_text_is_given(here: Here) -> None:
    note = here.json("note", "add", "One", "argument", stdin="pipe")
    assert here.json("note", "show", note["id"])["text"] == "argument"


@pytest.mark.requirement("P29")
def test_a_list_shows_no_text(here: Here) -> None:
    now = {"MEMORO_NOW": "2026-05-02T16:10:00Z"}
    note = here.json("note", "add", "Ünï", "SECRET é", env=now)
    assert here.json("note", "list") == [
        {
            "id": note["id"],
            "scope": "global",
            "title": "Ünï",
            "bytes": 9,
            "created_at": "2026-05-02T16:10:00Z",
            "updated_at": "2026-05-02T16:10:00Z",
            "source_run": None,
        }
    ]
    assert here.ok("note", "list").out == f"{note['id']}\tÜnï\t9\t2026-05-02 16:10\n"
    assert "SECRET" not in here.json("context", "show")["system"]


@pytest.mark.requirement("P29")
def test_searching(here: Here) -> None:
    trip = add(here, "Trip", "Day one\nTo PARIS by train\nStraße")
    add(here, "Other", "Paris, no rail")
    found = here.json("note", "search", "paris", "TRAIN")
    assert [(one["id"], one["excerpt"]) for one in found] == [(trip, "To PARIS by train")]
    assert "text" not in found[0]
    assert len(here.json("note", "search", "paris")) == 2
    assert here.json("note", "search", "trip strasse")[0]["id"] == trip
    ran = here.ok("note", "search", "nowhere")
    assert (ran.out, ran.err) == ("", "No note holds all these words.\n")
    assert here.json("note", "search", "*") == []
    assert here.refused("note", "search").code == 2


@pytest.mark.requirement("P29")
@pytest.mark.parametrize(
    ("words", "stdin", "code", "told"),
    [
        (("t",), b"", 2, "needs text"),
        (("t", ""), b"", 2, "empty"),
        (("t", " \n"), b"", 2, "empty"),
        (("t", "-"), b"", 2, "empty"),
        (("t",), b"\n\n", 2, "empty"),
        (("", "x"), b"", 2, "title"),
        ((" t", "x"), b"", 2, "title"),
        (("a\nb", "x"), b"", 2, "title"),
        (("t" * 201, "x"), b"", 7, "201 characters"),
        (("t", "\udcff"), b"", 2, "UTF-8"),
        (("t\udcff", "x"), b"", 2, "UTF-8"),
        (("t",), b"ok\xff", 2, "not UTF-8 text (byte 2)"),
        (("t",), b"\0", 2, "NUL"),
        (("t",), "漢".encode("utf-16"), 2, "UTF-8"),
        (("t",), b"x" * (2**20 + 1), 7, "1,048,577 bytes"),
        (("t",), b"x" * (2**24 + 1), 7, "16,777,216"),
        ((), b"x", 2, "TITLE"),
    ],
)
def test_what_is_no_note(
    here: Here, words: tuple[str, ...], stdin: bytes, code: int, told: str
) -> None:
    ran = here.refused("note", "add", *words, stdin=stdin)
    assert ran.code == code
    assert told in ran.err


@pytest.mark.requirement("P29")
def test_the_largest_note(here: Here) -> None:
    note = here.json("note", "add", "t" * 200, stdin=b"x" * 2**20)
    assert here.json("note", "list")[0]["bytes"] == 2**20
    assert len(here.json("note", "show", note["id"])["text"]) == 2**20


@pytest.mark.requirement("P29")
def test_a_note_that_is_not_there(here: Here) -> None:
    here.ok("memory", "remember", "a", "v")
    fact = here.json("memory", "log")[0]["records"][0]["id"]
    for note in ("n_nope", "", "*", fact):
        for words in (("show",), ("edit", "--text", "x"), ("remove",), ("remove", "--final")):
            ran = here.refused("note", words[0], note, *words[1:])
            assert ran.code == 3
            assert "memoro note list" in ran.err


@pytest.mark.requirement("P29")
def test_editing_by_option_and_pipe(here: Here) -> None:
    note = add(here, "Title", "text")
    assert here.ok("note", "edit", note, "--text", "new").out.startswith("Changed note n_")
    here.ok("note", "edit", note, "--title", "New title")
    shown = here.json("note", "show", note)
    assert (shown["title"], shown["text"]) == ("New title", "new")
    here.ok("note", "edit", note, "--text", "-", "--title", "Both", stdin="piped")
    shown = here.json("note", "show", note)
    assert (shown["title"], shown["text"]) == ("Both", "piped")
    assert here.refused("note", "edit", note, "--title", "").code == 2
    assert here.refused("note", "edit", note, "--text", "").code == 2
    assert here.refused("note", "edit", note, "--text", "x" * (2**20 + 1)).code == 7


@pytest.mark.requirement("P29")
def test_an_empty_pipe_is_no_text_and_opens_no_editor(here: Here) -> None:
    note = add(here, "Title", "text")
    opened = editor(here, "path.write_text('from the editor')")
    ran = here.refused("note", "edit", note, "--text", "-", stdin=b"", env=opened)
    assert ran.code == 2
    assert "text" in ran.err


@pytest.mark.requirement("P29")
def test_editing_in_the_editor(here: Here) -> None:
    note = add(here, "Title", "one\n漢\n")
    change = editor(here, "path.write_text(text.replace('one', 'two'))")
    here.ok("note", "edit", note, env=change)
    assert here.json("note", "show", note)["text"] == "two\n漢\n"
    assert here.ok("note", "edit", note, env=editor(here)).out == "Nothing was changed.\n"
    assert [one["action"] for one in here.json("memory", "log")] == ["note edit", "note add"]
    visual = editor(here, "path.write_text('visual')")["EDITOR"]
    here.ok("note", "edit", note, env={"EDITOR": "false", "VISUAL": visual})
    assert here.json("note", "show", note)["text"] == "visual"


@pytest.mark.requirement("P29")
@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (("sys.exit(3)",), "ended with 3"),
        (("path.write_bytes(b'\\xff')",), "can't be read"),
        (("path.unlink()",), "can't be read"),
        (("path.write_text('  ')",), "empty"),
        (("path.write_text('x\\0')",), "NUL"),
    ],
)
def test_an_editor_that_fails_changes_nothing(
    here: Here, lines: tuple[str, ...], told: str
) -> None:
    note = add(here, "Title", "text")
    ran = here.refused("note", "edit", note, env=editor(here, *lines))
    assert ran.code == 2
    assert told in ran.err


@pytest.mark.requirement("P29")
@pytest.mark.parametrize("command", ["", "/nowhere/editor", "'unbalanced"])
def test_an_editor_that_cannot_be_started(here: Here, command: str) -> None:
    note = add(here, "Title", "text")
    ran = here.refused("note", "edit", note, env={"EDITOR": command})
    assert ran.code == 2
    assert "editor" in ran.err


@pytest.mark.requirement("P29")
def test_a_note_that_was_changed_meanwhile_is_a_conflict(here: Here) -> None:
    note = add(here, "Title", "text")
    other = f"{[sys.executable, '-m', 'memoro', 'note', 'edit', note, '--text', 'theirs']!r}"
    meanwhile = editor(
        here, "import subprocess", f"subprocess.run({other}, check=True)", "path.write_text('mine')"
    )
    ran = here("note", "edit", note, env=meanwhile)
    assert ran.code == 4
    assert "meanwhile" in ran.err
    assert here.json("note", "show", note)["text"] == "theirs"


@pytest.mark.requirement("P29", "Z03")
def test_a_removed_note_comes_back(here: Here) -> None:
    note = add(here, "Title", "text")
    ran = here.ok("note", "remove", note)
    assert "memoro memory undo 2" in ran.out
    assert here.refused("note", "show", note).code == 3
    assert here.refused("note", "remove", note).code == 3
    here.ok("memory", "undo", "2")
    assert here.json("note", "show", note)["text"] == "text"
    here.ok("note", "edit", note, "--text", "other")
    here.ok("memory", "undo")
    assert here.json("note", "show", note)["text"] == "text"
    assert [one["action"] for one in here.json("memory", "history", note)] == [
        *("undo", "note edit", "undo", "note remove", "note add")
    ]


@pytest.mark.requirement("P29", "P16")
@pytest.mark.parametrize("removed_before", [False, True])
def test_a_note_that_was_erased_is_in_no_file(here: Here, removed_before: bool) -> None:
    note = add(here, "ZEBRA-TITLE", "ZEBRA-9431 " + "filler " * 5000)
    here.ok("note", "edit", note, "--text", "ZEBRA-9432")
    kept = add(here, "Kept", "QUAGGA-1")
    if removed_before:
        here.ok("note", "remove", note)
    assert here.holds("ZEBRA")
    given = here.json("note", "remove", "--final", note)
    assert (given["id"], given["remains"]) == (note, [])
    assert here.holds("ZEBRA") == []
    assert here.json("note", "show", kept)["text"] == "QUAGGA-1"
    assert here.refused("memory", "undo").code == 4
    assert here.refused("note", "remove", "--final", note).code == 3


@pytest.mark.requirement("P29", "P19")
def test_notes_of_a_project(here: Here) -> None:
    here.ok("project", "add", "web")
    inside = add(here, "In", "inside", "--project", "web")
    outside = add(here, "Out", "outside")
    assert [one["id"] for one in here.json("note", "list")] == [outside]
    assert [one["id"] for one in here.json("note", "list", "--project", "web")] == [inside]
    assert here.json("note", "show", inside)["scope"] == "project:web"
    assert [one["id"] for one in here.json("note", "search", "side")] == [outside]
    both = here.json("note", "search", "side", "--project", "web")
    assert {one["id"] for one in both} == {inside, outside}
    here.ok("note", "remove", inside)
    here.ok("project", "remove", "web")
    # The note's project is gone by now, so that nobody would find it there.
    ran = here.refused("memory", "undo", "4")
    assert ran.code == 4
    assert "project web" in ran.err


@pytest.mark.requirement("P29")
def test_odd_titles_are_shown_as_they_are(here: Here) -> None:
    note = add(here, "a\tb \x1b[31m", "x")
    assert here.ok("note", "list").out.split("\t")[1] == "a\\tb \x1b[31m"
    assert here.json("note", "show", note)["title"] == "a\tb \x1b[31m"


def test_the_editors_file_is_gone_afterwards(here: Here, tmp_path: Path) -> None:
    note = add(here, "Title", "text")
    seen = tmp_path / "seen"
    tell = f"pathlib.Path({str(seen)!r}).write_text(f'{{path}} {{mode}}')"
    look = editor(here, "mode = path.parent.stat().st_mode & 0o777", tell)
    here.ok("note", "edit", note, env=look)
    path, mode = seen.read_text().split()
    assert not Path(path).parent.exists()
    assert int(mode) == 0o700

"""`forget --everywhere`: out of conversations, tool records and notes as well."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import apsw
import pytest

from commands.erasing import holders
from commands.here import Here
from memoro import Memory, Turn

NOON = datetime(2026, 5, 6, 12, 0, tzinfo=UTC)
TOKEN = "ZEBRA-9431"
TEXT = f"the gate of web opens with {TOKEN}"


@pytest.fixture
def said(here: Here) -> Here:
    """A fact that two messages, a tool record, a title, an error and a note tell of, too."""
    with Memory.open(here.home) as memory:
        memory.archive(
            f"About {TOKEN}",
            [
                Turn("user", f"Please keep: the GATE of web\nopens with {TOKEN}, ok?", NOON),
                Turn("assistant", f"I will. {TOKEN}, then.", NOON),
                Turn("user", "And the roof is green.", NOON),
            ],
        )
    connection = apsw.Connection(str(here.home / "memory.db"))
    ((run,),) = connection.execute("SELECT id FROM runs LIMIT 1").fetchall()
    connection.execute("UPDATE runs SET error = ?", [f"no route to {TOKEN}"])
    connection.execute(
        "INSERT INTO tool_calls (run, tool, arguments, outcome, detail, requested_at)"
        " VALUES (?, 'learn', ?, 'done', 'stored', '2026-05-06T12:00:00.000000Z')",
        [run, f'{{"text": "the gate of web\\nopens with {TOKEN}", "n": 3}}'],
    )
    connection.close()
    here.ok("memory", "learn", TEXT)
    here.ok("note", "add", "Gates", f"They differ. The gate of web opens with {TOKEN}; others not.")
    here.ok("note", "add", "Roofs", "All green.")
    here.ok("memory", "mirror")
    return here


def fact(here: Here) -> str:
    """The ID of the fact."""
    return next(one["id"] for one in here.json("memory", "facts") if TOKEN in one["text"])


@pytest.mark.requirement("Z04", "P16")
def test_all_that_says_it_is_shown_and_asked_for(said: Here) -> None:
    name = fact(said)
    before = said.state()
    ran = said("memory", "forget", name, "--everywhere")
    assert ran.code == 4 and "nothing was changed" in ran.err
    for what in ("2 messages", "1 tool record", "1 title", "1 error of a run", "1 note"):
        assert what in ran.err, what
    assert "Please keep: [erased], ok?" in ran.err
    assert said.state() == before


@pytest.mark.requirement("Z04", "P16")
def test_it_is_gone_from_conversations_notes_and_backups(said: Here) -> None:
    done = said.json("memory", "forget", fact(said), "--everywhere", "--verify", "--yes")
    receipt = done["receipt"]
    assert receipt["is_clean"] and receipt["kept"] == {}
    assert receipt["passages"] == {
        "message": 2,
        "tool_call": 1,
        "run": 1,
        "title": 1,
        "note": 1,
    }
    assert holders(said.home, TOKEN) == []
    (chat,) = said.json("chat", "list")
    shown = said.ok("chat", "show", chat["session"]).out
    assert "Please keep: [erased], ok?" in shown and "And the roof is green." in shown
    notes = {one["title"]: one["id"] for one in said.json("note", "list")}
    assert said.json("note", "show", notes["Gates"])["text"] == "They differ. [erased]; others not."
    assert said.json("note", "show", notes["Roofs"])["text"] == "All green."


@pytest.mark.requirement("Z04", "R01")
def test_what_is_left_of_a_conversation_is_still_found(said: Here) -> None:
    said.ok("memory", "forget", fact(said), "--everywhere", "--yes")
    assert any("roof is green" in one["text"] for one in said.json("recall", "green roof")["hits"])
    assert "zebra" not in said.ok("recall", "zebra gate opens").out.lower()
    assert said("doctor").code == 0
    with Memory.open(said.home) as memory:
        memory.archive("Later", [Turn("user", "the door is blue", NOON)])
    assert said.json("recall", "blue door")["hits"]


@pytest.mark.requirement("Z04", "Z03")
def test_no_undo_brings_it_back(said: Here) -> None:
    change = said.json("memory", "forget", fact(said), "--everywhere", "--yes")["change"]
    for name in (str(change), str(change + 1)):
        assert said("memory", "undo", name).code == 4
    assert said.json("note", "list")
    assert holders(said.home, TOKEN) == []


@pytest.mark.requirement("Z04")
def test_other_words_are_left_as_they_were(here: Here) -> None:
    here.ok("memory", "remember", "roof", "green tiles from Porto")
    with Memory.open(here.home) as memory:
        memory.archive("talk", [Turn("user", "The roof has GREEN tiles, from Porto.", NOON)])
        memory.archive("else", [Turn("user", "green tiles from Lisbon; Porto is far", NOON)])
    done = here.json("memory", "forget", "roof", "--everywhere", "--verify", "--yes")
    assert done["receipt"]["passages"] == {"message": 1}
    texts = {
        one["title"]: here.ok("chat", "show", one["session"]).out
        for one in here.json("chat", "list")
    }
    assert "The roof has [erased]." in texts["talk"]
    assert "green tiles from Lisbon; Porto is far" in texts["else"]


@pytest.mark.requirement("Z04", "P16")
def test_by_words_and_where_nothing_else_says_it(here: Here) -> None:
    here.ok("memory", "learn", TEXT)
    ran = here.ok("memory", "forget", "--match", "gate", "--everywhere", "--verify", "--yes")
    assert "No message, tool record or note said it." in ran.out
    assert holders(here.home, TOKEN) == []
    assert here("memory", "forget", "nobody", "--everywhere", "--yes").code == 3


@pytest.mark.requirement("Z04", "M07")
def test_a_restored_backup_does_not_have_it_either(said: Here) -> None:
    said.ok("memory", "forget", fact(said), "--everywhere", "--yes")
    backups = list((said.home / "backups").glob("memory-*.db"))
    assert backups
    for backup in backups:
        connection = apsw.Connection(str(backup))
        texts = [str(text) for (text,) in connection.execute("SELECT text FROM messages")]
        connection.close()
        assert "And the roof is green." in texts
        assert any("[erased]" in text for text in texts)
    assert holders(said.home, TOKEN) == []


@pytest.mark.requirement("Z04")
def test_a_file_that_a_person_wrote_is_told_not_touched(said: Here) -> None:
    path: Path = said.home / "USER.md"
    path.write_text(f"I know that {TEXT}.")
    done = said.json("memory", "forget", fact(said), "--everywhere", "--verify", "--yes")
    assert done["receipt"]["kept"] == {str(path): ["what you wrote there"]}
    assert path.read_text() == f"I know that {TEXT}."

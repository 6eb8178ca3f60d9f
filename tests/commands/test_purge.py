"""`forget --verify` and `memory purge`: gone from every byte of every file."""

from __future__ import annotations

import gzip
import os
import signal
from datetime import UTC, datetime
from pathlib import Path

import apsw
import pytest

from commands.erasing import holders
from commands.here import Here
from memoro import Memory, Turn

NOON = datetime(2026, 5, 6, 12, 0, tzinfo=UTC)
TOKEN = "ZEBRA-9431"


@pytest.fixture
def filled(here: Here) -> Here:
    """A memory with the token in learned, saved and changed records, backups and the mirror."""
    here.ok("project", "add", "web", str(here.folder))
    here.ok("memory", "learn", f"the gate of web opens with {TOKEN}", "--project", "web")
    here.ok("memory", "learn", "the roof is green", "--everywhere")
    here.ok("memory", "remember", "code", "first", "--project", "web")
    here.ok("memory", "replace", "code", f"now {TOKEN}", "--project", "web")
    here.ok("memory", "episode", f"changed {TOKEN}", "--project", "web")
    here.ok("memory", "mirror")
    assert holders(here.home, TOKEN)
    return here


@pytest.mark.requirement("Z04", "P16")
def test_a_forgotten_fact_is_looked_for_in_every_file(here: Here) -> None:
    here.ok("memory", "learn", f"the gate opens with {TOKEN}")
    here.ok("memory", "mirror")
    (fact,) = here.json("memory", "facts")
    done = here.json("memory", "forget", fact["id"], "--verify")
    receipt = done["receipt"]
    assert receipt["is_clean"] and receipt["looked_for"] > 0
    # The store's log and its index lie there as long as it is open.
    assert receipt["files"] >= sum(path.is_file() for path in here.home.rglob("*"))
    # That something had this ID, and was forgotten, is what the log keeps.
    held = {Path(path).relative_to(here.home).parts[0] for path in holders(here.home, fact["id"])}
    assert held <= {"memory.db", "backups"}
    assert holders(here.home, TOKEN) == []
    assert TOKEN not in str(done) and "gate" not in str(done)
    assert here.json("recall", "gate")["hits"] == []


@pytest.mark.requirement("Z04")
def test_what_is_kept_on_purpose_is_told_and_is_no_failure(here: Here) -> None:
    with Memory.open(here.home) as memory:
        memory.archive("talk", [Turn("user", f"remember that it is {TOKEN}", NOON)])
    here.ok("memory", "remember", "code", f"it is {TOKEN}")
    done = here.ok("memory", "forget", "code", "--verify")
    assert "kept on purpose" in done.out
    assert "a_" in done.out and TOKEN not in done.out
    receipt = here.json("memory", "learn", "the roof is green")
    assert receipt


@pytest.mark.requirement("Z04", "P16")
def test_what_only_the_log_still_held_is_looked_for(here: Here) -> None:
    here.ok("memory", "remember", "code", f"it is {TOKEN}")
    here.ok("memory", "undo")
    assert holders(here.home, TOKEN)
    receipt = here.json("memory", "forget", "code", "--from-log", "--verify")["receipt"]
    assert receipt["is_clean"] and receipt["looked_for"] > 0
    assert holders(here.home, TOKEN) == []


@pytest.mark.requirement("Z04")
def test_a_search_for_nothing_says_that_it_proves_nothing(here: Here) -> None:
    here.ok("memory", "remember", "pin", "0815")
    done = here.ok("memory", "forget", "pin", "--verify")
    assert "proves nothing" in done.out and "no hit" not in done.out


@pytest.mark.requirement("Z04", "P16")
def test_a_file_that_still_holds_it_is_named(here: Here) -> None:
    here.ok("memory", "remember", "code", f"it is {TOKEN}")
    (here.home / "stray.txt").write_text(f"it is {TOKEN}", encoding="utf-16")
    done = here("memory", "forget", "code", "--verify")
    assert done.code == 1
    assert "stray.txt" in done.out


@pytest.mark.requirement("Z04")
def test_a_project_is_shown_asked_for_and_erased(filled: Here) -> None:
    before = filled.json("memory", "log")
    refused = filled("memory", "purge", "--project", "web")
    assert refused.code == 4
    assert "nothing was changed" in refused.err and TOKEN in refused.err
    assert filled.json("memory", "log") == before
    receipt = filled.json("memory", "purge", "--project", "web", "--yes")
    assert receipt["counts"] == {"episode": 1, "fact": 1, "saved_fact": 1}
    assert receipt["is_clean"]
    assert holders(filled.home, TOKEN) == []
    assert [fact["text"] for fact in filled.json("memory", "facts", "--all")] == [
        "the roof is green"
    ]
    assert filled("memory", "purge", "--project", "web", "--yes").code == 3
    assert filled("memory", "undo", str(receipt["change"])).code == 4


@pytest.mark.requirement("Z04")
def test_all_leaves_an_empty_store_that_works(filled: Here) -> None:
    with Memory.open(filled.home) as memory:
        memory.archive("talk", [Turn("user", f"it was {TOKEN} after all", NOON)])
    receipt = filled.json("memory", "purge", "--all", "--yes")
    assert receipt["counts"]["conversation"] == 1
    assert receipt["is_clean"]
    assert holders(filled.home, TOKEN, "the roof is green") == []
    assert filled.json("memory", "facts", "--all") == []
    assert filled.json("chat", "list") == []
    filled.ok("memory", "learn", "a new beginning")
    assert filled.json("recall", "beginning")["hits"]
    assert filled("doctor").code == 0


@pytest.mark.requirement("Z04")
def test_a_conversation_goes_with_what_was_learned_from_it(here: Here) -> None:
    with Memory.open(here.home) as memory:
        memory.archive("talk", [Turn("user", f"it is {TOKEN}", NOON)])
        memory.archive("other", [Turn("user", "the roof is green", NOON)])
    receipt = here.json("memory", "purge", "--session", "talk", "--yes")
    assert receipt["counts"] == {"conversation": 1}
    assert receipt["is_clean"]
    assert holders(here.home, TOKEN) == []
    assert len(here.json("chat", "list")) == 1
    assert here("memory", "purge", "--session", "talk", "--yes").code == 3


@pytest.mark.requirement("Z04")
@pytest.mark.parametrize("words", [(), ("--all", "--project", "web"), ("--session", "none")])
def test_what_is_not_said_exactly_erases_nothing(filled: Here, words: tuple[str, ...]) -> None:
    before = filled.json("memory", "log")
    assert filled("memory", "purge", *words, "--yes").code in (2, 3)
    assert filled.json("memory", "log") == before


@pytest.mark.requirement("Z04", "P14")
def test_a_purge_that_was_killed_is_finished_by_the_next_start(filled: Here) -> None:
    process = filled.process.start("memory", "purge", "--all", "--yes")
    while process.poll() is None and filled.json("memory", "facts", "--all"):
        pass
    os.kill(process.pid, signal.SIGKILL) if process.poll() is None else None
    process.communicate(timeout=60)
    filled.ok("memory", "list")
    filled.ok("memory", "mirror")
    assert filled.json("memory", "facts", "--all") == []
    assert holders(filled.home, TOKEN) == []


@pytest.mark.requirement("Z04")
def test_what_is_kept_in_the_store_excuses_no_other_file(here: Here) -> None:
    with Memory.open(here.home) as memory:
        memory.archive("talk", [Turn("user", f"it is {TOKEN}", NOON)])
    here.ok("memory", "remember", "code", f"it is {TOKEN}")
    (here.home / "memory.db.corrupt-20260101T000000Z").write_text(f"it is {TOKEN}")
    done = here("memory", "forget", "code", "--verify", "--json")
    assert done.code == 1
    assert [Path(one).name for one in done.json["receipt"]["left"]] == [
        "memory.db.corrupt-20260101T000000Z"
    ]
    assert str(here.home / "memory.db") in done.json["receipt"]["kept"]


@pytest.mark.requirement("Z04")
def test_what_a_person_wrote_and_what_names_a_key_are_no_failure(here: Here) -> None:
    here.ok("config", "set", "model", "openai:gpt-5-mini")
    here.ok("memory", "remember", "server-42", "gpt-5-mini runs on server-42")
    done = here("memory", "forget", "server-42", "--verify", "--json")
    assert (done.code, done.json["receipt"]["left"]) == (0, [])
    assert done.json["receipt"]["kept"]


@pytest.mark.requirement("Z04")
def test_all_that_a_record_says_is_looked_for(here: Here) -> None:
    here.ok("memory", "episode", "changed the gate", "--outcome", f"it opens with {TOKEN}")
    (episode,) = here.json("memory", "timeline")
    (here.home / "stray.txt").write_text(f"it opens with {TOKEN}")
    done = here("memory", "forget", episode["id"], "--verify")
    assert done.code == 1 and "stray.txt" in done.out


@pytest.mark.requirement("Z04")
def test_a_run_that_was_killed_is_in_no_way_of_a_purge(here: Here) -> None:
    with Memory.open(here.home) as memory:
        memory.archive("talk", [Turn("user", f"it is {TOKEN}", NOON)])
    connection = apsw.Connection(str(here.home / "memory.db"))
    connection.execute("UPDATE runs SET state = 'running'")
    connection.close()
    assert here.json("memory", "purge", "--all", "--yes")["is_clean"]


@pytest.mark.requirement("Z04")
def test_a_receipt_says_what_went_without_saying_it(filled: Here) -> None:
    (fact,) = [one for one in filled.json("memory", "facts", "--all") if TOKEN in one["text"]]
    ran = filled.ok("memory", "forget", fact["id"], "--verify")
    assert TOKEN not in ran.out and "gate" not in ran.out
    assert f"Removed of fact {fact['id']}" in ran.out
    assert "1 value in the log" in ran.out
    assert "no hit but in what was kept" in ran.out, "others still say it"
    assert "also said by" in ran.out and "kept on purpose: messages" in ran.out
    done = filled.json("memory", "forget", "code", "--project", "web", "--verify")
    assert done["removed"] == [{"name": "saved_fact code", "stands": True, "values_in_log": 3}]
    assert done["receipt"]["at"] and done["receipt"]["traces"] == []


@pytest.mark.requirement("Z04")
def test_notes_and_conversations_of_a_project_stay_unless_all_of_it_is_meant(
    filled: Here,
) -> None:
    filled.ok("note", "add", "Gates", f"All open with {TOKEN}.", "--project", "web")
    with Memory.open(filled.home) as memory:
        memory.archive("talk", [Turn("user", f"web opens with {TOKEN}", NOON)])
    connection = apsw.Connection(str(filled.home / "memory.db"))
    connection.execute("UPDATE sessions SET scope = 'project:web'")
    connection.close()
    ran = filled.ok("memory", "purge", "--project", "web", "--yes")
    assert "--everywhere was not given" in ran.out
    assert [one["title"] for one in filled.json("note", "list", "--project", "web")] == ["Gates"]
    assert len(filled.json("chat", "list")) == 1
    again = filled("memory", "purge", "--project", "web", "--yes")
    assert again.code == 3 and "1 note" in again.err and "--everywhere" in again.err
    receipt = filled.json("memory", "purge", "--project", "web", "--everywhere", "--yes")
    assert receipt["counts"] == {"note": 1, "conversation": 1}
    assert receipt["is_clean"] and holders(filled.home, TOKEN) == []


@pytest.mark.requirement("Z04")
def test_all_needs_the_word_of_a_person(filled: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, str]] = []
    for said in ("y", "yes", "Everything!", "everything"):

        def agree(_: object, question: str, word: str, said: str = said) -> bool:
            asked.append((question, word))
            return said == word

        monkeypatch.setattr("memoro.app.person.Person.agree", agree)
        ran = filled("memory", "purge", "--all")
        if said != "everything":
            assert ran.code == 130 or ran.code not in (0, 1), ran
            assert holders(filled.home, TOKEN)
    assert holders(filled.home, TOKEN) == []
    assert all(TOKEN in question for question, _ in asked)


@pytest.mark.requirement("Z04")
def test_what_was_set_aside_is_searched_and_told_with_the_line_that_removes_it(
    here: Here,
) -> None:
    here.ok("memory", "remember", "code", f"it is {TOKEN}")
    here.ok("memory", "remember", "other", "nothing of that kind here")
    aside = here.home / "memory.db.damaged-20260101T000000Z"
    aside.write_text("nothing of it")
    assert here.json("memory", "forget", "other", "--verify")["receipt"]["is_clean"]
    aside.write_text(f"it is {TOKEN}")
    ran = here("memory", "forget", "code", "--verify")
    assert ran.code == 1
    assert f"still there: {aside}; nothing cleans it; if you need it no more: rm {aside}" in ran.out


@pytest.mark.requirement("Z04")
def test_a_packed_copy_is_searched_too(here: Here) -> None:
    here.ok("memory", "remember", "code", f"it is {TOKEN}")
    with gzip.open(here.home / "old.jsonl.gz", "wt") as file:
        file.write(f"it is {TOKEN}")
    ran = here("memory", "forget", "code", "--verify")
    assert ran.code == 1 and "old.jsonl.gz" in ran.out


@pytest.mark.requirement("Z04")
def test_a_note_is_looked_for_too(here: Here) -> None:
    here.ok("note", "add", "Gates", f"They open with {TOKEN}.")
    (note,) = here.json("note", "list")
    assert here("note", "remove", note["id"], "--verify").code == 2
    done = here.json("note", "remove", note["id"], "--final", "--verify")
    assert done["receipt"]["is_clean"] and done["receipt"]["counts"] == {"note": 1}
    assert holders(here.home, TOKEN) == []

"""Damaged stores: set aside byte for byte, rebuilt from all that is left, never over-written."""

from __future__ import annotations

import os
import random
import signal
from pathlib import Path

import pytest
from damages import (
    DAMAGES,
    PAGE,
    READABLE,
    Damage,
    cut_40,
    empty_out,
    garble_header,
    kept_aside,
    many_notes,
    page_of,
    read_or_mend,
    three_facts,
    write_at,
    zero_all,
    zero_tables,
)
from store_world import (
    NOW,
    Other,
    adding,
    done,
    drop,
    facts,
    keep,
    note,
    opened,
    places_of,
)

from memoro.backends.sqlite.database import is_sound
from memoro.backends.sqlite.transcripts import SqliteTranscripts
from memoro.memory.facts.learn import Limits, learn
from memoro.memory.facts.statement import Statement
from memoro.memory.forgetting import forget_records
from memoro.memory.records import FACT, GLOBAL, NOTE
from memoro.memory.undo import undo
from memoro.session.model import Usage
from memoro.session.transcript import NewRun, Session, StoredMessage
from running import Memoro


@pytest.mark.requirement("M07")
@pytest.mark.parametrize("damage", DAMAGES)
def test_start_tells_keeps_recovers_and_goes_on(memoro: Memoro, damage: Damage) -> None:
    database = three_facts(memoro)
    damage(database)
    torn = database.read_bytes()

    ran = memoro.ok("memory", "list", "--json")
    assert str(database) in ran.err
    assert kept_aside(memoro.home) == [torn]
    assert [one.name in ran.err for one in memoro.home.glob("memory.db.corrupt-*")] == [True]
    # The day's backup was made after the first fact; the rest only the torn file has.
    listed = {one["key"]: one["value"] for one in ran.json}
    assert listed.get("one") == "value one"
    if damage in READABLE:
        assert listed == {key: f"value {key}" for key in ("one", "two", "three")}

    again = memoro.ok("memory", "remember", "four", "value four")
    assert again.err == ""
    assert len(memoro.ok("memory", "list", "--json").json) == len(listed) + 1
    assert kept_aside(memoro.home) == [torn]


@pytest.mark.requirement("M07")
@pytest.mark.parametrize("damage", [cut_40, empty_out, zero_all])
def test_without_a_backup_damage_is_told_all_the_same(memoro: Memoro, damage: Damage) -> None:
    database = three_facts(memoro)
    for backup in (memoro.home / "backups").glob("*.db"):
        backup.unlink()
    damage(database)
    torn = database.read_bytes()

    ran = memoro.ok("memory", "remember", "four", "value four")

    assert str(database) in ran.err
    assert kept_aside(memoro.home) == [torn]


def test_empty_file_where_nothing_was_is_told_and_made_a_store(memoro: Memoro) -> None:
    memoro.home.mkdir(mode=0o700)
    (memoro.home / "memory.db").touch()
    assert "is empty" in memoro.ok("memory", "remember", "a", "v").err
    assert memoro.ok("memory", "list").err == ""


@pytest.mark.requirement("M07")
def test_zeroed_pages_are_made_good_from_log_and_backup(tmp_path: Path) -> None:
    ids = many_notes(tmp_path)
    database = tmp_path / "memory.db"
    pages = database.stat().st_size // PAGE
    chance = random.Random(seed := os.urandom(4).hex())
    zeroed = chance.sample(range(1, pages), 6)
    for number in zeroed:
        write_at(database, number * PAGE, bytes(PAGE))
        torn = database.read_bytes()
        with opened(tmp_path) as (store, _):
            met = read_or_mend(store, tmp_path, probe=f"probe-{number}")
        with opened(tmp_path) as (store, notices):
            assert notices == (), seed
            found = {one.id: one.text for one in store.select(NOTE.name)}
            assert set(found) - set(ids) <= {f"probe-{one}" for one in zeroed}, seed
            texts = {note_id: found.get(note_id) for note_id in ids}
            assert texts == {note_id: f"<{note_id}> " * 60 for note_id in ids}, seed
            assert is_sound(store.connection), seed
        assert torn in kept_aside(tmp_path) or not met, seed


@pytest.mark.requirement("M07")
def test_rows_beyond_two_torn_pages_are_read(tmp_path: Path) -> None:
    ids = many_notes(tmp_path)
    for backup in (tmp_path / "backups").glob("*.db"):
        backup.unlink()
    database = tmp_path / "memory.db"
    raw = database.read_bytes()
    # Both the rows and the log, at two places each: what lies in between must not be lost.
    torn = {page_of(database, f"<{note_id}>") for note_id in ("n020", "n100")} | {
        raw.rindex(f"<{note_id}>".encode()) // PAGE for note_id in ("n040", "n080")
    }
    for page in torn:
        write_at(database, page * PAGE, bytes(PAGE))

    with opened(tmp_path) as (store, _):
        read_or_mend(store, tmp_path)

    with opened(tmp_path) as (store, _):
        found = {one.id for one in store.select(NOTE.name)}
    assert len(found) > len(ids) - 10
    assert {"n000", "n060", "n119"} <= found


@pytest.mark.requirement("M07")
def test_flipped_bytes_never_end_in_a_traceback_or_a_lost_original(tmp_path: Path) -> None:
    with opened(tmp_path, daily=True) as (store, _):
        for key in "abc":
            keep(store, key, f"value {key}")
    database, sound = tmp_path / "memory.db", (tmp_path / "memory.db").read_bytes()
    chance = random.Random(seed := os.urandom(4).hex())
    for _ in range(40):
        place = chance.choice([chance.randrange(PAGE), chance.randrange(len(sound))])
        if 60 <= place < 64:
            continue  # The version: a newer one is refused, as it has to be.
        torn = bytearray(sound)
        torn[place] ^= 1 << chance.randrange(8)
        database.write_bytes(torn)
        told = (seed, place, torn[place])
        with opened(tmp_path) as (store, _):
            met = read_or_mend(store, tmp_path)
        with opened(tmp_path) as (store, notices):
            assert notices == (), told
            assert set(facts(store)) >= set("abc"), told
            keep(store, "new", "value")
        kept = list(tmp_path.glob("memory.db.corrupt-*"))
        if met:
            assert [one.read_bytes() for one in kept] == [bytes(torn)], told
        for one in kept:
            one.unlink()


@pytest.mark.requirement("M07")
def test_garbage_in_the_place_of_the_log_is_no_damage(memoro: Memoro) -> None:
    database = three_facts(memoro)
    Path(f"{database}-wal").write_bytes(b"garbage " * 4_000)

    ran = memoro.ok("memory", "list", "--json")

    assert (len(ran.json), ran.err) == (3, "")


@pytest.mark.requirement("M07")
@pytest.mark.parametrize("damage", [cut_40, garble_header, empty_out])
def test_log_of_a_damaged_store_is_played_into_the_rebuilt_one(
    tmp_path: Path, damage: Damage
) -> None:
    home = tmp_path / "home"
    with opened(home, daily=True) as (store, _):
        keep(store, "first", "value")
    with opened(home) as (store, _):
        early = (home / "memory.db").read_bytes()
        for number in range(3):
            done(store, adding(note(f"n-{number}")))
        log = (home / "memory.db-wal").read_bytes()
    # As a killed process leaves them: the changes are in the log alone.
    (home / "memory.db").write_bytes(early)
    (home / "memory.db-wal").write_bytes(log)
    damage(home / "memory.db")
    torn = (home / "memory.db").read_bytes()

    with opened(home) as (store, notices):
        assert len(notices) == 2
        assert facts(store) == {"first": "value"}
        if damage is not empty_out:  # The log has the pages that changed, and needs the others.
            assert [one.id for one in store.select(NOTE.name)] == ["n-0", "n-1", "n-2"]
    assert kept_aside(home) == [torn]
    assert [path.read_bytes() for path in home.glob("*.corrupt-*-wal")] == [log]


@pytest.mark.requirement("M07", "P16")
@pytest.mark.parametrize("damage", DAMAGES)
def test_what_was_forgotten_or_removed_does_not_come_back(tmp_path: Path, damage: Damage) -> None:
    home = tmp_path / "home"
    with opened(home, daily=True) as (store, _):
        keep(store, "forgotten", "ZEBRA")
        change = keep(store, "undone", "HORSE").change
        keep(store, "stays", "value")
        for number in range(30):
            done(store, adding(note(f"n{number}", "filler " * 100)))
    with opened(home) as (store, _):
        drop(store, "forgotten")
        done(store, undo(change, NOW))
    damage(home / "memory.db")

    with opened(home) as (store, _):
        read_or_mend(store, home)
    with opened(home) as (store, _):
        found = facts(store)

    assert "forgotten" not in found
    assert found["stays"] == "value"
    assert places_of(home, "ZEBRA") == []
    if damage in READABLE:
        assert "undone" not in found


@pytest.mark.requirement("P16")
@pytest.mark.parametrize("lost", [(), ("changes",), ("records", "changes")])
def test_forgetting_that_was_cut_short_survives_a_damage(
    tmp_path: Path, lost: tuple[str, ...]
) -> None:
    home = tmp_path / "home"
    with opened(home, daily=True) as (store, _):
        keep(store, "forgotten", "ZEBRA")
        keep(store, "stays", "value")
    assert Other(home, "forget_and_die", "forgotten").end() == -signal.SIGKILL
    zero_tables(home / "memory.db", *lost)
    cut_40(home / "memory.db")

    with opened(home) as (store, _):
        assert facts(store) == {"stays": "value"}
    held = [name for name in places_of(home, "ZEBRA") if "corrupt" not in name]
    assert held == []


@pytest.mark.requirement("M07")
def test_torn_row_is_taken_from_the_log(tmp_path: Path) -> None:
    with opened(tmp_path) as (store, _):
        for key in ("one", "two"):
            keep(store, key, f"value {key}")
    database = tmp_path / "memory.db"
    raw = database.read_bytes()
    assert raw.count(b"globalonevalue one") == 1
    database.write_bytes(raw.replace(b"globalonevalue one", b"globalonxvalue one"))

    with opened(tmp_path) as (store, _):
        read_or_mend(store, tmp_path)

    with opened(tmp_path) as (store, _):
        assert facts(store) == {"one": "value one", "two": "value two"}


@pytest.mark.requirement("M07")
def test_conversations_are_recovered(tmp_path: Path) -> None:
    with opened(tmp_path, daily=True) as (store, _):
        transcripts = SqliteTranscripts(store)
        for number in range(40):
            run = f"r{number}"
            session = Session(f"s{number}", "title", GLOBAL, NOW, NOW)
            said = StoredMessage(f"m{number}", session.id, run, "user", "hello " * 50, NOW)
            transcripts.start(NewRun(run, session, "chat", "test:m", said, {}, NOW))
            transcripts.finish(run, "done", None, Usage(0, 0, 0), None, NOW)
    for backup in (tmp_path / "backups").glob("*.db"):
        backup.unlink()
    database = tmp_path / "memory.db"
    # The table of sessions is lost; what was said is not.
    write_at(database, page_of(database, "s39title") * PAGE, bytes(PAGE))

    with opened(tmp_path) as (store, _):
        read_or_mend(store, tmp_path)

    with opened(tmp_path) as (store, _):
        transcripts = SqliteTranscripts(store)
        texts = [
            message.text
            for session in transcripts.sessions()
            for message in (transcripts.session(session.id) or pytest.fail("lost")).messages
        ]
        assert texts == ["hello " * 50] * 40


@pytest.mark.requirement("M07")
@pytest.mark.parametrize("lost", [(), ("change_sets", "changes")])
def test_change_numbers_go_on_after_a_repair(tmp_path: Path, lost: tuple[str, ...]) -> None:
    with opened(tmp_path) as (store, _):
        keep(store, "a", "value")
        last = drop(store, "a").change
    zero_tables(tmp_path / "memory.db", *lost)
    cut_40(tmp_path / "memory.db")
    with opened(tmp_path) as (store, _):
        assert keep(store, "b", "value").change > last


@pytest.mark.requirement("M07", "P16")
@pytest.mark.parametrize("damage", READABLE)
def test_what_was_forgotten_and_told_again_is_kept(tmp_path: Path, damage: Damage) -> None:
    said = learn(Statement("The zebra is striped", GLOBAL, NOW), Limits(NOW))
    with opened(tmp_path, daily=True) as (store, _):
        done(store, said)
        (first,) = store.select(FACT.name)
        done(store, forget_records([first.id]))
        done(store, said)
        for number in range(30):
            done(store, adding(note(f"n{number}", "filler " * 100)))
    damage(tmp_path / "memory.db")

    with opened(tmp_path) as (store, _):
        read_or_mend(store, tmp_path)
    with opened(tmp_path) as (store, _):
        assert [one.id for one in store.select(FACT.name)] == [first.id]
        assert store.current(FACT.name) == 1

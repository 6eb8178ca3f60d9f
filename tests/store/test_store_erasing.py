"""After a forgetting, no byte of it is in any file of ours."""

from __future__ import annotations

import os
import random
import signal
from datetime import timedelta
from pathlib import Path

import pytest
from store_world import (
    NOW,
    ORIGIN,
    Other,
    adding,
    contents,
    done,
    drop,
    erasing,
    fact,
    facts,
    keep,
    note,
    opened,
    other,
    places_of,
)

from memoro.backends.sqlite.store import SqliteStore
from memoro.memory.records import GLOBAL, NOTE, Record
from memoro.memory.saved import forget, remember
from memoro.memory.store import Change, ChangeSet, Origin
from memoro.memory.undo import undo
from running import Memoro

pytestmark = pytest.mark.requirement("P16")


def _word(chance: random.Random) -> str:
    return f"Z{chance.randbytes(7).hex()}"


def test_forgotten_fact_is_in_no_file(memoro: Memoro) -> None:
    memoro.ok("memory", "remember", "animal", "ZEBRA-9431 one")
    memoro.ok("memory", "replace", "animal", "ZEBRA-9431 two " + "x" * 4_000)
    memoro.ok("memory", "remember", "other", "stays")
    assert places_of(memoro.home, "ZEBRA-9431 one")

    ran = memoro.ok("memory", "forget", "animal", "--json")

    assert (ran.json["remains"], ran.err) == ([], "")
    assert places_of(memoro.home, "ZEBRA-9431") == []
    [entry] = [
        one for one in memoro.ok("memory", "log", "--json").json if one["action"] == "forget"
    ]
    assert "animal" in str(entry)
    assert len(memoro.ok("memory", "list", "--json").json) == 1


def test_values_that_were_replaced_or_undone_go_too(tmp_path: Path) -> None:
    with opened(tmp_path, daily=True) as (store, _):
        keep(store, "a", "ZEBRA one")
        change = keep(store, "a", "ZEBRA two").change
        done(store, undo(change, NOW))
        keep(store, "a", "ZEBRA three")
        change = keep(store, "b", "ZEBRA undone").change
        done(store, undo(change, NOW))
    with opened(tmp_path) as (store, _):
        drop(store, "a")
        done(store, forget(GLOBAL, "b", from_log=True))
        assert places_of(tmp_path, "ZEBRA") == []
    assert places_of(tmp_path, "ZEBRA") == []


class _Pile:
    """Notes of all sizes, that come, change and go; and the words that should be gone."""

    def __init__(self, store: SqliteStore, chance: random.Random) -> None:
        self.store = store
        self.chance = chance
        self.words: dict[str, list[str]] = {}
        self.made = 0

    def _text(self, note_id: str) -> str:
        word = _word(self.chance)
        self.words.setdefault(note_id, []).append(word)
        # Words at both ends: of what is spread over many pages, each has to go.
        filler = "." * self.chance.choice([1, 60, 300, 1_500, 5_000, 30_000])
        return f"{word}{filler}{word}"

    def add(self) -> None:
        """Add one."""
        self.made += 1
        note_id = f"n{self.made}"
        done(self.store, adding(note(note_id, self._text(note_id))))

    def edit(self) -> None:
        """Change one."""
        before = self._any()
        after = before._replace(text=self._text(before.id), revision=before.revision + 1)
        done(self.store, lambda _: ChangeSet("note edit", [Change(before, after)]))

    def erase(self, count: int) -> list[str]:
        """Erase some; gives the words that must not be found any more."""
        gone = [self._any() for _ in range(count)]
        gone = list({one.id: one for one in gone}.values())
        assert done(self.store, erasing(*gone)).remains == ()
        return [word for one in gone for word in self.words.pop(one.id)]

    def _any(self) -> Record:
        found = self.store.get(self.chance.choice(list(self.words)))
        assert found is not None
        return found


# With these, SQLite's secure delete by itself leaves copies in the unused middle of pages: of the
# database with the first two, of a backup with the others.
@pytest.mark.parametrize("seed", [4, 42, 7, 15, None])
def test_nothing_is_left_in_unused_space(tmp_path: Path, seed: int | None) -> None:
    seed = int.from_bytes(os.urandom(4), "big") if seed is None else seed
    chance = random.Random(seed)
    with opened(tmp_path, daily=True) as (store, _):
        pile = _Pile(store, chance)
        for _ in range(40):
            pile.add()
    with opened(tmp_path) as (store, _):
        pile.store = store
        for _ in range(25):
            for _ in range(4):
                chance.choice([pile.add, pile.edit])()
            gone = pile.erase(chance.choice([1, 1, 4]))
            assert places_of(tmp_path, *gone) == [], seed
        kept = [words[-1] for words in pile.words.values()]
    held = b"".join(contents(tmp_path).values())
    assert all(word.encode() in held for word in kept), seed


def test_many_are_forgotten_at_once(tmp_path: Path) -> None:
    records = [note(f"n{number}", f"ZEBRA{number} " * 90) for number in range(300)]
    with opened(tmp_path, daily=True) as (store, _):
        done(store, adding(*records))
    with opened(tmp_path) as (store, _):
        assert done(store, erasing(*records)).remains == ()
        assert places_of(tmp_path, "ZEBRA") == []
        assert len(store.changes(kind=NOTE.name)) == 2


class TestInterrupted:
    def test_killed_after_the_commit_is_finished_by_the_next_start(self, memoro: Memoro) -> None:
        memoro.ok("memory", "remember", "animal", "ZEBRA")
        memoro.ok("memory", "remember", "stays", "v")
        child = Other(memoro.home, "forget_and_die", "animal")
        assert child.end() == -signal.SIGKILL
        assert places_of(memoro.home, "ZEBRA")

        ran = memoro.ok("memory", "list", "--json")

        assert [one["key"] for one in ran.json] == ["stays"]
        assert places_of(memoro.home, "ZEBRA") == []

    def test_reader_of_the_old_state_is_told_of_and_cleaned_after(self, tmp_path: Path) -> None:
        with opened(tmp_path) as (store, _):
            keep(store, "animal", "ZEBRA")
        with other(tmp_path, "hold_old_state"):
            with opened(tmp_path, wait=0.2) as (store, _):
                remains = drop(store, "animal").remains
                assert remains == (
                    str(tmp_path / "memory.db"),
                    str(tmp_path / "memory.db-wal"),
                )
                assert facts(store) == {}
            size = (tmp_path / "memory.db-wal").stat().st_size
            for _ in range(3):
                with opened(tmp_path, wait=0.2) as (store, _):
                    assert facts(store) == {}
            assert (tmp_path / "memory.db-wal").stat().st_size == size
            assert places_of(tmp_path, "ZEBRA")

        with opened(tmp_path, create=False) as (store, _):
            assert places_of(tmp_path, "ZEBRA") == []

    def test_backup_in_the_making_is_cleaned_when_it_is_made(self, tmp_path: Path) -> None:
        with opened(tmp_path) as (store, _):
            keep(store, "animal", "ZEBRA")
        child = Other(tmp_path, "pause_backup")
        assert [child.line(), child.line()] == ["ready", "copied"]
        forgetter = Other(tmp_path, "forget", "animal")
        assert [forgetter.line(), forgetter.line()] == ["ready", "committed"]
        child.tell("go on")
        assert (child.end(), forgetter.line(), forgetter.end()) == (0, "remains ()", 0)
        assert len(list((tmp_path / "backups").glob("*.db"))) == 1
        assert places_of(tmp_path, "ZEBRA") == []

    def test_half_backup_of_a_killed_process_is_no_hiding_place(self, tmp_path: Path) -> None:
        home = tmp_path / "home"
        with opened(home) as (store, _):
            keep(store, "animal", "ZEBRA")
        assert Other(home, "die_in_backup").end() == -signal.SIGKILL
        assert "backups/partial" in places_of(home, "ZEBRA")
        with opened(home) as (store, _):
            assert drop(store, "animal").remains == ()
            assert places_of(home, "ZEBRA") == []

    def test_half_repair_of_a_killed_process_is_no_hiding_place(self, tmp_path: Path) -> None:
        with opened(tmp_path) as (store, _):
            keep(store, "animal", "ZEBRA")
        copy = (tmp_path / "memory.db").read_bytes()
        (tmp_path / "memory.db.partial").write_bytes(copy)
        (tmp_path / "repair").mkdir()
        (tmp_path / "repair" / "memory.db").write_bytes(copy)
        with opened(tmp_path) as (store, _):
            assert drop(store, "animal").remains == ()
            assert places_of(tmp_path, "ZEBRA") == []


class TestWhatRemains:
    def test_backup_that_can_not_be_cleaned_is_named_until_it_is(self, tmp_path: Path) -> None:
        with opened(tmp_path, daily=True) as (store, _):
            keep(store, "animal", "ZEBRA")
            keep(store, "stays", "v")
        [backup] = (tmp_path / "backups").glob("*.db")
        sound = backup.read_bytes()
        backup.write_bytes(sound[:5_000] + b"\xa5" * 20_000 + sound[25_000:])

        with opened(tmp_path) as (store, _):
            assert drop(store, "animal").remains == (str(backup),)
        backup.write_bytes(sound)
        with opened(tmp_path) as (store, _):
            assert facts(store) == {"stays": "v"}
            assert drop(store, "stays").remains == ()
        assert places_of(tmp_path, "ZEBRA") == []

    def test_damaged_store_that_was_set_aside_is_named(self, memoro: Memoro) -> None:
        memoro.ok("memory", "remember", "animal", "ZEBRA")
        database = memoro.home / "memory.db"
        os.truncate(database, database.stat().st_size - 40)
        memoro.ok("memory", "list")
        [aside] = memoro.home.glob("memory.db.corrupt-*")

        ran = memoro.ok("memory", "forget", "animal", "--json")

        assert ran.json["remains"] == [str(aside)]
        assert str(aside) in ran.err
        assert places_of(memoro.home, "ZEBRA") == [aside.name]


def test_log_keeps_key_time_and_writer(tmp_path: Path) -> None:
    with opened(tmp_path) as (store, _):
        store.apply(remember(fact("animal", "ZEBRA")), Origin("model", NOW, "r1", "m1"))
        later = Origin("command line", NOW + timedelta(days=1))
        store.apply(forget(GLOBAL, "animal"), later)
        last, first = store.changes(key="animal")
        assert (last.action, last.writer, last.at) == ("forget", "command line", later.at)
        assert (first.action, first.writer, first.at, first.run) == ("remember", "model", NOW, "r1")
        assert store.apply(remember(fact("animal", "new")), ORIGIN)

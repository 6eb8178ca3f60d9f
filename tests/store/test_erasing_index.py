"""The search index after passages were erased: it has what stands, and nothing of what went."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from search_world import (
    anew,
    embed,
    found,
    keep,
    live,
    say,
    saying,
    signed,
    words_indexed,
    words_kept,
)
from store_world import ORIGIN, adding, done, note, opened, places_of

from memoro.backends.sqlite import changing, indexing, purging
from memoro.backends.sqlite.asking import make_ready
from memoro.backends.sqlite.database import run, writing
from memoro.backends.sqlite.opening import open_memory
from memoro.backends.sqlite.searching import adding as adding_units
from memoro.backends.sqlite.searching import building
from memoro.backends.sqlite.store import SqliteStore
from memoro.memory.erasing.phrases import phrases_of, without
from memoro.memory.forgetting import forget_records
from memoro.memory.records import FACT, GLOBAL
from memoro.memory.store import Plan, Reader, Removal

pytestmark = pytest.mark.requirement("Z04", "P16", "R01")

_WORDS = st.lists(
    st.sampled_from(["roof", "green", "zebraword", "the", "door", "1.23", "!", "天气"]), max_size=5
).map(" ".join)


def everywhere(ids: list[str], *texts: str) -> Plan:
    """Forget records, and take the passages that say one of the texts out of conversations."""
    phrases = phrases_of(texts)
    plan = forget_records(ids)

    def erase(text: str) -> str:
        return without(text, phrases)

    def planned(reader: Reader) -> Removal:
        wanted = plan(reader) if ids else Removal("forget", ())
        assert isinstance(wanted, Removal)
        return wanted._replace(erases=erase)

    return planned


def is_right(store: SqliteStore) -> None:
    """Every word of what stands is indexed, no other is, and all is as in an index made anew."""
    make_ready(store, None)
    assert words_indexed(store.connection) <= words_kept(store)
    assert live(store.connection) == anew(store.connection)
    ((turns,),) = run(store.connection, "SELECT count(*) FROM messages")
    ((units,),) = run(store.connection, "SELECT count(*) FROM derived_units WHERE kind = 'turn'")
    assert units == turns


def fresh(store: SqliteStore) -> None:
    """Some turns wait, as few do."""
    keep(store, "talk", "the roof is green", "a zebraword in it", "and the door")


def settled(store: SqliteStore) -> None:
    """More than 256 turns, in two spans and in their places; then some that wait."""
    keep(store, "talk", *(f"the roof {number} is green" for number in range(300)))
    keep(store, "talk", "a zebraword in it", "and the door")


def long_parts(store: SqliteStore) -> None:
    """Turns of many parts."""
    keep(store, "talk", "the roof " * 500, "a zebraword in it " + "too " * 600, "and the door")


def older(store: SqliteStore) -> None:
    """A shelf of an older recipe."""
    settled(store)
    run(store.connection, "UPDATE derived_shelves SET recipe = 0")


def being_built(store: SqliteStore) -> None:
    """A new shelf that has the first turns beside the one that answers."""
    settled(store)
    with writing(store.connection):
        building.rebuild(store.connection)
    assert not building.bring_up(store.connection, 1)


def missing(store: SqliteStore) -> None:
    """No index at all."""
    settled(store)
    run(store.connection, "DELETE FROM derived_shelves")


@pytest.mark.parametrize("state", [fresh, settled, long_parts, older, being_built, missing])
def test_what_stands_is_found_and_what_went_is_not(
    tmp_path: Path, state: Callable[[SqliteStore], None]
) -> None:
    with opened(tmp_path, daily=True) as (store, _):
        keep(store, "before", "the cellar is dry")
        state(store)
        keep(store, "after", "the lamp is blue")
        applied = done(store, saying("a zebraword in it"))
        done(store, adding(note("n_1", "It says: a zebraword in it, so.")))
        embed(store)
    with opened(tmp_path) as (store, _):
        done(store, everywhere([applied.records[-1].id], "a zebraword in it"))
        assert places_of(tmp_path, "zebraword") == []
        assert found(store, "zebraword") == set()
        is_right(store)
        embed(store)
        assert signed(store.connection) == {
            unit for (unit,) in run(store.connection, "SELECT unit FROM derived_vectors")
        }
        assert [len(found(store, word)) for word in ("cellar", "lamp", "door")] == [1, 1, 1]
        roofs = 300 if state not in (fresh, long_parts) else 1
        assert len(found(store, "roof")) == roofs
        # What comes later stands behind what was put back.
        keep(store, "talk", "the gate is new")
        say(store, "s_1", 1, "the gate is old")
        assert len(found(store, "gate")) == 2
        is_right(store)
    assert places_of(tmp_path, "zebraword") == []


def test_conversations_that_were_not_touched_keep_their_numbers(tmp_path: Path) -> None:
    with opened(tmp_path) as (store, _):
        keep(store, "other", *(f"the roof {number} is green" for number in range(100)))
        keep(store, "talk", "a zebraword in it")
        sql = "SELECT id, owner FROM derived_units WHERE owner NOT IN (SELECT id FROM messages"
        sql += " WHERE text LIKE '%zebraword%' OR text LIKE '%erased%') ORDER BY id"
        before = run(store.connection, sql)
        assert len(before) == 100
        done(store, everywhere([], "a zebraword in it"))
        assert run(store.connection, sql) == before


def test_a_purge_of_many_conversations_leaves_the_index_of_the_others(tmp_path: Path) -> None:
    with opened(tmp_path) as (store, _):
        for number in range(12):
            texts = [f"the roof {number} has zebraword {turn}" for turn in range(150)]
            keep(store, f"talk {number}", *texts)
        keep(store, "other", *(f"the gate {number} is blue" for number in range(290)))
        kept = keep(store, "kept", "the door is green")
        embed(store)
        rows = run(
            store.connection,
            "SELECT id FROM sessions WHERE title LIKE 'talk%' OR title = 'other' ORDER BY id",
        )
        going = [str(one) for (one,) in rows]
        assert len(going) == 13
        purging.purge(store, purging.Doomed((), going), ORIGIN)
        assert places_of(tmp_path, "zebraword", "gate") == []
        assert found(store, "door") == {f"{kept}.1"}
        is_right(store)


class Redacted(RuleBasedStateMachine):
    """Whatever is said, erased and purged, in whatever state the shelves are."""

    def __init__(self) -> None:
        super().__init__()
        self.store = open_memory()
        self.made = 0
        self.before = building._SLICE, adding_units.FRESH_UNITS
        building._SLICE, adding_units.FRESH_UNITS = 2, 4

    def teardown(self) -> None:
        assert building.bring_up(self.store.connection)
        assert live(self.store.connection) == anew(self.store.connection)
        building._SLICE, adding_units.FRESH_UNITS = self.before
        self.store.close()

    def _text(self, text: str) -> str:
        self.made += 1
        return f"w{self.made}w {text}"

    @rule(name=st.sampled_from("abc"), texts=st.lists(_WORDS, max_size=5), long=st.booleans())
    def archives(self, name: str, texts: list[str], long: bool) -> None:
        keep(self.store, name, *(self._text(text * (90 if long else 1)) for text in texts))

    @rule(session=st.sampled_from(["s_1", "s_2"]), text=_WORDS)
    def chats(self, session: str, text: str) -> None:
        say(self.store, session, self.made + 1, self._text(text))

    @rule(text=_WORDS)
    def notes(self, text: str) -> None:
        done(self.store, adding(note(f"n{self.made}", self._text(text))))

    @rule(text=_WORDS)
    def learns(self, text: str) -> None:
        self.store.apply(saying(self._text(text)), ORIGIN)

    @rule(text=_WORDS, which=st.integers(0, 9))
    def erases(self, text: str, which: int) -> None:
        facts = self.store.select(FACT.name)
        ids = [facts[which % len(facts)].id] if facts else []
        texts = [text] if len(text) > 6 else ["zebraword"]
        done(self.store, everywhere(ids, *texts))

    @rule(count=st.integers(1, 3))
    def purges(self, count: int) -> None:
        rows = run(self.store.connection, "SELECT id FROM sessions ORDER BY id LIMIT ?", [count])
        purging.purge(self.store, purging.Doomed((), [str(one) for (one,) in rows]), ORIGIN)

    @rule()
    def purges_a_scope(self) -> None:
        doomed = purging.of_scope(self.store, GLOBAL, everywhere=True)
        if len(doomed.records) > 4:
            purging.purge(self.store, doomed, ORIGIN)

    @rule()
    def reindexes(self) -> None:
        with writing(self.store.connection):
            building.rebuild(self.store.connection)

    @rule()
    def grows_old(self) -> None:
        run(self.store.connection, "UPDATE derived_shelves SET recipe = 0")

    @rule(most=st.none() | st.integers(1, 6))
    def builds(self, most: int | None) -> None:
        building.bring_up(self.store.connection, most)

    @rule(most=st.none() | st.integers(1, 6))
    def embeds(self, most: int | None) -> None:
        embed(self.store, most)

    @invariant()
    def no_word_is_left_of_what_went(self) -> None:
        assert words_indexed(self.store.connection) <= words_kept(self.store)

    @invariant()
    def what_is_up_is_what_is_made_anew(self) -> None:
        if building.is_up(self.store.connection):
            assert live(self.store.connection) == anew(self.store.connection)


TestRedacted = Redacted.TestCase
TestRedacted.settings = settings(max_examples=8, stateful_step_count=20, deadline=None)


@pytest.mark.parametrize("column", ["recipe", "upto"])
@pytest.mark.parametrize("how", ["forget", "purge"])
def test_words_and_links_that_were_not_kept_up_go_too(
    tmp_path: Path, column: str, how: str
) -> None:
    with opened(tmp_path, daily=True) as (store, _):
        fact = done(store, saying("the zebraword gate is green")).records[-1]
        done(store, saying("the door is green"))
        indexing.make(store.connection)
    with opened(tmp_path) as (store, _):
        run(store.connection, f"UPDATE derived_state SET {column} = 0")
        assert places_of(tmp_path, "zebraword")
        if how == "forget":
            done(store, forget_records([fact.id]))
        else:
            purging.purge(store, purging.Doomed([fact], ()), ORIGIN)
        assert places_of(tmp_path, "zebraword") == []
        assert [one.text for one in store.about(["door"], 5)] == ["the door is green"]


@pytest.mark.parametrize("most", [True, False])
def test_an_index_of_which_most_goes_is_made_anew_from_what_is_left(
    tmp_path: Path, most: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(changing, "_MANY", 20)
    with opened(tmp_path, daily=True) as (store, _):
        going = [
            done(store, saying(f"zebraword{number} is the pin of box{number}")).records[-1]
            for number in range(30)
        ]
        kept = 5 if most else 40
        for number in range(kept):
            done(store, saying(f"door{number} is green and of oak"))
        embed(store)
        assert len(store.about(["oak"], 100)) == kept
    with opened(tmp_path) as (store, _):
        purging.purge(store, purging.Doomed(going, ()), ORIGIN)
        assert places_of(tmp_path, "zebraword") == []
        assert len(store.about(["oak"], 100)) == kept
        is_right(store)
        assert len(found(store, "oak")) == kept
        embed(store)
        ((vectors,),) = run(store.connection, "SELECT count(*) FROM derived_vectors")
        assert vectors == kept
        done(store, saying("the lamp is new"))
        is_right(store)

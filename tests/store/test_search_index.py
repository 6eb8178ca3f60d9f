"""The search index: what it holds after anything that happens, and what it leaves of what went."""

from __future__ import annotations

from datetime import UTC
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from search_world import (
    TABLES,
    anew,
    embed,
    found,
    keep,
    live,
    say,
    saying,
    signed,
    turns,
    words_indexed,
    words_kept,
)
from store_world import NOW, ORIGIN, adding, contents, done, erasing, note, opened, places_of

from memoro.backends.sqlite.asking import finding, make_ready
from memoro.backends.sqlite.database import run, writing
from memoro.backends.sqlite.opening import open_memory
from memoro.backends.sqlite.searching import adding as adding_units
from memoro.backends.sqlite.searching import building
from memoro.backends.sqlite.searching.shelves import shelves
from memoro.backends.sqlite.store import SqliteStore
from memoro.backends.sqlite.transcripts import SqliteTranscripts
from memoro.memory.dates.window import ZoneCalendar
from memoro.memory.forgetting import forget_records
from memoro.memory.recall.asked import Asked
from memoro.memory.recall.ranking import rank_turns
from memoro.memory.records import FACT, GLOBAL
from memoro.memory.undo import undo

_TEXTS = st.lists(
    st.sampled_from(["go", "rust", "blue", "needs", "has", "the", "door", "1.23", "!", "天气"]),
    max_size=5,
).map(" ".join)


class Searched(RuleBasedStateMachine):
    """Whatever happens, the index is what the texts say, and has nothing besides."""

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

    @rule(name=st.sampled_from("abc"), texts=st.lists(_TEXTS, max_size=5), long=st.booleans())
    def archives(self, name: str, texts: list[str], long: bool) -> None:
        keep(self.store, name, *(self._text(text * (90 if long else 1)) for text in texts))

    @rule(session=st.sampled_from(["s_1", "s_2"]), text=_TEXTS)
    def chats(self, session: str, text: str) -> None:
        say(self.store, session, self.made + 1, self._text(text))

    @rule(text=_TEXTS)
    def learns(self, text: str) -> None:
        self.store.apply(saying(self._text(text)), ORIGIN)

    @rule(text=_TEXTS, which=st.integers(0, 9))
    def updates(self, text: str, which: int) -> None:
        facts = self.store.select(FACT.name)
        if facts:
            replaced = facts[which % len(facts)].id
            self.store.apply(saying(self._text(text), replaces=replaced), ORIGIN)

    @rule(text=_TEXTS)
    def notes(self, text: str) -> None:
        done(self.store, adding(note(f"n{self.made}", self._text(text))))

    @rule(which=st.integers(0, 9))
    def forgets(self, which: int) -> None:
        facts = self.store.select(FACT.name)
        if facts:
            self.store.apply(forget_records([facts[which % len(facts)].id]), ORIGIN)

    @rule(which=st.none() | st.integers(0, 20))
    def undoes(self, which: int | None) -> None:
        self.store.apply(undo(which, NOW), ORIGIN)

    @rule(which=st.integers(0, 4))
    def deletes_a_session(self, which: int) -> None:
        transcripts = SqliteTranscripts(self.store)
        sessions = transcripts.sessions()
        if sessions:
            transcripts.delete(sessions[which % len(sessions)].id, ORIGIN)

    @rule()
    def reindexes(self) -> None:
        with writing(self.store.connection):
            building.rebuild(self.store.connection)

    @rule()
    def grows_old(self) -> None:
        run(self.store.connection, "UPDATE derived_shelves SET recipe = 0")

    @rule()
    def is_lost(self) -> None:
        for table in TABLES:
            run(self.store.connection, f"DELETE FROM {table}")

    @rule(most=st.none() | st.integers(1, 6))
    def builds(self, most: int | None) -> None:
        building.bring_up(self.store.connection, most)

    @rule(most=st.none() | st.integers(1, 6))
    def embeds(self, most: int | None) -> None:
        embed(self.store, most)

    @invariant()
    def what_answers_is_what_is_made_anew(self) -> None:
        made = anew(self.store.connection)
        for name, one in live(self.store.connection).items():
            assert one == made[name]

    @invariant()
    def no_word_is_left_of_what_went(self) -> None:
        assert words_indexed(self.store.connection) <= words_kept(self.store)

    @invariant()
    def each_unit_has_its_vector_or_waits_for_it(self) -> None:
        connection = self.store.connection
        units, vectors, waiting = (
            [number for (number,) in run(connection, f"SELECT {column} FROM {table} ORDER BY 1")]
            for column, table in (
                ("id", "derived_units"),
                ("unit", "derived_vectors"),
                ("unit", "derived_unembedded"),
            )
        )
        if run(connection, "SELECT 1 FROM derived_embedders"):
            assert sorted([*vectors, *waiting], key=str) == sorted(units, key=str)
        assert signed(connection) == {*vectors}


TestSearched = pytest.mark.requirement("R01", "P16")(Searched.TestCase)
TestSearched.settings = settings(max_examples=8, stateful_step_count=20, deadline=None)


@pytest.mark.requirement("R01")
def test_what_is_stored_is_found_at_once(tmp_path: Path) -> None:
    with opened(tmp_path) as (store, _):
        session = keep(store, "first", "the roof is green")
        say(store, "s_1", 1, "the cellar is green")
        done(store, saying("The door is green"))
        done(store, adding(note("n_1", "a green lamp")))
        assert found(store, "roof") == {f"{session}.1"}
        assert found(store, "cellar") == {"m_1"}
        assert len(found(store, "green")) == 4
    with opened(tmp_path) as (store, _):
        assert building.is_up(store.connection)
        assert len(found(store, "green")) == 4


@pytest.mark.requirement("R01")
@pytest.mark.parametrize("lost", [*TABLES[:1], TABLES])
def test_an_index_that_is_missing_is_made_anew(tmp_path: Path, lost: str | tuple[str, ...]) -> None:
    with opened(tmp_path) as (store, _):
        keep(store, "first", *(f"the roof {number}" for number in range(100)))
        done(store, saying("The door is green"))
        embed(store)
        for table in [lost] if isinstance(lost, str) else lost:
            run(store.connection, f"DELETE FROM {table}")
    with opened(tmp_path) as (store, _):
        assert make_ready(store, None) == (0, 0)
        assert (len(found(store, "roof")), len(found(store, "door"))) == (100, 1)
        assert live(store.connection) == anew(store.connection)


@pytest.mark.requirement("R01")
def test_an_index_of_an_older_recipe_answers_until_the_new_one_is_there() -> None:
    store = open_memory()
    keep(store, "first", *(f"the roof {number}" for number in range(600)))
    done(store, saying("The door is green"))
    run(store.connection, "UPDATE derived_shelves SET recipe = 0")

    assert not building.bring_up(store.connection, 250)
    assert {one.recipe for one in shelves(store.connection) if one.live} == {0}
    assert (len(found(store, "roof")), len(found(store, "door"))) == (600, 1)
    keep(store, "second", "the roof is new")
    say(store, "s_1", 1, "the roof is mended")
    done(store, saying("The gate is green"))
    assert (len(found(store, "roof")), len(found(store, "gate"))) == (602, 1)

    assert make_ready(store, None) == (0, 0)
    assert [one.recipe for one in shelves(store.connection)] == [1, 1]
    assert (len(found(store, "roof")), len(found(store, "green"))) == (602, 2)


@pytest.mark.requirement("R01")
def test_a_shelf_of_a_newer_memoro_is_left_to_it() -> None:
    store = open_memory()
    keep(store, "first", "the roof")
    done(store, saying("The door is green"))
    run(
        store.connection,
        "INSERT INTO derived_shelves (name, recipe, live, upto) VALUES ('turn', 99, 0, 0)",
    )
    steps = 0

    def count(_: object, sql: str, __: object) -> bool:
        nonlocal steps
        steps += sql.startswith("BEGIN")
        assert steps < 100, "there is nothing to do, and no end to it"
        return True

    store.connection.set_exec_trace(count)
    make_ready(store, None)
    assert len(found(store, "roof")) == 1


def _all_zebra(store: SqliteStore) -> list[bytes]:
    """Let go of all that tells of zebras; gives the vectors that were made of it."""
    gone = sorted(found(store, "zebraword") | found(store, "zebrawords"))
    sql = "SELECT data FROM derived_vectors v JOIN derived_units u ON u.id = v.unit AND u.owner = ?"
    vectors = [bytes(row[0]) for owner in gone for row in store.connection.execute(sql, [owner])]
    transcripts = SqliteTranscripts(store)
    for one in transcripts.sessions():
        if "zebra" in one.title or one.id == "s_zebra":
            assert transcripts.delete(one.id, ORIGIN) == ()
    facts = [one.id for one in store.select(FACT.name) if "zebra" in one.text]
    assert done(store, forget_records(facts)).remains == ()
    one = store.get("n_zebra")
    assert one is not None
    assert done(store, erasing(one)).remains == ()
    return vectors


def _tell(store: SqliteStore, many: int) -> None:
    """Tell of zebras among others; with `many` the index has put the others in their places."""
    keep(store, "zebra talk", "the zebraword is here", "and the zebrawords " + "too " * 400)
    say(store, "s_zebra", 1, "a zebraword in a chat")
    done(store, saying("The zebraword is a fact"))
    done(store, adding(note("n_zebra", "zebrawords on paper " * 90)))
    keep(store, "others", *(f"the roof {number} is green" for number in range(many)))
    done(store, saying("The door is green"))


@pytest.mark.requirement("P16")
@pytest.mark.parametrize("state", ["fresh", "settled", "older", "building", "new"])
def test_nothing_is_left_of_what_is_forgotten(tmp_path: Path, state: str) -> None:
    with opened(tmp_path, daily=True) as (store, _):
        _tell(store, 3 if state == "fresh" else 100)
        embed(store)
        if state == "older":
            run(store.connection, "UPDATE derived_shelves SET recipe = 0")
        if state in ("building", "new"):
            with writing(store.connection):
                building.rebuild(store.connection)
            building.bring_up(store.connection, 1 if state == "building" else None)
            embed(store)
    assert places_of(tmp_path, "zebraword")
    with opened(tmp_path) as (store, _):
        vectors = _all_zebra(store)
        assert len(vectors) == 5
        assert places_of(tmp_path, "zebra talk", "zebraword") == []
        held = b"".join(contents(tmp_path).values())
        assert not any(vector in held for vector in vectors)
        assert words_indexed(store.connection) <= words_kept(store)
        make_ready(store, None)
        assert live(store.connection) == anew(store.connection)
    assert places_of(tmp_path, "zebra talk", "zebraword") == []


@pytest.mark.requirement("R01")
def test_a_talk_ranks_alike_however_it_was_put_in() -> None:
    """A turn at a time or all at once: what was said beside it is the same."""
    said = ["hello", *("What colour has the roof?", "A dark one") * 30]
    scores: list[dict[str, float]] = []
    for step in (1, 7, len(said)):
        store = open_memory()
        transcripts = SqliteTranscripts(store)
        whole = turns(*said)
        for start in range(0, len(said), step):
            transcripts.archive("talk", whole[start : start + step], GLOBAL)
        asked = Asked("Which colour has the roof?", NOW, ZoneCalendar(UTC))
        with finding(store, None) as finder:
            ranked = rank_turns(finder, asked).units
        scores.append({one.unit.owner: round(one.score, 9) for one in ranked})
    assert len(scores[0]) == len(said)
    assert scores[0] == scores[1] == scores[2]


@pytest.mark.requirement("R01")
def test_numbers_that_are_given_again_are_not_taken_for_built() -> None:
    store = open_memory()
    keep(store, "first", *(f"the roof {number}" for number in range(100)))
    second = keep(store, "second", *(f"the gate {number}" for number in range(400)))
    with writing(store.connection):
        building.rebuild(store.connection)
    assert not building.bring_up(store.connection, 1)
    SqliteTranscripts(store).delete(second, ORIGIN)
    keep(store, "third", *(f"the lamp {number}" for number in range(50)))
    assert building.bring_up(store.connection)
    assert [len(found(store, word)) for word in ("roof", "gate", "lamp")] == [100, 0, 50]
    assert live(store.connection) == anew(store.connection)

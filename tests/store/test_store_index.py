"""What the store keeps besides the records: the graph, the words, the order of strength."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from store_world import NOW, ORIGIN, done, opened, places_of

from memoro.backends.sqlite.database import run
from memoro.backends.sqlite.graph import SqliteGraph
from memoro.backends.sqlite.indexing import is_fresh
from memoro.backends.sqlite.opening import open_memory
from memoro.backends.sqlite.paths import StorePaths
from memoro.backends.sqlite.repair.unwritable import open_unwritable
from memoro.backends.sqlite.store import SqliteStore
from memoro.errors import Refusal
from memoro.memory.facts.archive import compact, restore
from memoro.memory.facts.learn import Limits, learn
from memoro.memory.facts.statement import Statement
from memoro.memory.forgetting import forget_records
from memoro.memory.graph import DerivedGraph, Graph, Node
from memoro.memory.records import (
    EPISODE,
    FACT,
    GLOBAL,
    INDEXED,
    NOTE,
    PROFILE,
    TOPIC,
    WORK,
    Record,
    project_scope,
)
from memoro.memory.store import Change, ChangeSet, Origin, Plan
from memoro.memory.strength import strength
from memoro.memory.undo import undo


def saying(text: str, **fields: Any) -> Plan:
    given: dict[str, Any] = {"scope": GLOBAL, "at": NOW, **fields}
    return learn(Statement(text, **given), Limits(NOW))


def making(*records: Record) -> Plan:
    return lambda _: ChangeSet("make", [Change(None, one) for one in records])


def record(kind: str, record_id: str, text: str, **data: Any) -> Record:
    keyed = kind in (TOPIC.name, WORK.name, PROFILE.name)
    return Record(record_id, kind, GLOBAL, record_id if keyed else None, text, NOW, NOW, data=data)


def derived(store: SqliteStore) -> DerivedGraph:
    return DerivedGraph(one for kind in sorted(INDEXED) for one in store.select(kind))


def pictures(store: SqliteStore) -> list[Any]:
    """The same questions, asked of the cache and of the graph that is derived anew."""
    anew = derived(store)
    graphs: list[Graph] = [SqliteGraph(store), anew]
    return [
        (
            graph.overview(1_000),
            {name: graph.near(name, 1_000) for name in sorted(anew.nodes)},
            {name: graph.named(name) for name in sorted(anew.nodes)},
        )
        for graph in graphs
    ]


def rebuilt_equals_kept(store: SqliteStore) -> bool:
    kept = _tables(store)
    run(store.connection, "DELETE FROM derived_state")
    assert not is_fresh(store.connection)
    store.current(FACT.name)
    return _tables(store) == kept


def _tables(store: SqliteStore) -> list[Any]:
    names = (
        "SELECT name, kind, title, scope, label, strength, happened, records, degree"
        " FROM derived_nodes ORDER BY name",
        "SELECT a.name, b.name, o.name, weight FROM derived_links"
        " JOIN derived_nodes a ON a.id = a JOIN derived_nodes b ON b.id = b"
        " JOIN derived_nodes o ON o.id = owner ORDER BY 1, 2, 3",
        "SELECT word, name FROM derived_words JOIN derived_nodes ON id = node ORDER BY 1, 2",
    )
    return [list(run(store.connection, sql)) for sql in names]


def names(nodes: Iterable[Node]) -> set[str]:
    return {node.name for node in nodes}


@pytest.mark.requirement("G01")
def test_every_stated_relation_is_a_link() -> None:
    store = open_memory()
    done(store, saying("CI needs Go 1.23", tags=("ci",), data={"session": "s_1"}))
    fact = store.select(FACT.name)[0].id
    done(
        store,
        making(
            record(TOPIC.name, "builds", "about [[Caching]]", name="Builds", facts=[fact]),
            record(WORK.name, "site", "the site", name="Site", technologies=["Go", "ci"]),
            record(EPISODE.name, "ep_1", "Fixed the [[Builds]]", project="Site", session="s_1"),
            record(PROFILE.name, "skills:go", "Go", field="skills"),
            record(PROFILE.name, "name", "Ana", field="name"),
            record(NOTE.name, "n_1", "see [[caching|the cache]]", title="Plans"),
        ),
    )
    graph = SqliteGraph(store)

    near = {name: names(one.node for one in graph.near(name, 50)) for name in _names(graph)}

    assert near[fact] == {"tag:ci", "tag:project", "session:s_1", "topic:builds"}
    assert near["topic:builds"] == {fact, "topic:caching", "ep_1"}
    assert near["project:site"] == {"tag:go", "tag:ci", "ep_1"}
    assert near["skill:go"] == {"profile", "tag:go"}
    assert near["topic:caching"] == {"topic:builds", "n_1"}
    assert near["session:s_1"] == {fact, "ep_1"}
    backlinks = {one.node.name: one.back for one in graph.near("topic:builds", 50)}
    assert backlinks == {fact: False, "topic:caching": False, "ep_1": True}


def _names(graph: SqliteGraph) -> list[str]:
    return [node.name for node, _ in graph.overview(1_000).hubs]


@pytest.mark.requirement("G01")
def test_wikilinks_in_any_case_and_normal_form_are_one_node() -> None:
    store = open_memory()
    done(
        store,
        making(
            record(NOTE.name, "n_1", "[[Café]]", title="a"),
            record(NOTE.name, "n_2", "[[cafe\u0301]] [[ CAFÉ ]] [[]] [[a[b]]", title="b"),
        ),
    )
    near = SqliteGraph(store).near("topic:café", 10)
    assert names(one.node for one in near) == {"n_1", "n_2"}


@pytest.mark.requirement("G02")
def test_the_map_counts_kinds_and_names_the_hubs() -> None:
    store = open_memory()
    for number in range(5):
        done(store, saying(f"Room {number} has {number + 3} chairs", tags=("rooms",)))
    seen = SqliteGraph(store).overview(1)
    assert seen.counts == {"fact": 5, "tag": 2}
    assert seen.links == 10
    assert [(node.name, degree) for node, degree in seen.hubs] == [("tag:general", 5)]


@pytest.mark.requirement("G03")
def test_the_cache_is_adopted_at_start_and_follows_a_change(tmp_path: Path) -> None:
    with opened(tmp_path) as (store, _):
        done(store, saying("CI needs Go 1.23"))
        assert SqliteGraph(store).overview(1).counts["fact"] == 1
    with opened(tmp_path) as (store, _):
        assert is_fresh(store.connection)
        done(store, saying("The office has a blue door"))
        assert is_fresh(store.connection)
        assert SqliteGraph(store).overview(1).counts["fact"] == 2


@pytest.mark.requirement("G03")
@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM derived_state",
        "UPDATE derived_state SET recipe = recipe - 1",
        "UPDATE derived_state SET upto = upto - 1",
        "DELETE FROM derived_state; DELETE FROM derived_nodes; DELETE FROM derived_links",
    ],
)
def test_a_cache_that_is_missing_older_or_behind_is_made_anew(tmp_path: Path, damage: str) -> None:
    with opened(tmp_path) as (store, _):
        for text in ("CI needs Go 1.23", "The office has a blue door"):
            done(store, saying(text, tags=("x",)))
        sound = pictures(store)[0]
        run(store.connection, damage)
    with opened(tmp_path) as (store, _):
        assert pictures(store) == [sound, sound]


@pytest.mark.requirement("G03")
def test_what_another_version_wrote_without_the_cache_is_seen(tmp_path: Path) -> None:
    with opened(tmp_path) as (store, _):
        done(store, saying("CI needs Go 1.23"))
        store.current(FACT.name)
        upto = run(store.connection, "SELECT upto FROM derived_state")
        done(store, saying("The office has a blue door"))
        run(store.connection, "UPDATE derived_state SET upto = ?", upto[0])
        done(store, saying("Lunch is at noon"))
        assert store.current(FACT.name) == 3


@pytest.mark.requirement("G03")
def test_a_store_that_can_only_be_read_answers_too(tmp_path: Path) -> None:
    with opened(tmp_path) as (store, _):
        done(store, saying("CI needs Go 1.23", tags=("ci",)))
        run(store.connection, "DELETE FROM derived_state")
    before = (tmp_path / "memory.db").read_bytes()

    store = open_unwritable(StorePaths(str(tmp_path)), 0, None)

    assert store.current(FACT.name) == 1
    assert pictures(store)[0] == pictures(store)[1]
    store.close()
    assert (tmp_path / "memory.db").read_bytes() == before


@pytest.mark.requirement("P16", "G03")
def test_what_is_forgotten_leaves_words_links_and_backups(tmp_path: Path) -> None:
    with opened(tmp_path, daily=True) as (store, _):
        done(store, saying("The zebraword is [[Zebralink]]", tags=("zebratag",)))
        done(store, saying("The office has a blue door"))
        store.current(FACT.name)
    assert places_of(tmp_path, "zebraword", "zebratag")
    with opened(tmp_path) as (store, _):
        zebra = next(one for one in store.select(FACT.name) if "zebra" in one.text)
        done(store, forget_records([zebra.id]))
        assert pictures(store)[0] == pictures(store)[1]
        assert is_fresh(store.connection)
    assert places_of(tmp_path, "zebra", "Zebra") == []


@pytest.mark.requirement("F11")
def test_words_find_the_facts_that_share_the_rarest() -> None:
    store = open_memory()
    for number in range(30):
        done(store, saying(f"Room {number} has {number + 3} chairs and a blue door"))
    done(store, saying("The cellar has a zebra and a blue door"))
    found = store.alike(FACT.name, GLOBAL, {"zebra", "door"}, limit=3)
    assert found[0].text == "The cellar has a zebra and a blue door"
    assert store.alike(FACT.name, project_scope("x"), {"zebra"}, limit=3) == []
    assert store.alike(FACT.name, GLOBAL, {"nowhere"}, limit=3) == []


@pytest.mark.requirement("F09", "F14")
def test_the_order_of_strength_is_kept() -> None:
    store = open_memory()
    for number in range(20):
        at = NOW - timedelta(days=(number * 7) % 20)
        done(store, saying(f"Room {number} has {number + 3} chairs", at=at))
    facts = sorted(store.select(FACT.name), key=lambda one: (strength(one), one.id))
    assert store.weakest(FACT.name, GLOBAL) == facts
    assert store.weakest(FACT.name, GLOBAL, limit=3) == facts[:3]
    below = strength(facts[5])
    weaker = [one for one in facts if strength(one) < below]
    assert store.weakest(FACT.name, GLOBAL, below=below) == weaker
    strong = sorted(facts, key=lambda one: (-strength(one), one.id))
    assert store.strongest(FACT.name, [GLOBAL], limit=4) == strong[:4]
    assert store.strongest(FACT.name, None) == strong


@pytest.mark.requirement("F12")
def test_each_use_is_kept_and_makes_stronger() -> None:
    store = open_memory()
    done(store, saying("CI needs Go 1.23"))
    (fact,) = store.select(FACT.name)
    later = NOW + timedelta(days=3)
    store.use([fact.id, fact.id, "nothing"], later, "r_1", "neighbors")
    (used,) = store.select(FACT.name)
    assert (used.accesses, used.accessed_at) == (2, later)
    assert [(one.at, one.run, one.how) for one in store.uses(fact.id)] == [
        (later, "r_1", "neighbors")
    ]
    assert rebuilt_equals_kept(store)


_WORDS = st.lists(
    st.sampled_from(
        [
            "go",
            "rust",
            "blue",
            "[[Builds]]",
            "[[go]]",
            "1.22",
            "1.23",
            "needs",
            "has",
            "the",
            "door",
        ]
    ),
    min_size=2,
    max_size=6,
).map(" ".join)
_TAGS = st.lists(st.sampled_from(["go", "ci", "ops"]), max_size=2).map(tuple)
_SCOPES = st.sampled_from([GLOBAL, project_scope("site"), "place:0123456789abcdef"])


class Indexed(RuleBasedStateMachine):
    """Whatever happens, the index is what the records say."""

    def __init__(self) -> None:
        super().__init__()
        self.store = open_memory()
        self.made = 0

    def _try(self, plan: Plan) -> None:
        self.store.apply(plan, Origin("test", NOW))

    @rule(text=_WORDS, tags=_TAGS, scope=_SCOPES)
    def learns(self, text: str, tags: tuple[str, ...], scope: str) -> None:
        self._try(saying(text, tags=tags, scope=scope))

    @rule(text=_WORDS, kind=st.sampled_from([EPISODE.name, NOTE.name, TOPIC.name, WORK.name]))
    def makes(self, text: str, kind: str) -> None:
        self.made += 1
        facts = [one.id for one in self.store.select(FACT.name)][:2]
        data = {"name": f"n{self.made}", "title": f"t{self.made}", "technologies": ["go"]}
        if kind == TOPIC.name:
            data = {"name": f"n{self.made}", "facts": facts}
        key = f"n{self.made}" if kind in (TOPIC.name, WORK.name) else None
        one = Record(f"x{self.made}", kind, GLOBAL, key, text, NOW, NOW, data=data)
        self._try(making(one))

    @rule()
    def undoes(self) -> None:
        self._try(undo(None, NOW))

    @rule(which=st.integers(0, 50))
    def undoes_one(self, which: int) -> None:
        self._try(undo(which, NOW))

    @rule(which=st.integers(0, 20))
    def forgets(self, which: int) -> None:
        facts = self.store.select(FACT.name)
        if facts:
            self._try(forget_records([facts[which % len(facts)].id]))

    @rule(which=st.integers(0, 20))
    def restores(self, which: int) -> None:
        facts = self.store.select(FACT.name)
        if facts:
            self._try(restore(facts[which % len(facts)].id, NOW))

    @rule(days=st.integers(0, 300))
    def compacts(self, days: int) -> None:
        self._try(compact(self.store.scopes(FACT.name), NOW + timedelta(days=days), 4))

    @rule(which=st.integers(0, 20))
    def uses(self, which: int) -> None:
        facts = self.store.select(FACT.name)
        if facts:
            self.store.use([facts[which % len(facts)].id], NOW, None, "test")

    @invariant()
    def cache_is_what_is_derived(self) -> None:
        cached, anew = pictures(self.store)
        assert cached == anew

    def teardown(self) -> None:
        assert is_fresh(self.store.connection)
        assert rebuilt_equals_kept(self.store)
        self.store.close()


TestIndexed = pytest.mark.requirement("G01", "G03")(Indexed.TestCase)
TestIndexed.settings = settings(max_examples=25, stateful_step_count=15, deadline=None)


def test_a_refusal_leaves_the_index_as_it_was() -> None:
    store = open_memory()
    done(store, saying("CI needs Go 1.23"))
    before = pictures(store)
    assert isinstance(store.apply(saying("  "), ORIGIN), Refusal)
    assert pictures(store) == before

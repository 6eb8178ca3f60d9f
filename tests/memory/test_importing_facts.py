"""Facts of one import among themselves: as if they had been learned one after the other."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interchange.world import Days
from memoro.interchange.formats import Clock
from memoro.interchange.reading.making import Found, Origin, fact
from memoro.memory.facts.statement import is_current
from memoro.memory.imported import ImportedRecord
from memoro.memory.importing.outcome import Counted, Planned, Rules
from memoro.memory.importing.planning import import_plan
from memoro.memory.records import FACT, Record
from memoro.memory.store import Change, ChangeSet, Removal
from memory.facts_world import DAY, NOW, World

CLOCK = Clock(NOW, Days())
RULES = Rules(NOW, 0)


def told(text: str, at: datetime, own: str = "", **more: Any) -> ImportedRecord:
    """A fact as a reader gives it."""
    made = fact(Found(text, at, record_id=own, **more), Origin("mem0", "export.json"), text)
    assert isinstance(made, ImportedRecord)
    return made


def days(*texts: str) -> list[ImportedRecord]:
    """Facts that were said one day after the other."""
    return [told(text, NOW - (30 - n) * DAY, f"m{n}") for n, text in enumerate(texts)]


def planned(world: World, items: Sequence[ImportedRecord], rules: Rules = RULES) -> Planned:
    return import_plan(items, (), rules)(world.store)


def brought(
    world: World, items: Sequence[ImportedRecord], rules: Rules = RULES
) -> dict[str, Record]:
    """Bring them in; gives what is kept of them, by text."""
    plan = planned(world, items, rules)
    if plan.records:
        changes = [Change(None, one) for one in plan.records]
        world.apply(lambda _: ChangeSet("import", changes))
    return {one.text: one for one in world.everything()}


def counted(plan: Planned) -> Counted:
    return plan.counts[FACT.name]


def likeness(facts: Sequence[Record]) -> list[tuple[Any, ...]]:
    """What two ways of coming to know the same have in common."""
    texts = {one.id: one.text for one in facts}
    return sorted(
        (
            one.text,
            is_current(one),
            texts.get(one.superseded_by or "", ""),
            one.accesses,
            one.valid_from,
            sorted(texts.get(other, "") for other in one.data.get("beside", ())),
            len(one.data.get("held", ())),
        )
        for one in facts
    )


SAYINGS = (
    *("The database is Postgres 15", "The database is Postgres 16", "the database is postgres 16."),
    *("The database may be Postgres 17", "The API listens on port 4000", "Ana lives in Berlin"),
    *("The API listens on port 8080", "Ana moved to Lisbon", "Ana lives in Lisbon"),
    *("Bo likes tea", "Bo likes coffee", "CI needs sudo", "CI doesn't need sudo", "Bo likes tea."),
    *("The frontend is written in Elm", "Ana probably lives in Porto", "Bo plays the cello"),
)


@pytest.mark.requirement("M06", "F01", "F06")
@settings(max_examples=80, deadline=None)
@given(st.lists(st.sampled_from(SAYINGS), min_size=1, max_size=14))
def test_an_import_makes_what_learning_one_after_the_other_makes(texts: list[str]) -> None:
    first = NOW - timedelta(days=len(texts))
    learned, imported = World(max_facts=0), World(max_facts=0)
    for number, text in enumerate(texts):
        learned.guess(text, at=first + number * DAY)
    items = [told(text, first + number * DAY, f"m{number}") for number, text in enumerate(texts)]
    plan = planned(imported, items)
    known = brought(imported, list(reversed(items)))

    assert likeness(list(known.values())) == likeness(learned.everything())
    assert counted(plan).found == len(texts)
    assert counted(plan).new == len(plan.records) == len(known)
    places = {one.id: place for place, one in enumerate(plan.records)}
    for one in plan.records:
        assert places.get(one.superseded_by or one.id, -1) <= places[one.id]
    again = planned(imported, items)
    assert (again.records, counted(again).known) == ([], len(texts))


@pytest.mark.requirement("M06", "F05")
def test_what_says_the_same_is_merged_into_the_first_and_counted() -> None:
    world = World()
    items = days("Bo likes tea", "bo likes tea.", "Bo plays the cello", "Bo likes tea")
    plan = planned(world, items)
    assert counted(plan) == Counted(new=2, merged=2)
    kept = brought(world, items)["Bo likes tea"]
    assert (kept.id, kept.accesses, kept.revision) == ("m0", 3, 1)
    assert kept.confidence == pytest.approx(0.7)
    assert kept.valid_from == NOW - 30 * DAY


@pytest.mark.requirement("M06", "F06", "F07")
def test_what_is_newer_takes_the_place_of_what_it_updates() -> None:
    world = World()
    items = days("Ana lives in Berlin", "Ana lives in Lisbon")
    plan = planned(world, items)
    assert (plan.outdated, plan.aside) == ({"m0"}, frozenset())
    known = brought(world, items)
    past = known["Ana lives in Berlin"]
    assert (past.superseded_by, past.valid_to) == ("m1", NOW - 29 * DAY)
    assert world.current() == {"Ana lives in Lisbon"}


@pytest.mark.requirement("M06")
def test_what_was_said_at_the_same_moment_stands_side_by_side() -> None:
    world = World()
    texts = ("Testing: use pytest", "Testing: run coverage", "testing: use pytest")
    known = brought(world, [told(text, NOW) for text in texts])
    assert world.current() == {"Testing: use pytest", "Testing: run coverage"}
    assert known["Testing: use pytest"].accesses == 2


@pytest.mark.requirement("M06")
def test_what_is_true_of_one_person_is_nothing_to_another() -> None:
    world = World()
    names = (("The user's name is Ana", "ana"), ("The user's name is Bo", "bo"))
    brought(
        world,
        [told(text, NOW - DAY + n * DAY, more={"user": u}) for n, (text, u) in enumerate(names)],
    )
    assert world.current() == {text for text, _ in names}


@pytest.mark.requirement("M06")
def test_a_wording_that_was_merged_is_known_whatever_became_of_the_fact() -> None:
    world = World()
    first = days("Ana lives in Berlin", "ana is living in Berlin", "Ana lives in Lisbon")
    plan = planned(world, first)
    assert (len(plan.records), counted(plan).merged) == (2, 1)
    brought(world, first)
    assert planned(world, first).records == []
    assert planned(world, first[1:2]).records == []


@pytest.mark.requirement("M06", "P16")
def test_another_wording_of_what_was_forgotten_does_not_come_back() -> None:
    world = World()
    items = days("Bo likes tea", "Bo likes tea very much", "Bo is fond of tea", "Bo plays cello")
    kept = brought(world, items)
    for one in list(kept.values()):
        if "tea" in one.text:
            world.apply(lambda _, gone=one: Removal("forget", [gone]))
    again = planned(world, items)
    assert again.records == []
    assert (counted(again).left_out, counted(again).known) == (3, 1)


@pytest.mark.requirement("M06")
def test_the_archive_of_another_tool_changes_nothing_that_is_current_there() -> None:
    world = World()
    put_away = {"archived": NOW.isoformat(), "why": "they had it there"}
    items = [
        told("Bo likes coffee", NOW - 5 * DAY, "a1", data=put_away),
        told("Bo likes tea", NOW - 9 * DAY, "m1"),
        told("Bo likes tea", NOW - DAY, "a2", data=put_away),
    ]
    plan = planned(world, items)
    assert [one.id for one in plan.records] == ["m1", "a1"]
    assert counted(plan) == Counted(new=2, merged=1)
    assert plan.records[0].accesses == 1


@pytest.mark.requirement("M06")
def test_two_facts_under_one_id_are_two() -> None:
    world = World()
    items = [told("Bo likes tea", NOW - DAY, "m1"), told("Ana plays the cello", NOW, "m1")]
    known = brought(world, items)
    assert known["Bo likes tea"].id == "m1" != known["Ana plays the cello"].id
    assert planned(world, items).records == []


@pytest.mark.requirement("M06", "F14")
def test_of_many_facts_with_the_same_words_each_is_held_against_few() -> None:
    world = World()
    items = [told(f"Window {n} of the house faces the sea", NOW) for n in range(3_000)]
    started = time.process_time()
    plan = planned(world, items)
    assert time.process_time() - started < 20
    assert len(plan.records) == 3_000

"""What a person changed in the files, merged with what was changed in the store meanwhile."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoro.errors import Reason, Refusal
from memoro.memory.facts.statement import fact_id, is_current, state
from memoro.memory.forgetting import forget_records
from memoro.memory.plain.edits import Item, Written, edits_of, joined
from memoro.memory.plain.merging import merge_plan
from memoro.memory.records import GLOBAL, Record, Trust
from memoro.memory.saved import Fact, remember, replace
from memoro.memory.store import Origin, Removal
from memory.plain_world import NOW, SECOND, Desk, kept_within


@pytest.fixture
def desk() -> Desk:
    return Desk()


@pytest.mark.requirement("M04")
def test_an_untouched_file_changes_nothing(desk: Desk) -> None:
    desk.learn("The deploy needs sudo", tags=("ops",))
    desk.write()
    assert desk.edits().is_empty
    told = desk.merge()
    assert (told.changes, told.conflicts, told.problems) == ((), (), ())


@pytest.mark.requirement("M04", "Z03")
def test_a_changed_text_keeps_its_id_and_counts_as_said_by_the_user(desk: Desk) -> None:
    fact = desk.learn(
        "I may live in Lisbon", trust=Trust.INFERRED, provenance="extracted", run="r1", message="m1"
    )
    desk.write()
    desk.line(fact.id)["text"] = "I live in Porto"
    desk.line(fact.id)["source_run"] = "forged"
    desk.line(fact.id)["superseded_by"] = "other"

    (changed,) = desk.merge().changed

    assert changed == desk.get(fact.id)
    assert (changed.id, changed.text) == (fact.id, "I live in Porto")
    assert (changed.trust, changed.confidence) == (Trust.USER, 1.0)
    assert (changed.data["provenance"], changed.data.get("hedged")) == ("corrected", None)
    assert (changed.source_run, changed.source_message) == ("r1", "m1")
    assert (changed.superseded_by, changed.accesses, changed.revision) == (None, 1, 2)
    (logged,) = desk.last().records
    assert (logged.before, logged.after) == (fact, changed)
    assert desk.last().action == "merge"


@pytest.mark.requirement("M04")
def test_a_line_with_nothing_but_a_text_is_a_new_fact(desk: Desk) -> None:
    desk.learn("The deploy needs sudo")
    desk.write()
    desk.lines.insert(0, {"text": "  The CI runs\ton Friday "})

    (added,) = desk.merge().added

    assert added.id == fact_id(GLOBAL, "The CI runs on Friday")
    assert added.text == "The CI runs on Friday"
    assert (added.trust, added.confidence, added.data["provenance"]) == (Trust.USER, 1.0, "told")
    assert added.data["category"] == "project"
    assert (added.valid_from, added.accesses, added.accessed_at) == (
        added.created_at,
        1,
        added.created_at,
    )
    desk.write()
    assert desk.edits().is_empty


@pytest.mark.requirement("M04", "Z03")
def test_a_deleted_line_deletes_its_record_and_undo_brings_all_back(desk: Desk) -> None:
    first, second = desk.learn("The deploy needs sudo"), desk.learn("The CI runs on Friday")
    desk.write()
    desk.drop(first.id)
    desk.line(second.id)["text"] = "The CI runs on Monday"
    desk.lines.append({"text": "Tea is at five"})

    told = desk.merge()

    assert [one.id for one in told.deleted] == [first.id]
    assert desk.texts() == ["Tea is at five", "The CI runs on Monday"]
    desk.undo()
    assert desk.texts() == ["The CI runs on Friday", "The deploy needs sudo"]


@pytest.mark.requirement("M04")
def test_what_only_the_store_changed_stands(desk: Desk) -> None:
    fact = desk.learn("The deploy needs sudo")
    gone = desk.learn("Tea is at five")
    desk.write()
    desk.learn("The deploy needs no sudo any more", replaces=fact.id)
    desk.keep((desk.get(gone.id), None))
    assert desk.merge().changes == ()
    assert desk.texts(is_current) == ["The deploy needs no sudo any more"]


@pytest.mark.requirement("M04")
def test_both_sides_changed_keeps_both_and_tells_it(desk: Desk) -> None:
    fact = desk.learn("The office is in Lisbon")
    desk.write()
    desk.line(fact.id)["text"] = "The office is in Porto"
    newer = desk.learn("The office is in Braga", replaces=fact.id)

    told = desk.merge()

    (conflict,) = told.conflicts
    assert (conflict.record_id, conflict.kind, conflict.file) == (fact.id, "fact", "file.json")
    assert conflict.theirs is not None
    assert conflict.ours is not None
    assert conflict.theirs.text == "The office is in Porto"
    assert conflict.ours.text == "The office is in Lisbon"
    further = desk.get(conflict.kept_as)
    assert further.text == "The office is in Porto"
    assert further.data["conflict_of"] == fact.id
    assert (further.trust, further.confidence) == (Trust.USER, 1.0)
    assert desk.texts(is_current) == ["The office is in Braga", "The office is in Porto"]
    assert desk.get(newer.id) == newer


def test_being_used_or_seen_again_meanwhile_is_no_conflict(desk: Desk) -> None:
    fact = desk.learn("The office is in Lisbon", trust=Trust.INFERRED, provenance="extracted")
    gone = desk.learn("Tea is at five")
    desk.write()
    desk.line(fact.id)["text"] = "The office is in Porto"
    desk.drop(gone.id)
    desk.learn("The office is in Lisbon", trust=Trust.INFERRED, provenance="extracted")
    desk.learn("Tea is at five")

    told = desk.merge()

    assert told.conflicts == ()
    assert desk.texts() == ["The office is in Porto"]
    assert desk.get(fact.id).accesses == 2


def test_deleted_in_the_file_and_changed_here_stays(desk: Desk) -> None:
    fact = desk.learn("The office is in Lisbon")
    desk.write()
    desk.drop(fact.id)
    desk.learn("The office is in Braga", replaces=fact.id)

    told = desk.merge()

    assert told.changes == ()
    assert [(one.record_id, one.theirs) for one in told.conflicts] == [(fact.id, None)]
    assert state(desk.get(fact.id)) == "superseded"


def test_changed_in_the_file_and_removed_here_comes_back_as_it_was_changed(desk: Desk) -> None:
    fact = desk.learn("The office is in Lisbon")
    desk.write()
    desk.line(fact.id)["text"] = "The office is in Porto"
    desk.keep((fact, None))

    (conflict,) = desk.merge().conflicts

    assert conflict.ours is None
    assert desk.get(conflict.kept_as).text == "The office is in Porto"


@pytest.mark.requirement("P16", "Z04")
def test_what_was_forgotten_is_not_brought_back_by_a_file(desk: Desk) -> None:
    fact = desk.learn("The office is in Lisbon")
    other = desk.learn("Tea is at five")
    desk.write()
    desk.apply(forget_records([fact.id, other.id]))
    desk.line(fact.id)["text"] = "The office is in Lisbon, Portugal"

    told = desk.merge()
    assert [(one.record_id, one.kept_as) for one in told.conflicts] == [(fact.id, "")]
    assert desk.all() == []

    desk.base = {}
    assert {one.record_id for one in desk.merge().conflicts} == {fact.id, other.id}
    assert desk.all() == []


def test_what_was_forgotten_can_be_written_down_anew(desk: Desk) -> None:
    fact = desk.learn("The office is in Lisbon")
    desk.apply(forget_records([fact.id]))
    desk.write()
    desk.lines.append({"text": "The office is in Lisbon"})
    (added,) = desk.merge().added
    assert added.id != fact.id
    assert desk.merge().changes == ()


def test_an_old_wording_can_be_written_down_again(desk: Desk) -> None:
    fact = desk.learn("The office is in Lisbon")
    desk.write()
    desk.line(fact.id)["text"] = "Tea is at five"
    desk.merge()
    desk.write()
    desk.lines.append({"text": "The office is in Lisbon"})
    told = desk.merge()
    assert (len(told.added), told.conflicts) == (1, ())
    assert desk.texts() == ["Tea is at five", "The office is in Lisbon"]
    assert desk.merge().changes == ()


@pytest.mark.parametrize("untouched_first", [True, False])
def test_a_line_copied_with_its_id_is_a_further_fact(desk: Desk, untouched_first: bool) -> None:
    fact = desk.learn("The office is in Lisbon", trust=Trust.INFERRED, provenance="extracted")
    desk.write()
    copy = {**desk.line(fact.id), "text": "The shop is in Porto"}
    desk.lines.insert(1 if untouched_first else 0, copy)

    told = desk.merge()

    assert desk.texts() == ["The office is in Lisbon", "The shop is in Porto"]
    (conflict,) = told.conflicts
    assert desk.get(conflict.kept_as).trust == Trust.USER
    assert desk.get(fact.id) == fact
    assert desk.merge().changes == ()


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [("conflicts", 5), ("conflicts", {"a": 1}), ("aside", "x"), ("conflict_of", [])],
)
def test_our_own_marks_may_be_edited_into_anything(ours: str, theirs: object) -> None:
    desk = Desk("saved_fact")
    fact = desk.remember("style", "short")
    desk.write()
    desk.line(fact.id)["data"] = {ours: theirs}
    desk.line(fact.id)["colour"] = "red"
    desk.lines.append({"key": "style", "text": "long"})
    desk.merge()
    assert kept_within(
        [desk.get(fact.id)._replace(data={"conflicts": desk.get(fact.id).data["conflicts"][-1:]})]
    ) == {"long"}
    assert desk.merge().changes == ()


def test_of_two_changed_lines_of_one_id_both_texts_are_kept(desk: Desk) -> None:
    fact = desk.learn("The office is in Lisbon")
    desk.write()
    line = desk.line(fact.id)
    desk.lines = [{**line, "text": "The office is in Porto"}, {**line, "text": "Tea is at five"}]
    told = desk.merge()
    assert desk.texts() == ["Tea is at five", "The office is in Porto"]
    assert desk.get(fact.id).text == "The office is in Porto"
    assert len(told.conflicts) == 1


def test_the_same_line_twice_is_one(desk: Desk) -> None:
    fact = desk.learn("The office is in Lisbon")
    desk.write()
    desk.lines *= 2
    assert desk.edits().is_empty
    desk.lines = [{**desk.line(fact.id), "text": "The office is in Porto"} for _ in range(2)]
    told = desk.merge()
    assert (len(told.changed), told.conflicts) == (1, ())


def test_a_text_that_another_current_fact_has_is_told(desk: Desk) -> None:
    first, second = desk.learn("The office is in Lisbon"), desk.learn("Tea is at five")
    desk.write()
    desk.line(second.id)["text"] = "the OFFICE is in  Lisbon."
    desk.lines.append({"id": "mine", "text": "The office is in Lisbon"})

    told = desk.merge()

    assert desk.texts(is_current) == ["The office is in Lisbon"]
    assert desk.get(second.id).superseded_by == first.id
    assert desk.get(second.id).text == "Tea is at five"
    assert {(one.record_id, one.kept_as) for one in told.conflicts} == {
        (second.id, first.id),
        ("mine", first.id),
    }


def test_texts_may_change_places(desk: Desk) -> None:
    names = ["The office is in Lisbon", "Tea is at five", "The deploy needs sudo"]
    ids = [desk.learn(name).id for name in names]
    desk.write()
    for record_id, name in zip(ids, (*names[1:], names[0]), strict=True):
        desk.line(record_id)["text"] = name
    told = desk.merge()
    assert told.conflicts == ()
    assert [desk.get(one).text for one in ids] == [*names[1:], names[0]]


def test_an_id_of_another_kind_is_kept_apart(desk: Desk) -> None:
    note = desk.note("n_1", "Title", "A note")
    desk.write()
    desk.lines.append({"id": "n_1", "text": "Tea is at five"})
    (conflict,) = desk.merge().conflicts
    assert desk.get(conflict.kept_as).text == "Tea is at five"
    assert desk.get("n_1") == note


def test_a_record_that_came_by_another_way_too_is_kept_twice_only_where_it_differs(
    desk: Desk,
) -> None:
    desk.write()
    fact = desk.learn("The office is in Lisbon")
    elsewhere = Desk()
    elsewhere.learn("The office is in Lisbon")
    elsewhere.write()
    desk.lines = list(elsewhere.lines)
    assert desk.merge().changes == ()
    desk.line(fact.id)["text"] = "The office is in Porto"
    told = desk.merge()
    assert len(told.conflicts) == 1
    assert desk.texts() == ["The office is in Lisbon", "The office is in Porto"]


@pytest.mark.parametrize(
    ("value", "field"),
    [
        ({"id": "ID", "text": 5}, "text"),
        ({"id": "ID", "text": "x is y", "data": "general"}, "data"),
        ({"id": "ID", "text": "x is y", "created_at": "then"}, "created_at"),
        ({"id": "ID", "text": "x is y", "scope": "project:unknown"}, "scope"),
        ({"id": "ID", "text": "x is y", "scope": "place:0123"}, "scope"),
        ({"id": "ID", "text": ""}, "text"),
    ],
)
def test_a_bad_line_costs_only_itself(desk: Desk, value: dict[str, Any], field: str) -> None:
    fact, gone = desk.learn("The office is in Lisbon"), desk.learn("Tea is at five")
    desk.write()
    desk.lines = [{**value, "id": fact.id}, {"text": "The deploy needs sudo"}]

    told = desk.merge()

    (bad,) = told.problems
    assert (bad.file, bad.place, bad.record_id) == ("file.json", "item 1", fact.id)
    assert bad.problem.field == field
    assert desk.get(fact.id) == fact
    assert [one.id for one in told.deleted] == [gone.id]
    assert len(told.added) == 1


@pytest.mark.parametrize("value", ["text", 4, None, {"id": "../x", "text": "y is z"}, {"text": 1}])
def test_where_an_element_cant_be_told_nothing_counts_as_deleted(desk: Desk, value: object) -> None:
    fact = desk.learn("The office is in Lisbon")
    desk.write()
    desk.lines = [value]
    told = desk.merge()
    assert told.changes == ()
    assert told.held_back == (fact.id,)
    assert len(told.problems) == 1


def test_in_a_file_that_was_not_read_to_its_end_nothing_counts_as_deleted(desk: Desk) -> None:
    desk.learn("The office is in Lisbon")
    desk.write()
    desk.lines = []
    assert desk.edits(whole=()).is_empty
    assert not desk.edits().is_empty


@pytest.mark.requirement("M04")
def test_times_in_other_forms_are_no_change(desk: Desk) -> None:
    fact = desk.learn("The office is in Lisbon")
    desk.write()
    desk.line(fact.id)["created_at"] = "2026-05-02T18:10:00+02:00"
    assert desk.edits().is_empty
    desk.line(fact.id)["created_at"] = "2026-05-02T16:10:00"
    assert desk.edits().is_empty
    desk.line(fact.id)["created_at"] = "2025-05-02T16:10:00"
    (changed,) = desk.merge().changed
    assert changed.created_at == NOW.replace(year=2025)


def test_removed_times_and_order_are_no_change(desk: Desk) -> None:
    facts = [desk.learn("The office is in Lisbon"), desk.learn("Tea is at five")]
    desk.write()
    for line in desk.lines:
        del line["created_at"]
    desk.lines.reverse()
    assert desk.merge().changes == ()
    assert [desk.get(one.id) for one in facts] == facts


def test_a_line_that_lost_its_id_is_still_the_same_note() -> None:
    desk = Desk("note")
    note = desk.note("n_1", "Title", "A note")
    desk.write()
    del desk.lines[0]["id"]
    desk.lines[0]["data"]["title"] = "Another title"
    told = desk.merge()
    assert (told.added, told.deleted) == ((), ())
    assert desk.get(note.id).data["title"] == "Another title"


def test_a_fact_is_retired_and_brought_back_by_hand(desk: Desk) -> None:
    fact = desk.learn("The office is in Lisbon")
    desk.write()
    desk.line(fact.id)["valid_to"] = "2026-06-01"
    desk.merge()
    assert state(desk.get(fact.id)) == "superseded"
    desk.write()
    del desk.line(fact.id)["valid_to"]
    desk.merge()
    assert is_current(desk.get(fact.id))


def test_a_retired_fact_that_is_written_down_again_holds_again(desk: Desk) -> None:
    fact = desk.learn("The office is in Lisbon")
    desk.learn("The office is in Porto", replaces=fact.id)
    desk.write()
    desk.lines.append({"text": "The office is in Lisbon"})
    desk.drop(fact.id)
    desk.merge()
    assert is_current(desk.get(fact.id))
    assert desk.get(fact.id).superseded_by is None


def test_trust_and_confidence_can_be_lowered_by_hand(desk: Desk) -> None:
    fact = desk.learn("The office is in Lisbon")
    desk.write()
    desk.line(fact.id).update(trust="inferred", confidence=0.25)
    desk.merge()
    changed = desk.get(fact.id)
    assert (changed.trust, changed.confidence) == (Trust.INFERRED, 0.25)
    assert desk.merge().changes == ()


def test_unknown_fields_are_kept_aside_and_told(desk: Desk) -> None:
    fact = desk.learn("The office is in Lisbon")
    desk.write()
    desk.line(fact.id)["colour"] = "red"
    told = desk.merge()
    assert told.aside == (fact.id,)
    assert desk.get(fact.id).data["aside"] == {"colour": "red"}
    assert desk.merge().changes == ()


def test_tags_added_on_both_sides_are_joined(desk: Desk) -> None:
    fact = desk.learn("The office is in Lisbon", tags=("a", "b"))
    desk.write()
    desk.line(fact.id)["tags"] = ["b", "mine"]
    desk.learn("The office is in Lisbon", tags=("theirs",))
    told = desk.merge()
    assert told.conflicts == ()
    assert desk.get(fact.id).tags == ("b", "theirs", "mine")


def test_a_saved_fact_changed_on_both_sides_keeps_the_files_version_within() -> None:
    desk = Desk("saved_fact")
    fact = desk.remember("answer.style", "short")
    desk.write()
    desk.line(fact.id)["text"] = "long"
    desk.apply(replace(Fact("x", GLOBAL, "answer.style", "middling", desk.now)))

    (conflict,) = desk.merge().conflicts

    assert conflict.kept_as == fact.id
    assert desk.get(fact.id).text == "middling"
    assert desk.get(fact.id).data["conflicts"] == [{"text": "long"}]
    assert desk.merge().changes == ()


def test_a_saved_fact_whose_line_was_written_anew_is_the_same(desk: Desk) -> None:
    desk = Desk("saved_fact")
    fact = desk.remember("answer.style", "short")
    desk.write()
    desk.lines = [{"key": "answer.style", "text": "long"}]
    told = desk.merge()
    assert [one.id for one in told.changed] == [fact.id]
    assert desk.texts() == ["long"]


def test_a_key_that_is_taken_keeps_the_files_version_within_its_holder() -> None:
    desk = Desk("saved_fact")
    fact, other = desk.remember("style", "short"), desk.remember("tone", "warm")
    desk.write()
    desk.line(other.id)["key"] = "style"
    desk.lines.append({"key": "style", "text": "long"})
    told = desk.merge()
    assert {one.kept_as for one in told.conflicts} == {fact.id}
    assert kept_within(desk.all()) == {"warm", "long"}
    assert desk.texts() == ["short", "warm"]
    assert desk.merge().changes == ()


def test_the_key_of_a_deleted_line_can_be_taken_over() -> None:
    desk = Desk("saved_fact")
    fact, other = desk.remember("style", "short"), desk.remember("tone", "warm")
    desk.write()
    desk.drop(fact.id)
    desk.line(other.id)["key"] = "style"
    told = desk.merge()
    assert told.conflicts == ()
    assert [(one.id, one.key) for one in desk.all()] == [(other.id, "style")]


def test_a_full_scope_takes_no_more_and_tells_what_was_left() -> None:
    desk = Desk("saved_fact")
    for number in range(127):
        desk.remember(f"k{number}", "v")
    desk.write()
    desk.lines += [{"key": "a", "text": "one"}, {"key": "b", "text": "two"}]
    told = desk.merge()
    assert len(told.added) == 1
    assert len(told.problems) == 1
    assert "two" in told.problems[0].text or "one" in told.problems[0].text


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        ("profile", {"key": "company", "text": "ACME"}, {"field": "company"}),
        ("profile", {"key": "skills", "text": "Go"}, {"field": "skills"}),
        ("topic", {"data": {"name": "Green Tea"}, "text": "drinks"}, {"name": "Green Tea"}),
        ("work", {"data": {"name": "Web"}, "text": "a site"}, {"name": "Web", "status": "active"}),
        ("episode", {"text": "Moved the CI", "data": {"date": "2026-04-01"}}, {}),
        ("note", {"text": "A\nB", "data": {"title": "T"}}, {"title": "T"}),
        ("saved_fact", {"key": "k", "text": "v\r\nw"}, {}),
    ],
)
def test_every_kind_can_be_added_changed_and_deleted_by_hand(
    kind: str, value: dict[str, Any], expected: dict[str, Any]
) -> None:
    desk = Desk(kind)
    desk.lines = [value]
    (added,) = desk.merge().added
    assert {**added.data, **expected} == added.data
    assert desk.merge().changes == ()
    desk.write()
    desk.lines[0]["text"] = "Something else"
    (changed,) = desk.merge().changed
    assert (changed.id, changed.text, changed.trust) == (added.id, "Something else", Trust.USER)
    desk.write()
    desk.lines = []
    assert len(desk.merge().deleted) == 1
    desk.undo()
    desk.undo()
    desk.undo()
    assert desk.all() == []


def test_a_guess_does_not_replace_what_a_person_wrote_of_a_topic() -> None:
    from memoro.memory.topics import Mention, mention

    desk = Desk("topic")
    desk.apply(mention([Mention("Tea", NOW, "a drink", trust=Trust.INFERRED)]))
    desk.write()
    desk.lines[0]["text"] = "what we sell"
    desk.merge()
    later = desk.now + timedelta(days=1)
    desk.apply(mention([Mention("Tea", later, "a hobby", trust=Trust.INFERRED)]))
    assert desk.texts() == ["what we sell"]


@pytest.mark.parametrize("kind", ["project", "place", "proposal"])
def test_what_is_more_than_it_says_is_not_changed_in_a_file(kind: str) -> None:
    desk = Desk(kind)
    key = None if kind == "proposal" else "web"
    record = Record("p_1", kind, GLOBAL, key, "/a", NOW, NOW, data={"path": "/a"})
    desk.keep((None, record))
    desk.write()
    desk.lines[0]["text"] = "/b"
    assert len(desk.merge().problems) == 1
    desk.lines = []
    assert len(desk.merge().conflicts) == 1
    assert desk.all() == [record]


def test_several_kinds_are_merged_as_one_change(desk: Desk) -> None:
    desk.lines = [{"text": "Tea is at five"}]
    notes = edits_of(
        {}, [Item("notes.json", "1", {"text": "A", "data": {"title": "T"}})], ("note",), (), NOW
    )
    desk.merge(joined([desk.edits(), notes]))
    assert len(desk.last().records) == 2


def test_another_writers_change_within_the_same_instant_is_not_lost(desk: Desk) -> None:
    fact = desk.learn("The office is in Lisbon")
    desk.write()
    desk.line(fact.id)["text"] = "The office is in Porto"
    plan = merge_plan(desk.edits(), desk.now, desk.told.append)
    # The plan was made; it looks at the store only once it holds the lock.
    desk.learn("The office is in Braga", replaces=fact.id)
    desk.apply(plan)
    assert desk.texts(is_current) == ["The office is in Braga", "The office is in Porto"]


def test_nothing_to_merge_is_refused_and_told(desk: Desk) -> None:
    refusal = desk.store.apply(
        merge_plan(desk.edits(), NOW, desk.told.append), Origin("person", NOW)
    )
    assert isinstance(refusal, Refusal)
    assert refusal.reason is Reason.NOT_FOUND
    assert len(desk.told) == 1


def test_a_purge_of_many_is_not_read_again_for_each_line(desk: Desk) -> None:
    from time import perf_counter

    ids = [desk.learn(f"The number {n} is taken by team {n * 7}").id for n in range(60)]
    desk.write()
    desk.base = {}
    records = desk.all()
    desk.store.apply(lambda _: Removal("purge", records), Origin("person", desk.now))
    began = perf_counter()
    told = desk.merge()
    assert perf_counter() - began < 3
    assert {one.record_id for one in told.conflicts} == set(ids)
    assert desk.all() == []


_WORDS = ("tea", "office", "deploy", "branch", "server", "garden", "river", "window", "letter")
_sentences = st.tuples(
    st.sampled_from(_WORDS), st.sampled_from(["is", "needs", "has"]), st.integers(1, 60)
).map(lambda parts: f"The {parts[0]} {parts[1]} number {parts[2]}")
_person = st.one_of(
    st.tuples(st.just("edit"), st.integers(0, 7), _sentences),
    st.tuples(st.just("retire"), st.integers(0, 7), st.just("")),
    st.tuples(st.just("delete"), st.integers(0, 7), st.just("")),
    st.tuples(st.just("add"), st.just(0), _sentences),
    st.tuples(st.just("add with id"), st.integers(0, 3), _sentences),
    st.tuples(st.just("copy"), st.integers(0, 7), _sentences),
    st.tuples(st.just("tag"), st.integers(0, 7), st.just("mine")),
    st.tuples(st.just("break"), st.integers(0, 7), st.just("")),
)
_program = st.one_of(
    st.tuples(st.just("learn"), st.just(0), _sentences),
    st.tuples(st.just("correct"), st.integers(0, 7), _sentences),
    st.tuples(st.just("again"), st.integers(0, 7), st.just("")),
    st.tuples(st.just("take away"), st.integers(0, 7), st.just("")),
    st.tuples(st.just("archive"), st.integers(0, 7), st.just("")),
)


def _person_does(desk: Desk, step: tuple[str, int, str]) -> None:
    what, number, text = step
    if what == "add":
        desk.lines.append({"text": text})
    elif what == "add with id":
        desk.lines.append({"id": f"mine{number}", "text": text})
    elif desk.lines:
        place = number % len(desk.lines)
        line = desk.lines[place]
        if what == "edit":
            line["text"] = text
        elif what == "retire":
            line["valid_to"] = "2026-06-01T00:00:00Z"
        elif what == "delete":
            del desk.lines[place]
        elif what == "copy":
            desk.lines.insert(0, {**line, "text": text})
        elif what == "tag":
            line["tags"] = [*line.get("tags", []), text]
        elif what == "break":
            line["confidence"] = "much"


def _program_does(desk: Desk, step: tuple[str, int, str]) -> None:
    what, number, text = step
    known = [one for one in desk.all() if is_current(one)]
    if what == "learn":
        desk.learn(text)
    elif known:
        one = known[number % len(known)]
        if what == "correct":
            desk.learn(text, replaces=one.id)
        elif what == "again":
            desk.learn(one.text)
        elif what == "take away":
            desk.keep((one, None))
        elif what == "archive":
            data = {**one.data, "archived": desk.now.isoformat()}
            desk.keep((one, one._replace(data=data, revision=one.revision + 1)))


@pytest.mark.requirement("M04", "M07")
@settings(max_examples=200, deadline=None)
@given(
    st.lists(_sentences, max_size=6, unique=True),
    st.lists(_person, max_size=6),
    st.lists(_program, max_size=6),
    st.booleans(),
)
def test_of_any_edits_on_both_sides_nothing_is_lost(
    first: list[str], person: list[Any], program: list[Any], program_first: bool
) -> None:
    desk = Desk()
    for text in first:
        desk.learn(text)
    desk.write()
    if program_first:
        for step in program:
            _program_does(desk, step)
    for step in person:
        _person_does(desk, step)
    if not program_first:
        for step in program:
            _program_does(desk, step)
    before = {one.id: one for one in desk.all()}
    file = {entry.read.record.text for entry in desk.edits().altered}

    told = desk.merge()

    # Of the file: every text that the person touched stands, or is told with a bad line.
    assert file <= {one.text for one in desk.all()}
    broken = " ".join(bad.text for bad in told.problems)
    assert all(line["text"] in broken for line in desk.lines if line.get("confidence") == "much")
    # Of the store: every text stands, or the person deleted or reworded it, and the log tells.
    deleted = {one.id for one in told.deleted}
    in_file = {line.get("id") for line in desk.lines}
    for record_id, record in before.items():
        now = desk.store.get(record_id)
        assert now is not None or (record_id in deleted and record_id not in in_file)
        assert record.text in desk.ever()
        if now is not None and now.text != record.text:
            assert record_id in in_file
            assert now.text in file
    # No current fact stands twice, and merging the same again changes nothing.
    current = [one.text for one in desk.all() if is_current(one)]
    assert len(current) == len(set(current))
    assert desk.merge().changes == ()
    desk.write()
    assert desk.edits().is_empty


_saved = st.one_of(
    st.tuples(st.just("edit"), st.integers(0, 5), _sentences),
    st.tuples(st.just("rename"), st.integers(0, 5), st.sampled_from("abcd")),
    st.tuples(st.just("delete"), st.integers(0, 5), st.just("")),
    st.tuples(st.just("add a"), st.just(0), _sentences),
    st.tuples(st.just("add e"), st.just(0), _sentences),
    st.tuples(st.just("lose id"), st.integers(0, 5), st.just("")),
    st.tuples(st.just("copy"), st.integers(0, 5), _sentences),
)


def _saves(desk: Desk, step: tuple[str, int, str]) -> None:
    what, number, text = step
    if what.startswith("add"):
        desk.lines.append({"key": what[-1], "text": text})
    elif desk.lines:
        place = number % len(desk.lines)
        line = desk.lines[place]
        if what == "edit":
            line["text"] = text
        elif what == "rename":
            line["key"] = text
        elif what == "delete":
            del desk.lines[place]
        elif what == "lose id":
            line.pop("id", None)
        else:
            desk.lines.append({**line, "text": text})


@pytest.mark.requirement("M04", "M07")
@settings(max_examples=200, deadline=None)
@given(
    st.lists(_sentences, max_size=3, unique=True),
    st.lists(_saved, max_size=6),
    st.lists(st.tuples(st.sampled_from("abcde"), _sentences), max_size=3),
)
def test_where_keys_are_unique_nothing_is_lost_either(
    first: list[str], person: list[Any], program: list[tuple[str, str]]
) -> None:
    desk = Desk("saved_fact")
    for key, text in zip("abc", first, strict=False):
        desk.remember(key, f"{text}!")
    desk.write()
    for step in person:
        _saves(desk, step)
    for key, text in program:
        known = {one.key for one in desk.all()}
        fact = Fact(f"f_{key}2", GLOBAL, key, text, desk.now)
        desk.apply(replace(fact) if key in known else remember(fact))
    before = {one.text for one in desk.all()}
    # Where the person only renamed a key, or lost an ID, the text is as the store has it.
    file = {entry.read.record.text for entry in desk.edits().altered} - {f"{t}!" for t in first}

    told = desk.merge()

    assert told.problems == ()
    assert file <= {one.text for one in desk.all()} | kept_within(desk.all())
    assert before <= desk.ever() | kept_within(desk.all())
    assert desk.merge().changes == ()
    desk.write()
    assert desk.edits().is_empty


@settings(max_examples=60, deadline=None)
@given(st.lists(_sentences, min_size=1, max_size=6, unique=True), st.lists(_person, max_size=6))
def test_undo_takes_a_merge_back_whole(first: list[str], person: list[Any]) -> None:
    desk = Desk()
    for text in first:
        desk.learn(text)
    desk.write()
    before = desk.all()
    for step in person:
        _person_does(desk, step)
    if desk.merge().changes:
        desk.undo()
    changed = [one._replace(revision=0, updated_at=NOW) for one in desk.all()]
    assert changed == [one._replace(revision=0, updated_at=NOW) for one in before]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(_sentences, max_size=5, unique=True),
    st.lists(_person, max_size=5),
    st.lists(_program, max_size=4),
    st.randoms(use_true_random=False),
)
def test_the_order_of_the_lines_makes_no_difference_to_the_texts(
    first: list[str], person: list[Any], program: list[Any], chance: Any
) -> None:
    desks = [Desk(), Desk()]
    for desk in desks:
        for text in first:
            desk.learn(text)
        desk.write()
        for step in person:
            if step[0] != "copy":
                _person_does(desk, step)
        for step in program:
            _program_does(desk, step)
    ids = [line.get("id") for line in desks[0].lines]
    chance.shuffle(desks[1].lines)
    for desk in desks:
        desk.merge()
    if len(ids) == len(set(ids)):
        assert desks[0].all() == desks[1].all()


@pytest.mark.parametrize("count", [3_000])
def test_comparing_many_untouched_lines_is_quick(count: int) -> None:
    from time import perf_counter

    from memoro.memory.plain.form import digest_of, to_plain

    records = [
        Record(f"f{n}", "fact", GLOBAL, None, f"fact {n}", NOW, NOW + n * SECOND)
        for n in range(count)
    ]
    base = {one.id: Written(digest_of(one), "f") for one in records}
    items = [Item("f", str(n), to_plain(one, counters=False)) for n, one in enumerate(records)]
    began = perf_counter()
    assert edits_of(base, items, ("fact",), ("f",), datetime.now(NOW.tzinfo)).is_empty
    assert perf_counter() - began < 1

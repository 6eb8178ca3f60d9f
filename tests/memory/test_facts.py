"""Learning facts: new, seen again, replaced, set aside, archived, restored."""

from __future__ import annotations

import unicodedata
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoro.errors import Reason, Refusal
from memoro.memory.facts.archive import compact, restore
from memoro.memory.facts.categories import CATEGORIES, category_of
from memoro.memory.facts.learn import Limits, learn
from memoro.memory.facts.statement import MAX_FACT_BYTES, Statement, fact_id, record_of, state
from memoro.memory.records import GLOBAL, Trust, project_scope
from memoro.memory.standing import as_it_stood
from memoro.memory.store import Change, ChangeSet, Origin
from memory.facts_world import DAY, NOW, World


@pytest.fixture
def world() -> World:
    return World()


@pytest.mark.requirement("F01")
def test_a_fact_is_known_by_its_content_and_scope() -> None:
    assert fact_id(GLOBAL, "CI needs Go 1.23") == fact_id(GLOBAL, "  ci needs  go 1.23 ")
    assert fact_id(GLOBAL, "CI needs Go 1.23") != fact_id(project_scope("a"), "CI needs Go 1.23")
    assert fact_id(GLOBAL, "CI needs Go 1.23") != fact_id(GLOBAL, "CI needs Go 1.24")
    assert len(fact_id(GLOBAL, "x")) == 24


@pytest.mark.requirement("F01", "F05")
@pytest.mark.parametrize(
    "again",
    [
        "The deploy script needs sudo",
        "The deploy script needs sudo ",
        "The  deploy script\tneeds sudo",
        "the DEPLOY script needs Sudo",
        "The deploy script needs sudo.",
        "The deploy\u00a0script needs sudo",
        "The deploy script needs\u200b sudo",
    ],
)
def test_the_same_content_twice_is_one_fact(world: World, again: str) -> None:
    first = world.learn("The deploy script needs sudo").records[0].record_id

    change = world.learn(again)

    assert change.action == "learn again"
    (fact,) = world.everything()
    assert (fact.id, fact.accesses, fact.confidence) == (first, 2, 0.95)


@pytest.mark.requirement("F01")
def test_normal_forms_are_one_fact(world: World) -> None:
    text = "O café da manhã é às 8 h"
    world.learn(unicodedata.normalize("NFC", text))
    world.learn(unicodedata.normalize("NFD", text))
    assert len(world.everything()) == 1


@pytest.mark.requirement("F02")
def test_categories_are_these_and_others_are_refused(world: World) -> None:
    for name in CATEGORIES:
        world.learn(f"a fact about the {name} of things number {name}", category=name)
    refusal = world.refused(learn(Statement("x is y", GLOBAL, NOW, category="gossip"), Limits(NOW)))
    assert refusal.reason is Reason.USAGE
    assert refusal.fix == (
        "one of: architecture, pattern, preference, gotcha, project, personal, lesson, general"
    )


@pytest.mark.requirement("F02")
@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("Prefers tabs over spaces", "preference"),
        ("Prefere respostas curtas", "preference"),
        ("Beware: the test suite hangs without a TTY", "gotcha"),
        ("The user lives in Porto", "personal"),
        ("The billing service has its own database", "architecture"),
        ("The release deadline is in June", "project"),
        ("Lesson learned: never deploy on Fridays", "lesson"),
        ("A lição que aprendemos com a queda", "lesson"),
        ("The sky is blue", "general"),
        ("The config lives in settings.toml", "general"),
        ("The linter prefers double quotes", "general"),
        ("Mora em Lisboa", "personal"),
        ("My birthday is in May", "personal"),
        ("The container restarted", "general"),
        ("用户住在里昂", "general"),
    ],
)
def test_the_category_is_found_by_whole_words(text: str, category: str) -> None:
    assert category_of(text) == category


@pytest.mark.requirement("F04")
def test_confidence_follows_provenance(world: World) -> None:
    world.learn("The office is on the third floor")
    world.learn("Lunch is at noon", trust=Trust.INFERRED, provenance="tool")
    world.guess("The printer is in the cellar")
    wrong = world.learn("The wifi is called blue")
    world.learn(
        "The wifi is called green", replaces=wrong.records[0].record_id, provenance="corrected"
    )
    assert world.fact("The office is on the third floor").confidence == 0.9
    assert world.fact("Lunch is at noon").confidence == 0.9
    assert world.fact("The printer is in the cellar").confidence == 0.6
    assert world.fact("The wifi is called green").confidence == 1.0
    assert world.current() >= {"The wifi is called green"}
    assert world.past() == {"The wifi is called blue"}


@pytest.mark.requirement("F04")
def test_seen_again_is_surer_and_never_beyond_one(world: World) -> None:
    for _ in range(12):
        world.guess("The printer is in the cellar")
    fact = world.fact("The printer is in the cellar")
    assert (fact.confidence, fact.accesses) == (1.0, 12)


@pytest.mark.requirement("F05")
def test_a_rephrasing_reinforces_what_is_there(world: World) -> None:
    world.learn("User prefers tabs")
    change = world.learn("The user likes tabs better")
    assert change.action == "learn again"
    (fact,) = world.everything()
    assert (fact.text, fact.accesses) == ("User prefers tabs", 2)


@pytest.mark.requirement("F06", "F07")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The project uses Postgres 15", "The project uses Postgres 16"),
        ("Prefers tabs over spaces", "Prefers spaces over tabs"),
        (
            "Always runs the linter before a commit",
            "Does not always run the linter before a commit",
        ),
        ("The API timeout is 30 s", "The API timeout is 30 ms"),
        ("The user lives in Porto", "The user moved from Porto to Lyon"),
        ("CI needs Go 1.22", "CI needs Go 1.23"),
    ],
)
def test_an_update_supersedes(world: World, old: str, new: str) -> None:
    world.learn(old)
    said = world.now
    change = world.learn(new)

    assert change.action == "update"
    assert (world.current(), world.past()) == ({new}, {old})
    before, after = world.fact(old), world.fact(new)
    assert (before.superseded_by, before.valid_to) == (after.id, said)
    assert before.data["why"]


@pytest.mark.requirement("F07")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Prefers tabs in Go", "Prefers tabs in Python"),
        ("The staging database is Postgres 15", "The production database is Postgres 16"),
        ("Likes pizza", "Likes sushi"),
        ("Knows C", "Knows C++"),
    ],
)
def test_two_facts_stay_two(world: World, one: str, other: str) -> None:
    world.learn(one)
    world.learn(other)
    assert world.current() == {one, other}


@pytest.mark.requirement("F06", "Z01")
def test_a_weak_guess_never_replaces_a_strong_fact(world: World) -> None:
    world.guess("The user lives in Porto")
    world.guess("The user moved from Porto to Lyon and lives in Lyon since May 2026.")
    change = world.guess("The user may live in Madrid.")

    assert change.action == "set aside"
    assert len(world.current()) == 1
    assert "Lyon" in next(iter(world.current()))
    assert len(world.everything()) == 3
    assert world.fact("The user may live in Madrid.").superseded_by is not None


@pytest.mark.requirement("F06")
def test_a_guess_becomes_certain_when_it_is_said_plainly(world: World) -> None:
    world.learn("The build may be flaky")
    change = world.learn("The build is flaky")
    assert change.action == "update"
    assert world.current() == {"The build is flaky"}
    assert world.learn("The build may be flaky").action in ("learn again", "set aside")
    assert world.current() == {"The build is flaky"}


@pytest.mark.requirement("F06")
def test_having_been_seen_often_makes_a_fact_no_harder_to_correct(world: World) -> None:
    for _ in range(10):
        world.learn("The user lives in Porto")
    world.learn("The user lives in Lyon")
    assert world.current() == {"The user lives in Lyon"}


@pytest.mark.requirement("Z01", "F06")
@pytest.mark.parametrize("trust", [Trust.READ, Trust.INFERRED, Trust.APPROVED])
def test_no_lower_rank_replaces_what_the_user_said(world: World, trust: Trust) -> None:
    world.learn("The user lives in Porto")
    for _ in range(5):
        world.learn("The user lives in Lyon", trust=trust, provenance="tool")
    assert world.current() == {"The user lives in Porto"}


@pytest.mark.requirement("Z01")
@pytest.mark.parametrize("said", ["The user lives in Porto", "The user resides in Porto"])
def test_a_guess_that_repeats_the_user_has_not_their_rank(world: World, said: str) -> None:
    homes = [
        record_of(Statement(f"The user lives in {place}", GLOBAL, NOW), NOW)
        for place in ("Porto", "Lyon")
    ]
    world.apply(lambda _: ChangeSet("import", [Change(None, one) for one in homes]))
    world.now += DAY
    world.guess(said)
    assert world.current() == {"The user lives in Porto", "The user lives in Lyon"}
    world.learn("The user lives in Porto")
    assert world.current() == {"The user lives in Porto"}


@pytest.mark.requirement("Z01")
def test_the_users_word_replaces_what_was_inferred(world: World) -> None:
    for _ in range(10):
        world.guess("The user lives in Porto")
    world.learn("The user lives in Lyon")
    assert world.current() == {"The user lives in Lyon"}


@pytest.mark.requirement("Z01")
def test_seen_again_by_a_model_a_fact_stays_the_users(world: World) -> None:
    world.learn("The user lives in Porto")
    world.guess("The user lives in Porto")
    assert world.fact("The user lives in Porto").trust == Trust.USER


@pytest.mark.requirement("F06", "E02")
def test_older_news_that_come_late_replace_nothing(world: World) -> None:
    world.guess("The user lives in Lyon", at=NOW)
    change = world.guess("The user lives in Porto", at=NOW - 30 * DAY)

    assert change.action == "set aside"
    assert world.current() == {"The user lives in Lyon"}
    old = world.fact("The user lives in Porto")
    assert (old.valid_from, old.valid_to) == (NOW - 30 * DAY, NOW)


@pytest.mark.requirement("E02")
def test_a_fact_has_the_time_of_its_conversation_and_that_of_its_learning(world: World) -> None:
    world.guess("The user lives in Porto", at=NOW - 30 * DAY)
    fact = world.fact("The user lives in Porto")
    assert (fact.valid_from, fact.created_at) == (NOW - 30 * DAY, NOW)


@pytest.mark.requirement("F08")
def test_what_holds_again_keeps_when_it_held_before(world: World) -> None:
    world.learn("The user lives in Porto", at=NOW)
    world.learn("The user lives in Lyon", at=NOW + 10 * DAY)
    world.learn("The user lives in Porto", at=NOW + 20 * DAY)

    assert world.current() == {"The user lives in Porto"}
    fact = world.fact("The user lives in Porto")
    assert fact.valid_from == NOW + 20 * DAY
    assert fact.data["held"] == [[NOW.isoformat(), (NOW + 10 * DAY).isoformat()]]


@pytest.mark.requirement("F08", "Z03")
def test_undo_takes_an_update_back_whole(world: World) -> None:
    world.learn("The user lives in Porto")
    world.learn("The user lives in Lyon")
    world.undo()
    assert (world.current(), world.past()) == ({"The user lives in Porto"}, set())
    world.undo()
    assert world.everything() == []


@pytest.mark.requirement("F08", "E06")
def test_a_fact_as_it_stood(world: World) -> None:
    world.learn("The user lives in Porto")
    then = world.now
    world.now += 10 * DAY
    world.learn("The user lives in Lyon")
    porto, lyon = world.fact("The user lives in Porto"), world.fact("The user lives in Lyon")

    assert as_it_stood(world.store, lyon, then) is None
    stood = as_it_stood(world.store, porto, then)
    assert stood is not None and state(stood) == "current"
    now = as_it_stood(world.store, porto, world.now)
    assert now is not None and state(now) == "superseded"


@pytest.mark.requirement("F09")
def test_the_faded_go_to_the_archive_and_come_back(world: World) -> None:
    world.guess("The printer is in the cellar")
    world.now += 200 * DAY
    change = world.learn("Lunch is at noon")

    assert world.current() == {"Lunch is at noon"}
    put_away = change.records[1].after
    assert put_away is not None and state(put_away) == "archived"
    assert put_away.data["why"] == "faded"

    world.apply(restore(put_away.id, world.now))
    assert world.current() == {"Lunch is at noon", "The printer is in the cellar"}
    world.learn("Dinner is at eight")
    assert len(world.current()) == 3


@pytest.mark.requirement("F09")
def test_compaction_archives_what_has_faded_as_one_change(world: World) -> None:
    for number in range(5):
        world.guess(f"Room {number} has {number + 3} chairs")
    world.now += 200 * DAY
    assert world.refused(compact([GLOBAL], NOW, 500)).reason is Reason.NOT_FOUND

    world.apply(compact([GLOBAL], world.now, 500))
    assert world.current() == set()
    assert len(world.past()) == 5
    world.undo()
    assert len(world.current()) == 5


@pytest.mark.requirement("F09")
def test_an_archived_fact_that_is_said_again_is_back(world: World) -> None:
    world.guess("The printer is in the cellar")
    world.now += 200 * DAY
    world.apply(compact([GLOBAL], world.now, 500))
    world.guess("The printer is in the cellar")
    assert world.current() == {"The printer is in the cellar"}
    assert "archived" not in world.fact("The printer is in the cellar").data


@pytest.mark.requirement("F14")
def test_the_cap_archives_the_weakest() -> None:
    world = World(max_facts=5)
    names = ["anchor", "bucket", "candle", "drawer", "engine", "funnel", "garlic"]
    for name in names[:5]:
        world.guess(f"The {name} is blue")
    world.guess("The anchor is blue")
    for name in names[5:]:
        change = world.guess(f"The {name} is blue")
        assert "weakest, beyond 5" in str(change.records[1].after)

    assert len(world.current()) == 5
    assert world.past() == {"The bucket is blue", "The candle is blue"}


@pytest.mark.requirement("F14")
def test_a_scope_is_not_filled_by_another() -> None:
    world = World(max_facts=2)
    for scope in (GLOBAL, project_scope("a"), project_scope("b")):
        world.learn("The anchor is blue", scope=scope)
        world.learn("The bucket is red", scope=scope)
    assert len([one for one in world.everything() if state(one) == "current"]) == 6


@pytest.mark.requirement("F08")
def test_restoring_what_was_replaced_makes_its_follower_give_way(world: World) -> None:
    world.learn("The user lives in Porto")
    world.learn("The user lives in Lyon")
    world.apply(restore(world.fact("The user lives in Porto").id, world.now))
    assert world.current() == {"The user lives in Porto"}
    assert world.past() == {"The user lives in Lyon"}
    refusal = world.refused(restore(world.fact("The user lives in Porto").id, world.now))
    assert refusal.reason is Reason.CONFLICT
    assert world.refused(restore("nothing", world.now)).reason is Reason.NOT_FOUND


@pytest.mark.requirement("F04", "Z01")
def test_only_the_user_corrects_what_the_user_said(world: World) -> None:
    wrong = world.learn("The wifi is called blue").records[0].record_id
    said = Statement(
        "The wifi is called green", GLOBAL, world.now, Trust.INFERRED, "corrected", replaces=wrong
    )
    assert world.refused(learn(said, Limits(world.now))).reason is Reason.CONFLICT


@pytest.mark.requirement("F11")
def test_tags_are_folded_and_joined(world: World) -> None:
    world.learn("The deploy script needs sudo", tags=("Deploy", "ops", "deploy", "  "))
    world.learn("The deploy script needs sudo", tags=("Équipe",))
    assert world.fact("The deploy script needs sudo").tags == ("deploy", "ops", "équipe")


@pytest.mark.parametrize("text", ["", "   ", "\n", "\u200b", "\u2060\ufeff", "\u3164"])
def test_nothing_visible_is_no_fact(world: World, text: str) -> None:
    refusal = world.refused(learn(Statement(text, GLOBAL, NOW), Limits(NOW)))
    assert refusal.reason is Reason.USAGE


@pytest.mark.parametrize("text", ["a\0b", "a\x07b", "a\x1b[31mb", "a\x7fb", "a\x9fb", "\ud800"])
def test_what_is_not_text_is_refused(world: World, text: str) -> None:
    refusal = world.refused(learn(Statement(text, GLOBAL, NOW), Limits(NOW)))
    assert refusal.reason is Reason.USAGE


def test_a_long_fact_is_kept_whole_and_a_too_long_one_refused(world: World) -> None:
    long = "The list of words is " + "漢字 " * 3_300
    world.learn(long)
    assert world.everything()[0].text == long.strip()
    huge = Statement("x" * (MAX_FACT_BYTES + 1), GLOBAL, NOW)
    assert world.refused(learn(huge, Limits(NOW))).reason is Reason.TOO_LARGE


def test_lines_and_spaces_become_one_line(world: World) -> None:
    world.learn(" one\n two\u2028three\t four ")
    assert world.current() == {"one two three four"}


_TEXTS = st.sampled_from(
    [
        "The user lives in Porto",
        "The user lives in Lyon",
        "The user moved to Madrid",
        "The project uses Postgres 15",
        "The project uses Postgres 16",
        "Prefers tabs over spaces",
        "Prefers spaces over tabs",
        "Likes pizza",
        "Likes sushi",
        "CI needs Go 1.22",
        "CI needs Go 1.23",
        "用户住在里昂",
        "Sempre usa o linter",
        "Nunca usa o linter",
    ]
)
_STEPS = st.lists(
    st.tuples(_TEXTS, st.sampled_from([Trust.READ, Trust.INFERRED, Trust.USER])), max_size=12
)


@pytest.mark.requirement("F08", "Z01")
@settings(max_examples=60, deadline=None)
@given(_STEPS)
def test_nothing_is_ever_in_neither_the_current_nor_the_past(
    steps: list[tuple[str, Trust]],
) -> None:
    world = World()
    said: set[str] = set()
    by_user: set[str] = set()
    for text, trust in steps:
        current = world.current()
        change = world.learn(text, trust=trust, provenance="told" if trust > 2 else "extracted")
        said.add(text)
        if trust == Trust.USER:
            by_user.add(text)
        else:
            displaced = current - world.current()
            users = {one.text for one in world.everything() if one.trust == Trust.USER}
            assert not displaced & users, change
        stored = {one.text for one in world.everything()}
        assert world.current() | world.past() == stored
        assert not world.current() & world.past()
        # A rephrasing is not a fact of its own.
        assert stored <= said


@settings(max_examples=40, deadline=None)
@given(_STEPS)
def test_learning_twice_equals_once(steps: list[tuple[str, Trust]]) -> None:
    world = World()
    for text, trust in steps:
        world.learn(text, trust=trust)
        once = world.current()
        world.learn(text, trust=trust)
        assert world.current() == once


@settings(max_examples=30, deadline=None)
@given(
    st.permutations(
        [
            "The user lives in Porto",
            "The project uses Postgres 15",
            "Prefers tabs over spaces",
            "Likes pizza",
            "The office has a blue door",
            "Lunch is at noon",
        ]
    )
)
def test_the_order_of_independent_facts_does_not_matter(texts: list[str]) -> None:
    world = World()
    for text in texts:
        world.learn(text)
    assert world.current() == set(texts)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=80))
def test_any_text_is_kept_or_refused(text: str) -> None:
    world = World()
    plan = learn(Statement(text, GLOBAL, NOW), Limits(NOW))
    applied = world.store.apply(plan, Origin("test", NOW))
    assert len(world.everything()) == (0 if isinstance(applied, Refusal) else 1)


def test_leap_days_and_clock_changes_are_instants(world: World) -> None:
    leap = NOW.replace(year=2028, month=2, day=29)
    world.learn("The user lives in Porto", at=leap - timedelta(days=366))
    world.learn("The user lives in Lyon", at=leap)
    assert world.fact("The user lives in Porto").valid_to == leap

"""Ranking: what each signal does, and what is kept out, over an index in memory."""

from __future__ import annotations

from datetime import timedelta
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoro.memory.recall.asked import WEIGHTS, Ranked, Rankings
from memoro.memory.recall.candidates import latest
from memoro.memory.recall.finding import Unit, to_micros
from memoro.memory.recall.pieces import pieces_of
from memoro.memory.recall.ranking import above, rank_groups, rank_turns
from memoro.memory.recall.settling import Settled, settle
from memoro.memory.recall.vectors import quantised
from memoro.memory.recall.words import query_terms
from memoro.memory.records import FACT, GLOBAL, Record, Trust

from .recall_world import NOW, Index, asked, records, turns

pytestmark = pytest.mark.requirement("R01")

DAY = timedelta(days=1)
FILLER = [f"The {thing} stood in the garden" for thing in ("lamp", "chair", "piano", "bucket")]


def filled(vectors: dict[str, bytes] | None = None) -> Index:
    """An index with some talk about nothing."""
    index = Index(vectors)
    index.talk("filler", *FILLER)
    return index


def test_the_text_with_more_of_the_words_is_first() -> None:
    index = filled()
    a, b, c = index.talk("s", "the roof leaks", ("the kiosk", {"after": 90}), "the roof is green")
    found = turns(index, "green roof")
    assert list(found)[:2] == [c, a]
    assert b not in found or found[b].reasons["words"] == 0


def test_a_word_that_no_text_has_counts_too() -> None:
    """So that a score means the same in every store."""
    index = filled()
    (a,) = index.talk("s", "the roof is green")
    scores = [turns(index, f"green roof {more}")[a].score for more in ("", "plugh", "plugh xyzzy")]
    assert scores == sorted(scores, reverse=True)
    assert scores[2] < 0.7 * scores[0]


def test_what_stands_beside_counts_and_what_is_an_hour_later_does_not() -> None:
    index = filled()
    near, _ = index.talk("near", "about the roof", "it is green")
    far, _ = index.talk("far", "about the roof", ("it is green", {"after": 61}))
    two, *_ = index.talk("two", "about the roof", "well", "it is green")
    found = turns(index, "green roof")
    around = [found[turn].reasons["around"] for turn in (near, two, far)]
    assert around[0] > around[1] > around[2] > 0
    assert found[near].reasons["words"] == found[far].reasons["words"]


def test_nothing_is_beside_across_sessions() -> None:
    index = Index()
    alone = index.talk("a", "about the roof")
    index.talk("b", "it is green")
    found = turns(index, "green roof")
    assert found[alone[0]].reasons["around"] == found[alone[0]].reasons["words"]


def test_a_session_that_is_about_it_lifts_its_turns() -> None:
    index = filled()
    (apart,) = index.talk("apart", "about the roof")
    about = index.talk(
        "about", "about the roof", *(("the roof is green", {"after": 70}) for _ in range(3))
    )
    found = turns(index, "green roof")
    assert found[about[0]].reasons["words"] == found[apart].reasons["words"]
    assert found[about[0]].reasons["session"] > found[apart].reasons["session"]
    assert found[about[0]].score > found[apart].score


def test_what_follows_a_question_answers_it() -> None:
    index = filled()
    _, answer = index.talk("a", "What colour has the roof?", "A dark one")
    _, remark = index.talk("b", "The colour of the roof.", "A dark one")
    _, late = index.talk("c", "What colour has the roof?", ("A dark one", {"after": 61}))
    found = turns(index, "Which colour does the roof have?")
    assert found[answer].reasons["answers"] > 0
    assert found[remark].reasons["answers"] == 0
    assert late not in found or found[late].reasons["answers"] == 0
    assert found[answer].score > found[remark].score


def test_the_speaker_who_is_named_goes_first() -> None:
    index = filled()
    ana, bob = index.talk(
        "s",
        ("I painted the roof", {"speaker": "Ana"}),
        ("I painted the roof", {"speaker": "Bob", "after": 90}),
    )
    assert next(iter(turns(index, "Did Ana paint the roof?"))) == ana
    found = turns(index, "Did Bob paint the roof?")
    assert next(iter(found)) == bob
    assert (found[bob].reasons["speaker"], "speaker" in found[ana].reasons) == (0.2, False)
    both = turns(index, "Did Ana or Bob paint the roof?")
    assert not any("speaker" in one.reasons for one in both.values())


def test_what_the_assistant_said_stands_back_unless_it_is_asked_for() -> None:
    index = filled()
    user, assistant = index.talk(
        "s", "try the blue kiosk", ("try the blue kiosk", {"role": "assistant", "after": 90})
    )
    (named,) = index.talk(
        "t", ("try the blue kiosk", {"role": "assistant", "speaker": "Ana", "after": 90})
    )
    found = turns(index, "the blue kiosk")
    assert found[user].score > found[assistant].score
    assert found[assistant].reasons["assistant"] == WEIGHTS.assistant < 0
    assert "assistant" not in found[named].reasons
    found = turns(index, "Which kiosk did you recommend, the blue one?")
    assert "assistant" not in found[assistant].reasons


@pytest.mark.requirement("E05")
@pytest.mark.parametrize(
    ("question", "day"),
    [
        ("What about the roof yesterday?", NOW - DAY),
        ("What about the roof on 12 March 2026?", NOW.replace(month=3, day=12)),
        ("What about the roof in March 2026?", NOW.replace(month=3, day=20)),
        ("What about the roof two weeks ago?", NOW - 14 * DAY),
    ],
)
def test_the_day_that_is_named_goes_first(question: str, day: Any) -> None:
    index = filled()
    for month in (1, 2, 6, 7):
        index.talk(f"other {month}", "the roof was mended", at=NOW.replace(year=2025, month=month))
    (there,) = index.talk("there", "the roof was mended", at=day)
    found = turns(index, question)
    assert next(iter(found)) == there
    assert found[there].reasons["date"] > 0
    assert "date" not in turns(index, "What about the roof?")[there].reasons


def test_a_question_for_a_time_or_a_number_goes_to_what_has_one() -> None:
    index = filled()
    plain, timed, counted = index.talk(
        "s",
        ("the roof was mended", {"after": 90}),
        ("the roof was mended last Tuesday", {"after": 90}),
        ("the roof was mended 14 times", {"after": 90}),
    )
    assert "time" in turns(index, "When was the roof mended?")[timed].reasons
    assert "time" not in turns(index, "When was the roof mended?")[plain].reasons
    found = turns(index, "How many times was the roof mended?")
    assert "number" in found[counted].reasons
    assert "number" not in found[plain].reasons


def test_meaning_finds_what_no_word_does_and_its_lack_costs_nothing() -> None:
    row, near, far = (quantised(one) for one in ([1.0, 0.0], [0.9, 0.1], [-0.2, 1.0]))
    vectors = {"a feline slept": near, "the stock fell": far}
    index = filled(vectors)
    cat, stock, bare = index.talk("s", *vectors, "the purring never stopped")
    found = turns(index, "purring cat", row=row, by_meaning=True)
    assert found[cat].reasons["meaning"] > found[stock].reasons["meaning"]
    assert found[bare].reasons["meaning"] == 0
    assert found[bare].reasons["words"] == turns(index, "purring cat")[bare].reasons["words"] > 0
    assert cat in turns(index, "kitten nap", row=row)
    assert cat not in turns(index, "kitten nap")


def test_what_is_near_in_meaning_is_looked_at_among_many_that_share_a_word() -> None:
    vectors = {"a feline slept": quantised([1.0, 0.0])}
    index = Index(vectors)
    for number in range(400):
        index.talk(f"s{number}", "well, in the garden", "was it there, in the garden?")
    (cat,) = index.talk("cat", *vectors)
    row = quantised([1.0, 0.0])
    assert cat in turns(index, "a kitten in the garden", row=row, by_meaning=True)
    assert cat in turns(index, "kitten pets gardens cats purr", row=row)


def test_more_words_find_and_take_nothing_away() -> None:
    index = filled()
    said, other = index.talk("s", "the roof is green", ("slates and tiles", {"after": 90}))
    alone = turns(index, "green roof")[said]
    both = turns(index, "green roof", more="slates tiles")
    assert both[said].reasons["words"] == pytest.approx(alone.reasons["words"])
    assert both[said].score > both[other].score > 0


@pytest.mark.requirement("Z10")
def test_nonsense_is_under_the_floor() -> None:
    index = filled()
    index.talk("s", "the roof is green", "the door is blue", "Tom painted both")
    for nonsense in ("plugh xyzzy", "qwertz uiop asdf", "🜚🜛", "", "   ", "?!*"):
        assert above(list(turns(index, nonsense).values()), 0.25) == []


def test_the_floor_looks_at_the_best_and_the_share_at_the_others() -> None:
    unit = Unit(1, "a", "turn", GLOBAL, 0)
    ranked = [Ranked(unit._replace(id=n), score, {}) for n, score in enumerate((0.6, 0.3, 0.29))]
    assert above(ranked, 0.25) == ranked[:2]
    assert above(ranked, 0.6) == ranked[:2]
    assert above(ranked, 0.61) == above([], 0) == []
    assert above(ranked, 0, share=0) == ranked


def is_global(unit: Unit) -> bool:
    return unit.scope == GLOBAL


def is_old(unit: Unit) -> bool:
    return unit.at < NOW - DAY


def test_what_does_not_fit_is_no_hit_however_well_it_matches() -> None:
    index = filled()
    for number in range(700):
        index.talk(f"s{number}", ("the green roof", {"scope": "project:other"}))
    (mine,) = index.talk("mine", "a roof, a long way off, somewhere in the hills", at=NOW - 9 * DAY)
    found = turns(index, "green roof", fits=is_global)
    assert set(found) == {mine}
    found = turns(index, "green roof", until=NOW - DAY, fits=is_old)
    assert set(found) == {mine}


def test_one_session_is_searched_alone() -> None:
    index = filled()
    index.talk("other", "the green roof")
    inside = index.talk("this", "a roof", "well", ("late", {"after": 90}))
    assert set(turns(index, "green roof", session="this")) == set(inside)
    assert turns(index, "green roof", session="nowhere") == {}


@pytest.mark.requirement("E05")
def test_the_latest_of_a_time_come_latest_first() -> None:
    index = filled()
    old, mid, new = (index.talk(f"d{days}", "said", at=NOW - days * DAY)[0] for days in (9, 5, 2))
    found = latest(index, "turn", asked("", since=NOW - 10 * DAY, until=NOW - DAY))
    assert [one.unit.id for one in found] == [new, mid, old]
    assert latest(index, "turn", asked("", until=NOW - DAY))[0].unit.id == new
    assert latest(index, "record", asked("")) == []


def test_sessions_go_by_their_best_turns_and_their_words() -> None:
    index = filled()
    index.talk("once", "the green roof", *FILLER)
    index.talk("often", "the green roof", "a green roof", "roof, green", "so green a roof")
    groups = rank_groups(rank_turns(index, asked("green roof")))
    assert [one.group for one in groups][:2] == [index.group("turn", n) for n in ("often", "once")]
    assert all(len(one.turns) <= 3 for one in groups)
    assert rank_groups(Rankings([], {})) == []


# --- Records ------------------------------------------------------------------------------------


def fact(fact_id: str, text: str, **more: Any) -> Record:
    return Record(fact_id, FACT.name, GLOBAL, None, text, NOW, NOW, **more)


def settled(index: Index, question: str, *stand: Record, at: Any = NOW) -> list[Settled]:
    known = {one.id: one for one in stand}
    return settle(list(records(index, question).values()), known.get, question, at)


@pytest.mark.requirement("F02")
def test_a_fact_that_was_replaced_or_archived_is_never_shown() -> None:
    index = Index()
    for name, text in (("old", "CI needs Go 1.22"), ("new", "CI needs Go 1.23"), ("arch", "CI Go")):
        index.tell(name, text)
    old = fact("old", "CI needs Go 1.22", valid_to=NOW, superseded_by="new")
    new = fact("new", "CI needs Go 1.23")
    gone = fact("arch", "CI Go", data={"archived": NOW.isoformat()})
    shown = settled(index, "Which Go does CI need, Go 1.22?", old, new, gone)
    assert [one.record.id for one in shown] == ["new"]
    stood = settled(
        index, "Which Go does CI need?", old._replace(valid_to=None, superseded_by=None)
    )
    assert [one.record.id for one in stood] == ["old"]


@pytest.mark.parametrize("days", [0, 1, 30, 400])
def test_what_was_read_is_never_before_what_the_user_said(days: int) -> None:
    index = Index()
    at = NOW - days * DAY
    said = fact("z_said", "The roof is green")._replace(created_at=at, updated_at=at)
    made = [
        said,
        fact("a_read", "The roof is green", trust=Trust.READ),
        fact("b_inferred", "The roof is green", trust=Trust.INFERRED),
    ]
    for one in made:
        index.tell(one.id, one.text)
    order = [one.record.id for one in settled(index, "green roof", *made)]
    assert order.index("z_said") < order.index("a_read")
    assert order.index("b_inferred") < order.index("a_read")


def test_records_are_found_by_their_own_words_alone() -> None:
    index = Index()
    index.talk("s", "the green roof")
    index.tell("a", "The roof")
    index.tell("b", "It is green")
    found = records(index, "green roof")
    assert list(found) and set(found) == {"a", "b"}
    assert {one.unit.kind for one in found.values()} == {"fact"}


# --- Long messages, and sameness ----------------------------------------------------------------


@pytest.mark.requirement("R07")
@given(st.integers(0, 30), st.integers(0, 30), st.integers(0, 1 << 30))
def test_a_question_is_asked_whatever_stands_around_it(before: int, after: int, seed: int) -> None:
    chance, question = Random(seed), "Which Go version does the build server need?"
    pieces = pieces_of(" ".join([*chatter(chance, before), question, *chatter(chance, after)]))
    assert any(set(query_terms(question)) <= set(query_terms(one)) for one in pieces.texts)


def chatter(chance: Random, sentences: int) -> list[str]:
    """Sentences about other things."""
    things = [f"{thing}{number}" for thing in ("lamp", "piano", "soup") for number in range(20)]
    return [f"{' '.join(chance.sample(things, chance.randint(1, 12)))}." for _ in range(sentences)]


@given(st.permutations(["the green roof", "a roof", "green door", "What roof?", "Tom did it"]))
def test_the_order_of_putting_in_changes_no_score(texts: list[str]) -> None:
    index, other = Index(), Index()
    for text in sorted(texts):
        index.talk(text, text)
    for text in texts:
        other.talk(text, text)
    scores = [
        {one.unit.owner: pytest.approx(one.score) for one in turns(each, "green roof").values()}
        for each in (index, other)
    ]
    assert scores[0] == scores[1]
    assert turns(index, "green roof") == turns(index, "green roof")


def test_a_time_is_kept_to_the_microsecond() -> None:
    at = NOW.replace(microsecond=123_457)
    assert Unit(1, "a", "turn", GLOBAL, to_micros(at)).at == at

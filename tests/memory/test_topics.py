"""The rules of topics."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoro.backends.sqlite.opening import open_memory
from memoro.backends.sqlite.store import SqliteStore
from memoro.errors import Reason, Refusal
from memoro.memory import topics
from memoro.memory.records import FACT, GLOBAL, NOTE, SAVED_FACT, TOPIC, Kind, Record, Trust
from memoro.memory.store import Applied, Change, ChangeSet, Origin
from memoro.memory.topics import Mention
from memoro.memory.undo import undo

AT = datetime(2026, 5, 2, 16, 10, tzinfo=UTC)
DAY = timedelta(days=1)
ORIGIN = Origin("test", AT)


@pytest.fixture
def store() -> Iterator[SqliteStore]:
    opened = open_memory()
    yield opened
    opened.close()


def apply(store: SqliteStore, *mentions: Mention) -> Applied | Refusal:
    return store.apply(topics.mention(mentions), ORIGIN)


def mentioned(store: SqliteStore, *mentions: Mention) -> Record:
    """The topic that the mentions left last."""
    applied = apply(store, *mentions)
    assert isinstance(applied, Applied), applied
    return applied.records[-1]


def refused(store: SqliteStore, *mentions: Mention) -> Refusal:
    """A refusal, which changes nothing."""
    before = all_topics(store), store.changes()
    refusal = apply(store, *mentions)
    assert isinstance(refusal, Refusal), refusal
    assert (all_topics(store), store.changes()) == before
    return refusal


def all_topics(store: SqliteStore) -> list[Record]:
    return store.select(TOPIC.name, GLOBAL)


def keep(store: SqliteStore, *fact_ids: str, kind: Kind = FACT) -> None:
    """Facts of that ID, each made a minute after the one before."""
    records = [
        Record(one, kind.name, GLOBAL, None, one, AT + number * DAY / 1440, AT, {"title": one})
        for number, one in enumerate(fact_ids)
    ]
    store.apply(lambda _: ChangeSet("learn", [Change(None, one) for one in records]), ORIGIN)


@pytest.mark.requirement("T01")
def test_a_mention_makes_a_topic_with_all_that_was_said(store: SqliteStore) -> None:
    keep(store, "f_1")
    topic = mentioned(
        store,
        Mention(" Graph  databases ", AT, "Compared two.", ("f_1",), Trust.INFERRED, "r_1", "m_1"),
    )
    assert topic.id.startswith("t_") and len(topic.id) == 22
    assert (topic.kind, topic.scope, topic.key) == ("topic", GLOBAL, "graph databases")
    assert topic.text == "Compared two."
    assert topic.data["name"] == "Graph databases"
    assert topic.data["mentions"] == 1
    assert topic.data["first_seen"] == topic.data["last_seen"] == "2026-05-02T16:10:00.000000Z"
    assert topic.data["facts"] == ["f_1"]
    assert (topic.trust, topic.source_run, topic.source_message) == (2, "r_1", "m_1")
    assert store.get(topic.id) == topic


@pytest.mark.requirement("T01")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("SQLite", "sqlite"),
        ("Straße", "STRASSE"),
        ("café", "cafe\u0301"),
        ("CAFÉ", "cafe\u0301"),
        ("knowledge  graph", "Knowledge\n graph "),
        ("ΟΔΟΣ", "οδος"),
        ("ANA\u0345", "ana\u0345"),
    ],
)
def test_two_spellings_are_one_topic(store: SqliteStore, one: str, other: str) -> None:
    first = mentioned(store, Mention(one, AT))
    second = mentioned(store, Mention(other, AT + DAY))
    assert (first.id, second.data["mentions"]) == (second.id, 2)
    assert second.data["name"] == " ".join(one.split())
    assert len(all_topics(store)) == 1


@pytest.mark.requirement("T01")
def test_twice_in_one_call_counts_two_in_one_change(store: SqliteStore) -> None:
    topic = mentioned(store, Mention("Rust", AT), Mention("rust", AT), Mention("Go lang", AT))
    [change] = store.changes()
    assert (change.action, len(change.records)) == ("mention", 2)
    assert [one.data["mentions"] for one in all_topics(store)] == [1, 2]
    assert topic.revision == 1


@pytest.mark.requirement("T01")
@pytest.mark.parametrize(
    ("said", "stands"),
    [
        # trust, day, summary
        ([(4, 0, "old"), (4, 1, "new")], "new"),
        ([(4, 1, "new"), (4, 0, "old")], "new"),
        ([(4, 0, "mine"), (2, 1, "inferred")], "mine"),
        ([(2, 1, "inferred"), (4, 0, "mine")], "mine"),
        ([(2, 0, "inferred"), (4, 1, "mine")], "mine"),
        ([(4, 0, "kept"), (4, 1, "")], "kept"),
        ([(4, 0, "kept"), (4, 1, " \u200b\n")], "kept"),
        ([(4, 0, ""), (1, 1, "read")], "read"),
        ([(2, 0, "a"), (3, 0, "b"), (2, 5, "c")], "b"),
        ([(2, 0, "a"), (2, 0, "b")], "b"),
        ([(2, 0, "several\n lines  here")], "several lines here"),
    ],
)
def test_which_summary_stands(
    store: SqliteStore, said: list[tuple[int, int, str]], stands: str
) -> None:
    for trust, day, summary in said:
        mentioned(store, Mention("Rust", AT + day * DAY, summary, (), Trust(trust), f"r_{summary}"))
    [topic] = all_topics(store)
    assert topic.text == stands
    giver = next(one for one in said if " ".join(one[2].split()) == stands)
    assert (topic.trust, topic.source_run) == (giver[0], f"r_{giver[2]}")


@pytest.mark.requirement("T01")
def test_a_late_mention_moves_no_last_time_back(store: SqliteStore) -> None:
    mentioned(store, Mention("Rust", AT, "now"))
    topic = mentioned(store, Mention("Rust", AT - 40 * DAY, "then"))
    assert topic.data["last_seen"] == "2026-05-02T16:10:00.000000Z"
    assert topic.data["first_seen"] == "2026-03-23T16:10:00.000000Z"
    assert (topic.text, topic.data["mentions"]) == ("now", 2)
    assert (topic.created_at, topic.updated_at) == (AT - 40 * DAY, AT)


def test_a_less_trusted_spelling_does_not_win(store: SqliteStore) -> None:
    mentioned(store, Mention("PostgreSQL", AT))
    topic = mentioned(store, Mention("POSTGRESQL", AT - DAY, trust=Trust.INFERRED))
    assert topic.data["name"] == "PostgreSQL"


@pytest.mark.requirement("T01")
def test_links_are_written_and_each_once(store: SqliteStore) -> None:
    keep(store, "f_1", "f_2")
    keep(store, "f_saved", kind=SAVED_FACT)
    mentioned(store, Mention("Rust", AT, facts=("f_2", "f_saved")))
    topic = mentioned(store, Mention("Rust", AT, facts=("f_1", "f_2")))
    assert sorted(topic.data["facts"]) == ["f_1", "f_2", "f_saved"]


@pytest.mark.requirement("T01")
def test_a_link_to_a_fact_that_is_not_there_is_refused(store: SqliteStore) -> None:
    keep(store, "f_1")
    keep(store, "n_1", kind=NOTE)
    mentioned(store, Mention("Rust", AT))
    refusal = refused(
        store, Mention("Go lang", AT), Mention("Rust", AT, facts=("f_1", "f_9", "n_1", "f_9"))
    )
    assert refusal.reason is Reason.NOT_FOUND
    assert "'f_9', 'n_1';" in refusal.what and "f_1" not in refusal.what


@pytest.mark.requirement("T01")
def test_fifty_links_the_newest_are_kept(store: SqliteStore) -> None:
    ids = [f"f_{number:02}" for number in range(60)]
    keep(store, *ids)
    mentioned(store, Mention("Rust", AT + DAY, facts=tuple(ids[40:])))
    topic = mentioned(store, Mention("Rust", AT, facts=tuple(ids[:40])))
    assert topic.data["facts"] == ids[10:]


def test_a_link_to_a_forgotten_fact_is_let_go(store: SqliteStore) -> None:
    keep(store, "f_1", "f_2")
    mentioned(store, Mention("Rust", AT, facts=("f_1", "f_2")))
    gone = store.get("f_1")
    store.apply(lambda _: ChangeSet("remove", [Change(gone, None)]), ORIGIN)
    assert mentioned(store, Mention("Rust", AT)).data["facts"] == ["f_2"]


@pytest.mark.requirement("T01")
@pytest.mark.parametrize(
    ("name", "summary", "reason", "word"),
    [
        ("", "", Reason.USAGE, "at least 2 visible"),
        (" \n", "", Reason.USAGE, "visible"),
        ("x", "", Reason.USAGE, "visible"),
        ("x\u200b\u200b", "", Reason.USAGE, "visible"),
        ("e\u0301", "", Reason.USAGE, "visible"),
        ("a\0b", "", Reason.USAGE, "plain text"),
        ("red\x1b[31m", "", Reason.USAGE, "plain text"),
        ("half\ud800", "", Reason.USAGE, "plain text"),
        ("x" * 201, "", Reason.TOO_LARGE, "201"),
        ("Rust", "x" * 1_001, Reason.TOO_LARGE, "1,001"),
        ("Rust", "é" * 501, Reason.TOO_LARGE, "1,002"),
        ("Rust", "\ud800", Reason.USAGE, "UTF-8"),
        ("Rust", "a\0b", Reason.USAGE, "NUL"),
    ],
)
def test_what_is_no_mention(
    store: SqliteStore, name: str, summary: str, reason: Reason, word: str
) -> None:
    mentioned(store, Mention("Rust", AT))
    refusal = refused(store, Mention("Go lang", AT), Mention(name, AT, summary))
    assert refusal.reason is reason
    assert word in refusal.what
    refusal.what.encode()


def test_no_mention_at_all_is_refused(store: SqliteStore) -> None:
    assert refused(store).reason is Reason.USAGE


@pytest.mark.parametrize("name", ["Go", "東京", "x" * 200, "漢" * 200, "é" * 200, "C++", "🦀🦀"])
def test_names_at_their_limits(store: SqliteStore, name: str) -> None:
    assert mentioned(store, Mention(name, AT, "x" * 1_000)).data["name"] == name


@pytest.mark.requirement("T01")
@pytest.mark.parametrize(
    ("mentions", "days", "rank"),
    [(1, 0, 1.0), (1, 30, 0.5), (6, 60, 2.0), (3, 15, 2.0), (3, -5, 3.0)],
)
def test_rank_is_mentions_over_recency(
    store: SqliteStore, mentions: int, days: int, rank: float
) -> None:
    topic = mentioned(store, *[Mention("Rust", AT)] * mentions)
    assert topics.rank(topic, AT + days * DAY) == pytest.approx(rank)


@pytest.mark.requirement("T01")
def test_the_most_topical_stands_first(store: SqliteStore) -> None:
    mentioned(store, *[Mention("often, long ago", AT - 300 * DAY)] * 5)
    mentioned(store, Mention("once, today", AT), Mention("also today", AT))
    mentioned(store, *[Mention("often, of late", AT - 5 * DAY)] * 5)
    names = [one.data["name"] for one in topics.ranked(all_topics(store), AT)]
    assert names == ["often, of late", "also today", "once, today", "often, long ago"]


def test_a_mention_can_be_undone(store: SqliteStore) -> None:
    before = mentioned(store, Mention("Rust", AT, "first"))
    mentioned(store, Mention("Rust", AT + DAY, "second"))
    store.apply(undo(None, AT + 2 * DAY), ORIGIN)
    [topic] = all_topics(store)
    assert (topic.text, topic.data) == (before.text, before.data)
    assert mentioned(store, Mention("Rust", AT + 3 * DAY)).data["mentions"] == 2


def fill(store: SqliteStore, count: int, trust: Trust, at: datetime = AT) -> None:
    many = [Mention(f"topic {number}", at, trust=trust) for number in range(count)]
    assert isinstance(apply(store, *many), Applied)


def test_beyond_the_limit_the_least_topical_leaves_and_can_come_back(store: SqliteStore) -> None:
    fill(store, topics.MAX_TOPICS - 1, Trust.INFERRED)
    mentioned(store, Mention("faint", AT - 90 * DAY, trust=Trust.INFERRED))
    mentioned(store, Mention("mine", AT - 900 * DAY))
    topics_now = all_topics(store)
    assert len(topics_now) == topics.MAX_TOPICS
    assert {"faint", "mine"} & {one.key for one in topics_now} == {"mine"}
    store.apply(undo(None, AT), ORIGIN)
    assert {"faint", "mine"} & {one.key for one in all_topics(store)} == {"faint"}


def test_what_is_mentioned_makes_no_room_for_what_is_mentioned_with_it(store: SqliteStore) -> None:
    fill(store, topics.MAX_TOPICS - 1, Trust.USER)
    faint = Mention("faint", AT - 900 * DAY)
    mentioned(store, faint)
    mentioned(store, faint, Mention("new one", AT))
    [kept] = store.select(TOPIC.name, GLOBAL, key="faint")
    assert (kept.data["mentions"], len(all_topics(store))) == (2, topics.MAX_TOPICS)


def test_nobody_makes_room_for_someone_less_trusted(store: SqliteStore) -> None:
    fill(store, topics.MAX_TOPICS, Trust.USER)
    mentioned(store, Mention("topic 7", AT, "An inferred summary.", trust=Trust.INFERRED))
    refusal = refused(store, Mention("new one", AT, trust=Trust.INFERRED))
    assert refusal.reason is Reason.TOO_LARGE
    assert mentioned(store, Mention("topic 5", AT, trust=Trust.INFERRED)).data["mentions"] == 2


a_mention = st.builds(
    Mention,
    st.sampled_from(["Rust", "RUST", "rust ", "Go lang", "go  LANG"]),
    st.integers(0, 400).map(lambda hours: AT + timedelta(hours=hours)),
    st.sampled_from(["", " ", "one", "two", "three"]),
    st.lists(st.sampled_from([f"f_{one:02}" for one in range(60)]), max_size=60).map(tuple),
    st.sampled_from(Trust),
    st.sampled_from(["r_1", "r_2", None]),
)
some_mentions = st.lists(a_mention, max_size=8, unique_by=lambda one: one.at)


def left_by(batches: Sequence[Sequence[Mention]]) -> list[Record]:
    """The topics after these calls, without the count of changes."""
    store = open_memory()
    try:
        keep(store, *[f"f_{one:02}" for one in range(60)])
        for batch in batches:
            assert isinstance(apply(store, *batch), Applied)
        return [one._replace(revision=0) for one in all_topics(store)]
    finally:
        store.close()


@pytest.mark.requirement("T01")
@settings(max_examples=50, deadline=None)
@given(some_mentions, st.randoms(use_true_random=False))
def test_the_order_of_mentions_does_not_matter(mentions: list[Mention], random: Random) -> None:
    shuffled = list(mentions)
    random.shuffle(shuffled)
    assert left_by([[one] for one in mentions]) == left_by([[one] for one in shuffled])
    if mentions:
        assert left_by([shuffled]) == left_by([[one] for one in mentions])


@pytest.mark.requirement("T01")
@settings(max_examples=50, deadline=None)
@given(some_mentions)
def test_every_mention_counts_once_in_one_topic(mentions: list[Mention]) -> None:
    left = left_by([[one] for one in mentions for _ in range(2)])
    assert sum(one.data["mentions"] for one in left) == 2 * len(mentions)
    assert len(left) == len({"".join(one.name.split()).casefold() for one in mentions})
    for one in left:
        assert one.data["first_seen"] <= one.data["last_seen"]
        assert len(one.data["facts"]) <= topics.MAX_LINKED_FACTS

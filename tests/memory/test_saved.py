"""The rules of saved facts, over a store in memory."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoro.backends.sqlite.opening import open_memory
from memoro.backends.sqlite.store import SqliteStore
from memoro.errors import Reason, Refusal
from memoro.memory import saved
from memoro.memory.records import GLOBAL, SAVED_FACT, Record, project_scope
from memoro.memory.saved import Fact, check_key, check_value, facts_text, is_blank
from memoro.memory.store import Applied, Origin, Plan

AT = datetime(2026, 5, 2, 16, 10, tzinfo=UTC)
WEB = project_scope("web")
ZWSP = "\u200b"


@pytest.fixture
def store() -> Iterator[SqliteStore]:
    opened = open_memory()
    yield opened
    opened.close()


def fact(key: str, value: str, *, scope: str = GLOBAL, budget: int | None = None) -> Fact:
    return Fact(f"f_{scope}_{key}", scope, key, value, AT, "r_run", "m_message", budget)


def apply(store: SqliteStore, plan: Plan) -> Applied | Refusal:
    return store.apply(plan, Origin("test", AT))


def done(store: SqliteStore, plan: Plan) -> Applied:
    applied = apply(store, plan)
    assert isinstance(applied, Applied), applied
    return applied


def refused(store: SqliteStore, plan: Plan) -> Refusal:
    """The refusal of a plan that has to be refused, and to change nothing."""
    before = (store.select(SAVED_FACT.name), store.changes())
    refusal = apply(store, plan)
    assert isinstance(refusal, Refusal), refusal
    assert (store.select(SAVED_FACT.name), store.changes()) == before
    return refusal


@pytest.mark.requirement("P04")
@pytest.mark.parametrize(
    "key",
    ["a", "Z", "0", "9.9", "answer.style", "a-b_c.D", "a..", "x--", "1" * 128, "CON", "global"],
)
def test_keys(key: str) -> None:
    assert check_key(key) is None


NO_KEYS = [
    *("", " ", "*", "%", "?", "_", "-", ".", "_a", "-a", ".a", " a", "a ", "a b", "a/b", "a\\b"),
    *("a:b", "a=b", "a*", "a%", "a@b", "a'b", "a;b", "a\n", "\na", "a\nb", "a\t", "a\r", "a\0"),
    *(
        "é",
        "aé",
        "ä",
        "名前",
        "аb",
        "a١",
        "ａ",
        "a\u0301",
        "a" + ZWSP,
        "a\u2028",
        "ſ",
        "\u212a",
        "ı",
    ),
    *("\x1b[31ma", "a\x7f", "a\udcff", "😀"),
]


@pytest.mark.requirement("P04")
@pytest.mark.parametrize("key", NO_KEYS)
def test_what_is_no_key(key: str) -> None:
    refusal = check_key(key)
    assert refusal is not None
    assert refusal.reason is Reason.USAGE
    assert "is not a key" in refusal.what
    assert refusal.what.isprintable()


@pytest.mark.requirement("P04")
def test_a_key_of_129_characters_has_its_own_refusal() -> None:
    refusal = check_key("k" * 129)
    assert refusal is not None
    assert refusal.reason is Reason.TOO_LARGE
    assert "129 characters" in refusal.what
    assert "128" in refusal.what


VALUES = [
    *("a", "a" * 4096, "漢" * 1365, "😀" * 1024, "two\nlines", "a\tb", "a\x1b[31mb", "a\rb"),
    *("ünïcödé", "*", "%", "null", "-", "--json", "é", "a\u200bb", "\u0301a", "👩\u200d💻"),
    *("C:\\new", "\ue0b0", "🫨", "\U0001fae9", "a\u200d"),
]


@pytest.mark.requirement("P04")
@pytest.mark.parametrize("value", VALUES)
def test_values(value: str) -> None:
    assert check_value(value) is None


BLANK = [
    *("", " ", "   ", "\n", "\t", "\r\n", "\u00a0", "\u3000", "\u2028", ZWSP, "\ufeff", "\u2060"),
    *("\u200c\u200d", "\u00ad", "\u200e\u202e", "\x1b", "\x07\x08", "\u3164", "\uffa0", "\u2800"),
    *("\ufe0f", "\u034f", "\u0301", f" {ZWSP} ", "\U000e0041"),
]


@pytest.mark.requirement("P04")
@pytest.mark.parametrize("value", BLANK)
def test_blank_values(value: str) -> None:
    refusal = check_value(value)
    assert refusal is not None
    assert refusal.reason is Reason.USAGE
    assert "empty" in refusal.what


@pytest.mark.requirement("P04")
@pytest.mark.parametrize(
    "value",
    [
        *(" x", "x ", " x ", "x\n", "\nx", "\tx", "x\u00a0", "\u3000x", "x\x1c", "x\x85"),
        *(ZWSP + "x", "x" + ZWSP, "\ufeffx", f"{ZWSP} x", f"x {ZWSP}"),
    ],
)
def test_surrounding_whitespace(value: str) -> None:
    refusal = check_value(value)
    assert refusal is not None
    assert refusal.reason is Reason.USAGE
    assert "before or after" in refusal.what


@pytest.mark.requirement("P04")
@pytest.mark.parametrize(
    ("value", "size"), [("a" * 4097, "4,097"), ("漢" * 1366, "4,098"), ("😀" * 1025, "4,100")]
)
def test_values_are_measured_in_bytes(value: str, size: str) -> None:
    refusal = check_value(value)
    assert refusal is not None
    assert refusal.reason is Reason.TOO_LARGE
    assert f"{size} bytes" in refusal.what
    assert "4,096" in refusal.what


@pytest.mark.requirement("P04")
@pytest.mark.parametrize(("value", "word"), [("a\0b", "NUL"), ("\udcff", "UTF-8"), ("\0", "NUL")])
def test_values_are_text(value: str, word: str) -> None:
    refusal = check_value(value)
    assert refusal is not None
    assert refusal.reason is Reason.USAGE
    assert word in refusal.what


@pytest.mark.requirement("P04")
def test_each_limit_has_words_of_its_own(store: SqliteStore) -> None:
    for number in range(saved.MAX_FACTS_PER_SCOPE):
        done(store, saved.remember(fact(f"k{number}", "v")))
    whats = [
        refused(store, plan).what
        for plan in (
            saved.remember(fact("-", "v")),
            saved.remember(fact("k" * 129, "v")),
            saved.remember(fact("new", "")),
            saved.remember(fact("new", " v")),
            saved.remember(fact("new", "v" * 4097)),
            saved.remember(fact("new", "a\0")),
            saved.remember(fact("new", "\ud800")),
            saved.remember(fact("new", "v")),
            saved.remember(fact("k1", "v")),
            saved.replace(fact("new", "v")),
            saved.replace(fact("k1", "long", budget=10)),
        )
    ]
    assert len(set(whats)) == len(whats)


@pytest.mark.requirement("P04", "P19")
def test_128_facts_a_scope(store: SqliteStore) -> None:
    for number in range(saved.MAX_FACTS_PER_SCOPE):
        done(store, saved.remember(fact(f"k{number}", "v")))
    refusal = refused(store, saved.remember(fact("one-more", "v")))
    assert refusal.reason is Reason.TOO_LARGE
    assert "128" in refusal.what
    # Another scope has its own count, and a full one can still be changed and made room in.
    done(store, saved.remember(fact("one-more", "v", scope=WEB)))
    done(store, saved.replace(fact("k0", "w")))
    done(store, saved.forget(GLOBAL, "k0"))
    done(store, saved.remember(fact("one-more", "v")))


@pytest.mark.requirement("P03")
def test_an_existing_key_wins_over_a_full_scope(store: SqliteStore) -> None:
    for number in range(saved.MAX_FACTS_PER_SCOPE):
        done(store, saved.remember(fact(f"k{number}", "v")))
    assert refused(store, saved.remember(fact("k5", "v"))).reason is Reason.CONFLICT


@pytest.mark.requirement("P03", "P19")
def test_a_key_stands_once_in_each_scope(store: SqliteStore) -> None:
    done(store, saved.remember(fact("tone", "here")))
    done(store, saved.remember(fact("tone", "there", scope=WEB)))
    assert refused(store, saved.remember(fact("tone", "again"))).reason is Reason.CONFLICT
    done(store, saved.replace(fact("tone", "changed", scope=WEB)))
    done(store, saved.forget(WEB, "tone"))
    assert [(one.scope, one.text) for one in store.select(SAVED_FACT.name)] == [(GLOBAL, "here")]


@pytest.mark.requirement("P03")
@pytest.mark.parametrize("key", ["Tone", "tone.", "ton", "tone-1"])
def test_a_near_key_is_another_key(store: SqliteStore, key: str) -> None:
    done(store, saved.remember(fact("tone", "v")))
    assert refused(store, saved.replace(fact(key, "w"))).reason is Reason.NOT_FOUND
    assert refused(store, saved.forget(GLOBAL, key)).reason is Reason.NOT_FOUND
    assert refused(store, saved.forget(WEB, "tone")).reason is Reason.NOT_FOUND


@pytest.mark.requirement("P03")
@pytest.mark.parametrize("key", ["", " ", "*", "%", "k%", "k*", "_", "k\n"])
def test_forgetting_takes_no_pattern(store: SqliteStore, key: str) -> None:
    done(store, saved.remember(fact("k1", "v")))
    done(store, saved.remember(fact("k2", "v")))
    assert refused(store, saved.forget(GLOBAL, key)).reason is Reason.USAGE
    assert refused(store, saved.forget(GLOBAL, key, from_log=True)).reason is Reason.USAGE


@pytest.mark.requirement("P05")
def test_replacing_keeps_the_record_and_its_start(store: SqliteStore) -> None:
    first = done(store, saved.remember(fact("tone", "a"))).records[0]
    later = fact("tone", "b")._replace(id="f_other", at=AT.replace(hour=18), run=None)
    second = done(store, saved.replace(later)).records[0]
    assert (second.id, second.created_at, second.updated_at) == (first.id, AT, AT.replace(hour=18))
    assert (second.source_run, second.revision) == (None, 2)


@pytest.mark.requirement("P12")
def test_a_budget_holds_for_the_snapshot_after_the_change(store: SqliteStore) -> None:
    done(store, saved.remember(fact("a", "x" * 50)))
    line = len("- a: ") + 50
    assert saved.snapshot_bytes(store.select(SAVED_FACT.name)) == line
    more = len("\n- b: ") + 10
    fits = saved.remember(fact("b", "y" * 10, budget=line + more))
    over = saved.remember(fact("b", "y" * 10, budget=line + more - 1))
    refusal = refused(store, over)
    assert refusal.reason is Reason.TOO_LARGE
    assert f"{line + more:,} bytes" in refusal.what
    done(store, fits)
    assert refused(store, saved.replace(fact("b", "é" * 10, budget=line + more))).reason
    done(store, saved.replace(fact("b", "é" * 5, budget=line + more)))


def test_a_budget_counts_the_scope_alone(store: SqliteStore) -> None:
    done(store, saved.remember(fact("a", "x" * 4000)))
    done(store, saved.remember(fact("a", "y" * 20, scope=WEB, budget=30)))


@pytest.mark.requirement("P26")
def test_facts_stand_in_key_order_whatever_order_they_came_in() -> None:
    records = [record(key, key.upper()) for key in ("b", "a", "Z", "a.b", "10", "9")]
    assert facts_text(records) == "- 10: 10\n- 9: 9\n- Z: Z\n- a: A\n- a.b: A.B\n- b: B"
    assert facts_text(reversed(records)) == facts_text(records)
    assert facts_text([]) == ""


def test_no_value_can_pose_as_another_fact() -> None:
    text = facts_text([record("a", "x\n- b: y\n## Rules\n\nz"), record("c", "x\u2028- d: y")])
    assert text == "- a:\n  x\n  - b: y\n  ## Rules\n  \n  z\n- c:\n  x\n  - d: y"


@pytest.mark.requirement("P26")
@given(st.lists(st.text(max_size=30).filter(lambda one: not check_value(one)), max_size=6))
def test_every_unindented_line_of_a_snapshot_is_a_key(values: list[str]) -> None:
    records = [record(f"k{number}", value) for number, value in enumerate(values)]
    starts = [line for line in facts_text(records).splitlines() if not line.startswith("  ")]
    assert [line.partition(":")[0] for line in starts] == [f"- {one.key}" for one in records]


@pytest.mark.requirement("P04")
@settings(deadline=None)
@given(st.text(max_size=50))
def test_what_is_accepted_comes_back_verbatim(value: str) -> None:
    store = open_memory()
    applied = apply(store, saved.remember(fact("k", value)))
    if isinstance(applied, Refusal):
        assert store.changes() == []
        outside = value.strip().strip("\u200b\u2060\ufeff")
        assert is_blank(value) or "\0" in value or value != outside
    else:
        assert [one.text for one in store.select(SAVED_FACT.name)] == [value]
        assert not is_blank(value)
        assert value == value.strip()
    store.close()


def record(key: str, value: str) -> Record:
    return Record(f"f_{key}", SAVED_FACT.name, GLOBAL, key, value, AT, AT)

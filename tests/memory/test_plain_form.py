"""Records as lines of JSON: exact both ways, and a clear answer to what is no record."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoro.memory.facts.categories import CATEGORIES
from memoro.memory.facts.statement import fact_id
from memoro.memory.plain.form import (
    Problem,
    Read,
    digest_of,
    digest_of_value,
    from_plain,
    line_of,
    time_text,
    to_plain,
)
from memoro.memory.records import GLOBAL, KINDS, Record, Trust

NOW = datetime(2026, 11, 30, 4, 45, 27, 123_450, tzinfo=UTC)

_text = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=40)
_visible = _text.map(lambda text: f"a{text}z")
_any_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
_times = st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30), timezones=st.just(UTC))
_ids = st.from_regex(r"[A-Za-z0-9_][A-Za-z0-9_:@+-]{0,40}", fullmatch=True)
_keys = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,30}", fullmatch=True)
_scopes = st.one_of(st.just(GLOBAL), _keys.map("project:{}".format), st.just("place:0a1b2c3d"))
_json = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63) + 1, 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | _any_text.filter(lambda text: "\0" not in text),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_visible, inner, max_size=3),
    max_leaves=6,
)
_days = st.dates(date(1, 1, 1)).map(date.isoformat)
_DATA: Mapping[str, st.SearchStrategy[dict[str, Any]]] = {
    "fact": st.fixed_dictionaries({"category": st.sampled_from(CATEGORIES)}),
    "episode": st.fixed_dictionaries({"date": _days, "refs": st.lists(_visible, max_size=3)}),
    "daily": st.fixed_dictionaries({"date": _days}),
    "note": st.fixed_dictionaries({"title": st.just("A title")}),
    "work": st.fixed_dictionaries({"status": st.just("paused")}),
    "place": st.fixed_dictionaries({"path": _visible, "common_dir": st.none() | _visible}),
}


@st.composite
def records(draw: st.DrawFn) -> Record:
    """Valid records of every kind."""
    kind = draw(st.sampled_from(sorted(KINDS)))
    key = {
        "saved_fact": _keys,
        "profile": st.sampled_from(["company", "skills:go", "preferences:tab width"]),
        "topic": st.just("a topic"),
        "work": st.just("a project"),
        "project": _keys,
        "place": _ids.map("place:{}".format),
    }.get(kind, st.none())
    scoped = kind in ("saved_fact", "fact", "episode", "daily", "note", "proposal")
    extra = draw(st.dictionaries(_visible.map("x {}".format), _json, max_size=2))
    text = draw(_visible if kind != "note" else _any_text.map(lambda one: f"a\r\n{one}z"))
    at = draw(_times)
    return Record(
        draw(_ids),
        kind,
        draw(_scopes) if scoped else GLOBAL,
        draw(key),
        text.replace("\0", ""),
        at,
        draw(st.just(at) | _times),
        {**draw(_DATA.get(kind, st.just({}))), **extra},
        draw(st.sampled_from(list(map(int, Trust)))),
        draw(st.floats(0, 1)),
        draw(st.none() | _ids),
        draw(st.none() | _ids),
        draw(st.none() | _times),
        draw(st.none() | _times),
        draw(st.none() | _ids),
        draw(st.integers(0, 2**63 - 1)),
        draw(st.none() | _times),
        tuple(draw(st.lists(_visible, max_size=3))),
        draw(st.integers(1, 2**63 - 1)),
    )


@pytest.mark.requirement("M04", "M06")
@settings(max_examples=200, deadline=None)
@given(records())
def test_the_way_there_and_back_is_exact(record: Record) -> None:
    line = line_of(record)
    read = from_plain(json.loads(line))

    assert read == Read(record)
    assert isinstance(read, Read)
    assert line_of(read.record) == line
    assert len(line.splitlines()) == 1
    line.encode()


@settings(max_examples=100, deadline=None)
@given(records())
def test_an_untouched_line_has_the_digest_of_its_record(record: Record) -> None:
    value = json.loads(line_of(record, counters=False))
    assert digest_of_value(value) == digest_of(record)
    used = record._replace(accesses=7, accessed_at=NOW, revision=9)
    assert digest_of(used) == digest_of(record)
    assert digest_of(record._replace(text=record.text + "!")) != digest_of(record)


def test_a_line_reads_like_this() -> None:
    record = Record(
        "abc",
        "fact",
        GLOBAL,
        None,
        "Olá\u2028mundo",
        NOW,
        NOW,
        data={"provenance": "told", "category": "general"},
        trust=Trust.INFERRED,
        confidence=0.6,
        accesses=3,
    )
    assert line_of(record) == (
        '{"id": "abc", "text": "Olá\\u2028mundo", "kind": "fact", "data": {"category": "general",'
        ' "provenance": "told"}, "trust": "inferred", "confidence": 0.6, "created_at":'
        ' "2026-11-30T04:45:27.12345Z", "accesses": 3}'
    )
    assert "accesses" not in to_plain(record, counters=False)


@pytest.mark.parametrize(
    ("at", "text"),
    [
        (datetime(2026, 11, 30, 4, 45, 27, tzinfo=UTC), "2026-11-30T04:45:27Z"),
        (datetime(2026, 11, 30, tzinfo=UTC), "2026-11-30T00:00:00Z"),
        (datetime(2026, 11, 30, 0, 0, 0, 10, tzinfo=UTC), "2026-11-30T00:00:00.00001Z"),
        (datetime(2026, 11, 30, 1, tzinfo=timezone(timedelta(hours=2))), "2026-11-29T23:00:00Z"),
    ],
)
def test_times_have_no_more_digits_than_they_need(at: datetime, text: str) -> None:
    assert time_text(at) == text


@pytest.mark.parametrize(
    "text",
    [
        "2026-03-01T10:00:00",
        "2026-03-01 10:00",
        "2026-03-01T10:00:00Z",
        "2026-03-01T11:00:00+01:00",
        "2026-03-01T07:00:00.000-03:00",
    ],
)
def test_a_time_without_a_zone_is_utc(text: str) -> None:
    read = from_plain({"id": "a", "text": "x is y", "created_at": text}, "fact")
    assert isinstance(read, Read)
    assert time_text(read.record.created_at) == "2026-03-01T10:00:00Z"


_GOOD = {"id": "a1", "text": "x is y", "created_at": "2026-03-01T10:00:00Z"}
_NOTE = {**_GOOD, "kind": "note", "data": {"title": "T"}}


@pytest.mark.requirement("M04")
@pytest.mark.parametrize(
    ("kind", "given_fields", "field"),
    [
        ("fact", {"text": 5}, "text"),
        ("fact", {"text": ["x"]}, "text"),
        ("fact", {"text": ""}, "text"),
        ("fact", {"text": None}, "text"),
        ("fact", {"text": "\u200b"}, "text"),
        ("fact", {"text": "a\ud800"}, "text"),
        ("fact", {"text": "a\x07b"}, "text"),
        ("fact", {"text": "x" * 40_000}, "text"),
        ("fact", {"id": "../../etc/passwd"}, "id"),
        ("fact", {"id": "a/b"}, "id"),
        ("fact", {"id": "a\\b"}, "id"),
        ("fact", {"id": "a\nb"}, "id"),
        ("fact", {"id": ""}, "id"),
        ("fact", {"id": 7}, "id"),
        ("fact", {"id": "a" * 129}, "id"),
        ("fact", {"kind": "facts"}, "kind"),
        ("fact", {"kind": "note"}, "kind"),
        ("fact", {"scope": "everywhere"}, "scope"),
        ("fact", {"scope": "project:../x"}, "scope"),
        ("fact", {"scope": "project:"}, "scope"),
        ("fact", {"scope": "place:/home/x"}, "scope"),
        ("fact", {"key": "k"}, "key"),
        ("fact", {"trust": "root"}, "trust"),
        ("fact", {"trust": 4}, "trust"),
        ("fact", {"trust": True}, "trust"),
        ("fact", {"confidence": True}, "confidence"),
        ("fact", {"confidence": float("nan")}, "confidence"),
        ("fact", {"confidence": float("inf")}, "confidence"),
        ("fact", {"confidence": 1.5}, "confidence"),
        ("fact", {"confidence": "high"}, "confidence"),
        ("fact", {"accesses": -1}, "accesses"),
        ("fact", {"accesses": 1.0}, "accesses"),
        ("fact", {"accesses": 2**63}, "accesses"),
        ("fact", {"revision": 0}, "revision"),
        ("fact", {"created_at": "yesterday"}, "created_at"),
        ("fact", {"created_at": 1_700_000_000}, "created_at"),
        ("fact", {"created_at": "2026-02-30T10:00:00Z"}, "created_at"),
        ("fact", {"valid_to": "0001-01-01T00:00:00+05:00"}, "valid_to"),
        ("fact", {"valid_to": "9999-12-31T23:59:59-05:00"}, "valid_to"),
        ("fact", {"valid_to": "12026-01-01T00:00:00Z"}, "valid_to"),
        ("fact", {"tags": "go"}, "tags"),
        ("fact", {"tags": [1]}, "tags"),
        ("fact", {"tags": ["a\nb"]}, "tags"),
        ("fact", {"tags": ["t"] * 33}, "tags"),
        ("fact", {"data": []}, "data"),
        ("fact", {"data": {"category": "gossip"}}, "data.category"),
        ("fact", {"data": {"category": ["general"]}}, "data.category"),
        ("fact", {"data": {"archived": "some day"}}, "data.archived"),
        ("fact", {"data": {"held": [["2026-01-01"]]}}, "data.held"),
        ("fact", {"data": {"x": float("nan")}}, "data"),
        ("fact", {"data": {"x": 2**70}}, "data"),
        ("fact", {"data": {"x": "\udfff"}}, "data"),
        ("fact", {"hobby": float("nan")}, ""),
        ("saved_fact", {}, "key"),
        ("saved_fact", {"key": "not a key"}, "key"),
        ("saved_fact", {"key": "k" * 129}, "key"),
        ("saved_fact", {"key": "k", "text": "x" * 4_097}, "text"),
        ("profile", {"key": "shoe_size"}, "key"),
        ("profile", {"key": "company", "scope": "project:a"}, "scope"),
        ("profile", {"key": "company", "text": " "}, "text"),
        ("topic", {"text": ""}, "key"),
        ("topic", {"key": "Go"}, "key"),
        ("topic", {"key": "go", "data": {"name": "Rust"}}, "data.name"),
        ("topic", {"key": "go", "data": {"mentions": "many"}}, "data.mentions"),
        ("topic", {"key": "go", "data": {"said": {"name": 4}}}, "data.said"),
        ("work", {"key": "web", "data": {"status": "sleeping"}}, "data.status"),
        ("work", {"key": "web", "data": {"technologies": "go"}}, "data.technologies"),
        ("episode", {}, "data.date"),
        ("episode", {"data": {"date": "2026-3-1"}}, "data.date"),
        ("episode", {"data": {"date": "2026-03-01", "refs": "x"}}, "data.refs"),
        ("note", {}, "data.title"),
        ("note", {"data": {"title": 4}}, "data.title"),
        ("project", {"key": "../x"}, "key"),
    ],
)
def test_what_is_no_record_is_told_by_field(
    kind: str, given_fields: dict[str, object], field: str
) -> None:
    problem = from_plain({**_GOOD, **given_fields}, kind)
    assert isinstance(problem, Problem)
    assert problem.field == field
    assert problem.what
    assert len(problem.what) < 300


@pytest.mark.parametrize("value", [None, [], "text", 4, 1.5, True, {}])
def test_what_is_no_object_is_no_record(value: object) -> None:
    assert isinstance(from_plain(value), Problem)
    assert isinstance(from_plain(value, "fact", now=NOW), Problem)


def test_nesting_has_an_end() -> None:
    deep: Any = "x"
    for _ in range(900):
        deep = [deep]
    assert isinstance(from_plain({**_GOOD, "data": {"x": deep}}, "fact"), Problem)
    assert isinstance(from_plain({**_GOOD, "x": deep}, "fact"), Problem)


def test_unknown_fields_are_given_back() -> None:
    read = from_plain({**_GOOD, "colour": "red", "n": [1]}, "fact")
    assert isinstance(read, Read)
    assert read.unknown == {"colour": "red", "n": [1]}


def test_without_now_nothing_is_filled_in() -> None:
    for name in ("id", "created_at"):
        value = {key: one for key, one in _GOOD.items() if key != name}
        assert from_plain(value, "fact") == Problem(name, "it is missing")


def test_with_now_a_person_needs_to_write_a_text_only() -> None:
    read = from_plain({"text": " tea,\r\n green "}, "fact", now=NOW)
    assert isinstance(read, Read)
    assert read.record == Record(
        fact_id(GLOBAL, "tea, green"), "fact", GLOBAL, None, "tea, green", NOW, NOW
    )
    assert read.filled == ("id", "created_at")


def test_windows_line_ends_become_plain_ones_where_a_person_wrote() -> None:
    value = {**_NOTE, "text": "one\r\ntwo"}
    by_hand, verbatim = from_plain(value, now=NOW), from_plain(value)
    assert isinstance(by_hand, Read)
    assert isinstance(verbatim, Read)
    assert (by_hand.record.text, verbatim.record.text) == ("one\ntwo", "one\r\ntwo")


def test_derived_ids_are_the_same_each_time_and_apart_for_others() -> None:
    def made(**fields: object) -> str:
        read = from_plain({"text": "x is y", **fields}, "note", now=NOW)
        assert isinstance(read, Read)
        return read.record.id

    one = {"data": {"title": "A"}}
    assert made(**one) == made(**one)
    assert len({made(**one), made(data={"title": "B"}), made(**one, scope="project:a")}) == 3


def test_no_value_takes_long() -> None:
    began = time.perf_counter()
    for text in ("a" * 30_000, "\u0301" * 15_000, "-" * 30_000, " x" * 15_000):
        from_plain({**_GOOD, "text": text}, "fact", now=NOW)
        from_plain({**_GOOD, "id": text}, "fact", now=NOW)
        from_plain({**_GOOD, "created_at": text}, "fact", now=NOW)
        from_plain({**_GOOD, "tags": [text]}, "fact", now=NOW)
    assert time.perf_counter() - began < 5

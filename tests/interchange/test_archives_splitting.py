"""JSON arrays of any size and in any state, one item after the other."""

from __future__ import annotations

import io
import json
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoro.interchange.archives import splitting
from memoro.interchange.archives.splitting import Item, items
from memoro.interchange.reading.json_text import Broken

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=12,
)


def split(raw: bytes, most: int = 7) -> list[Item]:
    """The items of these bytes, that come at most so many at once."""
    stream = io.BytesIO(raw)
    return list(items(lambda size: stream.read(min(size, most))))


def told(raw: bytes) -> list[Any]:
    return [one.value.why if isinstance(one.value, Broken) else one.value for one in split(raw)]


@pytest.mark.requirement("M06")
@settings(max_examples=300, deadline=None)
@given(
    listed=st.lists(VALUES, max_size=6), size=st.integers(1, 40), indent=st.sampled_from([None, 1])
)
def test_every_array_comes_as_it_is(listed: list[Any], size: int, indent: int | None) -> None:
    raw = json.dumps(listed, indent=indent).encode()
    assert [one.value for one in split(raw, size)] == listed


@pytest.mark.requirement("M06")
@settings(max_examples=200, deadline=None)
@given(listed=st.lists(VALUES, min_size=1, max_size=4), data=st.data())
def test_what_is_cut_gives_what_was_whole_and_says_so_once(
    listed: list[Any], data: st.DataObject
) -> None:
    raw = json.dumps(listed).encode()
    found = split(raw[: data.draw(st.integers(1, len(raw) - 1))])
    whole = [one.value for one in found if not isinstance(one.value, Broken)]
    assert whole == listed[: len(whole)]
    assert [isinstance(one.value, Broken) for one in found] == [False] * len(whole) + [True]
    assert found[-1].is_last


@pytest.mark.requirement("M06")
@settings(max_examples=300, deadline=None)
@given(raw=st.binary(max_size=60), size=st.integers(1, 9))
def test_no_bytes_are_too_much(raw: bytes, size: int) -> None:
    for opening in (b"", b"[", b'[{"a": '):
        assert [one.number for one in split(opening + raw, size)][:1] in ([], [1])


@pytest.mark.requirement("M06")
@pytest.mark.parametrize(
    "bad",
    [
        "{'a': 1}",
        '{"a": nope}',
        '{"a": "x" "b"}',
        "[" * 200_000 + "]" * 200_000,
        '{"a": ' + "1" * 5_000 + "}",
        '{"a": "]}\\"[{", "b": oops}',
        "nope",
    ],
)
def test_an_item_that_is_none_costs_just_itself(bad: str) -> None:
    raw = f'[{{"n": 1}}, {bad}, {{"n": "]"}}]'.encode()
    first, second, third = items(io.BytesIO(raw).read)
    assert (first.value, third.value) == ({"n": 1}, {"n": "]"})
    assert isinstance(second.value, Broken)


@pytest.mark.requirement("M06")
def test_an_item_that_is_too_large_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(splitting, "MOST_CHARACTERS", 1_000_000)
    raw = json.dumps([1, {"text": "]" * 3_000_000}, {"after": True}]).encode()
    first, second, third = items(io.BytesIO(raw).read)
    assert (first.value, third.value) == (1, {"after": True})
    assert isinstance(second.value, Broken)
    assert "1,000,000" in second.value.why


@pytest.mark.requirement("M06")
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_byte_order_mark_says_how_it_is_read(encoding: str) -> None:
    assert told('["größe 🦓", 2]'.encode(encoding)) == ["größe 🦓", 2]


@pytest.mark.requirement("M06")
def test_other_files_are_values_one_after_the_other() -> None:
    assert told(b'{"a": 1}\n{"a": 2}\n') == [{"a": 1}, {"a": 2}]
    assert told(b"") == ["the file is empty"]
    assert told(b"[]") == []
    assert told(b"[1 2]") == [1, "it is no JSON, and what comes after it can't be read"]


@pytest.mark.requirement("M06")
@pytest.mark.parametrize(
    "raw",
    [
        b'["' + b"\\" * 4_000_000,
        b"[" + b'{"a":' * 400_000,
        b"[" + b"{" * 3_000_000,
        b"[nope" + b'"' * 3_000_001,
        b"[" + b"1," * 200_000,
    ],
)
def test_nothing_takes_long(raw: bytes) -> None:
    began = time.process_time()
    assert sum(1 for _ in items(io.BytesIO(raw).read)) >= 1
    assert time.process_time() - began < 5

"""Rows of small integers: made, compared, and searched, against plain arithmetic."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoro.memory.recall.vectors import code, cosines, nearest, quantised, scale

pytestmark = pytest.mark.requirement("R02")

_WIDTH = 24
_ROW = st.binary(min_size=_WIDTH, max_size=_WIDTH)
_FINITE = st.floats(-1e6, 1e6)


def directions(count: int, width: int, seed: int = 1) -> list[list[float]]:
    chance = random.Random(seed)
    return [[chance.gauss(0, 1) for _ in range(width)] for _ in range(count)]


def signed(row: bytes) -> list[int]:
    return memoryview(row).cast("b").tolist()


def plain_cosine(one: Sequence[float], other: Sequence[float]) -> float:
    product = math.fsum(a * b for a, b in zip(one, other, strict=True))
    return product / math.hypot(*one) / math.hypot(*other)


def plain_product(one: bytes, other: bytes) -> int:
    return sum(a * b for a, b in zip(signed(one), signed(other), strict=True))


# --- Making rows ----------------------------------------------------------------------------------


def test_a_row_is_of_unit_length_before_it_is_rounded() -> None:
    assert signed(quantised([3.0, -4.0])) == [
        round(25 * math.sqrt(2) * part) for part in (0.6, -0.8)
    ]
    assert quantised([0.003, -0.004]) == quantised([3e200, -4e200]) == quantised([3.0, -4.0])


def test_a_component_that_stands_out_is_cut_off() -> None:
    assert signed(quantised([0.0] * 99 + [-1.0])) == [0] * 99 + [-127]


@pytest.mark.parametrize(
    "values",
    [[], [0.0, -0.0], [math.nan, 1.0], [math.inf, 1.0], [1e308] * 9, [5e-324], [5e-324, 0.0]],
    ids=["none", "zero", "nan", "infinite", "too-long", "too-short", "too-short-too"],
)
def test_what_has_no_direction_has_no_row(values: list[float]) -> None:
    assert quantised(values) == b""


@given(st.lists(_FINITE, max_size=40))
def test_a_row_points_where_its_vector_does(values: list[float]) -> None:
    row = quantised(values)
    assert len(row) in {0, len(values)}
    for value, small in zip(values, signed(row), strict=False):
        assert small == 0 or (small > 0) == (value > 0)


# --- Cosines --------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [8, 256, 1000, 3072])
@pytest.mark.parametrize("count", [1, 31, 32, 33, 130])
def test_cosines_are_those_of_the_vectors(width: int, count: int) -> None:
    vectors = directions(count, width)
    query = [one + other for one, other in zip(vectors[0], directions(1, width, 2)[0], strict=True)]
    found = cosines(quantised(query), [quantised(vector) for vector in vectors])
    # A component is off by half a step at most, and most of them by less either way.
    allowed = 3 / scale(width)
    wanted = [plain_cosine(query, vector) for vector in vectors]
    assert found == pytest.approx(wanted, abs=allowed if width > 8 else 0.1)


@given(_ROW, st.lists(_ROW, max_size=70))
def test_lanes_add_up_as_plain_sums_do(query: bytes, rows: list[bytes]) -> None:
    unit = scale(_WIDTH) ** 2
    assert cosines(query, rows) == [plain_product(query, row) / unit for row in rows]


@pytest.mark.parametrize("value", [-128, -127, 127])
def test_lanes_hold_the_greatest_sums_there_are(value: int) -> None:
    row = bytes([value & 255]) * 3072
    opposite = bytes([127]) * 3072
    unit = scale(3072) ** 2
    assert (
        cosines(row, [row, opposite] * 20)
        == [
            3072 * value * value / unit,
            3072 * value * 127 / unit,
        ]
        * 20
    )


@given(_ROW, st.lists(st.one_of(_ROW, st.binary(max_size=_WIDTH * 2)), max_size=60))
def test_a_row_of_another_width_is_like_nothing(query: bytes, rows: list[bytes]) -> None:
    found = cosines(query, rows)
    assert len(found) == len(rows)
    for row, cosine in zip(rows, found, strict=True):
        alone = cosines(query, [row])[0]
        assert cosine == (alone if len(row) == _WIDTH else 0.0)


def test_a_query_without_a_row_is_like_nothing() -> None:
    assert cosines(b"", [b"", b"\x01\x02"]) == [0.0, 0.0]
    assert cosines(b"\x01", []) == []


# --- Codes ----------------------------------------------------------------------------------------


def test_a_code_has_a_bit_for_each_sign() -> None:
    assert code(bytes(value & 255 for value in (1, -1, 0, -128, 127, -2, 3, -4))) == b"\xaa"
    assert len(code(bytes(256))) == 32
    assert code(b"") == b""


@given(st.integers(1, 70).flatmap(lambda width: st.tuples(
    st.binary(min_size=width, max_size=width),
    st.lists(st.binary(min_size=width, max_size=width), max_size=40),
)), st.integers(0, 50))  # fmt: skip
def test_the_nearest_are_those_of_a_plain_count(
    case: tuple[bytes, list[bytes]], limit: int
) -> None:
    wanted, codes = case
    number = int.from_bytes(wanted, "big")
    distances = [(number ^ int.from_bytes(other, "big")).bit_count() for other in codes]
    order = sorted(range(len(codes)), key=distances.__getitem__)[:limit]
    assert nearest(wanted, b"".join(codes), limit) == [(at, distances[at]) for at in order]


@pytest.mark.parametrize("width", [31, 32, 33, 384])
def test_a_code_and_its_opposite_differ_in_every_bit(width: int) -> None:
    codes = b"".join((b"\xff" * width, bytes(width), b"\xff" * width))
    bits = 8 * width
    assert nearest(bytes(width), codes, 9) == [(1, 0), (0, bits), (2, bits)]


def test_what_stands_first_is_first_among_equals() -> None:
    assert nearest(b"\x0f", b"\x0e\x0f\x0d\x0f", 3) == [(1, 0), (3, 0), (0, 1)]


def test_a_block_that_is_cut_is_refused() -> None:
    with pytest.raises(ValueError, match="no whole number of codes"):
        nearest(b"\x00\x00", b"\x00\x00\x00", 1)
    assert nearest(b"", b"", 3) == nearest(b"\x00", b"", 3) == nearest(b"\x00", b"\x00", 0) == []


def test_near_vectors_have_near_codes() -> None:
    vectors = directions(2_000, 256)
    query = [
        one + other / 3 for one, other in zip(vectors[77], directions(1, 256, 2)[0], strict=True)
    ]
    codes = b"".join(code(quantised(vector)) for vector in vectors)
    found = nearest(code(quantised(query)), codes, 10)
    assert found[0][0] == 77
    assert found[0][1] < 60 < found[1][1]

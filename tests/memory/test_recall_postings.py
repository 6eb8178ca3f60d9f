"""Where stems stand, as bytes: against a dict that holds the same."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoro.memory.recall.entries import (
    MOST_PARTS,
    PART_TOKENS,
    entry,
    saturations,
)
from memoro.memory.recall.postings import (
    BLOCK_UNITS,
    block_of,
    decoded,
    encoded,
    merged,
    offset_of,
    unit_at,
    without,
)
from memoro.memory.recall.words import tokens

pytestmark = pytest.mark.requirement("R01")

OFFSETS = st.integers(0, (1 << 16) - 1)
PLACES = st.dictionaries(OFFSETS, st.integers(0, 255), max_size=60)
UNITS = st.integers(0, 1 << 40)
PARTS = st.integers(0, MOST_PARTS - 1)


def as_dict(data: bytes) -> dict[int, int]:
    offsets, codes = decoded(data)
    assert list(offsets) == sorted(set(offsets)), "sorted, none twice"
    return dict(zip(offsets, codes, strict=True))


@given(PLACES, st.randoms(use_true_random=False))
def test_what_is_encoded_comes_back_in_any_order(places: dict[int, int], chance: Random) -> None:
    pairs = list(places.items())
    chance.shuffle(pairs)
    data = encoded(pairs)
    assert as_dict(data) == places
    assert len(data) == 3 * len(places)


@given(PLACES, PLACES)
def test_merging_is_that_of_dicts(known: dict[int, int], more: dict[int, int]) -> None:
    assert as_dict(merged(encoded(known.items()), more.items())) == {**known, **more}


@given(PLACES, st.sets(OFFSETS, max_size=20), st.integers(0, 30))
def test_taking_out_leaves_all_others(places: dict[int, int], gone: set[int], some: int) -> None:
    gone |= set(list(places)[:some])
    left = {offset: code for offset, code in places.items() if offset not in gone}
    data = without(encoded(places.items()), gone)
    assert as_dict(data) == left
    assert bool(data) == bool(left)


@given(PLACES, PLACES)
def test_what_was_merged_and_taken_out_leaves_no_trace(
    known: dict[int, int], more: dict[int, int]
) -> None:
    new = {offset: code for offset, code in more.items() if offset not in known}
    before = encoded(known.items())
    assert without(merged(before, new.items()), new.keys()) == before


@given(UNITS, PARTS)
def test_an_address_is_its_unit_and_part(unit: int, part: int) -> None:
    offset = offset_of(unit, part)
    assert 0 <= offset < 1 << 16
    assert (unit_at(block_of(unit), offset), offset & 15) == (unit, part)


@given(UNITS, UNITS, PARTS, PARTS)
def test_no_two_places_share_an_address(a: int, b: int, x: int, y: int) -> None:
    if (a, x) != (b, y):
        assert (block_of(a), offset_of(a, x)) != (block_of(b), offset_of(b, y))


@given(st.integers(0, 1 << 20), st.lists(st.integers(0, BLOCK_UNITS - 1), unique=True, max_size=40))
def test_places_stand_in_the_order_of_their_units(block: int, units: list[int]) -> None:
    start = block * BLOCK_UNITS
    data = encoded((offset_of(start + unit, 15), 1) for unit in units)
    assert [unit_at(block, offset) for offset in decoded(data).offsets] == [
        start + unit for unit in sorted(units)
    ]


WORDS = st.lists(
    st.sampled_from(["go", "rust", "blue", "door", "1.23", "天", "नमस्ते", "!", "Ana's", "went"]),
    max_size=30,
)


@given(WORDS, st.integers(0, 200))
def test_an_entry_has_every_token_once(words: list[str], times: int) -> None:
    text = " ".join(words * times)
    found, made = tokens(text), entry(text)
    assert made.length == len(found)
    assert {stem for part in made.parts for stem in part} == set(found)
    assert len(made.parts) == min(MOST_PARTS, -(-len(found) // PART_TOKENS))
    counts = {stem: sum(part.get(stem, 0) >> 4 for part in made.parts) for stem in found}
    assert all(0 < count <= found.count(stem) for stem, count in counts.items())
    assert all(0 <= code <= 255 for part in made.parts for code in part.values())


def test_a_text_of_any_length_has_parts_that_fit_their_addresses() -> None:
    made = entry(" ".join(f"word{number}" for number in range(100_000)))
    assert len(made.parts) == MOST_PARTS
    assert sum(map(len, made.parts)) == made.length == 100_000


@pytest.mark.parametrize("pivot", [15.0, 40.0])
def test_more_often_is_worth_more_and_longer_is_worth_less(pivot: float) -> None:
    worth = saturations(pivot, 1.2, 0.75)
    for step in range(16):
        often = [worth[count << 4 | step] for count in range(16)]
        assert often == sorted(often)
        assert (often[0], often[15] < 2.2) == (0, True)
    for count in range(1, 16):
        longer = [worth[count << 4 | step] for step in range(16)]
        assert longer == sorted(longer, reverse=True)
    # Nothing is rewarded for being shorter than the pivot.
    assert worth[1 << 4] == pytest.approx(1.0)

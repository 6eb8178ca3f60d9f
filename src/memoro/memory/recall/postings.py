"""Where a stem stands, as bytes.

A part of a text has an address: its unit (a turn, a record) and its place in that. The places of a
stem are kept in blocks of units, sorted: first all offsets within the block, two bytes each, then a
code each (see `entries`).
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

PART_BITS = 4
PARTS = 1 << PART_BITS
BLOCK_BITS = 12
BLOCK_UNITS = 1 << BLOCK_BITS


class Places(NamedTuple):
    """The places of a stem in one block: sorted offsets, and a code each."""

    offsets: Sequence[int]
    codes: bytes


def block_of(unit: int) -> int:
    """The block that a unit lies in."""
    return unit >> BLOCK_BITS


def offset_of(unit: int, part: int) -> int:
    """The offset of a part within its unit's block."""
    return (unit & (BLOCK_UNITS - 1)) << PART_BITS | part


def unit_at(block: int, offset: int) -> int:
    """The unit at an offset of a block."""
    return block << BLOCK_BITS | offset >> PART_BITS


def decoded(data: bytes) -> Places:
    """The places that stand in these bytes."""
    size = len(data) // 3
    offsets = array("H", data[: 2 * size])
    if sys.byteorder == "big":
        offsets.byteswap()
    return Places(offsets, data[2 * size :])


def encoded(places: Iterable[tuple[int, int]]) -> bytes:
    """The bytes of offsets with their codes, in any order."""
    ordered = sorted(places)
    offsets = array("H", [offset for offset, _ in ordered])
    if sys.byteorder == "big":
        offsets.byteswap()
    return offsets.tobytes() + bytes(code for _, code in ordered)


def merged(data: bytes, places: Iterable[tuple[int, int]]) -> bytes:
    """These bytes with more places in them."""
    known, new = decoded(data), sorted(places)
    if known.offsets and new and new[0][0] > known.offsets[-1]:
        # Mostly what is new stands behind what is known.
        more = encoded(new)
        end, size = 2 * len(known.codes), 2 * len(new)
        return b"".join((data[:end], more[:size], data[end:], more[size:]))
    return encoded({**dict(zip(*known, strict=True)), **dict(new)}.items())


def without(data: bytes, offsets: Collection[int]) -> bytes:
    """These bytes without some places; empty where none is left."""
    return encoded(pair for pair in zip(*decoded(data), strict=True) if pair[0] not in offsets)

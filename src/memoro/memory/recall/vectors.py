"""Rows of small integers: made, compared by cosine, and searched by their signs.

Large integers serve as lanes: one addition adds a column of a thousand numbers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from operator import mul

_PEAK = 127
_MIDDLE = 128
_FEW = 32  # below so many rows, lanes cost more than they save
_LANE = 4  # bytes a sum of products needs: 255 x 127 x 132,000 dimensions
_COLUMNS = 31  # bytes of bits whose differences, eight each at most, still fit one byte

_FLIPPED = bytes((value + _MIDDLE) % 256 for value in range(256))
_SIGNS = bytes(b"1"[0] if value < _MIDDLE else b"0"[0] for value in range(256))


def scale(width: int) -> float:
    """What a component of a unit vector of this width is multiplied by before rounding.

    An average component comes to 25, so that one five times as large is just cut off.
    """
    return 25 * math.sqrt(width)


def quantised(values: Sequence[float]) -> bytes:
    """The row of a vector: of unit length, then one signed byte a dimension.

    Empty where there is no direction: no values, all zero, or one that is not finite.
    """
    length = math.hypot(*values)
    factor = scale(len(values)) / length if length else math.inf
    if not (math.isfinite(length) and math.isfinite(factor)):
        return b""
    return bytes(max(-_PEAK, min(_PEAK, round(value * factor))) & 255 for value in values)


def cosines(query: bytes, rows: Sequence[bytes]) -> list[float]:
    """The cosine of each row with the query; 0.0 for a row that is empty or of another width."""
    width = len(query)
    if not width:
        return [0.0] * len(rows)
    unit = scale(width) ** 2
    alike = [row for row in rows if len(row) == width]
    products = _products(query, alike)
    if len(alike) == len(rows):
        return [product / unit for product in products]
    found = iter(products)
    return [next(found) / unit if len(row) == width else 0.0 for row in rows]


def _products(query: bytes, rows: Sequence[bytes]) -> list[int]:
    weights = memoryview(query).cast("b").tolist()
    if len(rows) < _FEW:
        return [sum(map(mul, weights, memoryview(row).cast("b"))) for row in rows]
    groups = -(-len(rows) // _LANE)
    masks = [int.from_bytes(_spread(place) * groups, "little") for place in range(_LANE)]
    joined = b"".join(rows).translate(_FLIPPED)
    above = _weighed(joined, [max(weight, 0) for weight in weights], masks)
    below = _weighed(joined, [max(-weight, 0) for weight in weights], masks)
    bias = _MIDDLE * sum(weights)
    products = [0] * (groups * _LANE)
    for place in range(_LANE):
        plus = _lanes(above[place] >> 8 * place, groups)
        minus = _lanes(below[place] >> 8 * place, groups)
        products[place::_LANE] = [p - m - bias for p, m in zip(plus, minus, strict=True)]
    return products[: len(rows)]


def _spread(place: int) -> bytes:
    return bytes(255 if at == place else 0 for at in range(_LANE))


def _weighed(joined: bytes, weights: Sequence[int], masks: Sequence[int]) -> list[int]:
    """The sums of the weighted columns, of every fourth row from each of the first four."""
    width = len(weights)
    first, second, third, fourth = masks
    a = b = c = d = 0
    for column, weight in enumerate(weights):
        if weight:
            values = int.from_bytes(joined[column::width], "little")
            a += (values & first) * weight
            b += (values & second) * weight
            c += (values & third) * weight
            d += (values & fourth) * weight
    return [a, b, c, d]


def _lanes(number: int, count: int) -> memoryview[int]:
    return memoryview(number.to_bytes(count * _LANE, "little")).cast("I")


def code(row: bytes) -> bytes:
    """The signs of a row, eight a byte; rows that are near each other differ in few of them."""
    if not row:
        return b""
    return int(row.translate(_SIGNS), 2).to_bytes(-(-len(row) // 8), "big")


def nearest(code: bytes, codes: bytes, limit: int) -> list[tuple[int, int]]:
    """The positions of the nearest codes in a block of them, each with the bits that differ.

    The nearest come first, and of equally near ones those that stand earlier.

    Raises:
        ValueError: the block doesn't consist of whole codes.
    """
    if not code or not codes or limit <= 0:
        return []
    count, rest = divmod(len(codes), len(code))
    if rest:
        raise ValueError(f"{len(codes)} bytes are no whole number of codes of {len(code)}")
    low, high = _distances(code, codes, count)
    if not any(high):
        return _smallest(low, limit)
    distances = [lower + 256 * upper for lower, upper in zip(low, high, strict=True)]
    order = sorted(range(count), key=distances.__getitem__)[:limit]
    return [(position, distances[position]) for position in order]


def _distances(code: bytes, codes: bytes, count: int) -> tuple[bytes, bytes]:
    """How many bits of each code differ, as the lower and the upper bytes of the numbers."""
    pairs = -(-count // 2)
    mask = int.from_bytes(b"\xff\x00" * pairs, "little")
    even = odd = 0
    for start in range(0, len(code), _COLUMNS):
        sums = 0
        for column in range(start, min(start + _COLUMNS, len(code))):
            differing = codes[column :: len(code)].translate(_differing(code[column]))
            sums += int.from_bytes(differing, "little")
        even += sums & mask
        odd += sums >> 8 & mask
    low, high = bytearray(2 * pairs), bytearray(2 * pairs)
    for offset, number in enumerate((even, odd)):
        lanes = number.to_bytes(2 * pairs, "little")
        low[offset::2], high[offset::2] = lanes[::2], lanes[1::2]
    return bytes(low[:count]), bytes(high[:count])


@lru_cache(maxsize=256)
def _differing(byte: int) -> bytes:
    """For every byte, the number of bits in which it differs from this one."""
    return bytes((other ^ byte).bit_count() for other in range(256))


def _smallest(distances: bytes, limit: int) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for distance in range(256):
        position = distances.find(distance)
        while position >= 0 and len(found) < limit:
            found.append((position, distance))
            position = distances.find(distance, position + 1)
        if len(found) == limit:
            break
    return found

"""The bundled embedder: averaged word vectors, on this machine, within microseconds."""

from __future__ import annotations

import math
import mmap
import os
import struct
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from itertools import accumulate, pairwise
from operator import mul
from typing import NamedTuple

from memoro.memory.recall.embedding import Purpose
from memoro.memory.recall.vectors import scale
from memoro.memory.recall.words import surface

FOLDER = os.path.join(os.path.dirname(__file__), "weights")
COMMONNESS = 3e-4  # the share of all words at which a word counts half
UNKNOWN_SHARE = 3e-4  # of a word that is not in the list: a name, mostly, whose pieces say little

MAGIC = b"memoro-static-1\n"
HEADER = struct.Struct("<16sIII")  # magic, pieces, width, bytes of the pieces' text
_KEPT_WORDS = 16_384  # about 20 MB
_READ_LETTERS = 24  # of a word; the end of a longer one, a key or a compound, says little
_LANE = 4  # bytes
_FRACTION = 1 << 17  # how finely weights are kept
_BLOCK = 2_000  # words whose lanes can't overflow: 127 x 8/127 x 2**17 each at most
_MIDDLE = 1 << 31
_FLIPPED = bytes((value + 128) % 256 for value in range(256))


class Frequency(NamedTuple):
    """How common a word is in conversations."""

    share_of_words: float
    share_of_turns: float


class Table(NamedTuple):
    """The sub-word pieces and their rows, read from the file as they are needed."""

    width: int
    mean: tuple[float, ...]
    scales: memoryview[float]
    places: dict[str, int]
    rows: memoryview


def frequencies(folder: str = FOLDER) -> dict[str, Frequency]:
    """The common words of conversations; one that is not here is rare."""
    with open(os.path.join(folder, "frequencies.tsv"), encoding="utf-8") as lines:
        fields = (line.split("\t") for line in lines if not line.startswith("#"))
        return {word: Frequency(float(words), float(turns)) for word, words, turns in fields}


def read_table(path: str) -> Table:
    """The table in this file, its rows left where they are.

    Raises:
        OSError: the file can't be read.
        ValueError: it is no such table.
    """
    with open(path, "rb") as file:
        head = file.read(HEADER.size).ljust(HEADER.size)
        magic, count, width, text = HEADER.unpack(head)
        ends = list(accumulate((HEADER.size, 4 * width, 4 * count, text, count * width)))
        if magic != MAGIC or os.fstat(file.fileno()).st_size != ends[-1]:
            raise ValueError(f"{path} is damaged; install memoro again")
        block = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    mean, scales, names, rows = (block[start:end] for start, end in pairwise(ends))
    places = {piece: at for at, piece in enumerate(str(names, "utf-8").split("\n"))}
    return Table(width, tuple(mean.cast("f")), scales.cast("f"), places, rows)


def pieces(word: str, places: dict[str, int]) -> list[int]:
    """The places of the pieces that make up a word, as the table's tokenizer cuts it.

    The pair of neighbours whose joined piece stands first in the table is joined until
    none is left; a letter without a piece becomes its bytes.
    """
    whole = places.get("▁" + word)
    if whole is not None:
        return [whole]
    parts = ["▁", *word[:_READ_LETTERS]]
    never = len(places)
    joined = [places.get(one + other, never) for one, other in pairwise(parts)]
    while joined and (best := min(joined)) < never:
        at = joined.index(best)
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
        before = at - 1 if at else 0
        joined[before : at + 2] = [
            places.get(one + other, never) for one, other in pairwise(parts[before : at + 2])
        ]
    return [place for part in parts for place in _places_of(part, places)]


def _places_of(part: str, places: dict[str, int]) -> Iterable[int]:
    place = places.get(part)
    if place is not None:
        return (place,)
    return (places[f"<0x{byte:02X}>"] for byte in part.encode("utf-8", "surrogatepass"))


class StaticEmbedder:
    """Vectors from the table of this package.

    A text's vector is the sum of its words' vectors, common words counting little, of unit
    length, less the mean of many texts. A word's vector is the mean of its pieces'.
    """

    is_local = True
    reads_all_scripts = False

    def __init__(self, folder: str = FOLDER) -> None:
        """Raises as `read_table` does."""
        self._table = read_table(os.path.join(folder, "pieces.bin"))
        self._folder = folder
        self._word = lru_cache(maxsize=_KEPT_WORDS)(self._word_lanes)
        width = self._table.width
        self._ones = int.from_bytes((1).to_bytes(_LANE, "little") * width, "little")
        self._middles = (float(_MIDDLE),) * width
        self._mean_length = math.hypot(*self._table.mean)
        self._mean_sum = math.fsum(self._table.mean)

    @property
    def identity(self) -> str:
        return f"memoro-static:1:{self._table.width}"

    def embed(self, texts: Sequence[str], purpose: Purpose) -> list[bytes]:
        """The rows of these texts; questions and passages alike."""
        return [self._row(text) for text in texts]

    def direction(self, text: str) -> tuple[float, ...]:
        """The vector of a text, of unit length, before the mean is taken off; empty if none."""
        lanes = self._lanes(text)
        length = math.dist(lanes, self._middles) if lanes else 0.0
        return tuple((lane - _MIDDLE) / length for lane in lanes) if length else ()

    def _row(self, text: str) -> bytes:
        lanes = self._lanes(text)
        length = math.dist(lanes, self._middles) if lanes else 0.0
        if not length:
            return b""
        mean = self._table.mean
        along = (sum(map(mul, lanes, mean)) - _MIDDLE * self._mean_sum) / length
        squared = 1 - 2 * along + self._mean_length**2
        if squared < 1e-9:
            return b""
        factor = scale(len(lanes)) / math.sqrt(squared)
        step, start = factor / length, factor / length * _MIDDLE - 128.5
        values = [
            int(lane * step - middle * factor - start)
            for lane, middle in zip(lanes, mean, strict=True)
        ]
        if min(values) < 1 or max(values) > 255:
            values = [max(1, min(255, value)) for value in values]
        return bytes(values).translate(_FLIPPED)

    def _lanes(self, text: str) -> tuple[int, ...]:
        """The sum of the words' vectors, each number raised by half the range."""
        words = surface(text)
        if not words:
            return ()
        if len(words) <= _BLOCK:
            return self._sum(words)
        blocks = [self._sum(words[at : at + _BLOCK]) for at in range(0, len(words), _BLOCK)]
        spare = _MIDDLE * (len(blocks) - 1)
        return tuple(sum(column) - spare for column in zip(*blocks, strict=True))

    def _sum(self, words: Sequence[str]) -> tuple[int, ...]:
        total = sum(map(self._word, words)) + _MIDDLE * self._ones
        size = self._table.width * _LANE
        return tuple(memoryview(total.to_bytes(size, "little")).cast("I"))

    def _word_lanes(self, word: str) -> int:
        """A word's weighted vector, a lane a number; lanes below zero borrow from the next."""
        table = self._table
        places = pieces(word, table.places)
        fraction = self._weight(word) / len(places) * _FRACTION
        total = 0
        wide = bytearray(table.width * _LANE)
        for place in places:
            row = table.rows[place * table.width : (place + 1) * table.width].tobytes()
            wide[::_LANE] = row.translate(_FLIPPED)
            weight = round(table.scales[place] * fraction)
            total += (int.from_bytes(wide, "little") - 128 * self._ones) * weight
        return total

    def _weight(self, word: str) -> float:
        known = self._known.get(word)
        return COMMONNESS / (COMMONNESS + (known.share_of_words if known else UNKNOWN_SHARE))

    @cached_property
    def _known(self) -> dict[str, Frequency]:
        return frequencies(self._folder)

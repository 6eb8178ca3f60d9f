"""The search index as ranking asks it: `memoro.memory.recall.finding.Finder`."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from itertools import accumulate
from typing import NamedTuple

import apsw

from memoro.backends.sqlite.database import run
from memoro.backends.sqlite.searching.adding import code_at, waiting_key
from memoro.backends.sqlite.searching.shelves import answering
from memoro.backends.sqlite.searching.vectors import near, rows_of
from memoro.memory.recall.finding import Group, Shelf, ShelfName, Unit, to_micros
from memoro.memory.recall.postings import Places, block_of, decoded, encoded, merged, offset_of

_UNIT = "id, owner, kind, scope, at, session, first, size, role, speaker, flags"
_AT_ONCE = 500
"""How many values one statement is given."""

_MOST_KEPT = 10_000
_MOST_KEPT_PLACES = 2_000_000
"""Units and places that are kept between questions: about 5 MB each."""


class _Waiting(NamedTuple):
    """Units whose places are not in place yet: where the text of each begins in that of all."""

    starts: Sequence[int]
    units: Sequence[int]
    text: str


class SqliteFinder:
    """Reads the shelves that answer. `embedder` is whose vectors count, by its number in the store
    with the bytes of a row; None for words alone."""

    def __init__(self, connection: apsw.Connection, embedder: tuple[int, int] | None) -> None:
        self._connection = connection
        self._embedder = embedder
        self._numbers: dict[ShelfName, int] = {}
        # The same is asked for with each sentence of a question, and often with the next question.
        self._units: dict[int, Unit] = {}
        self._groups: dict[int, Group] = {}
        self._places: dict[tuple[int, str], Mapping[int, Places]] = {}
        self._kept_places = 0
        self._waiting: dict[int, _Waiting] = {}

    @property
    def is_full(self) -> bool:
        """Whether it keeps as much of what it has read as it may."""
        return len(self._units) > _MOST_KEPT or self._kept_places > _MOST_KEPT_PLACES

    def shelf(self, name: ShelfName) -> Shelf | None:
        """See `memoro.memory.recall.finding.Finder`."""
        row = answering(self._connection, name)
        if row is None:
            return None
        self._numbers[name] = row.id
        ((units, parts, groups, tokens),) = run(
            self._connection,
            "SELECT units, parts, groups, tokens FROM derived_shelves WHERE id = ?",
            [row.id],
        )
        return Shelf(name, int(str(units)), int(str(parts)), int(str(groups)), int(str(tokens)))

    def places(self, shelf: ShelfName, stems: Sequence[str]) -> list[Mapping[int, Places]]:
        """See `memoro.memory.recall.finding.Finder`."""
        number = self._numbers[shelf]
        new = [stem for stem in stems if (number, stem) not in self._places]
        fresh = self._fresh(number, new) if new else {}
        for stem in new:
            rows = run(
                self._connection,
                "SELECT block, data FROM derived_places WHERE shelf = ? AND stem = ?",
                [number, stem],
            )
            known = {int(str(block)): data for block, data in rows if isinstance(data, bytes)}
            for block, more in fresh.get(stem, {}).items():
                data = known.get(block)
                known[block] = encoded(more) if data is None else merged(data, more)
            self._places[number, stem] = {block: decoded(data) for block, data in known.items()}
            self._kept_places += sum(map(len, known.values())) // 3
        return [self._places[number, stem] for stem in stems]

    def units(self, ids: Collection[int]) -> dict[int, Unit]:
        """See `memoro.memory.recall.finding.Finder`."""
        known = self._units
        numbers = sorted(number for number in ids if number not in known)
        for start in range(0, len(numbers), _AT_ONCE):
            some = numbers[start : start + _AT_ONCE]
            places = ", ".join("?" * len(some))
            rows = self._connection.execute(
                f"SELECT {_UNIT} FROM derived_units WHERE id IN ({places})", some
            )
            known |= {row[0]: Unit(*row) for row in rows}
        return {number: known[number] for number in ids if number in known}

    def group(self, shelf: ShelfName, session: str) -> int | None:
        """See `memoro.memory.recall.finding.Finder`."""
        rows = run(
            self._connection,
            "SELECT id FROM derived_sessions WHERE shelf = ? AND name = ?",
            [self._numbers[shelf], session],
        )
        return int(str(rows[0][0])) if rows else None

    def groups(self, numbers: Collection[int]) -> dict[int, Group]:
        """See `memoro.memory.recall.finding.Finder`."""
        spans: dict[int, list[tuple[int, int]]] = defaultdict(list)
        links: dict[int, list[tuple[int, int]]] = defaultdict(list)
        tokens: dict[int, int] = {}
        wanted = [number for number in numbers if number not in self._groups]
        for start in range(0, len(wanted), _AT_ONCE):
            some = wanted[start : start + _AT_ONCE]
            places = ", ".join("?" * len(some))
            for group, length, first, size, follows in self._connection.execute(
                "SELECT g.id, g.tokens, s.first, s.size, s.follows FROM derived_sessions g"
                " JOIN derived_spans s ON s.session = g.id AND s.shelf = g.shelf"
                f" WHERE g.id IN ({places})",
                some,
            ):
                tokens[group] = length
                spans[group].append((first, size))
                if follows is not None:
                    links[group].append((follows, first))
        self._groups |= {
            number: Group(tuple(spans[number]), length, tuple(links[number]))
            for number, length in tokens.items()
        }
        return {number: self._groups[number] for number in numbers if number in self._groups}

    def rows(self, ids: Collection[int]) -> dict[int, Sequence[bytes]]:
        """See `memoro.memory.recall.finding.Finder`."""
        if self._embedder is None:
            return {}
        number, width = self._embedder
        return rows_of(self._connection, number, ids, width)

    def near(self, shelf: ShelfName, row: bytes, limit: int) -> list[int]:
        """See `memoro.memory.recall.finding.Finder`."""
        if self._embedder is None or len(row) != self._embedder[1]:
            return []
        return near(self._connection, self._embedder[0], self._numbers[shelf], row, limit)

    def between(
        self, shelf: ShelfName, since: datetime | None, until: datetime | None, limit: int
    ) -> list[int]:
        """See `memoro.memory.recall.finding.Finder`."""
        where, values = "shelf = ?", [self._numbers[shelf]]
        if since is not None:
            where, values = f"{where} AND at >= ?", [*values, to_micros(since)]
        if until is not None:
            where, values = f"{where} AND at < ?", [*values, to_micros(until)]
        sql = f"SELECT id FROM derived_units WHERE {where} ORDER BY at DESC, id DESC LIMIT ?"
        return [int(str(row[0])) for row in run(self._connection, sql, [*values, limit])]

    def speakers(
        self, shelf: ShelfName, since: datetime | None, until: datetime | None, limit: int
    ) -> set[str]:
        """See `memoro.memory.recall.finding.Finder`."""
        ids = self.between(shelf, since, until, limit)
        rows = run(
            self._connection,
            "SELECT DISTINCT speaker FROM derived_units"
            " WHERE id IN (SELECT value FROM json_each(?))",
            [f"{ids}"],
        )
        return {str(speaker) for (speaker,) in rows if speaker}

    def _fresh(
        self, shelf: int, stems: Sequence[str]
    ) -> dict[str, dict[int, list[tuple[int, int]]]]:
        """The places of these stems in units that wait to be put among the others."""
        if shelf not in self._waiting:
            self._waiting[shelf] = _read_waiting(self._connection, shelf)
        starts, units, text = self._waiting[shelf]
        found: dict[str, dict[int, list[tuple[int, int]]]] = {}
        for stem in stems:
            key = waiting_key(stem)
            at = text.find(key)
            while at >= 0:
                place = bisect_right(starts, at) - 1
                unit = units[place]
                offset = offset_of(unit, text.count("\n", starts[place], at))
                code = code_at(text, at + len(key))
                found.setdefault(stem, {}).setdefault(block_of(unit), []).append((offset, code))
                at = text.find(key, at + 1)
        return found


def _read_waiting(connection: apsw.Connection, shelf: int) -> _Waiting:
    rows = run(connection, "SELECT unit, stems FROM derived_fresh WHERE shelf = ?", [shelf])
    texts = [str(stems) for _, stems in rows]
    starts = list(accumulate((len(text) for text in texts), initial=0))[:-1]
    return _Waiting(starts, [int(str(unit)) for unit, _ in rows], "".join(texts))

"""A search index in memory: `memoro.memory.recall.finding.Finder`, made of entries and postings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from memoro.memory.dates.window import ZoneCalendar
from memoro.memory.recall.asked import Asked, Ranked
from memoro.memory.recall.entries import Entry, entry
from memoro.memory.recall.finding import Group, Shelf, ShelfName, Unit, to_micros
from memoro.memory.recall.postings import Places, block_of, decoded, encoded, offset_of
from memoro.memory.recall.ranking import rank_records, rank_turns
from memoro.memory.recall.turns import flags_of
from memoro.memory.recall.vectors import cosines
from memoro.memory.records import GLOBAL

NOW = datetime(2026, 5, 2, 16, 10, tzinfo=UTC)
CALENDAR = ZoneCalendar(UTC)
_HOUR = timedelta(hours=1)
_BETWEEN_RUNS = 2
"""Numbers at the end of a run that no unit has, so that nothing is beside what is in another."""


class Index:
    """Both shelves. The vector of a text is what `vectors` has for it, if anything."""

    def __init__(self, vectors: Mapping[str, bytes] | None = None) -> None:
        self.vectors = vectors or {}
        self.texts: dict[int, str] = {}
        self._units: dict[ShelfName, dict[int, Unit]] = {"turn": {}, "record": {}}
        self._entries: dict[int, Entry] = {}
        self._groups: dict[str, int] = {}
        self._next = 0

    def talk(
        self, session: str, *turns: str | tuple[str, Mapping[str, Any]], at: datetime = NOW
    ) -> list[int]:
        """A conversation, a minute a turn; gives the turns' numbers. A turn is a text, or one with
        `role`, `speaker`, `scope`, `after` (minutes that pass before it)."""
        group = self._groups.setdefault(session, len(self._groups) + 1)
        made: list[Unit] = []
        said = at
        for turn in turns:
            text, more = (turn, {}) if isinstance(turn, str) else turn
            pause = timedelta(minutes=more.get("after", 1))
            said += pause
            if pause > _HOUR:
                self._next += _BETWEEN_RUNS
            unit = Unit(
                self._number(text),
                f"{session}.{len(made)}",
                "turn",
                more.get("scope", GLOBAL),
                to_micros(said),
                group,
                role=more.get("role", "user"),
                speaker=more.get("speaker"),
                flags=flags_of(text),
            )
            made.append(unit)
        self._units["turn"] |= {unit.id: unit for unit in _in_runs(made)}
        self._next += _BETWEEN_RUNS
        return [unit.id for unit in made]

    def tell(
        self, owner: str, text: str, *, kind: str = "fact", scope: str = GLOBAL, at: datetime = NOW
    ) -> int:
        """A record; gives its number."""
        number = self._number(text)
        unit = Unit(number, owner, kind, scope, to_micros(at), first=number)
        self._units["record"][number] = unit
        return number

    def _number(self, text: str) -> int:
        number, self._next = self._next, self._next + 1
        self.texts[number] = text
        self._entries[number] = entry(text)
        return number

    # --- Finder ---------------------------------------------------------------------------------

    def shelf(self, name: ShelfName) -> Shelf | None:
        units = self._units[name]
        held = [self._entries[number] for number in units]
        groups = {unit.group for unit in units.values() if unit.group is not None}
        parts = sum(len(one.parts) for one in held)
        return Shelf(name, len(units), parts, len(groups), sum(one.length for one in held))

    def places(self, shelf: ShelfName, stems: Sequence[str]) -> list[Mapping[int, Places]]:
        found: list[Mapping[int, Places]] = []
        for stem in stems:
            blocks: dict[int, list[tuple[int, int]]] = defaultdict(list)
            for number in self._units[shelf]:
                for place, part in enumerate(self._entries[number].parts):
                    if stem in part:
                        blocks[block_of(number)].append((offset_of(number, place), part[stem]))
            found.append({block: decoded(encoded(one)) for block, one in blocks.items()})
        return found

    def units(self, ids: Collection[int]) -> dict[int, Unit]:
        every = self._units["turn"] | self._units["record"]
        return {number: every[number] for number in ids if number in every}

    def group(self, shelf: ShelfName, session: str) -> int | None:
        return self._groups.get(session)

    def groups(self, numbers: Collection[int]) -> dict[int, Group]:
        found: dict[int, Group] = {}
        for group in numbers:
            units = [one for one in self._units["turn"].values() if one.group == group]
            spans = tuple(sorted({(unit.first, unit.size) for unit in units}))
            found[group] = Group(spans, sum(self._entries[unit.id].length for unit in units))
        return found

    def rows(self, ids: Collection[int]) -> dict[int, Sequence[bytes]]:
        texts = {number: self.texts.get(number, "") for number in ids}
        return {n: [self.vectors[text]] for n, text in texts.items() if text in self.vectors}

    def near(self, shelf: ShelfName, row: bytes, limit: int) -> list[int]:
        rows = self.rows(self._units[shelf])
        cosine = {number: cosines(row, parts)[0] for number, parts in rows.items()}
        return sorted(cosine, key=lambda number: -cosine[number])[:limit]

    def between(
        self, shelf: ShelfName, since: datetime | None, until: datetime | None, limit: int
    ) -> list[int]:
        inside = [
            unit
            for unit in self._units[shelf].values()
            if (since is None or unit.at >= since) and (until is None or unit.at < until)
        ]
        return [unit.id for unit in sorted(inside, key=lambda one: (-one.micros, -one.id))][:limit]

    def speakers(
        self, shelf: ShelfName, since: datetime | None, until: datetime | None, limit: int
    ) -> set[str]:
        known = self._units[shelf]
        found = (known[number].speaker for number in self.between(shelf, since, until, limit))
        return {speaker for speaker in found if speaker}


def _in_runs(turns: Sequence[Unit]) -> list[Unit]:
    """Turns with the runs that they lie in: none more than an hour after the one before."""
    runs: list[list[Unit]] = []
    for turn in turns:
        if not runs or turn.at - runs[-1][-1].at > _HOUR:
            runs.append([])
        runs[-1].append(turn)
    return [
        one._replace(first=run[0].id, size=len(run) + _BETWEEN_RUNS) for run in runs for one in run
    ]


def asked(text: str, **more: Any) -> Asked:
    """A question that is asked now."""
    given: dict[str, Any] = {"now": NOW, "calendar": CALENDAR, **more}
    return Asked(text, **given)


def turns(index: Index, text: str, **more: Any) -> dict[int, Ranked]:
    """What the turns have on a question, by their number, the best first."""
    ranked = rank_turns(index, asked(text, **more)).units
    scores = [one.score for one in ranked]
    assert scores == sorted(scores, reverse=True)
    for one in ranked:
        assert one.score == sum(one.reasons.values())
    return {one.unit.id: one for one in ranked}


def records(index: Index, text: str, **more: Any) -> dict[str, Ranked]:
    """What the records have on a question, by their ID, the best first."""
    return {one.unit.owner: one for one in rank_records(index, asked(text, **more))}

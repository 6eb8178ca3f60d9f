"""Random sequences of changes, held against a plain dictionary."""

from __future__ import annotations

import string
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from store_world import NOW, ORIGIN, fact, facts, opened, places_of

from memoro.backends.sqlite.opening import open_memory
from memoro.errors import Refusal
from memoro.memory.records import GLOBAL
from memoro.memory.saved import forget, remember, replace
from memoro.memory.store import Applied, MemoryStore
from memoro.memory.undo import undo

_KEYS = st.sampled_from(["a", "b", "c"])
_DEEDS = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(["remember", "replace"]), _KEYS),
        st.tuples(st.just("forget"), _KEYS),
        st.tuples(st.just("undo"), st.integers(0, 12)),
    ),
    min_size=1,
    max_size=14,
)
_TOKENS = st.text(string.ascii_letters, min_size=12, max_size=12)
_LENGTHS = st.sampled_from([1, 40, 240])


class _World:
    """A store, the dictionary that it should equal, and the values that it should have lost."""

    def __init__(self, store: MemoryStore) -> None:
        self.store = store
        self.model: dict[str, str] = {}
        self.ids: dict[str, str] = {}
        self.values: dict[str, set[str]] = {}
        self.gone: set[str] = set()
        self.made = 0

    def carry_out(self, deed: str, what: str | int, value: str) -> None:
        """Do one thing to both."""
        if deed == "undo":
            self._undo(int(what))
            return
        key = str(what)
        known = key in self.model
        if deed == "forget":
            applied = self.store.apply(forget(GLOBAL, key), ORIGIN)
            assert isinstance(applied, Applied) == known
            if known:
                del self.model[key]
                # A key that was undone and made anew has several records; all of them go.
                self.gone |= self.values.pop(key)
            return
        self.made += 1
        wanted = fact(key, value, f"f{self.made}")
        plan = remember(wanted) if deed == "remember" else replace(wanted)
        applied = self.store.apply(plan, ORIGIN)
        assert isinstance(applied, Applied) == (known == (deed == "replace"))
        if isinstance(applied, Applied):
            self.model[key] = value
            self.values.setdefault(key, set()).add(value)

    def _undo(self, change_id: int) -> None:
        entry = self.store.change(change_id)
        applied = self.store.apply(undo(change_id, NOW), ORIGIN)
        if isinstance(applied, Refusal):
            return
        assert entry is not None
        assert not entry.final
        for part in entry.records:
            assert part.key is not None
            if part.before is None:
                self.model.pop(part.key, None)
            else:
                self.model[part.key] = part.before.text

    def check(self) -> None:
        """Whether both say the same."""
        assert facts(self.store) == self.model
        logged = [
            text.text
            for entry in self.store.changes()
            for part in entry.records
            for text in (part.before, part.after)
            if text is not None
        ]
        assert not self.gone & set(logged)


@pytest.mark.requirement("Z03", "P16")
@settings(max_examples=60, deadline=None, database=None)
@given(_DEEDS, st.data())
def test_store_equals_the_model(deeds: list[tuple[str, str | int]], data: st.DataObject) -> None:
    world = _World(open_memory())
    for number, (deed, what) in enumerate(deeds):
        world.carry_out(deed, what, f"{data.draw(_TOKENS)}{number}")
        world.check()


@pytest.mark.requirement("Z03")
@settings(max_examples=40, deadline=None, database=None)
@given(_DEEDS)
def test_every_change_that_is_not_final_can_be_undone(deeds: list[tuple[str, str | int]]) -> None:
    world = _World(open_memory())
    for number, (deed, what) in enumerate(deeds):
        before, entries = facts(world.store), len(world.store.changes())
        world.carry_out(deed, what, f"v{number}")
        newest = next(iter(world.store.changes()), None)
        if newest is None or newest.final or len(world.store.changes()) == entries:
            continue
        undone = world.store.apply(undo(newest.id, NOW), ORIGIN)
        assert isinstance(undone, Applied)
        assert facts(world.store) == before
        assert isinstance(world.store.apply(undo(undone.change, NOW), ORIGIN), Applied)
        world.check()


@pytest.mark.requirement("P16")
@settings(
    max_examples=12,
    deadline=None,
    database=None,
)
@given(_DEEDS, _TOKENS, _LENGTHS)
def test_what_was_forgotten_is_in_no_file(
    deeds: list[tuple[str, str | int]], token: str, length: int
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        with opened(home, daily=True) as (store, _):
            world = _World(store)
            for number, (deed, what) in enumerate(deeds):
                world.carry_out(deed, what, f"<{token}{number}>" * length)
        values = [value[: len(token) + 4] for value in world.gone]
        assert not values or places_of(home, *(value[:15] for value in values)) == []

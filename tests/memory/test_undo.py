"""Taking changes back, over a store in memory: only what a new record could do as well."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import count

import pytest

from memoro.backends.sqlite.opening import open_memory
from memoro.errors import Reason, Refusal
from memoro.memory import notes, projects, saved
from memoro.memory.records import GLOBAL, NOTE, PROJECT, SAVED_FACT, Record, project_scope
from memoro.memory.saved import MAX_FACTS_PER_SCOPE, Fact
from memoro.memory.store import Applied, Change, ChangeSet, MemoryStore, Origin, Plan
from memoro.memory.undo import undo

START = datetime(2026, 5, 2, tzinfo=UTC)
KINDS = (SAVED_FACT, NOTE, PROJECT)


class World:
    """A store in memory, a clock that ticks, and short words for changes."""

    def __init__(self) -> None:
        self.store: MemoryStore = open_memory()
        self._ticks = count()

    def at(self) -> datetime:
        return START + timedelta(minutes=next(self._ticks))

    def try_(self, plan: Plan) -> Applied | Refusal:
        return self.store.apply(plan, Origin("test", self.at()))

    def do(self, plan: Plan) -> int:
        """Carry a plan out; gives the change's ID."""
        applied = self.try_(plan)
        assert isinstance(applied, Applied), applied
        return applied.change

    def refused(self, change: int | None = None) -> Refusal:
        """The refusal of an undo that changes nothing."""
        before = [self.store.select(kind.name) for kind in KINDS], self.store.changes()
        refusal = self.try_(undo(change, self.at()))
        assert isinstance(refusal, Refusal), refusal
        assert ([self.store.select(kind.name) for kind in KINDS], self.store.changes()) == before
        return refusal

    def undo(self, change: int | None = None) -> int:
        return self.do(undo(change, self.at()))

    def remember(self, key: str, value: str = "v", scope: str = GLOBAL) -> int:
        return self.do(saved.remember(self.fact(key, value, scope)))

    def replace(self, key: str, value: str, scope: str = GLOBAL) -> int:
        return self.do(saved.replace(self.fact(key, value, scope)))

    def forget(self, key: str) -> int:
        return self.do(saved.forget(GLOBAL, key))

    def fact(self, key: str, value: str, scope: str) -> Fact:
        at = self.at()
        return Fact(f"f_{key}_{at:%H%M}", scope, key, value, at)

    def project(self, name: str, path: str) -> int:
        return self.do(projects.add(f"p_{name}_{path}", name, {"path": path}, self.at()))

    def unproject(self, name: str) -> int:
        return self.do(projects.remove(name, self.at()))

    def made(self, scope: str, key: str) -> int:
        """The change that made a fact."""
        return self.store.changes(scope=scope, key=key)[-1].id

    def facts(self, scope: str = GLOBAL) -> dict[str | None, str]:
        return {one.key: one.text for one in self.store.select(SAVED_FACT.name, scope)}


@pytest.fixture
def world() -> Iterator[World]:
    made = World()
    yield made
    made.store.close()


@pytest.mark.requirement("Z03")
def test_the_last_change_that_stands_is_undone_each_time(world: World) -> None:
    world.remember("a", "1")
    world.remember("b", "1")
    world.replace("a", "2")
    world.undo()
    assert world.facts() == {"a": "1", "b": "1"}
    world.undo()
    assert world.facts() == {"a": "1"}
    world.undo()
    assert world.facts() == {}
    assert world.refused().reason is Reason.NOT_FOUND


@pytest.mark.requirement("Z03")
def test_an_undo_is_undone_by_its_own_id(world: World) -> None:
    world.remember("a", "1")
    change = world.replace("a", "2")
    undone = world.undo(change)
    assert world.facts() == {"a": "1"}
    redone = world.undo(undone)
    assert world.facts() == {"a": "2"}
    undone_again = world.undo(redone)
    assert world.facts() == {"a": "1"}
    logged = {one.id: one for one in world.store.changes()}
    assert (logged[undone].undoes, logged[undone].undone_by) == (change, redone)
    assert (logged[redone].undoes, logged[redone].undone_by) == (undone, undone_again)


@pytest.mark.requirement("Z03")
def test_a_redo_is_a_change_that_stands(world: World) -> None:
    world.remember("a", "1")
    world.replace("a", "2")
    world.undo(world.undo())
    assert world.facts() == {"a": "2"}
    world.undo()
    assert world.facts() == {"a": "1"}
    world.undo()
    assert world.facts() == {}
    assert world.refused().reason is Reason.NOT_FOUND


@pytest.mark.requirement("Z03")
def test_a_change_is_found_however_much_was_undone_since(world: World) -> None:
    world.remember("first")
    for _ in range(60):
        world.undo(world.remember("again"))
    world.undo()
    assert world.facts() == {}


@pytest.mark.requirement("Z03")
def test_what_was_undone_is_not_undone_again(world: World) -> None:
    change = world.remember("a")
    undone = world.undo(change)
    refusal = world.refused(change)
    assert refusal.reason is Reason.CONFLICT
    assert str(undone) in refusal.what


@pytest.mark.requirement("Z03")
@pytest.mark.parametrize("change", [0, -1, 7, 2**31, 2**63 - 1, 2**63, -(2**63), 10**30])
def test_an_unknown_change(world: World, change: int) -> None:
    world.remember("a")
    refusal = world.refused(change)
    assert refusal.reason is Reason.NOT_FOUND
    assert str(change) in refusal.what


@pytest.mark.requirement("Z03")
def test_a_record_that_has_changed_since_stays(world: World) -> None:
    made = world.remember("a", "1")
    second = world.replace("a", "2")
    world.replace("a", "3")
    for change in (made, second):
        refusal = world.refused(change)
        assert refusal.reason is Reason.CONFLICT
        assert "a has changed since" in refusal.what
    assert world.facts() == {"a": "3"}


@pytest.mark.requirement("Z03")
def test_a_record_that_has_come_back_to_the_same_can_be_undone(world: World) -> None:
    world.remember("a", "1")
    change = world.replace("a", "2")
    world.replace("a", "3")
    world.undo()
    world.undo(change)
    assert world.facts() == {"a": "1"}


@pytest.mark.requirement("Z03", "P16")
def test_forgetting_is_final(world: World) -> None:
    made = world.remember("a", "secret")
    changed = world.replace("a", "more")
    forgotten = world.forget("a")
    for change in (None, forgotten):
        refusal = world.refused(change)
        assert refusal.reason is Reason.CONFLICT
        assert "final" in refusal.what
    for change in (made, changed):
        assert world.refused(change).reason is Reason.CONFLICT
    assert world.facts() == {}


@pytest.mark.requirement("Z03")
def test_a_key_that_was_made_anew_is_not_overwritten(world: World) -> None:
    made = world.remember("a", "old")
    undone = world.undo(made)
    world.remember("a", "new")
    refusal = world.refused(undone)
    assert refusal.reason is Reason.CONFLICT
    assert world.facts() == {"a": "new"}


@pytest.mark.requirement("Z03", "P04")
@pytest.mark.parametrize("scope", [GLOBAL, project_scope("web")])
def test_an_undo_never_brings_a_scope_over_its_number_of_facts(world: World, scope: str) -> None:
    world.project("web", "/web")
    undone = world.undo(world.remember("old", "v", scope))
    for number in range(MAX_FACTS_PER_SCOPE):
        world.remember(f"k{number}", "v", scope)
    refusal = world.refused(undone)
    assert refusal.reason is Reason.TOO_LARGE
    assert "128" in refusal.what
    # Changes that make no new fact can still be undone, and with room for it this one too.
    world.undo(world.replace("k0", "w", scope))
    world.undo(world.made(scope, "k1"))
    world.undo(undone)
    assert len(world.facts(scope)) == MAX_FACTS_PER_SCOPE


@pytest.mark.requirement("Z03")
def test_an_undone_note_removal_brings_the_note_back(world: World) -> None:
    at = world.at()
    note = Record("n_1", NOTE.name, GLOBAL, None, "text", at, at, data={"title": "t"})
    world.do(notes.add(note))
    removed = world.do(notes.remove("n_1"))
    assert world.store.get("n_1") is None
    world.undo(removed)
    back = world.store.get("n_1")
    assert back is not None
    assert (back.text, back.data, back.created_at) == (note.text, note.data, note.created_at)


@pytest.mark.requirement("Z03")
def test_undoing_a_project_gives_no_folder_two_names(world: World) -> None:
    world.project("web", "/web")
    world.remember("a", "v", project_scope("web"))
    removed = world.unproject("web")
    world.project("site", "/web")
    refusal = world.refused(removed)
    assert refusal.reason is Reason.CONFLICT
    assert "site" in refusal.what
    world.unproject("site")
    world.undo(removed)
    (web,) = world.store.select(PROJECT.name)
    assert projects.folder(web) == "/web"


@pytest.mark.requirement("Z03", "P21")
def test_undoing_a_project_never_hides_what_it_remembers(world: World) -> None:
    added = world.project("web", "/web")
    fact = world.remember("a", "v", project_scope("web"))
    refusal = world.refused(added)
    assert refusal.reason is Reason.CONFLICT
    assert "web" in refusal.what
    world.undo(fact)
    world.undo(added)
    assert world.store.select(PROJECT.name) == []
    # What belonged to it has nowhere to come back to.
    refusal = world.refused(world.store.changes()[1].id)
    assert refusal.reason is Reason.CONFLICT
    assert "memoro project add web" in (refusal.fix or "")


@pytest.mark.requirement("Z03")
def test_undoing_keeps_the_record_and_counts_it_as_changed(world: World) -> None:
    world.remember("a", "1")
    (first,) = world.store.select(SAVED_FACT.name)
    world.undo(world.replace("a", "2"))
    (back,) = world.store.select(SAVED_FACT.name)
    assert (back.id, back.created_at, back.text) == (first.id, first.created_at, first.text)
    assert back.revision > first.revision
    assert back.updated_at > first.updated_at


@pytest.mark.requirement("Z03")
def test_a_set_in_which_one_record_took_over_anothers_key_is_undone_whole() -> None:
    store = open_memory()
    at = datetime(2026, 5, 2, tzinfo=UTC)
    by = Origin("test", at)
    old = Record("f_old", SAVED_FACT.name, GLOBAL, "tea", "green", at, at)
    new = old._replace(id="f_new", text="black")
    store.apply(lambda _: ChangeSet("remember", [Change(None, old)]), by)
    merged = store.apply(lambda _: ChangeSet("merge", [Change(old, None), Change(None, new)]), by)
    assert isinstance(merged, Applied)
    undone = store.apply(undo(merged.change, at), by)
    assert isinstance(undone, Applied)
    (fact,) = store.select(SAVED_FACT.name, GLOBAL)
    assert (fact.id, fact.text) == ("f_old", "green")
    store.close()

"""What every store of records has to do, whatever it is made of."""

from __future__ import annotations

from collections.abc import Generator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from store_world import (
    NOW,
    ORIGIN,
    adding,
    done,
    drop,
    erasing,
    fact,
    facts,
    keep,
    note,
    opened,
)

from memoro.backends.sqlite.opening import open_memory
from memoro.errors import Reason, Refusal, StoreError
from memoro.memory.records import GLOBAL, NOTE, Record, project_scope
from memoro.memory.saved import forget, remember, replace
from memoro.memory.store import Change, ChangeSet, MemoryStore, Origin, Reader
from memoro.memory.undo import undo


@pytest.fixture(params=["file", "memory"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[MemoryStore]:
    if request.param == "memory":
        empty = open_memory()
        yield empty
        empty.close()
        return
    with opened(tmp_path / "home") as (kept, _):
        yield kept


def _refused(answer: object) -> Refusal:
    assert isinstance(answer, Refusal)
    return answer


class TestApplying:
    @pytest.mark.requirement("P03")
    def test_refused_plan_changes_nothing(self, store: MemoryStore) -> None:
        keep(store, "editor", "vim")
        before = store.select("saved_fact"), store.changes(), store.counts()

        assert _refused(store.apply(remember(fact("editor", "nano")), ORIGIN)).reason is (
            Reason.CONFLICT
        )
        assert _refused(store.apply(replace(fact("shell", "zsh")), ORIGIN)).reason is (
            Reason.NOT_FOUND
        )
        assert _refused(store.apply(forget(GLOBAL, "shell"), ORIGIN)).reason is Reason.NOT_FOUND

        assert (store.select("saved_fact"), store.changes(), store.counts()) == before

    @pytest.mark.requirement("P03")
    @pytest.mark.parametrize("key", ["", " ", "*", "%", "edito", "editor ", "EDITOR", "editor%"])
    def test_forgetting_takes_no_near_match(self, store: MemoryStore, key: str) -> None:
        keep(store, "editor", "vim")

        _refused(store.apply(forget(GLOBAL, key), ORIGIN))

        assert facts(store) == {"editor": "vim"}

    @pytest.mark.requirement("M07")
    def test_failing_plan_changes_nothing(self, store: MemoryStore) -> None:
        def plan(_: Reader) -> ChangeSet:
            raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            store.apply(plan, ORIGIN)

        assert store.changes() == []
        done(store, adding(note("n1")))

    @pytest.mark.requirement("M07")
    def test_set_that_fails_in_the_middle_changes_nothing(self, store: MemoryStore) -> None:
        done(store, adding(note("n1")))

        with pytest.raises(StoreError):
            store.apply(adding(note("n2"), note("n1", "another")), ORIGIN)

        assert [one.id for one in store.select(NOTE.name)] == ["n1"]
        assert len(store.changes()) == 1

    @pytest.mark.requirement("M07")
    def test_new_record_never_takes_the_place_of_another(self, store: MemoryStore) -> None:
        keep(store, "editor", "vim", "f1")
        rival = Record("f2", "saved_fact", GLOBAL, "editor", "nano", NOW, NOW)

        with pytest.raises(StoreError):
            store.apply(adding(rival), ORIGIN)

        assert facts(store) == {"editor": "vim"}

    @pytest.mark.requirement("M07")
    @pytest.mark.parametrize("after", [note("n1", "mine", revision=2), None])
    def test_change_of_an_outdated_record_is_refused(
        self, store: MemoryStore, after: Record | None
    ) -> None:
        old = note("n1", "first")
        done(store, adding(old))
        new = old._replace(text="theirs", revision=2)
        done(store, lambda _: ChangeSet("note edit", [Change(old, new)]))

        with pytest.raises(StoreError, match="changed meanwhile"):
            store.apply(lambda _: ChangeSet("note edit", [Change(old, after)]), ORIGIN)

        assert store.get("n1") == new

    def test_key_can_be_taken_over_within_a_set(self, store: MemoryStore) -> None:
        keep(store, "editor", "vim", "f1")
        old = store.select("saved_fact")[0]
        new = old._replace(id="f2", text="nano")

        done(store, lambda _: ChangeSet("merge", [Change(None, new), Change(old, None)]))

        assert store.select("saved_fact") == [new]

    def test_plan_reads_what_it_will_change(self, store: MemoryStore) -> None:
        keep(store, "editor", "vim")
        seen: list[str] = []

        def plan(reader: Reader) -> Refusal:
            seen.extend(one.text for one in reader.select("saved_fact", GLOBAL, key="editor"))
            return Refusal(Reason.CANCELLED, "only looked")

        store.apply(plan, ORIGIN)

        assert seen == ["vim"]


class TestReading:
    def test_order_is_scope_key_id(self, store: MemoryStore) -> None:
        scopes = [GLOBAL, project_scope("a"), project_scope("b")]
        records = [
            Record(f"r{number}", "saved_fact", scope, key, "v", NOW, NOW)
            for number, (scope, key) in enumerate(
                (scope, key) for scope in reversed(scopes) for key in ("b", "a", "B", "a.b", "0")
            )
        ]
        notes = [note("n2"), note("n1")]
        done(store, adding(*records, *notes))

        found = store.select("saved_fact")

        assert found == sorted(records, key=lambda one: (one.scope, one.key or ""))
        assert [one.key for one in store.select("saved_fact", GLOBAL)] == [
            "0",
            "B",
            "a",
            "a.b",
            "b",
        ]
        assert [one.id for one in store.select(NOTE.name)] == ["n1", "n2"]
        assert [one.scope for one in store.select("saved_fact", key="a")] == scopes
        assert store.select("saved_fact", project_scope("A")) == []

    def test_counts_each_kind(self, store: MemoryStore) -> None:
        assert store.counts() == {}
        done(store, adding(note("n1"), note("n2")))
        keep(store, "editor", "vim")
        assert store.counts() == {"note": 2, "saved_fact": 1}
        drop(store, "editor")
        assert store.counts() == {"note": 2}

    @pytest.mark.parametrize(
        "zone", [UTC, timezone(timedelta(hours=-9, minutes=-30)), timezone(timedelta(hours=14))]
    )
    @pytest.mark.parametrize("microsecond", [0, 1, 999_999])
    def test_times_come_back_to_the_microsecond(
        self, store: MemoryStore, zone: timezone, microsecond: int
    ) -> None:
        at = datetime(2024, 2, 29, 23, 59, 59, microsecond, tzinfo=zone)
        record = note("n1", at=at, valid_from=at, valid_to=at, accessed_at=at)

        done(store, lambda _: ChangeSet("note add", [Change(None, record)]))
        [entry] = store.changes()
        read = store.get("n1")

        assert read == record
        assert read is not None
        assert read.created_at.utcoffset() == timedelta(0)
        assert entry.records[0].after == record

    def test_every_field_comes_back(self, store: MemoryStore) -> None:
        record = Record(
            "r1",
            "saved_fact",
            project_scope("ö"),
            "k",
            'quotes " \\ \n\r\t line\u2028 漢字 😀 é ı ß ﷽ \x7f',
            NOW,
            NOW + timedelta(days=1),
            {"title": "t", "deep": {"list": [1, 2.5, None, True, "é"]}},
            2,
            0.625,
            "run1",
            "m1",
            NOW,
            NOW,
            "r0",
            7,
            NOW,
            ("b", "a", "漢"),
            3,
        )
        done(store, adding(record))
        assert store.get("r1") == record
        assert store.select("saved_fact") == [record]
        assert store.changes()[0].records[0].after == record

    @pytest.mark.parametrize("change_id", [0, -1, 2, 2**63, -(2**70)])
    def test_unknown_change_is_none(self, store: MemoryStore, change_id: int) -> None:
        done(store, adding(note("n1")))
        assert store.change(change_id) is None


@pytest.mark.requirement("Z03")
class TestLog:
    def test_has_before_after_who_when_and_from_which_message(self, store: MemoryStore) -> None:
        origin = Origin("model", NOW, "run1", "m1")
        store.apply(remember(fact("editor", "vim")), origin)
        store.apply(replace(fact("editor", "nano")), origin._replace(at=NOW + timedelta(hours=1)))

        newest, first = store.changes()

        assert (first.action, first.writer, first.run, first.message, first.at) == (
            "remember",
            "model",
            "run1",
            "m1",
            NOW,
        )
        assert first.records[0].before is None
        assert [(one.key, one.scope) for one in first.records] == [("editor", GLOBAL)]
        assert newest.at == NOW + timedelta(hours=1)
        assert newest.records[0].before == first.records[0].after
        assert newest.records[0].after == store.select("saved_fact")[0]
        assert (newest.final, newest.undoes, newest.undone_by) == (False, None, None)

    def test_is_found_by_scope_record_kind_key_and_limit(self, store: MemoryStore) -> None:
        keep(store, "editor", "vim")
        done(store, adding(note("n1"), note("n2")))
        keep(store, "shell", "zsh")
        keep(store, "editor", "nano")

        def ids(**wanted: str | int) -> list[int]:
            return [one.id for one in store.changes(**wanted)]  # pyright: ignore[reportArgumentType]

        assert ids() == [4, 3, 2, 1]
        assert ids(key="editor") == [4, 1]
        assert ids(kind=NOTE.name) == [2]
        assert ids(record="n2") == [2]
        assert ids(scope=project_scope("x")) == []
        assert ids(scope=GLOBAL, limit=2) == [4, 3]
        assert len(store.changes(record="n2")[0].records) == 2

    @pytest.mark.requirement("P16")
    def test_keeps_key_time_and_writer_of_what_was_forgotten(self, store: MemoryStore) -> None:
        keep(store, "editor", "vim")
        keep(store, "editor", "nano")
        drop(store, "editor")

        entries = store.changes(key="editor")

        assert [one.action for one in entries] == ["forget", "replace", "remember"]
        assert entries[0].final
        assert {(one.writer, one.at) for one in entries} == {("test", NOW)}
        assert all((r.before, r.after) == (None, None) for one in entries for r in one.records)

    def test_ids_are_never_given_twice(self, store: MemoryStore) -> None:
        keep(store, "editor", "vim")
        change = drop(store, "editor").change
        assert keep(store, "editor", "nano").change == change + 1


@pytest.mark.requirement("Z03")
class TestUndoing:
    def test_redo_is_the_undo_of_an_undo(self, store: MemoryStore) -> None:
        keep(store, "editor", "vim")
        replaced = keep(store, "editor", "nano").change

        undone = done(store, undo(replaced, NOW)).change
        assert facts(store) == {"editor": "vim"}
        done(store, undo(undone, NOW))

        assert facts(store) == {"editor": "nano"}
        entry = store.change(replaced)
        assert entry is not None
        assert entry.undone_by == undone

    def test_without_an_id_takes_the_last_that_still_stands(self, store: MemoryStore) -> None:
        keep(store, "a", "1")
        keep(store, "b", "2")
        done(store, undo(None, NOW))
        assert facts(store) == {"a": "1"}
        done(store, undo(None, NOW))
        assert facts(store) == {}
        assert _refused(store.apply(undo(None, NOW), ORIGIN)).reason is Reason.NOT_FOUND

    def test_set_of_many_is_undone_as_a_whole(self, store: MemoryStore) -> None:
        kept = [note(f"n{number}", "old") for number in range(3)]
        done(store, adding(*kept))
        new = kept[0]._replace(text="new", revision=2)
        merged = note("n9", "merged")
        change = done(
            store,
            lambda _: ChangeSet(
                "compact", [Change(kept[0], new), Change(kept[1], None), Change(None, merged)]
            ),
        ).change

        done(store, undo(change, NOW))

        assert [(one.id, one.text) for one in store.select(NOTE.name)] == [
            ("n0", "old"),
            ("n1", "old"),
            ("n2", "old"),
        ]

    def test_set_of_which_one_record_moved_on_is_not_undone_at_all(
        self, store: MemoryStore
    ) -> None:
        change = done(store, adding(note("n1"), note("n2"))).change
        moved = note("n2", "moved", revision=2)
        done(store, lambda _: ChangeSet("note edit", [Change(note("n2"), moved)]))

        assert _refused(store.apply(undo(change, NOW), ORIGIN)).reason is Reason.CONFLICT

        assert len(store.select(NOTE.name)) == 2

    def test_twice_is_refused(self, store: MemoryStore) -> None:
        change = keep(store, "a", "1").change
        done(store, undo(change, NOW))
        assert _refused(store.apply(undo(change, NOW), ORIGIN)).reason is Reason.CONFLICT

    @pytest.mark.requirement("P16")
    def test_forgetting_is_final(self, store: MemoryStore) -> None:
        first = keep(store, "a", "1").change
        forgotten = drop(store, "a").change
        for change in (forgotten, first):
            assert _refused(store.apply(undo(change, NOW), ORIGIN)).reason is Reason.CONFLICT
        assert facts(store) == {}


@pytest.mark.requirement("P16")
def test_erasing_takes_the_undone_value_too(store: MemoryStore) -> None:
    change = keep(store, "a", "secret").change
    done(store, undo(change, NOW))
    done(store, forget(GLOBAL, "a", from_log=True))
    assert all(
        (part.before, part.after) == (None, None)
        for entry in store.changes()
        for part in entry.records
    )


@pytest.mark.requirement("P16")
def test_erasing_leaves_the_others_of_a_set(store: MemoryStore) -> None:
    done(store, adding(note("n1", "goes"), note("n2", "stays")))
    done(store, erasing(note("n1")))
    [entry] = store.changes(kind=NOTE.name, record="n2")
    assert [part.after and part.after.text for part in entry.records] == [None, "stays"]
    assert [one.id for one in store.select(NOTE.name)] == ["n2"]
